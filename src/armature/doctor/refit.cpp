// Candidates for a contradictory group: each of its joints in turn is taken out, the others are made to hold, and the joint
// is changed so that it fits where they are. The smallest change comes first.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "armature/doctor/edits.h"
#include "armature/doctor/named_joint.h"
#include "armature/doctor/settle.h"

namespace armature::doctor {

namespace {

constexpr std::size_t most_joints = 40;  ///< beyond, only the group itself is made to hold
/// Bounds that are moved to where a value is leave it this much room, so that it does not stand at its limit then.
constexpr double room = 0.01;

/// Where as many joints as possible hold, those of the group without `id` first.
Settled without_it(const Mechanism& m, const Examination& e, const ExaminedGroup& group, JointId id) {
    JointSet held = group.joints;
    std::erase(held, id);
    Settled settled = settle(m, e.placed, held);
    for (const JointId other : m.joints()) {
        if (m.joints().size() > most_joints) break;
        if (other == id || std::binary_search(held.begin(), held.end(), other)) continue;
        JointSet more = held;
        more.insert(std::upper_bound(more.begin(), more.end(), other), other);
        Settled with = settle(m, settled.at, more);
        if (!with.holds) continue;
        held = std::move(more);
        settled = std::move(with);
    }
    return settled;
}

struct Fit {
    const Mechanism& m;
    const ConstraintSpec& c;
    JointId id;
    Placing at;
    Placement b1, b2;
    ConstraintSpec by;
    std::vector<StatementEdit> statements{};

    /// Moves P2, and the domain with it, by what is missing; a sphere or ring of one radius gets the one that fits.
    void point(const PointPart& part) {
        const PointError error = measure(part, b1, b2);
        if (norm(error.d) < 1e-9) return;
        if (auto* sphere = std::get_if<SphereDomain>(&by.hinge->domain); sphere && sphere->min == sphere->max) {
            sphere->min = sphere->max = error.place.x;
            statements.push_back(statement(c, "sphere", fmt::format("sphere radius {};", number_text(error.place.x))));
            return;
        }
        by.hinge->p2_B += transposed_times(b2.R, -error.d);
        statements.push_back(statement(
            c, "hinge", fmt::format("hinge {}  {};", vector_text(by.hinge->p1_B), vector_text(by.hinge->p2_B))));
    }

    void angle(const AnglePart& part) {
        const AngularError error = measure(part, b1, b2);
        if (std::fabs(error.excess) < 1e-9) return;
        AngleSpec& a = *by.angle;
        if (a.min == a.max && a.max == 0) {
            a.a2_B = transposed_times(b2.R, b1.R * part.a1_B);
        } else if (a.min == a.max) {
            a.min = a.max = error.value;
        } else {
            a.min = std::min(a.min, std::max(0.0, error.value - room));
            a.max = std::max(a.max, std::min(pi, error.value + room));
        }
        std::string text = fmt::format("angle {}  {}", vector_text(a.a1_B), vector_text(a.a2_B));
        if (a.min > 0) text += " min " + number_text(a.min);
        if (a.max < pi) text += " max " + number_text(a.max);
        statements.push_back(statement(c, "angle", text + ";"));
    }

    /// Compiled anew with the angle as it is now.
    void twist() {
        if (!by.twist || !by.angle) return;
        const auto across = [](const Vec3& b, const Vec3& a) { return normalized(b - dot(b, a) * a); };
        const Vec3 a1 = normalized(by.angle->a1_B), a2 = normalized(by.angle->a2_B);
        const TwistPart part{a1,           a2, across(by.twist->b1_B, a1), across(by.twist->b2_B, a2), by.twist->min,
                             by.twist->max};
        const AngularError error = measure(part, b1, b2);
        if (std::fabs(error.excess) < 1e-9) return;
        TwistSpec& t = *by.twist;
        if (t.min == t.max) {
            t.min = t.max = error.value;
        } else {
            t.min = std::min(t.min, error.value - room);
            t.max = std::max(t.max, error.value + room);
        }
        statements.push_back(statement(c, "twist",
                                       fmt::format("twist {}  {} min {} max {};", vector_text(t.b1_B),
                                                   vector_text(t.b2_B), number_text(t.min), number_text(t.max))));
    }

