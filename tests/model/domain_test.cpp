// The nearest places of sphere, box, curve and mesh: against samples of the domain, and where several are equally near.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>

#include "armature/math/random.h"
#include "armature/model/compile.h"
#include "armature/model/joint_parts.h"
#include "support/domains.h"
#include "support/test_scale.h"

namespace armature {
namespace {

using test::by_mesh;
using test::circle_points;
using test::on_curve;
using test::winding_points;

NearestPlace place_of(const HeldDomain& domain, const Vec3& p) {
    return std::visit(
        [&](const auto& d) {
            if constexpr (requires { nearest_place(d, p); })
                return nearest_place(d, p);
            else
                return NearestPlace{};
        },
        domain);
}

// ---- against samples ---------------------------------------------------------------------------------------------------

/// Points of a domain that lie so densely that none of its points is farther than `spacing` from one of them. Domains
/// with an inside have it in `inside`, and only their boundary sampled. They are half a million in all, made by the test that
/// wants them and not by every start of this program.
struct Sampled {
    const char* name;
    HeldDomain domain;
    std::function<std::vector<Vec3>()> sample;
    double spacing = 0;
    std::function<bool(const Vec3&)> inside{};
};
void PrintTo(const Sampled& s, std::ostream* out) {
    *out << s.name;
}

std::vector<Vec3> ball_points(double radius) {
    std::vector<Vec3> points;
    const int n = 40000;  // a spiral from pole to pole [Fibonacci]: one point on 4πr²/n
    for (int i = 0; i < n; ++i) {
        const double z = 1 - (2 * i + 1.0) / n, r = std::sqrt(1 - z * z), angle = i * 2.399963229728653;
        points.push_back(radius * Vec3{r * std::cos(angle), r * std::sin(angle), z});
    }
    return points;
}

std::vector<Vec3> triangle_points(const TriangleMesh& mesh, int n) {
    std::vector<Vec3> points;
    for (const auto& [a, b, c] : mesh.triangles)
        for (int i = 0; i <= n; ++i)
            for (int j = 0; i + j <= n; ++j) {
                const double u = static_cast<double>(i) / n, v = static_cast<double>(j) / n;
                const auto at = [&](int k) { return mesh.vertices[static_cast<std::size_t>(k)]; };
                points.push_back((1 - u - v) * at(a) + u * at(b) + v * at(c));
            }
    return points;
}

/// Barry and Goldman's pyramid, the definition of the spline; the code uses Bézier points instead.
Vec3 barry_goldman(const std::array<Vec3, 4>& P, double u) {
    std::array<double, 4> t{};
    for (std::size_t i = 1; i < 4; ++i) t[i] = t[i - 1] + std::sqrt(norm(P[i] - P[i - 1]));
    const double x = t[1] + u * (t[2] - t[1]);
    const auto mix = [&](const Vec3& a, const Vec3& b, std::size_t i, std::size_t j) {
        return ((t[j] - x) * a + (x - t[i]) * b) / (t[j] - t[i]);
    };
    const Vec3 A1 = mix(P[0], P[1], 0, 1), A2 = mix(P[1], P[2], 1, 2), A3 = mix(P[2], P[3], 2, 3);
    return mix(mix(A1, A2, 0, 2), mix(A2, A3, 1, 3), 1, 2);
}

std::vector<Vec3> curve_points(CurveKind kind, const std::vector<Vec3>& P, bool closed, int per_piece) {
    const auto n = static_cast<int>(P.size());
    const auto at = [&](int i) {
        if (closed) return P[static_cast<std::size_t>((i + n) % n)];
        if (i < 0) return 2 * P[0] - P[1];
        if (i >= n) return 2 * P[P.size() - 1] - P[P.size() - 2];
        return P[static_cast<std::size_t>(i)];
    };
    std::vector<Vec3> points;
    for (int i = 0; i < (closed ? n : n - 1); ++i)
        for (int k = 0; k <= per_piece; ++k) {
            const double u = static_cast<double>(k) / per_piece;
            points.push_back(kind == CurveKind::polyline ? (1 - u) * at(i) + u * at(i + 1)
                                                         : barry_goldman({at(i - 1), at(i), at(i + 1), at(i + 2)}, u));
        }
    return points;
}

TriangleMesh centred_cube() {
    TriangleMesh cube = test::unit_cube();
    for (Vec3& v : cube.vertices) v = v - Vec3{0.5, 0.5, 0.5};
    return cube;
}

const std::vector<Sampled>& sampled() {
    static const std::vector<Sampled> list = [] {
        const Mat3 R = to_matrix(from_axis_angle({1, 2, 3}, 0.7));
        TriangleMesh box = centred_cube(), open = box;
        for (Vec3& v : box.vertices) v = R * cwise_product(v, {1, 0.6, 1.4});
        open.triangles.resize(7);
        const TriangleMesh ball = test::unit_ball(2);
        const auto in_box = [=](const Vec3& p) {
            const Vec3 q = transposed_times(R, p);
            return std::fabs(q.x) < 0.5 && std::fabs(q.y) < 0.3 && std::fabs(q.z) < 0.7;
        };
        const auto in_ball = [=](const Vec3& p) {  // convex: behind every face
            for (const auto& [a, b, c] : ball.triangles) {
                const Vec3 A = ball.vertices[static_cast<std::size_t>(a)];
                if (dot(p - A, cross(ball.vertices[static_cast<std::size_t>(b)] - A,
                                     ball.vertices[static_cast<std::size_t>(c)] - A)) > 0)
                    return false;
            }
            return true;
        };
        const auto on_ball = [] { return ball_points(0.7); };
        const auto on_shell = [] {
            std::vector<Vec3> points = ball_points(0.4);
            for (const Vec3& p : ball_points(0.9)) points.push_back(p);
            return points;
        };
        const auto on_mesh = [](const TriangleMesh& mesh, int n) { return [=] { return triangle_points(mesh, n); }; };
        const std::vector<Vec3> winding = winding_points(), ring = circle_points(7, 0.7);
        const auto curve = [](const char* name, CurveKind kind, const std::vector<Vec3>& P, bool closed) {
            return Sampled{name, on_curve(kind, P, closed), [=] { return curve_points(kind, P, closed, 4000); }, 3e-4};
        };
        return std::vector<Sampled>{
            {"sphere", SphereDomain{0.7, 0.7}, on_ball, 0.012},
            {"ball", SphereDomain{0, 0.7}, on_ball, 0.012, [](const Vec3& p) { return norm(p) < 0.7; }},
            {"shell", SphereDomain{0.4, 0.9}, on_shell, 0.016,
             [](const Vec3& p) { return norm(p) > 0.4 && norm(p) < 0.9; }},
            {"outside_a_ball", SphereDomain{0.7, infinity}, on_ball, 0.012,
             [](const Vec3& p) { return norm(p) > 0.7; }},
            {"box", HeldInBox{{0.5, 0.3, 0.7}, R, false}, on_mesh(box, 100), 0.01, in_box},
            {"box_surface", HeldInBox{{0.5, 0.3, 0.7}, R, true}, on_mesh(box, 100), 0.01},
            curve("polyline", CurveKind::polyline, winding, false),
            curve("closed_polyline", CurveKind::polyline, winding, true),
            curve("spline", CurveKind::spline, winding, false),
            curve("closed_spline", CurveKind::spline, winding, true),
            curve("round_spline", CurveKind::spline, ring, true),
            {"mesh_surface", by_mesh(ball, false), on_mesh(ball, 15), 0.04},
            {"open_mesh", by_mesh(open, false), on_mesh(open, 100), 0.01},
            {"within_a_mesh", by_mesh(box, true), on_mesh(box, 100), 0.01, in_box},
            {"within_a_round_mesh", by_mesh(ball, true), on_mesh(ball, 15), 0.04, in_ball},
        };
    }();
    return list;
}

class EveryDomain : public testing::TestWithParam<Sampled> {};

TEST_P(EveryDomain, ItsNearestPlaceIsNotFartherThanAnySampleAndLiesInTheDomain) {
    const Sampled& s = GetParam();
    const std::vector<Vec3> points = s.sample();
    Random random(7);
    const int count = test::scaled(10000, 60);
    for (int k = 0; k < count; ++k) {
        Vec3 p = random.in_box(1.3);
        // A tenth each: on the domain, and just beside it.
        const Vec3 on = points[static_cast<std::size_t>(random.integer(0, static_cast<int>(points.size()) - 1))];
        if (k % 10 == 1) p = on;
        if (k % 10 == 2) p = on + random.in_box(1e-5);
        const NearestPlace at = place_of(s.domain, p);
        const double distance = norm(at.point - p);
        ASSERT_TRUE(is_finite(at.point));
        if (k % 10 != 1 && s.inside && s.inside(p)) {
            ASSERT_EQ(at.point, p) << "query " << k;
            ASSERT_TRUE(at.holds);
            ASSERT_EQ(at.freedoms, 3);
            continue;
        }
        double best2 = infinity;
        for (const Vec3& q : points) {
            const Vec3 d = q - p;
            best2 = std::min(best2, norm2(d));
        }
        ASSERT_LE(distance, std::sqrt(best2) + 1e-9) << "query " << k;
        ASSERT_GE(distance, std::sqrt(best2) - s.spacing) << "query " << k;
        ASSERT_LT(norm(place_of(s.domain, at.point).point - at.point), 1e-12) << "query " << k;
        ASSERT_EQ(place_of(s.domain, p).point, at.point) << "query " << k;
        if (at.freedoms != 1 && at.freedoms != 2) continue;
        ASSERT_NEAR(norm(at.free), 1, 1e-12);
        if (distance < 1e-7) continue;
        // What the domain blocks is what it pushes along.
        const double along = std::fabs(dot((at.point - p) / distance, at.free));
        ASSERT_NEAR(along, at.freedoms == 1 ? 0 : 1, 1e-6) << "query " << k;
    }
}

INSTANTIATE_TEST_SUITE_P(Kind, EveryDomain, testing::ValuesIn(sampled()),
                         [](const auto& kind) { return std::string(kind.param.name); });

// ---- where several places are equally near -----------------------------------------------------------------------------

TEST(EquallyNear, AtTheCentreOfASphereTheOneAlongX) {
    EXPECT_EQ(nearest_place(SphereDomain{0.5, 0.5}, {}).point, (Vec3{0.5, 0, 0}));
    EXPECT_EQ(nearest_place(SphereDomain{0.5, infinity}, {}).point, (Vec3{0.5, 0, 0}));
    EXPECT_EQ(nearest_place(SphereDomain{0, 0}, {0.1, 0, 0}).point, (Vec3{}));
}

TEST(EquallyNear, InABoxTheFirstFace) {
    const HeldInBox cube{{0.5, 0.5, 0.5}, Mat3::identity(), true};
    EXPECT_EQ(nearest_place(cube, {}).point, (Vec3{0.5, 0, 0}));
    EXPECT_EQ(nearest_place(cube, {0, -0.2, 0.2}).point, (Vec3{0, -0.5, 0.2})) << "y before z";
    EXPECT_EQ(nearest_place(cube, {-0.3, 0.3, 0}).point, (Vec3{-0.5, 0.3, 0})) << "x before y";
}

TEST(EquallyNear, BesideABoxTheEdgeAndTheCornerLeaveTheirOwnFreedoms) {
    for (const bool surface : {false, true}) {
        const HeldInBox box{{1, 2, 3}, Mat3::identity(), surface};
        const NearestPlace face = nearest_place(box, {1.5, 0, 0}), edge = nearest_place(box, {1.5, 2.5, 0}),
                           corner = nearest_place(box, {-1.5, 2.5, -4});
        EXPECT_EQ(face.freedoms, 2);
        EXPECT_EQ(face.free, (Vec3{1, 0, 0}));
        EXPECT_EQ(edge.freedoms, surface ? 2 : 1) << "on the surface it may go on over either face";
        EXPECT_EQ(edge.free, surface ? normalized(Vec3{1, 1, 0}) : (Vec3{0, 0, 1}));
        EXPECT_EQ(corner.freedoms, surface ? 2 : 0);
        EXPECT_EQ(corner.point, (Vec3{-1, 2, -3}));
    }
}

TEST(EquallyNear, OnACurveTheFirstAlongIt) {
    // The middle of a square, at the same distance from four sides, and a point over the crossing of an eight.
    const HeldOnCurve square = on_curve(CurveKind::polyline, {{1, 1, 0}, {-1, 1, 0}, {-1, -1, 0}, {1, -1, 0}}, true);
    EXPECT_LT(norm(nearest_place(square, {}).point - Vec3{0, 1, 0}), 1e-15);
    EXPECT_NEAR(nearest_place(square, {}).place.x, 1, 1e-14);
    const HeldOnCurve eight = on_curve(CurveKind::polyline, {{-1, -1, 0}, {1, 1, 0}, {1, -1, 0}, {-1, 1, 0}}, true);
    const NearestPlace crossing = nearest_place(eight, {0, 0, 0.5});
    EXPECT_NEAR(norm(crossing.point), 0, 1e-15);
    EXPECT_NEAR(crossing.place.x, std::sqrt(2.0), 1e-12) << "of the two branches the first";
}

TEST(EquallyNear, OnAMeshTheTriangleWithTheLowestNumber) {
    // The centre of a cube: six faces as near as each other; triangles 0 and 1 are its face x = −½.
    EXPECT_EQ(nearest_place(by_mesh(centred_cube(), false), {}).point, (Vec3{-0.5, 0, 0}));
    TriangleMesh turned = centred_cube();
    std::rotate(turned.triangles.begin(), turned.triangles.begin() + 4, turned.triangles.end());
    EXPECT_EQ(nearest_place(by_mesh(turned, false), {}).point, (Vec3{0, -0.5, 0}));
}

// ---- curves ------------------------------------------------------------------------------------------------------------

TEST(CurveShape, ASplineGoesThroughItsPointsWithOneTangentOnEitherSide) {
    const std::vector<Vec3> points = winding_points();
    for (const bool closed : {false, true}) {
        const Curve curve(CurveKind::spline, points, closed);
        for (std::size_t i = 0; i < points.size(); ++i) {
            const CurvePoint at = curve.nearest(points[i]);
            EXPECT_LT(norm(at.point - points[i]), 1e-12);
            const CurvePoint before = curve.nearest(at.point - 1e-6 * at.tangent),
                             after = curve.nearest(at.point + 1e-6 * at.tangent);
            EXPECT_LT(norm(before.tangent - after.tangent), 1e-3);
        }
        EXPECT_EQ(curve.nearest(points.front()).end, closed ? 0 : -1);
        EXPECT_EQ(curve.nearest(points.back()).end, closed ? 0 : 1);
    }
}

TEST(CurveShape, ArcLengthIsThatOfFineSamples) {
    for (const bool closed : {false, true}) {
        const std::vector<Vec3> fine = curve_points(CurveKind::spline, winding_points(), closed, 20000);
        double length = 0;
        for (std::size_t i = 1; i < fine.size(); ++i) length += norm(fine[i] - fine[i - 1]);
        EXPECT_NEAR(Curve(CurveKind::spline, winding_points(), closed).length(), length, 1e-7);
    }
    EXPECT_NEAR(Curve(CurveKind::polyline, {{0, 0, 0}, {3, 4, 0}, {3, 4, 1}}, false).length(), 6, 1e-14);
}

TEST(CurveShape, SixtyFourPointsMakeARoundCircle) {
    const Curve circle(CurveKind::spline, circle_points(64, 1), true);
    Random random(3);
    double worst = 0;
    for (int k = 0; k < 2000; ++k)
        worst = std::fmax(worst, std::fabs(norm(circle.nearest(random.direction()).point) - 1));
    EXPECT_LT(worst, 1e-5);
    EXPECT_NEAR(circle.length(), 2 * pi, 1e-4);
}

TEST(CurveShape, DefectsAreNamedWithTheirPoint) {
    using P = std::vector<Vec3>;
    const auto defect = [](CurveKind kind, const P& points, bool closed) {
        return find_curve_defect(kind, points, closed).what;
    };
    const Vec3 a{0, 0, 0}, b{1, 0, 0}, c{1, 1, 0};
    EXPECT_EQ(defect(CurveKind::spline, {a, b, c}, true), "");
    EXPECT_EQ(defect(CurveKind::polyline, {a}, false), "1 point make no open curve");
    EXPECT_EQ(defect(CurveKind::polyline, {a, b}, true), "2 points make no closed curve");
    EXPECT_EQ(defect(CurveKind::polyline, {a, b, b, c}, false), "points 2 and 3 are both at (1, 0, 0)");
    EXPECT_EQ(defect(CurveKind::polyline, {a, b, c, a}, true),
              "the last point of the closed curve is its first, (0, 0, 0)");
    EXPECT_EQ(defect(CurveKind::polyline, {a, b, a}, false), "") << "there and back is a polyline";
    EXPECT_EQ(defect(CurveKind::spline, {a, b, a}, false),
              "the spline turns back on itself at point 2, (1, 0, 0), and has no direction there");
    EXPECT_EQ(defect(CurveKind::polyline, {a, {NAN, 0, 0}}, false), "point 2 is not finite");
}

// ---- meshes ------------------------------------------------------------------------------------------------------------

TEST(SurfaceShape, DefectsAreNamedWithTheirTriangle) {
    TriangleMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {2, 0, 0}}, {{0, 1, 2}, {0, 1, 3}}};
    EXPECT_EQ(find_surface_defect(mesh), "triangle 1 at (0, 0, 0) has no area");
    mesh.triangles[1] = {0, 1, 4};
    EXPECT_EQ(find_surface_defect(mesh), "triangle 1 uses vertex 4, but there are 4 vertices");
    mesh.triangles.clear();
    EXPECT_EQ(find_surface_defect(mesh), "it has no triangles");
}

