// State as plain data: compared, hashed, saved and restored to the last bit.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "armature/model/compile.h"
#include "armature/model/state.h"
#include "armature/sim/simulator.h"
#include "support/small_scenes.h"

namespace armature {
namespace {

Spec scene() {
    Spec spec;
    test::add_every_joint(spec);
    test::add_chain(spec, "link", 4, {0, 0, 3});
    test::add_every_force(spec, "link1", "link3");
    spec.find_solid("ball")->spin = {3, 50, 1};  // sub-steps, so that the step control has something to remember
    return spec;
}

std::string refusal(const Model& model, const std::string& bytes) {
    try {
        from_snapshot(model, bytes, "file.snapshot");
    } catch (const InputError& e) {
        return e.what();
    }
    return "accepted";
}

bool has(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

TEST(Snapshot, ComesBackToTheLastBit) {
    Simulator sim(scene());
    for (int i = 0; i < 17; ++i) sim.advance();
    const State& s = sim.state();
    const std::string bytes = to_snapshot(sim.model(), s);
    const State back = from_snapshot(sim.model(), bytes);
    EXPECT_EQ(back, s);
    EXPECT_EQ(hash(back), hash(s));
    EXPECT_EQ(to_snapshot(sim.model(), back), bytes);
}

TEST(Snapshot, KeepsEvenNumbersThatAreNotFinite) {
    const Model model = compile(scene());
    State s = initial_state(model);
    s.x[1].x = -0.0;
    s.v[2].y = std::numeric_limits<double>::denorm_min();
    s.w[3].z = std::numeric_limits<double>::quiet_NaN();
    s.x[4].x = -infinity;
    EXPECT_EQ(hash(from_snapshot(model, to_snapshot(model, s))), hash(s));
}

TEST(Snapshot, ContinuesAsIfNothingHadHappened) {
    for (const Scheme scheme : {Scheme::euler, Scheme::newton, Scheme::stormer, Scheme::verlet}) {
        Spec spec = scene();
        spec.simulation.scheme = scheme;
        Simulator straight(spec);
        for (int i = 0; i < 23; ++i) straight.advance();
        const std::string bytes = to_snapshot(straight.model(), straight.state());
        Simulator restored(spec);
        restored.set_state(from_snapshot(restored.model(), bytes));
        for (int i = 0; i < 40; ++i) {
            straight.advance();
            restored.advance();
            ASSERT_EQ(hash(straight.state()), hash(restored.state()))
                << "frame " << i << ", scheme " << static_cast<int>(scheme);
        }
    }
}

TEST(Snapshot, ThatIsDamagedAnywhereIsRefused) {
    const Model model = compile(scene());
    const std::string good = to_snapshot(model, initial_state(model));
    ASSERT_EQ(refusal(model, good), "accepted");
    for (std::size_t i = 0; i < good.size(); ++i) {
        std::string bad = good;
        bad[i] = static_cast<char>(bad[i] ^ 0x10);
        const std::string why = refusal(model, bad);
        ASSERT_NE(why, "accepted") << "byte " << i;
        ASSERT_TRUE(has(why, "file.snapshot")) << why;
    }
}

TEST(Snapshot, ThatIsCutShortOrTooLongIsRefused) {
    const Model model = compile(scene());
    const std::string good = to_snapshot(model, initial_state(model));
    for (std::size_t n = 0; n < good.size(); ++n)
        ASSERT_NE(refusal(model, good.substr(0, n)), "accepted") << n << " bytes";
    EXPECT_TRUE(has(refusal(model, good.substr(0, good.size() - 1)), "cut short"));
    EXPECT_NE(refusal(model, good + "x"), "accepted");
    EXPECT_NE(refusal(model, good + std::string(8, '\0')), "accepted");
    EXPECT_TRUE(has(refusal(model, ""), "not an Armature snapshot"));
    EXPECT_TRUE(has(refusal(model, "object a; mass 1; end object b; end"), "not an Armature snapshot"));
}

TEST(Snapshot, OfAnotherModelIsRefused) {
    const Model model = compile(scene());
    const std::string bytes = to_snapshot(model, initial_state(model));
    const std::vector<std::pair<const char*, void (*)(Spec&)>> edits{
        {"a mass", [](Spec& s) { s.solids[2].mass = 1.5; }},
        {"a name",
         [](Spec& s) {
             s.solids[0].name = "Ball", s.constraints[0].solid1 = "Ball", s.constraints[1].solid2 = "Ball";
         }},
        {"a place", [](Spec& s) { s.solids[2].pose_WB.x.x += 1e-9; }},
        {"an anchor", [](Spec& s) { s.constraints[0].hinge->p1_B.x += 1e-9; }},
        {"a domain", [](Spec& s) { s.constraints[1].hinge->domain = PointDomain{}; }},
        {"a limit", [](Spec& s) { s.find_constraint("j_cone")->angle->max = 0.41; }},
        {"a twist", [](Spec& s) { s.find_constraint("j_door")->twist->max = 0.51; }},
        {"a time of validity", [](Spec& s) { s.constraints[0].until = 99; }},
        {"an alpha", [](Spec& s) { s.constraints[0].alpha = 1; }},
        {"a mobility", [](Spec& s) { s.constraints[0].mobility = 0.4; }},
        {"a spring", [](Spec& s) { std::get<SpringSpec>(s.forces[0].law).stiffness = 51; }},
        {"a drag", [](Spec& s) { std::get<DragSpec>(s.forces[2].law).linear = 0.06; }},
        {"a force", [](Spec& s) { std::get<PointForceSpec>(s.forces[3].law).force.keys[1].value.x = 2; }},
        {"a torque", [](Spec& s) { std::get<TorqueSpec>(s.forces[4].law).frame = Frame::body; }},
        {"gravity", [](Spec& s) { s.simulation.gravity.y = -9.8; }},
        {"dt", [](Spec& s) { s.simulation.dt = 0.01; }},
        {"the scheme", [](Spec& s) { s.simulation.scheme = Scheme::euler; }},
        {"the tolerance", [](Spec& s) { s.simulation.tolerance = 2e-4; }},
        {"the iterations", [](Spec& s) { s.simulation.iterations = 999; }},
        {"the sweep", [](Spec& s) { s.simulation.displacement.order = SweepOrder::gauss_seidel; }},
        {"one solid more",
         [](Spec& s) {
             test::add_brick(s, "more", {9, 9, 9});
         }},
        {"one joint less", [](Spec& s) { s.constraints.pop_back(); }},
    };
    for (const auto& [what, edit] : edits) {
        Spec other = scene();
        edit(other);
        EXPECT_TRUE(has(refusal(compile(other), bytes), "another scene"))
            << what << ": " << refusal(compile(other), bytes);
    }
    // What does not influence the motion does not matter.
    Spec same = scene();
    same.title = "another title";
    same.simulation.duration = 99;
    same.simulation.max_gap = 1;
    same.solids[0].color = {1, 0, 0};
    EXPECT_EQ(refusal(compile(same), bytes), "accepted");
}

TEST(State, EveryNumberIsComparedAndHashed) {
    const Model model = compile(scene());
    const State s = initial_state(model);
    const std::vector<void (*)(State&)> edits{
        [](State& t) { t.time = 1; },
        [](State& t) { t.frame = 1; },
        [](State& t) { t.x[3].z += 1e-12; },
        [](State& t) { t.q[2].y += 1e-15; },
        [](State& t) { t.v[1].x = 1e-300; },
        [](State& t) { t.w.back().y = 1; },
        [](State& t) { t.loads[0].force.x = 1; },
        [](State& t) { t.loads.back().torque.z = 1; },
        [](State& t) { t.islands[0].h_last = 0.1; },
        [](State& t) { t.islands[1].level = 1; },
        [](State& t) { t.islands[1].clean_steps = 1; },
        [](State& t) { t.islands[0].failed_body = 1; },
        [](State& t) { std::swap(t.v[1], t.x[1]); },
    };
    std::vector<std::uint64_t> hashes{hash(s)};
    for (const auto edit : edits) {
        State t = s;
        edit(t);
        EXPECT_FALSE(t == s);
        for (const std::uint64_t h : hashes) EXPECT_NE(hash(t), h);
        hashes.push_back(hash(t));
    }
    const State copy = s;
    EXPECT_EQ(copy, s);
    EXPECT_EQ(hash(copy), hash(s));
}

TEST(State, PlacesTheFrameOfTheAuthor) {
    Spec spec;
    SolidSpec& s = spec.add_solid("lopsided");
    s.shapes.push_back({"", Box{{1, 1, 1}}, {{2, 0, 0}, {}}, {}});
    s.pose_WB = {{1, 2, 3}, from_axis_angle({0, 0, 1}, pi / 2)};
    const Model model = compile(spec);
    State state = initial_state(model);
    EXPECT_LT(norm(state.x[1] - Vec3{1, 4, 3}), 1e-14) << "the centre of mass is 2 m along the turned x axis";
    EXPECT_LT(norm(state.pose_WB(model, 1).x - Vec3{1, 2, 3}), 1e-14);
    const Pose X{{5, 6, 7}, from_axis_angle({1, 0, 0}, 1)};
    state.set_pose_WB(model, 1, X);
    EXPECT_LT(norm(state.pose_WB(model, 1).x - X.x), 1e-14);
    EXPECT_LT(norm(state.x[1] - X * Vec3{2, 0, 0}), 1e-14);
}

}  // namespace
}  // namespace armature
