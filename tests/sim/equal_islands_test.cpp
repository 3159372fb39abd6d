// Islands of one shape that are corrected together move as each would alone, and their bits know nothing of each other.
#include "armature/solvers/linearized/lockstep/equals.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "armature/math/random.h"
#include "armature/model/compile.h"
#include "armature/model/joint_library.h"
#include "armature/sim/simulator.h"
#include "support/allocation_counter.h"

namespace armature::equals {
namespace {

enum class Figure { doll, tail, pendulum, ring };

std::string_view name_of(Figure figure) {
    constexpr std::string_view names[] = {"doll", "tail", "pendulum", "ring"};
    return names[static_cast<int>(figure)];
}

/// One of a crowd: what is random about it depends on its number alone.
class Maker {
  public:
    Maker(Spec& spec, int number) : spec_(spec), number_(number), random_(static_cast<std::uint64_t>(number) + 11) {
        place_ = {{3.0 * number, 0, 0}, normalized(exp_rotation(random_.in_box(1)))};
    }

    void make(Figure figure, bool held) {
        switch (figure) {
            case Figure::doll:
                return doll(held);
            case Figure::tail:
                return tail(held);
            case Figure::pendulum:
                return ball("world", place_ * Vec3{-0.1, 0, 0}, part("bob", {}), {-0.1, 0, 0});
            case Figure::ring:
                return ring(held);
        }
    }

  private:
    std::string part(const std::string& name, const Vec3& at) {
        SolidSpec& s = spec_.add_solid(fmt::format("{}_{}", name, number_));
        s.shapes.push_back({"", Box{{0.2, 0.05 + 0.02 * random_.uniform(0, 1), 0.04}}, {}, {}});
        s.mass = 0.5 + random_.uniform(0, 2);
        s.pose_WB = place_ * Pose{at, {}};
        s.spin = Vec3{0, 0, 0.5};
        return s.name;
    }
    void ball(const std::string& one, const Vec3& p1, const std::string& two, const Vec3& p2) {
        spec_.add_constraint(one, two).hinge = HingeSpec{p1, p2, PointDomain{}};
    }
    void pin(const std::string& one, const Vec3& p1, const std::string& two, const Vec3& p2, const Vec3& axis) {
        ConstraintSpec c = make_joint(JointType::pin, one, {p1, axis, any_perpendicular(axis)}, two,
                                      {p2, axis, any_perpendicular(axis)});
        c.freedoms.clear();
        spec_.constraints.push_back(c);
    }
    /// A trunk with a head and four limbs: a ball, a pin, a ball each.
    void doll(bool held) {
        const std::string trunk = part("trunk", {});
        ball(trunk, {0.1, 0, 0}, part("head", {0.2, 0, 0}), {-0.1, 0, 0});
        for (const double side : {-1.0, 1.0})
            for (const double along : {-0.1, 0.1}) {
                const std::string which = fmt::format("{}{}", side < 0 ? "l" : "r", along < 0 ? "l" : "a");
                const std::string upper = part("upper" + which, {along + 0.1, 0.1 * side, 0.2});
                const std::string lower = part("lower" + which, {along + 0.3, 0.1 * side, 0.2});
                const std::string end = part("end" + which, {along + 0.5, 0.1 * side, 0.2});
                ball(trunk, {along, 0.1 * side, 0.2}, upper, {-0.1, 0, 0});
                pin(upper, {0.1, 0, 0}, lower, {-0.1, 0, 0}, {0, 1, 0});
                ball(lower, {0.1, 0, 0}, end, {-0.1, 0, 0});
                if (held && side < 0 && along < 0) ball("world", place_ * Vec3{0.5, -0.1, 0.2}, end, {0.1, 0, 0});
            }
    }
    /// Long enough for strands: balls, then pins.
    void tail(bool held) {
        std::string before = "world";
        for (int i = 0; i < 11; ++i) {
            const std::string next = part(fmt::format("link{}", i), {0.1 + 0.2 * i, 0, 0});
            const Vec3 end = i == 0 ? place_ * Vec3{} : Vec3{0.1, 0, 0};
            if (i > 6)
                pin(before, end, next, {-0.1, 0, 0}, i % 2 ? Vec3{0, 1, 0} : Vec3{0, 0, 1});
            else if (i > 0 || held)
                ball(before, end, next, {-0.1, 0, 0});
            before = next;
        }
    }
    /// Six balls and pins around a loop.
    void ring(bool held) {
        constexpr int n = 6;
        std::array<std::string, n> parts;
        for (int i = 0; i < n; ++i) {
            parts[static_cast<std::size_t>(i)] = part(fmt::format("side{}", i), {});
            spec_.solids.back().pose_WB = place_ * Pose{rotate(around(i), {0, 0.1 * std::sqrt(3.0), 0}), around(i)};
        }
        for (int i = 0; i < n; ++i)
            (i % 3 == 2 ? pin_in_ring(parts[static_cast<std::size_t>(i)], parts[static_cast<std::size_t>((i + 1) % n)])
                        : ball(parts[static_cast<std::size_t>(i)], {-0.1, 0, 0},
                               parts[static_cast<std::size_t>((i + 1) % n)], {0.1, 0, 0}));
        if (held) ball("world", spec_.find_solid(parts[0])->pose_WB.x, parts[0], {});
    }
    void pin_in_ring(const std::string& one, const std::string& two) {
        pin(one, {-0.1, 0, 0}, two, {0.1, 0, 0}, {0, 0, 1});
    }
    static Quat around(int i) { return from_axis_angle({0, 0, 1}, pi / 3 * i); }

