// The page: docs/performance.md, a plot per scene beside it, and every single run as CSV.
#pragma once

#include <filesystem>

#include "run_one.h"

namespace armature::race {

struct RaceResults {
    std::vector<RaceScene> scenes;
    std::vector<Engine> engines;      ///< those that took part
    std::vector<std::string> absent;  ///< names of peers that are not installed
    std::vector<Run> runs;
    Limits limits;
};

inline bool is_ours(const std::string& engine) {
    return engine.starts_with("Armature");
}

/// Writes out/performance.md, out/performance/SCENE.svg and out/performance/runs.csv. `intro` is the Markdown that opens the
/// page.
void write_report(const RaceResults& results, const std::string& intro, const std::filesystem::path& out);

}  // namespace armature::race
