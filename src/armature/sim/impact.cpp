#include "armature/sim/impact.h"

#include <algorithm>
#include <cmath>

namespace armature {

namespace {

constexpr int max_sweeps = 60;
constexpr double least_stir = 1e-6;  // of the noise: where speed is turned round, none is to be left at a limit

class Resolver {
  public:
    Resolver(const ImpactProblem& p, LocalBodies& now, Impacts& room) : p_(p), now_(now), room_(room) {
        // What the solver leaves open shows as this speed; below it nothing can be told from noise.
        noise_ = p.model.simulation.tolerance / p.h;
        slowest_bounce_ = std::max(2 * noise_, 2 * p.h * norm(p.model.simulation.gravity));
    }

    bool run() {
        room_.rows.clear();
        room_.hits = 0;
        room_.project = false;
        if (!can_hit()) return false;
        add_contacts();
        add_limits();
        if (room_.hits == 0 && (p_.island.one_sided || p_.closing.any_begun)) add_joints();
        room_.project = exact() && !p_.laws.rows.empty() && (room_.hits > 0 || stirs_);
        if (room_.hits == 0) return false;
        looking_ = false;
        room_.hits = 0;
        add_contacts();
        add_limits();
        add_joints();
        solve();
        return true;
    }

  private:
    bool can_hit() const {
        return p_.island.one_sided || !p_.contacts.rows.empty() || !p_.laws.rows.empty() || p_.closing.any_begun;
    }
    bool exact() const { return p_.model.simulation.scheme == Scheme::exact; }
    const Body& body(int local) const { return body_of(p_.model, p_.island, local); }

    Vec3 inv_inertia_times(int local, const Vec3& t) const {
        return armature::inv_inertia_times(body(local), now_.q[idx(local)], t);
    }

    static double rate(const ImpactRow& r, const LocalBodies& b) {
        return dot(r.linear, b.v[idx(r.body1)] - b.v[idx(r.body2)]) + dot(r.angular1, b.w[idx(r.body1)]) +
               dot(r.angular2, b.w[idx(r.body2)]);
    }

    bool add(ImpactRow row) {
        if (looking_) return true;
        row.inv_mass1 = body(row.body1).inv_mass;
        row.inv_mass2 = body(row.body2).inv_mass;
        row.turn1 = inv_inertia_times(row.body1, row.angular1);
        row.turn2 = inv_inertia_times(row.body2, row.angular2);
        const double k = (row.inv_mass1 + row.inv_mass2) * norm2(row.linear) + dot(row.angular1, row.turn1) +
                         dot(row.angular2, row.turn2);
        if (!(k > 0)) return false;
        row.stiffness = 1 / k;
        room_.rows.push_back(row);
        return true;
    }

    /// A row that pushes one way, pushed in this step and was approached with u < 0.
    bool add_one_sided(ImpactRow row, double approach, double restitution, double slowest) {
        const bool hit = approach < -slowest;
        row.target = hit ? -restitution * approach : 0;
        row.low = 0;
        row.high = infinity;
        const double u = rate(row, now_);
        if (std::fabs(u - row.target) > noise_) ++room_.hits;
        return add(row);
    }

    void add_contacts() {
        for (std::size_t k = 0; k < p_.contacts.rows.size(); ++k) {
            const ContactRow& c = p_.contacts.rows[k];
            if (!(c.normal > 0)) continue;
            const Vec3 n = c.normal_W, r1 = c.r1, r2 = now_.x[idx(c.body1)] + r1 - now_.x[idx(c.body2)];
            const double per = p_.joint_rate / p_.h;
            ImpactRow row{
                c.body1, c.body2, n, cross(r1, n), -cross(r2, n), 0, per * c.normal, 0, infinity, 0, false, 0, 0,
                0,       {},      {}};
            if (!add_one_sided(row, p_.contacts.sources[k].approach, p_.contacts.sources[k].restitution,
                               slowest_bounce_))
                continue;
            const Vec3 t = any_perpendicular(n), s = cross(n, t);
            for (const Vec3& u : {t, s}) {
                ImpactRow f{c.body1, c.body2, u, cross(r1, u), -cross(r2, u), 0, per * dot(c.tangent, u),
                            0,       0,       0, true,         c.friction,    0, 0,
                            {},      {}};
                add(f);
            }
        }
    }

    void add_limits() {
        if (exact()) room_.speeds.assign(p_.laws.rows.size(), {});
        for (std::size_t k = 0; k < p_.laws.rows.size(); ++k) {
            const LawRow& law = p_.laws.rows[k];
            const LawSource& source = p_.laws.sources[k];
            if (source.kind != LawKind::limit && source.kind != LawKind::thread) continue;
            const CoordinateValue& c = law.now;
            ImpactRow row{law.body1, law.body2, c.linear, c.angular1, c.angular2, 0, 0,  0,
                          0,         0,         false,    0,          0,          0, {}, {}};
            if (law.low == -infinity && law.high == infinity) {
                if (exact()) room_.speeds[k].counts = true;
                keep(row);
                continue;
            }
            if (law.lambda == 0) continue;
            if (law.lambda < 0) {  // against max: parting is downwards
                row.linear = -row.linear;
                row.angular1 = -row.angular1;
                row.angular2 = -row.angular2;
            }
            row.given = p_.joint_rate / p_.h * std::fabs(law.lambda);
            const double approach = rate(row, p_.start);
            const double leaves = approach < -2 * noise_ ? -source.restitution * approach : 0;
            stirs_ = stirs_ || std::fabs(rate(row, now_) - leaves) > least_stir * noise_;
            const double side = law.lambda < 0 ? -1 : 1;
            if (exact()) room_.speeds[k] = {true, side * leaves, side * row.given};
            add_one_sided(row, approach, source.restitution, 2 * noise_);
        }
    }

