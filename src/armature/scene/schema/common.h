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

inline KeywordSpec interpolation_keyword(std::string_view fallback) {
    return {.name = "interpolation",
            .args = {choice("linear|spline")},
            .fallback = fallback,
            .doc = "how the values between the keys are found"};
}

}  // namespace armature::lang
