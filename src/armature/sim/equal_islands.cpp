// Islands that are corrected together, side by side through a frame.
//
// Each keeps its own steps: who has to halve one, or is through with the frame, waits for nobody. What is corrected together is
// whatever correction each of them comes to next, and a place that falls free is taken by the next island of the set.
#include <array>
#include <optional>

#include "armature/sim/island_step.h"
#include "armature/sim/island_stepper.h"

namespace armature {

namespace {

class SideBySide {
  public:
    SideBySide(const Model& model, State& state, StepWorkspace& workspace, std::vector<StepReport>& reports)
        : model_(model), state_(state), workspace_(workspace), reports_(reports) {}

    /// next_island(): index of one that is still to be stepped, or nothing.
    template <class NextIsland>
    void run(NextIsland&& next_island) {
        for (;;) {
            std::size_t ready = 0;
            for (std::size_t place = 0; place < most_together; ++place)
                if (CorrectionProblem* problem = next_problem(place, next_island)) {
                    problems_[ready] = problem;
                    steppers_of_[ready++] = &*steppers_[place];
                }
            if (ready == 0) return;
            correct_and_conclude(ready);
        }
    }

  private:
    using Clock = IslandStepper::Clock;

    template <class NextIsland>
    CorrectionProblem* next_problem(std::size_t place, NextIsland&& next_island) {
        std::optional<IslandStepper>& stepper = steppers_[place];
        for (;;) {
            if (stepper)
                if (CorrectionProblem* problem = stepper->next()) return problem;
            stepper.reset();
            const std::optional<std::size_t> island = next_island();
            if (!island) return nullptr;
            stepper.emplace(model_, state_, *island, workspace_.solver, workspace_.side_by_side[place],
                            reports_[*island], Clock::time_point{});
            stepper->begin();
        }
    }

    void correct_and_conclude(std::size_t ready) {
        const auto begin = Clock::now();
        correct_together(workspace_.solver, {problems_.data(), ready}, {corrections_.data(), ready});
        const auto end = Clock::now();
        const double share = std::chrono::duration<double>(end - begin).count() / static_cast<double>(ready);
        auto done = end;
        for (std::size_t i = 0; i < ready; ++i) {
            steppers_of_[i]->conclude(corrections_[i], done, share);
            done = Clock::now();
        }
    }

    const Model& model_;
    State& state_;
    StepWorkspace& workspace_;
    std::vector<StepReport>& reports_;
    std::array<std::optional<IslandStepper>, most_together> steppers_;
    // Of those that have something to correct.
    std::array<CorrectionProblem*, most_together> problems_{};
    std::array<IslandStepper*, most_together> steppers_of_{};
    std::array<CorrectionReport, most_together> corrections_{};
};

}  // namespace

void step_equal_islands(const Model& model, State& state, std::size_t first, std::size_t stride,
                        StepWorkspace& workspace, std::vector<StepReport>& reports) {
    workspace.together.assign(model.islands.size(), 0);
    for (const std::vector<std::size_t>& set : equal_islands(workspace.solver, model)) {
        workspace.side_by_side.resize(most_together);
        std::size_t at = 0;
        const auto next_of_ours = [&]() -> std::optional<std::size_t> {
            while (at < set.size() && set[at] % stride != first) ++at;
            if (at == set.size()) return std::nullopt;
            return set[at++];
        };
        for (const std::size_t island : set) workspace.together[island] = 1;
        SideBySide(model, state, workspace, reports).run(next_of_ours);
    }
}

}  // namespace armature
