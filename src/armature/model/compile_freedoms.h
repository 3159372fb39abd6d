// Freedoms and screws of a constraint on their way into the Model. Part of compile(); not for others.
#pragma once

#include "armature/model/compile_internal.h"

namespace armature::detail {

struct FreedomCompiler {
    Compilation& c;
    const ConstraintSpec& spec;
    Joint& joint;  ///< its bodies are known; it becomes the next of the model

    void add(const FreedomSpec& f);
    void add_screw(const ScrewSpec& s);

  private:
    void push(Freedom freedom, const std::string& name);
    const Body& body(BodyId id) const { return c.model.bodies[static_cast<std::size_t>(id)]; }
    TurnCoordinate turn(const Vec3& axis1, const Vec3& axis2, const Vec3& across1, const Vec3& across2,
                        const std::string& what);
    Placement placed(BodyId id) const;
    std::string of(const std::string& what) const;
    void check_track(const ScalarTrack& track, const std::string& what, bool may_be_negative);
};

}  // namespace armature::detail
