// The inner loop for ball joints and pins finds what the rows of any kind find, and the same bits on every machine.
#include "armature/solvers/linearized/bilateral.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "armature/model/compile.h"
#include "armature/model/joint_library.h"
#include "armature/sim/free_motion.h"
#include "armature/sim/simulator.h"
#include "armature/solvers/linearized/lockstep/lockstep.h"

namespace armature {
namespace {

enum class Structure {
    chain,
    pins,
    ring,
    heavy,
    long_chain,
    backward_chain,
    long_pins,
    long_ring,
    uneven_chain,
    uneven_pins,
    star,
    hubs,
    ladder,
    legs
};

void add_ball(Spec& spec, const std::string& one, const Vec3& p1, const std::string& two, const Vec3& p2) {
    spec.add_constraint(one, two).hinge = HingeSpec{p1, p2, PointDomain{}};
}

/// A plate with arms on ball joints around it.
void add_plate(Spec& spec, const std::string& name, const Vec3& x, int arms) {
    SolidSpec& plate = spec.add_solid(name);
    plate.shapes.emplace_back().geometry = Box{{0.2, 0.02, 0.2}};
    plate.mass = 3;
    plate.pose_WB.x = x;
    for (int i = 0; i < arms; ++i) {
        const double angle = 2 * pi / arms * i;
        const Vec3 out{std::cos(angle), 0, std::sin(angle)};
        SolidSpec& arm = spec.add_solid(fmt::format("{}_arm{}", name, i));
        arm.shapes.emplace_back().geometry = Box{{0.2, 0.03, 0.02}};
        arm.mass = 1;
        arm.pose_WB = {x + 0.2 * out, from_axis_angle({0, 1, 0}, -angle)};
        add_ball(spec, name, 0.1 * out, arm.name, {-0.1, 0, 0});
    }
}

/// One plate on a ball joint; or two of them, the first on a pin, tied to each other and again by two of their arms.
void add_plates(Spec& spec, Structure structure) {
    add_plate(spec, "one", {}, 9);
    if (structure == Structure::star) return add_ball(spec, "world", {0.05, 0, 0}, "one", {0.05, 0, 0});
    const Vec3 axis{0, 1, 0};
    ConstraintSpec pin =
        make_joint(JointType::pin, "world", {{0.05, 0, 0}, axis, {1, 0, 0}}, "one", {{0.05, 0, 0}, axis, {1, 0, 0}});
    pin.freedoms.clear();
    spec.constraints.push_back(pin);
    add_plate(spec, "two", {0.6, 0, 0}, 8);
    add_ball(spec, "one", {0.3, 0.1, 0}, "two", {-0.3, 0.1, 0});
    add_ball(spec, "one_arm0", {0.1, 0, 0}, "two_arm4", {0.1, 0, 0});
}

/// Bars that cross in pins, stage upon stage, tied at their ends: every stage closes a loop. One foot on a pin, the other free.
void add_ladder(Spec& spec, int stages) {
    const Vec3 axis{0, 0, 1};
    const auto add_pin = [&](const std::string& one, const Vec3& p1, const std::string& two, const Vec3& p2) {
        ConstraintSpec pin = make_joint(JointType::pin, one, {p1, axis, {1, 0, 0}}, two, {p2, axis, {1, 0, 0}});
        pin.freedoms.clear();
        spec.constraints.push_back(pin);
    };
    const auto bar = [](int stage, const char* which) { return fmt::format("{}{}", which, stage); };
    for (int i = 0; i < stages; ++i) {
        for (const double lean : {1.0, -1.0}) {
            SolidSpec& s = spec.add_solid(bar(i, lean > 0 ? "up" : "down"));
            s.shapes.emplace_back().geometry = Box{{0.4, 0.03, 0.02}};
            s.mass = 1 + 0.02 * i;
            s.pose_WB = {{0, 0.2 * i, 0.02 * lean}, from_axis_angle(axis, lean * pi / 6)};
        }
        add_pin(bar(i, "up"), {}, bar(i, "down"), {});
        const Vec3 end{0.2, 0, 0};
        if (i == 0) {
            add_pin("world", rotate(from_axis_angle(axis, pi / 6), -1.0 * end), bar(0, "up"), -1.0 * end);
            continue;
        }
        add_pin(bar(i - 1, "up"), end, bar(i, "down"), end);
        add_pin(bar(i - 1, "down"), -1.0 * end, bar(i, "up"), -1.0 * end);
    }
}

/// A plate on a pin, with legs of three links around it, one pin and two ball joints each, whose feet are tied to the ground.
void add_legs(Spec& spec, int legs) {
    SolidSpec& plate = spec.add_solid("plate");
    plate.shapes.emplace_back().geometry = Box{{0.2, 0.02, 0.2}};
    plate.mass = 3;
    const Vec3 up{0, 1, 0};
    const auto add_pin = [&](const std::string& one, const Vec3& p1, const std::string& two, const Vec3& p2,
                             const Vec3& axis1, const Vec3& axis2) {
        ConstraintSpec pin = make_joint(JointType::pin, one, {p1, axis1, any_perpendicular(axis1)}, two,
                                        {p2, axis2, any_perpendicular(axis2)});
        pin.freedoms.clear();
        spec.constraints.push_back(pin);
    };
    add_pin("world", {}, "plate", {}, up, up);
    for (int i = 0; i < legs; ++i) {
        const double angle = 2 * pi / legs * i;
        const Quat turn = from_axis_angle(up, -angle);
        const Vec3 across{0, 0, 1};
        Vec3 knee{0.1, 0, 0};  // the legs are bent: straight ones could not move
        for (int k = 0; k < 3; ++k) {
            SolidSpec& s = spec.add_solid(fmt::format("leg{}_{}", i, k));
            s.shapes.emplace_back().geometry = Box{{0.2, 0.03, 0.02}};
            s.mass = 1 + 0.1 * k;
            const Quat lean = from_axis_angle(across, k == 0 ? 0 : k == 1 ? 0.8 : -0.7);
            s.pose_WB = {rotate(turn, knee + rotate(lean, {0.1, 0, 0})), turn * lean};
            if (k == 0)
                add_pin("plate", rotate(turn, knee), s.name, {-0.1, 0, 0}, rotate(turn, across), across);
            else
                add_ball(spec, fmt::format("leg{}_{}", i, k - 1), {0.1, 0, 0}, s.name, {-0.1, 0, 0});
            knee += rotate(lean, {0.2, 0, 0});
        }
        add_ball(spec, fmt::format("leg{}_2", i), {0.1, 0, 0}, "world", rotate(turn, knee));
    }
}

/// 49 links, no two of eight side by side alike, at all angles; nothing is left over when they are cut into eight.
void add_uneven_links(Spec& spec, bool pins) {
    Vec3 joint{};
    for (int i = 0; i < 49; ++i) {
        SolidSpec& s = spec.add_solid(fmt::format("link{}", i));
        const double length = 0.15 + 0.01 * (i % 5);
        s.shapes.emplace_back().geometry = Box{{length, 0.03 + 0.01 * (i % 3), 0.02}};
        s.mass = 1 + 0.3 * (i % 4);
        const Quat q = from_axis_angle(normalized(Vec3{1, i % 3 - 1.0, 2}), 0.4 * (i % 7) - 1);
        const Vec3 p2{-0.5 * length, 0.01 * (i % 2), 0}, p1{0.5 * length, 0, 0.01 * (i % 3)};
        s.pose_WB = {joint - rotate(q, p2), q};
        const std::string above = i == 0 ? "world" : fmt::format("link{}", i - 1);
        const Pose from = i == 0 ? Pose{} : spec.solids[static_cast<std::size_t>(i) - 1].pose_WB;
        const Vec3 p_above = rotate_back(from.q, joint - from.x);
        if (pins) {
            const Vec3 axis = normalized(Vec3{0.3 * (i % 4), 0.2 * (i % 3), 1});
            const Vec3 axis1 = rotate_back(from.q, axis), axis2 = rotate_back(q, axis);
            ConstraintSpec pin = make_joint(JointType::pin, above, {p_above, axis1, any_perpendicular(axis1)},
                                            fmt::format("link{}", i), {p2, axis2, any_perpendicular(axis2)});
            pin.freedoms.clear();
            spec.constraints.push_back(pin);
        } else {
            add_ball(spec, above, p_above, fmt::format("link{}", i), p2);
        }
        joint = s.pose_WB.x + rotate(q, p1);
    }
}

/// A joint that holds since before the start always holds, and is still not one of those that the inner loop knows.
Spec build(Structure structure, Scheme scheme, bool the_long_way) {
    Spec spec;
    spec.simulation.solver = "linearized";
    spec.simulation.scheme = scheme;
    // Not quite along the plane of the pins, which would go by planar.h; what a ladder carries across is not determined.
    spec.simulation.gravity = {0, -9.81, 1e-4};
    if (structure >= Structure::uneven_chain) {
        if (structure == Structure::ladder)
            add_ladder(spec, 27);
        else if (structure == Structure::legs)
            add_legs(spec, 11);
        else if (structure == Structure::uneven_chain || structure == Structure::uneven_pins)
            add_uneven_links(spec, structure == Structure::uneven_pins);
        else
            add_plates(spec, structure);
        if (the_long_way)
            for (ConstraintSpec& c : spec.constraints) c.from = -1;
        return spec;
    }
    const bool ring = structure == Structure::ring || structure == Structure::long_ring;
    const bool pins = structure == Structure::pins || structure == Structure::long_pins;
    const int links = structure == Structure::ring ? 12 : structure < Structure::long_chain ? 8 : 45;
    for (int i = 0; i < links; ++i) {
        SolidSpec& s = spec.add_solid(fmt::format("link{}", i));
        s.shapes.emplace_back().geometry = Box{{0.2, 0.03, 0.02}};
        s.mass = structure == Structure::heavy && i == links - 1 ? 1000 : 1;
        const double angle = 2 * pi / links * i;
        if (ring) {
            const double radius = 0.1 / std::tan(pi / links);
            s.pose_WB = {{radius * std::sin(angle), radius * std::cos(angle), 0}, from_axis_angle({0, 0, 1}, -angle)};
            s.spin = {0, 0, 2};
            s.velocity = cross(s.spin, s.pose_WB.x);
        } else {
            s.pose_WB.x = {0.1 + 0.2 * i, 0, 0};
        }
    }
    for (int i = ring ? 0 : -1; i < links; ++i) {
        if (!ring && i == links - 1) break;
        const std::string one = i < 0 ? "world" : fmt::format("link{}", i),
                          two = fmt::format("link{}", (i + 1) % links);
        const Vec3 p1{i < 0 ? 0 : 0.1, 0, 0}, p2{-0.1, 0, 0}, axis{0, 0, 1};
        if (pins) {
            ConstraintSpec pin = make_joint(JointType::pin, one, {p1, axis, {1, 0, 0}}, two, {p2, axis, {1, 0, 0}});
            pin.freedoms.clear();
            spec.constraints.push_back(pin);
        } else if (structure == Structure::backward_chain) {  // each link names the one before it
            add_ball(spec, two, p2, one, p1);
        } else {
            add_ball(spec, one, p1, two, p2);
        }
    }
    if (the_long_way)
        for (ConstraintSpec& c : spec.constraints) c.from = -1;
    return spec;
}

class Bilateral : public testing::TestWithParam<std::tuple<Structure, Scheme>> {};

TEST_P(Bilateral, MovesAsRowsOfAnyKindDo) {
    const auto [structure, scheme] = GetParam();
    Simulator quick(build(structure, scheme, false)), slow(build(structure, scheme, true));
    // Until the two differ by what chaos makes of round-off.
    for (int frame = 0; frame < 20; ++frame) {
        quick.advance();
        slow.advance();
        for (std::size_t i = 0; i < quick.state().x.size(); ++i) {
            ASSERT_LE(norm(quick.state().x[i] - slow.state().x[i]), 1e-8) << frame;
            ASSERT_LE(norm(quick.state().w[i] - slow.state().w[i]), 1e-5) << frame;
        }
    }
    EXPECT_LE(quick.report().gap.value, 1e-9);
    EXPECT_EQ(quick.report().unconverged, 0);
}

TEST_P(Bilateral, EightNumbersAtOnceGiveTheSameBitsAsFourAndTwo) {
    const auto [structure, scheme] = GetParam();
    const Spec spec = build(structure, scheme, false);
    Simulator widest(spec);
    widest.advance_to(1);
    for (const lanes::Machine most : {lanes::Machine::wide, lanes::Machine::plain}) {
        lanes::limit_machine(most);
        Simulator narrow(spec);
        narrow.advance_to(1);
        lanes::limit_machine(lanes::Machine::widest);
        EXPECT_EQ(hash(widest.state()), hash(narrow.state()));
    }
}

TEST_P(Bilateral, LoadsOfTheJointsAreThoseOfTheRows) {
    const auto [structure, scheme] = GetParam();
    Simulator quick(build(structure, scheme, false)), slow(build(structure, scheme, true));
    for (int frame = 0; frame < 10; ++frame) {
        quick.advance();
        slow.advance();
    }
    for (std::size_t k = 0; k < quick.model().joints.size(); ++k) {
        const JointLoad &a = quick.state().loads[k], &b = slow.state().loads[k];
        EXPECT_LE(norm(a.force - b.force), 1e-5 * (1 + norm(b.force))) << k;
        EXPECT_LE(norm(a.torque - b.torque), 1e-4 * (1 + norm(b.torque))) << k;
    }
}

TEST(BilateralLockstep, PartsOfWhatRepeatsAreFound) {
    for (const Structure structure : {Structure::long_chain, Structure::backward_chain, Structure::long_pins,
                                      Structure::long_ring, Structure::uneven_chain, Structure::uneven_pins,
                                      Structure::ladder, Structure::legs, Structure::chain, Structure::hubs}) {
        const Model model = compile(build(structure, Scheme::newton, false));
        LocalBodies at;
        gather(model.islands[0], initial_state(model), at);
        const LocalBodies start = at;
        std::vector<Vec3> moved;
        std::vector<JointLoad> impulses;
        CorrectionProblem problem{model, model.islands[0], 0, at.x, at.q, &start.x, &start.q, moved, impulses, 1e-9, 1};
        BilateralNewton newton;
        ASSERT_TRUE(newton.fits(problem));
        const bool repeats = structure != Structure::chain && structure != Structure::hubs;
        EXPECT_EQ(newton.in_lockstep(), repeats) << static_cast<int>(structure);
        BilateralPlan plan;
        make_plan(problem, plan);
        const bool links = structure == Structure::long_chain || structure == Structure::backward_chain ||
                           structure == Structure::long_pins || structure == Structure::long_ring ||
                           structure == Structure::uneven_chain || structure == Structure::uneven_pins;
        EXPECT_EQ(plan.lockstep && !plan.lockstep->strands.empty(), links) << static_cast<int>(structure);
    }
}

/// Turns that the series of small ones do not reach are made lane by lane.
TEST(BilateralLockstep, LinksThatTurnFarHaveTheSameBitsOnEveryMachine) {
    Spec spec = build(Structure::long_pins, Scheme::newton, false);
    for (std::size_t i = 0; i < spec.solids.size(); ++i) spec.solids[i].spin = {0.1, 0.3, i % 2 == 0 ? 40.0 : -40.0};
    Simulator widest(spec);
    widest.advance_to(0.2);
    lanes::limit_machine(lanes::Machine::plain);
    Simulator narrow(spec);
    narrow.advance_to(0.2);
    lanes::limit_machine(lanes::Machine::widest);
    EXPECT_EQ(hash(widest.state()), hash(narrow.state()));
}

/// Each arm is coupled with the plate, not with every other arm.
TEST(BilateralHubs, AStarCostsNoMoreThanItsArms) {
    const auto cost = [](int arms) {
        Spec spec;
        add_plate(spec, "one", {}, arms);
        const Model model = compile(spec);
        LocalBodies at;
        gather(model.islands[0], initial_state(model), at);
        const LocalBodies start = at;
        std::vector<Vec3> moved;
        std::vector<JointLoad> impulses;
        CorrectionProblem problem{model, model.islands[0], 0, at.x, at.q, &start.x, &start.q, moved, impulses, 1e-9, 1};
        BilateralNewton newton;
        EXPECT_TRUE(newton.fits(problem));
        return newton.cost();
    };
    EXPECT_LT(cost(400), 4.1 * cost(100));
}

/// Along a straight arm nothing gives: only with what the hub adds can its joints be solved for. The first iteration has it all.
TEST(BilateralHubs, AStarThatHangsStraightDownCarriesItsWeightAtOnce) {
    for (const int arms : {6, 24}) {  // by itself, and in lockstep
        Spec spec;
        spec.simulation.solver = "linearized";
        spec.simulation.scheme = Scheme::exact;
        spec.simulation.iterations = 1;
        const auto add_rod = [&](const std::string& name, const Vec3& top) {
            SolidSpec& rod = spec.add_solid(name);
            rod.shapes.emplace_back().geometry = Box{{0.02, 0.2, 0.03}};
            rod.mass = 1;
            rod.pose_WB.x = top - Vec3{0, 0.1, 0};
        };
        add_rod("upper", {});
        add_rod("lower", {0, -0.2, 0});
        SolidSpec& plate = spec.add_solid("plate");
        plate.shapes.emplace_back().geometry = Box{{0.2, 0.02, 0.2}};
        plate.mass = 3;
        plate.pose_WB.x = {0, -0.4, 0};
        add_ball(spec, "world", {}, "upper", {0, 0.1, 0});
        add_ball(spec, "upper", {0, -0.1, 0}, "lower", {0, 0.1, 0});
        add_ball(spec, "lower", {0, -0.1, 0}, "plate", {});
        for (int i = 0; i < arms; ++i) {
            const Vec3 at{0.1 * std::cos(2 * pi / arms * i), 0, 0.1 * std::sin(2 * pi / arms * i)};
            add_rod(fmt::format("arm{}", i), at - Vec3{0, 0.4, 0});
            add_ball(spec, "plate", at, fmt::format("arm{}", i), {0, 0.1, 0});
        }
        const Quat lean = from_axis_angle(normalized(Vec3{1, 2, 3}), 0.7);  // no number of it is round
        for (SolidSpec& solid : spec.solids) solid.pose_WB = Pose{{}, lean} * solid.pose_WB;
        spec.simulation.gravity = rotate(lean, {0, -9.81, 0});
        Simulator sim(spec);
        sim.advance();
        const double weight = 9.81 * (5 + arms);
        EXPECT_NEAR(norm(sim.state().loads[0].force), weight, 1e-9 * weight) << arms;
        EXPECT_LT(sim.mechanics().kinetic, 1e-20) << arms;
    }
}

std::string name_of(const testing::TestParamInfo<std::tuple<Structure, Scheme>>& parameters) {
    static const std::map<Structure, std::string> structures{{Structure::chain, "chain"},
                                                             {Structure::pins, "pins"},
                                                             {Structure::ring, "ring"},
                                                             {Structure::heavy, "heavy"},
                                                             {Structure::long_chain, "long_chain"},
                                                             {Structure::backward_chain, "backward_chain"},
                                                             {Structure::long_pins, "long_pins"},
                                                             {Structure::long_ring, "long_ring"},
                                                             {Structure::uneven_chain, "uneven_chain"},
                                                             {Structure::uneven_pins, "uneven_pins"},
                                                             {Structure::ladder, "ladder"},
                                                             {Structure::legs, "legs"},
                                                             {Structure::star, "star"},
                                                             {Structure::hubs, "hubs"}};
    const auto [structure, scheme] = parameters.param;
    return fmt::format("{}_{}", structures.at(structure), scheme_info(scheme).name);
}

INSTANTIATE_TEST_SUITE_P(
    Structures, Bilateral,
    testing::Combine(testing::Values(Structure::chain, Structure::pins, Structure::ring, Structure::heavy,
                                     Structure::long_chain, Structure::backward_chain, Structure::long_pins,
                                     Structure::long_ring, Structure::uneven_chain, Structure::uneven_pins,
                                     Structure::ladder, Structure::legs, Structure::star, Structure::hubs),
                     testing::Values(Scheme::newton, Scheme::exact, Scheme::euler)),
    name_of);

}  // namespace
}  // namespace armature
