// Culprit sets against brute force: every subset of the joints of random small systems, linear ones exactly.
#include <gtest/gtest.h>

#include <algorithm>

#include "armature/doctor/doctor.h"
#include "armature/math/random.h"
#include "doctor/subsets.h"
#include "doctor/workshop.h"
#include "support/test_scale.h"

namespace armature::test {
namespace {

/// Rank by elimination without fractions [Bareiss 1968]: exact for whole numbers.
int exact_rank(std::vector<std::vector<long long>> A) {
    int rank = 0;
    long long last = 1;
    const std::size_t columns = A.empty() ? 0 : A[0].size();
    for (std::size_t c = 0; c < columns && rank < static_cast<int>(A.size()); ++c) {
        const auto r = static_cast<std::size_t>(rank);
        const auto pivot = std::find_if(A.begin() + rank, A.end(), [&](const auto& row) { return row[c] != 0; });
        if (pivot == A.end()) continue;
        std::swap(A[r], *pivot);
        for (std::size_t i = r + 1; i < A.size(); ++i) {
            for (std::size_t k = c + 1; k < columns; ++k) A[i][k] = (A[i][k] * A[r][c] - A[i][c] * A[r][k]) / last;
            A[i][c] = 0;
        }
        last = A[r][c];
        ++rank;
    }
    return rank;
}

struct Equation {
    std::vector<long long> n;  ///< over the coordinates of all particles, then the right-hand side
    std::size_t joint;
};

/// Particles tied to points, lines and planes of the world and to each other, all with whole numbers: n·(p1 − p2) = n·c.
struct LinearSystem {
    Spec spec;
    std::vector<std::string> names;
    std::vector<Equation> equations;
    int particles = 0;

    void add(Random& random) {
        const int p1 = random.integer(0, particles - 1);
        int p2 = random.integer(-1, particles - 1);
        if (p2 == p1) p2 = -1;
        Vec3 c;
        if (p2 < 0) c = {1.0 * random.integer(0, 1), 1.0 * random.integer(0, 1), 0};
        ConstraintSpec& constraint =
            spec.add_constraint(fmt::format("p{}", p1), p2 < 0 ? std::string("world") : fmt::format("p{}", p2));
        const std::size_t joint = names.size();
        constraint.name = fmt::format("c{}", joint);
        names.push_back(constraint.name);
        constraint.hinge = HingeSpec{{}, c, PointDomain{}};
        const auto equation = [&](const std::vector<long long>& n) {
            Equation e{std::vector<long long>(static_cast<std::size_t>(3 * particles + 1)), joint};
            for (std::size_t k = 0; k < 3; ++k) {
                e.n[static_cast<std::size_t>(3 * p1) + k] += n[k];
                if (p2 >= 0) e.n[static_cast<std::size_t>(3 * p2) + k] -= n[k];
                e.n.back() += n[k] * static_cast<long long>(c[static_cast<int>(k)]);
            }
            equations.push_back(e);
        };
        const std::vector<std::vector<long long>> axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        const std::vector<std::vector<long long>> normals = {{1, 0, 0}, {0, 1, 0},  {0, 0, 1},
                                                             {1, 1, 0}, {1, -1, 0}, {0, 1, 1}};
        const auto vec = [](const std::vector<long long>& n) {
            return Vec3{static_cast<double>(n[0]), static_cast<double>(n[1]), static_cast<double>(n[2])};
        };
        switch (random.integer(0, 3)) {
            case 0:
                for (const auto& n : axes) equation(n);
                break;
            case 1: {
                const auto line = static_cast<std::size_t>(random.integer(0, 2));
                constraint.hinge->domain = SegmentDomain{vec(axes[line]), -infinity, infinity};
                for (std::size_t k = 0; k < 3; ++k)
                    if (k != line) equation(axes[k]);
                break;
            }
            default: {
                const auto& n = normals[static_cast<std::size_t>(random.integer(0, 5))];
                constraint.hinge->domain = RingDomain{vec(n), 0, infinity};
                equation(n);
            }
        }
    }

    std::vector<std::vector<long long>> matrix(unsigned subset, bool right_hand_side) const {
        std::vector<std::vector<long long>> A;
        for (const Equation& e : equations) {
            if (!(subset >> e.joint & 1u)) continue;
            A.push_back(e.n);
            if (!right_hand_side) A.back().pop_back();
        }
        return A;
    }
};

LinearSystem random_linear_system(std::uint64_t seed) {
    Random random(seed);
    LinearSystem s;
    s.particles = random.integer(1, 3);
    for (int i = 0; i < s.particles; ++i) {
        SolidSpec& p = s.spec.add_solid(fmt::format("p{}", i));
        p.particle = true;
        p.mass = 1;
        p.pose_WB.x = random.in_box(1);
    }
    const int joints = random.integer(2, 7);
    for (int i = 0; i < joints; ++i) s.add(random);
    return s;
}

TEST(LinearGroups, AreThoseOfBruteForce) {
    int redundant_in_all = 0, contradictory_in_all = 0;
    const int systems = scaled(200, 20);
    for (int seed = 1; seed <= systems; ++seed) {
        const LinearSystem s = random_linear_system(static_cast<std::uint64_t>(seed));
        std::vector<unsigned> dependent, contradictory;
        for (unsigned subset = 1; subset < 1u << s.names.size(); ++subset) {
            const auto A = s.matrix(subset, false);
            const int rank = exact_rank(A);
            if (rank < static_cast<int>(A.size())) dependent.push_back(subset);
            if (exact_rank(s.matrix(subset, true)) > rank) contradictory.push_back(subset);
        }
        Sets redundant_sets, contradictory_sets;
        for (const unsigned c : minimal(contradictory)) contradictory_sets.insert(names_in(c, s.names));
        for (const unsigned d : minimal(dependent))
            if (std::find(contradictory.begin(), contradictory.end(), d) == contradictory.end())
                redundant_sets.insert(names_in(d, s.names));
        const DoctorReport report = diagnose(s.spec, {.edits = false});
        EXPECT_EQ(found(report, FindingKind::contradictory), contradictory_sets) << seed;
        EXPECT_EQ(found(report, FindingKind::redundant), redundant_sets) << seed;
        EXPECT_TRUE(report.all_groups);
        redundant_in_all += static_cast<int>(redundant_sets.size());
        contradictory_in_all += static_cast<int>(contradictory_sets.size());
    }
    // The systems are such that there is something to find.
    EXPECT_GT(redundant_in_all, systems / 4);
    EXPECT_GT(contradictory_in_all, systems / 4);
}

}  // namespace
}  // namespace armature::test
