#include "runs_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace armature::race {
namespace {

constexpr std::array<const char*, 5> outcomes{"finished", "diverged", "apart", "slow", "refused"};

/// In quotes, on one line.
std::string quoted(std::string text) {
    std::replace(text.begin(), text.end(), '"', '\'');
    std::replace(text.begin(), text.end(), '\n', ' ');
    return '"' + text + '"';
}

std::vector<std::string> fields_of(const std::string& line) {
    std::vector<std::string> fields(1);
    bool inside = false;
    for (const char c : line) {
        if (c == '"')
            inside = !inside;
        else if (c == ',' && !inside)
            fields.emplace_back();
        else
            fields.back() += c;
    }
    return fields;
}

}  // namespace

std::string to_csv(const std::vector<Run>& runs) {
    std::string text = "scene,engine,setting,outcome,time_s,ms_per_frame,gap_m,axis_rad,energy_end,energy_max,reason\n";
    for (const Run& run : runs)
        text += fmt::format("{},{},{},{},{:.4g},{:.5g},{:.4g},{:.4g},{:.4g},{:.4g},{}\n", run.scene, quoted(run.engine),
                            quoted(run.setting), outcomes[static_cast<std::size_t>(run.outcome)], run.time, run.step_ms,
                            run.gap.point, run.gap.axis, run.energy_end, run.energy_max, quoted(run.reason));
    return text;
}

std::vector<Run> from_csv(const std::string& text) {
    std::vector<Run> runs;
    std::istringstream lines(text);
    std::string line;
    std::getline(lines, line);  // the names of the columns
    while (std::getline(lines, line)) {
        const std::vector<std::string> f = fields_of(line);
        const auto outcome = f.size() == 11 ? std::find(outcomes.begin(), outcomes.end(), f[3]) : outcomes.end();
        if (outcome == outcomes.end()) throw std::invalid_argument("not a run: " + line);
        const auto number = [&](std::size_t i) { return std::strtod(f[i].c_str(), nullptr); };
        runs.push_back({f[0],
                        f[1],
                        f[2],
                        static_cast<Outcome>(std::distance(outcomes.begin(), outcome)),
                        f[10],
                        number(4),
                        number(5),
                        {number(6), number(7)},
                        number(8),
                        number(9)});
    }
    return runs;
}

}  // namespace armature::race
