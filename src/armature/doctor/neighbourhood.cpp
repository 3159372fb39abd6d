// Singular positions and dead centres, by looking around: the mechanism is moved a little way along what is left to move,
// made to hold again, and examined there.
//
//   Where J has full row rank, J v = 0 is all that there is to say about the near places: every v can be followed
//   (implicit function theorem), and nothing is singular. Where it has not,
//     rank J is higher nearby       the position is singular: constraints that are independent elsewhere coincide here
//     v cannot be followed          what was moved by ε v falls back by more than second order: an infinitesimal freedom
//
//   Dead centre of a joint: T, how solid 1 moves relative to solid 2, has a smaller rank on null J than it has nearby.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "armature/doctor/examine.h"
#include "armature/doctor/settle.h"
#include "armature/math/random.h"

namespace armature::doctor {

namespace {

/// rad, or share of L: far enough that second-order effects (ε²) stand clear of the tolerance of ranks, near enough to
/// be called a neighbour.
constexpr double epsilon = 0.03;
constexpr std::size_t most_freedoms = 60;  ///< that are followed one by one
constexpr int most_columns = 400;          ///< islands beyond it are not looked around in: seconds would become minutes

struct Neighbour {
    Placing at;
    Vector way;  ///< from the examined placing, in units of ε
    RankOf rank;
};

/// A step along dq, made to hold; nothing when it cannot be.
std::optional<Neighbour> stepped(const Mechanism& m, const Examination& e, const Vector& dq, double step) {
    Neighbour n;
    n.at = e.at;
    m.move(n.at, dq.data(), step);
    const Settled settled = settle_from(m, n.at, e.kept);
    if (!settled.holds) return {};
    n.at = settled.at;
    n.way = Vector(m.between(e.at, n.at));
    scale(n.way, 1 / std::fabs(step));
    n.rank = rank_of(jacobian(m, m.rows(n.at, e.kept, false)), std::max(e.tolerance, 30 * settled.scaled));
    return n;
}

void look_along(const Mechanism& m, const Examination& e, const Vector& dq, std::vector<Neighbour>& out) {
    for (const double sign : {1.0, -1.0})
        if (std::optional<Neighbour> n = stepped(m, e, dq, sign * epsilon)) out.push_back(std::move(*n));
}

/// Near a singular position ways bend within much less than ε. A step that is short even then tells a freedom that can be
/// followed from one that cannot: the latter falls back from steps of any length.
bool can_be_followed(const Mechanism& m, const Examination& e, const Vector& dq) {
    for (const double step : {1e-3, -1e-3, 3e-5, -3e-5})
        if (const std::optional<Neighbour> n = stepped(m, e, dq, step);
            n && std::fabs(dot(n->way, dq)) > 0.5 * dot(dq, dq))
            return true;
    return false;
}

Vector random_combination(const std::vector<FoundFreedom>& freedoms, int columns, Random& random) {
    Vector dq(columns);
    for (const FoundFreedom& f : freedoms)
        if (f.kind != FreedomClass::floating) add(dq, random.uniform(-1, 1), f.dq);
    if (const double most = largest(dq); most > 0) scale(dq, 1 / most);
    return dq;
}

/// Of what the freedoms could do, the share that really leads somewhere.
void examine_following(const Mechanism& m, const std::vector<Neighbour>& neighbours, Examination& e) {
    Matrix ways(m.columns(), 0);
    for (const Neighbour& n : neighbours) {
        if (norm(n.way) < 0.3) continue;  // fell back
        ways.append(normalized(n.way));
    }
    // Ways are curved: beyond the tangent they leave ε of themselves.
    const Matrix span = span_of(ways, 4 * epsilon);
    int lost = 0;
    for (std::size_t i = 0; i < e.freedoms.size(); ++i) {
        if (e.freedoms[i].kind == FreedomClass::floating) continue;
        const Vector v = normalized(e.freedoms[i].dq);
        e.infinitesimal[i] =
            norm(v - span * transposed_times(span, v)) > 0.5 && !can_be_followed(m, e, e.freedoms[i].dq);
        lost += e.infinitesimal[i];
    }
    e.mobility.mobility -= lost;
}

void examine_ranks(const std::vector<Neighbour>& neighbours, Examination& e) {
    int highest = e.mobility.rank;
    double regular = 0;
    for (const Neighbour& n : neighbours) {
        if (norm(n.way) < 0.3) continue;
        if (n.rank.rank > highest || (n.rank.rank == highest && n.rank.accepted > regular)) {
            highest = n.rank.rank;
            regular = n.rank.accepted;
            e.away = n.at;
        }
    }
    e.singular = highest > e.mobility.rank || e.mobility.mobility < e.mobility.instantaneous;
    e.mobility.mobility = std::min(e.mobility.mobility, e.mobility.instantaneous - (highest - e.mobility.rank));
    e.near_singular = !e.singular && e.mobility.accepted < nearly_singular && regular > 4 * e.mobility.accepted;
}

/// How solid 1 of a joint moves relative to solid 2, at P1 or at G1: the singular values of T on the null space.
Vector relative_motion(const Mechanism& m, const Placing& at, JointId id, const Matrix& null_space) {
    const Joint& j = m.joint(id);
    Vec3 p1_G;
    for (const Part& part : j.parts)
        if (const auto* point = std::get_if<PointPart>(&part)) p1_G = point->p1_G;
    Matrix T(6, m.columns());
    Vec3 P1;
    for (int b = 0; b < static_cast<int>(m.island().bodies.size()); ++b)
        if (m.island().bodies[static_cast<std::size_t>(b)] == j.body1) {
            const Placement place = m.at(at, b);
            P1 = place.x + place.R * p1_G;
        }
    const auto add = [&](BodyId body, double sign) {
        for (int b = 0; b < m.bodies(); ++b) {
            if (m.island().bodies[static_cast<std::size_t>(b)] != body) continue;
            const Mat3 arm = (-1 / m.length()) * skew(P1 - at.x[static_cast<std::size_t>(b)]);
            for (int i = 0; i < 3; ++i) {
                T(i, m.first_column(b) + i) += sign;
                if (m.columns_of(b) != 6) continue;
                T(3 + i, m.first_column(b) + 3 + i) += sign;
                for (int k = 0; k < 3; ++k) T(i, m.first_column(b) + 3 + k) += sign * arm(i, k);
            }
        }
    };
    add(j.body1, 1);
    add(j.body2, -1);
    return singular_values(T * null_space);
}

/// Joints that one would drive or take off from: those to what does not move, and those along which something acts. A
/// joint within stands still for an instant in nearly every turn of a crank, and nobody minds.
bool is_port(const Mechanism& m, JointId id) {
    const Joint& j = m.joint(id);
    const auto fixed = [&](BodyId b) { return !m.model().bodies[static_cast<std::size_t>(b)].dynamic(); };
    return fixed(j.body1) || fixed(j.body2) || std::any_of(j.freedoms.begin(), j.freedoms.end(), [&](FreedomId f) {
               return !m.model().freedoms[static_cast<std::size_t>(f)].idle();
           });
}

void examine_dead_centres(const Mechanism& m, const std::vector<Neighbour>& neighbours, Examination& e) {
    const Matrix here = rank_of(jacobian(m, m.rows(e.at, e.kept, false)), e.tolerance).null_space;
    for (const JointId id : e.kept) {
        if (!is_port(m, id)) continue;
        const Vector s = relative_motion(m, e.at, id, here);
        Vector most(s.size());
        const Placing* best = nullptr;
        for (const Neighbour& n : neighbours) {
            if (norm(n.way) < 0.3 || n.rank.rank != e.mobility.rank) continue;
            const Vector there = relative_motion(m, n.at, id, n.rank.null_space);
            if (there.size() != s.size()) continue;
            // σ fall: the last is the least.
            if (best == nullptr || there[s.size() - 1] > most[s.size() - 1]) best = &n.at;
            for (int k = 0; k < s.size(); ++k) most[k] = std::max(most[k], there[k]);
        }
        for (int k = 0; k < s.size(); ++k)
            if (most[k] > 2e-3 && s[k] < 1e-3 * most[k]) {
                e.dead_centres.push_back({id, s[k] / most[k]});
                e.away = *best;
                break;
            }
    }
}

}  // namespace

void examine_neighbourhood(const Mechanism& m, Examination& e) {
    if (e.mobility.instantaneous == 0 || e.kept.empty() || m.columns() > most_columns) return;
    const bool regular = e.mobility.rank == static_cast<int>(m.rows(e.at, e.kept, false).size());
    std::vector<Neighbour> around;
    Random random(2);
    // Where nothing can be singular two places are enough to tell a dead centre.
    const int combinations = regular ? 1 : 4;
    for (int i = 0; i < combinations; ++i)
        look_along(m, e, random_combination(e.freedoms, m.columns(), random), around);
    if (!regular && e.freedoms.size() <= most_freedoms) {
        for (const FoundFreedom& f : e.freedoms)
            if (f.kind != FreedomClass::floating) look_along(m, e, f.dq, around);
        examine_following(m, around, e);
    }
    examine_ranks(around, e);
    if (!e.singular) examine_dead_centres(m, around, e);
}

}  // namespace armature::doctor
