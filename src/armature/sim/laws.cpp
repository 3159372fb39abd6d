#include "armature/sim/laws.h"

#include <algorithm>
#include <cmath>

#include "armature/sim/giving_hands.h"

namespace armature {

namespace {

/// θ and φ of laws.h.
struct Blend {
    double theta = 1, phi = 1;
};

class Collector {
  public:
    Collector(const Model& model, const Island& island, double t0, double t1, double rate, const LocalBodies& start,
              const LocalBodies& free, Laws& out)
        : model_(model),
          island_(island),
          t0_(t0),
          t1_(t1),
          h_(t1 - t0),
          rate_(rate),
          start_(start),
          free_(free),
          out_(out) {}

    void add_freedom(int joint, const Island::LocalJoint& local, FreedomId id, const FreedomState& state) {
        const Freedom& f = model_.freedoms[idx(id)];
        if (f.idle()) return;
        LawRow row = row_of(joint, local, f.coordinate, state.turn);
        const CoordinateValue c = measure_at_start(row);
        LawSource source{LawKind::spring, id, c.value, f.restitution};
        if (f.locked) {
            source.kind = LawKind::thread;
            return add(row, source);
        }
        const double middle = 0.5 * (t0_ + t1_), mobility = mobility_of(row, c);
        add_spring(
            row, source, mobility, c.value, rate_at_start(row, c),
            {evaluate(f.stiffness, middle).value, evaluate(f.rest, middle).value, evaluate(f.damping, middle).value});
        add_motors(row, source, f, c);
        source.kind = LawKind::limit;
        const double min = evaluate(f.min, t1_).value, max = evaluate(f.max, t1_).value;
        if (f.min.given() && f.max.given() && min == max) return add_bounded(row, source, min, -infinity, infinity);
        if (f.min.given()) add_bounded(row, source, min, 0, infinity);
        if (f.max.given()) add_bounded(row, source, max, -infinity, 0);
    }

    void add_soft_joint(int joint, const Island::LocalJoint& local, const Joint& j, const SoftSpec& soft) {
        std::size_t coordinate = 0;
        for (const Part& part : j.parts) {
            if (const auto* p = std::get_if<PointPart>(&part)) {
                add_soft_point(joint, local, *p, soft);
            } else if (const auto* a = std::get_if<AnglePart>(&part)) {
                add_soft_interval(joint, local, j.soft_coordinates[coordinate++], a->min, a->max, soft);
            } else {
                const auto& t = std::get<TwistPart>(part);
                add_soft_interval(joint, local, j.soft_coordinates[coordinate++], -t.max, -t.min, soft);
            }
        }
    }

  private:
    Placement at_start(int local) const { return placement_of(start_, local); }

    static LawRow row_of(int joint, const Island::LocalJoint& local, const Coordinate& coordinate, double near) {
        LawRow row;
        row.joint = joint;
        row.body1 = local.body1;
        row.body2 = local.body2;
        row.coordinate = &coordinate;
        row.turns_near = near;
        return row;
    }

    CoordinateValue measure_at_start(const LawRow& row) const {
        return measure(*row.coordinate, at_start(row.body1), at_start(row.body2), row.turns_near);
    }

    double mobility_of(const LawRow& row, const CoordinateValue& c) const {
        const auto side = [&](int local, const Vec3& angular) {
            const Body& b = body_of(model_, island_, local);
            return b.inv_mass * norm2(c.linear) + dot(angular, inv_inertia_times(b, start_.q[idx(local)], angular));
        };
        return side(row.body1, c.angular1) + side(row.body2, c.angular2);
    }

