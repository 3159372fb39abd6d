// Candidates for a redundant group: one of its joints made looser by exactly what is held too often.
//
//   Let R be the rows of the joint and R' those of the looser one. It will do when
//     span R' ⊂ span R                       it blocks nothing new
//     rank (J without R, with R') = rank J   the mechanism is held as before
//     rows of the group with R' independent  the group is gone
//   all of which is linear algebra at the place where the joints hold; the edit is examined as a whole afterwards.
//
//   The second without decomposing the whole for every R': the columns of N span the left null space of J, Nᵀ J = 0. Without R
//   a motion x is new when J x is zero but for its entries y = R x, and those can be any y with N_Rᵀ y = 0. As R' = C R, the
//   looser joint blocks all that is new when it is injective on these motions, R' x for x = R⁺ y.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "armature/doctor/edits.h"
#include "armature/doctor/named_joint.h"
#include "armature/doctor/svd.h"

namespace armature::doctor {

namespace {

/// Of numbers that are of the order of 1: what is smaller is round-off.
constexpr double zero = 1e-6;

struct Candidate {
    JointId joint = 0;
    ConstraintSpec by;
    std::vector<StatementEdit> statements;
    std::string what;
    std::size_t removed = 0;
    bool rewritten = false;  ///< a joint by name that becomes a constraint put together by hand
};

/// Directions that are worth a try, in world axes; each once.
class Directions {
  public:
    void add(const Vec3& direction) {
        const Vec3 u = normalized(direction);
        for (const Vec3& known : list)
            if (std::fabs(dot(known, u)) > 1 - 1e-9) return;
        list.push_back(u);
    }
    std::vector<Vec3> list;
};

class Loosening {
  public:
    Loosening(const Spec& spec, const Mechanism& m, const Examination& e, const ExaminedGroup& group, JointId id,
              const Stresses& stresses)
        : m_(m), e_(e), c_(spec_of(spec, id)), id_(id), named_(recognise(c_)) {
        const Joint& j = m.joint(id);
        b1_ = placement_of(m, e.at, j.body1);
        b2_ = placement_of(m, e.at, j.body2);
        R_ = rows({id});
        JointSet in_group = group.joints;
        std::erase(in_group, id);
        J_group_ = rows(in_group);
        freed_ = freed_without(stresses);
        rank_R_ = rank_alone(R_, e.tolerance);
        const Stress stress = stress_at(m, e.at, group.joints, id, e.tolerance);
        too_many_ = static_cast<std::size_t>(stress.count);
        if (named_) {
            const Vec3 i = normalized(b2_.R * named_->L2.main_B);
            const Vec3 j2 = b2_.R * named_->L2.second_B;
            directions_.add(i);
            directions_.add(j2 - dot(j2, i) * i);
            directions_.add(cross(i, j2));
        }
        for (const Vec3& u : stress.forces) directions_.add(u);
        for (const Vec3& u : stress.torques) directions_.add(u);
        for (const Vec3& u : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) directions_.add(u);
    }

    void collect(std::vector<Candidate>& out) {
        if (!is_named(c_) || !named_) return parts(out);
        types(out);
        const bool enough = std::any_of(out.begin(), out.end(), [&](const Candidate& candidate) {
            return candidate.joint == id_ && candidate.removed == too_many_;
        });
        if (enough || named_->type == JointType::screw || something_acts(c_)) return;
        // What the library has no name for, such as axes kept along each other and nothing else, is put together by hand;
        // along its freedoms nothing can act.
        std::vector<Candidate> by_hand;
        parts(by_hand);
        for (Candidate& candidate : by_hand) {
            candidate.by.freedoms.clear();
            candidate.statements = {{c_.origin.block, "joint", constraint_text(m_.joint(id_).name, candidate.by)}};
            candidate.rewritten = true;
            out.push_back(std::move(candidate));
        }
    }

  private:
    /// What the mechanism could do besides, if the joint were not there: shortest motions, one per column.
    Matrix freed_without(const Stresses& stresses) const {
        std::vector<int> mine;
        for (std::size_t i = 0; i < stresses.rows.size(); ++i)
            if (stresses.rows[i].joint == id_) mine.push_back(static_cast<int>(i));
        const Matrix Y = rank_below(transposed(some_rows(stresses.N, mine)), zero).null_space;
        if (Y.cols() == 0 || R_.rows() == 0) return Matrix(m_.columns(), 0);
        // R⁺ = V σ⁻² (R V)ᵀ
        const SingularValues svd = singular(R_, Vectors::few);
        int rank = 0;
        while (rank < svd.sigma.size() && svd.sigma[rank] > e_.tolerance * svd.sigma[0]) ++rank;
        const Matrix V = some_columns(svd.V, 0, rank);
        Matrix inner = transposed_times(R_ * V, Y);
        for (int r = 0; r < rank; ++r)
            for (int c = 0; c < inner.cols(); ++c) inner(r, c) /= svd.sigma[r] * svd.sigma[r];
        return V * inner;
    }
    Matrix rows(const JointSet& joints) const { return jacobian(m_, m_.rows(e_.at, joints, false)); }
    Vec3 in1(const Vec3& u) const { return transposed_times(b1_.R, u); }
    Vec3 in2(const Vec3& u) const { return transposed_times(b2_.R, u); }

