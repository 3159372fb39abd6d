#include "scene_test.h"

namespace armature::testing_scene {

const char* const appendix_a = R"(
/* Constraint between the wheel and the
character's body */
constraint object1 body; object2 wheel;
hinge 0 -2.0 0 0 0 0;
angle 1 0 0 1 0 0 max 0; end

/* Angle constraint preventing the character
from falling */
constraint object2 body; /* default object1:
world-fixed coordinate system */
angle 0 1 0 0 1 0 max 0.066; end

/* Constraints along the left leg */
constraint object1 body; object2 left-thigh;
hinge 0.4 -0.6 0 0 0 0;
angle 1 0 0 1 0 0 max 0; end

constraint object1 left-thigh;
object2 left-leg; hinge 0 0 1 0 0 0;
angle 1 0 0 1 0 0 max 0; end

constraint object1 left-leg;
object2 left-foot; hinge 0 0 1.4 0 0 -0.1;
angle 1 0 0 1 0 0 max 0; end

constraint object1 wheel; object2 left-foot;
hinge 0.4 0 -0.5 0 0 0; end

constraint object1 body; object2 left-foot;
angle 0 0 1 0 0 1 max .1; end

/* Constraints along the right leg */
constraint object1 body;
object2 right-thigh;
hinge -.4 -0.6 0 0 0 0;
angle 1 0 0 1 0 0 max 0.04; end

constraint object1 right-thigh;
object2 right-leg; hinge 0 0 1 0 0 0;
angle 1 0 0 1 0 0 max 0; end

constraint object1 right-leg;
object2 right-foot; hinge 0 0 1.4 0 0 -0.1;
angle 1 0 0 1 0 0 max 9; end

constraint object1 wheel;
object2 right-foot;
hinge -0.4 0 0.5 0 0 0; end

constraint object1 body; object2 right-foot;
angle 0 0 1 0 0 1 max .1; end
)";

const char* const appendix_objects = R"(
object wheel cylinder radius 0.9 length 0.1 axis 1 0 0; end
object body sphere radius 0.5; end
object left-thigh box size 0.1 0.1 1; end
object right-thigh box size 0.1 0.1 1; end
object left-leg box size 0.1 0.1 1.4; end
object right-leg box size 0.1 0.1 1.4; end
object left-foot box size 0.1 0.1 0.3; end
object right-foot box size 0.1 0.1 0.3; end
)";

const std::vector<std::string>& sample_texts() {
    static const std::vector<std::string> texts = {
        std::string(appendix_objects) + appendix_a,
        "",
        "   // only a comment",
        R"(title "All \"settings\"";
simulation
  gravity 0 -1.62 0;   duration 5; dt 1/120; scheme verlet; verlet_keep .99;
  solver displacement; tolerance 1e-5; iterations 200; on_failure stop; max_gap 0.01;
  assemble no; assembly_iterations 10; max_rotation 10 deg; max_correction 0.25; min_dt 1e-5;
  variant 1; alpha paper; order gauss_seidel; physics no; relaxation 1.5;
  accelerate no; settle 1/2;
end
)",
        R"(parameter n 4; parameter size 0.5;
parameter half size/2;
/* a chain */
repeat i from 1 to n
  object link[i]
    capsule radius size/10 length size;   // along y
    at size*(i - 0.5) 2 0; turn 0 0 1 90 deg;


    color i/n 0 1 - i/n;
  end
end
repeat i from 1 to n-1
  constraint joint[i] object1 link[i]; object2 link[i + 1]; hinge 0 -half 0 0 half 0; end
end
constraint object2 link[1]; hinge 0 2 0 0 half 0; valid from 0 until 2.5; alpha 3; mobility 0.25; end
)",
        R"(group doll
  parameter size 1;
  parameter weight 3;
  object head sphere radius 0.1*size; mass weight; at 0 size 0; velocity 1 0 0; spin 0 0 2; end
  object trunk box size 0.3*size 0.6*size 0.2 at 0 0.1 0 density 900; box size .1 .1 .1; end
  constraint neck object1 trunk; object2 head; hinge 0 size 0  0 0 0;
    angle 0 1 0 0 1 0 max 30 deg; twist 1 0 0 1 0 0 min -pi/4 max pi/4; end
  constraint object1 world; object2 trunk; hinge 0 0 0 0 0 0; planar 0 1 0 max 3; end
  force wind object head; vector 1 0 0; end
  spring s object2 head; between 0 3 0 0 0 0; stiffness 10; rest 1; damping 0.1; end