    /// An angle between two directions cannot go below zero, which is what the trapezoidal rule would ask of a spring that
    /// swings through it: such coordinates take the implicit Euler rule.
    Blend blend(double k, double c, double mobility, const Coordinate* coordinate = nullptr) const {
        if (rate_ <= 1 || (coordinate && std::holds_alternative<SwingCoordinate>(*coordinate))) return {};
        const auto slow = [](double z) { return 1 / (1 + z * z); };
        const double w = 2 / rate_ - 1, fast = 0.28 >= 100 * w * w ? 100 : 0.28 / (w * w);
        return {1 - slow(h_ * h_ * k * mobility / fast) / rate_, 1 - slow(0.5 * h_ * c * mobility)};
    }

    void add(const LawRow& row, const LawSource& source) {
        out_.rows.push_back(row);
        out_.sources.push_back(source);
    }

    void add_bounded(LawRow row, const LawSource& source, double target, double low, double high) {
        row.target = target;
        row.low = low;
        row.high = high;
        add(row, source);
    }

    struct Spring {
        double k = 0, rest = 0, c = 0;
    };

    void add_spring(LawRow row, LawSource source, double mobility, double c0, double u0, const Spring& s) {
        if (!(h_ > 0)) return;
        const Blend b = blend(s.k, s.c, mobility, row.coordinate);
        const double g = s.c / h_ * (1 + b.phi * (rate_ - 1)), sum = b.theta * s.k + g;
        if (!(sum > 0)) return;
        row.compliance = rate_ / (h_ * h_ * sum);
        row.target = (s.k * s.rest - (1 - b.theta) * s.k * c0 + g * c0 + s.c * b.phi * (rate_ - 1) * u0) / sum;
        source.stiffness = s.k;
        source.rest = s.rest;
        add(row, source);
    }

    /// u' of laws.h.
    Vec3 steady(const std::vector<Vec3>& start, const std::vector<Vec3>& free, int local) const {
        return start[idx(local)] - (1 / rate_ - 0.5) * (free[idx(local)] - start[idx(local)]);
    }
    Vec3 v0(int local) const { return steady(start_.v, free_.v, local); }
    Vec3 w0(int local) const { return steady(start_.w, free_.w, local); }

    double rate_at_start(const LawRow& row, const CoordinateValue& c) const {
        return dot(c.linear, v0(row.body1) - v0(row.body2)) + dot(c.angular1, w0(row.body1)) +
               dot(c.angular2, w0(row.body2));
    }

    void add_motors(const LawRow& row, LawSource source, const Freedom& f, const CoordinateValue& c) {
        source.kind = LawKind::motor;
        const double scale = h_ * h_ / rate_, middle = 0.5 * (t0_ + t1_);
        if (f.force.given()) {
            const double push = scale * evaluate(f.force, middle).value;
            add_bounded(row, source, 0, push, push);
        }
        if (!f.speed.given()) return;
        const double u0 = rate_at_start(row, c), u = evaluate(f.speed, t1_).value;
        LawRow fine = row;
        fine.holds = false;
        fine.precision = 1e4;  // an error of the place is one of the speed, divided by the step
        const double most = f.max_force.given() ? scale * evaluate(f.max_force, middle).value : infinity;
        double target = c.value + h_ * (u0 + (u - u0) / rate_);
        if (std::holds_alternative<SwingCoordinate>(*row.coordinate)) target = std::clamp(target, 0.0, pi);
        add_bounded(fine, source, target, -most, most);
    }

    void add_soft_interval(int joint, const Island::LocalJoint& local, const Coordinate& coordinate, double min,
                           double max, const SoftSpec& soft) {
        LawRow row = row_of(joint, local, coordinate, 0.5 * (min + max));
        const CoordinateValue c = measure_at_start(row);
        const LawSource source{LawKind::spring, -1, c.value, 0};
        const double mobility = mobility_of(row, c), k = soft.angular_stiffness, d = soft.angular_damping;
        const double u0 = rate_at_start(row, c);
        if (min == max) return add_spring(row, source, mobility, c.value, u0, {k, min, d});
        // Inside the interval the start counts as its bound: the spring has nothing stored there.
        row.low = 0;
        add_spring(row, source, mobility, std::min(c.value, min), u0, {k, min, d});
        row.low = -infinity;
        row.high = 0;
        add_spring(row, source, mobility, std::max(c.value, max), u0, {k, max, d});
    }

