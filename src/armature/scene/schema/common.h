// Rows that several blocks share.
#pragma once

#include "armature/scene/schema.h"

namespace armature::lang {

inline OptionSpec option(std::string_view name, std::vector<ArgSpec> args, std::string_view fallback,
                         std::string_view doc) {
    return {name, std::move(args), fallback, doc, false};
}
inline OptionSpec required_option(std::string_view name, std::vector<ArgSpec> args, std::string_view doc) {
    return {name, std::move(args), {}, doc, true};
}
inline OptionSpec at_option() {
    return option("at", {vector("position", "m")}, "0 0 0", "where");
}
inline OptionSpec turn_option() {
    return option("turn", {vector("axis"), number("angle", "rad")}, "no turn", "orientation by axis and angle");
}
inline OptionSpec quaternion_option() {
    return option("quaternion", {number("w"), vector("v")}, "no turn", "orientation as w x y z, kept to the last bit");
}
inline OptionSpec min_option(std::string_view name, std::string_view unit, std::string_view fallback) {
    return option("min", {limit(name, unit)}, fallback, "lower limit");
}
inline OptionSpec max_option(std::string_view name, std::string_view unit, std::string_view fallback) {
    return option("max", {limit(name, unit)}, fallback, "upper limit");
}

inline KeywordSpec object_keyword(std::string_view name, std::string_view fallback, std::string_view doc,
                                  bool required = false) {
    return {.name = name,
            .args = {name_of(ArgKind::object, "OBJECT")},
            .fallback = fallback,
            .doc = doc,
            .required = required};
}

/// What `constraint` and `joint` share: when and how firmly they hold.
inline std::vector<KeywordSpec> holding_keywords() {
    return {{.name = "soft",
             .options = {option("stiffness", {number("k", "N/m")}, "0", "pull on the points per distance"),
                         option("damping", {number("c", "N s/m")}, "0", "resistance of the points to moving apart"),
                         option("angular_stiffness", {number("k", "N m/rad")}, "0", "pull on the directions per angle"),
                         option("angular_damping", {number("c", "N m s/rad")}, "0", "their resistance to turning")},
             .fallback = "rigid",
             .doc = "it pulls towards where it would hold, and gives way to what is stronger"},
            {.name = "closing",
             .args = {number("time", "s")},
             .fallback = "0.5",
             .doc = "what is out of place when it begins to hold is drawn in over this time; 0: at once"},
            {.name = "valid",
             .options = {option("from", {limit("t1", "s")}, "-inf", "first instant"),
                         option("until", {limit("t2", "s")}, "inf", "first instant it no longer holds")},
             .fallback = "always",
             .doc = "when it holds"},
            {.name = "alpha",
             .args = {number("alpha", "kg")},
             .fallback = "by the rule of the simulation",
             .doc = "displacement solver: share of translation for it"},
            {.name = "mobility",
             .args = {number("mu")},
             .fallback = "0.5",
             .doc = "displacement solver with `physics no`: share of object 1 in the correction, between 0 and 1"},
            {.name = "h",
             .args = {number("h", "m²")},
             .fallback = "that of the object",
             .doc = "procedural solver: how little what is pulled by it turns"}};
}

inline KeywordSpec interpolation_keyword(std::string_view fallback) {
    return {.name = "interpolation",
            .args = {choice("linear|spline")},
            .fallback = fallback,
            .doc = "how the values between the keys are found"};
}

}  // namespace armature::lang
