// Every check of compile(): each degenerate input is an error that names the thing and says what to do, or a scene that
// stays finite.
#include "armature/model/compile.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <limits>

#include "armature/sim/simulator.h"
#include "support/small_scenes.h"

namespace armature {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
constexpr bool optimised = false;
#elif defined(__has_feature)
constexpr bool optimised = !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer);
#else
constexpr bool optimised = true;
#endif

/// A sound scene with one of everything, to be spoilt: a chain of three with forces, a cart on a path, a particle.
Spec sound() {
    Spec spec;
    test::add_chain(spec, "link", 3);
    test::add_every_force(spec, "link1", "link2");
    SolidSpec& cart = spec.add_solid("cart");
    cart.kernel = Kernel::path;
    cart.path.keys = {{0, {{0, 0, 5}, {}}}, {1, {{1, 0, 5}, {}}}};
    SolidSpec& bead = spec.add_solid("bead");
    bead.particle = true;
    bead.mass = 0.1;
    bead.pose_WB.x = {0, 0, 5};
    test::add_ball(spec, "bead", {}, "cart", {}).name = "wire";
    ConstraintSpec& elbow = *spec.find_constraint("");
    elbow.name = "shoulder";
    elbow.angle = AngleSpec{{1, 0, 0}, {1, 0, 0}, 0, 2};
    elbow.twist = TwistSpec{{0, 1, 0}, {0, 1, 0}, -1, 1};
    return spec;
}
SolidSpec& link(Spec& s) {
    return s.solids[1];
}
ConstraintSpec& shoulder(Spec& s) {
    return s.constraints[0];
}
template <class Law>
Law& law(Spec& s, std::size_t i) {
    return std::get<Law>(s.forces[i].law);
}

struct Fault {
    const char* name;
    void (*spoil)(Spec&);
    std::vector<const char*> says;  ///< all of them, in one of the errors (message and hint)
};
void PrintTo(const Fault& f, std::ostream* out) {
    *out << f.name;
}

