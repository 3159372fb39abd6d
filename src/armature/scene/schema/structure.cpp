// The file itself and what gives it structure: parameters, repeats, groups, placements.
#include "armature/scene/schema/common.h"

namespace armature::lang {

namespace {

const std::vector<BlockId> elements = {BlockId::object, BlockId::particle, BlockId::path,  BlockId::constraint,
                                       BlockId::joint,  BlockId::track,    BlockId::force, BlockId::torque,
                                       BlockId::spring, BlockId::drag};

std::vector<BlockId> elements_and(std::initializer_list<BlockId> more) {
    std::vector<BlockId> list = more;
    list.insert(list.end(), elements.begin(), elements.end());
    return list;
}

KeywordSpec parameter_keyword() {
    return {.name = "parameter",
            .args = {word("NAME"), limit("value")},
            .doc = "a named value for the expressions that follow; `--set NAME=value` changes it",
            .repeatable = true};
}

KeywordSpec include_keyword() {
    return {.name = "include",
            .args = {name_of(ArgKind::file, "file.arm")},
            .doc = "reads another file as if its text stood here; the name is relative to this file",
            .repeatable = true};
}

}  // namespace

void add_structure_blocks(std::vector<BlockSpec>& blocks) {
    blocks.push_back({
        .id = BlockId::file,
        .name = "file",
        .keywords = {{.name = "title", .args = {name_of(ArgKind::text, "text")}, .doc = "what the scene shows"},
                     parameter_keyword(),
                     include_keyword(),
                     {.name = "pose",
                      .args = {name_of(ArgKind::object, "OBJECT")},
                      .options = {option("at", {vector("position", "m")}, "as it was", "where"),
                                  option("turn", {vector("axis"), number("angle", "rad")}, "as it was",
                                         "orientation by axis and angle"),
                                  option("quaternion", {number("w"), vector("v")}, "as it was",
                                         "orientation as w x y z, kept to the last bit")},
                      .doc = "puts an object elsewhere at the start, in the world frame, whatever its block (in a "
                             "repeat, a group, an included file) says; what is not given stays; the last one for an "
                             "object counts",
                      .repeatable = true}},
        .contents = elements_and({BlockId::simulation, BlockId::repeat, BlockId::group, BlockId::place}),
        .doc = "What may stand in a file outside of any block.",
        .example = "title \"Pendulum\";\n"
                   "parameter length 0.8;\n"
                   "include \"parts/arm.arm\";\n"
                   "pose bob at 0 2-length 0 turn 0 0 1 30 deg;\n",
    });
    blocks.push_back({
        .id = BlockId::repeat,
        .name = "repeat",
        .header = {.name = "repeat",
                   .args = {word("VARIABLE")},
                   .options = {required_option("from", {number("first")}, "first value"),
                               required_option("to", {number("last")}, "last value, reached or not passed"),
                               option("step", {number("step")}, "1", "distance between values")}},
        .keywords = {parameter_keyword()},
        .contents = elements_and({BlockId::repeat, BlockId::place}),
        .doc = "Writes its content once for every value of the variable. Names take indices: `link[i]`, "
               "`link[i + 1]`, `node[i][j]`. A parameter inside belongs to that one turn.",
        .example = "repeat i from 1 to 9\n"
                   "  constraint object1 link[i]; object2 link[i + 1]; hinge 0.5 0 0 -0.5 0 0; end\n"
                   "end\n",
    });
    blocks.push_back({
        .id = BlockId::group,
        .name = "group",
        .header = {.name = "group", .args = {word("NAME")}},
        .keywords = {parameter_keyword(), include_keyword()},
        .contents = elements_and({BlockId::repeat, BlockId::group, BlockId::place}),
        .doc =
            "Describes something that `place` puts into the scene, once or many times. Names inside mean the group's "
            "own things first, then those around it. Parameters of the group can be given by `set`.",
        .example = "group pendulum\n"
                   "  parameter length 1;\n"
                   "  object bob sphere radius 0.1; at 0 -length 0; end\n"
                   "  constraint object2 bob; hinge 0 0 0  0 length 0; end\n"
                   "end\n",
    });
    blocks.push_back({
        .id = BlockId::place,
        .name = "place",
        .header = {.name = "place",
                   .args = {word("GROUP")},
                   .options = {required_option("as", {name_of(ArgKind::new_name, "NAME")},
                                               "prefix of the names: NAME.bob")}},
        .keywords = {{.name = "at",
                      .args = {vector("position", "m")},
                      .fallback = "0 0 0",
                      .doc = "where the origin of the group comes to lie"},
                     {.name = "turn",
                      .args = {vector("axis"), number("angle", "rad")},
                      .fallback = "no turn",
                      .doc = "turns the group about its origin; several turns follow one another, each about "
                             "axes that do not turn along",
                      .repeatable = true},
                     {.name = "quaternion",
                      .args = {number("w"), vector("v")},
                      .fallback = "no turn",
                      .doc = "a turn given as w x y z",
                      .repeatable = true},
                     {.name = "set",
                      .args = {word("PARAMETER"), limit("value")},
                      .doc = "gives a parameter of the group another value",
                      .repeatable = true}},
        .doc = "Puts a group into the scene. Initial placements, velocities and spins, keys of paths, points and "
               "directions fixed to the world, and forces in world axes all move along with it.",
        .example = "repeat i from 1 to 5\n"
                   "  place pendulum as clock[i] at i 3 0; turn 0 1 0 30 deg; set length 0.2*i; end\n"
                   "end\n"
                   "// its parts: clock[1].bob, clock[2].bob, … its parameters: clock[1].length, …\n",
    });
}

}  // namespace armature::lang
