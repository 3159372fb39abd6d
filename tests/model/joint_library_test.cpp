// Every joint of the library, on random placements that satisfy it: as many independent rows as the table says, a null
// space that is what its freedoms are, values that are those the placement was made with.
#include "armature/model/joint_library.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "armature/math/random.h"
#include "armature/model/compile.h"
#include "armature/model/state.h"
#include "support/small_span.h"
#include "support/test_scale.h"

namespace armature {
namespace {

using Six = test::Span<6>;
using Twelve = test::Span<12>;

constexpr double pitch = 0.35;

/// How L1 lies in L2: a translation and a rotation, and the values that the freedoms then have.
struct Pose6 {
    Vec3 t;
    Quat q;
    std::vector<std::pair<std::string_view, double>> values;
};

Quat about(const Vec3& axis, double angle) {
    return from_axis_angle(axis, angle);
}

/// A random way to satisfy the joint. A screw keeps its slide and its turn in step from `start` on.
Pose6 random_pose(JointType type, Random& r, const Pose6* start) {
    const Vec3 x{1, 0, 0}, y{0, 1, 0};
    const double a = r.uniform(-3, 3), b = r.uniform(-3, 3), c = r.uniform(-1, 1), d = r.uniform(-1, 1),
                 e = r.uniform(-1, 1), swing = r.uniform(0.2, 2.6), heading = r.uniform(-3, 3);
    // A swing about an axis across x, behind a twist about x.
    const Quat any = about({0, std::cos(heading), std::sin(heading)}, swing) * about(x, a);
    switch (type) {
        case JointType::embedding:
            return {{}, {}, {}};
        case JointType::pin:
            return {{}, about(x, a), {{"turn", a}}};
        case JointType::sliding:
            return {{c, 0, 0}, {}, {{"slide", c}}};
        case JointType::screw: {
            const double from = start != nullptr ? start->t.x - pitch * start->values[0].second / (2 * pi) : c;
            const double slide = from + pitch * a / (2 * pi);
            return {{slide, 0, 0}, about(x, a), {{"turn", a}, {"slide", slide}}};
        }
        case JointType::cylindrical:
            return {{c, 0, 0}, about(x, a), {{"turn", a}, {"slide", c}}};
        case JointType::plane_on_plane:
            return {{0, c, d}, about(x, a), {{"turn", a}, {"slide1", c}, {"slide2", d}}};
        case JointType::ball:
            return {{}, any, {{"swing", swing}, {"twist", a}}};
        case JointType::universal:
            return {{}, about(x, a) * about(y, b), {{"turn1", a}, {"turn2", b}}};
        case JointType::cylinder_on_plane:
            return {{0, c, d}, about(x, a) * about(y, b), {{"turn", a}, {"roll", b}, {"slide1", c}, {"slide2", d}}};
        case JointType::ball_in_cylinder:
            return {{c, 0, 0}, any, {{"slide", c}, {"swing", swing}, {"twist", a}}};
        case JointType::ball_on_plane:
            return {{0, c, d}, any, {{"slide1", c}, {"slide2", d}, {"swing", swing}, {"twist", a}}};
        case JointType::flying:
            return {{c, d, e}, any, {{"slide1", c}, {"slide2", d}, {"slide3", e}, {"swing", swing}, {"twist", a}}};
    }
    return {};
}

/// The rotation that takes x, y, z to the axes of a frame.
Quat axes_of(const JointFrame& L) {
    const Vec3 i = normalized(L.main_B), j = normalized(L.second_B - dot(L.second_B, i) * i);
    const Quat first = shortest_arc({1, 0, 0}, i);
    const Vec3 y = rotate(first, {0, 1, 0});
    return from_axis_angle(i, std::atan2(dot(i, cross(y, j)), dot(y, j))) * first;
}

JointFrame random_frame(Random& r) {
    JointFrame L;
    L.at_B = r.in_box(0.5);
    L.main_B = r.uniform(0.3, 3) * r.direction();  // neither unit vectors nor at right angles
    L.second_B = r.uniform(0.3, 3) * normalized(cross(L.main_B, r.direction())) + r.uniform(-1, 1) * L.main_B;
    return L;
}

/// A joint between two solids whose centres of mass are not where their frames are.
struct Trial {
    JointFrame L1, L2;
    Pose6 first;
    Model model;
    State state;