std::vector<Fault> faults() {
    return {
        // ---- masses
        {"mass_zero", [](Spec& s) { link(s).mass = 0; }, {"link1", "mass is 0"}},
        {"mass_negative", [](Spec& s) { link(s).mass = -1; }, {"link1", "mass is -1"}},
        {"mass_nan", [](Spec& s) { link(s).mass = nan; }, {"link1", "mass is nan"}},
        {"mass_infinite", [](Spec& s) { link(s).mass = infinity; }, {"link1", "mass is inf"}},
        {"mass_denormal", [](Spec& s) { link(s).mass = 1e-320; }, {"link1", "too small"}},
        {"no_mass_at_all", [](Spec& s) { link(s).mass.reset(), link(s).shapes.clear(); }, {"link1", "no mass"}},
        {"mass_without_shape", [](Spec& s) { link(s).shapes.clear(); }, {"link1", "how it is distributed"}},
        {"density_negative", [](Spec& s) { link(s).density = -5; }, {"link1", "density is -5"}},
        {"density_nan", [](Spec& s) { link(s).density = nan; }, {"link1", "density is nan"}},
        {"inertia_zero", [](Spec& s) { link(s).inertia_G = Mat3{}; }, {"link1", "not positive definite"}},
        {"inertia_impossible",
         [](Spec& s) {
             link(s).inertia_G = Mat3::diagonal({1, 1, 3});
         },
         {"link1", "exceeds the sum"}},
        {"inertia_nan",
         [](Spec& s) {
             link(s).inertia_G = Mat3::diagonal({1, nan, 1});
         },
         {"link1", "inertia is not finite"}},
        {"inertia_lopsided",
         [](Spec& s) {
             link(s).inertia_G = Mat3{{1, 0.5, 0}, {0, 1, 0}, {0, 0, 1}};
         },
         {"link1", "not symmetric"}},
        {"centre_nan",
         [](Spec& s) {
             link(s).centre_B = Vec3{0, nan, 0};
         },
         {"link1", "centre of mass is not finite"}},
        {"point_mass_negative",
         [](Spec& s) {
             link(s).point_masses.push_back({-2, {}});
         },
         {"link1", "point mass is -2"}},
        {"point_mass_nowhere",
         [](Spec& s) {
             link(s).point_masses.push_back({1, {infinity, 0, 0}});
         },
         {"link1", "not finite"}},
        {"mass_in_one_point",
         [](Spec& s) {
             link(s).shapes.clear(), link(s).mass.reset(), link(s).point_masses = {{1, {}}};
         },
         {"link1", "in one point"}},
        {"mass_on_one_line",
         [](Spec& s) {
             link(s).shapes.clear(), link(s).mass.reset(), link(s).point_masses = {{1, {}}, {1, {1, 0, 0}}};
         },
         {"link1", "one line"}},
        {"particle_with_inertia",
         [](Spec& s) { s.find_solid("bead")->inertia_G = Mat3::identity(); },
         {"bead", "particle"}},
        // ---- shapes and places
        {"box_flat",
         [](Spec& s) {
             link(s).shapes[0].geometry = Box{{1, 0, 1}};
         },
         {"link1", "size"}},
        {"sphere_negative", [](Spec& s) { link(s).shapes[0].geometry = Sphere{-1}; }, {"link1", "radius", "-1"}},
        {"capsule_nan",
         [](Spec& s) {
             link(s).shapes[0].geometry = Capsule{0.1, nan};
         },
         {"link1", "length", "nan"}},
        {"mesh_missing",
         [](Spec& s) {
             link(s).shapes[0].geometry = MeshShape{"x.obj", nullptr};
         },
         {"link1", "x.obj"}},
        {"only_a_plane",
         [](Spec& s) { link(s).shapes[0].geometry = Plane{}, link(s).mass.reset(); },
         {"link1", "plane"}},
        {"shape_of_a_fixed_solid",
         [](Spec& s) {
             s.find_solid("cart")->shapes.push_back({"", Sphere{nan}, {}, {}});
         },
         {"cart", "radius"}},
        {"place_nan", [](Spec& s) { link(s).pose_WB.x.y = nan; }, {"link1", "place"}},
        {"place_infinite", [](Spec& s) { link(s).pose_WB.x.y = -infinity; }, {"link1", "place", "-inf"}},
        {"orientation_zero",
         [](Spec& s) {
             link(s).pose_WB.q = {0, 0, 0, 0};
         },
         {"link1", "not a rotation"}},
        {"orientation_nan", [](Spec& s) { link(s).pose_WB.q.w = nan; }, {"link1", "not a rotation"}},
        {"velocity_infinite", [](Spec& s) { link(s).velocity.x = infinity; }, {"link1", "velocity"}},
        {"spin_nan", [](Spec& s) { link(s).spin.z = nan; }, {"link1", "spin"}},
        {"ability_zero", [](Spec& s) { link(s).ability_to_rotate = 0; }, {"link1", "ability_to_rotate"}},
        {"ability_nan", [](Spec& s) { link(s).ability_to_rotate = nan; }, {"link1", "ability_to_rotate"}},
        // ---- paths
        {"path_without_keys", [](Spec& s) { s.find_solid("cart")->path.keys.clear(); }, {"cart", "no key"}},
        {"path_backwards", [](Spec& s) { s.find_solid("cart")->path.keys[1].t = -1; }, {"cart", "order of time"}},
        {"path_same_time_twice", [](Spec& s) { s.find_solid("cart")->path.keys[1].t = 0; }, {"cart", "order of time"}},
        {"path_time_nan", [](Spec& s) { s.find_solid("cart")->path.keys[1].t = nan; }, {"cart", "nan"}},
        {"path_place_nan",
         [](Spec& s) { s.find_solid("cart")->path.keys[1].pose.x.x = nan; },
         {"cart", "not a placement"}},
        {"path_on_a_dynamic_solid",
         [](Spec& s) {
             link(s).path.keys = {{0, {}}};
         },
         {"link1", "kernel"}},
        // ---- names
        {"solid_without_a_name", [](Spec& s) { test::add_brick(s, "", {}); }, {"no name"}},
        {"solid_named_world", [](Spec& s) { test::add_brick(s, "world", {}); }, {"`world`"}},
        {"two_solids_of_one_name", [](Spec& s) { test::add_brick(s, "link1", {}); }, {"two objects", "`link1`"}},
        {"two_constraints_of_one_name", [](Spec& s) { s.constraints[1].name = "wire"; }, {"two constraints", "`wire`"}},
        {"two_forces_of_one_name", [](Spec& s) { s.forces[1].name = "spring"; }, {"two forces", "`spring`"}},
        {"constraint_on_nobody",
         [](Spec& s) { shoulder(s).solid1 = "lnik1"; },
         {"shoulder", "`lnik1`", "did you mean 'link1'?"}},
        {"constraint_to_nobody",
         [](Spec& s) { shoulder(s).solid2 = "wrold"; },
         {"shoulder", "`wrold`", "did you mean 'world'?"}},
        {"constraint_to_itself",
         [](Spec& s) { shoulder(s).solid2 = shoulder(s).solid1; },
         {"shoulder", "link0", "itself"}},
        {"world_to_world", [](Spec& s) { shoulder(s).solid1 = "world"; }, {"shoulder", "itself"}},
        {"force_on_nobody",
         [](Spec& s) { law<PointForceSpec>(s, 3).solid = "lonk1"; },
         {"thrust", "`lonk1`", "did you mean"}},
        {"drag_on_nobody", [](Spec& s) { law<DragSpec>(s, 2).solid = "lonk1"; }, {"drag", "`lonk1`"}},
        {"spring_to_itself", [](Spec& s) { law<SpringSpec>(s, 1).solid2 = "link1"; }, {"damper", "itself"}},
        // ---- constraints
        {"constraint_of_nothing",
         [](Spec& s) { shoulder(s).hinge.reset(), shoulder(s).angle.reset(), shoulder(s).twist.reset(); },
         {"shoulder", "constrains nothing"}},
        {"hinge_nan", [](Spec& s) { shoulder(s).hinge->p1_B.x = nan; }, {"shoulder", "first point"}},
        {"hinge_infinite", [](Spec& s) { shoulder(s).hinge->p2_B.x = infinity; }, {"shoulder", "second point"}},
        {"hinge_beside_a_particle",
         [](Spec& s) { s.find_constraint("wire")->hinge->p1_B.x = 0.1; },
         {"bead", "particle"}},
        {"axis_zero",
         [](Spec& s) {
             shoulder(s).hinge->domain = SegmentDomain{{0, 0, 0}, 0, 1};
         },
         {"shoulder", "axis", "zero vector"}},
        {"axis_nan",
         [](Spec& s) {
             shoulder(s).hinge->domain = SegmentDomain{{nan, 0, 0}, 0, 1};
         },
         {"shoulder", "axis", "nan"}},
        {"segment_inverted",
         [](Spec& s) {
             shoulder(s).hinge->domain = SegmentDomain{{1, 0, 0}, 2, 1};
         },
         {"shoulder", "min 2 is above max 1"}},
        {"segment_nan",
         [](Spec& s) {
             shoulder(s).hinge->domain = SegmentDomain{{1, 0, 0}, nan, 1};
         },
         {"shoulder", "nan"}},
        {"segment_at_infinity",
         [](Spec& s) {
             shoulder(s).hinge->domain = SegmentDomain{{1, 0, 0}, infinity, infinity};
         },
         {"shoulder", "no finite place"}},
        {"normal_zero",
         [](Spec& s) {
             shoulder(s).hinge->domain = RingDomain{{0, 0, 0}, 0, 1};
         },
         {"shoulder", "normal", "zero vector"}},
        {"ring_inverted",
         [](Spec& s) {
             shoulder(s).hinge->domain = RingDomain{{0, 1, 0}, 2, 1};
         },
         {"shoulder", "min 2 is above max 1"}},
        {"ring_negative",
         [](Spec& s) {
             shoulder(s).hinge->domain = RingDomain{{0, 1, 0}, -1, 1};
         },
         {"shoulder", "negative"}},
        {"ring_at_infinity",
         [](Spec& s) {
             shoulder(s).hinge->domain = RingDomain{{0, 1, 0}, infinity, infinity};
         },
         {"shoulder", "no finite place"}},
        {"sphere_inverted",
         [](Spec& s) {
             shoulder(s).hinge->domain = SphereDomain{2, 1};
         },
         {"sphere of constraint `shoulder`", "min 2 is above max 1"}},
        {"sphere_of_negative_distance",
         [](Spec& s) {
             shoulder(s).hinge->domain = SphereDomain{-1, 1};
         },
         {"shoulder", "negative"}},
        {"sphere_without_a_bound",
         [](Spec& s) { shoulder(s).hinge->domain = SphereDomain{}; },
         {"shoulder", "allows every place"}},
        {"box_without_thickness",
         [](Spec& s) {
             shoulder(s).hinge->domain = BoxDomain{{1, 0, 1}, {}, false};
         },
         {"shoulder", "not all positive"}},
        {"box_nan",
         [](Spec& s) {
             shoulder(s).hinge->domain = BoxDomain{{1, nan, 1}, {}, true};
         },
         {"shoulder", "not all positive"}},
        {"curve_of_one_point",
         [](Spec& s) {
             shoulder(s).hinge->domain = CurveDomain{CurveKind::polyline, {{0, 0, 0}}, false};
         },
         {"curve of constraint `shoulder`", "1 point make no open curve"}},
        {"curve_that_stands_still",
         [](Spec& s) {
             shoulder(s).hinge->domain = CurveDomain{CurveKind::spline, {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}}, false};
         },
         {"shoulder", "points 2 and 3 are both at (1, 0, 0)"}},
        {"mesh_that_is_missing",
         [](Spec& s) { shoulder(s).hinge->domain = MeshDomain{}; },
         {"shoulder", "has no triangles"}},
        {"mesh_with_a_flat_triangle",
         [](Spec& s) {
             const TriangleMesh flat{{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}}};
             shoulder(s).hinge->domain = MeshDomain{"x.obj", std::make_shared<const TriangleMesh>(flat), {}, false};
         },
         {"shoulder", "x.obj", "triangle 0 at (0, 0, 0) has no area"}},
        {"open_mesh_to_be_inside_of",
         [](Spec& s) {
             const TriangleMesh open{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
             shoulder(s).hinge->domain = MeshDomain{"", std::make_shared<const TriangleMesh>(open), {}, true};
         },
         {"shoulder", "has no inside", "open"}},
        {"angle_vector_zero",
         [](Spec& s) { shoulder(s).angle->a1_B = {}; },
         {"shoulder", "first angle vector", "zero vector"}},
        {"angle_vector_nan", [](Spec& s) { shoulder(s).angle->a2_B.y = nan; }, {"shoulder", "second angle vector"}},
        {"angle_inverted", [](Spec& s) { shoulder(s).angle->min = 2.5; }, {"shoulder", "min 2.5 is above max 2"}},
        {"angle_negative", [](Spec& s) { shoulder(s).angle->min = -0.1; }, {"shoulder", "[0, π]"}},
        {"angle_beyond_half_a_turn", [](Spec& s) { shoulder(s).angle->max = 4; }, {"shoulder", "[0, π]"}},
        {"angle_nan", [](Spec& s) { shoulder(s).angle->max = nan; }, {"shoulder", "nan"}},
        {"angle_of_a_particle",
         [](Spec& s) { s.find_constraint("wire")->angle = AngleSpec{}; },
         {"bead", "no orientation"}},
        {"twist_without_axes", [](Spec& s) { shoulder(s).angle.reset(); }, {"shoulder", "no axis"}},
        {"twist_vector_zero",
         [](Spec& s) { shoulder(s).twist->b1_B = {}; },
         {"shoulder", "first twist vector", "zero vector"}},
        {"twist_vector_along_the_axis",
         [](Spec& s) {
             shoulder(s).twist->b2_B = {2, 0, 0};
         },
         {"shoulder", "second twist vector", "along the axis"}},
        {"twist_inverted", [](Spec& s) { shoulder(s).twist->min = 1.5; }, {"shoulder", "min 1.5 is above max 1"}},
        {"twist_beyond_a_turn", [](Spec& s) { shoulder(s).twist->max = 7; }, {"shoulder", "full turn"}},
        {"twist_nan", [](Spec& s) { shoulder(s).twist->min = nan; }, {"shoulder", "nan"}},
        {"twist_infinite", [](Spec& s) { shoulder(s).twist->max = infinity; }, {"shoulder", "full turn"}},
        {"validity_inverted", [](Spec& s) { shoulder(s).from = 2, shoulder(s).until = 1; }, {"shoulder", "ends at 1"}},
        {"validity_empty", [](Spec& s) { shoulder(s).from = shoulder(s).until = 1; }, {"shoulder", "validity"}},
        {"validity_nan", [](Spec& s) { shoulder(s).from = nan; }, {"shoulder", "nan"}},
        {"alpha_zero", [](Spec& s) { shoulder(s).alpha = 0; }, {"shoulder", "alpha"}},
        {"alpha_infinite", [](Spec& s) { shoulder(s).alpha = infinity; }, {"shoulder", "alpha", "inf"}},
        {"mobility_zero", [](Spec& s) { shoulder(s).mobility = 0; }, {"mobility of constraint `shoulder` is 0"}},
        {"mobility_one", [](Spec& s) { shoulder(s).mobility = 1; }, {"mobility of constraint `shoulder` is 1"}},
        {"mobility_nan", [](Spec& s) { shoulder(s).mobility = nan; }, {"shoulder", "mobility", "nan"}},
        // ---- forces
        {"force_nan", [](Spec& s) { law<PointForceSpec>(s, 3).force.keys[0].value.x = nan; }, {"thrust", "nan"}},
        {"force_at_infinity", [](Spec& s) { law<PointForceSpec>(s, 3).at_B.x = infinity; }, {"thrust", "inf"}},
        {"force_without_keys", [](Spec& s) { law<PointForceSpec>(s, 3).force.keys.clear(); }, {"thrust", "no key"}},
        {"force_backwards",
         [](Spec& s) { law<PointForceSpec>(s, 3).force.keys[1].t = 0; },
         {"thrust", "order of time"}},
        {"torque_infinite", [](Spec& s) { law<TorqueSpec>(s, 4).torque.keys[0].value.y = infinity; }, {"motor", "inf"}},
        {"torque_on_a_particle", [](Spec& s) { law<TorqueSpec>(s, 4).solid = "bead"; }, {"motor", "bead", "particle"}},
        {"spring_negative", [](Spec& s) { law<SpringSpec>(s, 0).stiffness = -1; }, {"spring", "stiffness", "-1"}},
        {"spring_infinite",
         [](Spec& s) { law<SpringSpec>(s, 0).stiffness = infinity; },
         {"spring", "stiffness", "inf"}},
        {"spring_rest_nan", [](Spec& s) { law<SpringSpec>(s, 0).rest = nan; }, {"spring", "rest", "nan"}},
        {"spring_point_nan", [](Spec& s) { law<SpringSpec>(s, 0).p1_B.x = nan; }, {"spring", "first point"}},
        {"damping_negative", [](Spec& s) { law<SpringSpec>(s, 1).damping = -1; }, {"damper", "damping", "-1"}},
        {"drag_negative", [](Spec& s) { law<DragSpec>(s, 2).linear = -1; }, {"drag", "linear", "-1"}},
        {"drag_nan", [](Spec& s) { law<DragSpec>(s, 2).angular = nan; }, {"drag", "angular", "nan"}},
        // ---- simulation
        {"gravity_nan", [](Spec& s) { s.simulation.gravity.y = nan; }, {"gravity", "nan"}},
        {"dt_zero", [](Spec& s) { s.simulation.dt = 0; }, {"dt is 0"}},
        {"dt_negative", [](Spec& s) { s.simulation.dt = -0.01; }, {"dt is -0.01"}},
        {"dt_nan", [](Spec& s) { s.simulation.dt = nan; }, {"dt is nan"}},
        {"duration_negative", [](Spec& s) { s.simulation.duration = -1; }, {"duration is -1"}},
        {"duration_infinite", [](Spec& s) { s.simulation.duration = infinity; }, {"duration is inf"}},
        {"duration_endless", [](Spec& s) { s.simulation.duration = 1e12; }, {"duration", "frames"}},
        {"tolerance_zero", [](Spec& s) { s.simulation.tolerance = 0; }, {"tolerance is 0"}},
        {"tolerance_nan", [](Spec& s) { s.simulation.tolerance = nan; }, {"tolerance is nan"}},
        {"max_gap_negative", [](Spec& s) { s.simulation.max_gap = -1; }, {"max_gap is -1"}},
        {"iterations_zero", [](Spec& s) { s.simulation.iterations = 0; }, {"iterations is 0"}},
        {"assembly_iterations_negative",
         [](Spec& s) { s.simulation.assembly_iterations = -3; },
         {"assembly_iterations is -3"}},
        {"max_rotation_zero", [](Spec& s) { s.simulation.max_rotation = 0; }, {"max_rotation is 0"}},
        {"max_correction_zero", [](Spec& s) { s.simulation.max_correction = 0; }, {"max_correction is 0"}},
        {"min_dt_zero", [](Spec& s) { s.simulation.min_dt = 0; }, {"min_dt is 0"}},
        {"verlet_keep_two", [](Spec& s) { s.simulation.verlet_keep = 2; }, {"verlet_keep is 2"}},
        {"settle_negative", [](Spec& s) { s.simulation.settle = -1; }, {"settle is -1"}},
        {"variant_three", [](Spec& s) { s.simulation.displacement.variant = 3; }, {"variant is 3"}},
        {"newton_without_masses",
         [](Spec& s) { s.simulation.displacement.physics = false; },
         {"the newton scheme needs masses"}},
        {"relaxation_two", [](Spec& s) { s.simulation.displacement.relaxation = 2; }, {"relaxation is 2"}},
        {"relaxation_zero", [](Spec& s) { s.simulation.displacement.relaxation = 0; }, {"relaxation is 0"}},
    };
}