    void limits(const std::vector<HeldRow>& rows) {
        for (const HeldRow& row : rows) {
            if (row.limit < 0 || row.what == Blocks::thread || std::fabs(row.violation()) < 1e-9) continue;
            const std::string& full = m.model().freedoms[static_cast<std::size_t>(row.limit)].name;
            const std::string name = full.substr(full.rfind('.') + 1);
            FreedomSpec* f = find_freedom(by, name);
            if (f == nullptr) continue;
            const bool low = row.kind == RowKind::at_least || (row.kind == RowKind::equality && row.error < 0);
            ScalarTrack& bound = low ? f->min : f->max;
            const double value = evaluate(bound, 0).value + row.error + (low ? -room : room);
            bound = ScalarTrack::constant(value);
            statements.push_back(statement(c, name, freedom_text(*f)));
        }
    }

    /// A joint by name: its frame on solid 2 goes where the one on solid 1 is, as far as it has to.
    bool frames() {
        std::optional<NamedJoint> joint = recognise(c);
        if (!joint) return false;
        const JointFrame as_it_was = joint->L2;
        const auto to2 = [&](const Vec3& u) { return transposed_times(b2.R, u); };
        for (const Part& part : m.joint(id).parts) {
            if (const auto* p = std::get_if<PointPart>(&part)) joint->L2.at_B += to2(-measure(*p, b1, b2).d);
            if (std::holds_alternative<AnglePart>(part) &&
                std::fabs(measure(std::get<AnglePart>(part), b1, b2).excess) > 1e-9)
                joint->L2.main_B = to2(b1.R * joint->L1.main_B);
        }
        if (c.twist) joint->L2.second_B = to2(b1.R * joint->L1.second_B);
        const std::optional<ConstraintSpec> made = remade(c, *joint);
        if (!made) return false;
        by = *made;
        if (joint->L2.at_B != as_it_was.at_B)
            statements.push_back(statement(
                c, "at", fmt::format("at {}  {};", vector_text(joint->L1.at_B), vector_text(joint->L2.at_B))));
        if (joint->L2.main_B != as_it_was.main_B)
            statements.push_back(statement(
                c, "axis", fmt::format("axis {}  {};", vector_text(joint->L1.main_B), vector_text(joint->L2.main_B))));
        if (c.twist)
            statements.push_back(statement(
                c, "across",
                fmt::format("across {}  {};", vector_text(joint->L1.second_B), vector_text(joint->L2.second_B))));
        return true;
    }

    bool make() {
        std::vector<HeldRow> rows = m.rows(at, {id}, true);
        const bool only_limits = std::all_of(
            rows.begin(), rows.end(), [](const HeldRow& r) { return r.limit >= 0 || std::fabs(r.violation()) < 1e-9; });
        if (is_named(c) && !only_limits && !frames()) return false;
        if (!is_named(c))
            for (const Part& part : m.joint(id).parts) {
                if (const auto* p = std::get_if<PointPart>(&part)) point(*p);
                if (const auto* a = std::get_if<AnglePart>(&part)) angle(*a);
                if (std::holds_alternative<TwistPart>(part)) twist();
            }
        limits(rows);
        return !statements.empty();
    }
};

}  // namespace

std::vector<DoctorEdit> fitting_joints(const Spec& spec, const Mechanism& m, const Examination& e,
                                       const ExaminedGroup& group) {
    struct Option {
        double change = 0;
        DoctorEdit edit;
    };
    std::vector<Option> options;
    for (auto id = group.joints.rbegin(); id != group.joints.rend(); ++id) {
        const Settled settled = without_it(m, e, group, *id);
        const ConstraintSpec& c = spec_of(spec, *id);
        const Joint& j = m.joint(*id);
        Fit fit{m, c, *id, settled.at, placement_of(m, settled.at, j.body1), placement_of(m, settled.at, j.body2), c};
        if (!fit.make()) continue;
        double change = 0;
        for (const HeldRow& row : m.rows(settled.at, {*id}, true))
            change = std::max(change, m.scaled(row, std::fabs(row.violation())));
        options.push_back({change,
                           {ReplaceConstraint{j.name, fit.by}, fit.statements,
                            fmt::format("make `{}` fit where the others hold", j.name)}});
    }
    // Changes that differ by round-off only are alike: the joint written last comes first.
    std::stable_sort(options.begin(), options.end(), [](const Option& a, const Option& b) {
        return std::round(a.change * 1e9) < std::round(b.change * 1e9);
    });
    std::vector<DoctorEdit> out;
    for (Option& o : options) out.push_back(std::move(o.edit));
    for (auto id = group.joints.rbegin(); id != group.joints.rend(); ++id) out.push_back(removal(spec, m, *id));
    return out;
}

}  // namespace armature::doctor
