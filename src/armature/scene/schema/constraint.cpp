// Constraints, in the words of [Gascuel, Gascuel 1994, §5.2].
#include "armature/scene/schema/common.h"

namespace armature::lang {

namespace {

std::vector<KeywordSpec> constraint_keywords() {
    std::vector<KeywordSpec> rows = {
        object_keyword("object1", "world", "the first of the two"),
        object_keyword("object2", "world", "the second of the two"),
        {.name = "hinge",
         .args = {vector("P1", "m"), vector("P2", "m")},
         .fallback = "none",
         .doc =
             "P1 of object 1 and P2 of object 2 meet, or P1 stays in a domain around P2: `axial`, `planar`, `sphere`, "
             "`box`, `curve` or `mesh`"},
        {.name = "axial",
         .args = {vector("u")},
         .options = {min_option("λ1", "m", "-inf"), max_option("λ2", "m", "inf")},
         .fallback = "none",
         .doc = "P1 slides on the line through P2 along u (in the frame of object 2): P2 + λ u/|u|"},
        {.name = "planar",
         .args = {vector("n")},
         .options = {min_option("ρ1", "m", "0"), max_option("ρ2", "m", "inf")},
         .fallback = "none",
         .doc = "P1 slides in the plane through P2 with normal n (in the frame of object 2), at a "
                "distance ρ from P2"},
        {.name = "sphere",
         .options = {option("radius", {number("ρ", "m")}, "none", "on the sphere: `min` and `max` at once"),
                     min_option("ρ1", "m", "0"), max_option("ρ2", "m", "inf")},
         .fallback = "none",
         .doc = "P1 stays at a distance ρ from P2: on a sphere, in a ball, in a shell"},
        {.name = "box",
         .options = {required_option("size", {vector("edges", "m")}, "full lengths of the edges"), turn_option(),
                     quaternion_option(), option("surface", {}, "anywhere in it", "on its six faces")},
         .fallback = "none",
         .doc = "P1 stays in a box with its centre at P2, its edges along the axes of object 2 unless it is turned"},
        {.name = "curve",
         .args = {choice("polyline|spline"), repeated(vector("point", "m"))},
         .options = {option("closed", {}, "an open one", "runs on from the last point to the first")},
         .fallback = "none",
         .doc =
             "P1 slides on the curve through these points, straight from one to the next or smooth; they are counted "
             "from P2, in the axes of object 2"},
        {.name = "mesh",
         .args = {name_of(ArgKind::file, "file")},
         .options = {option("scale", {number("factor")}, "1", "factor on the coordinates of the file"), turn_option(),
                     quaternion_option(),
                     option("inside", {}, "on its surface", "within the mesh, which must be closed")},
         .fallback = "none",
         .doc = "P1 slides on the triangle mesh of an OBJ or STL file, its origin at P2, its axes those of object 2 "
                "unless "
                "it is turned"},
        {.name = "angle",
         .args = {vector("a1"), vector("a2")},
         .options = {min_option("α1", "rad", "0"), max_option("α2", "rad", "pi")},
         .fallback = "none",
         .doc = "limits the angle between the direction a1 of object 1 and a2 of object 2"},
        {.name = "twist",
         .args = {vector("b1"), vector("b2")},
         .options = {min_option("β1", "rad", "-pi"), max_option("β2", "rad", "pi")},
         .fallback = "none",
         .doc = "limits the turn from b1 of object 1 to b2 of object 2 about the directions of `angle`"}};
    for (KeywordSpec& k : holding_keywords()) rows.push_back(std::move(k));
    return rows;
}

}  // namespace

void add_constraint_block(std::vector<BlockSpec>& blocks) {
    blocks.push_back({
        .id = BlockId::constraint,
        .name = "constraint",
        .header = {.name = "constraint", .args = {optional(name_of(ArgKind::new_name, "NAME"))}},
        .keywords = constraint_keywords(),
        .doc =
            "Ties two objects together. Points and directions 1 are in the frame of object 1, points and directions "
            "2 in that of object 2; the world is an object too. The name may be left out: the constraint is then "
            "called after its objects, `body~wheel`, a second one between them `body~wheel#2`. `joint` has the usual "
            "combinations by name.",
        .example = "constraint object1 body; object2 wheel;\n"
                   "hinge 0 -2.0 0 0 0 0;\n"
                   "angle 1 0 0 1 0 0 max 0; end\n"
                   "\n"
                   "constraint rail  // a sleeve on a rod of 4 m\n"
                   "  object1 sleeve;\n"
                   "  hinge 0 0 0  0 1 0;\n"
                   "  axial 1 0 0 min -2 max 2;\n"
                   "  valid from 0.5 until 3;\n"
                   "end\n"
                   "\n"
                   "constraint wire  // a bead on a bent wire\n"
                   "  object1 bead;\n"
                   "  hinge 0 0 0  0 2 0;\n"
                   "  curve spline  -1 0 0  -0.5 0.3 0  0.5 -0.3 0  1 0 0;\n"
                   "end\n",
    });
}

}  // namespace armature::lang
