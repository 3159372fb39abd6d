// One engine with one setting through one scene.
#pragma once

#include "engine.h"
#include "measure.h"

namespace armature::race {

enum class Outcome {
    finished,
    diverged,  ///< a number that is none, or a tenth of the energy range too much
    apart,     ///< a joint opened by more than a metre
    slow,      ///< the time limit
    refused,   ///< the engine could not build it, or gave up with a message
};

struct Run {
    std::string scene, engine, setting;
    Outcome outcome = Outcome::finished;
    std::string reason;     ///< of a refusal
    double time = 0;        ///< s of the scene, reached
    double step_ms = 0;     ///< ms per frame, median of batches of 20
    JointGap gap;           ///< the worst of all frames
    double energy_end = 0;  ///< change since the start, in energy ranges
    double energy_max = 0;  ///< the largest gain, in energy ranges

    bool within(double limit) const { return outcome == Outcome::finished && gap.worst() <= limit; }
};

struct Limits {
    int frames = 600;
    double seconds = 20;  ///< of stepping; a run that is clearly going to need more is given up early
};

Run run_one(const RaceScene& scene, const Engine& engine, const Setting& setting, const Limits& limits);

}  // namespace armature::race
