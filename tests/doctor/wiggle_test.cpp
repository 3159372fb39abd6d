// Freedoms shown: the joints hold in every frame, and something moves.
#include <gtest/gtest.h>

#include <algorithm>

#include "armature/doctor/doctor.h"
#include "armature/model/compile.h"
#include "doctor/mechanisms.h"

namespace armature::test {
namespace {

double worst_violation(const Model& model, const FrameRecord& frame) {
    const auto at = [&](BodyId id) {
        const Pose& X = frame.pose_WB[static_cast<std::size_t>(id)];
        return Placement{X * model.bodies[static_cast<std::size_t>(id)].centre_B, to_matrix(X.q)};
    };
    double worst = 0;
    for (const Joint& j : model.joints)
        for (const Part& part : j.parts) worst = std::max(worst, violation(part, at(j.body1), at(j.body2)));
    return worst;
}

double farthest(const Recording& recording) {
    double most = 0;
    for (const FrameRecord& frame : recording.frames)
        for (std::size_t b = 0; b < frame.pose_WB.size(); ++b) {
            const Pose &here = frame.pose_WB[b], &start = recording.frames[0].pose_WB[b];
            most = std::max({most, norm(here.x - start.x), norm(log_rotation(here.q * conjugate(start.q)))});
        }
    return most;
}

TEST(Wiggle, SwingsAlongEveryFreedomWithItsJointsClosed) {
    for (const KnownMechanism& m : known_mechanisms()) {
        if (m.mobility > 6) continue;
        const Model model = compile(m.spec);
        const DoctorReport report = diagnose(m.spec, {.edits = false});
        for (const RemainingFreedom& freedom : report.freedoms) {
            const Recording recording = wiggle(m.spec, report, freedom);
            ASSERT_GE(recording.frames.size(), 40u);
            EXPECT_GT(farthest(recording), 0.05) << m.name << ": " << freedom.sentence;
            for (const FrameRecord& frame : recording.frames)
                ASSERT_LT(worst_violation(model, frame), 1e-9) << m.name << " at " << frame.time;
            const auto &first = recording.frames.front().pose_WB, &last = recording.frames.back().pose_WB;
            for (std::size_t b = 0; b < first.size(); ++b) EXPECT_LT(norm(first[b].x - last[b].x), 1e-9);
        }
    }
}

}  // namespace
}  // namespace armature::test
