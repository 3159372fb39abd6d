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
    s.slack.resize(model.joints.size());
    for (std::size_t k = 0; k < model.joints.size(); ++k) s.slack[k] = model.joints[k].from > 0 ? -1 : 0;
    s.islands.assign(model.islands.size(), IslandState{});
    s.freedoms.resize(model.freedoms.size());
    s.contacts.resize(model.islands.size());
    measure_freedoms(model, s);
    return s;
}

void measure_freedoms(const Model& model, State& s) {
    for (std::size_t k = 0; k < model.freedoms.size(); ++k) {
        const Freedom& f = model.freedoms[k];
        const Joint& j = model.joints[static_cast<std::size_t>(f.joint)];
        const auto i1 = static_cast<std::size_t>(j.body1), i2 = static_cast<std::size_t>(j.body2);
        const Placement b1{s.x[i1], to_matrix(s.q[i1])}, b2{s.x[i2], to_matrix(s.q[i2])};
        FreedomState& state = s.freedoms[k];
        const CoordinateValue c = measure(f.coordinate, b1, b2, state.turn);
        state.turn = turn_of(f.coordinate, b1, b2, state.turn);
        state.value = c.value;
        state.rate = dot(c.linear, s.v[i1] - s.v[i2]) + dot(c.angular1, s.w[i1]) + dot(c.angular2, s.w[i2]);
    }
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
    h.add_doubles(s.slack.data(), s.slack.size());
    h.add_doubles(s.freedoms.data(), s.freedoms.size());
    for (const auto& island : s.contacts)
        for (const ContactMemory& c : island) {
            h.add(static_cast<std::uint64_t>(c.pair));
            h.add(static_cast<std::uint64_t>(c.feature));
            h.add(static_cast<std::uint64_t>(c.slides));
            h.add_doubles(&c.slip, 1);
            h.add_doubles(&c.force, 1);
        }
    for (const IslandState& i : s.islands) {
        h.add(i.h_last);
        h.add(i.debt);
        h.add(i.liveliness);
        h.add(static_cast<std::uint64_t>(i.level));
        h.add(static_cast<std::uint64_t>(i.clean_steps));
        h.add(static_cast<std::uint64_t>(i.failed_body));
    }
    return h.value();
}

}  // namespace armature