    void add_soft_point(int joint, const Island::LocalJoint& local, const PointPart& part, const SoftSpec& soft) {
        if (!(h_ > 0)) return;
        const PointError e = measure(part, at_start(local.body1), at_start(local.body2));
        double mobility = 0;
        for (const auto& [l, r] : {std::pair{local.body1, e.r1}, std::pair{local.body2, e.r2}}) {
            const Body& b = body_of(model_, island_, l);
            const double d = norm(e.d);
            const Vec3 lever = cross(r, d > 0 ? e.d / d : Vec3{});
            mobility += b.inv_mass + dot(lever, inv_inertia_times(b, start_.q[idx(l)], lever));
        }
        const Blend b = blend(soft.stiffness, soft.damping, mobility);
        const double scale = h_ * h_ / rate_, g = soft.damping / h_ * (1 + b.phi * (rate_ - 1));
        SoftPoint row;
        row.joint = joint;
        row.body1 = local.body1;
        row.body2 = local.body2;
        row.part = &part;
        row.stretch = scale * (b.theta * soft.stiffness + g);
        if (!(row.stretch > 0)) return;
        row.before = scale * (((1 - b.theta) * soft.stiffness - g) * e.d -
                              soft.damping * b.phi * (rate_ - 1) * opening(local, e));
        out_.soft.push_back(row);
        out_.soft_sources.push_back({soft.stiffness, e.d});
    }

    /// The rate of the gap: what the domain leaves free does not open it.
    Vec3 opening(const Island::LocalJoint& local, const PointError& e) const {
        const auto velocity = [&](int l, const Vec3& r) { return v0(l) + cross(w0(l), r); };
        const Vec3 u = velocity(local.body2, e.r2) - velocity(local.body1, e.r1);
        const Vec3 along = dot(e.free, u) * e.free;
        if (e.freedoms == 0) return u;
        if (e.freedoms == 1) return u - along;
        return e.freedoms == 2 ? along : Vec3{};
    }