std::vector<Diagnostic> errors_of(const Spec& spec) {
    Diagnostics diagnostics;
    const std::optional<Model> model = compile(spec, diagnostics);
    std::vector<Diagnostic> errors;
    for (const Diagnostic& d : diagnostics.all())
        if (d.severity == Severity::error) errors.push_back(d);
    EXPECT_EQ(model.has_value(), errors.empty());
    return errors;
}

class Degenerate : public testing::TestWithParam<Fault> {};

TEST_P(Degenerate, IsAnErrorThatNamesTheThingAndSaysWhatToDo) {
    Spec spec = sound();
    ASSERT_TRUE(errors_of(spec).empty());
    GetParam().spoil(spec);
    const std::vector<Diagnostic> errors = errors_of(spec);
    ASSERT_FALSE(errors.empty());
    std::string all;
    bool found = false;
    for (const Diagnostic& d : errors) {
        const std::string text = fmt::format("{} | {}", d.message, d.hint);
        all += text + '\n';
        bool says = true;
        for (const char* part : GetParam().says) says = says && text.find(part) != std::string::npos;
        found = found || says;
        EXPECT_FALSE(d.message.empty());
    }
    EXPECT_TRUE(found) << all;
    EXPECT_EQ(errors.size(), 1u) << "one fault, one error:\n" << all;
    EXPECT_THROW(compile(spec), InputError);
}

