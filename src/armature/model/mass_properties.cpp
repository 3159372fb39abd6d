#include "armature/model/mass_properties.h"

namespace armature {

namespace {

/// The inertia of a body about its centre from its second moments about it: I = tr(C) E − C.
Mat3 inertia_from_moments(const Mat3& C) {
    return trace(C) * Mat3::identity() - C;
}

/// Bodies symmetric about the three axes planes: from the mass and (∫x², ∫y², ∫z²)/m.
MassProperties symmetric_body(double mass, const Vec3& squares) {
    return {mass, {}, inertia_from_moments(Mat3::diagonal(mass * squares))};
}

MassProperties of(const Sphere& s) {
    const double r2 = s.radius * s.radius, square = r2 / 5;
    return symmetric_body(4.0 / 3 * pi * r2 * s.radius, {square, square, square});
}

MassProperties of(const Box& b) {
    return symmetric_body(b.size.x * b.size.y * b.size.z, cwise_product(b.size, b.size) / 12.0);
}

MassProperties of(const Cylinder& c) {
    const double r2 = c.radius * c.radius;
    return symmetric_body(pi * r2 * c.length, {r2 / 4, c.length * c.length / 12, r2 / 4});
}

MassProperties of(const Ellipsoid& e) {
    return symmetric_body(4.0 / 3 * pi * e.radii.x * e.radii.y * e.radii.z, cwise_product(e.radii, e.radii) / 5.0);
}

MassProperties of(const Capsule& c) {
    // A half ball of radius r has its centre at 3r/8 above its flat face, at y = L/2, and ∫y² dm = m r²/5
    // about that face; about the middle of the capsule: ∫(L/2 + y)² dm = m (L²/4 + 3 L r/8 + r²/5).
    const double r = c.radius, r2 = r * r, L = c.length;
    const double tube = pi * r2 * L, balls = 4.0 / 3 * pi * r2 * r;
    const double across = tube * r2 / 4 + balls * r2 / 5;
    const double along = tube * L * L / 12 + balls * (L * L / 4 + 3 * L * r / 8 + r2 / 5);
    return {tube + balls, {}, inertia_from_moments(Mat3::diagonal({across, along, across}))};
}

MassProperties of(const Plane&) {
    return {};
}

/// Over the tetrahedron (r, r+a, r+b, r+c) with D = det(a, b, c) and s = a + b + c, about r:
///   ∫dV = D/6,  ∫p dV = D s/24,  ∫p pᵀ dV = D (a aᵀ + b bᵀ + c cᵀ + s sᵀ)/120.
MassProperties of(const MeshShape& shape) {
    if (!shape.mesh || shape.mesh->triangles.empty()) return {};
    const TriangleMesh& mesh = *shape.mesh;
    const Vec3 r = reference_point(mesh);
    const auto from_r = [&](int i) { return mesh.vertices[static_cast<std::size_t>(i)] - r; };
    double volume = 0;
    Vec3 first;
    Mat3 second;
    for (const auto& [ia, ib, ic] : mesh.triangles) {
        const Vec3 a = from_r(ia), b = from_r(ib), c = from_r(ic), s = a + b + c;
        const double D = dot(a, cross(b, c));
        volume += D / 6;
        first += (D / 24) * s;
        second += (D / 120) * (outer(a, a) + outer(b, b) + outer(c, c) + outer(s, s));
    }
    const Vec3 centre = first / volume;
    return {volume, r + centre, inertia_from_moments(second - volume * outer(centre, centre))};
}

}  // namespace

MassProperties unit_density_properties(const Geometry& geometry) {
    return std::visit([](const auto& shape) { return of(shape); }, geometry);
}

MassProperties transformed(const MassProperties& p, const Pose& X_AS) {
    const Pose X{X_AS.x, normalized(X_AS.q)};
    return {p.mass, X * p.centre, congruence(to_matrix(X.q), p.inertia)};
}

MassProperties combined(const MassProperties& a, const MassProperties& b) {
    if (a.mass == 0) return b;
    if (b.mass == 0) return a;
    // About the common centre the two offsets together weigh like the reduced mass at their distance, which
    // avoids the small difference of two large offsets.
    const double mass = a.mass + b.mass;
    const Vec3 d = b.centre - a.centre;
    const double reduced = a.mass * (b.mass / mass);
    return {mass, a.centre + (b.mass / mass) * d, a.inertia + b.inertia + inertia_from_moments(reduced * outer(d, d))};
}

}  // namespace armature
