#include "armature/sim/step_change.h"

#include "armature/sim/change_sums.h"

namespace armature {

namespace {

using namespace lanes;

struct Change {
    const Island& island;
    const Vec3& gravity;
    const LocalBodies &free, &now;
};

template <class V>
ARMATURE_INLINE BodiesAt<V> all_of(const Places<V>& p, const LocalBodies& at) {
    const Turn<V> q = p.of(at.q.data());
    const Vec<V> w = p.of(at.w.data());
    return {p.of(at.x.data()), q, p.of(at.v.data()), w, rotate_back(q, w)};
}

template <class V>
ARMATURE_INLINE void add_all(const Change& c, ChangeSums& sums) {
    each_group(c.island, [&](const BodyLanes& group, int first, auto diagonal) ARMATURE_LAMBDA {
        for (int part = 0; part < lanes::count; part += width<V>) {
            const Places<V> p(first + part, c.island.dynamic_count);
            if (p.lanes == 0) continue;
            const BodiesAt<V> free = all_of(p, c.free), now = all_of(p, c.now);
            add_change(p, BodyConstants<V, decltype(diagonal)::value>{group, part}, c.gravity, free, now,
                       conjugate(free.q) * now.q, sums);
        }
    });
}

}  // namespace

StepChange change_of(const Island& island, const Vec3& gravity, const LocalBodies& free, const LocalBodies& now) {
    const Change change{island, gravity, free, now};
    ChangeSums sums;
    on_this_machine([&]<class V>() ARMATURE_LAMBDA { add_all<V>(change, sums); });
    return sums.of(island, now);
}

}  // namespace armature