    Trial(JointType type, Random& r) : L1(random_frame(r)), L2(random_frame(r)), first(random_pose(type, r, nullptr)) {
        Spec spec;
        for (const char* name : {"one", "two"}) {
            SolidSpec& s = spec.add_solid(name);
            s.shapes.push_back({"", Box{{0.4, 0.2, 0.1}}, {}, {}});
            s.point_masses.push_back({r.uniform(1, 5), r.in_box(0.3)});
        }
        spec.solids[1].pose_WB.x = r.in_box(1);
        spec.solids[1].pose_WB.q = r.orientation();
        spec.solids[0].pose_WB = solid1_at(first, spec.solids[1].pose_WB);
        spec.constraints.push_back(make_joint(type, "one", L1, "two", L2, pitch));
        model = compile(spec);
        state = initial_state(model);
    }

    /// The placement of solid 1 that puts L1 there in L2.
    Pose solid1_at(const Pose6& p, const Pose& X_W2) const {
        const Pose X_2L{L2.at_B, axes_of(L2)}, X_1L{L1.at_B, axes_of(L1)};
        return X_W2 * X_2L * Pose{p.t, p.q} * inverse(X_1L);
    }
    void place(const Pose6& p) { state.set_pose_WB(model, 1, solid1_at(p, state.pose_WB(model, 2))); }

