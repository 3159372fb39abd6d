// What holds for every pair of shapes in every pose, against brute force.
#include "contact/reference.h"
#include "support/allocation_counter.h"
#include "support/test_scale.h"

namespace armature {
namespace {

using namespace test;

constexpr double wide = 4;  // a margin that takes in everything
constexpr int kinds = 5;    // and meshes, which are no convex bodies and have tests of their own

Geometry random_shape(Random& random, int kind) {
    const auto d = [&] { return random.log_uniform(0.05, 1); };
    const double a = d(), b = d(), c = d();
    switch (kind) {
        case 0:
            return Sphere{a};
        case 1:
            return Capsule{a, b};
        case 2:
            return Cylinder{a, b};
        case 3:
            return Box{{a, b, c}};
        default:
            return Ellipsoid{{a, b, c}};
    }
}

struct Pair {
    Geometry s1, s2;
    Pose X1, X2;

    double gap_along(const Vec3& n) const { return test::gap_along(s1, X1, s2, X2, n); }
    double size() const { return radius_about_origin(s1) + radius_about_origin(s2); }
    std::vector<ContactPoint> contacts(double margin) const { return test::contacts(s1, X1, s2, X2, margin); }
    Vec3 up() const { return rotate(X2.q, {0, 1, 0}); }
};

/// Against a box or a plane; apart, touching with a few millimetres of overlap, or deep inside.
enum class Depth { apart, shallow, deep };
Pair random_pair(Random& random, int kind, bool plane, Depth depth) {
    Pair p{random_shape(random, kind), random_shape(random, 3), {}, {}};
    p.X1 = {random.in_box(1), random.orientation()};
    p.X2 = {random.in_box(1), random.orientation()};
    const double wanted = depth == Depth::apart     ? random.uniform(0, 0.2)
                          : depth == Depth::shallow ? -random.uniform(0, 0.005)
                                                    : -random.uniform(0, 1);
    if (plane) {
        p.s2 = Plane{};
        const double height = dot(p.up(), p.X1.x - p.X2.x) - extent(p.s1, rotate_back(p.X1.q, -p.up()));
        p.X1.x += (wanted - height) * p.up();
    } else {
        const Vec3 n = random.direction();
        p.X1.x += (wanted - p.gap_along(n)) * n;
    }
    return p;
}

/// For each kind of shape, against boxes and planes, at every depth.
template <class Check>
void for_random_pairs(int count, const Check& check) {
    for (int kind = 0; kind < kinds; ++kind)
        for (const bool plane : {false, true})
            for (const Depth depth : {Depth::apart, Depth::shallow, Depth::deep}) {
                Random random(
                    static_cast<std::uint64_t>(100 + 10 * kind + 2 * static_cast<int>(depth) + (plane ? 1 : 0)));
                for (int i = 0; i < scaled(count, 20); ++i) {
                    SCOPED_TRACE("kind " + std::to_string(kind) + (plane ? " on a plane" : " on a box") + ", depth " +
                                 std::to_string(static_cast<int>(depth)) + ", case " + std::to_string(i));
                    check(random_pair(random, kind, plane, depth), random);
                    if (testing::Test::HasFailure()) return;
                }
            }
}

TEST(Contacts, LieOnBothSurfacesFacingEachOther) {
    for_random_pairs(1000, [](const Pair& p, Random&) {
        const auto found = p.contacts(wide);
        EXPECT_FALSE(found.empty());
        for (const ContactPoint& c : found) expect_sound(c, p.s1, p.X1, p.s2, p.X2, wide);
    });
}

TEST(Contacts, AgainstABoxHaveTheDistanceOrTheDepthOfTheTwoSolids) {
    // Any direction shows a gap that is no larger than the distance, and an overlap that is no smaller than the depth.
    // The normal found must show as much as the best of many directions, and there must be a pair of points that far
    // apart.
    for_random_pairs(300, [](const Pair& p, Random& random) {
        if (std::holds_alternative<Plane>(p.s2)) return;
        const auto found = p.contacts(wide);
        ASSERT_FALSE(found.empty());
        const double gap = least_gap(found), round_off = 1e-11 * p.size();
        // Between two normals that show the same gap up to its last digits, one may be chosen that is off by their
        // root: 8e-8 was the most in 10⁶ cases.
        EXPECT_NEAR(gap, p.gap_along(found[0].normal), 1e-6 * p.size());
        double best = -infinity;
        Vec3 n;
        const auto look = [&](const Vec3& direction) {
            const double seen = p.gap_along(direction);
            if (seen > best) {
                best = seen;
                n = direction;
            }
        };
        for (int k = 0; k < 500; ++k) look(random.direction());
        for (double step = 0.1; step > 1e-4; step *= 0.7)
            for (int k = 0; k < 10; ++k) look(normalized(n + step * random.direction()));
        EXPECT_LE(best, gap + round_off);
        for (const ContactPoint& c : found) EXPECT_EQ(c.normal, found[0].normal);
    });
}

TEST(Contacts, AgainstAPlaneHaveTheHeightOfTheLowestPoint) {
    for_random_pairs(300, [](const Pair& p, Random&) {
        if (!std::holds_alternative<Plane>(p.s2)) return;
        const double height = dot(p.up(), p.X1.x - p.X2.x) - extent(p.s1, rotate_back(p.X1.q, -p.up()));
        EXPECT_NEAR(least_gap(p.contacts(wide)), height, 1e-13 * (1 + p.size()));
    });
}

TEST(Contacts, AreThoseWithinTheMarginAndNoOthers) {
    for_random_pairs(200, [](const Pair& p, Random& random) {
        const auto all = p.contacts(wide);
        const double margin = random.uniform(least_gap(all) - 0.05, least_gap(all) + 0.3);
        const auto found = p.contacts(margin);
        std::size_t expected = 0;
        for (const ContactPoint& c : all)
            if (c.gap <= margin) ++expected;
        ASSERT_EQ(found.size(), expected);
        for (const ContactPoint& c : found) EXPECT_LE(c.gap, margin);
    });
}

const ContactPoint* with_feature(const std::vector<ContactPoint>& contacts, int feature) {
    for (const ContactPoint& c : contacts)
        if (c.feature == feature) return &c;
    return nullptr;
}

TEST(Contacts, NeverHaveTheSameFeatureTwice) {
    for_random_pairs(500, [](const Pair& p, Random&) {
        const auto found = p.contacts(wide);
        for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(with_feature(found, found[i].feature), &found[i]);
    });
}

TEST(Contacts, KeepTheirFeaturesAndPlacesInATinyMotion) {
    // 1e-9 is far below the distance of a random pose to the next border between features. Points move with the solid,
    // those that are defined by crossings or by a deepest direction faster than it: 208 times as
    // fast was the most in 2·10⁵ cases.
    const double motion = 1e-9;
    for_random_pairs(300, [&](const Pair& p, Random& random) {
        Pair moved = p;
        moved.X1.x += motion * random.direction();
        moved.X1.q = turned(moved.X1.q, motion * random.direction());
        const auto before = p.contacts(wide), after = moved.contacts(wide + 1e-3);
        for (const ContactPoint& c : before) {
            const ContactPoint* same = with_feature(after, c.feature);
            ASSERT_NE(same, nullptr) << "feature " << c.feature;
            EXPECT_LT(norm(same->p1 - c.p1), 2000 * motion);
            EXPECT_LT(std::fabs(same->gap - c.gap), 2000 * motion);
        }
    });
}

TEST(Contacts, MoveWithTheWholePicture) {
    for_random_pairs(200, [](const Pair& p, Random& random) {
        const Pose move{random.in_box(10), random.orientation()};
        Pair there = p;
        there.X1 = move * p.X1;
        there.X2 = move * p.X2;
        const auto here = p.contacts(wide), found = there.contacts(wide);
        ASSERT_EQ(here.size(), found.size());
        for (std::size_t i = 0; i < here.size(); ++i) {
            EXPECT_EQ(here[i].feature, found[i].feature);
            EXPECT_NEAR(here[i].gap, found[i].gap, 1e-9);
            EXPECT_LT(norm(move * here[i].p2 - found[i].p2), 1e-9);
            EXPECT_LT(norm(rotate(move.q, here[i].normal) - found[i].normal), 1e-9);
        }
    });
}

TEST(Contacts, DoNotLoseDigitsFarFromTheOrigin) {
    for_random_pairs(100, [](const Pair& p, Random&) {
        // Doubles at 2^20 are 2^-32 apart: the poses are the same up to that, and so are the contacts.
        Pair far = p;
        const Vec3 away{1 << 20, 1 << 20, -(1 << 20)};
        far.X1.x += away;
        far.X2.x += away;
        EXPECT_NEAR(least_gap(far.contacts(wide)), least_gap(p.contacts(wide)), 1e-8);
        EXPECT_NEAR(norm(far.contacts(wide)[0].normal), 1, 1e-14);
    });
}

TEST(Contacts, AreTheSameBitsWhenAskedAgain) {
    for_random_pairs(50, [](const Pair& p, Random&) {
        const auto a = p.contacts(wide), b = p.contacts(wide);
        ASSERT_EQ(a.size(), b.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
            EXPECT_EQ(a[i].p1, b[i].p1);
            EXPECT_EQ(a[i].p2, b[i].p2);
            EXPECT_EQ(a[i].normal, b[i].normal);
        }
    });
}

TEST(Contacts, AllocateNothingWhenWarm) {
    std::vector<ContactPoint> out;
    out.reserve(1000);
    const Geometry mesh = MeshShape{"", std::make_shared<const TriangleMesh>(unit_cube())};
    for_random_pairs(20, [&](const Pair& p, Random&) {
        for (const Geometry& s1 : {p.s1, mesh}) {
            const ContactShape c1(s1), c2(p.s2);
            out.clear();
            const long before = allocation_count();
            find_contacts(c1, p.X1, c2, p.X2, 1, out);
            EXPECT_EQ(allocation_count(), before);
        }
    });
}

TEST(Contacts, FarShapesAreToldByTheirBall) {
    for_random_pairs(50, [](const Pair& p, Random& random) {
        const Ball ball = bounding_ball(p.s1);
        for (int k = 0; k < 20; ++k) EXPECT_LE(extent(p.s1, random.direction()), ball.radius * (1 + 1e-14));
        Pair far = p;
        far.X1.x += 1000.0 * p.up();
        EXPECT_TRUE(far.contacts(wide).empty());
    });
}

TEST(Contacts, OfSmallShapesOnAHugeFloorAreThoseOnAPlane) {
    // Gaps and places to the spacing of doubles at the far end of the floor. It has no edges near, and a capsule that
    // stands has one contact on a box, so only the least gap is compared.
    for (const double floor : {1e2, 1e4, 1e6})
        for_random_pairs(100, [&](const Pair& p, Random& random) {
            if (!std::holds_alternative<Plane>(p.s2)) return;
            const Pose X2{p.X2 * Vec3{random.uniform(-1, 1) * floor / 4, -floor / 2, random.uniform(-1, 1) * floor / 4},
                          p.X2.q};
            const auto on_plane = p.contacts(0.01),
                       on_floor = contacts(p.s1, p.X1, Box{{floor, floor, floor}}, X2, 0.01);
            EXPECT_EQ(on_plane.empty(), on_floor.empty());
            if (on_plane.empty()) return;
            EXPECT_NEAR(least_gap(on_plane), least_gap(on_floor), 1e-14 * floor + 1e-13);
            EXPECT_LT(norm(on_floor[0].normal - p.up()), 1e-14);
        });
}

/// Turns by multiples of 90°, and by 45°: everything parallel, everything on the border between two cases.
std::vector<Quat> special_turns() {
    std::vector<Quat> turns;
    for (const double angle : {0.0, pi / 2, pi, pi / 4})
        for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}, normalized(Vec3{1, 1, 0})})
            turns.push_back(from_axis_angle(axis, angle));
    return turns;
}

