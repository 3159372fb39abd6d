// Forces: on a point, torques, springs, drag; and the drag of a hand.
#include "armature/scene/schema/common.h"

namespace armature::lang {

namespace {

KeywordSpec header(std::string_view block) {
    return {.name = block, .args = {name_of(ArgKind::new_name, "NAME")}};
}
KeywordSpec vector_keyword(std::string_view unit) {
    return {.name = "vector", .args = {vector("value", unit)}, .fallback = "0 0 0", .doc = "a constant value"};
}
KeywordSpec key_keyword(std::string_view unit) {
    return {.name = "key",
            .args = {number("t", "s"), vector("value", unit)},
            .doc = "a value at a time, in place of `vector`",
            .repeatable = true};
}
KeywordSpec frame_keyword() {
    return {.name = "frame",
            .args = {choice("world|body")},
            .fallback = "world",
            .doc = "whether the direction stays as it is or turns with the object"};
}

}  // namespace

void add_force_blocks(std::vector<BlockSpec>& blocks) {
    blocks.push_back({
        .id = BlockId::force,
        .name = "force",
        .header = header("force"),
        .keywords = {object_keyword("object", {}, "what it acts on", true),
                     {.name = "at",
                      .args = {vector("point", "m")},
                      .fallback = "0 0 0",
                      .doc = "where it acts, in the frame of the object"},
                     vector_keyword("N"),
                     key_keyword("N"),
                     interpolation_keyword("linear"),
                     frame_keyword()},
        .doc = "A force on a point of an object, constant or over time.",
        .example = "force push object body; at 0 0.5 0; key 0 0 0 0; key 1 20 0 0; key 2 0 0 0; end\n",
    });
    blocks.push_back({
        .id = BlockId::torque,
        .name = "torque",
        .header = header("torque"),
        .keywords = {object_keyword("object", {}, "what it acts on", true), vector_keyword("N m"), key_keyword("N m"),
                     interpolation_keyword("linear"), frame_keyword()},
        .doc = "A torque on an object, constant or over time.",
        .example = "torque pedal object wheel; vector 5 0 0; frame body; end\n",
    });
    blocks.push_back({
        .id = BlockId::spring,
        .name = "spring",
        .header = header("spring"),
        .keywords = {object_keyword("object1", "world", "the first end", false),
                     object_keyword("object2", "world", "the second end", false),
                     {.name = "between",
                      .args = {vector("P1", "m"), vector("P2", "m")},
                      .fallback = "0 0 0 0 0 0",
                      .doc = "the two ends, each in the frame of its object"},
                     {.name = "stiffness", .args = {number("k", "N/m")}, .doc = "pull per stretch", .required = true},
                     {.name = "rest", .args = {number("length", "m")}, .fallback = "0", .doc = "length without pull"},
                     {.name = "damping",
                      .args = {number("c", "N s/m")},
                      .fallback = "0",
                      .doc = "resistance to a change of length"}},
        .doc = "A spring with a damper between two points.",
        .example = "spring cord object2 bob; between 0 2 0  0 0.1 0; stiffness 200; rest 0.5; damping 2; end\n",
    });
    blocks.push_back({
        .id = BlockId::drag,
        .name = "drag",
        .header = header("drag"),
        .keywords = {object_keyword("object", "every object", "what it slows, or pulls", false),
                     {.name = "linear",
                      .args = {number("c", "N s/m")},
                      .fallback = "0",
                      .doc = "force per velocity of the centre of mass"},
                     {.name = "angular",
                      .args = {number("c", "N m s/rad")},
                      .fallback = "0",
                      .doc = "torque per angular velocity"},
                     {.name = "at",
                      .args = {vector("point", "m")},
                      .fallback = "0 0 0",
                      .doc = "with keys: the point that is pulled, in the frame of the object"},
                     {.name = "key",
                      .args = {number("t", "s"), vector("position", "m")},
                      .options = {turn_option(), quaternion_option()},
                      .doc =
                          "where the point is to be at a time; with an orientation in the first key, the axes of the "
                          "object too",
                      .repeatable = true},
                     interpolation_keyword("linear"),
                     {.name = "closing",
                      .args = {number("time", "s")},
                      .fallback = "0.5",
                      .doc = "with keys: how far the point is off when the drag begins is drawn in over this time"},
                     {.name = "valid",
                      .options = {option("from", {limit("t1", "s")}, "-inf", "first instant"),
                                  option("until", {limit("t2", "s")}, "inf", "first instant it no longer pulls")},
                      .fallback = "always",
                      .doc = "with keys: when it pulls"}},
        .doc = "With keys, pulls a point of an object as if by hand: the point is held to a place that moves along the "
               "keys, "
               "whatever the solver; `NAME.at` and `NAME.force` are columns. Without keys, slows an object, or all of "
               "them.",
        .example = "drag hand object palm; at 0 0 0.05; key 0 0.4 1 0; key 2 0.8 1.5 0; end\n"
                   "drag air linear 0.1; angular 0.02; end\n",
    });
}

}  // namespace armature::lang
