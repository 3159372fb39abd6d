#include "armature/solvers/linearized/coupled_system.h"

namespace armature {

namespace {

using Coupled = CoupledSystem::Coupled;
using four::left;
using four::M;
using four::update_pivot;
using lanes::all;
using lanes::load;
using lanes::store;
using lanes::width;

/// L. Beside what was there: a store of half a column would keep the next load of all of it waiting.
template <class V>
ARMATURE_INLINE void set_left(Coupled& k, const M& L) {
    if constexpr (width<V> == 8) {
        const four::V columns[3] = {L.c0, L.c1, L.c2};
        for (int c = 0; c < 3; ++c)
            store<V>(k.c[c], __builtin_shufflevector(columns[c], load<four::V>(k.c[c] + 4), 0, 1, 2, 3, 4, 5, 6, 7));
    } else {
        four::set_left(k, L);
    }
}

/// What column b of a target takes of column r: number b of the other half of column r, in both halves crosswise.
template <class V, int part>
ARMATURE_INLINE V factor(const Coupled& k, int r, int b) {
    if constexpr (width<V> == 8) {
        const V c = load<V>(k.c[r]);
        return b == 0   ? __builtin_shufflevector(c, c, 4, 4, 4, 4, 0, 0, 0, 0)
               : b == 1 ? __builtin_shufflevector(c, c, 5, 5, 5, 5, 1, 1, 1, 1)
                        : __builtin_shufflevector(c, c, 6, 6, 6, 6, 2, 2, 2, 2);
    } else {
        return all<V>(k.c[r][(part * width<V> < 4 ? 4 : 0) + b]);
    }
}

/// Nodes that are eliminated one after the other and have the same below the last of them: what that is coupled with is loaded and
/// stored once for every two of these.
constexpr int most_in_panel = 8;
struct Panel {
    int size = 0;
    Coupled* below[most_in_panel];  ///< of each
    std::size_t couplings = 0;      ///< of the last, and so of each from where those of the panel end
    four::V x[most_in_panel];
};
/// Column by column what a column r of k says of the columns of a target.
template <class V>
struct Factors {
    V f00, f01, f02, f10, f11, f12, f20, f21, f22;
};
template <class V, int part>
ARMATURE_INLINE Factors<V> factors(const Coupled& k) {
    return {factor<V, part>(k, 0, 0), factor<V, part>(k, 0, 1), factor<V, part>(k, 0, 2),
            factor<V, part>(k, 1, 0), factor<V, part>(k, 1, 1), factor<V, part>(k, 1, 2),
            factor<V, part>(k, 2, 0), factor<V, part>(k, 2, 1), factor<V, part>(k, 2, 2)};
}
template <class V>
struct Columns {
    V c0, c1, c2;
};
template <class V>
ARMATURE_INLINE void subtract(Columns<V>& t, const Coupled& i, int from, const Factors<V>& f) {
    const V a = load<V>(i.c[0] + from), b = load<V>(i.c[1] + from), c = load<V>(i.c[2] + from);
    t.c0 = t.c0 - (a * f.f00 + b * f.f10 + c * f.f20);
    t.c1 = t.c1 - (a * f.f01 + b * f.f11 + c * f.f21);
    t.c2 = t.c2 - (a * f.f02 + b * f.f12 + c * f.f22);
}

/// A_ik and A_ki of one k and of all i after it, for the nodes of the panel from n on: two, or one; this part of the eight numbers of
/// each column.
template <class V, int part, bool two>
ARMATURE_INLINE void update(const Panel& panel, int n, std::size_t k, const std::size_t* targets, Coupled* of) {
    constexpr int from = part * width<V>;
    const Coupled *one = panel.below[n], *other = two ? panel.below[n + 1] : one;
    const Factors<V> f = factors<V, part>(one[k]), g = factors<V, part>(other[k]);
    for (std::size_t i = k + 1; i < panel.couplings; ++i, ++targets) {
        Coupled& to = of[*targets];
        Columns<V> t{load<V>(to.c[0] + from), load<V>(to.c[1] + from), load<V>(to.c[2] + from)};
        subtract(t, one[i], from, f);
        if constexpr (two) subtract(t, other[i], from, g);
        store<V>(to.c[0] + from, t.c0);
        store<V>(to.c[1] + from, t.c1);
        store<V>(to.c[2] + from, t.c2);
    }
}
template <class V, int part>
ARMATURE_INLINE void update(const Panel& panel, std::size_t k, const std::size_t* targets, Coupled* of) {
    int n = 0;
    for (; n + 2 <= panel.size; n += 2) update<V, part, true>(panel, n, k, targets, of);
    if (n < panel.size) update<V, part, false>(panel, n, k, targets, of);
}
template <class V>
ARMATURE_INLINE void update_all(const Panel& panel, std::size_t k, const std::size_t* targets, Coupled* of) {
    if (k + 1 == panel.couplings) return;
    update<V, 0>(panel, k, targets, of);
    if constexpr (width<V> <= 4) update<V, 1>(panel, k, targets, of);
    if constexpr (width<V> == 2) {
        update<V, 2>(panel, k, targets, of);
        update<V, 3>(panel, k, targets, of);
    }
}

template <class V>
ARMATURE_INLINE void eliminate(CoupledSystem& s) {
    M* D = s.diagonal.data();
    Coupled* coupled = s.coupled.data();
    four::Cell* x = s.x.data();
    const int* below = s.pattern.below.data();
    const std::size_t *first = s.pattern.first.data(), *targets = s.pattern.updates.data();
    const std::vector<int>& order = s.pattern.order;
    for (std::size_t next = 0; next < order.size();) {
        Panel panel;
        const std::size_t* last_targets = targets;
        for (bool more = true; more;) {
            const auto j = static_cast<std::size_t>(order[next++]);
            const std::size_t begin = first[j], count = first[j + 1] - begin;
            const M inverse = four::pivot_inverse(D[j]);
            D[j] = inverse;
            Coupled* at = coupled + begin;
            for (std::size_t k = 0; k < count; ++k) set_left<V>(at[k], left(at[k]) * inverse);
            // Those before it in the panel have it first of what is theirs.
            for (int n = 0; n < panel.size; ++n) ++panel.below[n];
            panel.below[panel.size] = at;
            panel.x[panel.size++] = x[j].v;
            panel.couplings = count;
            last_targets = targets;
            targets += count * (count - (count > 0)) / 2;
            more =
                panel.size < most_in_panel && count > 0 && next < order.size() && below[begin] == order[next] &&
                first[static_cast<std::size_t>(order[next]) + 1] - first[static_cast<std::size_t>(order[next])] + 1 ==
                    count;
            if (!more) continue;
            // The next of the panel.
            const auto k = static_cast<std::size_t>(below[begin]);
            for (int n = 0; n < panel.size; ++n) update_pivot(panel.below[n][0], panel.x[n], D[k], x[k]);
            update_all<V>(panel, 0, last_targets, coupled);
        }
        const int* nodes = below + first[static_cast<std::size_t>(order[next - 1])];
        for (std::size_t k = 0; k < panel.couplings; ++k) {
            for (int n = 0; n < panel.size; ++n) update_pivot(panel.below[n][k], panel.x[n], D[nodes[k]], x[nodes[k]]);
            update_all<V>(panel, k, last_targets, coupled);
            last_targets += panel.couplings - k - 1;
        }
    }
}

}  // namespace

void solve(CoupledSystem& system) {
    lanes::on_this_machine([&]<class V>() ARMATURE_LAMBDA {
        eliminate<V>(system);
        four::substitute(system);
    });
}

}  // namespace armature
