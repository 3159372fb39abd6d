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

void measure_freedoms(const Model& model, const Joint& joint, const Moving& b1, const Moving& b2,
                      std::vector<FreedomState>& freedoms) {
    for (const FreedomId id : joint.freedoms) {
        const Coordinate& coordinate = model.freedoms[static_cast<std::size_t>(id)].coordinate;
        FreedomState& f = freedoms[static_cast<std::size_t>(id)];
        const CoordinateValue c = measure(coordinate, b1.at, b2.at, f.turn);
        f.turn = turn_of(coordinate, b1.at, b2.at, f.turn);
        f.value = c.value;
        f.rate = dot(c.linear, b1.v - b2.v) + dot(c.angular1, b1.w) + dot(c.angular2, b2.w);
    }
}

void measure_freedoms(const Model& model, State& s) {
    const auto moving = [&](BodyId id) {
        const auto i = static_cast<std::size_t>(id);
        return Moving{{s.x[i], to_matrix(s.q[i])}, s.v[i], s.w[i]};
    };
    for (const Joint& j : model.joints) measure_freedoms(model, j, moving(j.body1), moving(j.body2), s.freedoms);
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
        h.add(static_cast<std::uint64_t>(i.giving));
        h.add(static_cast<std::uint64_t>(i.failed_body));
    }
    return h.value();
}

}  // namespace armature