TEST(SurfaceShape, TellsInsideFromOutsideAtSharpCorners) {
    // A needle of a tetrahedron: near its tip the plain normal of a triangle gives the wrong side.
    const TriangleMesh needle{{{0, 0, 0}, {1, 0, 0.05}, {1, 0.05, -0.05}, {1, -0.05, -0.05}},
                              {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}}};
    ASSERT_EQ(find_mesh_defect(needle), "");
    const Surface surface(needle);
    Random random(5);
    int inside = 0;
    for (int k = 0; k < 20000; ++k) {
        const Vec3 p = k % 2 == 0 ? random.in_box(0.05) : Vec3{random.uniform(0, 1), 0, 0} + random.in_box(0.06);
        bool behind_all = true;
        double margin = infinity;
        for (const auto& [a, b, c] : needle.triangles) {
            const Vec3 A = needle.vertices[static_cast<std::size_t>(a)];
            const Vec3 n = normalized(cross(needle.vertices[static_cast<std::size_t>(b)] - A,
                                            needle.vertices[static_cast<std::size_t>(c)] - A));
            behind_all = behind_all && dot(p - A, n) < 0;
            margin = std::fmin(margin, std::fabs(dot(p - A, n)));
        }
        if (margin < 1e-12) continue;
        inside += behind_all ? 1 : 0;
        ASSERT_EQ(surface.nearest(p).outside < 0, behind_all) << k;
    }
    EXPECT_GT(inside, 500);
}

