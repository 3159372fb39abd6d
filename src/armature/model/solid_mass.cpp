// From what the author wrote about one solid to its mass properties: mass_properties.h has the rules.
#include <fmt/format.h>

#include <algorithm>

#include "armature/model/mass_properties.h"

namespace armature {

namespace {

/// Principal moments below this share of the largest are the round-off of a zero (measured: 1e-16); a real
/// rod has 6 (radius/length)², so one of a millionth of its length across still passes.
constexpr double vanishing_moment = 1e-12;
/// Slack of the symmetry and triangle checks, for authors who round to seven digits.
constexpr double inertia_slack = 1e-6;

/// Stands in for a solid whose faults were reported: harmless to whatever still runs before compile() gives
/// up.
MassProperties stand_in() {
    return {1, {}, Mat3::identity()};
}

struct Reporter {
    const SolidSpec& solid;
    Diagnostics& diagnostics;
    bool failed = false;

    void error(const std::string& keyword, std::string message, std::string hint) {
        failed = true;
        diagnostics.add({Severity::error, solid.origin.at(keyword), fmt::format("solid '{}': {}", solid.name, message),
                         std::move(hint), solid.origin.notes});
    }
    /// False after reporting when the value is not a positive finite number.
    bool require_positive(double value, const std::string& keyword, const std::string& what, const char* unit) {
        if (std::isfinite(value) && value > 0) return true;
        error(keyword, fmt::format("{} is {}", what, value),
              fmt::format("give a finite number of {} greater than 0", unit));
        return false;
    }
};

struct Keyword {
    const char* operator()(const Sphere&) const { return "sphere"; }
    const char* operator()(const Box&) const { return "box"; }
    const char* operator()(const Cylinder&) const { return "cylinder"; }
    const char* operator()(const Capsule&) const { return "capsule"; }
    const char* operator()(const Ellipsoid&) const { return "ellipsoid"; }
    const char* operator()(const Plane&) const { return "plane"; }
    const char* operator()(const MeshShape&) const { return "mesh"; }
};

std::string keyword_of(const Shape& shape) {
    return std::visit(Keyword{}, shape.geometry);
}

/// "sphere 'head'", or "the sphere" when it has no name.
std::string label(const Shape& shape) {
    return shape.name.empty() ? "the " + keyword_of(shape) : fmt::format("{} '{}'", keyword_of(shape), shape.name);
}

struct SizeCheck {
    Reporter& report;
    const Shape& shape;

