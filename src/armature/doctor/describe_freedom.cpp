#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "armature/doctor/freedoms.h"

namespace armature::doctor {

namespace {

/// How a solid moves at an instant [Chasles]: it turns about a line, goes along one, or both.
struct Screw {
    bool turns = false, goes = false;
    Vec3 direction;     ///< of the turn, or of the way when it does not turn
    Vec3 through;       ///< a point of the line
    double pitch = 0;   ///< m per rad
    double amount = 0;  ///< rad, or m
};

Screw screw_of(const Vec3& v, const Vec3& w, const Vec3& G, double length) {
    Screw s;
    s.turns = norm(w) > 1e-6;
    if (!s.turns) {
        s.goes = true;
        s.direction = normalized(v);
        s.amount = norm(v);
        return s;
    }
    s.direction = normalized(w);
    s.amount = norm(w);
    s.pitch = dot(v, w) / norm2(w);
    s.goes = std::fabs(s.pitch) > 1e-6 * length;
    s.through = G + cross(w, v) / norm2(w);
    // Of the points of the line, the one nearest to the origin: the shortest numbers.
    s.through -= dot(s.through, s.direction) * s.direction;
    return s;
}

std::string words(const Screw& s) {
    if (!s.turns) return "slides along " + direction_text(s.direction);
    const std::string turn =
        fmt::format("turns about {} through {}", direction_text(s.direction), point_text(s.through));
    return s.goes ? fmt::format("{}, sliding {:.3g} m per rad", turn, s.pitch) : turn;
}

/// The same motion for all, a turn about a line, and every point that ties them to others lies on that line.
bool spins_idly(const Mechanism& m, const Placing& at, const std::vector<SolidMotion>& motion) {
    if (motion.empty()) return false;
    std::vector<bool> moves(m.model().bodies.size(), false);
    const auto screw = [&](const SolidMotion& s) {
        for (int b = 0; b < m.bodies(); ++b)
            if (m.island().bodies[static_cast<std::size_t>(b)] == s.body)
                return screw_of(s.v, s.w, at.x[static_cast<std::size_t>(b)], m.length());
        return Screw{};
    };
    const Screw first = screw(motion[0]);
    if (!first.turns || first.goes) return false;
    const auto off_line = [&](const Vec3& p) { return norm(cross(p - first.through, first.direction)) / m.length(); };
    for (const SolidMotion& s : motion) {
        const Screw other = screw(s);
        if (norm(s.w - motion[0].w) > 1e-5 || other.goes || off_line(other.through) > 1e-5) return false;
        moves[static_cast<std::size_t>(s.body)] = true;
    }
    int ties = 0;
    for (const JointId id : m.joints()) {
        const Joint& j = m.joint(id);
        if (moves[static_cast<std::size_t>(j.body1)] == moves[static_cast<std::size_t>(j.body2)]) continue;
        for (const Part& part : j.parts) {
            const auto* point = std::get_if<PointPart>(&part);
            if (point == nullptr) return false;  // the axis is the joint's own, as of a pin: that is no idle spin
            const bool first_moves = moves[static_cast<std::size_t>(j.body1)];
            for (int b = 0; b < static_cast<int>(m.island().bodies.size()); ++b) {
                if (m.island().bodies[static_cast<std::size_t>(b)] != (first_moves ? j.body1 : j.body2)) continue;
                const Placement place = m.at(at, b);
                if (off_line(place.x + place.R * (first_moves ? point->p1_G : point->p2_G)) > 1e-5) return false;
            }
            ++ties;
        }
    }
    return ties >= 2;
}

}  // namespace

RemainingFreedom describe(const Mechanism& m, const Placing& at, const FoundFreedom& freedom) {
    RemainingFreedom out;
    out.kind = freedom.kind;
    std::vector<std::pair<std::string, Screw>> moving;
    for (int b = 0; b < m.bodies(); ++b) {
        const double* dq = freedom.dq.data() + m.first_column(b);
        SolidMotion motion{m.island().bodies[static_cast<std::size_t>(b)], m.length() * Vec3{dq[0], dq[1], dq[2]}, {}};
        if (m.columns_of(b) == 6) motion.w = {dq[3], dq[4], dq[5]};
        if (norm(motion.v) / m.length() < 1e-6 && norm(motion.w) < 1e-6) continue;
        const Body& body = m.body(b);
        out.solids.push_back(body.name);
        out.places.push_back(body.origin.block);
        out.motion.push_back(motion);
        moving.emplace_back(body.name, screw_of(motion.v, motion.w, at.x[static_cast<std::size_t>(b)], m.length()));
    }
    if (out.kind == FreedomClass::floating) {
        out.sentence = moving.empty() ? "" : "the whole of it " + words(moving[0].second);
        return out;
    }
    if (spins_idly(m, at, out.motion)) out.kind = FreedomClass::idle;
    constexpr std::size_t most = 4;
    for (std::size_t i = 0; i < std::min(most, moving.size()); ++i)
        out.sentence += fmt::format("{}`{}` {}", i > 0 ? "; " : "", moving[i].first, words(moving[i].second));
    if (moving.size() > most) out.sentence += fmt::format("; and {} more solids move", moving.size() - most);
    if (out.kind == FreedomClass::idle) out.sentence += " and moves nothing else";
    return out;
}

}  // namespace armature::doctor
