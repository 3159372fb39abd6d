// The iterations of bilateral.h for structures that repeat: eight of the repeats in lockstep (math/lanes.h).
//
// A structure whose joints come in periods (a chain: each joint is like the one before; a ladder: its rungs) is cut into eight
// parts of equally many periods. Joints at the cuts, and whatever does not fit the pattern, are `singles`. The system then has
// the shape of an arrow, in which the A of the parts, which all have the same pattern, are eliminated in lockstep:
//   A_1         B_1
//       …        …             S ← S − Σ C_l A_l⁻¹ B_l,    then S by triple_system.h
//          A_8  B_8
//   C_1 … C_8   S
// Parts that hang on nothing in common but hubs (bilateral.h) need no cuts, and may be more or fewer than eight.
//
// Of a part that is a chain only the ends are seen here: what is between them is a strand, with loops of its own (strand.h).
//
// What is not the system is work on bodies and joints one by one: theirs too are gathered in groups of eight, those of the parts by
// their place in the part, the others as they come.
//
// The formulas, and the names θ, P, T, S, W, λ, are those of bilateral.h. Numbers stand in rows of eight.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "armature/solvers/linearized/bilateral.h"
#include "armature/solvers/linearized/lockstep/strand.h"
#include "armature/solvers/linearized/triple_system.h"

namespace armature {

namespace lockstep {

// Rows of a group of nodes. Of a point:
enum PointRow { now = 0, middle = 6, end_point = 12 };  // each of solid 1 and of solid 2
// Of an axis: a, t and s as they read and as they push, and a × t and a × s.
enum AxisRow { a_now = 0, a_middle = 3, t_now = 6, t_middle = 9, s_now = 12, s_middle = 15 };
enum AcrossRow { at_now = 18, at_middle = 21, as_now = 24, as_middle = 27 };
enum NodeRow {
    lambda = 30,
    change = 33,     // minus the error, then all of the right-hand side, then δλ
    kept_back = 36,  // what hubs would add to the diagonal
    counts = 39,     // 1, or 0 of nobody
    node_rows = 40
};
// Rows of a group of bodies.
enum BodyRow {
    x = 0,
    moved = 3,
    theta = 6,
    c1 = 9,
    c2 = 10,
    impulse = 11,
    torque = 14,
    stiffness = 17,  // S, then W
    stretch = 26,
    to_move = 27,
    to_turn = 30,
    x_free = 33,
    inertia = 36,  // xx yy zz xy xz yz
    half_spin = 42,
    momentum = 45,  // G
    inv_mass = 48,
    most_turn2 = 49,
    turns = 50,  // 1, or 0 for what does not turn
    body_rows = 52
};
struct NodeGroup {
    Octet r[node_rows];
};
struct BodyGroup {
    Octet r[body_rows];
};

/// The sides of eight bodies of a group at one node each; of a lane without one, at a node that is nobody's.
struct Side {
    bool axis = false;
    int which = 0;                           ///< 0: the body is solid 1 of the node
    bool aligned = false;                    ///< the nodes are those of one group in order
    std::array<int, eight> at{};             ///< of the node: number of its group × numbers in a group + lane
    std::array<int, eight> node{};           ///< −1: none
    Octet sign;                              ///< 1 of solid 1, −1 of solid 2, 0 of none
    Octet shape[6], reference[6], start[6];  ///< arm of a point, a, or t and s; body axes, world axes
};

/// Where the block of two sides goes.
struct Target {
    Block* block = nullptr;  ///< all lanes, in order; otherwise
    bool first = false;      ///< it is the first to come there
    struct Lane {
        double* at = nullptr;  ///< null: nowhere
        bool single = false;   ///< a four::M
        bool first = false;
    };
    std::array<Lane, eight> lane{};
};

/// Hubs have no sides of their own: at each part they touch stands a ghost of them, which is where they are and adds up what
/// comes there.
/// A strand (strand.h) stands among the bodies for all of its own.
enum class Role { body, held, hub, ghost, strand };

struct Bodies {
    std::array<int, eight> body{};  ///< local, −1: none
    int used = 0;                   ///< lanes that have one, and those before them
    std::size_t first_side = 0, end_side = 0;
    std::size_t first_target =
        0;  ///< of a body one for each side as column, for each as row; of a ghost four for each side
    Role role = Role::body;
    bool between = false;          ///< two points, whose nodes and blocks are in order
    std::size_t strand = 0;        ///< which of them it stands for
    std::array<int, eight> hub{};  ///< of a ghost: of which hub
    Octet inertia_B[6];            ///< xx yy zz xy xz yz, body axes
};

struct Nodes {
    std::array<int, eight> node{};  ///< −1: none
    bool axis = false;
    bool whole = false;  ///< a point in every lane
};

/// In which coordinate planes an island may stay (flat.h).
struct FlatPlan {
    struct Anchor {  ///< of something that does not move
        int body;
        Vec3 arm;
    };
    std::array<bool, 3> across{};
    std::vector<Anchor> anchors;
};
/// The plane across n, x, y or z; a, b and n in the order of x, y, z, x, y. `height`, along n, is that of all its points.
struct Flat {
    int a, b, n;
    double height;
};

}  // namespace lockstep

/// All of one island.
struct Lockstep {
    // The plan (plan.cpp). Eight parts are a block of them.
    std::vector<lockstep::Bodies> bodies;  ///< hubs first, then strands; ghosts last
    /// Those of the parts first: block by block, one group for each node of a part that is not within a strand.
    std::vector<lockstep::Nodes> nodes;
    std::size_t blocks = 0, units = 0;  ///< units: such nodes of a part
    std::vector<lockstep::Strand> strands;
    std::vector<lockstep::Side> sides;
    std::vector<lockstep::Target> targets;
    Elimination pattern;                                 ///< of a part: units, then slots: singles as a part sees them
    std::size_t slots = 0;                               ///< of a part
    std::vector<std::array<int, lockstep::eight>> slot;  ///< block by block: single of each lane, or −1
    std::vector<int> singles;                            ///< nodes; then of each hub its move and its turn
    std::vector<std::pair<std::size_t, int>> single_at;  ///< of those that are nodes: group and lane
    std::vector<std::pair<std::size_t, int>> hub_at;     ///< group of bodies and lane
    std::vector<std::size_t> filled;                     ///< couplings of the parts that not every lane reaches
    std::vector<char> first_update;                      ///< per update of the pattern: the block begins with it
    std::vector<four::M*> filled_singles;
    struct Meeting {  ///< of two slots: where their block goes, lane by lane
        std::size_t coupling;
        std::array<four::M*, lockstep::eight> lower, upper;
    };
    std::vector<Meeting> meetings;
    bool tree = true;
    lockstep::FlatPlan flat_plan;

