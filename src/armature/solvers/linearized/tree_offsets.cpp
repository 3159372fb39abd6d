#include "armature/solvers/linearized/tree_offsets.h"

#include "armature/math/lanes.h"

namespace armature {

namespace {

using namespace lanes;

template <class V>
ARMATURE_INLINE Turn<V> turns_of(const Quat* q, const int* body, bool in_a_row) {
    return in_a_row ? side_by_side<V>(q + body[0]) : lanes::gather<V>(q, body);
}

template <class V>
ARMATURE_INLINE void find_all(const std::vector<TieLanes>& ties, const Quat* q, Vec3* offsets) {
    for (const TieLanes& t : ties) {
        for (int part = 0; part < lanes::count; part += width<V>) {
            const auto arm = [&](const double(&at)[3][8]) ARMATURE_LAMBDA {
                return Vec<V>{load<V>(at[0] + part), load<V>(at[1] + part), load<V>(at[2] + part)};
            };
            const Vec<V> from = rotate(turns_of<V>(q, t.from + part, t.from_in_a_row), arm(t.at_from));
            const Vec<V> to = rotate(turns_of<V>(q, t.to + part, t.to_in_a_row), arm(t.at_to));
            one_by_one(from - to, offsets + part);
        }
        offsets += lanes::count;
    }
}

}  // namespace

void find_offsets(const std::vector<TieLanes>& ties, const std::vector<Quat>& q, std::vector<Vec3>& offsets) {
    offsets.resize(lanes::count * ties.size());
    on_this_machine([&]<class V>() ARMATURE_LAMBDA { find_all<V>(ties, q.data(), offsets.data()); });
}

}  // namespace armature
