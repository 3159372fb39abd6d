// The scene as it runs: the run that is watched, the same scene under a second solver beside it, settings that somebody
// changed while it went on, and the hands that pull. Knows nothing of text files and networks, and of no clock: whoever owns
// it says when the next frame is due.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "armature/studio/run.h"

namespace armature::studio {

/// What was set while it ran, in place of what the scene says.
struct SettingsInForce {
    std::optional<std::string> solver;
    std::optional<Scheme> scheme;
    std::optional<double> dt, tolerance, budget;
    std::optional<int> iterations;

    /// Budgets belong to the linearized solver.
    SimulationSpec applied(SimulationSpec scene) const;
};

class Session {
  public:
    /// Throws InputError when the scene cannot be simulated with these settings.
    explicit Session(Spec spec, SettingsInForce settings = {}, std::size_t room = std::size_t{512} << 20);

    const Spec& scene() const { return scene_; }
    const Run& run() const { return *run_; }
    const Run* ghost() const { return ghost_.get(); }
    const SettingsInForce& settings() const { return settings_; }
    /// Solids of the scene and the world, which come before the trackers of live drags.
    std::size_t body_count() const { return body_count_; }

    /// Another text of the same motion: what runs goes on. False when it is another motion.
    bool adopt(const Spec& spec);

    void advance();
    void seek(std::int64_t frame);
    void reset();
    /// Throws InputError and changes nothing when the scene cannot be simulated so.
    void set(const SettingsInForce& settings);
    /// An empty name: none. Throws InputError.
    void set_ghost(const std::string& solver);

    /// A drag of a point of a solid begins, its target where the point is or at `target`. Returns its name. Throws
    /// InputError when it cannot be dragged.
    std::string grab(const std::string& solid, const Vec3& at_B, bool orient, const std::optional<Vec3>& target = {},
                     const std::string& name = "hand");
    /// False when there is no such live drag. A point without orientation keeps that of the drag. The hand goes there with the
    /// next frame; where the joints cannot follow it gives way (sim/giving_hands.h).
    bool pull(const std::string& drag, const Vec3& target, const std::optional<Quat>& orientation, std::uint32_t input);
    bool release(const std::string& drag);
    /// All live drags as text of the scene language.
    std::string drags_text() const;

    /// The last input that the present frame contains.
    std::uint32_t input() const { return input_; }

    void place(const std::map<std::string, Pose>& placements);
    AssemblyReport assemble();

    /// While time stands still: what hands pull follows them (Run::pose). Of one gesture, until the hands let go or time runs,
    /// the first call that changes anything gives back what stood before.
    struct Posed {
        bool moved = false;
        std::optional<Branch> before;
    };
    Posed pose();
    bool pose_due() const { return pose_due_; }
    /// Run::exchange; hands let go.
    std::optional<Branch> exchange(Branch branch);
    /// Drags that hold, those included that take hold of an earlier frame once they are pulled.
    std::vector<DraggedSpec> held_drags() const;

  private:
    /// Takes hold when it is pulled, or when time runs on: of a frame looked back at, for that drops what came after it, and a
    /// click must not.
    struct Waiting {
        DraggedSpec drag;
        Pose begin;
    };
    void move_hands();
    void take_hold();
    void take_hold(const DraggedSpec& drag, const Pose& begin);
    void end_gesture();

    Spec ghost_spec() const;
    std::string fresh_name(const std::string& wanted) const;

    Spec scene_;  ///< as written, without live drags
    SettingsInForce settings_;
    std::size_t room_;
    std::unique_ptr<Run> run_;
    std::string ghost_solver_;
    std::unique_ptr<Run> ghost_;
    std::size_t body_count_ = 0;
    std::map<std::string, Pose>
        hands_;  ///< where those that were pulled and hold want to be, by the names of their drags
    std::map<std::string, Waiting> waiting_;
    bool pose_due_ = false, in_gesture_ = false, ghost_stale_ = false;
    std::uint32_t input_ = 0, pending_input_ = 0;
};

}  // namespace armature::studio
