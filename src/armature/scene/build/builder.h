// What the builders of the block families share while a scene is written out into its Spec.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "armature/model/joint_library.h"
#include "armature/scene/arguments.h"
#include "armature/scene/overrides.h"
#include "armature/scene/scene.h"

namespace armature::lang {

/// A block as it is met in the expansion: the same block of a repeat is met once per turn.
struct BlockSite {
    std::uint32_t document = 0;
    std::uint32_t node = 0;
    const Surroundings* around = nullptr;
    std::string name;  ///< in full, "doll[3].head"; empty for an unnamed constraint
};

/// The use of a name whose owner may be defined further down: resolved when everything is known.
struct Reference {
    enum class Slot { constraint1, constraint2, force, spring1, spring2, drag, path, pose, track };
    Slot slot = Slot::constraint1;
    std::uint32_t index = 0;  ///< of the constraint, force, solid, pose statement or use of a track
    std::string name;         ///< as written, indices evaluated
    std::string prefix;       ///< of the group it is used in
    std::uint32_t document = 0;
    Span span;
    std::string hint{};  ///< when there is nothing of that name: what else may have been meant
};

/// A `pose` statement, to be applied when all objects are known.
struct PoseChange {
    std::string object;
    std::optional<Vec3> at;
    std::optional<Quat> orientation;
};

/// A joint whose constraint waits until the placements of its solids and all tracks are known.
struct PendingJoint {
    std::size_t constraint = 0;  ///< index into Spec::constraints
    JointType type = JointType::embedding;
    double pitch = 0;
    // Side 1 as written or by default; side 2 when it is written.
    Vec3 at1, axis1{1, 0, 0};
    std::optional<Vec3> at2, axis2, across1, across2;
    std::vector<FreedomSpec> freedoms;  ///< what acts along them, by name
};

/// Where a track is used: as a value of a freedom of a pending joint.
struct TrackUse {
    std::size_t joint = 0, freedom = 0;
    ScalarTrack FreedomSpec::*value = nullptr;
};

class Builder {
  public:
    Builder(Scene& scene_, Report& report_, Overrides& overrides_)
        : scene(scene_), report(report_), overrides(overrides_), evaluator(report_) {}

    Scene& scene;
    Report& report;
    Overrides& overrides;
    Evaluator evaluator;
    std::vector<std::string> automatic_names;  ///< of unnamed constraints by their order, from an earlier pass
    std::unordered_map<std::string, PoseTrack> paths;
    std::vector<Reference> references;
    std::vector<PoseChange> poses;
    std::unordered_map<std::string, ScalarTrack> tracks;
    std::vector<PendingJoint> joints;
    std::vector<TrackUse> track_uses;
    std::unordered_map<std::string, std::shared_ptr<const TriangleMesh>> meshes;

    const Document& document(const BlockSite& site) const { return *scene.documents[site.document]; }
    const Node& node(const BlockSite& site) const { return document(site).node(site.node); }
    std::uint32_t add_document(std::shared_ptr<const Document> document);

    /// Whether to go on: false once a limit is passed or nothing more would be reported.
    bool going() const { return !stopped_ && !report.full(); }
    /// Counts a statement of the written-out scene; false when there are too many (reported once).
    bool count_statement(const Document& document, Span span);
    bool count_object(const Document& document, Span span);
    bool count_joint(const Document& document, Span span);

    /// Makes the block known by its name. False after reporting that the name is taken.
    bool define(const BlockSite& site);
    void refer(Reference::Slot slot, std::size_t index, const BlockSite& site, const std::string& name,
               const Document& in, Span span, std::string hint = {});

    /// Gives every statement of the block, overrides applied, to `set`; checks duplicates and what is required.
    Origin read_properties(const BlockSite& site, const std::function<void(const Arguments&)>& set);
    /// For a block that cannot be built: its statements are checked all the same.
    void check_only(const BlockSite& site) {
        read_properties(site, [](const Arguments&) {});
    }
    /// For settings that the text has no block for.
    void read_overrides_only(const std::string& name, BlockId block, const Surroundings& around,
                             const std::function<void(const Arguments&)>& set);

    /// Once everything is written out.
    void resolve_references();

  private:
    void missing_overrides(const std::vector<Overrides::Entry>& entries, const BlockSpec& block,
                           std::vector<unsigned>& seen, const Surroundings& around,
                           const std::function<void(const Arguments&)>& set);
    const Element* resolve(const Reference& reference);
    void unknown_name(const Reference& reference);
    void assign(const Reference& reference, const std::string& full_name);
    void apply_poses();
    bool count_keys(const Reference& reference, std::size_t keys);

    std::uint64_t statements_ = 0;
    std::uint64_t objects_ = 0;
    std::uint64_t keys_ = 0;
    bool stopped_ = false;
};

/// The table of setters of a block family: one line per keyword of its schema.
template <class Target>
struct Setter {
    std::string_view keyword;
    void (*set)(Target&, const Arguments&);
};

template <class Target, std::size_t n>
void apply_setter(Target& target, const Setter<Target> (&table)[n], const Arguments& arguments) {
    for (const Setter<Target>& s : table)
        if (s.keyword == arguments.keyword()) return s.set(target, arguments);
    arguments.error(quoted(arguments.keyword()) + " is not built yet");  // the schema tests exclude this
}

// One function per block family.
void build_simulation(Builder& builder, const BlockSite& site);
void override_simulation(Builder& builder, const Surroundings& around);
void build_object(Builder& builder, const BlockSite& site);
void build_particle(Builder& builder, const BlockSite& site);
void build_path(Builder& builder, const BlockSite& site);
void build_constraint(Builder& builder, const BlockSite& site);
void build_joint(Builder& builder, const BlockSite& site);
void build_track(Builder& builder, const BlockSite& site);
/// Once names are resolved and placements known: what the pending joints are made of.
void finish_joints(Builder& builder);
void build_force(Builder& builder, const BlockSite& site);
void build_drag(Builder& builder, const BlockSite& site);

}  // namespace armature::lang