TEST(Contacts, SurviveEverythingParallelFlushAndCentred) {
    const std::vector<Geometry> shapes = {Sphere{0.5},
                                          Capsule{0.25, 1},
                                          Capsule{0.5, 0.5},
                                          Cylinder{0.5, 1},
                                          Cylinder{0.25, 0.5},
                                          Box{{1, 1, 1}},
                                          Box{{0.5, 1, 2}},
                                          Box{{1, 0.25, 1}},
                                          Ellipsoid{{1, 1, 1}},
                                          Ellipsoid{{0.5, 0.25, 0.5}},
                                          Ellipsoid{{0.25, 0.5, 1}}};
    const std::vector<Geometry> fixed = {Box{{1, 1, 1}}, Box{{2, 0.5, 1}}, Box{{4, 0.25, 4}}, Plane{}};
    const std::vector<Quat> turns = special_turns();
    Random random(7);
    for (const Geometry& s1 : shapes)
        for (const Geometry& s2 : fixed)
            for (int i = 0; i < scaled(400, 20); ++i) {
                const auto grid = [&] { return 0.25 * random.integer(-5, 5); };
                const double x = grid(), y = grid(), z = grid();
                const auto any = [&] {
                    return turns[static_cast<std::size_t>(random.integer(0, static_cast<int>(turns.size()) - 1))];
                };
                const Quat q1 = any(), q2 = any();
                const Pair p{s1, s2, {{x, y, z}, q1}, {{}, q2}};
                const auto found = p.contacts(0.6);
                SCOPED_TRACE("shapes " + std::to_string(s1.index()) + ", " + std::to_string(s2.index()) + ", case " +
                             std::to_string(i));
                for (const ContactPoint& c : found) expect_sound(c, p.s1, p.X1, p.s2, p.X2, 0.6);
                for (std::size_t k = 0; k < found.size(); ++k)
                    EXPECT_EQ(with_feature(found, found[k].feature), &found[k]);
                if (!std::holds_alternative<Plane>(s2)) {
                    double best = -infinity;
                    for (int k = 0; k < 300; ++k) best = std::fmax(best, p.gap_along(random.direction()));
                    for (const Quat& q : turns)
                        for (const Vec3& e : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
                            for (const double sign : {-1.0, 1.0})
                                best = std::fmax(best, p.gap_along(rotate(q, sign * e)));
                    EXPECT_TRUE(best >= 0 || !found.empty());
                    EXPECT_LE(found.empty() ? 0 : best, least_gap(found) + 1e-11);
                }
                if (HasFailure()) return;
            }
}

TEST(Contacts, AreFiniteWithUnitNormalsForExtremeSizes) {
    Random random(11);
    for (int i = 0; i < scaled(20000, 200); ++i) {
        const auto d = [&] { return random.log_uniform(1e-9, 1e9); };
        Geometry s1 = random_shape(random, i % kinds);
        const double a = d(), b = d(), c = d();
        std::visit(
            [&](auto& s) {
                using S = std::decay_t<decltype(s)>;
                if constexpr (std::is_same_v<S, Box>) s.size = {a, b, c};
                if constexpr (std::is_same_v<S, Ellipsoid>) s.radii = {a, b, c};
                if constexpr (std::is_same_v<S, Sphere>) s.radius = a;
                if constexpr (std::is_same_v<S, Capsule> || std::is_same_v<S, Cylinder>) {
                    s.radius = a;
                    s.length = b;
                }
            },
            s1);
        const double x = d(), y = d(), z = d();
        const Geometry s2 = i % 3 == 0 ? Geometry{Plane{}} : Geometry{Box{{x, y, z}}};
        // At the same place, or as far away as anything above is large.
        const Pose X1{i % 2 == 0 ? Vec3{} : d() * random.direction(), random.orientation()},
            X2{{}, random.orientation()};
        for (const ContactPoint& k : contacts(s1, X1, s2, X2, 1)) {
            ASSERT_TRUE(is_finite(k.p1) && is_finite(k.p2) && std::isfinite(k.gap)) << i;
            ASSERT_NEAR(norm(k.normal), 1, 1e-14) << i;
        }
    }
    for (const double huge : {1e160, 1e300, 1.7e308})
        for (int kind = 0; kind < kinds; ++kind)
            for (const Geometry& s2 : {Geometry{Plane{}}, Geometry{Box{{huge, 1, huge}}}})
                for (const ContactPoint& k :
                     contacts(random_shape(random, kind), {{huge, 0, huge}, random.orientation()}, s2, {}, 1e308))
                    EXPECT_TRUE(is_finite(k.p1) && is_finite(k.p2) && is_finite(k.normal));
}

}  // namespace
}  // namespace armature
