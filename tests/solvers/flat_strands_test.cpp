// Chains of ball joints that stay in a coordinate plane move in it as they do in space, and leave it when something pushes them out.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "armature/math/lanes.h"
#include "armature/model/compile.h"
#include "armature/sim/mechanics.h"
#include "armature/sim/simulator.h"

namespace armature::flat_strands {
namespace {

enum class Hung { by_one_end, by_both_ends, free };

/// x, y, z of the scene are along a, b, n of the plane across n.
struct Axes {
    int n;
    Vec3 operator()(const Vec3& v) const {
        const double of[3] = {v.x, v.y, v.z};
        return {of[(2 - n + 3) % 3], of[(3 - n) % 3], of[(4 - n) % 3]};
    }
};

/// A zigzag of links of which each third is longer and bent, at some height above the origin.
Spec chain(int links, int n, Hung hung, Scheme scheme) {
    const Axes axes{n};
    Spec spec;
    spec.simulation.solver = "linearized";
    spec.simulation.scheme = scheme;
    spec.simulation.gravity = axes({1, -9, 0});
    Vec3 end{0, 0, 0.7}, end_B = end;  // the last link's, in the axes of the scene
    std::string before = "world";
    for (int i = 0; i < links; ++i) {
        const double half = i % 3 == 0 ? 0.07 : 0.05, bend = i % 3 == 0 ? 0.01 : 0, angle = i % 2 == 0 ? 0.4 : -0.4;
        const Vec3 begins_B{-half, -bend, 0}, ends_B{half, -bend, 0};
        const Quat turn = from_axis_angle({0, 0, 1}, angle);
        SolidSpec& s = spec.add_solid(fmt::format("link{}", i));
        s.shapes.push_back({"", Box{axes({2 * half, 0.03, 0.02})}, {}, {}});
        s.mass = 0.2 + 0.1 * (i % 2);
        const Vec3 x = end - rotate(turn, begins_B);
        s.pose_WB = {axes({x.x, x.y, 0.7}), from_axis_angle(axes({0, 0, 1}), angle)};
        if (hung == Hung::free) {
            s.velocity = axes({0.1, 0.3 * std::sin(0.4 * i), 0.2});
            s.spin = axes({0, 0, 0.5});
        }
        if (i > 0 || hung != Hung::free)
            spec.add_constraint(before, s.name).hinge = HingeSpec{axes(end_B), axes(begins_B), PointDomain{}};
        before = s.name;
        end_B = ends_B;
        end = x + rotate(turn, ends_B);
    }
    if (hung == Hung::by_both_ends)
        spec.add_constraint(before, "world").hinge = HingeSpec{axes(end_B), axes({end.x, end.y, 0.7}), PointDomain{}};
    return spec;
}

/// Of the steps; some of a whip are left to rows of any kind.
double share_in_plane(const Simulator& s) {
    const RunReport& r = s.report();
    return static_cast<double>(r.ways[static_cast<std::size_t>(LinearWay::points_in_plane)]) /
           static_cast<double>(r.steps);
}

Vec3 spin_about_centre(const Simulator& s, const Mechanics& m) {
    Vec3 sum;
    double mass = 0;
    for (std::size_t i = 0; i < s.model().bodies.size(); ++i) {
        if (s.model().bodies[i].inv_mass == 0) continue;
        sum += s.model().bodies[i].mass * s.state().x[i];
        mass += s.model().bodies[i].mass;
    }
    return m.angular_momentum - cross((1 / mass) * sum, m.momentum);
}

class FlatStrands : public testing::TestWithParam<std::tuple<int, Hung, Scheme>> {
  protected:
    Spec spec(int links) const {
        const auto [n, hung, scheme] = GetParam();
        return chain(links, n, hung, scheme);
    }
    /// Off the plane by less than any sum can tell.
    Spec in_space(int links) const {
        Spec s = spec(links);
        s.solids[5].spin += Axes{std::get<0>(GetParam())}({1e-200, 0, 0});
        return s;
    }
};

TEST_P(FlatStrands, MoveAsTheyDoInSpaceWithTheSameLoads) {
    Simulator flat(spec(60)), space(in_space(60));
    double most_away = 0, most_of_load = 0;
    for (int frame = 0; frame < 60; ++frame) {
        flat.advance();
        space.advance();
        double most_load = 0, differ = 0;
        for (std::size_t i = 0; i < flat.state().x.size(); ++i)
            most_away = std::max(most_away, norm(flat.state().x[i] - space.state().x[i]));
        for (std::size_t i = 0; i < flat.state().loads.size(); ++i) {
            most_load = std::max(most_load, norm(space.state().loads[i].force));
            differ = std::max(differ, norm(flat.state().loads[i].force - space.state().loads[i].force));
        }
        most_of_load = std::max(most_of_load, differ / most_load);
    }
    std::printf("[ measured ] %.1e m, %.1e of the largest load\n", most_away, most_of_load);
    EXPECT_LE(most_away, 1e-9);
    EXPECT_LE(most_of_load, 1e-7);
    EXPECT_GE(share_in_plane(flat), 0.97);
    EXPECT_EQ(share_in_plane(space), 0);
    EXPECT_LE(flat.report().gap.value, 1e-9);
}

TEST_P(FlatStrands, HaveTheSameBitsOnMachinesOfAllWidths) {
    std::vector<State> ends;
    for (const lanes::Machine most : {lanes::Machine::widest, lanes::Machine::wide, lanes::Machine::plain}) {
        lanes::limit_machine(most);
        Simulator s(spec(60));
        s.advance_to(0.5);
        ends.push_back(s.state());
        lanes::limit_machine(lanes::Machine::widest);
    }
    for (std::size_t k = 1; k < ends.size(); ++k) {
        EXPECT_EQ(ends[k].x, ends[0].x);
        EXPECT_EQ(ends[k].q, ends[0].q);
        EXPECT_EQ(ends[k].v, ends[0].v);
        EXPECT_EQ(ends[k].w, ends[0].w);
    }
}

/// Nothing but gravity acts: linear momentum falls with it, and angular momentum about the centre stays.
TEST_P(FlatStrands, KeepWhatTheyShould) {
    const auto [n, hung, scheme] = GetParam();
    Simulator s(spec(60));
    s.advance();
    const Mechanics before = measure_mechanics(s.model(), s.state());
    const Vec3 spin = spin_about_centre(s, before);
    const double t0 = s.state().time;
    s.advance_to(2);
    const Mechanics after = measure_mechanics(s.model(), s.state());
    if (hung == Hung::free) {
        double mass = 0;
        for (const Body& b : s.model().bodies) mass += b.inv_mass > 0 ? b.mass : 0;
        const Vec3 fallen = (s.state().time - t0) * mass * s.model().simulation.gravity;
        EXPECT_LE(norm(after.momentum - before.momentum - fallen), 1e-12 * norm(fallen));
    }
    if (scheme == Scheme::exact) {
        if (hung == Hung::free) {
            EXPECT_LE(norm(spin_about_centre(s, after) - spin), 1e-9 * norm(spin));
        }
        EXPECT_LE(std::fabs(after.energy() - before.energy()), 1e-9 * std::max(1.0, after.kinetic));
    }
    EXPECT_GE(share_in_plane(s), 0.97);
}

TEST_P(FlatStrands, LeaveThePlaneWhenPushedOutOfIt) {
    const Axes axes{std::get<0>(GetParam())};
    Simulator s(spec(60));
    s.advance_to(0.2);
    EXPECT_GE(share_in_plane(s), 0.97);
    State kicked = s.state();
    kicked.v[20] += axes({0, 0, 1});
    s.set_state(kicked);
    s.advance_to(0.6);
    EXPECT_LT(share_in_plane(s), 0.7);
    EXPECT_LE(s.report().gap.value, 1e-9);
    const double off = dot(s.state().x[20] - s.state().x[1], axes({0, 0, 1}));
    EXPECT_GT(std::fabs(off), 1e-4);
}

std::string name_of(const testing::TestParamInfo<std::tuple<int, Hung, Scheme>>& info) {
    const auto [n, hung, scheme] = info.param;
    const char* hangs = hung == Hung::free ? "free" : hung == Hung::by_one_end ? "by_one_end" : "by_both_ends";
    return fmt::format("across_{}_{}_{}", "xyz"[n], hangs, scheme == Scheme::exact ? "exact" : "newton");
}
INSTANTIATE_TEST_SUITE_P(All, FlatStrands,
                         testing::Combine(testing::Values(0, 1, 2),
                                          testing::Values(Hung::by_one_end, Hung::by_both_ends, Hung::free),
                                          testing::Values(Scheme::newton, Scheme::exact)),
                         name_of);

TEST(FlatStrands, WhatIsTiltedOrLopsidedIsNotFlat) {
    const auto in_plane = [](const Spec& spec) {
        Simulator s(spec);
        s.advance_to(0.1);
        return share_in_plane(s) > 0;
    };
    const Spec flat = chain(60, 2, Hung::by_one_end, Scheme::newton);
    EXPECT_TRUE(in_plane(flat));
    Spec across = flat;
    across.simulation.gravity.z = 1;
    EXPECT_FALSE(in_plane(across));
    Spec anchored = flat;
    anchored.constraints[30].hinge->p1_B.z = 0.001;
    EXPECT_FALSE(in_plane(anchored));
    Spec lopsided = flat;
    lopsided.solids[30].inertia_G = Mat3{{0.02, 0, 0.005}, {0, 0.03, 0}, {0.005, 0, 0.04}};
    EXPECT_FALSE(in_plane(lopsided));
}

}  // namespace
}  // namespace armature::flat_strands
