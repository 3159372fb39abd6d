// Every check of compile(): each degenerate input is an error that names the thing and says what to do.
#include <gtest/gtest.h>

#include "sound_spec.h"

namespace armature::degenerate_specs {
namespace {

using namespace test_model;

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
         {"newton and exact need masses"}},
        {"relaxation_two", [](Spec& s) { s.simulation.displacement.relaxation = 2; }, {"relaxation is 2"}},
        {"relaxation_zero", [](Spec& s) { s.simulation.displacement.relaxation = 0; }, {"relaxation is 0"}},
    };
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

}  // namespace
}  // namespace armature::degenerate_specs
