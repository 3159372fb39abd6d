#include "armature/model/compile_domain.h"

#include <fmt/format.h>

#include <cmath>

namespace armature::detail {

namespace {

struct DomainCompiler {
    Compilation& c;
    const Origin& origin;
    const std::string& user;

    std::string of(const char* what) const { return fmt::format("{} of {}", what, user); }
    void error(const char* keyword, std::string message, std::string hint) const {
        c.error(origin, keyword, std::move(message), std::move(hint));
    }

    bool check_interval(const char* keyword, double min, double max) const {
        if (min <= max) return true;
        error(keyword, fmt::format("{}: min {} is above max {}", of(keyword), min, max),
              std::isnan(min) || std::isnan(max) ? "give numbers" : "exchange them");
        return false;
    }
    void check_distances(const char* keyword, double min, double max) const {
        check_interval(keyword, min, max);
        if (min < 0) error(keyword, fmt::format("{}: min {} is negative", of(keyword), min), "a distance is 0 or more");
        if (min == infinity) error(keyword, of(keyword) + " allows no finite place", "give a finite min");
    }

    HeldDomain operator()(const PointDomain& d) const { return d; }

    HeldDomain operator()(SegmentDomain d) const {
        d.axis_2 = c.require_direction(d.axis_2, origin, "axial", of("the axis"));
        check_interval("axial", d.min, d.max);
        if (d.min == infinity || d.max == -infinity)
            error("axial", of("axial") + " allows no finite place", "give a finite min or max");
        return d;
    }

    HeldDomain operator()(RingDomain d) const {
        d.normal_2 = c.require_direction(d.normal_2, origin, "planar", of("the normal"));
        check_distances("planar", d.min, d.max);
        return d;
    }

    HeldDomain operator()(const SphereDomain& d) const {
        check_distances("sphere", d.min, d.max);
        if (d.min == 0 && d.max == infinity)
            error("sphere", of("sphere") + " allows every place", "give `radius`, `min` or `max`");
        return d;
    }

    HeldDomain operator()(const BoxDomain& d) const {
        for (const double edge : {d.size.x, d.size.y, d.size.z}) {
            if (edge > 0 && std::isfinite(edge)) continue;
            error("box",
                  fmt::format("{}: the edges {} {} {} are not all positive", of("box"), d.size.x, d.size.y, d.size.z),
                  "give three lengths above 0; what has no thickness is `planar`, `axial` or `hinge` alone");
            return PointDomain{};
        }
        return HeldInBox{0.5 * d.size, to_matrix(normalized(d.q_2)), d.surface};
    }

    HeldDomain operator()(const CurveDomain& d) const {
        if (const CurveDefect defect = find_curve_defect(d.kind, d.points_2, d.closed); !defect.what.empty()) {
            error("curve", fmt::format("{}: {}", of("curve"), defect.what), defect.hint);
            return PointDomain{};
        }
        return HeldOnCurve{std::make_shared<const Curve>(d.kind, d.points_2, d.closed)};
    }

    HeldDomain operator()(const MeshDomain& d) const {
        const std::string named = d.file.empty() ? of("mesh") : fmt::format("{}, \"{}\"", of("mesh"), d.file);
        if (d.mesh == nullptr) {
            error("mesh", named + " has no triangles", "give a mesh");
            return PointDomain{};
        }
        if (const std::string defect = find_surface_defect(*d.mesh); !defect.empty()) {
            error("mesh", fmt::format("{}: {}", named, defect), "repair the mesh, or take the triangle out of it");
            return PointDomain{};
        }
        if (const std::string defect = d.inside ? find_mesh_defect(*d.mesh) : ""; !defect.empty()) {
            error("mesh", fmt::format("{} has no inside: {}", named, defect),
                  "close the mesh, or leave `inside` out to hold the point on its surface");
            return PointDomain{};
        }
        TriangleMesh turned = *d.mesh;
        for (Vec3& p : turned.vertices) p = rotate(normalized(d.q_2), p);
        return HeldByMesh{std::make_shared<const Surface>(turned), d.inside};
    }
};

}  // namespace

HeldDomain compile_domain(Compilation& c, const Domain& domain, const Origin& origin, const std::string& user) {
    return std::visit(DomainCompiler{c, origin, user}, domain);
}

double reach_of(const HeldDomain& domain) {
    if (const auto* sphere = std::get_if<SphereDomain>(&domain)) return std::isfinite(sphere->max) ? sphere->max : 0;
    if (const auto* box = std::get_if<HeldInBox>(&domain)) return norm(box->half);
    if (const auto* curve = std::get_if<HeldOnCurve>(&domain)) return curve->curve->reach();
    if (const auto* mesh = std::get_if<HeldByMesh>(&domain)) return mesh->surface->reach();
    return 0;
}

}  // namespace armature::detail