INSTANTIATE_TEST_SUITE_P(Input, Degenerate, testing::ValuesIn(faults()),
                         [](const auto& fault) { return std::string(fault.param.name); });

// ---- odd, but not wrong: sixty frames of finite numbers -----------------------------------------------------------------

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

// ---- findings together ------------------------------------------------------------------------------------------------

TEST(Compile, ReportsAllFaultsAtOnceWithTheirPlaces) {
    Spec spec = sound();
    link(spec).mass = -1;
    link(spec).origin.block = {"scene.arm", 10, 1, 6};
    link(spec).origin.properties = {{"mass", {"scene.arm", 12, 5, 4}}};
    shoulder(spec).solid2 = "nobody";
    shoulder(spec).origin.block = {"scene.arm", 30, 1, 10};
    shoulder(spec).origin.notes = {"placed as doll[3]"};
    law<DragSpec>(spec, 2).linear = nan;
    spec.simulation.dt = 0;
    const std::vector<Diagnostic> errors = errors_of(spec);
    ASSERT_EQ(errors.size(), 4u);
    const auto at = [&](int line) {
        for (const Diagnostic& d : errors)
            if (d.place.line == line) return d;
        ADD_FAILURE() << "nothing at line " << line;
        return Diagnostic{};
    };
    EXPECT_EQ(at(12).place.column, 5) << "the property, not the block";
    EXPECT_EQ(at(30).notes, std::vector<std::string>{"placed as doll[3]"})
        << "the block, where the keyword is not known";
    try {
        compile(spec);
    } catch (const InputError& e) {
        EXPECT_EQ(e.diagnostics().all().size(), 4u);
    }
}

