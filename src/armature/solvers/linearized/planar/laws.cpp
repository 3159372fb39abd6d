// What turns the pins of planar.h: the laws of contract.h along the angle of a pin.
#include "armature/solvers/linearized/planar/planar.h"

namespace armature {

namespace {

std::size_t idx(int i) {
    return static_cast<std::size_t>(i);
}

/// It pushes one way only, and not at all before it is met.
bool is_stop(const LawRow& law) {
    return law.compliance == 0 && ((law.low == 0 && law.high == infinity) || (law.low == -infinity && law.high == 0));
}
bool is_given(const LawRow& law) {
    return law.low == law.high;
}

Placement now(const CorrectionProblem& p, int body) {
    return {p.x[idx(body)], to_matrix(p.q[idx(body)])};
}
Placement at_start(const CorrectionProblem& p, int body) {
    return {(*p.start_x)[idx(body)], to_matrix((*p.start_q)[idx(body)])};
}

}  // namespace

bool PlanarNewton::laws_fit(const CorrectionProblem& p) {
    if (!p.laws) return true;
    int last = -1;  // joint that has its unknown already; laws stand in the order of joints
    for (const LawRow& law : *p.laws) {
        if (plan_->turned_at[idx(law.joint)] < 0 || !std::holds_alternative<TurnCoordinate>(*law.coordinate))
            return false;
        if (is_stop(law) || is_given(law)) continue;
        if (law.joint == last) return false;
        last = law.joint;
    }
    return true;
}

void PlanarNewton::take_laws(const CorrectionProblem& p) {
    numbers_.laws.assign(plan_->turned.size(), {-1, 0, 0, 0, 0, 0, 0});
    for (std::size_t i = 0; i < plan_->turned.size(); ++i) {
        // What does not act is not read either.
        const std::size_t side = 2 * (plan_->joints + i);
        for (const std::size_t s : {side, side + 1}) numbers_.reads[s].v = numbers_.pushes[s].v = two::V{};
    }
    if (!p.laws) return;
    for (std::size_t i = 0; i < p.laws->size(); ++i) {
        const LawRow& law = (*p.laws)[i];
        const std::size_t at = idx(plan_->turned_at[idx(law.joint)]), side = 2 * (plan_->joints + at);
        PlanarNumbers::Law& own = numbers_.laws[at];
        if (is_given(law)) own.given += law.low;
        if (is_given(law) || is_stop(law)) continue;
        own.row = static_cast<int>(i);
        own.value = measure(*law.coordinate, at_start(p, law.body1), at_start(p, law.body2), law.turns_near).value;
        own.target = law.target;
        own.compliance = law.compliance;
        const two::V along{plan_->turned[at].sign, 0};
        numbers_.reads[side].v = numbers_.pushes[side].v = along;
        numbers_.reads[side + 1].v = numbers_.pushes[side + 1].v = -along;
    }
}

bool PlanarNewton::within_bounds(const CorrectionProblem& p, double goal) const {
    if (!p.laws) return true;
    for (const LawRow& law : *p.laws) {
        if (is_given(law)) continue;
        const std::size_t at = idx(plan_->turned_at[idx(law.joint)]);
        const double lambda = numbers_.laws[at].lambda;
        if (!is_stop(law)) {
            if (!(lambda >= law.low && lambda <= law.high)) return false;
            continue;
        }
        const double start =
            measure(*law.coordinate, at_start(p, law.body1), at_start(p, law.body2), law.turns_near).value;
        const double turned = turned_by(numbers_, law.body1) - turned_by(numbers_, law.body2);
        const double beyond = start + plan_->turned[at].sign * turned - law.target;
        if (!(law.low == 0 ? beyond >= -goal : beyond <= goal)) return false;
    }
    return true;
}

void PlanarNewton::hand_out_laws(CorrectionProblem& p) const {
    if (!p.laws) return;
    for (LawRow& law : *p.laws) {
        const std::size_t at = idx(plan_->turned_at[idx(law.joint)]);
        law.lambda = is_given(law) ? law.low : is_stop(law) ? 0 : numbers_.laws[at].lambda;
        // Along n at the start, at the end, and half-way.
        law.now = measure(*law.coordinate, now(p, law.body1), now(p, law.body2), law.turns_near);
    }
}

}  // namespace armature
