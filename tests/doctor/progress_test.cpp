// The doctor says how far it is, and ends when it is told to.
#include <gtest/gtest.h>

#include <stdexcept>

#include "armature/doctor/doctor.h"
#include "support/small_scenes.h"

namespace armature::doctor_progress_test {

Spec twice_held() {
    Spec spec;
    test::add_chain(spec, "link", 4);
    spec.constraints.push_back(spec.constraints.back());
    spec.constraints.back().name = "again";
    test::add_chain(spec, "other", 3);
    return spec;
}

TEST(DoctorProgress, RisesFromNothingToAll) {
    std::vector<double> shares;
    DoctorOptions options;
    options.progress = [&](double share) { shares.push_back(share); };
    const DoctorReport report = diagnose(twice_held(), options);
    EXPECT_GE(report.count(FindingKind::redundant), 1);
    ASSERT_GT(shares.size(), 10u);
    EXPECT_EQ(shares.front(), 0);
    for (std::size_t i = 1; i < shares.size(); ++i) EXPECT_GE(shares[i], shares[i - 1]);
    EXPECT_LE(shares.back(), 1);
}

TEST(DoctorProgress, WhatItThrowsEndsTheDiagnosis) {
    int calls = 0;
    DoctorOptions options;
    options.progress = [&](double) {
        if (++calls == 7) throw std::runtime_error("enough");
    };
    EXPECT_THROW(diagnose(twice_held(), options), std::runtime_error);
    EXPECT_EQ(calls, 7);
}

}  // namespace armature::doctor_progress_test