    const Model& model_;
    const Island& island_;
    double t0_, t1_, h_, rate_;
    const LocalBodies &start_, &free_;
    Laws& out_;
};

bool hard(LawKind kind) {
    return kind == LawKind::limit || kind == LawKind::thread;
}

}  // namespace

void collect_laws(const Model& model, const Island& island, double t0, double t1, double rate, const LocalBodies& start,
                  const LocalBodies& free, const std::vector<FreedomState>& freedoms, Laws& out, bool hands_give_way) {
    out.rows.clear();
    out.sources.clear();
    out.soft.clear();
    out.soft_sources.clear();
    Collector collector(model, island, t0, t1, rate, start, free, out);
    for (const int k : island.acting) {
        const Island::LocalJoint& local = island.joints[idx(k)];
        const Joint& j = model.joints[idx(local.joint)];
        if (!j.valid_at(t1)) continue;
        for (const FreedomId id : j.freedoms) collector.add_freedom(k, local, id, freedoms[idx(id)]);
        if (j.soft)
            collector.add_soft_joint(k, local, j, *j.soft);
        else if (hands_give_way && j.drag)
            collector.add_soft_joint(k, local, j, hand_spring(model, island, local, start));
    }
}

void collect_hard_laws(const Model& model, const Island& island, double t, const LocalBodies& start,
                       const std::vector<FreedomState>& freedoms, Laws& out) {
    collect_laws(model, island, t, t, 1, start, start, freedoms, out);
    std::size_t kept = 0;
    for (std::size_t k = 0; k < out.rows.size(); ++k)
        if (hard(out.sources[k].kind)) {
            out.rows[kept] = out.rows[k];
            out.sources[kept++] = out.sources[k];
        }
    out.rows.resize(kept);
    out.sources.resize(kept);
    out.soft.clear();
    out.soft_sources.clear();
}

LawWork law_work(double h, double rate, const Laws& laws, const LocalBodies& start, const LocalBodies& now) {
    LawWork work;
    // Along the direction in which it pushed, not by the change of the coordinate: a twist between directions that are
    // nearly opposite may jump by half a turn.
    const auto way = [&](const LawRow& row) {
        const auto i = idx(row.body1), j = idx(row.body2);
        const auto turn = [&](std::size_t b) { return log_rotation(now.q[b] * conjugate(start.q[b])); };
        return dot(row.now.linear, (now.x[i] - start.x[i]) - (now.x[j] - start.x[j])) + dot(row.now.angular1, turn(i)) +
               dot(row.now.angular2, turn(j));
    };
    for (std::size_t k = 0; k < laws.rows.size(); ++k) {
        const LawSource& source = laws.sources[k];
        const LawRow& row = laws.rows[k];
        if (source.kind == LawKind::motor) work.motors += rate / (h * h) * row.lambda * way(row);
        if (source.kind != LawKind::spring) continue;
        const auto stretch = [&](double c) {  // one that pushes one way only stores nothing on the other side
            return std::clamp(c - source.rest, row.high == 0 ? 0 : -infinity, row.low == 0 ? 0 : infinity);
        };
        const double before = stretch(source.start), after = stretch(row.now.value);
        work.springs += 0.5 * source.stiffness * (before * before - after * after);
    }
    for (std::size_t k = 0; k < laws.soft.size(); ++k) {
        const SoftSource& source = laws.soft_sources[k];
        work.springs += 0.5 * source.stiffness * (norm2(source.start) - norm2(laws.soft[k].d));
    }
    return work;
}

void measure_law_forces(const Model& model, const Island& island, double h, double rate, const Laws& laws,
                        std::vector<FreedomState>& freedoms) {
    for (const int k : island.acting)
        for (const FreedomId id : model.joints[idx(island.joints[idx(k)].joint)].freedoms) freedoms[idx(id)].force = 0;
    for (std::size_t k = 0; k < laws.rows.size(); ++k) {
        const LawSource& source = laws.sources[k];
        if (source.freedom < 0) continue;
        freedoms[idx(source.freedom)].force += rate / (h * h) * laws.rows[k].lambda;
    }
}

double limit_violation(const Freedom& f, double value, double t) {
    if (f.locked) return std::fabs(value);
    double v = 0;
    if (f.min.given()) v = std::max(v, evaluate(f.min, t).value - value);
    if (f.max.given()) v = std::max(v, value - evaluate(f.max, t).value);
    return v;
}

double law_energy(const Model& model, const Island& island, const State& state) {
    double energy = 0;
    for (const Island::LocalJoint& local : island.joints) {
        const Joint& j = model.joints[idx(local.joint)];
        if (!j.valid_at(state.time)) continue;
        for (const FreedomId id : j.freedoms) {
            const Freedom& f = model.freedoms[idx(id)];
            if (!f.stiffness.given()) continue;
            const double stretch = state.freedoms[idx(id)].value - evaluate(f.rest, state.time).value;
            energy += 0.5 * evaluate(f.stiffness, state.time).value * stretch * stretch;
        }
        if (!j.soft) continue;
        const auto i1 = idx(j.body1), i2 = idx(j.body2);
        const Placement b1{state.x[i1], to_matrix(state.q[i1])}, b2{state.x[i2], to_matrix(state.q[i2])};
        for (const Part& part : j.parts) {
            const double v = violation(part, b1, b2);
            const bool point = std::holds_alternative<PointPart>(part);
            energy += 0.5 * (point ? j.soft->stiffness : j.soft->angular_stiffness) * v * v;
        }
    }
    return energy;
}

}  // namespace armature
