// Odd, but not wrong: sixty frames of finite numbers.
#include <gtest/gtest.h>

#include <chrono>

#include "armature/sim/simulator.h"
#include "sound_spec.h"

namespace armature {
namespace {

using namespace test_model;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
constexpr bool optimised = false;
#elif defined(__has_feature)
constexpr bool optimised = !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer);
#else
constexpr bool optimised = true;
#endif

struct Oddity {
    const char* name;
    void (*apply)(Spec&);
};
void PrintTo(const Oddity& o, std::ostream* out) {
    *out << o.name;
}

std::vector<Oddity> oddities() {
    return {
        {"nothing_at_all", [](Spec& s) { s = Spec{}; }},
        {"only_fixed_solids", [](Spec& s) { s = Spec{}, s.add_solid("post").kernel = Kernel::fixed; }},
        {"all_solids_in_one_place",
         [](Spec& s) {
             for (SolidSpec& b : s.solids) b.pose_WB.x = {};
         }},
        {"all_anchors_in_the_centre",
         [](Spec& s) {
             for (ConstraintSpec& c : s.constraints) c.hinge->p1_B = c.hinge->p2_B = {};
         }},
        {"the_same_joint_twice", [](Spec& s) { s.constraints.push_back(s.constraints[1]); }},
        {"a_joint_that_cannot_hold",
         [](Spec& s) {
             test::add_ball(s, "link2", {}, "world", {100, 0, 0});
         }},
        {"anchors_a_light_year_away",
         [](Spec& s) {
             shoulder(s).hinge->p1_B = {1e16, 0, 0};
         }},
        {"anchors_at_the_end_of_the_numbers",
         [](Spec& s) {
             shoulder(s).hinge->p1_B = {1e300, 0, 0};
         }},
        {"places_at_the_end_of_the_numbers",
         [](Spec& s) {
             link(s).pose_WB.x = {0, 1e300, 0};
         }},
        {"velocity_at_the_end_of_the_numbers",
         [](Spec& s) {
             link(s).velocity = {1e300, 0, 0};
         }},
        {"spin_at_the_end_of_the_numbers",
         [](Spec& s) {
             link(s).spin = {0, 1e300, 0};
         }},
        {"a_million_turns_a_second",
         [](Spec& s) {
             link(s).spin = {0, 6e6, 0};
         }},
        {"a_mass_of_a_planet", [](Spec& s) { link(s).mass = 1e30; }},
        {"a_mass_of_an_atom", [](Spec& s) { link(s).mass = 1e-26; }},
        {"a_needle_of_a_micrometre",
         [](Spec& s) {
             link(s).shapes[0].geometry = Cylinder{1e-6, 1}, s.forces.clear();
         }},
        {"a_spring_of_steel", [](Spec& s) { law<SpringSpec>(s, 0).stiffness = 1e8; }},
        {"a_spring_at_the_end_of_the_numbers", [](Spec& s) { law<SpringSpec>(s, 0).stiffness = 1e300; }},
        {"a_spring_of_no_length",
         [](Spec& s) {
             law<SpringSpec>(s, 0).p1_B = {0.3, 0, 0}, law<SpringSpec>(s, 0).rest = 0;
         }},
        {"a_drag_of_tar", [](Spec& s) { law<DragSpec>(s, 2).linear = law<DragSpec>(s, 2).angular = 1e12; }},
        {"a_force_at_the_end_of_the_numbers",
         [](Spec& s) {
             law<PointForceSpec>(s, 3).force = VectorTrack::constant({1e308, 0, 0});
         }},
        {"gravity_of_a_neutron_star",
         [](Spec& s) {
             s.simulation.gravity = {0, -1e12, 0};
         }},
        {"frames_of_a_day",
         [](Spec& s) {
             s.simulation.dt = 86400, s.simulation.duration = 86400, s.simulation.min_dt = 5400, s.forces.clear();
         }},
        {"frames_of_a_nanosecond",
         [](Spec& s) { s.simulation.dt = 1e-9, s.simulation.duration = 1e-6, s.simulation.min_dt = 1e-9; }},
        {"a_tolerance_beyond_reach", [](Spec& s) { s.simulation.tolerance = 1e-300; }},
        {"a_tolerance_beyond_care", [](Spec& s) { s.simulation.tolerance = 1e300; }},
        {"one_iteration", [](Spec& s) { s.simulation.iterations = 1; }},
        {"a_segment_of_no_length",
         [](Spec& s) {
             shoulder(s).hinge->domain = SegmentDomain{{1, 0, 0}, 0, 0};
         }},
        {"a_ring_of_no_width",
         [](Spec& s) {
             shoulder(s).hinge->domain = RingDomain{{0, 1, 0}, 0.2, 0.2};
         }},
        {"a_ring_of_no_size",
         [](Spec& s) {
             shoulder(s).hinge->domain = RingDomain{{0, 1, 0}, 0, 0};
         }},
        {"a_point_on_the_axis_of_its_ring",
         [](Spec& s) {
             shoulder(s).hinge->domain = RingDomain{{1, 0, 0}, 0.5, 0.6};
         }},
        {"a_sphere_of_no_size",
         [](Spec& s) {
             shoulder(s).hinge->domain = SphereDomain{0, 0};
         }},
        {"a_point_at_the_centre_of_its_sphere",
         [](Spec& s) {
             shoulder(s).hinge->domain = SphereDomain{0.3, 0.3};
         }},
        {"a_curve_that_crosses_itself",
         [](Spec& s) {
             shoulder(s).hinge->domain =
                 CurveDomain{CurveKind::spline, {{-1, -1, 0}, {1, 1, 0}, {1, -1, 0}, {-1, 1, 0}}, true};
         }},
        {"a_polyline_there_and_back",
         [](Spec& s) {
             shoulder(s).hinge->domain = CurveDomain{CurveKind::polyline, {{0, 0, 0}, {1, 0, 0}, {0, 0, 0}}, false};
         }},
        {"a_point_in_the_middle_of_the_faces_of_a_box",
         [](Spec& s) {
             shoulder(s).hinge->domain = BoxDomain{{0.2, 0.2, 0.2}, {}, true};
         }},
        {"an_axis_of_every_length",
         [](Spec& s) {
             shoulder(s).angle->a1_B = {1e200, 0, 0}, shoulder(s).angle->a2_B = {1e-9, 0, 0};
         }},
        {"opposite_axes_that_must_align",
         [](Spec& s) {
             shoulder(s).angle = AngleSpec{{1, 0, 0}, {-1, 0, 0}, 0, 0};
         }},
        {"aligned_axes_that_must_oppose",
         [](Spec& s) {
             shoulder(s).angle = AngleSpec{{1, 0, 0}, {1, 0, 0}, pi, pi};
         }},
        {"a_joint_for_no_time_to_speak_of",
         [](Spec& s) { shoulder(s).from = 0.5, shoulder(s).until = std::nextafter(0.5, 1.0); }},
        {"a_path_that_jumps",
         [](Spec& s) {
             s.find_solid("cart")->path.keys[1] = {1e-9, {{1e6, 0, 0}, {}}};
         }},
        {"without_physics",
         [](Spec& s) { s.simulation.displacement.physics = false, s.simulation.scheme = Scheme::verlet; }},
    };
}

class Odd : public testing::TestWithParam<Oddity> {};

TEST_P(Odd, GivesSixtyFramesOfFiniteNumbersWithinASecond) {
    Spec spec = sound();
    spec.simulation.iterations = 100;
    spec.simulation.assembly_iterations = 1000;
    GetParam().apply(spec);
    Simulator sim(spec);
    const auto begin = std::chrono::steady_clock::now();
    sim.assemble();
    for (int i = 0; i < 60; ++i) {
        sim.advance();
        const State& s = sim.state();
        for (std::size_t b = 0; b < s.x.size(); ++b)
            ASSERT_TRUE(is_finite(s.x[b]) && is_finite(s.q[b]) && is_finite(s.v[b]) && is_finite(s.w[b]))
                << sim.model().bodies[b].name << " in frame " << i;
        for (const JointLoad& load : s.loads)
            ASSERT_TRUE(is_finite(load.force) && is_finite(load.torque)) << "frame " << i;
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    RecordProperty("seconds", fmt::format("{:.3f}", seconds));
    // A second, with room for a busy machine; builds with sanitizers or without optimisation are some ten times slower.
    EXPECT_LT(seconds, optimised ? 5 : 60);
}

INSTANTIATE_TEST_SUITE_P(Scene, Odd, testing::ValuesIn(oddities()),
                         [](const auto& oddity) { return std::string(oddity.param.name); });

}  // namespace
}  // namespace armature
