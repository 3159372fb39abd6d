#include <algorithm>
#include <cmath>

#include "armature/doctor/doctor.h"
#include "armature/doctor/groups.h"
#include "armature/doctor/settle.h"
#include "armature/model/compile.h"

namespace armature {

using namespace doctor;

namespace {

constexpr int frames_per_swing = 48;
constexpr double seconds = 2;

FrameRecord frame_of(const Model& model, const State& state) {
    FrameRecord frame;
    frame.time = state.time;
    for (std::size_t b = 0; b < model.bodies.size(); ++b)
        frame.pose_WB.push_back(state.pose_WB(model, static_cast<BodyId>(b)));
    frame.v.resize(model.bodies.size());
    frame.w.resize(model.bodies.size());
    return frame;
}

std::vector<double> direction_of(const Mechanism& m, const RemainingFreedom& freedom) {
    std::vector<double> dq(static_cast<std::size_t>(m.columns()));
    for (const SolidMotion& motion : freedom.motion)
        for (int b = 0; b < m.bodies(); ++b) {
            if (m.island().bodies[static_cast<std::size_t>(b)] != motion.body) continue;
            double* at = dq.data() + m.first_column(b);
            for (int k = 0; k < 3; ++k) at[k] = motion.v[k] / m.length();
            if (m.columns_of(b) == 6)
                for (int k = 0; k < 3; ++k) at[3 + k] = motion.w[k];
        }
    return dq;
}

/// Places on the way in one direction, each a small step along the way so far and made to hold. What cannot go on stays
/// where it is: an infinitesimal freedom is shown as far as it goes.
std::vector<Placing> follow(const Mechanism& m, const Placing& start, std::vector<double> dq, const JointSet& joints,
                            double reach, int steps) {
    std::vector<Placing> way = {start};
    for (int i = 0; i < steps; ++i) {
        Placing next = way.back();
        m.move(next, dq.data(), reach / steps);
        Settled settled = settle_from(m, next, joints);
        if (!settled.holds) {
            way.push_back(way.back());
            continue;
        }
        std::vector<double> went = m.between(way.back(), settled.at);
        double most = 0;
        for (const double x : went) most = std::max(most, std::fabs(x));
        // The direction turns with the way; what fell back keeps the old one.
        if (most > 0.3 * reach / steps) {
            double size = 0;
            for (const double x : dq) size = std::max(size, std::fabs(x));
            for (std::size_t k = 0; k < dq.size(); ++k) dq[k] = went[k] * size / most;
        }
        way.push_back(std::move(settled.at));
    }
    return way;
}

}  // namespace

Recording wiggle(const Spec& spec, const DoctorReport& report, const RemainingFreedom& freedom, double amplitude) {
    if (!spec.drags.empty()) {  // as in diagnose()
        Spec let_go = spec;
        let_go.drags.clear();
        return wiggle(let_go, report, freedom, amplitude);
    }
    const Model model = compile(spec);
    const Mechanism m(model, freedom.island);
    State state = report.assembled;
    Placing start = m.as_placed();
    for (int b = 0; b < m.bodies(); ++b) {
        const auto id = static_cast<std::size_t>(m.island().bodies[static_cast<std::size_t>(b)]);
        start.x[static_cast<std::size_t>(b)] = state.x[id];
        start.q[static_cast<std::size_t>(b)] = state.q[id];
    }
    JointSet joints = m.joints();
    std::erase_if(joints, [&](JointId id) {
        return std::find(report.left_out.begin(), report.left_out.end(), m.joint(id).name) != report.left_out.end();
    });
    constexpr int fine = 24;
    std::vector<double> dq = direction_of(m, freedom);
    const std::vector<Placing> there = follow(m, start, dq, joints, amplitude, fine);
    for (double& x : dq) x = -x;
    const std::vector<Placing> back = follow(m, start, dq, joints, amplitude, fine);

    Recording recording;
    for (int i = 0; i <= frames_per_swing; ++i) {
        const double s = std::sin(2 * pi * i / frames_per_swing);
        const Placing& at = (s < 0 ? back : there)[static_cast<std::size_t>(std::lround(fine * std::fabs(s)))];
        state.time = seconds * i / frames_per_swing;
        for (int b = 0; b < m.bodies(); ++b) {
            const auto id = static_cast<std::size_t>(m.island().bodies[static_cast<std::size_t>(b)]);
            state.x[id] = at.x[static_cast<std::size_t>(b)];
            state.q[id] = at.q[static_cast<std::size_t>(b)];
        }
        recording.frames.push_back(frame_of(model, state));
    }
    return recording;
}

}  // namespace armature