    Matrix rows_of(const ConstraintSpec& by) const {
        Joint joint;
        joint.body1 = m_.joint(id_).body1;
        joint.body2 = m_.joint(id_).body2;
        const auto centre = [&](BodyId b) { return m_.model().bodies[static_cast<std::size_t>(b)].centre_B; };
        if (by.hinge) {
            PointPart part{by.hinge->p1_B - centre(joint.body1), by.hinge->p2_B - centre(joint.body2), PointDomain{}};
            if (const auto* s = std::get_if<SegmentDomain>(&by.hinge->domain))
                part.domain = SegmentDomain{normalized(s->axis_2), s->min, s->max};
            else if (const auto* r = std::get_if<RingDomain>(&by.hinge->domain))
                part.domain = RingDomain{normalized(r->normal_2), r->min, r->max};
            else if (!std::holds_alternative<PointDomain>(by.hinge->domain))
                part = std::get<PointPart>(m_.joint(id_).parts.front());  // only ever taken as it is
            joint.parts.push_back(part);
        }
        if (by.angle)
            joint.parts.push_back(
                AnglePart{normalized(by.angle->a1_B), normalized(by.angle->a2_B), by.angle->min, by.angle->max});
        if (by.twist)
            for (const Part& part : m_.joint(id_).parts)
                if (std::holds_alternative<TwistPart>(part)) joint.parts.push_back(part);
        std::vector<HeldRow> out;
        m_.add_rows(joint, id_, e_.at, false, out);
        return jacobian(m_, out);
    }

    void try_out(Candidate candidate, std::vector<Candidate>& out) const {
        const Matrix R = rows_of(candidate.by);
        const int removed = R_.rows() - R.rows();
        if (removed < static_cast<int>(too_many_)) return;
        if (R.rows() > 0 && rank_alone(below(R_, R), e_.tolerance) != rank_R_) return;
        const Matrix of_group = below(J_group_, R);
        if (rank_alone(of_group, e_.tolerance) != of_group.rows()) return;
        if (freed_.cols() > 0 && (R.rows() == 0 || rank_below(R * freed_, zero).rank != freed_.cols())) return;
        candidate.joint = id_;
        candidate.removed = static_cast<std::size_t>(removed);
        out.push_back(std::move(candidate));
    }

    /// Another type of the library, about the same axis or another.
    void types(std::vector<Candidate>& out) const {
        for (const JointTypeInfo& info : joint_types()) {
            if (info.type == JointType::flying || info.type == JointType::screw) continue;
            if (info.freedoms_in_all < joint_type(named_->type).freedoms_in_all + static_cast<int>(too_many_)) continue;
            type(info, named_->L1, named_->L2, false, out);
            const bool crossed = info.type == JointType::universal || info.type == JointType::cylinder_on_plane;
            for (const Vec3& main : directions_.list)
                for (const Vec3& second : directions_.list) {
                    if (std::fabs(dot(main, second)) > 1e-6) continue;
                    type(info, {named_->L1.at_B, in1(main), in1(second)}, {named_->L2.at_B, in2(main), in2(second)},
                         true, out);
                    if (!crossed) break;  // the second axis is of no matter
                }
        }
    }

    void type(const JointTypeInfo& info, const JointFrame& L1, const JointFrame& L2, bool turned,
              std::vector<Candidate>& out) const {
        const std::optional<ConstraintSpec> by = remade(c_, {info.type, L1, L2, 0});
        if (!by) return;
        Candidate candidate;
        candidate.by = *by;
        candidate.what = fmt::format("make `{}` a `{}`", m_.joint(id_).name, info.name);
        candidate.statements.push_back(statement(c_, "type", fmt::format("type {};", info.name)));
        if (turned) {
            candidate.what += " along " + direction_text(b2_.R * L2.main_B);
            candidate.statements.push_back(
                statement(c_, "axis", fmt::format("axis {}  {};", vector_text(L1.main_B), vector_text(L2.main_B))));
            candidate.statements.push_back(statement(
                c_, "across", fmt::format("across {}  {};", vector_text(L1.second_B), vector_text(L2.second_B))));
        }
        try_out(std::move(candidate), out);
    }

