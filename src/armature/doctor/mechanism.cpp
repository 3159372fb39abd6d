#include "armature/doctor/mechanism.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace armature::doctor {

namespace {

std::size_t idx(int i) {
    return static_cast<std::size_t>(i);
}

bool may_hold(const Model& model, const Joint& joint) {
    if (!joint.valid_at(0)) return false;
    if (!joint.soft && !joint.parts.empty()) return true;
    return std::any_of(joint.freedoms.begin(), joint.freedoms.end(), [&](FreedomId id) {
        const Freedom& f = model.freedoms[idx(id)];
        return f.locked || f.min.given() || f.max.given();
    });
}

}  // namespace

double HeldRow::violation() const {
    if (kind == RowKind::at_least) return std::min(error, 0.0);
    if (kind == RowKind::at_most) return std::max(error, 0.0);
    return error;
}

Mechanism::Mechanism(const Model& model, int island) : model_(&model), island_(island) {
    const Island& it = this->island();
    length_ = it.size > 0 && std::isfinite(it.size) ? it.size : 1;
    local_.assign(model.bodies.size(), -1);
    for (std::size_t i = 0; i < it.bodies.size(); ++i) local_[idx(it.bodies[i])] = static_cast<int>(i);
    for (int b = 0; b < bodies(); ++b) {
        first_column_.push_back(columns_);
        columns_ += columns_of(b);
    }
    for (const Island::LocalJoint& j : it.joints) {
        const Joint& joint = model.joints[idx(j.joint)];
        if (!may_hold(model, joint)) continue;
        joints_.push_back(j.joint);
        tied_ = tied_ || j.body1 >= bodies() || j.body2 >= bodies();
    }
    std::sort(joints_.begin(), joints_.end());
}

Placing Mechanism::as_placed() const {
    const State start = initial_state(*model_);
    Placing placing;
    for (const BodyId id : island().bodies) {
        const Body& b = model_->bodies[idx(id)];
        const bool on_path = b.kernel == Kernel::path;
        const Pose pose = on_path ? evaluate(b.path, 0).pose : Pose{start.x[idx(id)], start.q[idx(id)]};
        placing.x.push_back(pose.x);
        placing.q.push_back(pose.q);
    }
    for (const FreedomState& f : start.freedoms) placing.turn.push_back(f.turn);
    return placing;
}

Placement Mechanism::at(const Placing& placing, int local) const {
    return {placing.x[idx(local)], to_matrix(placing.q[idx(local)])};
}

std::vector<HeldRow> Mechanism::rows(const Placing& placing, const std::vector<JointId>& joints,
                                     bool with_bounds) const {
    std::vector<HeldRow> out;
    for (const JointId id : joints) add_rows(joint(id), id, placing, with_bounds, out);
    return out;
}

void Mechanism::add_rows(const Joint& j, JointId as, const Placing& placing, bool with_bounds,
                         std::vector<HeldRow>& out) const {
    const int l1 = local_[idx(j.body1)], l2 = local_[idx(j.body2)];
    const Placement b1 = at(placing, l1), b2 = at(placing, l2);
    HeldRow row;
    row.joint = as;
    row.body1 = l1 < bodies() ? l1 : -1;
    row.body2 = l2 < bodies() ? l2 : -1;
    if (!j.soft) add_parts(j, row, b1, b2, with_bounds, out);
    add_freedoms(j, row, b1, b2, placing, with_bounds, out);
}

void Mechanism::add_parts(const Joint& j, HeldRow row, const Placement& b1, const Placement& b2, bool with_bounds,
                          std::vector<HeldRow>& out) const {
    for (const Part& part : j.parts) {
        const PartRows of_part = armature::rows(part, b1, b2);
        row.length = std::holds_alternative<PointPart>(part);
        row.what = row.length ? Blocks::translation : Blocks::rotation;
        row.part = row.length ? PartOf::hinge : std::holds_alternative<AnglePart>(part) ? PartOf::angle : PartOf::twist;
        for (int i = 0; i < of_part.count; ++i) {
            const Row& r = of_part.row[idx(i)];
            if (r.kind != RowKind::equality && !with_bounds) continue;
            row.linear = r.linear;
            row.angular1 = r.angular1;
            row.angular2 = r.angular2;
            row.error = r.error;
            row.kind = r.kind;
            row.direction = normalized(row.length ? r.linear : r.angular1);
            out.push_back(row);
        }
    }
}

