// The arrow of lockstep.h: parts eliminated eight at a time, then what they have in common, and back.
#pragma once

#include "armature/solvers/linearized/lockstep/fill.h"

namespace armature::lockstep {

/// What stands in a block of parts.
struct PartsOf {
    Lockstep& l;
    Block *diagonal, *lower, *upper;
    NodeGroup* nodes;
    std::array<Octet, 3>* slots;

    ARMATURE_INLINE PartsOf(Lockstep& of, std::size_t block)
        : l(of),
          diagonal(of.diagonal.data() + block * (of.units + of.slots)),
          lower(of.lower.data() + block * of.pattern.below.size()),
          upper(of.upper.data() + block * of.pattern.below.size()),
          nodes(of.node.data() + block * of.units),
          slots(of.slot_change.data() + block * of.slots) {}
    /// The rows that the changes of a unit or a slot stand in.
    ARMATURE_INLINE Octet* changes(std::size_t i) const {
        return i < l.units ? nodes[i].r + change : slots[i - l.units].data();
    }
};

template <class V>
ARMATURE_INLINE void eliminate_parts(const PartsOf& p) {
    const Elimination& e = p.l.pattern;
    std::size_t next_update = 0;
    for (std::size_t at = 0; at < p.l.units; ++at) {
        const auto j = static_cast<std::size_t>(e.order[at]);
        const std::size_t begin = e.first[j], end = e.first[j + 1];
        for (int part = 0; part < eight; part += width<V>) {
            std::size_t update = next_update;
            Octet* D = p.diagonal[j].m;
            const Mat<V> inverse = pivot_inverse(mat<V>(D, 0, part));
            set(D, 0, part, inverse);
            const Vec<V> xj = vec<V>(p.changes(j), 0, part);
            const auto subtract_from = [&](int below, const Mat<V>& L, const Mat<V>& U) ARMATURE_LAMBDA {
                const auto k = static_cast<std::size_t>(below);
                Octet *Dk = p.diagonal[k].m, *xk = p.changes(k);
                set(Dk, 0, part, mat<V>(Dk, 0, part) - L * U);
                set(xk, 0, part, vec<V>(xk, 0, part) - L * xj);
            };
            if (end - begin == 1) {  // as most of a tree: L need not be kept
                subtract_from(e.below[begin], mat<V>(p.lower[begin].m, 0, part) * inverse,
                              mat<V>(p.upper[begin].m, 0, part));
                continue;
            }
            for (std::size_t i = begin; i < end; ++i)
                set(p.lower[i].m, 0, part, mat<V>(p.lower[i].m, 0, part) * inverse);
            for (std::size_t k = begin; k < end; ++k) {
                const Mat<V> Lk = mat<V>(p.lower[k].m, 0, part), Uk = mat<V>(p.upper[k].m, 0, part);
                subtract_from(e.below[k], Lk, Uk);
                for (std::size_t i = k + 1; i < end; ++i, ++update) {
                    Octet *low = p.lower[e.updates[update]].m, *up = p.upper[e.updates[update]].m;
                    const Mat<V> by_lower = mat<V>(p.lower[i].m, 0, part) * Uk;
                    const Mat<V> by_upper = Lk * mat<V>(p.upper[i].m, 0, part);
                    const bool first = p.l.first_update[update] != 0;
                    set(low, 0, part, first ? -by_lower : mat<V>(low, 0, part) - by_lower);
                    set(up, 0, part, first ? -by_upper : mat<V>(up, 0, part) - by_upper);
                }
            }
        }
        next_update += (end - begin) * (end - begin - 1) / 2;
    }
}

ARMATURE_INLINE four::M lane_of(const Block& b, int lane) {
    const auto v = [&](int k) ARMATURE_LAMBDA { return b.m[k].v[lane]; };
    return {four::V{v(0), v(3), v(6), 0}, four::V{v(1), v(4), v(7), 0}, four::V{v(2), v(5), v(8), 0}};
}

ARMATURE_INLINE void add_parts_to_top(Lockstep& l) {
    using four::operator+;
    for (std::size_t s = 0; s < l.slot.size(); ++s)
        for (int lane = 0; lane < eight; ++lane) {
            const int single = l.slot[s][static_cast<std::size_t>(lane)];
            if (single < 0) continue;
            const auto i = static_cast<std::size_t>(single);
            const std::size_t diagonal = s / l.slots * (l.units + l.slots) + l.units + s % l.slots;
            l.top.diagonal[i] = l.top.diagonal[i] + lane_of(l.diagonal[diagonal], lane);
            const std::array<Octet, 3>& c = l.slot_change[s];
            l.top.x[i].v += four::V{c[0].v[lane], c[1].v[lane], c[2].v[lane], 0};
        }
    for (const Lockstep::Meeting& m : l.meetings)
        for (int lane = 0; lane < eight; ++lane) {
            four::M *low = m.lower[static_cast<std::size_t>(lane)], *up = m.upper[static_cast<std::size_t>(lane)];
            if (!low) continue;
            *low = *low + lane_of(l.lower[m.coupling], lane);
            *up = *up + lane_of(l.upper[m.coupling], lane);
        }
}

/// What was solved for singles and hubs, to where it is looked for.
ARMATURE_INLINE void hand_down(Lockstep& l) {
    for (std::size_t i = 0; i < l.single_at.size(); ++i) {
        const auto [group, lane] = l.single_at[i];
        for (int k = 0; k < 3; ++k) l.node[group].r[change + k].v[lane] = l.top.x[i].v[k];
    }
    for (std::size_t h = 0; h < l.hub_at.size(); ++h) {
        const auto [group, lane] = l.hub_at[h];
        const std::size_t i = l.single_at.size() + 2 * h;
        for (int k = 0; k < 3; ++k) {
            l.body[group].r[to_move + k].v[lane] = l.top.x[i].v[k];
            l.body[group].r[to_turn + k].v[lane] = l.top.x[i + 1].v[k];
        }
    }
    for (std::size_t s = 0; s < l.slot.size(); ++s)
        for (int lane = 0; lane < eight; ++lane) {
            const int single = l.slot[s][static_cast<std::size_t>(lane)];
            for (int k = 0; k < 3; ++k)
                l.slot_change[s][static_cast<std::size_t>(k)].v[lane] =
                    single < 0 ? 0 : l.top.x[static_cast<std::size_t>(single)].v[k];
        }
}

template <class V>
ARMATURE_INLINE void substitute_back(const PartsOf& p) {
    const Elimination& e = p.l.pattern;
    for (std::size_t at = p.l.units; at-- > 0;) {
        const auto j = static_cast<std::size_t>(e.order[at]);
        for (int part = 0; part < eight; part += width<V>) {
            Vec<V> b = vec<V>(p.changes(j), 0, part);
            for (std::size_t k = e.first[j]; k < e.first[j + 1]; ++k)
                b = b -
                    mat<V>(p.upper[k].m, 0, part) * vec<V>(p.changes(static_cast<std::size_t>(e.below[k])), 0, part);
            set(p.changes(j), 0, part, mat<V>(p.diagonal[j].m, 0, part) * b);
        }
    }
}

template <class V>
ARMATURE_INLINE void solve(Lockstep& l) {
    for (std::size_t block = 0; block < l.blocks; ++block) eliminate_parts<V>(PartsOf(l, block));
    add_parts_to_top(l);
    four::solve(l.top);
    hand_down(l);
    for (std::size_t block = 0; block < l.blocks; ++block) substitute_back<V>(PartsOf(l, block));
}

}  // namespace armature::lockstep
