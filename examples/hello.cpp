// A pendulum through the C++ interface: a rod of 1 m hangs on a nail and swings from the horizontal for 2 s.
#include <armature/sim/simulator.h>

#include <cstdio>

int main() {
    armature::Spec scene;
    scene.title = "hello, pendulum";

    armature::SolidSpec& rod = scene.add_solid("rod");
    rod.pose_WB.x = {0.5, 0, 0};
    rod.shapes.emplace_back().geometry = armature::Box{{1, 0.05, 0.05}};

    armature::ConstraintSpec& nail = scene.add_constraint("rod", "world");
    nail.name = "nail";
    nail.hinge.emplace().p1_B = {-0.5, 0, 0};  // this point of the rod stays at the origin of the world

    armature::Simulator simulator(scene);  // throws InputError when the scene makes no sense
    while (simulator.state().time < 2) {
        simulator.advance();
        const armature::Vec3 tip = simulator.pose("rod") * armature::Vec3{0.5, 0, 0};
        std::printf("%.3f s  tip at %+.4f %+.4f m\n", simulator.state().time, tip.x, tip.y);
    }
    std::fputs(to_text(simulator.model(), simulator.report(), 1e-3).c_str(), stderr);
}