    Placement at(BodyId body) const {
        const auto i = static_cast<std::size_t>(body);
        return {state.x[i], to_matrix(state.q[i])};
    }
    const Joint& joint() const { return model.joints.at(0); }
    double worst() const {
        double v = 0;
        for (const Part& part : joint().parts) v = std::fmax(v, violation(part, at(1), at(2)));
        return v;
    }
    /// The value of a freedom of the joint, of the turns the one nearest to `near`.
    CoordinateValue value(std::string_view name, double near) const {
        const FreedomId id = model.find_freedom(joint().name + "." + std::string(name));
        EXPECT_GE(id, 0) << name;
        return measure(model.freedoms.at(static_cast<std::size_t>(id)).coordinate, at(1), at(2), near);
    }
    /// The rows that hold: those of the parts, and of the thread.
    std::vector<Row> rows_that_hold(double turn) const {
        std::vector<Row> list;
        for (const Part& part : joint().parts) {
            const PartRows r = rows(part, at(1), at(2));
            list.insert(list.end(), r.row.begin(), r.row.begin() + r.count);
        }
        for (const FreedomId id : joint().freedoms) {
            const Freedom& f = model.freedoms[static_cast<std::size_t>(id)];
            if (!f.locked) continue;
            const CoordinateValue c = measure(f.coordinate, at(1), at(2), turn);
            list.push_back({c.linear, c.angular1, c.angular2, c.value, RowKind::equality});
        }
        return list;
    }
};

Six::Vector six(const Vec3& linear, const Vec3& angular) {
    return {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
}

class EveryJoint : public testing::TestWithParam<JointTypeInfo> {
  protected:
    template <class Check>
    void on_random_placements(Check check) const {
        for (int k = 0; k < test::scaled(60, 20); ++k) {
            SCOPED_TRACE(testing::Message() << "configuration " << k);
            Random random(static_cast<std::uint64_t>(k + 1));
            Trial trial(GetParam().type, random);
            check(trial, trial.first);
            for (int again = 0; again < 3; ++again) {
                const Pose6 p = random_pose(GetParam().type, random, &trial.first);
                trial.place(p);
                check(trial, p);
            }
        }
    }
    static double turn_in(const Pose6& p) {
        for (const auto& [name, value] : p.values)
            if (name == "turn") return value;
        return 0;
    }
    /// The turn of the thread is counted from the start.
    static double thread_turn(const Trial& t, const Pose6& p) { return turn_in(p) - turn_in(t.first); }
};

TEST_P(EveryJoint, HoldsWhereItShould) {
    on_random_placements([&](const Trial& t, const Pose6& p) {
        EXPECT_LT(t.worst(), 1e-9);  // through arctangents near zero, hence no better
        for (const Row& row : t.rows_that_hold(thread_turn(t, p))) EXPECT_NEAR(row.error, 0, 1e-9);
    });
}

TEST_P(EveryJoint, LeavesAsManyFreedomsAsTheTableSays) {
    on_random_placements([&](const Trial& t, const Pose6& p) {
        std::vector<Twelve::Vector> rows;
        for (const Row& r : t.rows_that_hold(thread_turn(t, p))) {
            EXPECT_EQ(r.kind, RowKind::equality);
            rows.push_back({r.linear.x, r.linear.y, r.linear.z, r.angular1.x, r.angular1.y, r.angular1.z, -r.linear.x,
                            -r.linear.y, -r.linear.z, r.angular2.x, r.angular2.y, r.angular2.z});
        }
        EXPECT_EQ(rows.size(), static_cast<std::size_t>(6 - GetParam().freedoms_in_all)) << "none is written twice";
        const Twelve span(rows);
        EXPECT_EQ(span.rank(), 6 - GetParam().freedoms_in_all);
        if (span.rank() > 0) {
            EXPECT_GT(span.smallest_pivot(), 1e-3) << "the rank is clear";
        }
    });
}

TEST_P(EveryJoint, ItsFreedomsAreWhatIsFree) {
    on_random_placements([&](const Trial& t, const Pose6& p) {
        // Motions of solid 1 while solid 2 rests.
        std::vector<Six::Vector> held;
        for (const Row& r : t.rows_that_hold(thread_turn(t, p))) held.push_back(six(r.linear, r.angular1));
        const std::vector<Six::Vector> free = Six(held).complement();
        ASSERT_EQ(free.size(), static_cast<std::size_t>(GetParam().freedoms_in_all));
        // The freedoms' rows on the free motions alone: each row as its components along the basis.
        std::vector<Six::Vector> seen;
        for (const JointFreedomInfo& f : GetParam().freedoms) {
            const CoordinateValue c = t.value(f.name, 0);
            Six::Vector components{};
            for (std::size_t i = 0; i < free.size(); ++i) components[i] = Six::dot(six(c.linear, c.angular1), free[i]);
            seen.push_back(components);
        }
        const Six span(seen);
        const bool free_turning = GetParam().rotations == 3;  // the direction of the swing is no freedom of the list
        const int expected = GetParam().freedoms_in_all - (free_turning ? 1 : 0);
        EXPECT_EQ(span.rank(), expected);
        if (expected > 0) {
            EXPECT_GT(span.smallest_pivot(), 1e-3);
        }
        if (GetParam().type != JointType::screw) {
            EXPECT_EQ(static_cast<int>(GetParam().freedoms.size()), expected) << "each is independent of the others";
        }
    });
}

TEST_P(EveryJoint, ItsFreedomsHaveTheValuesThePlacementWasMadeWith) {
    on_random_placements([&](const Trial& t, const Pose6& p) {
        ASSERT_EQ(p.values.size(), GetParam().freedoms.size());
        for (const auto& [name, value] : p.values) EXPECT_NEAR(t.value(name, value).value, value, 1e-9) << name;
    });
}

TEST_P(EveryJoint, MovingAlongWhatIsFreeKeepsItHeldToFirstOrder) {
    on_random_placements([&](const Trial& t, const Pose6& p) {
        std::vector<Six::Vector> held;
        for (const Row& r : t.rows_that_hold(thread_turn(t, p))) held.push_back(six(r.linear, r.angular1));
        for (const Six::Vector& m : Six(held).complement()) {
            const double step = 1e-4;
            Trial moved = t;
            moved.state.x[1] += step * Vec3{m[0], m[1], m[2]};
            moved.state.q[1] = turned(moved.state.q[1], step * Vec3{m[3], m[4], m[5]});
            // Second order: about step² times the curvature, which is of size one for lever arms of a metre.
            EXPECT_LT(moved.worst(), 10 * step * step);
            for (const Row& r : moved.rows_that_hold(thread_turn(t, p))) EXPECT_NEAR(r.error, 0, 10 * step * step);
        }
    });
}

TEST_P(EveryJoint, ItsRowsAreTheDerivativesOfTheirErrors) {
    on_random_placements([&](const Trial& t, const Pose6& p) {
        Random random(7);
        const Vec3 v1 = random.in_box(1), w1 = random.in_box(1), v2 = random.in_box(1), w2 = random.in_box(1);
        const auto at = [&](double dt) {
            Trial moved = t;
            moved.state.x[1] += dt * v1;
            moved.state.x[2] += dt * v2;
            moved.state.q[1] = turned(t.state.q[1], dt * w1);
            moved.state.q[2] = turned(t.state.q[2], dt * w2);
            return moved.rows_that_hold(thread_turn(t, p));
        };
        const double dt = 1e-5;
        const std::vector<Row> now = at(0), later = at(dt), before = at(-dt);
        for (std::size_t i = 0; i < now.size(); ++i) {
            const double rate = dot(now[i].linear, v1 - v2) + dot(now[i].angular1, w1) + dot(now[i].angular2, w2);
            EXPECT_NEAR(rate, (later[i].error - before[i].error) / (2 * dt), 1e-7) << "row " << i;
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Type, EveryJoint, testing::ValuesIn(joint_types()),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(JointTable, IsThatOfThePapers) {
    // Dumont, Arnaldi, Hégron 1990, table 1: rotations, translations, degrees of freedom.
    struct PaperRow {
        const char* name;
        int rotations, translations, freedoms;
    };
    const PaperRow paper[] = {{"embedding", 0, 0, 0},
                              {"pin", 1, 0, 1},
                              {"sliding", 0, 1, 1},
                              {"screw", 1, 1, 1},
                              {"cylindrical", 1, 1, 2},
                              {"plane_on_plane", 1, 2, 3},
                              {"ball", 3, 0, 3},
                              {"cylinder_on_plane", 2, 2, 4},
                              {"ball_in_cylinder", 3, 1, 4},
                              {"ball_on_plane", 3, 2, 5},
                              {"flying", 3, 3, 6},
                              {"universal", 2, 0, 2}};
    for (const PaperRow& row : paper) {
        const JointTypeInfo* info = find_joint_type(row.name);
        ASSERT_NE(info, nullptr) << row.name;
        EXPECT_EQ(info->rotations, row.rotations) << row.name;
        EXPECT_EQ(info->translations, row.translations) << row.name;
        EXPECT_EQ(info->freedoms_in_all, row.freedoms) << row.name;
    }
    EXPECT_EQ(std::size(paper), joint_types().size());
}

TEST(JointTable, NamesAreUniqueAndFound) {
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < joint_types().size(); ++i) {
        const JointTypeInfo& info = joint_types()[i];
        EXPECT_EQ(static_cast<std::size_t>(info.type), i) << "joint_type() takes the row by its place";
        EXPECT_EQ(&joint_type(info.type), &info);
        EXPECT_FALSE(info.summary.empty());
        EXPECT_TRUE(names.insert(info.name).second);
        EXPECT_EQ(find_joint_type(info.name), &info);
        for (const std::string_view s : info.synonyms) {
            EXPECT_TRUE(names.insert(s).second);
            EXPECT_EQ(find_joint_type(s), &info);
        }
        std::set<std::string_view> freedoms;
        for (const JointFreedomInfo& f : info.freedoms) {
            EXPECT_TRUE(freedoms.insert(f.name).second);
            EXPECT_FALSE(f.doc.empty());
            EXPECT_EQ(info.find_freedom(f.name), &f);
        }
    }
    EXPECT_EQ(find_joint_type("hook"), nullptr);
    EXPECT_EQ(joint_type(JointType::pin).find_freedom("slide"), nullptr);
}

TEST(MakeJoint, FromAFrameInTheWorldHoldsAsPlaced) {
    Random random(11);
    for (const JointTypeInfo& info : joint_types()) {
        Spec spec;
        for (const char* name : {"one", "two"}) {
            SolidSpec& s = spec.add_solid(name);
            s.shapes.push_back({"", Box{{0.4, 0.2, 0.1}}, {}, {}});
            s.pose_WB = {random.in_box(1), random.orientation()};
        }
        const Vec3 at = random.in_box(1), i = random.direction(), j = any_perpendicular(i);
        spec.constraints.push_back(make_joint(info.type, "one", joint_frame(spec.solids[0].pose_WB, at, i, j), "two",
                                              joint_frame(spec.solids[1].pose_WB, at, i, j), 0.1));
        const Model model = compile(spec);
        const State state = initial_state(model);
        const auto placed = [&](std::size_t b) { return Placement{state.x[b], to_matrix(state.q[b])}; };
        for (const Part& part : model.joints[0].parts) EXPECT_LT(violation(part, placed(1), placed(2)), 1e-7);
        for (const FreedomState& f : state.freedoms) EXPECT_NEAR(f.value, 0, 1e-7) << info.name;
    }
}

TEST(MakeJoint, GivesEveryFreedomToBeFilledIn) {
    for (const JointTypeInfo& info : joint_types()) {
        ConstraintSpec c = make_joint(info.type, "a", {}, "b", {}, 1);
        EXPECT_EQ(c.freedoms.size(), info.freedoms.size());
        for (const JointFreedomInfo& f : info.freedoms) {
            ASSERT_NE(find_freedom(c, f.name), nullptr);
            EXPECT_EQ(find_freedom(c, f.name)->kind, f.kind);
        }
        EXPECT_EQ(find_freedom(c, "none"), nullptr);
        EXPECT_EQ(c.screw.has_value(), info.type == JointType::screw);
    }
}

}  // namespace
}  // namespace armature
