// Simbody 3.7 as plain numbers. Its headers do not compile as C++20 (comparisons of its index types become ambiguous) and
// ours compile as nothing older, so neither sees the other.
#pragma once

#include <array>
#include <memory>
#include <vector>

namespace armature::race {

/// As TreeNode; vectors as x, y, z, quaternions as w, x, y, z. The world is body −1.
struct SimbodyNode {
    int body = 0, parent = -1;
    bool hinge = false;
    double mass = 0;
    std::array<double, 3> inertia{};
    std::array<double, 3> x_PB{};
    std::array<double, 4> q_PB{};
    std::array<double, 3> point_B{}, axis_B{};
    double rate = 0;
};
/// A ball joint that closes a loop.
struct SimbodyLoop {
    int a = -1, b = -1;
    std::array<double, 3> pa_B{}, pb_B{};
};
struct SimbodySettings {
    std::array<double, 3> gravity{};
    double accuracy = 0;
    double tolerance = 0;              ///< of the loops
    bool semi_explicit_euler = false;  ///< otherwise Runge–Kutta–Merson
    double max_step = 0;               ///< s
};

class SimbodyBridge {
  public:
    /// Nodes in an order in which parents come first.
    SimbodyBridge(const std::vector<SimbodyNode>& nodes, const std::vector<SimbodyLoop>& loops,
                  const SimbodySettings& settings);
    ~SimbodyBridge();

    void step_to(double time);
    struct Placement {
        std::array<double, 3> x{};
        std::array<double, 4> q{};
    };
    /// Of every body, by its index.
    const std::vector<Placement>& read();

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace armature::race
