// Candidates that move a limit, or the solids.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "armature/doctor/edits.h"
#include "armature/doctor/settle.h"

namespace armature::doctor {

namespace {

/// How far a limit moves out, rad or share of L: enough to see.
constexpr double further = 0.05;

/// The solids a little way inside the limit, along what can move.
std::optional<Placing> away_from(const Mechanism& m, const Examination& e, const HeldRow& row) {
    const Matrix V = rank_of(jacobian(m, m.rows(e.at, e.kept, false)), e.tolerance).null_space;
    const Matrix g = transposed(jacobian(m, {row}));
    Vector dq = V * transposed_times(V, g.col(0));
    if (norm(dq) < 1e-9) return {};
    scale(dq, 1 / largest(dq));
    Placing to = e.at;
    m.move(to, dq.data(), row.kind == RowKind::at_least ? further : -further);
    const Settled settled = settle_from(m, to, e.kept);
    return settled.holds ? std::optional(settled.at) : std::nullopt;
}

DoctorEdit wider_freedom(const ConstraintSpec& c, const Mechanism& m, const HeldRow& row) {
    const Freedom& freedom = m.model().freedoms[static_cast<std::size_t>(row.limit)];
    const std::string name = freedom.name.substr(freedom.name.rfind('.') + 1);
    const bool low = row.kind == RowKind::at_least;
    ReplaceConstraint change{m.joint(row.joint).name, c};
    DoctorEdit edit;
    for (FreedomSpec& f : change.by.freedoms) {
        if (f.name != name) continue;
        ScalarTrack& bound = low ? f.min : f.max;
        const double out = further * (row.length ? m.length() : 1);
        const double value = evaluate(bound, 0).value + (low ? -out : out);
        for (ScalarKey& key : bound.keys) key.value += low ? -out : out;
        edit.statements.push_back(statement(c, name, freedom_text(f)));
        edit.sentence = fmt::format("move the {} limit of `{}` out to {}", low ? "lower" : "upper", freedom.name,
                                    number_text(value));
    }
    edit.change = std::move(change);
    return edit;
}

/// Limits that are part of a constraint put together by hand: of an angle, a twist, a segment, a ring or a sphere.
std::optional<DoctorEdit> wider_part(const ConstraintSpec& c, const Mechanism& m, const HeldRow& row) {
    const bool low = row.kind == RowKind::at_least;
    const double out = further * (row.length ? m.length() : 1);
    ReplaceConstraint change{m.joint(row.joint).name, c};
    DoctorEdit edit;
    const auto widen = [&](double& min, double& max, double least, double most, const std::string& keyword,
                           const std::string& arguments) {
        if (low)
            min = std::max(least, min - out);
        else
            max = std::min(most, max + out);
        std::string text = keyword + arguments;
        if (min > least) text += " min " + number_text(min);
        if (max < most) text += " max " + number_text(max);
        edit.statements.push_back({c.origin.at(keyword), keyword, text + ";"});
        edit.sentence = fmt::format("move the {} limit of the {} of `{}` out to {}", low ? "lower" : "upper", keyword,
                                    m.joint(row.joint).name, number_text(low ? min : max));
    };
    ConstraintSpec& by = change.by;
    if (row.length && by.hinge) {
        if (auto* s = std::get_if<SegmentDomain>(&by.hinge->domain))
            widen(s->min, s->max, -infinity, infinity, "axial", " " + vector_text(s->axis_2));
        else if (auto* r = std::get_if<RingDomain>(&by.hinge->domain))
            widen(r->min, r->max, 0, infinity, "planar", " " + vector_text(r->normal_2));
        else if (auto* sphere = std::get_if<SphereDomain>(&by.hinge->domain))
            widen(sphere->min, sphere->max, 0, infinity, "sphere", "");
        else
            return {};
    } else if (by.twist && row.part == PartOf::twist) {
        widen(by.twist->min, by.twist->max, -2 * pi, 2 * pi, "twist",
              " " + vector_text(by.twist->b1_B) + "  " + vector_text(by.twist->b2_B));
    } else if (by.angle) {
        widen(by.angle->min, by.angle->max, 0, pi, "angle",
              " " + vector_text(by.angle->a1_B) + "  " + vector_text(by.angle->a2_B));
    }
    if (edit.statements.empty()) return {};
    edit.change = std::move(change);
    return edit;
}

}  // namespace

DoctorEdit start_at(const Mechanism& m, const Placing& to) {
    PlaceSolids change;
    DoctorEdit edit;
    for (int b = 0; b < m.bodies(); ++b) {
        const Body& body = m.body(b);
        const auto i = static_cast<std::size_t>(b);
        const Pose pose{to.x[i] - rotate(to.q[i], body.centre_B), to.q[i]};
        change.poses.emplace_back(body.name, pose);
        // Blocks may be written with parameters or serve several solids: `pose` overrides them from the end of the text.
        StatementEdit statement{{body.origin.block.file, 0, 0, 1}, "", ""};
        statement.write = fmt::format("pose {} at {} quaternion {} {};", body.name, vector_text(pose.x),
                                      number_text(pose.q.w), vector_text(pose.q.vec()));
        edit.statements.push_back(std::move(statement));
    }
    edit.sentence = "start a little way from there: at the end of the text";
    edit.change = std::move(change);
    return edit;
}

std::vector<DoctorEdit> wider_limits(const Spec& spec, const Mechanism& m, const Examination& e, const AtLimit& at) {
    std::vector<DoctorEdit> out;
    if (at.row.limit >= 0)
        out.push_back(wider_freedom(spec_of(spec, at.joint), m, at.row));
    else if (std::optional<DoctorEdit> edit = wider_part(spec_of(spec, at.joint), m, at.row))
        out.push_back(std::move(*edit));
    if (const std::optional<Placing> to = away_from(m, e, at.row)) out.push_back(start_at(m, *to));
    return out;
}

}  // namespace armature::doctor
