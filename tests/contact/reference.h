// Shapes once more, written as plainly as possible, to compare the contacts with.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/contact_test.h"

namespace armature::test {

/// max n·x over the shape, about its own origin; n in its own axes.
inline double extent(const Geometry& geometry, const Vec3& n) {
    struct Visitor {
        Vec3 n;
        double operator()(const Sphere& s) const { return s.radius * norm(n); }
        double operator()(const Capsule& s) const { return s.radius * norm(n) + 0.5 * s.length * std::fabs(n.y); }
        double operator()(const Cylinder& s) const {
            return s.radius * std::hypot(n.x, n.z) + 0.5 * s.length * std::fabs(n.y);
        }
        double operator()(const Box& s) const {
            return 0.5 * (s.size.x * std::fabs(n.x) + s.size.y * std::fabs(n.y) + s.size.z * std::fabs(n.z));
        }
        double operator()(const Ellipsoid& s) const { return norm(cwise_product(s.radii, n)); }
        double operator()(const Plane&) const { return n == Vec3{0, 1, 0} ? 0 : infinity; }
        double operator()(const MeshShape& s) const {
            double most = -infinity;
            for (const Vec3& v : s.mesh->vertices) most = std::fmax(most, dot(n, v));
            return most;
        }
    };
    return std::visit(Visitor{n}, geometry);
}

/// By how far the two are apart along the unit vector n: negative when they overlap in this direction.
inline double gap_along(const Geometry& s1, const Pose& X1, const Geometry& s2, const Pose& X2, const Vec3& n) {
    return dot(n, X1.x - X2.x) - extent(s1, rotate_back(X1.q, -n)) - extent(s2, rotate_back(X2.q, n));
}

/// How far a point, in the shape's own frame, is from its surface; negative inside. For the ellipsoid a bound: no less
/// than the distance near the surface times a few. For a mesh the distance to its nearest vertex.
inline double distance_to_surface(const Geometry& geometry, const Vec3& p) {
    struct Visitor {
        Vec3 p;
        double operator()(const Sphere& s) const { return norm(p) - s.radius; }
        double operator()(const Capsule& s) const {
            const double y = std::clamp(p.y, -0.5 * s.length, 0.5 * s.length);
            return norm(p - Vec3{0, y, 0}) - s.radius;
        }
        static double past(double a, double b) {  // in two coordinates, from their bounds
            return std::hypot(std::fmax(a, 0), std::fmax(b, 0)) + std::fmin(0, std::fmax(a, b));
        }
        double operator()(const Cylinder& s) const {
            return past(std::hypot(p.x, p.z) - s.radius, std::fabs(p.y) - 0.5 * s.length);
        }
        double operator()(const Box& s) const {
            const Vec3 d{std::fabs(p.x) - 0.5 * s.size.x, std::fabs(p.y) - 0.5 * s.size.y,
                         std::fabs(p.z) - 0.5 * s.size.z};
            const Vec3 out{std::fmax(d.x, 0), std::fmax(d.y, 0), std::fmax(d.z, 0)};
            return norm(out) + std::fmin(0, std::max({d.x, d.y, d.z}));
        }
        double operator()(const Ellipsoid& s) const {
            const Vec3 u{p.x / s.radii.x, p.y / s.radii.y, p.z / s.radii.z};
            return (norm(u) - 1) * std::max({s.radii.x, s.radii.y, s.radii.z});
        }
        double operator()(const Plane&) const { return p.y; }
        double operator()(const MeshShape& s) const {
            double least = infinity;
            for (const Vec3& v : s.mesh->vertices) least = std::fmin(least, norm(p - v));
            return least;
        }
    };
    return std::visit(Visitor{p}, geometry);
}

inline double radius_about_origin(const Geometry& geometry) {
    double r = 0;
    for (int i = 0; i < 3; ++i)
        for (const double sign : {-1.0, 1.0}) {
            Vec3 n;
            n[i] = sign;
            r = std::fmax(r, std::holds_alternative<Plane>(geometry) ? 0 : extent(geometry, n));
        }
    return r * std::sqrt(3.0);
}

/// What every contact must satisfy, whatever the shapes.
inline void expect_sound(const ContactPoint& c, const Geometry& s1, const Pose& X1, const Geometry& s2, const Pose& X2,
                         double margin) {
    const double size = radius_about_origin(s1) + radius_about_origin(s2) + std::fabs(c.gap);
    const double far = norm(X1.x) + norm(X2.x);
    EXPECT_TRUE(is_finite(c.p1) && is_finite(c.p2) && is_finite(c.normal) && std::isfinite(c.gap));
    EXPECT_LE(c.gap, margin);
    EXPECT_NEAR(norm(c.normal), 1, 1e-14);
    EXPECT_LT(norm(c.p1 - (c.p2 + c.gap * c.normal)), 1e-12 * (size + far));
    EXPECT_LT(std::fabs(distance_to_surface(s1, inverse(X1) * c.p1)), 1e-9 * size + 1e-14 * far);
    EXPECT_LT(std::fabs(distance_to_surface(s2, inverse(X2) * c.p2)), 1e-9 * size + 1e-14 * far);
}

inline double least_gap(const std::vector<ContactPoint>& contacts) {
    double least = infinity;
    for (const ContactPoint& c : contacts) least = std::fmin(least, c.gap);
    return least;
}

}  // namespace armature::test
