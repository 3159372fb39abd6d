// Every kind of mistake, where it is said to be, and what is suggested.
#include "expected_error.h"

namespace armature {
namespace {

using namespace testing_scene;

TEST(Errors, Words) {
    const Case cases[] = {
        {"objct a mass 1; end", "1:1 unknown keyword 'objct'", "did you mean 'object'?"},
        {"object a\n  velocty 1 2 3; end", "2:3 unknown keyword 'velocty' in 'object'", "'velocity'"},
        {"object a sphere radios 1; end", "1:17 'sphere' has no option 'radios'", "'radius'"},
        {"object a sphere radius 1 dens 3; end", "1:26 'sphere' has no option 'dens'", ""},
        {"object a kernel fixd; end", "1:17 'fixd' is not one of dynamic, fixed, path", "'fixed'"},
        {"simulation scheme eulr; end", "1:19 'eulr' is not one of euler, newton, stormer, verlet, exact", "'euler'"},
        {"mass 3;", "1:1 unknown keyword 'mass'", "belongs inside 'object'"},
        {"widget w size 3; weight 2; end object a end", "1:1 unknown keyword 'widget'"},
        {"object a object b end", "1:1 this 'object' is not closed", "line 1: 'object' begins a new block"},
        {"simulation dt 1; end group g simulation end end", "1:30 'simulation' cannot stand inside 'group'"},
    };
    for (const Case& c : cases) expect_only(c);
}

TEST(Errors, Arguments) {
    const Case cases[] = {
        {"object a mass; end", "1:14 'mass' expects a number (m)"},
        {"object a mass 1 2; end", "1:17 'mass' takes a number (m); '2' is too much"},
        {"object a at 1 2; end", "1:16 'at' expects three numbers (position), found only 2 numbers"},
        {"object a at 1, 2, 3; end", "1:14 'at' expects three numbers (position), found only 1 number", "blanks"},
        {"object a sphere; end", "1:10 'sphere' needs 'radius'", "sphere radius r"},
        {"object a sphere radius 1 radius 2; end", "1:26 'radius' is given twice for 'sphere'"},
        {"object a inertia 1 2 3 4; end",
         "1:25 'inertia' expects three numbers (xx yy zz) and optionally three numbers (xy xz yz), found only 4 "
         "numbers"},
        {"object a mass 3x; end", "1:16 'mass' takes a number (m); 'x' is too much"},
        {"object a at 1.2.3 4; end", "1:16 two arguments run together"},
        {"object a mass \"3\"; end", "1:15 'mass' expects a number (m)"},
        {"simulation iterations 1.5; end", "1:23 this must be a whole number, not 1.5"},
        {"title Pendulum;", "1:7 'title' expects a text in quotes", "quotes"},
        {"constraint angle 1 0 0 1 0 max 1; end",
         "1:28 'angle' expects three numbers (a1) and three numbers (a2), found only 5 numbers"},
        {"object a turn 0 0 0 1; end", "1:10 the axis of this turn is 0 0 0"},
        {"object a quaternion 0 0 0 0; end", "1:10 this quaternion has no direction"},
        {"object a plane axis 0 0 0; end", "1:10 the axis is 0 0 0"},
        {"object a plane axis 0 1 0 turn 0 1 0 1; end", "1:10 'axis' and a turn both give the orientation"},
        {"path p key 0 0 0 0; key 0 1 1 1; end", "1:21 the times of the keys must rise"},
        {"object a end force f object a; vector 1 0 0; key 0 1 1 1; end", "1:46 'vector' and 'key' exclude each other"},
        {"object a end constraint object2 a; axial 1 0 0; end", "1:14 'axial' needs a 'hinge'"},
        {"object a end constraint object2 a; hinge 0 0 0 0 0 0; axial 1 0 0; planar 1 0 0; end",
         "1:68 'axial' and 'planar' exclude each other"},
        {"object a end constraint object2 a; hinge 0 0 0 0 0 0; sphere radius 1; box size 1 1 1; end",
         "1:72 'sphere' and 'box' exclude each other", "keep one"},
        {"object a end constraint object2 a; curve spline 0 0 0 1 1 1; end", "1:14 'curve' needs a 'hinge'",
         "hinge P1 P2"},
        {"object a end constraint object2 a; hinge 0 0 0 0 0 0; sphere radius 1 max 2; end",
         "1:55 'radius' gives 'min' and 'max' already", "keep 'radius'"},
        {"constraint hinge 0 0 0 0 0 0; curve 0 0 0 1 1 1; end",
         "1:37 'curve' expects one of polyline, spline and three numbers (point), once or more"},
        {"constraint hinge 0 0 0 0 0 0; curve bezier 0 0 0 1 1 1; end", "1:37 'bezier' is not one of polyline, spline"},
        {"constraint hinge 0 0 0 0 0 0; curve spline 0 0 0 1 1; end",
         "1:53 'curve' expects one of polyline, spline and three numbers (point), once or more"},
        {"constraint hinge 0 0 0 0 0 0; curve polyline closed; end",
         "1:46 'curve' expects one of polyline, spline and three numbers (point), once or more"},
        {"constraint hinge 0 0 0 0 0 0; box surface; end", "1:31 'box' needs 'size'", "write: box size <edges>"},
        {"constraint hinge 0 0 0 0 0 0; box size 1 1 1 turn 0 0 0 1; end", "1:31 the axis of this turn is 0 0 0"},
    };
    for (const Case& c : cases) expect_only(c);
}

TEST(Errors, Structure) {
    const Case cases[] = {
        {"object a mass 1 end", "1:16 missing ';' after 'mass'"},
        {"object a\n  mass 1\n  at 0 0 0;\nend", "2:9 missing ';' after 'mass'"},
        {"object a mass 1;", "1:1 this 'object' is not closed", "add 'end'"},
        {"end", "1:1 'end' without a block to close"},
        {"object a end;", "1:13 nothing stands before this ';'", "'end' needs no ';'"},
        {"object at 0 0 0; end", "1:1 'object' needs a name", "object NAME at"},
        {"object end", "1:8 'object' expects a name"},
        {"12 object a end", "1:1 expected a keyword, found '12'"},
        {"object a mass (1 + 2; end", "1:15 this parenthesis is not closed"},
        {"object a mass (1 2); end", "1:15 this parenthesis is not closed", "operator"},
        {"object a mass 1 + ; end", "1:19 expected a number here, found ';'"},
        {"object a mass deg; end", "1:15 'deg' must follow a number"},
        {"object link[1 end", "1:12 this index is not closed"},
        {"object a.b end", "1:9 a name that is defined here cannot have a dot"},
        {"repeat i from 1 object a[i] end end", "1:1 'repeat' needs 'to'"},
        {"particle p end", "1:1 this 'particle' needs 'mass'", "mass m"},
        {"path p end", "1:1 this 'path' needs 'key'"},
    };
    for (const Case& c : cases) expect_only(c);
}

TEST(Errors, Characters) {
    const Case cases[] = {
        {"object a mass $; end", "1:15 the character '$' cannot stand here"},
        {"// ok\nobject \xC3\xA9 end", "2:8 the character '\xC3\xA9' cannot stand here", "a-z"},
        {"/* open\n object a end", "1:1 this comment is not closed"},
        {"title \"open;\nobject a end", "1:7 this text is not closed"},
        {"object a \xFF end", "1:10 the text is not valid UTF-8"},
        {"object a \xC0\x80 end", "1:10 the text is not valid UTF-8"},
    };
    for (const Case& c : cases) expect_only(c);
    EXPECT_EQ(findings(std::string("object a\0 end", 13)), std::vector<std::string>{"1:9 the text holds a NUL byte"});
}

TEST(Errors, ColumnsCountCharactersNotBytes) {
    EXPECT_EQ(findings("/* \xC3\xA9\xC3\xA9 */ objct a end")[0], "1:10 unknown keyword 'objct'");
}

TEST(Errors, Names) {
    const Case cases[] = {
        {"object wheel end constraint object2 whel; hinge 0 0 0 0 0 0; end", "1:37 there is no object 'whel'",
         "'wheel'"},
        {"object a follow track; end path tracks key 0 0 0 0; end", "1:17 there is no path 'track'", "'tracks'"},
        {"path p key 0 0 0 0; end force f object p; end", "1:40 'p' is a path, not an object"},
        {"object a end object a end", "1:21 the name 'a' is used twice"},
        {"object world end", "1:8 the name 'world' is taken: it means what is fixed"},
        {"object a mass weigth; end parameter weight 2;", "1:15 there is no parameter 'weigth'"},
        {"parameter weight 2; object a mass weigth; end", "1:35 there is no parameter 'weigth'", "'weight'"},
        {"parameter a 2; parameter b 1; object o mass a-b; end", "1:45 there is no parameter 'a-b'", "'a - b'"},
        {"parameter a 2; object o mass a-sin(1); end", "1:30 there is no function 'a-sin'", "round the minus"},
        {"object o mass sine(1); end", "1:15 there is no function 'sine'", "'sin'"},
        {"object o mass sin(1, 2); end", "1:15 'sin' takes 1 argument, found 2"},
        {"parameter a 1; parameter a 2;", "1:26 the name 'a' is used twice"},
        {"parameter sin 1;", "1:11 'sin' already has a meaning in expressions"},
        {"place doll as d end", "1:7 there is no group 'doll'", "before it is placed"},
        {"group doll end place dol as d end", "1:22 there is no group 'dol'", "'doll'"},
        {"group g end group g end", "1:19 the group 'g' is defined twice"},
        {"group g place g as h end end place g as h end", "1:15 the group 'g' places itself"},
        {"group g parameter size 1; object a mass size; end end place g as x set sze 2; end",
         "1:68 the group has no parameter 'sze'", "'size'"},
        {"repeat i from 1 to 2 object a[i/2] end end", "1:30 an index must be a whole number, not 0.5"},
        {"repeat i from 1 to 2 step 0 end", "1:27 the step is zero"},
        {"repeat i from 1 to 2 repeat i from 1 to 2 end end", "1:29 the name 'i' is used twice"},
        {"pose ghost at 0 0 0;", "1:6 there is no object 'ghost'"},
        {"simulation dt 1; end simulation dt 1; end", "1:22 the name 'simulation' is used twice"},
        {"title \"a\"; title \"b\";", "1:12 'title' is given twice"},
        {"object a mass 1; mass 2; end", "1:18 'mass' is given twice"},
        {"object a fixed; kernel dynamic; end", "1:17 the kernel is given twice"},
    };
    for (const Case& c : cases) expect_only(c);
}

TEST(Errors, SayWhereTheFirstOfTwoIs) {
    Diagnostics diagnostics;
    load_text("object a end\n  object a end", "test.arm", {}, diagnostics);
    ASSERT_EQ(diagnostics.all().size(), 1u);
    ASSERT_EQ(diagnostics.all()[0].notes.size(), 1u);
    EXPECT_EQ(diagnostics.all()[0].notes[0], "the first is at test.arm:1:8");
}

TEST(Errors, AllOfAFileComeInOneRunInTheOrderOfItsLines) {
    const auto errors = findings(
        "object a mass 1/0; end\n"
        "object b\n  colour 1 1 1;\n  at 1 2;\n  mass q;\nend\n"
        "constraint object2 c; hinge 0 0 0 0 0 0; end\n"
        "simulation dt; end\n");
    const std::vector<std::string> expected = {
        "1:16 division by zero",
        "3:3 unknown keyword 'colour' in 'object'",
        "4:9 'at' expects three numbers (position), found only 2 numbers",
        "5:8 there is no parameter 'q'",
        "7:20 there is no object 'c'",
        "8:14 'dt' expects a number (dt)",
    };
    EXPECT_EQ(errors, expected);
}

TEST(Errors, InARepeatAreReportedOnceWithTheTurn) {
    Diagnostics diagnostics;
    load_text("repeat i from 1 to 100 object a[i] mass 1/(i - 3); end end", "test.arm", {}, diagnostics);
    ASSERT_EQ(diagnostics.all().size(), 1u);
    EXPECT_EQ(diagnostics.all()[0].notes, std::vector<std::string>{"with i = 3"});
}

TEST(Errors, AreCappedWithAClosingNote) {
    std::string text;
    for (int i = 0; i < 500; ++i) text += "nonsense_" + std::to_string(i) + " 1;\n";
    Diagnostics diagnostics;
    load_text(text, "test.arm", {}, diagnostics);
    EXPECT_EQ(diagnostics.all().size(), 51u);
    EXPECT_EQ(diagnostics.all().back().severity, Severity::note);
}

TEST(Errors, UnusedParametersAreWarnings) {
    EXPECT_EQ(findings("parameter a 1;\nparameter b a;", {}, Severity::warning),
              std::vector<std::string>{"2:11 the parameter 'b' is never used"});
    EXPECT_TRUE(findings("parameter a 1; group g parameter c 2; object o mass c; end end place g as x set c a; end", {},
                         Severity::warning)
                    .empty());
}

TEST(Errors, CarryTheLineForTheirCaret) {
    Diagnostics diagnostics;
    const Scene scene = load_text("object a\n  mas 1;\nend", "test.arm", {}, diagnostics);
    ASSERT_EQ(diagnostics.all().size(), 1u);
    const Diagnostic& d = diagnostics.all()[0];
    EXPECT_EQ(source_line(scene, d.place), "  mas 1;");
    EXPECT_EQ(render(d, source_line(scene, d.place)),
              "test.arm:2:3: error: unknown keyword 'mas' in 'object'\n      mas 1;\n      ^^^\n"
              "    hint: did you mean 'mass'?");
}

}  // namespace
}  // namespace armature
