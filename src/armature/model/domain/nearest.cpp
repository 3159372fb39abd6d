#include "armature/model/domain/nearest.h"

#include <cmath>

namespace armature {

namespace {

const Vec3 unit_axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/// A place from which p may go on inwards and along, but not along n.
NearestPlace across(const Vec3& point, const Vec3& n) {
    return {point, {}, 2, n};
}
/// p is allowed: near the boundary, whose normal is n, or farther inside.
NearestPlace touching(const Vec3& p, const Vec3& n) {
    return {p, {}, 2, n, true};
}
NearestPlace anywhere(const Vec3& p) {
    return {p, {}, 3, {}, true};
}

/// The direction from the nearest point to p, or `normal` where p is too near for that to be more than round-off.
Vec3 outward(const Vec3& away, double distance, const Vec3& normal) {
    if (!(std::fabs(distance) > 1e-9)) return normal;
    return away / distance;
}

/// In the axes of the box.
struct FaceOfBox {
    int axis = 0;
    double side = 1;
    double depth = infinity;  ///< of p below it; negative above
};
FaceOfBox nearest_face(const Vec3& half, const Vec3& p) {
    FaceOfBox best;
    for (int k = 0; k < 3; ++k)
        for (const double side : {1.0, -1.0}) {
            const double depth = half[k] - side * p[k];
            if (depth < best.depth) best = {k, side, depth};
        }
    return best;
}

}  // namespace

// ---- sphere ------------------------------------------------------------------------------------------------------------

NearestPlace nearest_place(const SphereDomain& domain, const Vec3& p, double reach) {
    const double r = norm(p);
    const Vec3 u = r > 1e-12 ? p / r : Vec3{1, 0, 0};
    NearestPlace at;
    if (r < domain.min || domain.max < r || domain.min == domain.max)
        at = across(std::clamp(r, domain.min, domain.max) * u, u);
    else if (r - domain.min < reach || domain.max - r < reach)
        at = touching(p, u);
    else
        at = anywhere(p);
    if (domain.max == 0) at = {{}, {}, 0};  // a point
    at.place.x = r;
    return at;
}

DomainRows domain_rows(const SphereDomain& domain, const Vec3& p) {
    DomainRows out;
    const double r = norm(p);
    if (domain.max == 0) {
        for (int k = 0; k < 3; ++k) out.add({unit_axis[k], p[k], RowKind::equality});
        return out;
    }
    const Vec3 u = r > 1e-12 ? p / r : Vec3{1, 0, 0};
    if (domain.min == domain.max) {
        out.add({u, r - domain.max, RowKind::equality});
        return out;
    }
    if (domain.min > 0) out.add({u, r - domain.min, RowKind::at_least});
    if (std::isfinite(domain.max)) out.add({u, r - domain.max, RowKind::at_most});
    return out;
}

// ---- box ---------------------------------------------------------------------------------------------------------------

NearestPlace nearest_place(const HeldInBox& domain, const Vec3& p_2, double reach) {
    const Vec3 p = transposed_times(domain.R_2, p_2), &half = domain.half;
    Vec3 nearest;
    int outside = 0, last_outside = 0, inside_axis = 0;
    for (int k = 0; k < 3; ++k) {
        nearest[k] = std::clamp(p[k], -half[k], half[k]);
        if (nearest[k] == p[k]) {
            inside_axis = k;
            continue;
        }
        ++outside;
        last_outside = k;
    }
    const auto in_2 = [&](const Vec3& v) { return domain.R_2 * v; };
    // From an edge of its surface p may go on over either face: only away from both is blocked.
    if (outside > 1 && domain.surface) return across(in_2(nearest), in_2(normalized(p - nearest)));
    if (outside == 3) return {in_2(nearest), {}, 0};
    if (outside == 2) return {in_2(nearest), {}, 1, in_2(unit_axis[inside_axis])};
    if (outside == 1) return across(in_2(nearest), in_2(unit_axis[last_outside]));
    const FaceOfBox face = nearest_face(half, p);
    if (domain.surface) {
        nearest[face.axis] = face.side * half[face.axis];
        return across(in_2(nearest), in_2(unit_axis[face.axis]));
    }
    return face.depth < reach ? touching(p_2, in_2(unit_axis[face.axis])) : anywhere(p_2);
}

DomainRows domain_rows(const HeldInBox& domain, const Vec3& p_2) {
    DomainRows out;
    const Vec3 p = transposed_times(domain.R_2, p_2), &half = domain.half;
    if (!domain.surface) {
        for (int k = 0; k < 3; ++k) {  // of the two faces across an axis, the nearer
            const bool low = p[k] < 0;
            out.add({domain.R_2 * unit_axis[k], low ? p[k] + half[k] : p[k] - half[k],
                     low ? RowKind::at_least : RowKind::at_most});
        }
        return out;
    }
    Vec3 clamped;
    for (int k = 0; k < 3; ++k) clamped[k] = std::clamp(p[k], -half[k], half[k]);
    const FaceOfBox face = nearest_face(half, p);
    const Vec3 away = p - clamped, n = face.side * unit_axis[face.axis];
    const double distance = norm(away);
    out.add({domain.R_2 * outward(away, distance, n), distance > 0 ? distance : -face.depth, RowKind::equality});
    return out;
}

// ---- curve -------------------------------------------------------------------------------------------------------------

NearestPlace nearest_place(const HeldOnCurve& domain, const Vec3& p, double, const double* from) {
    const CurvePoint at = from != nullptr ? domain.curve->nearest(p, *from) : domain.curve->nearest(p);
    NearestPlace found{at.point, {at.length, 0, 0}, 0};
    if (at.end != 0) return found;
    found.freedoms = 1;
    found.free = at.tangent;
    return found;
}

DomainRows domain_rows(const HeldOnCurve& domain, const Vec3& p) {
    DomainRows out;
    const Curve& curve = *domain.curve;
    const CurvePoint at = curve.nearest(p);
    const Vec3 away = p - at.point;
    const Vec3 n = any_perpendicular(at.tangent), m = cross(at.tangent, n);
    out.add({n, dot(n, away), RowKind::equality});
    out.add({m, dot(m, away), RowKind::equality});
    if (curve.closed()) return out;
    // Three rows at most: of the two ends, the nearer along the curve. Beyond an end by how far.
    const double along = at.length + dot(at.tangent, away);
    const bool low = at.length < curve.length() - at.length;
    out.add({at.tangent, low ? along : along - curve.length(), low ? RowKind::at_least : RowKind::at_most});
    return out;
}

// ---- mesh --------------------------------------------------------------------------------------------------------------

NearestPlace nearest_place(const HeldByMesh& domain, const Vec3& p, double reach) {
    const SurfacePoint at = domain.surface->nearest(p);
    if (domain.inside && at.outside <= -reach) return anywhere(p);
    const Vec3 n = outward(p - at.point, at.outside, at.normal);
    return domain.inside && at.outside <= 0 ? touching(p, n) : across(at.point, n);
}

DomainRows domain_rows(const HeldByMesh& domain, const Vec3& p) {
    DomainRows out;
    const SurfacePoint at = domain.surface->nearest(p);
    out.add({outward(p - at.point, at.outside, at.normal), at.outside,
             domain.inside ? RowKind::at_most : RowKind::equality});
    return out;
}

}  // namespace armature
