#include "armature/model/state.h"

#include "armature/base/hash.h"

namespace armature {

State initial_state(const Model& model) {
    State s;
    const std::size_t n = model.bodies.size();
    s.x.resize(n);
    s.q.resize(n);
    s.v.resize(n);
    s.w.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        const Body& b = model.bodies[i];
        s.set_pose_WB(model, static_cast<BodyId>(i), b.pose_WB);
        s.v[i] = b.velocity;
        s.w[i] = b.spin;
    }
    s.loads.resize(model.joints.size());
    s.islands.assign(model.islands.size(), IslandState{});
    return s;
}

std::uint64_t hash(const State& s) {
    Hasher h;
    h.add(s.time);
    h.add(static_cast<std::uint64_t>(s.frame));
    h.add_doubles(s.x.data(), s.x.size());
    h.add_doubles(s.q.data(), s.q.size());
    h.add_doubles(s.v.data(), s.v.size());
    h.add_doubles(s.w.data(), s.w.size());
    h.add_doubles(s.loads.data(), s.loads.size());
    for (const IslandState& i : s.islands) {
        h.add(i.h_last);
        h.add(static_cast<std::uint64_t>(i.level));
        h.add(static_cast<std::uint64_t>(i.clean_steps));
        h.add(static_cast<std::uint64_t>(i.failed_body));
    }
    return h.value();
}

}  // namespace armature
