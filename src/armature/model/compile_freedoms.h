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
    DialCoordinate dial(const FreedomSpec& f, bool on_solid1, const std::string& what);
    /// The part of `b` across the unit vector `a`; reports one that runs along it.
    Vec3 across(const Vec3& b, const Vec3& a, const std::string& what);
    Placement placed(BodyId id) const;
    std::string of(const std::string& what) const;
    void check_tracks(const FreedomSpec& f, const std::string& what);
};

}  // namespace armature::detail