TEST(Compile, TellsWhereTheFirstOfTwoNamesakesIs) {
    Spec spec = sound();
    link(spec).origin.block = {"scene.arm", 7, 1, 6};
    test::add_brick(spec, "link1", {});
    ASSERT_EQ(errors_of(spec).size(), 1u);
    EXPECT_NE(errors_of(spec)[0].hint.find("scene.arm:7"), std::string::npos);
}

TEST(Compile, DoesNotCountTheErrorsOfAnEarlierStage) {
    Diagnostics diagnostics;
    diagnostics.error({}, "from the parser");
    EXPECT_TRUE(compile(sound(), diagnostics).has_value());
}

TEST(Compile, WarnsOfWhatHasNoEffect) {
    Spec spec = sound();
    SolidSpec& post = spec.add_solid("post");
    post.kernel = Kernel::fixed;
    post.velocity = {1, 0, 0};
    test::add_ball(spec, "post", {}, "world", {}).name = "idle";
    spec.add_force("wind").law = PointForceSpec{"post", {}, VectorTrack::constant({1, 0, 0}), Frame::world};
    Diagnostics diagnostics;
    ASSERT_TRUE(compile(spec, diagnostics).has_value());
    std::string text;
    for (const Diagnostic& d : diagnostics.all()) {
        EXPECT_EQ(d.severity, Severity::warning);
        text += d.message + '\n';
    }
    EXPECT_EQ(diagnostics.all().size(), 3u) << text;
    EXPECT_NE(text.find("`post` is fixed"), std::string::npos) << text;
    EXPECT_NE(text.find("`idle` joins two objects that cannot give way"), std::string::npos) << text;
    EXPECT_NE(text.find("force `wind` acts on `post`"), std::string::npos) << text;
}

