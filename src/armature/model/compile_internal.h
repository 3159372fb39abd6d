// What the files of compile() share. Not for others.
#pragma once

#include <string>
#include <unordered_map>

#include "armature/base/diagnostic.h"
#include "armature/model/model.h"

namespace armature::detail {

/// One run of compile(): the Spec being read, the Model being made and what was found on the way.
struct Compilation {
    const Spec& spec;
    Model& model;
    Diagnostics& diagnostics;
    std::unordered_map<std::string, BodyId> body_of_name;

    /// −1 after reporting that there is no such solid.
    BodyId resolve_solid(const std::string& name, const Origin& origin, const std::string& keyword,
                         const std::string& user);

    void error(const Origin& origin, const std::string& keyword, std::string message, std::string hint = {});
    void warning(const Origin& origin, const std::string& keyword, std::string message, std::string hint = {});
    /// Reports and returns false unless the value is finite.
    bool require_finite(double value, const Origin& origin, const std::string& keyword, const std::string& what);
    bool require_finite(const Vec3& value, const Origin& origin, const std::string& keyword, const std::string& what);
    /// The unit vector along `value`; reports a vector without a direction.
    Vec3 require_direction(const Vec3& value, const Origin& origin, const std::string& keyword,
                           const std::string& what);
    /// Key times finite and strictly rising, at least one key.
    template <class Key>
    void check_key_times(const std::vector<Key>& keys, const Origin& origin, const std::string& what) {
        if (keys.empty()) return error(origin, "key", what + " has no key", "give at least one `key`");
        for (std::size_t i = 0; i < keys.size(); ++i) {
            if (!require_finite(keys[i].t, origin, "key", "the time of a key of " + what)) return;
            if (i > 0 && !(keys[i].t > keys[i - 1].t))
                return error(origin, "key", "the keys of " + what + " are not in order of time",
                             "give each key a later time than the one before");
        }
    }
};

/// The Spec with a tracker and a constraint for every drag.
Spec with_trackers(const Spec& spec, Diagnostics& diagnostics);

void compile_simulation(Compilation& c);
void compile_solids(Compilation& c);
void compile_constraints(Compilation& c);

/// The forces with global body ids; a drag without a solid stands once for every dynamic body.
struct ResolvedForces {
    std::vector<PointForce> forces;
    std::vector<Torque> torques;
    std::vector<Spring> springs;
    std::vector<Drag> drags;
};
ResolvedForces compile_forces(Compilation& c);

/// Sorts bodies, joints and forces into islands.
void build_islands(Model& model, const ResolvedForces& forces);

std::uint64_t fingerprint(const Model& model);

}  // namespace armature::detail
