// A heavy disc welded to a light shaft, and what drives the shaft: the law acts on the shaft, the disc has the inertia.
// The three cases have closed forms, one turning body of inertia I. They are hard because the large impulses of law and
// weld nearly cancel on the shaft: any difference between the rules of the two is thrown at it.
#include <gtest/gtest.h>

#include "armature/model/compile.h"
#include "armature/scene/load.h"
#include "armature/sim/simulator.h"

namespace armature {
namespace {

// The shaft's own inertia, 5e-4 kg m², does not show.
const double I = 8000 * pi * 0.22 * 0.22 * 0.04 * 0.22 * 0.22 / 2;

Simulator shaft_and_disc(const std::string& law) {
    Diagnostics diagnostics;
    const Scene scene = load_text(
        "simulation gravity 0 0 0; end\n"
        "object shaft cylinder radius 0.05 length 0.6; density 80; end\n"
        "object disc cylinder radius 0.22 length 0.04; density 8000; at 0 0.5 0; end\n"
        "joint drive type pin; object1 shaft; axis 0 1 0; turn " +
            law +
            "; end\n"
            "joint hold type weld; object1 disc; object2 shaft; end\n",
        "driven_shaft.arm", {}, diagnostics);
    EXPECT_TRUE(diagnostics.empty());
    return Simulator(compile(scene.spec));
}
double spin(const Simulator& s, const char* solid) {
    return s.state().w[static_cast<std::size_t>(s.model().find_body(solid))].y;
}

TEST(DrivenShaft, IsKeptAtTheSpeedOfItsMotor) {
    Simulator s = shaft_and_disc("speed 4");
    s.advance_to(1);
    EXPECT_NEAR(spin(s, "disc"), 4, 0.01);
    EXPECT_NEAR(spin(s, "shaft"), 4, 0.01);
}

// φ = M t²/2I.
TEST(DrivenShaft, GathersSpeedWithItsTorque) {
    Simulator s = shaft_and_disc("force 5");
    s.advance_to(1);
    EXPECT_NEAR(spin(s, "disc"), 5 / I, 0.01 * 5 / I);
    EXPECT_NEAR(spin(s, "shaft"), 5 / I, 0.01 * 5 / I);
}

// φ = φ0 (1 − cos √(k/I) t): the energy k φ0²/2 goes to and fro.
TEST(DrivenShaft, KeepsItsEnergyOnASpring) {
    Simulator s = shaft_and_disc("stiffness 50 rest 1");
    double most = 0;
    while (s.state().time < 3 - 1e-9) {
        s.advance();
        most = std::max(most, I * spin(s, "disc") * spin(s, "disc") / 2);
    }
    EXPECT_NEAR(most, 25, 0.5);
}

}  // namespace
}  // namespace armature
