#include "armature/model/domain/curve.h"

#include <fmt/format.h>

#include <cmath>

namespace armature {

namespace {

using Bezier = std::array<Vec3, 4>;

Vec3 value(const Bezier& b, double t) {
    const double s = 1 - t;
    return (s * s * s) * b[0] + (3 * s * s * t) * b[1] + (3 * s * t * t) * b[2] + (t * t * t) * b[3];
}
Vec3 derivative(const Bezier& b, double t) {
    const double s = 1 - t;
    return (3 * s * s) * (b[1] - b[0]) + (6 * s * t) * (b[2] - b[1]) + (3 * t * t) * (b[3] - b[2]);
}
Vec3 second_derivative(const Bezier& b, double t) {
    return (6 * (1 - t)) * ((b[2] - b[1]) - (b[1] - b[0])) + (6 * t) * ((b[3] - b[2]) - (b[2] - b[1]));
}

/// Length of the piece from 0 to t: Gauss' rule with five places; for a piece that turns by 0.2 rad good to 1e-10.
double length_to(const Bezier& b, double t) {
    constexpr double x1 = 0.5384693101056831, x2 = 0.9061798459386640;
    constexpr double w0 = 0.5688888888888889, w1 = 0.4786286704993665, w2 = 0.2369268850561891;
    const double h = 0.5 * t;
    const auto speed = [&](double x) { return norm(derivative(b, h + h * x)); };
    return h * (w0 * speed(0) + w1 * (speed(-x1) + speed(x1)) + w2 * (speed(-x2) + speed(x2)));
}

Vec3 unit_tangent(const Bezier& b, double t) {
    return normalized(derivative(b, t), normalized(b[3] - b[0]));
}

Bezier line(const Vec3& a, const Vec3& b) {
    return {a, a + (b - a) / 3, b - (b - a) / 3, b};
}

double turn_between(const Vec3& a, const Vec3& b) {
    return std::atan2(norm(cross(a, b)), dot(a, b));
}

/// The control polygon turns at least as much as the curve does.
double turn_of(const Bezier& b) {
    return turn_between(b[1] - b[0], b[2] - b[1]) + turn_between(b[2] - b[1], b[3] - b[2]);
}

/// m_i of the header from the neighbours of a point.
Vec3 catmull_rom_tangent(const Vec3& before, const Vec3& at, const Vec3& after) {
    const double d0 = std::sqrt(norm(at - before)), d1 = std::sqrt(norm(after - at));
    return (at - before) / d0 - (after - before) / (d0 + d1) + (after - at) / d1;
}

/// P_i where the curve has one; beyond an open end by reflection.
Vec3 point_at(const std::vector<Vec3>& points, bool closed, std::ptrdiff_t i) {
    const auto n = static_cast<std::ptrdiff_t>(points.size());
    const auto at = [&](std::ptrdiff_t k) { return points[static_cast<std::size_t>(k)]; };
    if (closed) return at((i + n) % n);
    if (i < 0) return 2 * at(0) - at(1);
    if (i >= n) return 2 * at(n - 1) - at(n - 2);
    return at(i);
}

/// g = (c − p)·c', the slope of half the squared distance: a minimum is where it goes from − to +.
double slope(const Bezier& b, double t, const Vec3& p) {
    return dot(value(b, t) - p, derivative(b, t));
}

/// g' = |c'|² + (c − p)·c'' > 0 all along the piece. c' along the chord, c and c'' lie between those of the control points.
bool has_one_root(const Bezier& b, const Vec3& p) {
    const Vec3 along = normalized(b[3] - b[0]);
    const double slowest = 3 * std::min({dot(b[1] - b[0], along), dot(b[2] - b[1], along), dot(b[3] - b[2], along)});
    if (!(slowest > 0)) return false;
    double least = 0;
    for (const Vec3& bend : {second_derivative(b, 0), second_derivative(b, 1)})
        for (const Vec3& c : b) least = std::min(least, dot(c - p, bend));
    return slowest * slowest + least > 0;
}

/// Newton's method on g, kept between low (g < 0) and high (g > 0) by halving.
double root_between(const Bezier& b, double low, double high, const Vec3& p) {
    const Vec3 start = value(b, low), chord = value(b, high) - start;
    double t = low + (high - low) * std::clamp(dot(p - start, chord) / norm2(chord), 0.0, 1.0);
    for (int k = 0; k < 60; ++k) {
        const Vec3 off = value(b, t) - p, d1 = derivative(b, t);
        const double g = dot(off, d1), rate = norm2(d1) + dot(off, second_derivative(b, t));
        (g < 0 ? low : high) = t;
        const double newton = t - g / rate;
        if (rate > 0 && std::fabs(newton - t) <= 1e-15) break;
        t = rate > 0 && newton > low && newton < high ? newton : 0.5 * (low + high);
        if (high - low <= 1e-15) break;
    }
    return t;
}

std::string text_of(const Vec3& p) {
    return fmt::format("({}, {}, {})", p.x, p.y, p.z);
}

}  // namespace

CurveDefect find_curve_defect(CurveKind kind, const std::vector<Vec3>& points, bool closed) {
    const std::size_t n = points.size(), least = closed ? 3 : 2;
    if (n < least)
        return {fmt::format("{} point{} make no {} curve", n, n == 1 ? "" : "s", closed ? "closed" : "open"),
                fmt::format("give at least {}", least)};
    double reach = 0;
    for (std::size_t i = 0; i < n; ++i) {
        if (!is_finite(points[i])) return {fmt::format("point {} is not finite", i + 1), "give finite numbers"};
        reach = std::max(reach, norm(points[i]));
    }
    if (!(reach < 1e100)) return {"it reaches too far for distances to be computed", "give smaller coordinates"};
    for (std::size_t i = 0; i + (closed ? 0 : 1) < n; ++i) {
        const std::size_t next = (i + 1) % n;
        // Nearer than round-off there is no direction from one to the other.
        if (norm(points[next] - points[i]) > 1e-12 * std::max(reach, 1e-6)) continue;
        if (next == 0)
            return {fmt::format("the last point of the closed curve is its first, {}", text_of(points[0])),
                    "leave the last one out: a closed curve returns by itself"};
        return {fmt::format("points {} and {} are both at {}", i + 1, next + 1, text_of(points[i])),
                "leave one of them out"};
    }
    if (kind == CurveKind::polyline) return {};
    for (std::size_t i = 0; i < n; ++i) {
        const auto k = static_cast<std::ptrdiff_t>(i);
        const Vec3 before = point_at(points, closed, k - 1), after = point_at(points, closed, k + 1);
        const double scale = std::sqrt(norm(points[i] - before)) + std::sqrt(norm(after - points[i]));
        if (norm(catmull_rom_tangent(before, points[i], after)) > 1e-6 * scale) continue;
        return {fmt::format("the spline turns back on itself at point {}, {}, and has no direction there", i + 1,
                            text_of(points[i])),
                "move the point before or behind it aside, or use a polyline"};
    }
    return {};
}

Curve::Curve(CurveKind kind, const std::vector<Vec3>& points, bool closed)
    : kind_(kind), closed_(closed), points_(points) {
    const auto n = static_cast<std::ptrdiff_t>(points.size());
    const std::ptrdiff_t count = closed ? n : n - 1;
    for (std::ptrdiff_t i = 0; i < count; ++i) {
        const Vec3 P0 = point_at(points, closed, i), P1 = point_at(points, closed, i + 1);
        if (kind == CurveKind::polyline || n == 2) {
            add(line(P0, P1), 0);
            continue;
        }
        const double knot = std::sqrt(norm(P1 - P0));
        const Vec3 m0 = catmull_rom_tangent(point_at(points, closed, i - 1), P0, P1);
        const Vec3 m1 = catmull_rom_tangent(P0, P1, point_at(points, closed, i + 2));
        add({P0, P0 + (knot / 3) * m0, P1 - (knot / 3) * m1, P1}, 8);
    }
    straight_ = pieces_.size() == 1;
    std::vector<Bounds3> boxes;
    for (Piece& piece : pieces_) {
        piece.start = length_;
        piece.length = length_to(piece.b, 1);
        length_ += piece.length;
        Bounds3 box{piece.b[0], piece.b[0]};  // a Bézier curve stays within the hull of its points
        for (const Vec3& p : piece.b) {
            box.include(p);
            reach_ = std::max(reach_, norm(p));
        }
        boxes.push_back(box);
    }
    tree_ = BoxTree(boxes);
}

/// Halves what turns too much [de Casteljau].
void Curve::add(const Bezier& b, int halvings) {
    if (halvings == 0 || !(turn_of(b) > max_turn)) {
        pieces_.push_back({b, 0, 0});
        return;
    }
    const Vec3 ab = 0.5 * (b[0] + b[1]), bc = 0.5 * (b[1] + b[2]), cd = 0.5 * (b[2] + b[3]);
    const Vec3 abc = 0.5 * (ab + bc), bcd = 0.5 * (bc + cd), middle = 0.5 * (abc + bcd);
    add({b[0], ab, abc, middle}, halvings - 1);
    add({middle, bcd, cd, b[3]}, halvings - 1);
}

Curve::Found Curve::nearest_on(const Piece& piece, const Vec3& p) {
    const Bezier& b = piece.b;
    const double at_start = norm2(b[0] - p), at_end = norm2(b[3] - p);
    Found best = at_end < at_start ? Found{1, at_end} : Found{0, at_start};
    const int parts = has_one_root(b, p) ? 1 : 16;
    double low = 0, slope_low = slope(b, 0, p);
    for (int k = 1; k <= parts; ++k) {
        const double high = static_cast<double>(k) / parts, slope_high = slope(b, high, p);
        if (slope_low < 0 && slope_high > 0) {
            const double t = root_between(b, low, high, p), d2 = norm2(value(b, t) - p);
            if (d2 <= best.distance2) best = {t, d2};
        }
        low = high;
        slope_low = slope_high;
    }
    return best;
}

/// At a corner the bead may go either way. Its tangent lies between the two and across the way to p, which is then, as
/// everywhere else on the curve, what the curve blocks.
Vec3 Curve::corner_tangent(const Vec3& before, const Vec3& after, const Vec3& away) const {
    const Vec3 mean = before + after;
    if (!(norm(mean) > 1e-9)) return after;  // there and back: the end of a spur
    const Vec3 tangent = normalized(mean), across = normalized(away, {});
    const Vec3 rest = tangent - dot(tangent, across) * across;
    return norm(rest) > 1e-6 ? normalized(rest) : tangent;
}

CurvePoint Curve::nearest(const Vec3& p) const {
    return point_on(tree_.nearest(p, [&](int k) { return nearest_on(piece(k), p).distance2; }), p);
}

CurvePoint Curve::nearest(const Vec3& p, double from) const {
    // A bend makes the way along the curve longer than the straight one; twice as long only where it turns by more than 200°.
    const double window = 2 * norm(p - at_length(from)) + 1e-9 * length_;
    return point_on(
        tree_.nearest(p,
                      [&](int k) { return way_to(k, from) > window ? infinity : nearest_on(piece(k), p).distance2; }),
        p);
}

/// How far it is along the curve to the nearer end of a piece, 0 when `from` is on it.
double Curve::way_to(int k, double from) const {
    const double begin = piece(k).start, end = begin + piece(k).length;
    if (begin <= from && from <= end) return 0;
    const double straight = from < begin ? begin - from : from - end;
    return closed_ ? std::min(straight, from < begin ? from + length_ - end : begin + length_ - from) : straight;
}

Vec3 Curve::at_length(double length) const {
    const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), length,
                                        [](double l, const Piece& piece) { return l < piece.start; });
    const Piece& at = after == pieces_.begin() ? *after : *(after - 1);
    // The speed along a short piece is nearly constant, and this needs to be right to a fraction of a step only.
    return value(at.b, std::clamp((length - at.start) / at.length, 0.0, 1.0));
}

CurvePoint Curve::point_on(int i, const Vec3& p) const {
    const Piece& at = piece(i);
    const double t = nearest_on(at, p).t;
    CurvePoint found{value(at.b, t), unit_tangent(at.b, t), at.start + length_to(at.b, t), 0};
    if (t > 0 && t < 1) return found;
    const int last = static_cast<int>(pieces_.size()) - 1, side = t > 0 ? 1 : -1;
    found.point = t > 0 ? at.b[3] : at.b[0];
    int other = i + side;
    if (other < 0 || other > last) {
        if (!closed_) {
            found.end = side;
            return found;
        }
        other = other < 0 ? last : 0;
    }
    const Vec3 beside = unit_tangent(piece(other).b, t > 0 ? 0 : 1);
    const Vec3 before = side > 0 ? found.tangent : beside, after = side > 0 ? beside : found.tangent;
    found.tangent = corner_tangent(before, after, p - found.point);
    return found;
}

}  // namespace armature
