#include "armature/math/track.h"

#include <gtest/gtest.h>

#include "armature/math/random.h"
#include "support/allocation_counter.h"
#include "support/test_scale.h"

namespace armature {
namespace {

const auto both = {Interpolation::linear, Interpolation::spline};

/// Keys at uneven times, turns of up to 2 rad between neighbours.
PoseTrack random_track(Random& random, Interpolation interpolation, int count) {
    PoseTrack track{interpolation, {}};
    double t = random.uniform(-1, 1);
    Quat q = random.orientation();
    for (int i = 0; i < count; ++i) {
        track.keys.push_back({t, {random.in_box(2), q}});
        t += random.uniform(0.3, 1.5);
        q = turned(q, random.uniform(0, 2) * random.direction());
    }
    return track;
}

double duration(const PoseTrack& track) {
    return track.keys.back().t - track.keys.front().t;
}

double turn_between(const Quat& a, const Quat& b) {
    return norm(log_rotation(a * conjugate(b)));
}

TEST(VectorTrack, OneKeyIsAConstantAndNoKeyIsZero) {
    EXPECT_EQ(evaluate(VectorTrack{}, 3), (Vec3{}));
    for (const double t : {-1e9, 0.0, 1e9}) EXPECT_EQ(evaluate(VectorTrack::constant({1, 2, 3}), t), (Vec3{1, 2, 3}));
}

TEST(VectorTrack, PassesThroughItsKeysAndHoldsTheEnds) {
    for (const Interpolation kind : both) {
        const VectorTrack track{kind, {{1, {1, 0, 0}}, {2, {0, 5, 0}}, {4, {0, 0, -3}}, {4.5, {7, 7, 7}}}};
        for (const VectorKey& key : track.keys) EXPECT_EQ(evaluate(track, key.t), key.value);
        EXPECT_EQ(evaluate(track, -10), track.keys.front().value);
        EXPECT_EQ(evaluate(track, 10), track.keys.back().value);
        EXPECT_LT(norm(evaluate(track, 4.5 - 1e-12) - track.keys.back().value), 1e-10);
    }
}

TEST(VectorTrack, LinearIsHalfWayInTheMiddle) {
    const VectorTrack track{Interpolation::linear, {{1, {1, 0, 0}}, {3, {0, 5, 2}}}};
    EXPECT_LT(norm(evaluate(track, 2) - Vec3{0.5, 2.5, 1}), 1e-15);
    EXPECT_LT(norm(evaluate(track, 1.5) - Vec3{0.75, 1.25, 0.5}), 1e-15);
}

TEST(VectorTrack, SplineReproducesAnyParabolaOnUnevenKeys) {
    const auto f = [](double t) { return Vec3{1 + 2 * t - 3 * t * t, t * t, 4 - t}; };
    VectorTrack track{Interpolation::spline, {}};
    for (const double t : {0.0, 0.1, 1.0, 1.5, 3.0}) track.keys.push_back({t, f(t)});
    for (double t = 0; t < 3; t += 0.01) EXPECT_LT(norm(evaluate(track, t) - f(t)), 1e-13) << t;
}

TEST(VectorTrack, SplineThroughASineConvergesWithTheThirdOrderOrBetter) {
    const auto worst = [](int n) {
        VectorTrack track{Interpolation::spline, {}};
        const auto key_time = [&](int i) { return i * 6.0 / n + (i % 2 == 0 ? 0 : 1.2 / n); };  // uneven
        for (int i = 0; i <= n; ++i) track.keys.push_back({key_time(i), {std::sin(key_time(i)), 0, 0}});
        double error = 0;
        for (double t = 0; t < 6; t += 0.003) error = std::fmax(error, std::fabs(evaluate(track, t).x - std::sin(t)));
        return error;
    };
    EXPECT_LT(worst(80), worst(40) / 7.5);
    EXPECT_LT(worst(80), 5e-5);
}

TEST(PoseTrack, NoKeyIsTheIdentityAndTheEndsAreHeldAtRest) {
    EXPECT_EQ(evaluate(PoseTrack{}, 1).pose, Pose{});
    Random random(1);
    for (const Interpolation kind : both) {
        const PoseTrack track = random_track(random, kind, 4);
        const auto expect_held = [&](double t, const Pose& key) {
            const PoseAndVelocity held = evaluate(track, t);
            EXPECT_EQ(held.pose.x, key.x);
            EXPECT_LT(turn_between(held.pose.q, key.q), 1e-15);
            EXPECT_EQ(held.v, Vec3{});
            EXPECT_EQ(held.w, Vec3{});
        };
        expect_held(track.keys.front().t - 1e-9, track.keys.front().pose);
        expect_held(-INFINITY, track.keys.front().pose);
        expect_held(track.keys.back().t, track.keys.back().pose);
        expect_held(INFINITY, track.keys.back().pose);
    }
}

TEST(PoseTrack, BetweenTwoEqualKeysAPoseIsHeldToTheLastBit) {
    Random random(5);
    for (int k = 0; k < 1000; ++k) {
        const Pose pose{random.in_box(2), random.orientation()};
        const PoseTrack one{Interpolation::linear, {{0, pose}}}, two{Interpolation::linear, {{0, pose}, {1, pose}}};
        const double t = random.uniform(0, 1);
        ASSERT_EQ(evaluate(one, t).pose, evaluate(two, t).pose) << k;
        ASSERT_EQ(evaluate(two, t).w, Vec3{}) << k;
    }
}

TEST(PoseTrack, PassesThroughItsKeysFromBothSides) {
    Random random(2);
    for (const Interpolation kind : both) {
        for (int i = 0; i < test::scaled(200); ++i) {
            const PoseTrack track = random_track(random, kind, random.integer(1, 6));
            for (const PoseKey& key : track.keys) {
                for (const double dt : {-1e-12, 0.0, 1e-12}) {
                    const Pose at = evaluate(track, key.t + dt).pose;
                    EXPECT_LT(norm(at.x - key.pose.x), 1e-10);
                    EXPECT_LT(turn_between(at.q, key.pose.q), 1e-10);
                }
            }
        }
    }
}

TEST(PoseTrack, VelocitiesAreTheDerivativeOfThePlacement) {
    // Central differences: error e² f'''/6 ≈ 1e-9 with e = 1e-5, round-off 1e-16/e = 1e-11.
    Random random(3);
    const double e = 1e-5;
    for (const Interpolation kind : both) {
        for (int i = 0; i < test::scaled(1000); ++i) {
            const PoseTrack track = random_track(random, kind, random.integer(2, 6));
            const double t = track.keys.front().t + random.uniform(0.01, 0.99) * duration(track);
            bool near_key = false;
            for (const PoseKey& key : track.keys) near_key = near_key || std::fabs(key.t - t) < 2 * e;
            if (near_key) continue;
            const PoseAndVelocity at = evaluate(track, t);
            const Pose before = evaluate(track, t - e).pose, after = evaluate(track, t + e).pose;
            EXPECT_LT(norm((after.x - before.x) / (2 * e) - at.v), 1e-7);
            EXPECT_LT(norm(log_rotation(after.q * conjugate(before.q)) / (2 * e) - at.w), 1e-7);
            EXPECT_NEAR(norm2(at.pose.q), 1, 1e-15);
        }
    }
}

TEST(PoseTrack, SplineVelocitiesAreContinuousAtTheKeys) {
    Random random(4);
    for (int i = 0; i < test::scaled(200); ++i) {
        const PoseTrack track = random_track(random, Interpolation::spline, 6);
        for (std::size_t k = 1; k + 1 < track.keys.size(); ++k) {
            const PoseAndVelocity before = evaluate(track, track.keys[k].t - 1e-10);
            const PoseAndVelocity after = evaluate(track, track.keys[k].t);
            EXPECT_LT(norm(before.v - after.v), 1e-7);
            EXPECT_LT(norm(before.w - after.w), 1e-7);
        }
    }
}

TEST(PoseTrack, SplineReproducesASteadilyAcceleratedTurnAboutAFixedAxis) {
    // Turns about one axis commute, so the curve must be the scalar spline, which is exact for θ = ω t + α
    // t²/2.
    const Vec3 axis = Vec3{1, 2, -2} / 3.0;
    const Quat start = exp_rotation({0.3, -1, 2});
    PoseTrack track{Interpolation::spline, {}};
    const auto angle = [](double t) { return 0.5 * t + 0.4 * t * t; };
    for (const double t : {0.0, 0.2, 1.0, 1.3, 2.0}) track.keys.push_back({t, {{}, turned(start, angle(t) * axis)}});
    for (double t = 0; t < 2; t += 0.01) {
        const PoseAndVelocity at = evaluate(track, t);
        EXPECT_LT(turn_between(at.pose.q, turned(start, angle(t) * axis)), 1e-14) << t;
        EXPECT_LT(norm(at.w - (0.5 + 0.8 * t) * axis), 1e-13) << t;
    }
}

TEST(PoseTrack, LinearTurnsAtAConstantRateBetweenKeys) {
    const Vec3 phi{0.4, -1.1, 0.7};
    const Quat start = exp_rotation({2, 1, 0});
    const PoseTrack track{Interpolation::linear, {{1, {{}, start}}, {3, {{2, 0, 0}, turned(start, phi)}}}};
    for (const double t : {1.0, 1.7, 2.9}) {
        const PoseAndVelocity at = evaluate(track, t);
        EXPECT_LT(norm(at.w - phi / 2.0), 1e-14);
        EXPECT_LT(turn_between(at.pose.q, turned(start, ((t - 1) / 2) * phi)), 1e-14);
        EXPECT_LT(norm(at.v - Vec3{1, 0, 0}), 1e-15);
    }
}

TEST(PoseTrack, DoesNotDependOnTheSignOfTheKeyQuaternionsNorOnTheWorldFrame) {
    Random random(5);
    for (int i = 0; i < test::scaled(200); ++i) {
        const PoseTrack track = random_track(random, Interpolation::spline, 5);
        const Pose X{random.in_box(3), random.orientation()};
        PoseTrack moved = track;
        for (std::size_t k = 0; k < moved.keys.size(); ++k) {
            Pose& pose = moved.keys[k].pose;
            pose = X * pose;
            if (k % 2 == 0) pose.q = {-pose.q.w, -pose.q.x, -pose.q.y, -pose.q.z};
        }
        const double t = track.keys.front().t + random.unit() * duration(track);
        const PoseAndVelocity a = evaluate(track, t), b = evaluate(moved, t);
        EXPECT_LT(norm(X * a.pose.x - b.pose.x), 1e-13);
        EXPECT_LT(turn_between(X.q * a.pose.q, b.pose.q), 1e-13);
        EXPECT_LT(norm(rotate(X.q, a.v) - b.v), 1e-12);
        EXPECT_LT(norm(rotate(X.q, a.w) - b.w), 1e-12);
    }
}

TEST(PoseTrack, EvaluationAllocatesNothing) {
    Random random(6);
    for (const Interpolation kind : both) {
        const PoseTrack track = random_track(random, kind, 100);
        const VectorTrack vectors{kind, {{0, {1, 0, 0}}, {1, {0, 1, 0}}, {3, {0, 0, 1}}}};
        const long before = test::allocation_count();
        Vec3 sum;
        for (double t = -1; t < 50; t += 0.1) sum += evaluate(track, t).pose.x + evaluate(vectors, t);
        EXPECT_EQ(test::allocation_count(), before);
        EXPECT_TRUE(is_finite(sum));
    }
    const long before = test::allocation_count();
    const VectorTrack made_on_the_heap = VectorTrack::constant({});
    EXPECT_GT(test::allocation_count(), before) << "the counter does count: " << made_on_the_heap.keys.size();
}

}  // namespace
}  // namespace armature
