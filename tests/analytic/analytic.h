// What the analytic tests share: which scheme claims what, closed forms, and the measurement of convergence orders.
//
// Every phenomenon of tests/analytic runs through every free-motion scheme. A scheme that does not claim an invariant
// says so in the table below, and the test then holds it to what it does claim; nothing is left out in silence.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <ostream>
#include <string>
#include <vector>

#include "armature/sim/free_motion.h"
#include "armature/sim/simulator.h"

namespace armature::analytic {

// ---- what each scheme claims -----------------------------------------------------------------------------------

/// Orders are exponents p of dt^p in the error at a fixed time.
struct Claims {
    const char* name;
    Scheme scheme;
    double settle;        ///< of newton, see free_motion.h
    bool exact_fall;      ///< places under a constant force are right to round-off; otherwise they have the order below
    int order;            ///< of places and velocities under smooth forces that depend on place; scheme_info().order
    double velocity_lag;  ///< State.v is the velocity this many steps ago
    bool symplectic;      ///< the energy of a spring oscillates about its value and never drifts
    int damped_order;     ///< of places with springs and damping together
    int tumbling_order;   ///< of the orientation of a free body
    bool exact_spin;      ///< a free body keeps its angular momentum to round-off
    int joint_order;      ///< of period, angle, energy and load of a body on a joint that does not spin fast
    int top_order;        ///< of a fast spinning body on a joint
};
inline constexpr std::array<Claims, 5> claims{{
    // name, scheme, settle, exact fall, order, lag, symplectic, damped, tumbling, exact spin, joint, top
    {"euler", Scheme::euler, 0, false, 1, 0.0, true, 1, 1, false, 1, 1},
    // Damping looks at the velocity at the start of the step.
    {"newton", Scheme::newton, 0, true, 2, 0.0, true, 1, 2, true, 2, 2},
    // The default: what settles the joints costs them one order.
    {"newton_settling", Scheme::newton, 0.1, true, 2, 0.0, true, 1, 2, true, 1, 1},
    // The gyroscopic term and damping look at the velocity of half a step ago; joints push with the arms of the end.
    {"stormer", Scheme::stormer, 0, true, 2, 0.5, true, 1, 1, false, 1, 1},
    // With verlet_keep 1; below 1 it is meant to lose energy.
    {"verlet", Scheme::verlet, 0, false, 1, 0.0, true, 1, 1, false, 1, 1},
}};

inline void PrintTo(const Claims& c, std::ostream* out) {
    *out << c.name;
}

/// A test suite run once per scheme: TEST_P(Name, …) with GetParam() the claims.
class EveryScheme : public testing::TestWithParam<Claims> {};
inline std::string scheme_name(const testing::TestParamInfo<Claims>& info) {
    return info.param.name;
}
#define ANALYTIC_SUITE(Name)                      \
    class Name : public analytic::EveryScheme {}; \
    INSTANTIATE_TEST_SUITE_P(Schemes, Name, testing::ValuesIn(analytic::claims), analytic::scheme_name)

// ---- running ---------------------------------------------------------------------------------------------------

/// A scene without gravity whose joints are held far below what is measured.
inline Spec scene(const Claims& claim, double dt) {
    Spec spec;
    spec.simulation.scheme = claim.scheme;
    spec.simulation.settle = claim.settle;
    spec.simulation.dt = dt;
    spec.simulation.gravity = {};
    spec.simulation.tolerance = 1e-9;
    spec.simulation.iterations = 5000;
    return spec;
}

/// Steps that were neither undone nor halved nor left unconverged: what was measured is the scheme at its own dt.
inline void expect_plain_steps(const Simulator& s) {
    EXPECT_EQ(s.report().rejected, 0);
    EXPECT_EQ(s.report().unconverged, 0);
    EXPECT_EQ(s.report().steps, s.report().frames * static_cast<long long>(s.model().islands.size()));
}

// ---- verdicts --------------------------------------------------------------------------------------------------

/// |value| ≤ bound. Prints what was measured, so that a bound can be told from what it bounds.
inline void expect_within(const std::string& what, double value, double bound) {
    fmt::print("[ measured ] {}: {:.3g}, bound {:.3g}\n", what, value, bound);
    EXPECT_LE(std::fabs(value), bound) << what;
}

// ---- orders ----------------------------------------------------------------------------------------------------

/// Errors at dt, dt/2, dt/4.
struct Convergence {
    std::array<double, 3> error{};
    double order() const { return std::log2(std::fabs(error[1] / error[2])); }  ///< of the finer pair
};
template <class ErrorAt>
Convergence converge(double dt, ErrorAt error_at) {
    return {{error_at(dt), error_at(dt / 2), error_at(dt / 4)}};
}
inline void expect_order(const std::string& what, const Convergence& c, int order) {
    fmt::print("[ measured ] {}: errors {:.3g} {:.3g} {:.3g}, order {:.2f}, claimed {}\n", what, c.error[0], c.error[1],
               c.error[2], c.order(), order);
    EXPECT_NEAR(c.order(), order, 0.15) << what;
}

// ---- closed forms ----------------------------------------------------------------------------------------------

/// The complete elliptic integral K(k) = ∫₀^{π/2} dφ/√(1 − k² sin²φ) = π/(2 AGM(1, √(1 − k²))).
inline double elliptic_K(double k) {
    double a = 1, b = std::sqrt(1 - k * k);
    while (std::fabs(a - b) > 1e-15 * a) {
        const double mean = 0.5 * (a + b);
        b = std::sqrt(a * b);
        a = mean;
    }
    return pi / (a + b);
}

/// When a signal sampled every dt passes through zero, by the cubic through four samples (error O(dt⁴)).
class ZeroCrossings {
  public:
    explicit ZeroCrossings(double dt) : dt_(dt) {}
    void add(double value) {
        samples_.push_back(value);
        const std::size_t n = samples_.size();
        if (n < 4 || (samples_[n - 3] < 0) == (samples_[n - 2] < 0)) return;
        const double y0 = samples_[n - 4], y1 = samples_[n - 3], y2 = samples_[n - 2], y3 = samples_[n - 1];
        const auto cubic = [&](double u) {  // u = 0 at y1, 1 at y2
            return -y0 * u * (u - 1) * (u - 2) / 6 + y1 * (u + 1) * (u - 1) * (u - 2) / 2 -
                   y2 * (u + 1) * u * (u - 2) / 2 + y3 * (u + 1) * u * (u - 1) / 6;
        };
        double low = 0, high = 1;
        for (int k = 0; k < 60; ++k) {
            const double u = 0.5 * (low + high);
            ((cubic(u) < 0) == (y1 < 0) ? low : high) = u;
        }
        times.push_back((static_cast<double>(n - 3) + 0.5 * (low + high)) * dt_);
    }
    std::vector<double> times;  ///< s, counted from the first sample

  private:
    double dt_;
    std::vector<double> samples_;
};

}  // namespace armature::analytic
