#include "armature/model/joint_parts.h"

#include <algorithm>
#include <cmath>

namespace armature {

namespace {

template <class... F>
struct Overloaded : F... {
    using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

struct RingPlace {
    double radius;   // distance of the projection of P1 from P2
    Vec3 direction;  // from P2 towards it, in the plane
    double height;   // of P1 above the plane
};

RingPlace place_on_ring(const Vec3& n, const Vec3& from_P2) {
    const double height = dot(n, from_P2);
    const Vec3 in_plane = from_P2 - height * n;
    // On the axis every direction is as near as any other; take the same one each time.
    const double radius = norm(in_plane);
    const Vec3 direction = radius > 1e-12 ? in_plane / radius : any_perpendicular(n);
    return {radius, direction, height};
}

/// Brings an angle into [centre − π, centre + π] so that it can be compared with bounds around `centre`.
double wrapped_near(double angle, double centre) {
    return angle - 2 * pi * std::round((angle - centre) / (2 * pi));
}

/// Fills in the violation of [min, max], where turning by one radian changes the value by `rate`.
void measure_bounds(AngularError& e, double min, double max, double rate) {
    e.past_min = (e.value - min) / rate;
    e.past_max = (e.value - max) / rate;
    e.excess = e.past_min < 0 ? e.past_min : (e.past_max > 0 ? e.past_max : 0);
}

Row point_row(const Vec3& n, double error, const Vec3& r1, const Vec3& r2, RowKind kind) {
    return {n, cross(r1, n), -cross(r2, n), error, kind};
}

Row angular_row(const Vec3& axis1, double error, RowKind kind) {
    return {{}, axis1, -axis1, error, kind};
}

/// Rows for lower ≤ value ≤ upper, where `row(kind, bound)` makes one.
template <class MakeRow>
void add_interval(PartRows& out, double min, double max, MakeRow make) {
    if (min == max) {
        out.add(make(RowKind::equality, min));
        return;
    }
    // Both bounds of an interval cannot bind at once; both are offered, the active set is the solver's business.
    if (std::isfinite(min)) out.add(make(RowKind::at_least, min));
    if (std::isfinite(max)) out.add(make(RowKind::at_most, max));
}

PartRows point_rows(const PointPart& part, const Placement& b1, const Placement& b2) {
    PartRows out;
    const Vec3 r1 = b1.R * part.p1_G, P1 = b1.x + r1;
    const Vec3 P2 = b2.x + b2.R * part.p2_G;
    const Vec3 gap = P1 - P2;
    // For directions fixed in solid 2 the turning direction itself moves the row: the lever arm is then P1 − G2.
    const Vec3 r2 = P1 - b2.x;
    std::visit(Overloaded{
                   [&](const PointDomain&) {
                       for (const Vec3& n : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
                           out.add(point_row(n, dot(n, gap), r1, P2 - b2.x, RowKind::equality));
                   },
                   [&](const SegmentDomain& s) {
                       const Vec3 axis = b2.R * s.axis_2;
                       const Vec3 n_2 = any_perpendicular(s.axis_2), n = b2.R * n_2, m = b2.R * cross(s.axis_2, n_2);
                       out.add(point_row(n, dot(n, gap), r1, r2, RowKind::equality));
                       out.add(point_row(m, dot(m, gap), r1, r2, RowKind::equality));
                       const double lambda = dot(axis, gap);
                       // Three rows at most: of the two ends, the nearer.
                       const bool low = lambda - s.min < s.max - lambda;
                       const double end = low ? s.min : s.max;
                       if (!std::isfinite(end)) return;
                       const RowKind kind =
                           s.min == s.max ? RowKind::equality : (low ? RowKind::at_least : RowKind::at_most);
                       out.add(point_row(axis, lambda - end, r1, r2, kind));
                   },
                   [&](const RingDomain& ring) {
                       const Vec3 n = b2.R * ring.normal_2;
                       const RingPlace at = place_on_ring(n, gap);
                       out.add(point_row(n, at.height, r1, r2, RowKind::equality));
                       const auto radial = [&](RowKind kind, double bound) {
                           return point_row(at.direction, at.radius - bound, r1, r2, kind);
                       };
                       add_interval(out, ring.min > 0 ? ring.min : -infinity, ring.max, radial);
                   },
                   [&](const auto& domain) {
                       const DomainRows in_2 = domain_rows(domain, transposed_times(b2.R, gap));
                       for (int i = 0; i < in_2.count; ++i) {
                           const DomainRow& row = in_2.row[static_cast<std::size_t>(i)];
                           out.add(point_row(b2.R * row.n, row.error, r1, r2, row.kind));
                       }
                   },
               },
               part.domain);
    return out;
}

PartRows angle_rows(const AnglePart& part, const Placement& b1, const Placement& b2) {
    PartRows out;
    const Vec3 a1 = b1.R * part.a1_B, a2 = b2.R * part.a2_B;
    const bool aligned = part.min == part.max && (part.max <= 0 || part.min >= pi);
    const double sign = part.min >= pi ? -1 : 1;
    if (aligned && sign * dot(a1, a2) > 0.5) {
        // A cone that has closed to a line takes two freedoms: a1 has no component across a2.
        const Vec3 t = b2.R * any_perpendicular(part.a2_B), s = cross(a2, t);
        out.add(angular_row(cross(a1, t), dot(a1, t), RowKind::equality));
        out.add(angular_row(cross(a1, s), dot(a1, s), RowKind::equality));
        return out;
    }
    const AngularError e = measure(part, b1, b2);
    const auto row = [&](RowKind kind, double bound) { return angular_row(-e.axis, e.value - bound, kind); };
    add_interval(out, part.min > 0 ? part.min : -infinity, part.max < pi ? part.max : infinity, row);
    return out;
}

PartRows twist_rows(const TwistPart& part, const Placement& b1, const Placement& b2) {
    PartRows out;
    if (part.max - part.min >= 2 * pi) return out;
    const Vec3 a1 = b1.R * part.a1_B, a2 = b2.R * part.a2_B;
    const double c = 1 + dot(a1, a2);
    if (c < 1e-9) return out;  // opposite axes: the twist is not defined
    const AngularError e = measure(part, b1, b2);
    const Vec3 axis = (a1 + a2) / c;
    add_interval(out, part.min, part.max,
                 [&](RowKind kind, double bound) { return angular_row(-axis, e.value - bound, kind); });
    return out;
}

}  // namespace

PointError measure(const PointPart& part, const Placement& b1, const Placement& b2, double reach, const double* from) {
    PointError e;
    e.r1 = b1.R * part.p1_G;
    const Vec3 P1 = b1.x + e.r1;
    Vec3 r2 = b2.R * part.p2_G;
    const Vec3 gap = P1 - (b2.x + r2);
    const auto p_2 = [&] { return transposed_times(b2.R, gap); };
    bool holds = false;
    const auto hold = [&](const NearestPlace& at) {
        e.place = at.place;
        e.freedoms = at.freedoms;
        e.free = b2.R * at.free;
        r2 = at.holds ? P1 - b2.x : r2 + b2.R * at.point;  // there and back would leave round-off as an error
        holds = at.holds;
    };
    if (const auto* s = std::get_if<SegmentDomain>(&part.domain)) {
        const Vec3 axis = b2.R * s->axis_2;
        e.place.x = dot(axis, gap);
        r2 += std::clamp(e.place.x, s->min, s->max) * axis;
        if (s->min < e.place.x && e.place.x < s->max) {
            e.freedoms = 1;
            e.free = axis;
        }
    } else if (const auto* ring = std::get_if<RingDomain>(&part.domain)) {
        const Vec3 n = b2.R * ring->normal_2;
        const RingPlace at = place_on_ring(n, gap);
        e.place.x = at.radius;
        r2 += std::clamp(at.radius, ring->min, ring->max) * at.direction;
        const bool inside = ring->min + reach < at.radius && at.radius < ring->max - reach;
        e.freedoms = inside ? 2 : 1;
        e.free = inside ? n : cross(n, at.direction);
    } else if (const auto* sphere = std::get_if<SphereDomain>(&part.domain)) {
        hold(nearest_place(*sphere, p_2(), reach));
    } else if (const auto* box = std::get_if<HeldInBox>(&part.domain)) {
        hold(nearest_place(*box, p_2(), reach));
    } else if (const auto* curve = std::get_if<HeldOnCurve>(&part.domain)) {
        hold(nearest_place(*curve, p_2(), reach, from));
    } else if (const auto* mesh = std::get_if<HeldByMesh>(&part.domain)) {
        hold(nearest_place(*mesh, p_2(), reach));
    }
    e.r2 = r2;
    e.d = holds ? Vec3{} : (b2.x + r2) - P1;
    return e;
}

AngularError measure(const AnglePart& part, const Placement& b1, const Placement& b2) {
    const Vec3 a1 = b1.R * part.a1_B, a2 = b2.R * part.a2_B;
    const Vec3 c = cross(a1, a2);
    const double s = norm(c);
    AngularError e;
    e.value = std::atan2(s, dot(a1, a2));
    // Parallel axes leave the plane of turning open; any_perpendicular picks the same one each time.
    e.axis = s > 1e-12 ? c / s : any_perpendicular(a1);
    measure_bounds(e, part.min, part.max, 1);
    return e;
}

AngularError measure(const TwistPart& part, const Placement& b1, const Placement& b2) {
    const Vec3 a1 = b1.R * part.a1_B, a2 = b2.R * part.a2_B;
    AngularError e;
    const double c = 1 + dot(a1, a2);
    e.axis = normalized(a1 + a2, a2);
    if (c < 1e-9) return e;  // opposite axes: the twist is not defined, nothing to correct
    const Vec3 b1s = rotate(shortest_arc(a1, a2), b1.R * part.b1_B);
    const Vec3 b2w = b2.R * part.b2_B;
    const double centre = 0.5 * (part.min + part.max);
    e.value = wrapped_near(std::atan2(dot(a2, cross(b1s, b2w)), dot(b1s, b2w)), centre);
    // Turning about the unit median axis by δ changes φ by δ √(2/c).
    measure_bounds(e, part.min, part.max, std::sqrt(2 / c));
    return e;
}

void loosen(PointError& e, double slack) {
    const double gap = norm(e.d);
    e.d *= gap > slack ? 1 - slack / gap : 0;
}

void loosen(AngularError& e, double slack) {
    e.past_min += slack;
    e.past_max -= slack;
    e.excess = e.past_min < 0 ? e.past_min : (e.past_max > 0 ? e.past_max : 0);
}

bool bends(const HeldDomain& domain) {
    return std::visit(
        Overloaded{[](const RingDomain& ring) { return ring.min > 0 || ring.max < infinity; },
                   [](const SphereDomain&) { return true; }, [](const HeldInBox& box) { return box.surface; },
                   [](const HeldOnCurve& on) { return !on.curve->straight(); }, [](const HeldByMesh&) { return true; },
                   [](const auto&) { return false; }},
        domain);
}

PartRows rows(const Part& part, const Placement& b1, const Placement& b2) {
    return std::visit(Overloaded{[&](const PointPart& p) { return point_rows(p, b1, b2); },
                                 [&](const AnglePart& p) { return angle_rows(p, b1, b2); },
                                 [&](const TwistPart& p) { return twist_rows(p, b1, b2); }},
                      part);
}

bool one_sided(const Part& part) {
    if (const auto* point = std::get_if<PointPart>(&part)) return !std::holds_alternative<PointDomain>(point->domain);
    if (const auto* angle = std::get_if<AnglePart>(&part)) return angle->min != angle->max;
    const auto& twist = std::get<TwistPart>(part);
    return twist.min != twist.max;
}

double violation(const Part& part, const Placement& b1, const Placement& b2) {
    return std::visit(Overloaded{[&](const PointPart& p) { return norm(measure(p, b1, b2).d); },
                                 [&](const auto& p) { return std::fabs(measure(p, b1, b2).excess); }},
                      part);
}

}  // namespace armature