    void keep(ImpactRow row) {
        if (looking_) return;
        row.target = rate(row, now_);
        row.low = -infinity;
        row.high = infinity;
        add(row);
    }

    void add_joints() {
        const bool timed = !p_.island.timed.empty();
        for (std::size_t k = 0; k < p_.island.joints.size() && !(looking_ && room_.hits > 0); ++k) {
            const Island::LocalJoint& local = p_.island.joints[k];
            const Joint& joint = p_.model.joints[idx(local.joint)];
            if (!joint.valid_at(p_.t) || joint.soft || (timed && p_.closing.slack[k] > 0)) continue;
            if (p_.hands_give_way && joint.drag) continue;
            const bool begun = timed && p_.closing.begun[k] != 0;
            for (const Part& part : joint.parts)
                if (!looking_ || begun || one_sided(part)) add_part(part, local, begun);
        }
    }

    void add_part(const Part& part, const Island::LocalJoint& local, bool begun) {
        const PartRows rows = armature::rows(part, placement_of(now_, local.body1), placement_of(now_, local.body2));
        for (int i = 0; i < rows.count; ++i) {
            const Row& r = rows.row[idx(i)];
            ImpactRow row{local.body1, local.body2, r.linear, r.angular1, r.angular2, 0, 0,  0,
                          0,           0,           false,    0,          0,          0, {}, {}};
            if (r.kind == RowKind::equality) {
                if (!begun) {
                    keep(row);
                    continue;
                }
                // A joint that begins to hold catches its solids: nothing of their parting is left.
                if (std::fabs(rate(row, now_)) > noise_) ++room_.hits;
                row.low = -infinity;
                row.high = infinity;
                add(row);
                continue;
            }
            const double side = r.kind == RowKind::at_least ? 1 : -1;
            // At its bound within what the solver may leave open; further inside it does not push.
            if (side * r.error > 2 * p_.model.simulation.tolerance) continue;
            row.linear = side * row.linear;
            row.angular1 = side * row.angular1;
            row.angular2 = side * row.angular2;
            const double approach = rate(row, p_.start), u = rate(row, now_);
            row.high = infinity;
            if (approach < -noise_) {
                if (std::fabs(u) > noise_) ++room_.hits;
                // How hard a domain pushed along this row is not known; what the rule made of the approach may be taken back.
                if (u > 0) row.given = infinity;
            } else if (u > 0) {
                row.target = u;  // leaving: nothing holds it back
            }
            add(row);
        }
    }

    /// What is not dynamic has no inverse mass, and is not touched.
    void push(const ImpactRow& r, double impulse) {
        if (r.body1 < p_.island.dynamic_count) {
            now_.v[idx(r.body1)] += (impulse * r.inv_mass1) * r.linear;
            now_.w[idx(r.body1)] += impulse * r.turn1;
        }
        if (r.body2 < p_.island.dynamic_count) {
            now_.v[idx(r.body2)] -= (impulse * r.inv_mass2) * r.linear;
            now_.w[idx(r.body2)] += impulse * r.turn2;
        }
    }

    void solve() {
        for (int sweep = 0; sweep < max_sweeps; ++sweep) {
            double largest = 0, pressed = 0;
            for (ImpactRow& r : room_.rows) {
                double low = r.low, high = r.high;
                if (r.friction) {
                    high = r.coefficient * pressed;
                    low = -high;
                }
                double change = r.stiffness * (r.target - rate(r, now_));
                if (std::isfinite(r.given)) {
                    const double whole = std::clamp(r.given + change, low, high);
                    change = whole - r.given;
                    r.given = whole;
                }
                if (!r.friction) pressed = r.given;
                if (change == 0) continue;
                push(r, change);
                largest = std::max(largest, std::fabs(change) / r.stiffness);
            }
            if (!(largest > 1e-2 * noise_)) return;
        }
    }

    const ImpactProblem& p_;
    LocalBodies& now_;
    Impacts& room_;
    double noise_ = 0, slowest_bounce_ = 0;
    bool looking_ = true;  ///< for hits: in most steps there are none, and rows are not needed
    bool stirs_ = false;   ///< what is at a limit has another speed than it should
};

}  // namespace

bool resolve_impacts(const ImpactProblem& problem, LocalBodies& now, Impacts& room) {
    return Resolver(problem, now, room).run();
}

}  // namespace armature
