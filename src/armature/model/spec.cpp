#include "armature/model/spec.h"

#include <algorithm>

namespace armature {

namespace {

template <class T>
T* find_named(std::vector<T>& list, const std::string& name) {
    const auto it = std::find_if(list.begin(), list.end(), [&](const T& e) { return e.name == name; });
    return it == list.end() ? nullptr : &*it;
}

}  // namespace

SolidSpec& Spec::add_solid(std::string name) {
    solids.emplace_back().name = std::move(name);
    return solids.back();
}

ConstraintSpec& Spec::add_constraint(std::string solid1, std::string solid2) {
    ConstraintSpec& c = constraints.emplace_back();
    c.solid1 = std::move(solid1);
    c.solid2 = std::move(solid2);
    return c;
}

ForceSpec& Spec::add_force(std::string name) {
    forces.emplace_back().name = std::move(name);
    return forces.back();
}

DraggedSpec& Spec::add_drag(std::string name, std::string solid) {
    DraggedSpec& d = drags.emplace_back();
    d.name = std::move(name);
    d.solid = std::move(solid);
    d.path.interpolation = Interpolation::linear;
    return d;
}

SolidSpec* Spec::find_solid(const std::string& name) {
    return find_named(solids, name);
}
ConstraintSpec* Spec::find_constraint(const std::string& name) {
    return find_named(constraints, name);
}
ForceSpec* Spec::find_force(const std::string& name) {
    return find_named(forces, name);
}

}  // namespace armature