end
group pair
  place doll as left at -1 0 0; end
  place doll as right at 1 0 0; turn 0 1 0 180 deg; set size 1.2; end
end
repeat i from 1 to 3
  place pair as p[i] at 0 0 4*i; turn 0 1 0 i*10 deg; end
end
pose p[2].left.head at 1 2 3 quaternion 1 0 0 0;
)",
        R"(path round interpolation linear; key 0 1 0 0; key 1  0 0 1 turn 0 1 0 -90 deg; key 2 -1 0 0 quaternion 0 0 1 0; end
object carrier follow round; cylinder radius 0.1 length 2 axis 1 1 0; ellipsoid radii 1 2 3 name egg; end
object floor fixed; plane; end
object wall kernel fixed; plane axis 1 0 0 at -3 0 0; end
object lump mass 3; centre 0 0.1 0; inertia 1 2 2.5 0.1 0 0; point_mass 0.5 at 0 1 0; density 500;
  ability_to_rotate 2; quaternion 1 1 0 0; turn 1 0 0 10 deg; end
particle drop mass 0.001; at 0 1 0; velocity 1 0 0; end
constraint rail object1 drop; object2 carrier; hinge 0 0 0  0 0 0; axial 0 1 0 min -inf max 1; end
torque t object lump; key 0 0 0 0; key 1 0 1 0; interpolation spline; frame body; end
force f object lump; at 0 0 1; key 0 0 0 0; key 1 (1 + 2)^2 -3 4; end
drag air linear 0.1; angular 0.02; end
drag one object lump; linear 1; end
)",
        R"(parameter stiff 40;
track ramp interpolation spline; key 0 0; key 0.5 2 ; key 2 -1; end
object floor fixed; plane; contact friction 0.4 static 0.6 restitution 0.1; end
repeat i from 1 to 3
  object part[i] box size 0.1 0.2 0.3; at i 1 0; turn 0 1 0 i*20 deg; contact; untouchable yes; end
  track wave[i] key 0 i; key i 0; end
end
joint first type pin; object1 part[1]; at 0.5 0 0; axis 0 0 1;
  turn min -90 deg max 45 deg restitution 0.3 stiffness stiff rest 0.1 damping .5 force wave[1] speed ramp max_force 10; end
joint second type screw; object1 part[2]; object2 part[1]; at 0 0 0 -1 0 0; axis 1 0 0  1 0 0; across 0 1 0  0 1 1;
  pitch 0.02; slide max 0.5; closing 0; alpha 2; mobility 0.3; valid from 1; end
joint third type universal; object1 part[3]; object2 part[2]; turn2 max inf min -1; turn1 speed wave[1 + 1] max_force inf;
  soft stiffness 1e4 damping 10 angular_stiffness 5 angular_damping .1; end
joint f type flying; object1 part[3]; swing stiffness 2; slide3 damping 1; twist force -1; end
constraint object1 part[1]; object2 part[3]; hinge 0 0 0 0 0 0; soft stiffness 3; closing 1/4; end
group leg
  track step key 0 0; key 1 1; end
  object foot sphere radius 0.1; end
  joint ankle type cylinder_on_plane; object1 foot; axis 0 1 0; across 1 0 0; roll speed step; turn min -1; end
  joint hip type ball; object2 foot; at 0 1 0; swing max 1; end
end
place leg as left at 1 2 3; turn 0 0 1 90 deg; end
)",
        "object a mass 1 // one\n  ; at 0 /* x */ 0 /* y */ // z next\n 0; end object\nb // b\nmass 2; end // done",
    };
    return texts;
}

}  // namespace armature::testing_scene
