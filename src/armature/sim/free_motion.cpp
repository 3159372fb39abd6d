#include "armature/sim/free_motion.h"

#include <algorithm>
#include <cmath>

#include "armature/math/exact_turn.h"
#include "armature/sim/free_motion_lanes.h"

namespace armature {

namespace {

struct Step {
    const SimulationSpec& settings;
    double h, h_last;
};

Vec3 gyroscopic_acceleration(const Body& b, const Quat& q, const Vec3& w, const Vec3& torque) {
    const Vec3 w_B = rotate_back(q, w);
    const Vec3 free_B = rotate_back(q, torque) - cross(w_B, b.inertia_G * w_B);
    return rotate(q, b.inv_inertia_G * free_B);
}

/// Turns q by h Ω (body axes) and returns ω at the end, from angular momentum: see the header. π and the torque are taken
/// along in body axes: R1ᵀ π = exp(−hΩ) Rᵀ π.
Vec3 turn_with_momentum(const Body& b, double h, const Vec3& w, const Vec3& torque, Quat& q) {
    const Mat3& J = b.inertia_G;
    const Vec3 pi_B = J * rotate_back(q, w);
    const Vec3 push_B = torque == Vec3{} ? Vec3{} : h * rotate_back(q, torque);
    const Vec3 middle_B = pi_B + 0.5 * push_B;
    Vec3 omega = b.inv_inertia_G * middle_B;
    // Newton on J Ω = exp(φ) π with φ = −½hΩ. A change of φ turns exp(φ) π by (1 + ½[φ]× + ⅙[φ]×² + …) δφ; without the rest of the
    // series a residual shrinks some thousandfold each time. J − ½h[π]× is never singular.
    const double scale2 = norm2(middle_B);  // of J Ω too
    for (int k = 0; k < 20; ++k) {
        const Vec3 phi = (-0.5 * h) * omega;
        const Vec3 turned_back = rotate(exp_rotation(phi), middle_B);
        const Vec3 residual = J * omega - turned_back;
        const double error2 = norm2(residual);
        if (!(error2 > 1e-30 * scale2)) break;
        const Mat3 turning = Mat3::identity() + 0.5 * skew(phi) + (1.0 / 6) * (skew(phi) * skew(phi));
        omega -= inverse(J - skew((0.5 * h) * turned_back) * turning) * residual;
        if (error2 < 1e-24 * scale2) break;  // what is left now is round-off
    }
    const Quat turn = exp_rotation(h * omega);
    q = normalized(q * turn);
    return rotate(q, b.inv_inertia_G * rotate_back(turn, pi_B + push_B));
}

void move_newton(const Body& b, const Step& s, const Vec3& F, const Vec3& T, Vec3& x, Quat& q, Vec3& v, Vec3& w) {
    const Vec3 v1 = v + (s.h * b.inv_mass) * F;
    x += (0.5 * s.h) * (v + v1);
    v = v1;
    if (!b.particle) w = turn_with_momentum(b, s.h, w, T, q);
}

/// The energy–momentum rule: the turn is the same as newton's to second order.
void move_exact(const Body& b, const Step& s, const Vec3& F, const Vec3& T, Vec3& x, Quat& q, Vec3& v, Vec3& w) {
    const Vec3 v1 = v + (s.h * b.inv_mass) * F;
    x += (0.5 * s.h) * (v + v1);
    v = v1;
    if (b.particle) return;
    const Vec3 half_w = (0.5 * s.h) * rotate_back(q, w);
    const Vec3 momentum = b.inertia_G * half_w + (0.5 * s.h * s.h) * rotate_back(q, T);
    const Vec3 turn = exact_turn(b.inertia_G, half_w, momentum, half_w + b.inv_inertia_G * momentum);
    q = normalized(q * cayley(turn));
    w = rotate(q, (2 / s.h) * (turn - half_w));
}

/// The other three are v1 = keep·v + push·a, x1 = x + h v1 with different factors.
void move_with(double keep, double push, const Body& b, const Step& s, const Vec3& F, const Vec3& T, Vec3& x, Quat& q,
               Vec3& v, Vec3& w) {
    v = keep * v + (push * b.inv_mass) * F;
    x += s.h * v;
    if (b.particle) return;
    w = keep * w + push * gyroscopic_acceleration(b, q, w, T);
    q = turned(q, s.h * w);
}

}  // namespace

const std::vector<SchemeInfo>& scheme_list() {
    static const std::vector<SchemeInfo> list{
        {Scheme::euler, "euler", "semi-implicit Euler; first order, loses energy at joints", false, false, 1, 1},
        {Scheme::newton, "newton", "exact for constant forces, symplectic; second order (default)", true, true, 2, 2},
        {Scheme::stormer, "stormer", "velocity-free Störmer; second order places", false, false, 1, 2},
        {Scheme::verlet, "verlet", "damped Verlet with the factor verlet_keep; for calm assemblies and dragging", false,
         false, 1, 1},
        {Scheme::exact, "exact", "energy and momentum kept exactly at every joint; second order; solver linearized",
         true, true, 2, 2},
    };
    return list;
}

const SchemeInfo& scheme_info(Scheme scheme) {
    return scheme_list()[static_cast<std::size_t>(scheme)];
}

double push_time(Scheme scheme, double h, double h_last) {
    return scheme == Scheme::stormer ? 0.5 * (h + h_last) : h;
}

double correction_rate(const SimulationSpec& settings, bool converged) {
    if (!converged) return 1;
    if (settings.scheme == Scheme::exact) return 2;
    if (settings.scheme != Scheme::newton) return 1;
    return scheme_info(settings.scheme).correction_rate - settings.settle;
}

FreeMotion move_freely(const Model& model, const Island& island, double h, double h_last, const LocalBodies& start,
                       const LocalForces* forces, LocalBodies& free, LocalBodies& now) {
    const SimulationSpec& settings = model.simulation;
    const Step step{settings, h, h_last};
    // The damping of verlet is given per frame; a step of half a frame keeps the square root of it.
    const double verlet_keep = settings.scheme == Scheme::verlet ? std::pow(settings.verlet_keep, h / settings.dt) : 1;
    const auto move_one = [&](std::size_t i) {
        const Body& b = model.bodies[static_cast<std::size_t>(island.bodies[i])];
        Vec3 x = start.x[i], v = start.v[i], w = start.w[i];
        Quat q = start.q[i];
        const Vec3 F = forces ? forces->force[i] : b.mass * settings.gravity, T = forces ? forces->torque[i] : Vec3{};
        switch (settings.scheme) {
            case Scheme::euler:
                move_with(1, h, b, step, F, T, x, q, v, w);
                break;
            case Scheme::newton:
                move_newton(b, step, F, T, x, q, v, w);
                break;
            case Scheme::exact:
                move_exact(b, step, F, T, x, q, v, w);
                break;
            case Scheme::stormer:
                move_with(1, push_time(Scheme::stormer, h, h_last), b, step, F, T, x, q, v, w);
                break;
            case Scheme::verlet:
                move_with(verlet_keep, h, b, step, F, T, x, q, v, w);
                break;
        }
        free.x[i] = x;
        free.q[i] = q;
        free.v[i] = v;
        free.w[i] = w;
    };
    const bool exact = settings.scheme == Scheme::exact;
    if (exact || settings.scheme == Scheme::newton)
        return move_in_lanes({island, exact, h, settings.gravity, start, forces, free, now, OneBody::by(move_one)});
    double spin2 = 0;
    for (std::size_t i = 0; i < idx(island.dynamic_count); ++i) {
        move_one(i);
        now.x[i] = free.x[i];
        now.q[i] = free.q[i];
        spin2 = std::max({spin2, norm2(start.w[i]), norm2(free.w[i])});
    }
    return {find_not_finite(island, free) < 0, std::sqrt(spin2)};
}

StepChange velocities_from_correction(const Model& model, const Island& island, double h, const JointMotion& motion,
                                      LocalBodies& now) {
    const double rate = motion.rate / h;
    const LocalBodies& free = motion.free;
    const bool newton = model.simulation.scheme == Scheme::newton;
    const bool exact = model.simulation.scheme == Scheme::exact && motion.rate == 2;
    if (newton || exact) {
        const auto one = [&](std::size_t i) {  // one that turned far; its v is done
            const Body& b = model.bodies[static_cast<std::size_t>(island.bodies[i])];
            if (b.particle) {
                now.w[i] = free.w[i];
                return;
            }
            const Quat made = conjugate(free.q[i]) * now.q[i];  // body axes
            const Vec3 momentum = b.inertia_G * (rotate_back(free.q[i], free.w[i]) + rate * log_rotation(made));
            now.w[i] = rotate(now.q[i], b.inv_inertia_G * rotate_back(made, momentum));
        };
        return velocities_in_lanes({island, exact, h, model.simulation.gravity, motion, now, OneBody::by(one)});
    }
    for (std::size_t i = 0; i < idx(island.dynamic_count); ++i) {
        now.v[i] = free.v[i] + rate * motion.moved[i];
        // A body that was not turned keeps its ω to the last bit.
        now.w[i] = now.q[i] == free.q[i] ? free.w[i] : (1 / h) * log_rotation(now.q[i] * conjugate(motion.start.q[i]));
    }
    return change_of(island, model.simulation.gravity, free, now);
}

}  // namespace armature