    /// A constraint put together by hand: parts go or give way.
    void parts(std::vector<Candidate>& out) const {
        Candidate as_is;
        as_is.by = c_;
        std::vector<Candidate> angles = {as_is}, all;
        if (c_.twist) angles.push_back(dropped(as_is, false));
        if (c_.angle) {
            angles.push_back(dropped(as_is, true));
            for (const Vec3& u : directions_.list) across(as_is, u, angles);
        }
        for (const Candidate& a : angles) {
            all.push_back(a);
            if (!c_.hinge) continue;
            if (std::holds_alternative<PointDomain>(c_.hinge->domain))
                for (const Vec3& u : directions_.list) {
                    all.push_back(with_domain(a, SegmentDomain{in2(u), -infinity, infinity}, "axial", u));
                    all.push_back(with_domain(a, RingDomain{in2(u), 0, infinity}, "planar", u));
                }
            else if (std::holds_alternative<SegmentDomain>(c_.hinge->domain))
                for (const Vec3& u : directions_.list)
                    all.push_back(with_domain(a, RingDomain{in2(u), 0, infinity}, "planar", u));
            Candidate bare = a;
            bare.by.hinge.reset();
            bare.statements.push_back(statement(c_, "hinge", ""));
            bare.what = "drop the hinge of";
            all.push_back(std::move(bare));
        }
        for (Candidate& candidate : all) {
            if (!candidate.by.hinge && !candidate.by.angle) continue;
            candidate.what = fmt::format("{} `{}`", candidate.what, m_.joint(id_).name);
            try_out(std::move(candidate), out);
        }
    }

    Candidate dropped(Candidate c, bool angle) const {
        if (c.by.twist) c.statements.push_back(statement(c_, "twist", ""));
        c.by.twist.reset();
        if (angle) {
            c.by.angle.reset();
            c.statements.push_back(statement(c_, "angle", ""));
        }
        c.what = angle ? "drop the angle of" : "drop the twist of";
        return c;
    }

    /// Of two axes that are kept along each other only one turn stays blocked: that about a1 × u.
    void across(Candidate c, const Vec3& u, std::vector<Candidate>& out) const {
        if (c.by.angle->min != 0 || c.by.angle->max != 0) return;
        const Vec3 a1 = b1_.R * c.by.angle->a1_B;
        if (std::fabs(dot(normalized(a1), u)) > 1e-6) return;
        if (c.by.twist) c.statements.push_back(statement(c_, "twist", ""));
        c.by.twist.reset();
        c.by.angle->a2_B = in2(u);
        c.by.angle->min = c.by.angle->max = pi / 2;
        c.what = "free the turn about " + direction_text(u) + " of";
        c.statements.push_back(statement(
            c_, "angle",
            fmt::format("angle {}  {} min 90 deg max 90 deg;", vector_text(c.by.angle->a1_B), vector_text(in2(u)))));
        out.push_back(std::move(c));
    }

    Candidate with_domain(Candidate c, Domain domain, const char* keyword, const Vec3& u) const {
        c.by.hinge->domain = std::move(domain);
        if (std::holds_alternative<SegmentDomain>(c_.hinge->domain))
            c.statements.push_back(statement(c_, "axial", fmt::format("{} {};", keyword, vector_text(in2(u)))));
        else
            c.statements.push_back({c_.origin.block, "", fmt::format("{} {};", keyword, vector_text(in2(u)))});
        const std::string also = c.what.empty() ? "" : c.what + " and ";
        c.what = fmt::format("{}let the point slide {} {} at", also,
                             std::string_view(keyword) == "axial" ? "along" : "across", direction_text(u));
        return c;
    }

    const Mechanism& m_;
    const Examination& e_;
    const ConstraintSpec& c_;
    JointId id_;
    std::optional<NamedJoint> named_;
    Placement b1_, b2_;
    Matrix R_, J_group_, freed_;
    int rank_R_ = 0;
    std::size_t too_many_ = 0;
    Directions directions_;
};

}  // namespace

Stresses stresses_of(const Mechanism& m, const Examination& e) {
    Stresses out{m.rows(e.at, e.kept, false), {}};
    out.N = rank_of(transposed(jacobian(m, out.rows)), e.tolerance).null_space;
    return out;
}

std::vector<DoctorEdit> looser_joints(const Spec& spec, const Mechanism& m, const Examination& e,
                                      const ExaminedGroup& group, const Stresses& stresses, bool one_will_do) {
    std::vector<Candidate> candidates;
    const auto fits = [&](const Candidate& c) {
        return !c.rewritten && c.removed == static_cast<std::size_t>(group.rows_too_many);
    };
    // What was written last is looked at first.
    for (auto id = group.joints.rbegin(); id != group.joints.rend(); ++id) {
        Loosening(spec, m, e, group, *id, stresses).collect(candidates);
        if (one_will_do && std::any_of(candidates.begin(), candidates.end(), fits)) break;
    }
    std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
        if (a.removed != b.removed) return a.removed < b.removed;
        if (a.rewritten != b.rewritten) return b.rewritten;
        return a.statements.size() < b.statements.size();
    });
    std::vector<DoctorEdit> out;
    for (Candidate& c : candidates)
        out.push_back({ReplaceConstraint{m.joint(c.joint).name, std::move(c.by)}, std::move(c.statements), c.what});
    for (auto id = group.joints.rbegin(); id != group.joints.rend(); ++id) out.push_back(removal(spec, m, *id));
    return out;
}

}  // namespace armature::doctor
