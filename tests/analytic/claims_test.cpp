// The table of claims is about the schemes that exist, and agrees with what they say of themselves.
#include "analytic/analytic.h"

namespace armature {
namespace {

TEST(Claims, AreTheOnesTheSchemesMake) {
    for (const SchemeInfo& scheme : scheme_list()) {
        // Its errors of energy and momentum are round-off, which has no order: tests/laws/exact_test.cpp.
        if (scheme.scheme == Scheme::exact) continue;
        int rows = 0;
        for (const analytic::Claims& claim : analytic::claims) {
            if (claim.scheme != scheme.scheme) continue;
            ++rows;
            EXPECT_EQ(claim.order, scheme.order) << scheme.name;
            EXPECT_TRUE(std::string(claim.name).starts_with(scheme.name));
        }
        EXPECT_GE(rows, 1) << scheme.name << " claims nothing: add a row";
    }
    EXPECT_EQ(SimulationSpec{}.settle, analytic::claims[2].settle) << "the row of the default";
}

// K(0) = π/2;  K(1/√2) = Γ(1/4)²/(4√π).
TEST(EllipticIntegral, AgreesWithKnownValues) {
    EXPECT_NEAR(analytic::elliptic_K(0), pi / 2, 1e-15);
    EXPECT_NEAR(analytic::elliptic_K(std::sqrt(0.5)), std::pow(std::tgamma(0.25), 2) / (4 * std::sqrt(pi)), 4e-15);
}

TEST(ZeroCrossings, AreFoundToFourthOrder) {
    const auto c = analytic::converge(0.1, [](double dt) {
        analytic::ZeroCrossings crossings(dt);
        for (int i = 0; i * dt < 2; ++i) crossings.add(std::cos(1.1 * i * dt));
        return crossings.times.at(0) - pi / 2.2;
    });
    analytic::expect_within("at dt = 0.1", c.error[0], 1e-5);
    analytic::expect_within("at dt = 0.025", c.error[2], 4e-8);
}

}  // namespace
}  // namespace armature
