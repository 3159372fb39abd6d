#include "scene_test.h"

#include <cmath>

namespace armature::expression {
namespace {

using namespace testing_scene;

constexpr const char* parameters = "parameter a 3; parameter b 2; parameter length 7; parameter radius 0.25;\n";

// The values of `at`, or NaNs after an error.
Vec3 at(const std::string& arguments) {
    const Scene scene = load_good(parameters + ("object o at " + arguments + "; end"));
    return scene.spec.solids.empty() ? Vec3{NAN, NAN, NAN} : scene.spec.solids[0].pose_WB.x;
}
double value(const std::string& expression) {
    return at(expression + " 0 0").x;
}

TEST(Expression, FollowsTheUsualPrecedence) {
    const std::pair<const char*, double> table[] = {
        {"1+2*3", 7},    {"(1+2)*3", 9},     {"2^3^2", 512},   {"-2^2", -4},    {"2^-1", 0.5}, {"10-4-3", 3},
        {"100/10/5", 2}, {"7 % 4", 3},       {"-1 % 4", 3},    {"2*-3", -6},    {"--3", 3},    {"+3", 3},
        {"a*b", 6},      {"a/b", 1.5},       {"1e3", 1000},    {".5", 0.5},     {"5.", 5},     {"1.5e-2", 0.015},
        {"a + b", 5},    {"a - b", 1},       {"2-1", 1},       {"length-1", 6}, {"(a -b)", 1}, {"( a - b )", 1},
        {"a^b", 9},      {"a*(b+1)^2/9", 3}, {"1 + 2 - 3", 0}, {"3 *2", 6},     {"3* 2", 6},   {"a -1 + 1", 3},
    };
    for (const auto& [text, expected] : table) {
        if (std::string(text) == "a -1 + 1") continue;  // two arguments, see below
        EXPECT_EQ(value(text), expected) << text;
    }
}

TEST(Expression, HasFunctionsAndConstants) {
    const std::pair<const char*, double> table[] = {
        {"sin(pi/2)", 1},      {"cos(0)", 1},           {"tan(0)", 0},         {"asin(1)", pi / 2}, {"acos(1)", 0},
        {"atan(1)", pi / 4},   {"atan2(1, 1)", pi / 4}, {"sqrt(16)", 4},       {"abs(-3)", 3},      {"exp(0)", 1},
        {"log(1)", 0},         {"pow(2, 10)", 1024},    {"min(3, 1, 2)", 1},   {"max(3, 1, 2)", 3}, {"floor(-1.5)", -2},
        {"ceil(1.2)", 2},      {"round(2.5)", 3},       {"sign(-7)", -1},      {"mod(-1, 5)", 4},   {"hypot(3, 4)", 5},
        {"hypot(2, 3, 6)", 7}, {"tau/pi", 2},           {"sqrt(a*a + 16)", 5},
    };
    for (const auto& [text, expected] : table) EXPECT_DOUBLE_EQ(value(text), expected) << text;
}

TEST(Expression, DegreesBindAsTheReferenceSays) {
    EXPECT_DOUBLE_EQ(value("30 deg"), pi / 6);
    EXPECT_DOUBLE_EQ(value("30deg"), pi / 6);
    EXPECT_DOUBLE_EQ(value("-30 deg"), -pi / 6);
    EXPECT_DOUBLE_EQ(value("2 rad"), 2);
    EXPECT_DOUBLE_EQ(value("360/a deg"), 120 * pi / 180) << "(360/a) deg";
    EXPECT_DOUBLE_EQ(value("2*30deg"), pi / 3);
    EXPECT_DOUBLE_EQ(value("pi/30deg"), 6);
    EXPECT_DOUBLE_EQ(value("sin(30 deg)"), 0.5);
    EXPECT_DOUBLE_EQ(value("(a*10) deg"), pi / 6);
    EXPECT_DOUBLE_EQ(value("1 + 180 deg"), 1 + pi);
}

TEST(Expression, ASignBehindABlankBeginsTheNextArgument) {
    EXPECT_EQ(at("0 -2.0 0"), (Vec3{0, -2, 0}));
    EXPECT_EQ(at("0 +2.0 0"), (Vec3{0, 2, 0}));
    EXPECT_EQ(at("a -b 1"), (Vec3{3, -2, 1}));
    EXPECT_EQ(at("a - b 1 2"), (Vec3{1, 1, 2}));
    EXPECT_EQ(at("1-1 2-1 3- 1"), (Vec3{0, 1, 2}));
    EXPECT_EQ(at("-a -(b) -sqrt(4)"), (Vec3{-3, -2, -2}));
    EXPECT_EQ(at("1 /* - */ -2 3"), (Vec3{1, -2, 3}));
    EXPECT_EQ(at("-.4 -0.6 0"), (Vec3{-0.4, -0.6, 0}));
    EXPECT_EQ(at("(a) (b) (a - b)"), (Vec3{3, 2, 1}));
    EXPECT_EQ(at("2 *3 4 / 2 a ^ 2"), (Vec3{6, 2, 9}));
}

TEST(Expression, OptionsAndParametersMayShareNames) {
    const Scene scene = load_good(std::string(parameters) +
                                  "object o sphere radius radius at a b length; "
                                  "cylinder radius radius length length*2; end");
    EXPECT_EQ(std::get<Sphere>(scene.spec.solids[0].shapes[0].geometry).radius, 0.25);
    EXPECT_EQ(scene.spec.solids[0].shapes[0].X_BS.x, (Vec3{3, 2, 7}));
    EXPECT_EQ(std::get<Cylinder>(scene.spec.solids[0].shapes[1].geometry).length, 14);
}

TEST(Expression, WhatHasNoFiniteValueIsAnError) {
    const std::pair<const char*, const char*> table[] = {
        {"object o mass 1/0; end", "1:16 division by zero"},
        {"object o mass 1 % 0; end", "1:17 division by zero"},
        {"object o mass sqrt(-1); end", "1:15 the value of sqrt(-1) is not a finite number"},
        {"object o mass log(0); end", "1:15 the value of log(0) is not a finite number"},
        {"object o mass 1e308*10; end", "1:20 the value of 1e+308 * 10 is not a finite number"},
        {"object o mass (-8)^0.5; end", "1:19 the value of -8 ^ 0.5 is not a finite number"},
        {"object o mass inf - inf; end", "1:19 the value of inf - inf is not a finite number"},
        {"object o mass inf; end", "1:15 this number must be finite"},
        {"object o mass 1e999; end", "1:15 this number is too large"},
        {"parameter p inf; object o mass p; end", "1:32 this number must be finite"},
    };
    for (const auto& [text, message] : table) EXPECT_EQ(findings(text), std::vector<std::string>{message}) << text;
}

TEST(Expression, InfinityIsALimit) {
    const Scene scene = load_good(
        "object o end constraint object2 o; hinge 0 0 0 0 0 0; axial 1 0 0 min -inf max inf; "
        "valid from -inf until inf; end");
    EXPECT_EQ(std::get<SegmentDomain>(scene.spec.constraints[0].hinge->domain).max, infinity);
}

}  // namespace
}  // namespace armature::expression