TEST(Compile, NamesConstraintsAfterTheirSolidsAndNumbersTheRest) {
    Spec spec;
    test::add_chain(spec, "a", 2);
    test::add_ball(spec, "a1", {0.2, 0.1, 0}, "a0", {});
    test::add_ball(spec, "a1", {0.2, 0, 0}, "a0", {});
    EXPECT_EQ(constraint_names(spec), (std::vector<std::string>{"a0~world", "a1~a0", "a1~a0#2", "a1~a0#3"}));
    const Model model = compile(spec);
    EXPECT_EQ(model.find_joint("a1~a0#2"), 2);
    EXPECT_EQ(model.find_joint("a1~a0#9"), -1);
    EXPECT_EQ(model.find_body("a1"), 2);
    EXPECT_EQ(model.find_body("nobody"), -1);
}

TEST(Compile, TakesAnchorsFromTheCentreOfMassAndUnitAxes) {
    Spec spec;
    SolidSpec& s = spec.add_solid("lopsided");
    s.shapes.push_back({"", Box{{1, 1, 1}}, {{2, 0, 0}, {}}, {}});
    ConstraintSpec& c = spec.add_constraint("lopsided", "world");
    c.hinge = HingeSpec{{3, 0, 0}, {0, 1, 0}, SegmentDomain{{0, 0, 5}, 0, 1}};
    c.angle = AngleSpec{{0, 3, 0}, {0, 0.1, 0}, 0, 1};
    const Model model = compile(spec);
    ASSERT_EQ(model.joints[0].parts.size(), 2u);
    const auto& point = std::get<PointPart>(model.joints[0].parts[0]);
    EXPECT_LT(norm(point.p1_G - Vec3{1, 0, 0}), 1e-15);
    EXPECT_EQ(point.p2_G, (Vec3{0, 1, 0}));
    EXPECT_EQ(std::get<SegmentDomain>(point.domain).axis_2, (Vec3{0, 0, 1}));
    const auto& angle = std::get<AnglePart>(model.joints[0].parts[1]);
    EXPECT_EQ(angle.a1_B, (Vec3{0, 1, 0}));
    EXPECT_EQ(angle.a2_B, (Vec3{0, 1, 0}));
}

TEST(Compile, LeavesOutIntervalsThatBlockNothing) {
    Spec spec;
    test::add_chain(spec, "a", 1);
    spec.constraints[0].angle = AngleSpec{};
    spec.constraints[0].twist = TwistSpec{};
    EXPECT_EQ(compile(spec).joints[0].parts.size(), 1u);
    spec.constraints[0].twist->max = 3;
    EXPECT_EQ(compile(spec).joints[0].parts.size(), 2u);
}

}  // namespace
}  // namespace armature