TEST(SurfaceShape, StlCornersThatAreSplitCountAsOne) {
    TriangleMesh split;
    const TriangleMesh cube = centred_cube();
    for (const auto& t : cube.triangles) {
        const int n = static_cast<int>(split.vertices.size());
        for (const int i : t) split.vertices.push_back(cube.vertices[static_cast<std::size_t>(i)]);
        split.triangles.push_back({n, n + 1, n + 2});
    }
    const Surface a(cube), b(split);
    Random random(6);
    for (int k = 0; k < 2000; ++k) {
        const Vec3 p = random.in_box(1);
        ASSERT_EQ(a.nearest(p).outside, b.nearest(p).outside);
    }
}

TEST(SurfaceShape, LooksAtFewOfManyTriangles) {
    // 2 · 4⁷ triangles; a query near the surface calls for the distance of a few dozen of them.
    const TriangleMesh ball = test::unit_ball(6);
    std::vector<Bounds3> boxes;
    for (const auto& [a, b, c] : ball.triangles) {
        Bounds3 box{ball.vertices[static_cast<std::size_t>(a)], ball.vertices[static_cast<std::size_t>(a)]};
        for (const int i : {b, c}) box.include(ball.vertices[static_cast<std::size_t>(i)]);
        boxes.push_back(box);
    }
    const BoxTree tree(boxes);
    EXPECT_LE(tree.depth(), 15);
    Random random(8);
    int most = 0;
    for (int k = 0; k < 1000; ++k) {
        int asked = 0;
        const Vec3 p = random.uniform(0.999, 1.001) * random.direction();
        tree.nearest(p, [&](int i) {
            ++asked;
            return boxes[static_cast<std::size_t>(i)].distance2(p);
        });
        most = std::max(most, asked);
    }
    EXPECT_EQ(ball.triangles.size(), 32768U);
    EXPECT_LT(most, 100);
}

