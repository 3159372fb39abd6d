// The loops of flat.h, for machines that work on two, four or eight numbers at once; and when they may be used.
#include "armature/solvers/linearized/lockstep/flat.h"

#include <algorithm>
#include <bit>

#include "armature/solvers/linearized/lockstep/flat_condense.h"
#include "armature/solvers/linearized/lockstep/flat_ends.h"
#include "armature/solvers/linearized/lockstep/flat_follow.h"

namespace armature::lockstep {

namespace {

double of(const Vec3& v, int axis) {
    return (&v.x)[axis];
}
double of(const Quat& q, int axis) {
    return (&q.x)[axis];
}

/// Whether any number that came by was not zero. NaN is not.
class AnyOff {
  public:
    void see(double v) { bits_ |= std::bit_cast<std::uint64_t>(v); }
    explicit operator bool() const { return bits_ << 1 != 0; }  // −0 is zero

  private:
    std::uint64_t bits_ = 0;
};

Flat across(int n) {
    return {(n + 1) % 3, (n + 2) % 3, n, 0};
}

/// act(InPlane<n>).
template <class Act>
void across_n(int n, const Act& act) {
    if (n == 0)
        act(InPlane<0>{});
    else if (n == 1)
        act(InPlane<1>{});
    else
        act(InPlane<2>{});
}

/// Bodies at one height, turned about n alone and turning so.
bool is_flat(const CorrectionProblem& p, const FlatPlan& plan, const Flat& f, bool warm) {
    const auto turns_across = [&](AnyOff& off, const Quat& q) {
        off.see(of(q, f.a));
        off.see(of(q, f.b));
    };
    const auto count = static_cast<std::size_t>(p.island.dynamic_count);
    const auto body = [&](AnyOff& off, std::size_t i) {
        off.see(of(p.x[i], f.n) - f.height);
        turns_across(off, p.q[i]);
        turns_across(off, (*p.start_q)[i]);
    };
    AnyOff first;
    body(first, 0);
    if (first) return false;  // as most that are not
    AnyOff off;
    for (std::size_t i = 1; i < count; ++i) body(off, i);
    for (const FlatPlan::Anchor& anchor : plan.anchors) {
        const auto i = static_cast<std::size_t>(anchor.body);
        off.see(of(p.x[i], f.n) + of(anchor.arm, f.n) - f.height);
        turns_across(off, p.q[i]);
    }
    if (p.exact)
        for (std::size_t i = 0; i < count; ++i)
            for (const int axis : {f.a, f.b}) {
                off.see(of(p.exact->start_w[i], axis));
                off.see(of(p.exact->torque[i], axis));
            }
    if (warm)
        for (const JointLoad& load : *p.expected) off.see(of(load.force, f.n));
    return !off;
}

}  // namespace

FlatPlan make_flat_plan(const BilateralPlan& plan, const std::vector<Strand>& strands, int dynamic_count) {
    FlatPlan flat;
    const bool points = std::none_of(plan.nodes.begin(), plan.nodes.end(), [](const TiedNode& n) { return n.axis; });
    if (strands.empty() || !points || dynamic_count == 0) return flat;
    const auto moves = [&](int body) { return body < dynamic_count; };
    for (int n = 0; n < 3; ++n) {
        const auto arm_is_flat = [&](int body, const four::V& arm) { return !moves(body) || arm[n] == 0; };
        bool fits = true;
        for (std::size_t k = 0; k < plan.nodes.size(); ++k)
            fits = fits && arm_is_flat(plan.nodes[k].body1, plan.shapes[k].p1) &&
                   arm_is_flat(plan.nodes[k].body2, plan.shapes[k].p2);
        for (std::size_t i = 0; i < static_cast<std::size_t>(dynamic_count); ++i) {
            const four::M& J = plan.bodies[i].inertia;
            const four::V columns[3] = {J.c0, J.c1, J.c2};
            for (int k = 0; k < 3; ++k) fits = fits && (k == n || columns[n][k] == 0);
        }
        flat.across[static_cast<std::size_t>(n)] = fits;
    }
    for (std::size_t k = 0; k < plan.nodes.size(); ++k) {
        const TiedNode& node = plan.nodes[k];
        if (!moves(node.body1)) flat.anchors.push_back({node.body1, four::store(plan.shapes[k].p1)});
        if (!moves(node.body2)) flat.anchors.push_back({node.body2, four::store(plan.shapes[k].p2)});
    }
    return flat;
}

std::optional<Flat> find_flat(const CorrectionProblem& p, const FlatPlan& plan, bool warm) {
    for (int n = 2; n >= 0; --n) {
        if (!plan.across[static_cast<std::size_t>(n)]) continue;
        Flat flat = across(n);
        flat.height = of(p.x[0], n);
        if (is_flat(p, plan, flat, warm)) return flat;
    }
    return std::nullopt;
}

void begin_flat(const CorrectionProblem& p, const Flat& flat, Strand& s, bool warm) {
    if (s.flat.empty() || s.flat_across != flat.n) {
        s.flat.resize(s.link.size());
        s.flat_across = flat.n;
        for (std::size_t i = 0; i < s.link.size(); ++i) {
            s.flat[i].r[flat_inertia] = s.shape(i).inertia[flat.n];
            s.flat[i].r[flat_inv_mass] = s.link[i].r[link_inv_mass];
            s.flat[i].r[flat_most_turn2] = s.link[i].r[link_most_turn2];
        }
    }
    across_n(flat.n, [&]<class Plane>(Plane) {
        lanes::on_this_machine([&]<class V>() ARMATURE_LAMBDA { begin_flat_strand<V, Plane>(p, s, warm); });
    });
}

void finish_flat(const Lockstep& l, const Strand& s, const CorrectionProblem& p, const LockstepResults& out) {
    across_n(l.flat->n, [&]<class Plane>(Plane) {
        lanes::on_this_machine([&]<class V>() ARMATURE_LAMBDA { finish_flat_strand<V, Plane>(l, s, p, out); });
    });
}

void follow_flat(Lockstep& l, Strand& s, bool first, Most& most) {
    lanes::on_this_machine([&]<class V>() ARMATURE_LAMBDA {
        if (l.exact)
            first ? follow_flat_links<V, true, true>(l, s, most) : follow_flat_links<V, true, false>(l, s, most);
        else
            first ? follow_flat_links<V, false, true>(l, s, most) : follow_flat_links<V, false, false>(l, s, most);
    });
}

void condense_flat(Lockstep& l, Strand& s, bool ahead) {
    lanes::on_this_machine([&]<class V>() ARMATURE_LAMBDA {
        l.exact ? condense_flat_links<V, true>(l, s, ahead) : condense_flat_links<V, false>(l, s, ahead);
    });
}

}  // namespace armature::lockstep
