// Strands: links one after the other, each between two ball joints and nothing else, at the same place in each of eight parts.
//
// What most long structures are made of has loops of its own, which go along a strand from link to link with what they need in
// registers, and store little: every iteration of a long chain is as fast as its numbers come. To the rest a strand is like one
// body with two sides: between the node it begins with and the one it ends with, which are nodes like all others.
//
// Link i is the node i and the body i, which is solid 2 of node i and solid 1 of node i + 1 (or the other way round: `mirrored`,
// and then impulses and errors are kept with the other sign). Of body i stand in the system, with the blocks A0, A1 on the diagonal,
//   A_(i,i+1) = −Y_i,    A_(i+1,i) = −X_i
// Nodes 1 … n − 1 are eliminated in order; t_i = −A_(i,0) and s_i = −A_(0,i) is what that couples them with the first:
//   G = D_i⁻¹ Y_i,  H = D_i⁻¹ t_i,  c = D_i⁻¹ b_i              δλ_i = c + G δλ_(i+1) + H δλ_0
//   D_(i+1) = A1 + A0 − X_i G,  b_(i+1) += X_i c,  t_(i+1) = X_i H,  s_(i+1) = s_i G,    D_0 −= s_i H,  b_0 += s_i c
#pragma once

#include <cstddef>
#include <vector>

#include "armature/solvers/linearized/lockstep/octet.h"

namespace armature::lockstep {

/// Rows of a group of links. Of the node:
enum LinkNodeRow {
    link_lambda = 0,
    right_side = 3,  // minus the error, then c
    to_next = 6,     // G
    to_first = 15,   // H
};
/// Of the body. Arms at the node it begins with, and at the next.
enum LinkBodyRow {
    link_theta = 24,
    link_now = 27,
    torque_left = 33,  // T − T(θ)
    link_answer = 36,  // W
    link_reference = 45,
    link_start = 51,
    link_inertia = 57,
    link_x_free = 63,
    link_inv_mass = 66,
    link_most_turn2 = 67,
    link_rows = 68
};
/// What `exact` needs besides.
enum LinkExactRow { link_half_spin = 0, link_momentum = 3, link_exact_rows = 6 };

struct LinkGroup {
    Octet r[link_rows];
};
struct LinkExact {
    Octet r[link_exact_rows];
};
/// What pins need besides: pins.h has the rows.
struct PinGroup {
    Octet r[81];
};
/// What strands that stay in a coordinate plane have instead: flat_lanes.h has the rows.
struct FlatGroup {
    Octet r[34];
};
/// What is left of a strand when its nodes are eliminated, of the nodes at its ends: symbols as above, in space.
enum StrandLeftRow {
    left_D_first = 0,
    left_t = 9,
    left_s = 18,
    left_D = 27,
    left_b_first = 36,
    left_b = 39,
    left_rows = 42
};
struct StrandLeft {
    Octet r[left_rows];
};
/// What does not change, body axes.
struct LinkShape {
    Octet arm[6], inertia[6];
    Octet axes[9];  ///< of pins: t and s at the beginning, a at the end
};

struct Strand {
    int first_body = 0, bodies_apart = 0;  ///< that of link i and of a lane: first_body + lane × bodies_apart + i
    int first_node = 0, nodes_apart = 0;   ///< the same of nodes, and of the joints that they belong to
    int first_joint = 0, joints_apart = 0;
    bool mirrored = false;
    bool pins = false;           ///< its joints have two nodes each: a point and an axis
    std::size_t first_side = 0;  ///< of its group: at the node it begins with, and at the one it ends with
    std::size_t number = 0;      ///< of its first link, where links are counted on after groups of nodes

    std::vector<LinkShape> shapes;  ///< one for all where all are alike
    std::vector<LinkGroup> link;
    std::vector<PinGroup> pin;     ///< of pins
    std::vector<LinkExact> exact;  ///< once it was needed
    std::vector<FlatGroup> flat;   ///< once it was needed
    int flat_across = -1;          ///< whose inertias stand there
    bool at_rest = true;           ///< bodies are still where free motion ended
    bool piece = false;            ///< of ball joints that the second cache does not hold together
    bool far = false;              ///< of what no cache holds: what comes next is asked for beforehand
    bool condensed = false;        ///< ahead of the others, while it was in the caches
    StrandLeft left{};

    /// Asks for what comes some links later, as far as the second cache: the first cannot wait for that many lines at once.
    [[gnu::always_inline]] inline void fetch_after(std::size_t i) const {
        if (far && i + links_ahead < link.size()) fetch(i + links_ahead);
    }
    [[gnu::always_inline]] inline void fetch_before(std::size_t i) const {
        if (far && i >= links_ahead) fetch(i - links_ahead);
    }
    [[gnu::always_inline]] inline void fetch_flat_after(std::size_t i) const {
        if (far && i + links_ahead < flat.size()) fetch_rows(flat[i + links_ahead]);
    }
    [[gnu::always_inline]] inline void fetch_flat_before(std::size_t i) const {
        if (far && i >= links_ahead) fetch_rows(flat[i - links_ahead]);
    }
    const LinkShape& shape(std::size_t i) const { return shapes[shapes.size() == 1 ? 0 : i]; }
    int nodes_per_joint() const { return pins ? 2 : 1; }
    double sign() const { return mirrored ? -1 : 1; }

  private:
    static constexpr std::size_t links_ahead = 4;
    template <class Group>
    [[gnu::always_inline]] inline void fetch_rows(const Group& group) const {
        for (const Octet& row : group.r) __builtin_prefetch(&row, 0, 2);
    }
    [[gnu::always_inline]] inline void fetch(std::size_t i) const {
        fetch_rows(link[i]);
        if (pins) fetch_rows(pin[i]);
    }
};

}  // namespace armature::lockstep