// ---- the fingerprint ---------------------------------------------------------------------------------------------------

TEST(DomainFingerprint, ChangesWithEveryNumberOfTheDomain) {
    const Vec3 a{0, 0, 0}, b{1, 0, 0}, c{1, 1, 0}, d{0, 1, 0};
    TriangleMesh cube = test::unit_cube(), other = cube, renumbered = cube;
    other.vertices[7].x = 1.5;
    std::swap(renumbered.triangles[0], renumbered.triangles[5]);
    const auto mesh = [](const TriangleMesh& m, const Quat& q, bool inside) {
        return MeshDomain{"", std::make_shared<const TriangleMesh>(m), q, inside};
    };
    const Quat turn = from_axis_angle({0, 1, 0}, 0.3);
    const std::vector<Domain> different{SphereDomain{0, 1},
                                        SphereDomain{1, 1},
                                        SphereDomain{1, 2},
                                        BoxDomain{{1, 1, 1}, {}, false},
                                        BoxDomain{{1, 1, 2}, {}, false},
                                        BoxDomain{{1, 1, 1}, turn, false},
                                        BoxDomain{{1, 1, 1}, {}, true},
                                        CurveDomain{CurveKind::polyline, {a, b, c}, false},
                                        CurveDomain{CurveKind::spline, {a, b, c}, false},
                                        CurveDomain{CurveKind::polyline, {a, b, c}, true},
                                        CurveDomain{CurveKind::polyline, {a, b, d}, false},
                                        CurveDomain{CurveKind::polyline, {a, b, c, d}, false},
                                        mesh(cube, {}, false),
                                        mesh(cube, {}, true),
                                        mesh(cube, turn, false),
                                        mesh(other, {}, false),
                                        mesh(renumbered, {}, false)};
    std::set<std::uint64_t> seen;
    for (const Domain& domain : different) {
        Spec spec;
        spec.add_solid("bead").particle = true;
        spec.solids[0].mass = 1;
        spec.add_constraint("bead", "world").hinge.emplace().domain = domain;
        EXPECT_TRUE(seen.insert(compile(spec).fingerprint).second) << "domain " << seen.size();
        EXPECT_FALSE(seen.insert(compile(spec).fingerprint).second) << "the same twice";
    }
}

}  // namespace
}  // namespace armature
