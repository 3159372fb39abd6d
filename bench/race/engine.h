// What takes part in the race: an engine builds a scene with one of its settings and steps it. It does not measure
// itself; gaps and energies are computed from the poses it gives, the same way for all (measure.h).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "scene.h"

namespace armature::race {

inline constexpr double frame = 1.0 / 60;  ///< s, what one step of the race advances by, in however many sub-steps

/// A scene in the hands of an engine.
class World {
  public:
    World() = default;
    World(const World&) = delete;
    World& operator=(const World&) = delete;
    virtual ~World() = default;

    /// Advances by `frame`. This, and only this, is timed.
    virtual void step() = 0;
    /// Of every body of the scene, in its order.
    virtual void read(std::vector<Pose>& poses_WB) = 0;
};

/// One position of an engine's knobs.
struct Setting {
    std::string label;  ///< as the page shows it
    int substeps = 1;
    double max_rotation = 0;  ///< rad a step, where it is not the default
    int iterations = 0;
    double accuracy = 0;     ///< of the integration, of engines that choose their steps by it
    double tolerance = 0;    ///< of the joints, m
    int method = 0;          ///< where the engine offers several, see its file
    bool for_loops = false;  ///< differs from an earlier one only where there are loops
    bool quick = false;      ///< takes part in --quick too
};

struct Engine {
    std::string name;
    std::string version;
    std::string knob;               ///< what is turned, in words
    std::vector<Setting> settings;  ///< from cheap to costly
    /// Throws std::exception with the reason when the engine cannot build the scene.
    std::function<std::unique_ptr<World>(const RaceScene&, const Setting&)> build;
    /// A setting that is exact already may still be slower, or lose more, than the next, and one too slow may be slower.
    bool try_all = false;
};

/// `count` sub-steps as a setting.
Setting substep_setting(int count, bool quick = false);
/// All pairs of iterations (`first`, and 10 and 100 times that) and sub-steps (1, 3, 10, … ) from cheap to costly.
std::vector<Setting> iteration_settings(int first);

// One file each; those whose library was not found are compiled as absent.cpp instead, and return nothing.
std::vector<Engine> armature_engines();
std::vector<Engine> bullet_engines();
std::vector<Engine> bullet_multibody_engines();
std::vector<Engine> ode_engines();
std::vector<Engine> mujoco_engines();
std::vector<Engine> simbody_engines();
std::vector<Engine> dart_engines();

}  // namespace armature::race