    Spec& spec_;
    int number_;
    Random random_;
    Pose place_;
};

struct Crowd {
    Figure figure;
    Scheme scheme = Scheme::newton;
    bool held = true;
    int iterations = 1000;
};

Spec crowd(const Crowd& of, const std::vector<int>& numbers) {
    Spec spec;
    spec.simulation.solver = "linearized";
    spec.simulation.scheme = of.scheme;
    spec.simulation.iterations = of.iterations;
    for (const int number : numbers) Maker(spec, number).make(of.figure, of.held);
    return spec;
}

std::vector<int> first(int n) {
    std::vector<int> all;
    for (int i = 0; i < n; ++i) all.push_back(i);
    return all;
}

std::size_t sets_of(const Spec& spec) {
    const Model model = compile(spec);
    return LinearizedSolver(spec.simulation.linearized).equal_islands(model).size();
}

/// Everything of the figure with this number.
struct Part {
    std::string name;
    Vec3 x, v, w;
    Quat q;
    bool operator==(const Part&) const = default;
};
std::vector<Part> of_figure(const Simulator& sim, int number) {
    std::vector<Part> parts;
    const std::string ending = fmt::format("_{}", number);
    for (std::size_t i = 1; i < sim.model().bodies.size(); ++i) {
        const std::string& name = sim.model().bodies[i].name;
        if (!name.ends_with(ending)) continue;
        const State& s = sim.state();
        parts.push_back({name, s.x[i], s.v[i], s.w[i], s.q[i]});
    }
    return parts;
}

class Crowds : public testing::TestWithParam<std::tuple<Figure, Scheme, bool>> {
  protected:
    ~Crowds() override { lanes::limit_machine(lanes::Machine::widest); }
    static Crowd of() {
        const auto [figure, scheme, held] = GetParam();
        return {figure, scheme, held || figure == Figure::pendulum};
    }
};

TEST_P(Crowds, EachMovesAsItWouldAlone) {
    const std::vector<int> numbers = first(11);
    ASSERT_EQ(sets_of(crowd(of(), numbers)), 1u);
    ASSERT_EQ(sets_of(crowd(of(), {3})), 0u);
    Simulator together(crowd(of(), numbers));
    std::vector<std::unique_ptr<Simulator>> alone;
    for (const int number : numbers) alone.push_back(std::make_unique<Simulator>(crowd(of(), {number})));
    double away = 0, gone = 0;
    for (int frame = 0; frame < 30; ++frame) {
        together.advance();
        for (const int number : numbers) {
            Simulator& one = *alone[static_cast<std::size_t>(number)];
            one.advance();
            const std::vector<Part> a = of_figure(together, number), b = of_figure(one, number);
            ASSERT_EQ(a.size(), b.size());
            for (std::size_t i = 0; i < a.size(); ++i) {
                ASSERT_EQ(a[i].name, b[i].name);
                away = std::max({away, norm(a[i].x - b[i].x), norm(log_rotation(a[i].q * conjugate(b[i].q)))});
                gone = std::max(gone, norm(a[i].v));
            }
        }
    }
    EXPECT_LT(away, 1e-8);
    EXPECT_GT(gone, 0.1) << "nothing moved";
    EXPECT_LT(together.report().gap.value, 1e-9);
}

TEST_P(Crowds, NeighboursMakeNoDifferenceToTheBits) {
    Simulator all(crowd(of(), first(13))), some(crowd(of(), {7, 2, 12, 4, 9}));
    for (int frame = 0; frame < 40; ++frame) {
        all.advance();
        some.advance();
        for (const int number : {7, 2, 12, 4, 9})
            ASSERT_EQ(of_figure(all, number), of_figure(some, number)) << "figure " << number << ", frame " << frame;
    }
}

TEST_P(Crowds, EightNumbersAtOnceGiveTheSameBitsAsFourAndTwo) {
    std::uint64_t bits = 0;
    for (const lanes::Machine machine : {lanes::Machine::plain, lanes::Machine::wide, lanes::Machine::widest}) {
        lanes::limit_machine(machine);
        Simulator sim(crowd(of(), first(9)));
        for (int frame = 0; frame < 20; ++frame) sim.advance();
        if (machine == lanes::Machine::plain) bits = hash(sim.state());
        EXPECT_EQ(hash(sim.state()), bits);
    }
}

INSTANTIATE_TEST_SUITE_P(Of, Crowds,
                         testing::Combine(testing::Values(Figure::doll, Figure::tail, Figure::pendulum, Figure::ring),
                                          testing::Values(Scheme::newton, Scheme::exact), testing::Bool()),
                         [](const auto& p) {
                             return fmt::format("{}{}{}", name_of(std::get<0>(p.param)),
                                                std::get<1>(p.param) == Scheme::exact ? "Exact" : "",
                                                std::get<2>(p.param) ? "Held" : "Floating");
                         });

TEST(EqualIslands, FewIterationsLeaveEachWhereTheyLeaveItAlone) {
    const Crowd hasty{Figure::doll, Scheme::newton, true, 1};
    Simulator together(crowd(hasty, first(9))), alone(crowd(hasty, {5}));
    for (int frame = 0; frame < 20; ++frame) {
        together.advance();
        alone.advance();
    }
    const std::vector<Part> a = of_figure(together, 5), b = of_figure(alone, 5);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_LT(norm(a[i].x - b[i].x), 1e-9) << a[i].name;
    EXPECT_EQ(together.report().max_iterations, 1);
}

TEST(EqualIslands, OneThatTurnsTooFastHalvesItsOwnStepsOnly) {
    const Crowd dolls{Figure::doll};
    Spec calm = crowd(dolls, first(10)), wild = calm;
    for (SolidSpec& s : wild.solids)
        if (s.name.ends_with("_3")) s.spin = {0, 0, 100};
    Simulator a(calm), b(wild);
    int steps = 0;
    for (int frame = 0; frame < 20; ++frame) {
        steps += b.advance().steps - a.advance().steps;
        for (int number = 0; number < 10; ++number) {
            if (number == 3) continue;
            ASSERT_EQ(of_figure(a, number), of_figure(b, number)) << "figure " << number << ", frame " << frame;
        }
    }
    EXPECT_GT(steps, 20) << "nothing was halved";
}

TEST(EqualIslands, OneThatIsNoNumberStandsStillAndTheOthersGoOn) {
    Simulator a(crowd({Figure::doll}, first(6))), b(crowd({Figure::doll}, first(6)));
    for (int frame = 0; frame < 5; ++frame) {
        a.advance();
        b.advance();
    }
    State broken = b.state();
    const auto head = static_cast<std::size_t>(b.model().find_body("head_2"));
    broken.w[head].x = std::numeric_limits<double>::quiet_NaN();
    b.set_state(broken);
    for (int frame = 0; frame < 10; ++frame) {
        a.advance();
        b.advance();
        for (const int number : {0, 1, 3, 4, 5}) ASSERT_EQ(of_figure(a, number), of_figure(b, number));
    }
    ASSERT_EQ(b.report().failures.size(), 1u);
    EXPECT_EQ(static_cast<std::size_t>(b.report().failures[0].body), head);
    for (const Part& p : of_figure(b, 2)) EXPECT_EQ(p.v, Vec3{}) << p.name;
}

TEST(EqualIslands, AnyNumberOfThreadsGivesTheSameBits) {
    Spec spec = crowd({Figure::doll}, first(21));
    for (const int number : {21, 22, 23, 24, 25}) Maker(spec, number).make(Figure::tail, true);
    ASSERT_EQ(sets_of(spec), 2u);
    std::uint64_t bits = 0;
    for (const int threads : {1, 2, 3, 8}) {
        spec.simulation.threads = threads;
        Simulator sim(spec);
        for (int frame = 0; frame < 30; ++frame) sim.advance();
        if (threads == 1) bits = hash(sim.state());
        EXPECT_EQ(hash(sim.state()), bits) << threads << " threads";
    }
}

TEST(EqualIslands, NothingIsTakenFromTheHeapOnceWarm) {
    const Model model = compile(crowd({Figure::doll}, first(11)));
    Diagnostics diagnostics;
    StepWorkspace workspace(make_solver(model, diagnostics));
    State state = initial_state(model);
    for (int frame = 0; frame < 10; ++frame) advance_frame(model, state, workspace);
    const long before = test::allocation_count();
    for (int frame = 0; frame < 10; ++frame) advance_frame(model, state, workspace);
    EXPECT_EQ(test::allocation_count(), before);
}

TEST(EqualIslands, FloatingOnesKeepTheirMomentum) {
    Spec spec = crowd({Figure::doll, Scheme::exact, false}, first(9));
    spec.simulation.gravity = {};
    Simulator sim(spec);
    sim.advance();
    const Mechanics start = sim.mechanics();
    for (int frame = 0; frame < 120; ++frame) sim.advance();
    EXPECT_LT(norm(sim.mechanics().momentum - start.momentum), 1e-12);
    EXPECT_LT(norm(sim.mechanics().angular_momentum - start.angular_momentum), 1e-9);
}

TEST(EqualIslands, OnlyThoseOfOneShapeAndOnlyJointsGoTogether) {
    EXPECT_EQ(sets_of(crowd({Figure::doll}, first(3))), 0u) << "too few to be worth it";
    Spec spec = crowd({Figure::doll}, first(4));
    EXPECT_EQ(sets_of(spec), 1u);
    Spec budgeted = spec;
    budgeted.simulation.linearized.budget = 1e-3;
    EXPECT_EQ(sets_of(budgeted), 0u) << "a time is for all of them one after the other";
    Spec gradients = spec;
    gradients.simulation.linearized.method = LinearMethod::gradients;
    EXPECT_EQ(sets_of(gradients), 0u);
    for (ConstraintSpec& c : spec.constraints)
        if (c.solid2 == "head_1") c.soft = SoftSpec{};
    EXPECT_EQ(sets_of(spec), 0u) << "one has a neck that gives";
}

}  // namespace
}  // namespace armature::equals