    // Numbers.
    std::vector<lockstep::BodyGroup> body;
    std::vector<lockstep::NodeGroup> node;                ///< and one more that is nobody's
    std::vector<lockstep::Block> diagonal, lower, upper;  ///< block by block
    std::vector<std::array<lockstep::Octet, 3>> slot_change;
    struct HubSum {
        double P[3], T[3], S[9], stretch;
    };
    std::vector<HubSum> hub_sums;  ///< over its ghosts
    TripleSystem top;              ///< S
    bool half_way = true, exact = false;
    bool backwards = false;              ///< strands are moved from the last to the first, this time
    std::optional<lockstep::Flat> flat;  ///< the plane that all of it is in
};

/// Null when the island does not repeat often enough to be worth it.
std::unique_ptr<Lockstep> make_lockstep(const BilateralPlan& plan, int dynamic_count);

/// Of eight islands of one shape, whose nodes and bodies stand in the plan one island after the other: each is a lane (equals.h).
/// Null when a body of theirs has more joints than it should.
std::unique_ptr<Lockstep> make_lockstep_of_equals(const BilateralPlan& plan, int dynamic_count);

/// Where placements and impulses go.
struct LockstepResults {
    std::vector<Vec3>& x;
    std::vector<Quat>& q;
    std::vector<Vec3>& moved;
    std::vector<JointLoad>& impulses;
};

void begin_lockstep(const BilateralPlan& plan, const CorrectionProblem& p, Lockstep& l, bool warm);
BilateralNewton::Result iterate_lockstep(const BilateralPlan& plan, Lockstep& l, double goal, int most,
                                         TimeBudget& budget);
/// Hands out placements and impulses; of the problem, whose results they may be, only what does not move is left as it is.
void finish_lockstep(const BilateralPlan& plan, const Lockstep& l, const CorrectionProblem& p,
                     const LockstepResults& results);

}  // namespace armature
