// Solids, particles and the paths they follow.
#include "armature/scene/schema/common.h"

namespace armature::lang {

namespace {

ArgSpec name_arg(std::string_view name = "NAME") {
    return name_of(ArgKind::new_name, name);
}

// A shape: what is its own, then what all shapes share.
KeywordSpec shape(std::string_view name, std::vector<OptionSpec> own, std::string_view doc, bool has_axis) {
    KeywordSpec row{.name = name, .options = std::move(own), .doc = doc, .repeatable = true};
    if (has_axis)
        row.options.push_back(option("axis", {vector("direction")}, "0 1 0", "direction; in place of a turn"));
    row.options.push_back(at_option());
    row.options.push_back(turn_option());
    row.options.push_back(quaternion_option());
    row.options.push_back(option("density", {number("rho", "kg/m³")}, "that of the object", "of this shape"));
    row.options.push_back(option("name", {word("NAME")}, "none", "for pictures and contacts"));
    return row;
}

std::vector<KeywordSpec> shape_keywords() {
    std::vector<KeywordSpec> rows = {
        shape("sphere", {required_option("radius", {number("r", "m")}, "radius")}, "a ball", false),
        shape("box", {required_option("size", {vector("edges", "m")}, "full lengths of the edges")}, "a cuboid", false),
        shape("cylinder",
              {required_option("radius", {number("r", "m")}, "radius"),
               required_option("length", {number("l", "m")}, "along its axis")},
              "a cylinder along y", true),
        shape("capsule",
              {required_option("radius", {number("r", "m")}, "of the cylinder and of the two half balls"),
               required_option("length", {number("l", "m")}, "of the cylinder alone")},
              "a cylinder along y with a half ball at each end", true),
        shape("ellipsoid", {required_option("radii", {vector("radii", "m")}, "half lengths of the axes")},
              "an ellipsoid", false),
        shape("plane", {}, "the half space below y = 0 (or behind `axis`), for fixed objects", true),
        shape("mesh", {option("scale", {number("factor")}, "1", "factor on the coordinates of the file")},
              "a closed triangle mesh from an OBJ or STL file", false)};
    rows.back().args = {name_of(ArgKind::file, "file")};
    return rows;
}

KeywordSpec kernel_keyword() {
    return {.name = "kernel",
            .args = {choice("dynamic|fixed|path")},
            .fallback = "dynamic",
            .doc = "moved by the laws of motion, immobile, or moved along a path"};
}
KeywordSpec fixed_keyword() {
    return {.name = "fixed", .fallback = "dynamic", .doc = "short for `kernel fixed`"};
}
KeywordSpec follow_keyword() {
    return {.name = "follow",
            .args = {name_of(ArgKind::path, "PATH")},
            .fallback = "none",
            .doc = "moves the object along a path (`kernel path`)"};
}
KeywordSpec at_keyword(std::string_view doc) {
    return {.name = "at", .args = {vector("position", "m")}, .fallback = "0 0 0", .doc = doc};
}
KeywordSpec velocity_keyword() {
    return {.name = "velocity",
            .args = {vector("v", "m/s")},
            .fallback = "0 0 0",
            .doc = "initial velocity of the centre of mass, world axes"};
}
KeywordSpec color_keyword() {
    return {.name = "color", .args = {vector("rgb")}, .fallback = "0.7 0.7 0.7", .doc = "red, green, blue, 0 to 1"};
}

std::vector<KeywordSpec> object_keywords() {
    std::vector<KeywordSpec> rows = {kernel_keyword(), fixed_keyword(), follow_keyword()};
    for (KeywordSpec& s : shape_keywords()) rows.push_back(std::move(s));
    const std::vector<KeywordSpec> rest = {
        {.name = "density",
         .args = {number("rho", "kg/m³")},
         .fallback = "1000",
         .doc = "of the shapes that give none"},
        {.name = "mass",
         .args = {number("m", "kg")},
         .fallback = "from the shapes",
         .doc = "total mass; the shapes then only say how it is spread"},
        {.name = "centre",
         .args = {vector("G", "m")},
         .fallback = "from the shapes",
         .doc = "centre of mass, in the frame of the object"},
        {.name = "inertia",
         .args = {vector("xx yy zz", "kg m²"), optional(vector("xy xz yz", "kg m²"))},
         .fallback = "from the shapes",
         .doc = "tensor about the centre of mass, axes of the object"},
        {.name = "point_mass",
         .args = {number("m", "kg")},
         .options = {at_option()},
         .doc = "added to what the shapes or `mass` give",
         .repeatable = true},
        at_keyword("initial position of the object's frame"),
        {.name = "turn",
         .args = {vector("axis"), number("angle", "rad")},
         .fallback = "no turn",
         .doc = "initial orientation; several turns follow one another, each about axes of the world (of the group), "
                "through the origin of the object",
         .repeatable = true},
        {.name = "quaternion",
         .args = {number("w"), vector("v")},
         .fallback = "no turn",
         .doc = "a turn given as w x y z",
         .repeatable = true},
        velocity_keyword(),
        {.name = "spin",
         .args = {vector("w", "rad/s")},
         .fallback = "0 0 0",
         .doc = "initial angular velocity, world axes"},
        {.name = "contact",
         .options = {option("friction", {number("mu")}, "0.5", "Coulomb's coefficient while sliding"),
                     option("static", {number("mu")}, "that of sliding", "the coefficient before it slides"),
                     option("restitution", {number("e")}, "0", "share of the approach speed given back, 0 to 1")},
         .fallback = "none",
         .doc = "how its surface meets others: on a fixed or path-driven object with it (its planes and boxes) others "
                "can stand; a dynamic one without it takes the values of what it touches"},
        {.name = "untouchable",
         .args = {choice("no|yes")},
         .fallback = "no",
         .doc = "a dynamic object that passes through everything"},
        {.name = "ability_to_rotate",
         .args = {number("a", "1/m²")},
         .fallback = "1",
         .doc = "only used with `physics no`"},
        {.name = "h",
         .args = {number("h", "m²")},
         .fallback = "that of the simulation",
         .doc = "procedural solver: how little it turns when it is pulled"},
        {.name = "root",
         .args = {choice("no|yes")},
         .fallback = "no",
         .doc = "procedural solver: where nothing is fixed, everything hangs on this object"},
        color_keyword()};
    rows.insert(rows.end(), rest.begin(), rest.end());
    return rows;
}

}  // namespace

void add_object_blocks(std::vector<BlockSpec>& blocks) {
    blocks.push_back({
        .id = BlockId::object,
        .name = "object",
        .header = {.name = "object", .args = {name_arg()}},
        .keywords = object_keywords(),
        .doc = "A rigid solid: where it starts, how it moves, what it is made of.",
        .example = "object wheel\n"
                   "  cylinder radius 0.9 length 0.1 axis 1 0 0 density 700;\n"
                   "  sphere radius 0.1 at 0.4 0 -0.5;\n"
                   "  at 0 2 0;\n"
                   "  turn 1 0 0 30 deg;\n"
                   "  spin 6.3 0 0;\n"
                   "end\n"
                   "object floor fixed; plane; end\n",
    });
    blocks.push_back({
        .id = BlockId::particle,
        .name = "particle",
        .header = {.name = "particle", .args = {name_arg()}},
        .keywords = {{.name = "mass", .args = {number("m", "kg")}, .doc = "of the particle", .required = true},
                     at_keyword("initial position"),
                     velocity_keyword(),
                     kernel_keyword(),
                     fixed_keyword(),
                     follow_keyword(),
                     color_keyword()},
        .doc = "A point with a mass. Constraints and forces hold it at its own position, `0 0 0`.",
        .example = "particle drop mass 0.001; at 0 1 0; velocity 1 0 0; end\n",
    });
    blocks.push_back({
        .id = BlockId::path,
        .name = "path",
        .header = {.name = "path", .args = {name_arg()}},
        .keywords = {interpolation_keyword("spline"),
                     {.name = "key",
                      .args = {number("t", "s"), vector("position", "m")},
                      .options = {turn_option(), quaternion_option()},
                      .doc = "a placement at a time; times rise from key to key",
                      .repeatable = true,
                      .required = true}},
        .doc = "A motion given by keys, for objects that `follow` it.",
        .example = "path round\n"
                   "  interpolation spline;\n"
                   "  key 0  1 0 0;\n"
                   "  key 1  0 0 1 turn 0 1 0 -90 deg;\n"
                   "end\n"
                   "object carrier follow round; sphere radius 0.1; end\n",
    });
}

}  // namespace armature::lang
