// Islands without the drags that do not hold now.
//
// A hand that has not taken hold yet, or has let go, must not be felt in the last bit: what was done live, when nobody knew
// of it, is replayed from a text that has it from the start (studio/run.h). Solvers skip joints that are not valid, but the
// linearized one also orders its elimination by them and has a quicker way for islands whose joints always hold. So it is
// given the island that it would have if there were no such drag.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "armature/model/model.h"

namespace armature {

/// For times in [first, last]: whether the drag can hold at any of them.
inline bool may_hold(const Joint& drag, double first, double last) {
    return drag.from <= last && first < drag.until;
}

/// The island without drags that cannot hold in that time. Drags come last among the joints of an island.
inline Island without_idle_drags(const Model& model, const Island& island, double first, double last) {
    Island active = island;
    std::erase_if(active.joints, [&](const Island::LocalJoint& j) {
        const Joint& joint = model.joints[static_cast<std::size_t>(j.joint)];
        return joint.drag && !may_hold(joint, first, last);
    });
    sort_joints(model, active);
    return active;
}

/// Keeps those it made, each in its place: solvers know islands by their address.
class ActiveIslands {
  public:
    const Island& of(const Model& model, std::size_t index, double first, double last) {
        const Island& island = model.islands[index];
        std::uint64_t idle = 0;
        for (std::size_t k = island.joints.size(), bit = 0; k-- > 0 && bit < 64; ++bit) {
            const Joint& joint = model.joints[static_cast<std::size_t>(island.joints[k].joint)];
            if (!joint.drag) break;
            if (!may_hold(joint, first, last)) idle |= std::uint64_t{1} << bit;
        }
        if (idle == 0) return island;
        std::shared_ptr<const Island>& made = made_[{index, idle}];
        if (!made) made = std::make_shared<const Island>(without_idle_drags(model, island, first, last));
        return *made;
    }

  private:
    std::map<std::pair<std::size_t, std::uint64_t>, std::shared_ptr<const Island>> made_;
};

}  // namespace armature