    void require(double value, const char* what) const {
        report.require_positive(value, keyword_of(shape), fmt::format("the {} of {}", what, label(shape)), "metres");
    }
    void require(const Vec3& v, const char* what) const {
        if (is_finite(v) && v.x > 0 && v.y > 0 && v.z > 0) return;
        report.error(keyword_of(shape), fmt::format("the {} of {} is ({}, {}, {})", what, label(shape), v.x, v.y, v.z),
                     "give three finite numbers of metres greater than 0");
    }
    void operator()(const Sphere& s) const { require(s.radius, "radius"); }
    void operator()(const Box& b) const { require(b.size, "size"); }
    void operator()(const Cylinder& c) const {
        require(c.radius, "radius");
        require(c.length, "length");
    }
    void operator()(const Capsule& c) const {
        require(c.radius, "radius");
        require(c.length, "length");
    }
    void operator()(const Ellipsoid& e) const { require(e.radii, "radii"); }
    void operator()(const Plane&) const {}
    void operator()(const MeshShape& m) const {
        const std::string file = m.file.empty() ? std::string() : fmt::format(" ('{}')", m.file);
        if (!m.mesh) {
            report.error("mesh", fmt::format("{}{} has no triangles: it was never loaded", label(shape), file),
                         "load it before compiling the scene");
            return;
        }
        const std::string defect = find_mesh_defect(*m.mesh);
        if (!defect.empty())
            report.error("mesh", fmt::format("{}{} cannot bound a solid: {}", label(shape), file, defect),
                         "the surface must be closed, each edge shared by two triangles, all of them "
                         "counter-clockwise seen from outside");
    }
};

void check_shapes(Reporter& report) {
    for (const Shape& shape : report.solid.shapes) {
        std::visit(SizeCheck{report, shape}, shape.geometry);
        if (!is_finite(shape.X_BS))
            report.error(keyword_of(shape), fmt::format("the placement of {} is not finite", label(shape)),
                         "give finite numbers for its position and orientation");
    }
}

void check_given(Reporter& report) {
    const SolidSpec& s = report.solid;
    report.require_positive(s.density, "density", "the density", "kg/m³");
    for (const Shape& shape : s.shapes)
        if (shape.density)
            report.require_positive(*shape.density, keyword_of(shape), "the density of " + label(shape), "kg/m³");
    if (s.mass) report.require_positive(*s.mass, "mass", "the mass", "kg");
    if (s.centre_B && !is_finite(*s.centre_B))
        report.error("centre", "the centre of mass is not finite", "give three finite numbers of metres");
    for (const PointMass& p : s.point_masses) {
        report.require_positive(p.mass, "point_mass", "a point mass", "kg");
        if (!is_finite(p.at_B))
            report.error("point_mass", fmt::format("the place of the point mass of {} kg is not finite", p.mass),
                         "give three finite numbers of metres");
    }
}

/// A body's inertia tensor is symmetric and positive definite, and since each principal moment is the sum of
/// two of ∫x², ∫y², ∫z², none exceeds the sum of the other two.
void check_inertia(Reporter& report) {
    if (!report.solid.inertia_G) return;
    const Mat3& I = *report.solid.inertia_G;
    if (!is_finite(I)) {
        report.error("inertia", "the inertia is not finite", "give finite numbers of kg m²");
        return;
    }
    double largest = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) largest = std::max(largest, std::fabs(I(i, j)));
    for (int i = 0; i < 3; ++i)
        for (int j = i + 1; j < 3; ++j)
            if (std::fabs(I(i, j) - I(j, i)) > inertia_slack * largest) {
                report.error("inertia",
                             fmt::format("the inertia is not symmetric: row {} column {} is {}, row {} column {} is {}",
                                         i + 1, j + 1, I(i, j), j + 1, i + 1, I(j, i)),
                             "write the same number on both sides of the diagonal");
                return;
            }
    const Vec3 m = symmetric_eigen(0.5 * (I + transposed(I))).values;
    const std::string values = fmt::format("{:.6g}, {:.6g} and {:.6g} kg m²", m.x, m.y, m.z);
    if (!(m.x > vanishing_moment * m.z))
        report.error("inertia",
                     fmt::format("the inertia is not positive definite: its principal moments are {}", values),
                     "each principal moment must be greater than 0; for a body without extent use 'particle'");
    else if (m.z > (m.x + m.y) * (1 + inertia_slack))
        report.error(
            "inertia",
            fmt::format("no body has the principal moments {}: the largest exceeds the sum of the others", values),
            "check the units and that the moments are taken about the centre of mass");
}

/// What the shapes weigh together, by their densities.
MassProperties shapes_together(const SolidSpec& solid) {
    MassProperties sum;
    for (const Shape& shape : solid.shapes) {
        MassProperties p = unit_density_properties(shape.geometry);
        const double density = shape.density.value_or(solid.density);
        p.mass *= density;
        p.inertia = density * p.inertia;
        sum = combined(sum, transformed(p, shape.X_BS));
    }
    return sum;
}

bool has_volume(const SolidSpec& solid) {
    return std::any_of(solid.shapes.begin(), solid.shapes.end(),
                       [](const Shape& s) { return !std::holds_alternative<Plane>(s.geometry); });
}

void check_complete(Reporter& report) {
    const SolidSpec& s = report.solid;
    const bool base = s.mass || has_volume(s);
    if (s.particle && s.inertia_G)
        report.error("inertia", "a particle has no orientation, so an inertia has no meaning for it",
                     "remove 'inertia' or 'particle'");
    if (!base && (s.inertia_G || s.centre_B)) {
        const char* what = s.inertia_G ? "inertia" : "centre";
        report.error(what, fmt::format("'{}' is given, but there is no mass that it could describe", what),
                     "give 'mass' or a shape; point masses are added to that afterwards");
    } else if (!base && s.point_masses.empty() && !s.shapes.empty()) {
        report.error("plane", "it is made of planes only, and a plane has no mass",
                     "make the solid fixed, or give it another shape");
    } else if (!base && s.point_masses.empty()) {
        report.error("mass", "it has no mass: no shape, no mass and no point mass is given",
                     s.particle ? "give 'mass'" : "give a shape, or 'mass' with 'inertia'; or make the solid fixed");
    } else if (s.mass && !has_volume(s) && !s.inertia_G && !s.particle) {
        report.error("mass", fmt::format("a mass of {} kg is given, but nothing says how it is distributed", *s.mass),
                     "give a shape or an 'inertia', or make the solid a 'particle'");
    }
}

/// What shapes and the given mass, centre and inertia say, before the point masses.
MassProperties own_properties(const SolidSpec& solid) {
    MassProperties p = shapes_together(solid);
    if (solid.mass) {
        p.inertia = p.mass > 0 ? (*solid.mass / p.mass) * p.inertia : Mat3{};
        p.mass = *solid.mass;
    }
    if (solid.centre_B) p.centre = *solid.centre_B;
    if (solid.inertia_G) p.inertia = 0.5 * (*solid.inertia_G + transposed(*solid.inertia_G));
    return p;
}

void check_result(Reporter& report, const MassProperties& p) {
    if (!(p.mass > 0) || !std::isfinite(p.mass) || !is_finite(p.centre) || !is_finite(p.inertia)) {
        report.error("mass", fmt::format("its mass comes out as {} kg, which cannot be computed with", p.mass),
                     "check the sizes and densities of its shapes: lengths are in metres");
        return;
    }
    if (report.solid.particle) return;
    const Vec3 m = symmetric_eigen(p.inertia).values;
    if (m.x > vanishing_moment * m.z) return;
    const char* keyword = report.solid.point_masses.empty() ? "mass" : "point_mass";
    if (!(m.z > 0))
        report.error(keyword, "all its mass lies in one point, so it has no inertia against turning",
                     "make it a 'particle', or give it a shape");
    else
        report.error(
            keyword,
            fmt::format("its mass lies on one line: the principal moments are {:.6g}, {:.6g} and {:.6g} kg m², "
                        "so nothing resists turning about that line",
                        m.x, m.y, m.z),
            "give it a shape, or a point mass beside the line");
}

}  // namespace

void check_shapes(const SolidSpec& solid, Diagnostics& diagnostics) {
    Reporter report{solid, diagnostics};
    check_shapes(report);
}

MassProperties solid_mass_properties(const SolidSpec& solid, Diagnostics& diagnostics) {
    Reporter report{solid, diagnostics};
    check_shapes(report);
    check_given(report);
    check_inertia(report);
    check_complete(report);
    if (report.failed) return stand_in();

    MassProperties p = own_properties(solid);
    for (const PointMass& m : solid.point_masses) p = combined(p, {m.mass, m.at_B, {}});
    if (solid.particle) p.inertia = {};
    check_result(report, p);
    return report.failed ? stand_in() : p;
}

}  // namespace armature
