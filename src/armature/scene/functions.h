// The functions and constants of expressions. A function gets its arguments in an array and gives NaN where it has no
// value; the evaluator turns that into a message.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace armature::lang {

struct Function {
    std::string_view name;
    int least;  ///< number of arguments
    int most;
    double (*apply)(const double* x, int n);
    std::string_view doc;
};

const std::vector<Function>& functions();
/// Index into functions(), or -1.
int find_function(std::string_view name);

/// pi, tau, inf.
std::optional<double> find_constant(std::string_view name);
/// The factor of `deg` or `rad`.
std::optional<double> find_unit(std::string_view name);

/// Names that cannot be given to parameters: functions, constants, units and `end`.
bool is_reserved(std::string_view name);

}  // namespace armature::lang
