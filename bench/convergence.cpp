// Convergence curves of the displacement solver: worst gap against sweeps, for the two orders, the two variants, with
// and without acceleration, and for the paper's α. Writes docs/solvers/*.svg and prints a table.
//
//   build/release/bench/bench_convergence [DIRECTORY]
#include <fmt/format.h>

#include <array>

#include "armature/base/atomic_file.h"
#include "armature/sim/simulator.h"
#include "scenes.h"
#include "svg_plot.h"

namespace armature::bench {
namespace {

constexpr std::array<int, 16> budgets{1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 300, 500, 800, 1200};

/// The gap left after each budget of sweeps, for the first step of a scene in free fall from rest.
Curve curve(const std::string& name, Spec spec, const DisplacementSpec& parameters) {
    spec.simulation.displacement = parameters;
    const Model model = compile(spec);
    const Island& island = model.islands[0];
    LocalBodies start;
    gather(island, initial_state(model), start);
    LocalBodies fallen = start;  // a step of free fall of the free bodies, plus a kick that differs from link to link
    for (int i = 0; i < island.dynamic_count; ++i) {
        const auto k = static_cast<std::size_t>(i);
        fallen.x[k] += Vec3{0, -0.0014, 0.0002 * (i % 3)};
    }
    Curve result{name, {}};
    DisplacementSolver solver(parameters);
    for (const int budget : budgets) {
        LocalBodies now = fallen;
        std::vector<Vec3> moved;
        std::vector<JointLoad> impulses;
        CorrectionProblem problem{model, island, 0, now.x, now.q, nullptr, nullptr, moved, impulses, 1e-12, budget};
        solver.correct(problem);
        double worst = 1e-12;
        for (const Island::LocalJoint& j : island.joints) {
            const auto a = static_cast<std::size_t>(j.body1), b = static_cast<std::size_t>(j.body2);
            for (const Part& part : model.joints[static_cast<std::size_t>(j.joint)].parts)
                worst =
                    std::max(worst, violation(part, {now.x[a], to_matrix(now.q[a])}, {now.x[b], to_matrix(now.q[b])}));
        }
        result.points.emplace_back(budget, std::min(worst, 1e3));
    }
    return result;
}

DisplacementSpec parameters(int variant, SweepOrder order, bool accelerate, AlphaRule alpha = AlphaRule::safe) {
    DisplacementSpec p;
    p.variant = variant;
    p.order = order;
    p.accelerate = accelerate;
    p.alpha = alpha;
    return p;
}

/// Cubes instead of rods: the paper's α is at home with them only when m r²/J ≤ 1.
Spec beads(int n) {
    Spec spec = chain(n);
    for (SolidSpec& s : spec.solids) s.shapes = {{"", Sphere{0.5}, {}, {}}};
    for (ConstraintSpec& c : spec.constraints) {
        // Anchors at 0.3 m: m r²/J = r²/(0.4 · 0.25) = 0.9.
        c.hinge->p1_B = c.solid1 == "world" ? Vec3{0.2, 0, 0} : Vec3{0.3, 0, 0};
        c.hinge->p2_B = {-0.3, 0, 0};
    }
    for (std::size_t i = 0; i < spec.solids.size(); ++i)
        spec.solids[i].pose_WB.x = {0.5 + 0.6 * static_cast<double>(i), 0, 0};
    return spec;
}

void write(const std::string& folder, const char* name, const Plot& plot) {
    AtomicFile file(folder + "/" + name);
    file.write(to_svg(plot));
    file.commit();
    fmt::print("{}\n", plot.title);
    for (const Curve& c : plot.curves) {
        fmt::print("  {:<34}", c.name);
        for (const auto& [x, y] : c.points) fmt::print(" {:.0e}", y);
        fmt::print("\n");
    }
}

}  // namespace
}  // namespace armature::bench

int main(int argc, char** argv) {
    using namespace armature;
    using namespace armature::bench;
    const std::string folder = argc > 1 ? argv[1] : std::string(ARMATURE_SOURCE_DIR) + "/docs/solvers";
    constexpr auto J = SweepOrder::jacobi, GS = SweepOrder::gauss_seidel;
    const Spec rods = chain(20);
    write(folder, "convergence.svg",
          {"Chain of 20 thin rods, one step of free fall",
           "sweeps",
           "worst gap (m)",
           {curve("jacobi, accelerated", rods, parameters(1, J, true)),
            curve("jacobi, variant 1", rods, parameters(1, J, false)),
            curve("jacobi, variant 2", rods, parameters(2, J, false)),
            curve("gauss_seidel, variant 1", rods, parameters(1, GS, false)),
            curve("gauss_seidel, variant 2", rods, parameters(2, GS, false))}});
    const Spec balls = beads(20);
    write(folder, "paper_alpha.svg",
          {"The paper's α: rods (m r²/J = 3) and beads (0.9)",
           "sweeps",
           "worst gap (m)",
           {curve("rods, paper α, variant 1", rods, parameters(1, J, false, AlphaRule::paper)),
            curve("rods, paper α, variant 2", rods, parameters(2, J, false, AlphaRule::paper)),
            curve("beads, paper α, variant 1", balls, parameters(1, J, false, AlphaRule::paper)),
            curve("beads, paper α, variant 2", balls, parameters(2, J, false, AlphaRule::paper)),
            curve("rods, safe α, variant 1", rods, parameters(1, J, false)),
            curve("beads, safe α, variant 1", balls, parameters(1, J, false))}});
    return 0;
}
