// Error against time as SVG: one point per run, a line along the runs of an engine that are not beaten by another of
// its own, every line labelled where it ends.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace armature::race {

struct ErrorCurve {
    std::string name;
    int style = 0;                                  ///< colour and marker, the same for an engine in every plot
    bool strong = false;                            ///< drawn thicker
    std::vector<std::pair<double, double>> points;  ///< ms, m
};

std::string error_plot(const std::string& title, const std::vector<ErrorCurve>& curves);

}  // namespace armature::race
