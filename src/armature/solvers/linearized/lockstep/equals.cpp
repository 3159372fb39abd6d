#include "armature/solvers/linearized/lockstep/equals.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "armature/solvers/linearized/goal.h"
#include "armature/solvers/linearized/lockstep/stages.h"

namespace armature {

namespace {

using namespace lockstep;

constexpr std::size_t fewest = 4;            // islands of one shape that are worth their lanes
constexpr std::size_t largest_island = 200;  // nodes: eight of them are to stay in the caches

std::size_t idx(int i) {
    return static_cast<std::size_t>(i);
}

/// What two islands have in common when they are of one shape.
std::vector<int> shape_of(const BilateralPlan& plan, int dynamic_count) {
    std::vector<int> shape{dynamic_count, static_cast<int>(plan.bodies.size())};
    for (const BilateralPlan::Node& n : plan.nodes) shape.insert(shape.end(), {n.body1, n.body2, n.joint, n.axis});
    for (const BilateralPlan::BodyConstants& b : plan.bodies) shape.push_back(b.particle);
    return shape;
}

/// Nothing but joints that always hold, and not of pins alone: these may be of a plane, which is shorter still (planar.h).
bool may_have_equals(const Island& island, const BilateralPlan& plan) {
    const bool only_joints = island.acting.empty() && island.timed.empty() && island.contacts.empty();
    return only_joints && plan.fits && !island.joints.empty() && plan.nodes.size() < 2 * island.joints.size() &&
           plan.nodes.size() <= largest_island;
}

// Of each body, then of each node, in this order.
enum BodyConstant { c_inv_mass, c_most_turn2, c_turns, c_inertia, body_constants = c_inertia + 6 };
enum NodeConstant { c_arm1 = 0, c_arm2 = 3, c_a = 6, c_t = 9, c_s = 12, node_constants = 15 };

std::vector<double> constants_of(const BilateralPlan& plan, int dynamic_count) {
    std::vector<double> all;
    for (std::size_t i = 0; i < plan.bodies.size(); ++i) {
        const BilateralPlan::BodyConstants& b = plan.bodies[i];
        const bool moves = i < idx(dynamic_count), turns = moves && !b.particle;
        const four::M J = turns ? b.inertia : four::zero();
        all.insert(all.end(), {moves ? b.inv_mass : 0, moves ? b.most_turn2 : 0, turns ? 1.0 : 0.0, J.c0[0], J.c1[1],
                               J.c2[2], J.c1[0], J.c2[0], J.c2[1]});
    }
    for (const BilateralPlan::Shape& s : plan.shapes)
        for (const four::V& v : {s.p1, s.p2, s.a, s.t, s.s}) all.insert(all.end(), {v[0], v[1], v[2]});
    return all;
}

/// The bodies of eight islands: those that move of one after the other, then the others.
struct Numbering {
    int dynamic_count, held;

    int moving() const { return dynamic_count * eight; }
    int of(int lane, int local) const {
        return local < dynamic_count ? lane * dynamic_count + local : moving() + lane * held + local - dynamic_count;
    }
    int lane_of(int body) const { return body < moving() ? body / dynamic_count : (body - moving()) / held; }
    int local_of(int body) const {
        return body < moving() ? body % dynamic_count : dynamic_count + (body - moving()) % held;
    }
};

BilateralPlan eight_times(const BilateralPlan& one, const Numbering& bodies) {
    BilateralPlan all;
    all.fits = true;
    all.tree = one.tree;
    all.joints = one.joints * eight;
    all.body_count = one.bodies.size() * eight;
    all.bodies.resize(all.body_count);
    for (int lane = 0; lane < eight; ++lane) {
        for (std::size_t i = 0; i < one.bodies.size(); ++i)
            all.bodies[idx(bodies.of(lane, static_cast<int>(i)))] = one.bodies[i];
        for (BilateralPlan::Node n : one.nodes) {
            n.body1 = bodies.of(lane, n.body1);
            n.body2 = bodies.of(lane, n.body2);
            n.joint += lane * static_cast<int>(one.joints);
            all.nodes.push_back(n);
        }
        all.shapes.insert(all.shapes.end(), one.shapes.begin(), one.shapes.end());
    }
    return all;
}

}  // namespace

/// A shape, and eight islands of it side by side.
struct EqualIslands::Shape {
    BilateralPlan one;  ///< bodies and nodes of the first of them
    std::vector<std::size_t> islands;

