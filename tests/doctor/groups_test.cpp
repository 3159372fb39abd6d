// Culprit sets against brute force: every subset of random small systems of joints of the library.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "armature/doctor/doctor.h"
#include "armature/doctor/groups.h"
#include "armature/doctor/settle.h"
#include "armature/math/random.h"
#include "armature/model/compile.h"
#include "doctor/subsets.h"
#include "doctor/workshop.h"
#include "support/test_scale.h"

namespace armature::test {
namespace {

using doctor::JointSet;

/// Rank by Gauss with full pivoting, written apart from the doctor's.
std::size_t rank_of_rows(std::vector<std::vector<double>> A) {
    std::size_t rank = 0;
    while (rank < A.size()) {
        std::size_t r = rank, c = 0;
        for (std::size_t i = rank; i < A.size(); ++i)
            for (std::size_t k = 0; k < A[i].size(); ++k)
                if (std::fabs(A[i][k]) > std::fabs(A[r][c])) r = i, c = k;
        if (std::fabs(A[r][c]) < 1e-8) break;
        std::swap(A[rank], A[r]);
        for (std::size_t i = rank + 1; i < A.size(); ++i) {
            const double f = A[i][c] / A[rank][c];
            for (std::size_t k = 0; k < A[i].size(); ++k) A[i][k] -= f * A[rank][k];
        }
        ++rank;
    }
    return rank;
}

/// Solids on a grid with joints along its axes, so that they coincide often; everything holds as placed.
Spec random_joints(std::uint64_t seed) {
    Random random(seed);
    Workshop w;
    const int solids = random.integer(1, 4), joints = random.integer(2, 7);
    const auto grid = [&] {
        return Vec3{1.0 * random.integer(0, 1), 1.0 * random.integer(0, 1), 1.0 * random.integer(0, 1)};
    };
    for (int i = 0; i < solids; ++i) {
        const Vec3 at = grid() + Vec3{0.3, 0.2, 0.1};
        w.solid(fmt::format("s{}", i), at);
    }
    const JointType types[] = {JointType::pin,       JointType::ball,          JointType::sliding,
                               JointType::universal, JointType::cylindrical,   JointType::plane_on_plane,
                               JointType::embedding, JointType::ball_on_plane, JointType::ball_in_cylinder};
    const Vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < joints; ++i) {
        const int a = random.integer(0, solids - 1);
        int b = random.integer(-1, solids - 1);
        if (b == a) b = -1;
        const JointType type = types[random.integer(0, 8)];
        const Vec3 at = grid();
        const int axis = random.integer(0, 2);
        w.joint(type, fmt::format("s{}", a), b < 0 ? std::string("world") : fmt::format("s{}", b), at, axes[axis],
                axes[(axis + 1) % 3]);
    }
    return w.spec;
}

/// The minimal sets of joints, by name, among all subsets of each island for which it is so.
template <class Is>
Sets brute_force(const Model& model, Is is) {
    Sets sets;
    for (std::size_t island = 0; island < model.islands.size(); ++island) {
        const doctor::Mechanism m(model, static_cast<int>(island));
        std::vector<std::string> names;
        for (const JointId id : m.joints()) names.push_back(m.joint(id).name);
        std::vector<unsigned> hits;
        for (unsigned subset = 1; subset < 1u << names.size(); ++subset) {
            JointSet joints;
            for (std::size_t i = 0; i < names.size(); ++i)
                if (subset >> i & 1u) joints.push_back(m.joints()[i]);
            if (is(m, joints)) hits.push_back(subset);
        }
        for (const unsigned h : minimal(hits)) sets.insert(names_in(h, names));
    }
    return sets;
}

TEST(Groups, AreThoseOfBruteForceOnJointsOfTheLibrary) {
    int in_all = 0;
    const int systems = scaled(200, 20);
    for (int seed = 1; seed <= systems; ++seed) {
        const Spec spec = random_joints(static_cast<std::uint64_t>(seed));
        const Sets expected = brute_force(compile(spec), [](const doctor::Mechanism& m, const JointSet& joints) {
            std::vector<std::vector<double>> A;
            for (const doctor::HeldRow& row : m.rows(m.as_placed(), joints, false)) {
                A.emplace_back(static_cast<std::size_t>(m.columns()));
                m.write_row(row, A.back().data());
            }
            return rank_of_rows(A) < A.size();
        });
        const DoctorReport report = diagnose(spec, {.edits = false});
        EXPECT_EQ(found(report, FindingKind::redundant), expected) << seed;
        EXPECT_EQ(report.count(FindingKind::contradictory), 0) << seed;
        in_all += static_cast<int>(expected.size());
    }
    EXPECT_GT(in_all, systems);
}

TEST(Groups, AreThoseOfBruteForceWhereJointsAreOutOfPlace) {
    // Not linear: that a subset cannot hold is decided by settling it, as the definition says; the search is what is tested.
    int in_all = 0;
    const int systems = scaled(200, 6);
    for (int seed = 1; seed <= systems; ++seed) {
        Spec spec = random_joints(static_cast<std::uint64_t>(1000 + seed));
        Random random(static_cast<std::uint64_t>(seed));
        for (ConstraintSpec& c : spec.constraints)
            if (random.integer(0, 3) == 0) c.hinge->p2_B += Vec3{0.1, 0.05, 0.2};
        const Sets expected = brute_force(compile(spec), [](const doctor::Mechanism& m, const JointSet& joints) {
            return !doctor::settle(m, m.as_placed(), joints).holds;
        });
        EXPECT_EQ(found(diagnose(spec, {.edits = false}), FindingKind::contradictory), expected) << seed;
        in_all += static_cast<int>(expected.size());
    }
    EXPECT_GT(in_all, systems / 4);
}

TEST(Groups, OfAFourBarAreItsFourPins) {
    Workshop w;
    w.linkage({{"O1", {0, 0, 0}}, {"B", {0, 0.3, 0}}, {"C", {0.8, 0.7, 0}}, {"O2", {1, 0, 0}}},
              {{"O1", "B"}, {"B", "C"}, {"C", "O2"}});
    const DoctorReport report = diagnose(w.spec, {.edits = false});
    ASSERT_EQ(report.findings.size(), 1u);
    EXPECT_EQ(report.findings[0].joints.size(), 4u);
    EXPECT_EQ(report.findings[0].measure, 3);
    EXPECT_EQ(report.findings[0].blocked,
              (std::vector<std::string>{"translation along z", "rotation about x", "rotation about y"}));
}

TEST(Groups, TellContradictoryFromRedundant) {
    // Two bars of a triangle and a third, 10 cm too long: none of the three can be blamed alone.
    Workshop w;
    w.particle("p", {0.5, 1, 0});
    const auto bar = [&](const std::string& name, const Vec3& foot, double length) {
        ConstraintSpec& c = w.spec.add_constraint("p", "world");
        c.name = name;
        c.hinge = HingeSpec{{}, foot, SphereDomain{length, length}};
    };
    w.spec.add_constraint("p", "world").hinge = HingeSpec{{}, {}, RingDomain{{0, 0, 1}, 0, infinity}};
    w.spec.constraints[0].name = "plane";
    bar("left", {0, 0, 0}, std::sqrt(1.25));
    bar("right", {1, 0, 0}, std::sqrt(1.25));
    bar("middle", {0.5, 0, 0}, 1.1);
    const DoctorReport report = diagnose(w.spec, {.edits = false});
    EXPECT_EQ(found(report, FindingKind::contradictory), (Sets{{"left", "middle", "right"}}));
    EXPECT_EQ(report.count(FindingKind::redundant), 0);
    bar("again", {0, 0, 0}, std::sqrt(1.25));
    std::erase_if(w.spec.constraints, [](const ConstraintSpec& c) { return c.name == "middle"; });
    const DoctorReport twice = diagnose(w.spec, {.edits = false});
    EXPECT_EQ(twice.count(FindingKind::contradictory), 0);
    EXPECT_EQ(found(twice, FindingKind::redundant), (Sets{{"again", "left"}}));
}

}  // namespace
}  // namespace armature::test
