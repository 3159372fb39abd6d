// The rules by which a solid's description becomes its mass, and every fault with its place in the file.
#include <gtest/gtest.h>

#include <functional>

#include "armature/math/random.h"
#include "armature/model/mass_properties.h"
#include "support/test_meshes.h"
#include "support/test_scale.h"

namespace armature::solid_mass {
namespace {

const char* const keywords[] = {"mass", "density",  "centre",  "inertia",   "point_mass", "sphere",
                                "box",  "cylinder", "capsule", "ellipsoid", "plane",      "mesh"};

/// Each keyword stands on a line of its own: 10 for the first, 11 for the second …
SolidSpec named_solid() {
    SolidSpec solid;
    solid.name = "arm";
    solid.origin.block = {"scene.arm", 1, 1, 5};
    int line = 10;
    for (const char* keyword : keywords) solid.origin.properties.push_back({keyword, {"scene.arm", line++, 5, 4}});
    solid.origin.notes = {"placed as doll[3]"};
    return solid;
}

SolidSpec with_shape(const Geometry& geometry) {
    SolidSpec solid = named_solid();
    solid.shapes.push_back({"", geometry, {}, {}});
    return solid;
}

MassProperties accepted(const SolidSpec& solid) {
    Diagnostics diagnostics;
    const MassProperties p = solid_mass_properties(solid, diagnostics);
    for (const Diagnostic& d : diagnostics.all()) ADD_FAILURE() << render(d);
    return p;
}

double largest_difference(const Mat3& a, const Mat3& b) {
    const Mat3 d = a - b;
    double result = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) result = std::fmax(result, std::fabs(d(i, j)));
    return result;
}

// ---- rules
// -----------------------------------------------------------------------------------------------------

TEST(SolidMass, ShapesWeighByTheirOwnDensityOrThatOfTheSolid) {
    SolidSpec solid = with_shape(Box{{1, 1, 1}});
    solid.density = 2;
    solid.shapes.push_back({"", Box{{1, 1, 1}}, {{2, 0, 0}, {}}, 6.0});
    const MassProperties p = accepted(solid);
    EXPECT_DOUBLE_EQ(p.mass, 8);
    EXPECT_LT(norm(p.centre - Vec3{1.5, 0, 0}), 1e-15);
    // about the centre: 8/6 for the cubes themselves, 2·1.5² + 6·0.5² = 6 for their offsets along x
    EXPECT_LT(largest_difference(p.inertia, Mat3::diagonal({8.0 / 6, 8.0 / 6 + 6, 8.0 / 6 + 6})), 1e-14);
}

TEST(SolidMass, AShapeIsTurnedAndMovedByItsPlacement) {
    SolidSpec solid = with_shape(Cylinder{0.5, 3});
    solid.shapes[0].X_BS = {{0, 0, 2}, from_axis_angle({0, 0, 1}, -pi / 2)};  // y axis → x axis
    const MassProperties p = accepted(solid);
    const Mat3 upright = accepted(with_shape(Cylinder{0.5, 3})).inertia;
    EXPECT_EQ(p.centre, (Vec3{0, 0, 2}));
    EXPECT_NEAR(p.inertia(0, 0), upright(1, 1), 1e-12 * upright(1, 1));
    EXPECT_NEAR(p.inertia(1, 1), upright(0, 0), 1e-12 * upright(0, 0));
}

TEST(SolidMass, AGivenMassKeepsTheDistribution) {
    SolidSpec solid = with_shape(Sphere{0.5});
    solid.mass = 3;
    const MassProperties p = accepted(solid);
    EXPECT_EQ(p.mass, 3);
    EXPECT_LT(largest_difference(p.inertia, 0.4 * 3 * 0.25 * Mat3::identity()), 1e-15);
}

TEST(SolidMass, AGivenInertiaAndCentreReplaceThoseOfTheShapes) {
    SolidSpec solid = with_shape(Box{{1, 2, 3}});
    const Mat3 I{{2, 0.1, 0}, {0.1, 3, 0}, {0, 0, 4}};
    solid.inertia_G = I;
    solid.centre_B = Vec3{0.1, 0.2, 0.3};
    const MassProperties p = accepted(solid);
    EXPECT_DOUBLE_EQ(p.mass, 6000);
    EXPECT_EQ(p.inertia, I);
    EXPECT_EQ(p.centre, (Vec3{0.1, 0.2, 0.3}));
}

TEST(SolidMass, MassAndInertiaNeedNoShape) {
    SolidSpec solid = named_solid();
    solid.mass = 2;
    solid.inertia_G = Mat3::diagonal({1, 1, 2});  // a disc: exactly at the limit of what a body can have
    const MassProperties p = accepted(solid);
    EXPECT_EQ(p.mass, 2);
    EXPECT_EQ(p.inertia, Mat3::diagonal({1, 1, 2}));
}

TEST(SolidMass, PointMassesAreAddedAfterGivenMassCentreAndInertia) {
    SolidSpec solid = named_solid();
    solid.mass = 3;
    solid.centre_B = Vec3{1, 0, 0};
    solid.inertia_G = Mat3::identity();
    solid.point_masses = {{1, {5, 0, 0}}};
    const MassProperties p = accepted(solid);
    EXPECT_EQ(p.mass, 4);
    EXPECT_EQ(p.centre, (Vec3{2, 0, 0}));
    // 3·1² + 1·3² = 12 about the common centre
    EXPECT_LT(largest_difference(p.inertia, Mat3::diagonal({1, 13, 13})), 1e-14);
}

TEST(SolidMass, PointMassesThatAreNotInLineMakeABody) {
    SolidSpec solid = named_solid();
    solid.point_masses = {{1, {1, 0, 0}}, {1, {-1, 0, 0}}, {1, {0, 2, 0}}, {1, {0, -2, 0}}};
    const MassProperties p = accepted(solid);
    EXPECT_EQ(p.mass, 4);
    EXPECT_LT(largest_difference(p.inertia, Mat3::diagonal({8, 2, 10})), 1e-14);
}

TEST(SolidMass, AParticleHasMassAndNoInertiaFromWhateverItIsMadeOf) {
    SolidSpec solid = named_solid();
    solid.particle = true;
    solid.mass = 2;
    EXPECT_EQ(accepted(solid).mass, 2);
    EXPECT_EQ(accepted(solid).inertia, Mat3{});
    solid.mass.reset();
    solid.shapes.push_back({"", Box{{1, 1, 1}}, {}, {}});
    EXPECT_DOUBLE_EQ(accepted(solid).mass, 1000);
    EXPECT_EQ(accepted(solid).inertia, Mat3{});
    solid.shapes.clear();
    solid.point_masses = {{5, {1, 2, 3}}};
    EXPECT_EQ(accepted(solid).mass, 5);
    EXPECT_EQ(accepted(solid).centre, (Vec3{1, 2, 3}));
}

TEST(SolidMass, AThinRodAndAPlaneBesideAShapeAreFine) {
    accepted(with_shape(Cylinder{1e-5, 1}));
    SolidSpec solid = with_shape(Sphere{0.5});
    solid.shapes.push_back({"", Plane{}, {}, {}});
    EXPECT_DOUBLE_EQ(accepted(solid).mass, accepted(with_shape(Sphere{0.5})).mass);
}

TEST(SolidMass, InertiaRoundedByItsAuthorIsAcceptedAndMadeSymmetric) {
    SolidSpec solid = named_solid();
    solid.mass = 1;
    solid.inertia_G = Mat3{{1, 0.1, 0}, {0.1 + 1e-8, 1, 0}, {0, 0, 2.0000001}};
    const Mat3 I = accepted(solid).inertia;
    EXPECT_EQ(I, transposed(I));
}

// ---- faults
// ----------------------------------------------------------------------------------------------------

struct Fault {
    const char* name;
    std::function<void(SolidSpec&)> cause;
    const char* keyword;       ///< where it is reported
    const char* says;          ///< in the message
    const char* advises = "";  ///< in the hint
};

void PrintTo(const Fault& fault, std::ostream* out) {
    *out << fault.name;
}

class SolidFault : public testing::TestWithParam<Fault> {};

TEST_P(SolidFault, IsReportedOnceAtItsPlaceWithTheNameTheValueAndAdvice) {
    const Fault& fault = GetParam();
    SolidSpec solid = named_solid();
    fault.cause(solid);
    Diagnostics diagnostics;
    const MassProperties p = solid_mass_properties(solid, diagnostics);
    ASSERT_EQ(diagnostics.all().size(), 1u);
    const Diagnostic& d = diagnostics.all()[0];
    EXPECT_EQ(d.severity, Severity::error);
    EXPECT_EQ(d.place.line, solid.origin.at(fault.keyword).line) << render(d);
    EXPECT_NE(d.message.find("'arm'"), std::string::npos) << d.message;
    EXPECT_NE(d.message.find(fault.says), std::string::npos) << d.message;
    EXPECT_NE(d.hint.find(fault.advises), std::string::npos) << d.hint;
    EXPECT_FALSE(d.hint.empty());
    EXPECT_EQ(d.notes, solid.origin.notes);
    EXPECT_GT(p.mass, 0) << "the stand-in is harmless";
    EXPECT_GT(symmetric_eigen(p.inertia).values.x, 0);
}

auto shape(const Geometry& g) {
    return [g](SolidSpec& s) { s.shapes.push_back({"", g, {}, {}}); };
}
auto mesh(const TriangleMesh& m) {
    return shape(MeshShape{"a.obj", std::make_shared<const TriangleMesh>(m)});
}
auto inertia(const Mat3& I) {
    return [I](SolidSpec& s) {
        s.mass = 1;
        s.inertia_G = I;
    };
}
auto points(std::vector<PointMass> list) {
    return [list](SolidSpec& s) { s.point_masses = list; };
}
auto unit_sphere_and(const std::function<void(SolidSpec&)>& change) {
    return [change](SolidSpec& s) {
        s.shapes.push_back({"head", Sphere{1}, {}, {}});
        change(s);
    };
}
TriangleMesh open_cube() {
    TriangleMesh m = test::unit_cube();
    m.triangles.pop_back();
    return m;
}

INSTANTIATE_TEST_SUITE_P(
    Each, SolidFault,
    testing::Values(
        Fault{"NothingGiven", [](SolidSpec&) {}, "mass", "no mass", "shape"},
        Fault{"MassAlone", [](SolidSpec& s) { s.mass = 2.5; }, "mass", "2.5 kg", "particle"},
        Fault{"MassZero", unit_sphere_and([](SolidSpec& s) { s.mass = 0; }), "mass", "mass is 0", "greater than 0"},
        Fault{"MassNegative", unit_sphere_and([](SolidSpec& s) { s.mass = -3; }), "mass", "-3"},
        Fault{"MassNotANumber", unit_sphere_and([](SolidSpec& s) { s.mass = NAN; }), "mass", "nan", "finite"},
        Fault{"MassInfinite", unit_sphere_and([](SolidSpec& s) { s.mass = infinity; }), "mass", "inf"},
        Fault{"DensityZero", unit_sphere_and([](SolidSpec& s) { s.density = 0; }), "density", "density is 0", "kg/m³"},
        Fault{"DensityInfinite", unit_sphere_and([](SolidSpec& s) { s.density = infinity; }), "density", "inf"},
        Fault{"DensityOfAShape", unit_sphere_and([](SolidSpec& s) { s.shapes[0].density = -7; }), "sphere",
              "density of sphere 'head' is -7"},
        Fault{"CentreNotFinite", unit_sphere_and([](SolidSpec& s) { s.centre_B = Vec3{0, NAN, 0}; }), "centre",
              "centre of mass"},
        Fault{"CentreOfNothing",
              [](SolidSpec& s) {
                  s.centre_B = Vec3{1, 0, 0};
                  s.point_masses = {{1, {}}};
              },
              "centre", "no mass that it could describe", "mass"},
        Fault{"SphereRadius", shape(Sphere{-1}), "sphere", "radius of the sphere is -1", "metres"},
        Fault{"BoxFlat", shape(Box{{1, 0, 2}}), "box", "(1, 0, 2)", "three"},
        Fault{"CylinderLength", shape(Cylinder{1, 0}), "cylinder", "length of the cylinder is 0"},
        Fault{"CylinderRadius", shape(Cylinder{NAN, 1}), "cylinder", "radius of the cylinder is nan"},
        Fault{"CapsuleLength", shape(Capsule{1, infinity}), "capsule", "length of the capsule is inf"},
        Fault{"EllipsoidRadii", shape(Ellipsoid{{1, 2, -3}}), "ellipsoid", "(1, 2, -3)"},
        Fault{"PlacementNotFinite", unit_sphere_and([](SolidSpec& s) { s.shapes[0].X_BS.x.z = infinity; }), "sphere",
              "placement of sphere 'head'"},
        Fault{"PlanesOnly", shape(Plane{}), "plane", "planes only", "fixed"},
        Fault{"MeshOpen", mesh(open_cube()), "mesh", "'a.obj'", "closed"},
        Fault{"MeshInsideOut", mesh(test::inside_out(test::unit_cube())), "mesh", "inside-out"},
        Fault{"MeshMissing", shape(MeshShape{"b.stl", nullptr}), "mesh", "'b.stl'", "load"},
        Fault{"InertiaNotFinite", inertia(Mat3::diagonal({1, 1, NAN})), "inertia", "not finite"},
        Fault{"InertiaNotSymmetric", inertia({{1, 0.5, 0}, {0.4, 1, 0}, {0, 0, 1}}), "inertia",
              "row 1 column 2 is 0.5, row 2 column 1 is 0.4"},
        Fault{"InertiaNegative", inertia(Mat3::diagonal({1, -2, 1})), "inertia", "-2"},
        Fault{"InertiaZero", inertia(Mat3{}), "inertia", "not positive definite", "particle"},
        Fault{"InertiaIndefiniteByItsProducts", inertia({{1, 2, 0}, {2, 1, 0}, {0, 0, 1}}), "inertia", "-1"},
        Fault{"InertiaOfNoBody", inertia(Mat3::diagonal({1, 1, 2.1})), "inertia", "1, 1 and 2.1", "units"},
        Fault{"InertiaOfAParticle",
              [](SolidSpec& s) {
                  inertia(Mat3::identity())(s);
                  s.particle = true;
              },
              "inertia", "particle", "remove"},
        Fault{"InertiaWithoutMass", [](SolidSpec& s) { s.inertia_G = Mat3::identity(); }, "inertia", "no mass"},
        Fault{"PointMassNegative", unit_sphere_and(points({{-1, {}}})), "point_mass", "-1"},
        Fault{"PointMassNowhere", unit_sphere_and(points({{4, {NAN, 0, 0}}})), "point_mass", "4 kg"},
        Fault{"PointMassesOnALine", points({{1, {1, 2, 3}}, {2, {2, 4, 6}}, {1, {-0.7, -1.4, -2.1}}}), "point_mass",
              "on one line", "beside the line"},
        Fault{"PointMassesInAPoint", points({{1, {1, 2, 3}}, {2, {1, 2, 3}}}), "point_mass", "one point", "particle"},
        Fault{"Overflow", shape(Sphere{1e150}), "mass", "inf kg", "metres"},
        Fault{"Underflow", shape(Sphere{1e-150}), "mass", "0 kg", "metres"}),
    [](const testing::TestParamInfo<Fault>& fault) { return std::string(fault.param.name); });

TEST(SolidMass, PointMassesOnALineAreRefusedInEveryDirectionInSpiteOfRoundOff) {
    Random random(1);
    for (int i = 0; i < test::scaled(1000); ++i) {
        const Vec3 along = random.direction(), start = random.in_box(1);
        SolidSpec solid = named_solid();
        for (int k = 0; k < 4; ++k)
            solid.point_masses.push_back({random.uniform(0.1, 2), start + random.uniform(-3, 3) * along});
        Diagnostics diagnostics;
        solid_mass_properties(solid, diagnostics);
        EXPECT_EQ(diagnostics.all().size(), 1u);
    }
}

TEST(SolidMass, SeveralFaultsAreReportedTogether) {
    SolidSpec solid = with_shape(Sphere{-1});
    solid.shapes.push_back({"", Box{{0, 0, 0}}, {}, {}});
    solid.density = -1;
    solid.mass = NAN;
    Diagnostics diagnostics;
    solid_mass_properties(solid, diagnostics);
    EXPECT_EQ(diagnostics.all().size(), 4u);
}

TEST(SolidMass, ShapesOfFixedSolidsAreCheckedWithoutAskingForMass) {
    Diagnostics diagnostics;
    check_shapes(with_shape(Plane{}), diagnostics);
    check_shapes(named_solid(), diagnostics);
    EXPECT_TRUE(diagnostics.empty());
    check_shapes(with_shape(Sphere{0}), diagnostics);
    EXPECT_EQ(diagnostics.all().size(), 1u);
}

}  // namespace
}  // namespace armature::solid_mass
