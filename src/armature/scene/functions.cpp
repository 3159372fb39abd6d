#include "armature/scene/functions.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "armature/model/spec.h"

namespace armature::lang {

namespace {

using X = const double*;

double modulo(double a, double b) {
    // The sign of the divisor, so that an index wraps round: mod(-1, 5) = 4.
    const double r = std::fmod(a, b);
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

}  // namespace

const std::vector<Function>& functions() {
    static const std::vector<Function> table = {
        {"sin", 1, 1, [](X x, int) { return std::sin(x[0]); }, "sine"},
        {"cos", 1, 1, [](X x, int) { return std::cos(x[0]); }, "cosine"},
        {"tan", 1, 1, [](X x, int) { return std::tan(x[0]); }, "tangent"},
        {"asin", 1, 1, [](X x, int) { return std::asin(x[0]); }, "inverse sine, rad"},
        {"acos", 1, 1, [](X x, int) { return std::acos(x[0]); }, "inverse cosine, rad"},
        {"atan", 1, 1, [](X x, int) { return std::atan(x[0]); }, "inverse tangent, rad"},
        {"atan2", 2, 2, [](X x, int) { return std::atan2(x[0], x[1]); }, "angle of the point (second, first), rad"},
        {"sqrt", 1, 1, [](X x, int) { return std::sqrt(x[0]); }, "square root"},
        {"abs", 1, 1, [](X x, int) { return std::fabs(x[0]); }, "absolute value"},
        {"exp", 1, 1, [](X x, int) { return std::exp(x[0]); }, "exponential"},
        {"log", 1, 1, [](X x, int) { return std::log(x[0]); }, "natural logarithm"},
        {"pow", 2, 2, [](X x, int) { return std::pow(x[0], x[1]); }, "first to the power of second, like ^"},
        {"min", 1, 100, [](X x, int n) { return *std::min_element(x, x + n); }, "smallest"},
        {"max", 1, 100, [](X x, int n) { return *std::max_element(x, x + n); }, "largest"},
        {"floor", 1, 1, [](X x, int) { return std::floor(x[0]); }, "whole number below"},
        {"ceil", 1, 1, [](X x, int) { return std::ceil(x[0]); }, "whole number above"},
        {"round", 1, 1, [](X x, int) { return std::round(x[0]); }, "nearest whole number"},
        {"sign", 1, 1, [](X x, int) { return static_cast<double>((x[0] > 0) - (x[0] < 0)); }, "-1, 0 or 1"},
        {"mod", 2, 2, [](X x, int) { return modulo(x[0], x[1]); }, "remainder with the sign of the second, like %"},
        {"hypot", 2, 3, [](X x, int n) { return n == 2 ? std::hypot(x[0], x[1]) : std::hypot(x[0], x[1], x[2]); },
         "length of a vector"}};
    return table;
}

int find_function(std::string_view name) {
    const std::vector<Function>& all = functions();
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].name == name) return static_cast<int>(i);
    return -1;
}

std::optional<double> find_constant(std::string_view name) {
    if (name == "pi") return pi;
    if (name == "tau") return 2 * pi;
    if (name == "inf") return infinity;
    return {};
}

std::optional<double> find_unit(std::string_view name) {
    if (name == "deg") return pi / 180;
    if (name == "rad") return 1.0;
    return {};
}

bool is_reserved(std::string_view name) {
    return name == "end" || find_constant(name) || find_unit(name) || find_function(name) >= 0;
}

}  // namespace armature::lang
