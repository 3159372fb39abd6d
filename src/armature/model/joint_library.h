// The joint library: named joints as sugar over the parts of a constraint (joint_parts.h) and its freedoms
// (coordinates.h). One table says what there is; the scene language, `armature list joints`, the pages and the tests all
// read it.
//
// [Dumont, Arnaldi, Hégron 1990, table 1] gives the eleven types and their degrees of freedom, [Faure 1998, §3.1] how one
// is placed: a frame L1 fixed to solid 1 and a frame L2 fixed to solid 2, each with an origin P, a main axis i and a second
// axis j across it (k = i × j). The two coincide when every freedom is zero.
//
//                        where P1 may be in L2    how L1 may turn in L2                    freedoms
//   embedding            P2                       not at all                               –
//   pin                  P2                       about i                                  turn
//   sliding              P2 + λ i2                not at all                               slide
//   screw                P2 + λ i2                about i, φ = 2π λ/pitch                  turn, slide (one of them is free)
//   cylindrical          P2 + λ i2                about i                                  turn, slide
//   plane_on_plane       P2 + λ j2 + μ k2         about i, the common normal               turn, slide1, slide2
//   ball                 P2                       as it likes                              swing, twist
//   universal            P2                       about i2, then about j1; i2 ⟂ j1         turn1, turn2
//   cylinder_on_plane    P2 + λ j2 + μ k2         about i2, the plane's normal, then       turn, roll, slide1, slide2
//                                                 about j1, the cylinder's axis; i2 ⟂ j1
//   ball_in_cylinder     P2 + λ i2                as it likes                              slide, swing, twist
//   ball_on_plane        P2 + λ j2 + μ k2         as it likes                              slide1, slide2, swing, twist
//   flying               anywhere                 as it likes                              slide1 … slide3, swing, twist
//
// Where L1 may turn as it likes, `swing` is the angle between i1 and i2 and `twist` the turn about them once the swing is
// removed: two coordinates for three freedoms, the third being the direction of the swing, which has no value where the
// swing is zero and which nothing acts along.
//
// Faure's table 1 has the types pin, cylindrical, prismatic (our sliding) and smooth surface contact (our ball_on_plane)
// as here. Its row `universal` blocks the three translations and nothing else, which is our ball, and its row
// `ball-socket` has two crosses, one translation short of a socket: a ball in a cylinder. Here a universal joint is what
// mechanics calls so, two freedoms about a cross whose arms i2 and j1 stay at right angles, and a ball is a ball.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "armature/model/spec.h"

namespace armature {

enum class JointType {
    embedding,
    pin,
    sliding,
    screw,
    cylindrical,
    plane_on_plane,
    ball,
    universal,
    cylinder_on_plane,
    ball_in_cylinder,
    ball_on_plane,
    flying,
};

struct JointFreedomInfo {
    std::string_view name;
    FreedomKind kind = FreedomKind::turn;
    std::string_view doc;  ///< what its value is
};

struct JointTypeInfo {
    JointType type = JointType::embedding;
    std::string_view name;
    std::vector<std::string_view> synonyms;
    int rotations = 0, translations = 0;
    int freedoms_in_all = 0;  ///< what the joint leaves of six; a screw couples its two to one
    std::string_view summary;
    std::vector<JointFreedomInfo> freedoms;

    const JointFreedomInfo* find_freedom(std::string_view freedom) const;
};

/// Every type, in the order of the table above.
const std::vector<JointTypeInfo>& joint_types();
const JointTypeInfo& joint_type(JointType type);
/// By name or synonym; nullptr when there is none.
const JointTypeInfo* find_joint_type(std::string_view name);

/// A frame L fixed to a solid. The axes need not be unit vectors; the part of j along i is taken out.
struct JointFrame {
    Vec3 at_B;               ///< P, m
    Vec3 main_B{1, 0, 0};    ///< i
    Vec3 second_B{0, 1, 0};  ///< j
};

/// The frame of a solid at pose_WB that lies here in the world: the same world frame for both solids of a joint makes it
/// hold as they are placed.
JointFrame joint_frame(const Pose& pose_WB, const Vec3& at_W, const Vec3& main_W, const Vec3& second_W);

/// The constraint that is this joint: its hinge, angle, twist and screw, and a FreedomSpec for every freedom of the table,
/// by which limits, springs and motors can be given. `pitch` (m per turn) is the screw's. Axes without a direction are
/// reported by compile().
ConstraintSpec make_joint(JointType type, std::string solid1, const JointFrame& L1, std::string solid2,
                          const JointFrame& L2, double pitch = 0);

/// The freedom of that name; nullptr when the constraint has none.
FreedomSpec* find_freedom(ConstraintSpec& constraint, std::string_view name);

}  // namespace armature
