// A small generator with the same numbers on every machine (the distributions of the standard library differ
// between implementations). SplitMix64 [Steele, Lea, Flood 2014].
#pragma once

#include <cstdint>

#include "armature/math/quat.h"

namespace armature {

class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t bits() {
        state_ += 0x9e3779b97f4a7c15ull;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }
    /// Uniform in [0, 1).
    double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
    double uniform(double a, double b) { return a + (b - a) * unit(); }
    /// a·(b/a)^u: every order of magnitude equally likely.
    double log_uniform(double a, double b) { return a * std::exp(std::log(b / a) * unit()); }
    int integer(int a, int b) {  ///< in [a, b], both included
        return a + static_cast<int>(bits() % static_cast<std::uint64_t>(b - a + 1));
    }
    Vec3 in_box(double half) {
        const double x = uniform(-half, half), y = uniform(-half, half), z = uniform(-half, half);
        return {x, y, z};
    }
    Vec3 direction() {
        for (;;) {
            const Vec3 v = in_box(1);
            const double n2 = norm2(v);
            if (n2 > 1e-4 && n2 < 1) return v / std::sqrt(n2);
        }
    }
    Quat orientation() { return exp_rotation(uniform(0, 3.14159265358979) * direction()); }

  private:
    std::uint64_t state_;
};

}  // namespace armature
