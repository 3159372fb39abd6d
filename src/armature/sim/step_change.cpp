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
struct BodiesAt {
    Vec<V> x;
    Turn<V> q;
    Vec<V> v, w;
    Vec<V> w_B;  ///< in body axes
    ARMATURE_INLINE BodiesAt(const Places<V>& p, const LocalBodies& at)
        : x(p.of(at.x.data())),
          q(p.of(at.q.data())),
          v(p.of(at.v.data())),
          w(p.of(at.w.data())),
          w_B(rotate_back(q, w)) {}
};

template <class V>
ARMATURE_INLINE void add_all(const Change& c, ChangeSums& sums) {
    each_group(c.island, [&](const BodyLanes& group, int first, auto diagonal) ARMATURE_LAMBDA {
        for (int part = 0; part < lanes::count; part += width<V>) {
            const Places<V> p(first + part, c.island.dynamic_count);
            if (p.lanes == 0) continue;
            const BodyConstants<V, decltype(diagonal)::value> body{group, part};
            const BodiesAt<V> free(p, c.free), now(p, c.now);
            const Vec<V> turn = (conjugate(free.q) * now.q).vec();
            add_change(p, body, c.gravity, {free.v, now.v - free.v, now.x - free.x},
                       spin_change(body, free.w_B, now.w_B, turn), not_finite(now.x, now.q, now.v, now.w), sums);
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