    Numbering bodies{};
    BilateralPlan plan;  ///< of eight
    std::unique_ptr<Lockstep> lockstep;
    /// Where the constants of an island stand in a lane.
    struct Place {
        double* at;
        std::size_t constant;
    };
    std::array<std::vector<Place>, eight> places;
    std::array<const Island*, eight> loaded{};  ///< whose constants stand there

    // The eight problems as one.
    Island island;  ///< says how many move
    std::vector<Vec3> x, w, torque, moved;
    std::vector<Quat> q, start_q;
    std::vector<JointLoad> expected;
    // What comes out, apart: who is still on the way begins from the former to the end.
    std::vector<Vec3> x_now;
    std::vector<Quat> q_now;
    std::vector<JointLoad> impulses;

    bool make(int dynamic_count);
    void find_places();
    void load(int lane, const CorrectionProblem& p, const std::vector<double>& constants);
    /// How the island of a lane stands after so many iterations; nothing: it is to make another.
    std::optional<TiedEnd> judge(int lane, const Most& most, int made, NewtonProgress& progress,
                                 TiedResult& result) const;
    void hand_out(int lane, CorrectionProblem& p) const;
};

bool EqualIslands::Shape::make(int dynamic_count) {
    if (make_lockstep(one, dynamic_count)) return false;  // it has lanes of its own
    bodies = {dynamic_count, static_cast<int>(one.bodies.size()) - dynamic_count};
    plan = eight_times(one, bodies);
    lockstep = make_lockstep_of_equals(plan, bodies.moving());
    if (!lockstep) return false;
    find_places();
    island.dynamic_count = bodies.moving();
    const std::size_t n = plan.bodies.size();
    for (std::vector<Vec3>* v : {&x, &w, &torque, &moved, &x_now}) v->resize(n);
    for (std::vector<Quat>* v : {&q, &start_q, &q_now}) v->resize(n);
    expected.resize(plan.joints);
    impulses.resize(plan.joints);
    return true;
}

void EqualIslands::Shape::find_places() {
    Lockstep& l = *lockstep;
    const auto of_body = [&](int body, int which, double* at) {
        places[idx(bodies.lane_of(body))].push_back({at, idx(bodies.local_of(body) * body_constants + which)});
    };
    const int nodes = static_cast<int>(one.nodes.size());
    const auto of_node = [&](int node, int which, Octet* rows, std::size_t lane) {
        const std::size_t first = one.bodies.size() * body_constants + idx(node % nodes) * node_constants;
        for (int k = 0; k < 3; ++k) places[idx(node / nodes)].push_back({&rows[k].v[lane], first + idx(which + k)});
    };
    for (std::size_t g = 0; g < l.bodies.size(); ++g) {
        if (l.bodies[g].role == Role::strand) continue;
        for (std::size_t lane = 0; lane < eight; ++lane) {
            const int body = l.bodies[g].body[lane];
            if (body < 0) continue;
            of_body(body, c_inv_mass, &l.body[g].r[inv_mass].v[lane]);
            of_body(body, c_most_turn2, &l.body[g].r[most_turn2].v[lane]);
            of_body(body, c_turns, &l.body[g].r[turns].v[lane]);
            for (int k = 0; k < 6; ++k) of_body(body, c_inertia + k, &l.bodies[g].inertia_B[k].v[lane]);
        }
        for (std::size_t s = l.bodies[g].first_side; s < l.bodies[g].end_side; ++s) {
            Side& side = l.sides[s];
            for (std::size_t lane = 0; lane < eight; ++lane) {
                if (side.node[lane] < 0) continue;
                const int first = side.which == 0 ? (side.axis ? c_a : c_arm1) : (side.axis ? c_t : c_arm2);
                of_node(side.node[lane], first, side.shape, lane);
                if (side.axis && side.which == 1) of_node(side.node[lane], c_s, side.shape + 3, lane);
            }
        }
    }
    for (Strand& s : l.strands)
        for (std::size_t i = 0; i < s.link.size(); ++i)
            for (std::size_t lane = 0; lane < eight; ++lane) {
                const int at = static_cast<int>(lane), along = static_cast<int>(i);
                const int body = s.first_body + at * s.bodies_apart + along;
                const int node = s.first_node + at * s.nodes_apart + along * s.nodes_per_joint();
                const int next = node + s.nodes_per_joint();
                of_body(body, c_inv_mass, &s.link[i].r[link_inv_mass].v[lane]);
                of_body(body, c_most_turn2, &s.link[i].r[link_most_turn2].v[lane]);
                for (int k = 0; k < 6; ++k) of_body(body, c_inertia + k, &s.shapes[i].inertia[k].v[lane]);
                of_node(node, s.mirrored ? c_arm1 : c_arm2, s.shapes[i].arm, lane);
                of_node(next, s.mirrored ? c_arm2 : c_arm1, s.shapes[i].arm + 3, lane);
                if (!s.pins) continue;
                of_node(node + 1, c_t, s.shapes[i].axes, lane);
                of_node(node + 1, c_s, s.shapes[i].axes + 3, lane);
                of_node(next + 1, c_a, s.shapes[i].axes + 6, lane);
            }
}

void EqualIslands::Shape::load(int lane, const CorrectionProblem& p, const std::vector<double>& constants) {
    if (loaded[idx(lane)] != &p.island)
        for (const Place& place : places[idx(lane)]) *place.at = constants[place.constant];
    loaded[idx(lane)] = &p.island;
    const auto copy = [&](const auto& from, auto& to) {
        const auto held = from.begin() + bodies.dynamic_count;
        std::copy(from.begin(), held, to.begin() + bodies.of(lane, 0));
        std::copy(held, from.begin() + static_cast<std::ptrdiff_t>(one.bodies.size()),
                  to.begin() + bodies.of(lane, bodies.dynamic_count));
    };
    copy(p.x, x);
    copy(p.q, q);
    copy(*p.start_q, start_q);
    if (p.exact) {
        // Steps differ from lane to lane: they are in the numbers, and the one of all is 1.
        for (int i = 0; i < bodies.dynamic_count; ++i) {
            w[idx(bodies.of(lane, i))] = p.exact->h * p.exact->start_w[idx(i)];
            torque[idx(bodies.of(lane, i))] = (p.exact->h * p.exact->h) * p.exact->torque[idx(i)];
        }
    }
    if (p.expected)
        std::copy(p.expected->begin(), p.expected->begin() + static_cast<std::ptrdiff_t>(one.joints),
                  expected.begin() + lane * static_cast<std::ptrdiff_t>(one.joints));
}

std::optional<TiedEnd> EqualIslands::Shape::judge(int lane, const Most& most, int made, NewtonProgress& progress,
                                                  TiedResult& result) const {
    const double error = std::sqrt(most.error2.v[lane]);
    const bool too_far = made > 0 && !(most.turned2.v[lane] < largest_turn * largest_turn);
    const NewtonProgress::Squares squares{most.left_move2.v[lane], most.left_turn2.v[lane],
                                          std::max(most.moved2.v[lane], most.turned2.v[lane])};
    const std::optional<TiedEnd> end = too_far ? TiedEnd::lost : progress.judge(made, error, squares);
    if (!end) return end;
    const int worst = worst_node(*lockstep, most, lane);
    const int joint = worst < 0 ? -1 : plan.nodes[idx(worst)].joint;
    result = {*end, made, error, joint < 0 ? -1 : joint % static_cast<int>(one.joints)};
    return end;
}

void EqualIslands::Shape::hand_out(int lane, CorrectionProblem& p) const {
    const auto copy = [&](const auto& from, auto& to) {
        const auto first = from.begin() + bodies.of(lane, 0);
        std::copy(first, first + bodies.dynamic_count, to.begin());
    };
    p.moved.resize(one.bodies.size());
    copy(moved, p.moved);
    std::fill(p.moved.begin() + bodies.dynamic_count, p.moved.end(), Vec3{});
    copy(x_now, p.x);
    copy(q_now, p.q);
    const auto first = impulses.begin() + lane * static_cast<std::ptrdiff_t>(one.joints);
    p.impulses.assign(first, first + static_cast<std::ptrdiff_t>(one.joints));
}

EqualIslands::EqualIslands() = default;
EqualIslands::~EqualIslands() = default;
EqualIslands::EqualIslands(const EqualIslands&) {}
EqualIslands& EqualIslands::operator=(const EqualIslands&) {
    return *this = EqualIslands();
}
EqualIslands::EqualIslands(EqualIslands&&) noexcept = default;
EqualIslands& EqualIslands::operator=(EqualIslands&&) noexcept = default;

const std::vector<std::vector<std::size_t>>& EqualIslands::sets(const Model& model) {
    if (model_ != &model || fingerprint_ != model.fingerprint) look_at(model);
    return sets_;
}

void EqualIslands::look_at(const Model& model) {
    *this = EqualIslands();
    model_ = &model;
    fingerprint_ = model.fingerprint;
    std::map<std::vector<int>, std::unique_ptr<Shape>> found;
    std::vector<std::vector<double>> constants(model.islands.size());
    for (std::size_t k = 0; k < model.islands.size(); ++k) {
        const Island& island = model.islands[k];
        BilateralPlan plan;
        plan.joints = island.joints.size();
        add_bodies_and_nodes(model, island, plan);
        if (!may_have_equals(island, plan)) continue;
        constants[k] = constants_of(plan, island.dynamic_count);
        std::unique_ptr<Shape>& shape = found[shape_of(plan, island.dynamic_count)];
        if (!shape) {
            shape = std::make_unique<Shape>();
            shape->one = std::move(plan);
        }
        shape->islands.push_back(k);
    }
    for (auto& [key, shape] : found) {
        if (shape->islands.size() < fewest || !shape->make(key[0])) continue;
        for (const std::size_t k : shape->islands) members_[&model.islands[k]] = {shape.get(), std::move(constants[k])};
        sets_.push_back(shape->islands);
        shapes_.push_back(std::move(shape));
    }
}

void EqualIslands::correct(std::span<CorrectionProblem* const> problems, std::span<TiedResult> results) {
    const CorrectionProblem& any = *problems[0];
    Shape& s = *members_.at(&any.island).shape;
    Lockstep& l = *s.lockstep;
    for (int lane = 0; lane < eight; ++lane) {  // those that are left over go along with the first
        const CorrectionProblem& p = *problems[idx(lane) < problems.size() ? idx(lane) : 0];
        s.load(lane, p, members_.at(&p.island).constants);
    }
    const ExactStep exact{1, s.w, s.torque};
    CorrectionProblem all{any.model, s.island, any.t, s.x, s.q, nullptr, &s.start_q, s.moved, s.impulses};
    all.half_way = any.half_way;
    all.exact = any.exact ? &exact : nullptr;
    all.expected = any.expected ? &s.expected : nullptr;
    begin_lockstep(s.plan, all, l, all.expected && s.plan.tree);

    TimeBudget as_long_as_it_takes(0);
    std::array<std::optional<NewtonProgress>, eight> progress;  // of those that are on the way
    for (std::size_t i = 0; i < problems.size(); ++i)
        progress[i].emplace(goal_of(*problems[i]), problems[i]->max_iterations, l.exact, as_long_as_it_takes);
    for (int made = 0;; ++made) {
        Most most;
        move_all(l, made == 0, false, most);
        measure_all(l, made == 0, most);
        bool going_on = false, handed_out = false;
        for (std::size_t i = 0; i < problems.size(); ++i) {
            if (!progress[i]) continue;
            const std::optional<TiedEnd> end = s.judge(static_cast<int>(i), most, made, *progress[i], results[i]);
            going_on = going_on || !end;
            if (!end) continue;
            progress[i].reset();
            if (*end == TiedEnd::lost) continue;
            if (!handed_out) finish_lockstep(s.plan, l, all, {s.x_now, s.q_now, s.moved, s.impulses});
            handed_out = true;
            s.hand_out(static_cast<int>(i), *problems[i]);
        }
        if (!going_on) return;
        fill_all(l);
        solve_all(l);
    }
}

}  // namespace armature
