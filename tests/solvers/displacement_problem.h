// What the tests of the displacement solver give it: islands, scattered, and what a correction carries.
#pragma once

#include <cmath>
#include <limits>

#include "armature/solvers/displacement/displacement.h"
#include "solvers/island_problem.h"
#include "support/random_scenes.h"
#include "support/small_scenes.h"

namespace armature::test_displacement {

constexpr double eps = std::numeric_limits<double>::epsilon();

struct Problem : IslandProblem {
    double tolerance = 1e-12;
    std::vector<Vec3> start_x;  ///< when not empty the impulses act half-way from here
    std::vector<Quat> start_q;

    using IslandProblem::IslandProblem;

    CorrectionReport correct(const DisplacementSpec& parameters, int iterations) {
        DisplacementSolver solver(parameters);
        CorrectionProblem p{model, island(), 0, x, q, nullptr, nullptr, moved, impulses, tolerance, iterations};
        if (!start_x.empty()) {
            p.start_x = &start_x;
            p.start_q = &start_q;
        }
        return solver.correct(p);
    }
};

/// What a displacement from (x0, q0) to the present carries, and what round-off may make of nothing.
struct Carried {
    Vec3 linear, angular;  ///< Σ m Δx,  Σ x × m Δx + J Δφ
    double linear_noise = 0, angular_noise = 0;
    double angular_scale = 0;  ///< Σ of the magnitudes
};

/// Positions and inertias before the correction; half-way from the start of the step when there is one.
inline Carried carried(const Problem& p, const std::vector<Vec3>& x0, const std::vector<Quat>& q0) {
    Carried c;
    for (std::size_t i = 0; i < p.dynamic_count(); ++i) {
        const Body& b = p.body(i);
        const Vec3 dx = p.x[i] - x0[i];
        const Vec3 at = p.start_x.empty() ? x0[i] : 0.5 * (x0[i] + p.start_x[i]);
        const Vec3 phi = log_rotation(p.q[i] * conjugate(q0[i]));
        const Vec3 spin = rotate(q0[i], b.inertia_G * rotate_back(q0[i], phi));
        c.linear += b.mass * dx;
        c.angular += cross(at, b.mass * dx) + spin;
        c.linear_noise += 8 * eps * b.mass * (norm(x0[i]) + norm(dx) + 1);
        c.angular_noise += 8 * eps * (b.mass * (1 + norm(at)) * (norm(x0[i]) + norm(dx) + 1) + 4 * trace(b.inertia_G));
        c.angular_scale += norm(cross(at, b.mass * dx)) + norm(spin);
    }
    return c;
}

/// Displaces every solid a little, so that all joints are open.
inline void scatter(Random& random, Spec& spec, double by) {
    for (SolidSpec& s : spec.solids) {
        s.pose_WB.x += random.in_box(by);
        s.pose_WB.q = turned(s.pose_WB.q, random.in_box(2 * by));
    }
}

/// Opens all joints by less than half the smallest radius of gyration: beyond that a solid is not turned as its inertia
/// would have it, and gives up angular momentum.
inline void scatter_within_gyration(Random& random, Spec& spec) {
    double gyration = infinity;
    for (const Body& b : compile(spec).bodies)
        if (b.dynamic()) gyration = std::fmin(gyration, std::sqrt(symmetric_eigen(b.inertia_G).values.x / b.mass));
    scatter(random, spec, 0.03 * std::fmin(gyration, 0.3));
}

/// A ring whose inner edge runs through the place where the ball joint was.
inline void use_ring(ConstraintSpec& c, const Vec3& normal) {
    c.hinge->domain = RingDomain{normal, 0.1, 0.2};
    c.hinge->p2_B += 0.1 * any_perpendicular(normal);
}

/// Two random solids, of any shape, joined by one part of the given kind.
enum class Kind { ball, segment, ring, angle, twist };
inline Spec random_pair(Random& random, Kind kind, double mass_ratio) {
    test::StructureOptions options;
    options.bodies = 2;
    options.anchored = false;
    options.angle_share = 0;
    options.mass_ratio = mass_ratio;
    Spec spec = test::random_structure(random, options);
    ConstraintSpec& c = spec.constraints[0];
    const Quat q1 = spec.solids[1].pose_WB.q, q2 = spec.solids[0].pose_WB.q;
    const Vec3 axis = random.direction();
    switch (kind) {
        case Kind::ball:
            break;
        case Kind::segment:
            c.hinge->domain = SegmentDomain{random.direction(), -0.05, 0.1};
            break;
        case Kind::ring:
            use_ring(c, random.direction());
            break;
        case Kind::angle:
            c.hinge.reset();
            c.angle = AngleSpec{rotate_back(q1, axis), rotate_back(q2, axis), 0.3, 0.5};
            break;
        case Kind::twist:
            c.hinge.reset();
            c.angle = AngleSpec{rotate_back(q1, axis), rotate_back(q2, axis), 0, pi};
            c.twist =
                TwistSpec{rotate_back(q1, any_perpendicular(axis)), rotate_back(q2, any_perpendicular(axis)), 0.2, 0.3};
            break;
    }
    return spec;
}

/// A tree with loops whose joints are of every kind.
inline Spec random_mixture(Random& random, int bodies) {
    test::StructureOptions options;
    options.bodies = bodies;
    options.mass_ratio = 1e4;
    options.anchored = false;
    options.loops = bodies / 3;
    Spec spec = test::random_structure(random, options);
    for (ConstraintSpec& c : spec.constraints) {
        const int kind = random.integer(0, 4);
        if (kind == 1) c.hinge->domain = SegmentDomain{random.direction(), -0.1, 0.1};
        if (kind == 2) use_ring(c, random.direction());
        if (kind == 3 && c.angle) {
            c.twist = TwistSpec{any_perpendicular(c.angle->a1_B), any_perpendicular(c.angle->a2_B), -0.1, 0.1};
        }
    }
    return spec;
}

}  // namespace armature::test_displacement