void Mechanism::add_freedoms(const Joint& j, HeldRow row, const Placement& b1, const Placement& b2,
                             const Placing& placing, bool with_bounds, std::vector<HeldRow>& out) const {
    for (const FreedomId id : j.freedoms) {
        const Freedom& f = model_->freedoms[idx(id)];
        if (!f.locked && !f.min.given() && !f.max.given()) continue;
        const CoordinateValue c = measure(f.coordinate, b1, b2, placing.turn[idx(id)]);
        row.length = is_length(f.coordinate);
        row.linear = c.linear;
        row.angular1 = c.angular1;
        row.angular2 = c.angular2;
        row.what = f.locked ? Blocks::thread : row.length ? Blocks::translation : Blocks::rotation;
        row.direction = normalized(row.length ? c.linear : c.angular1);
        row.limit = id;
        row.part = PartOf::freedom;
        const auto add = [&](RowKind kind, double bound) {
            row.kind = kind;
            row.error = c.value - bound;
            if (kind == RowKind::equality || with_bounds) out.push_back(row);
        };
        if (f.locked) {
            add(RowKind::equality, 0);
            continue;
        }
        const double min = f.min.given() ? evaluate(f.min, 0).value : -infinity;
        const double max = f.max.given() ? evaluate(f.max, 0).value : infinity;
        if (min == max) {
            add(RowKind::equality, min);
            continue;
        }
        if (std::isfinite(min)) add(RowKind::at_least, min);
        if (std::isfinite(max)) add(RowKind::at_most, max);
    }
}

void Mechanism::write_row(const HeldRow& row, double* out) const {
    const double s = row.length ? 1 / length_ : 1;
    const auto put = [&](int body, double sign, const Vec3& angular) {
        if (body < 0) return;
        double* at = out + first_column(body);
        for (int k = 0; k < 3; ++k) at[k] += s * sign * length_ * row.linear[k];
        if (columns_of(body) == 6)
            for (int k = 0; k < 3; ++k) at[3 + k] += s * angular[k];
    };
    put(row.body1, 1, row.angular1);
    put(row.body2, -1, row.angular2);
}

void Mechanism::move(Placing& placing, const double* dq, double factor) const {
    for (int b = 0; b < bodies(); ++b) {
        const double* at = dq + first_column(b);
        placing.x[idx(b)] += factor * length_ * Vec3{at[0], at[1], at[2]};
        if (columns_of(b) == 6) placing.q[idx(b)] = turned(placing.q[idx(b)], factor * Vec3{at[3], at[4], at[5]});
    }
    for (const JointId id : joints_) {
        const Joint& j = joint(id);
        const Placement b1 = at(placing, local_[idx(j.body1)]), b2 = at(placing, local_[idx(j.body2)]);
        for (const FreedomId f : j.freedoms)
            placing.turn[idx(f)] = turn_of(model_->freedoms[idx(f)].coordinate, b1, b2, placing.turn[idx(f)]);
    }
}

std::vector<double> Mechanism::between(const Placing& from, const Placing& to) const {
    std::vector<double> dq(idx(columns_));
    for (int b = 0; b < bodies(); ++b) {
        double* at = dq.data() + first_column(b);
        const Vec3 dx = (to.x[idx(b)] - from.x[idx(b)]) / length_;
        const Vec3 dphi = log_rotation(to.q[idx(b)] * conjugate(from.q[idx(b)]));
        for (int k = 0; k < 3; ++k) at[k] = dx[k];
        if (columns_of(b) == 6)
            for (int k = 0; k < 3; ++k) at[3 + k] = dphi[k];
    }
    return dq;
}

// ---- in words ----------------------------------------------------------------------------------------------------------

std::string point_text(const Vec3& p) {
    const auto number = [](double x) { return fmt::format("{:.3g}", std::fabs(x) < 5e-7 ? 0.0 : x); };
    return fmt::format("{} {} {}", number(p.x), number(p.y), number(p.z));
}

std::string direction_text(const Vec3& direction) {
    const char* names[] = {"x", "y", "z"};
    for (int k = 0; k < 3; ++k)
        if (std::fabs(direction[k]) > 1 - 1e-7) return fmt::format("{}{}", direction[k] < 0 ? "-" : "", names[k]);
    return "(" + point_text(direction) + ")";
}

std::string to_text(const HeldRow& row) {
    switch (row.what) {
        case Blocks::translation:
            return "translation along " + direction_text(row.direction);
        case Blocks::rotation:
            return "rotation about " + direction_text(row.direction);
        case Blocks::thread:
            break;
    }
    return "the thread";
}

}  // namespace armature::doctor
