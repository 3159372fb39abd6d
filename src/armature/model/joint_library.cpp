#include "armature/model/joint_library.h"

#include <algorithm>

namespace armature {

namespace {

using Kind = FreedomKind;

constexpr JointFreedomInfo swing{"swing", Kind::swing, "angle between the main axes"};
constexpr JointFreedomInfo twist{"twist", Kind::turn, "turn about the main axes, the swing taken out"};
constexpr JointFreedomInfo along{"slide", Kind::slide, "way of P1 along the main axis"};
constexpr JointFreedomInfo about{"turn", Kind::turn, "turn about the main axis"};
constexpr JointFreedomInfo in_plane1{"slide1", Kind::slide, "way of P1 along the second axis"};
constexpr JointFreedomInfo in_plane2{"slide2", Kind::slide, "way of P1 along the third axis"};

constexpr JointFreedomInfo cross1{"turn1", Kind::dial2, "turn of the cross about the main axis of object 2"};
constexpr JointFreedomInfo cross2{"turn2", Kind::dial1, "turn of object 1 about its second axis, against the cross"};
constexpr JointFreedomInfo heading{"turn", Kind::dial2, "heading: turn of the cylinder's axis about the normal"};
constexpr JointFreedomInfo roll{"roll", Kind::dial1, "turn of object 1 about the cylinder's axis"};
constexpr JointFreedomInfo space1{"slide1", Kind::slide, "way of P1 along the main axis"};
constexpr JointFreedomInfo space2{"slide2", Kind::slide, "way of P1 along the second axis"};
constexpr JointFreedomInfo space3{"slide3", Kind::slide, "way of P1 along the third axis"};

struct Left {
    int rotations, translations, in_all;
};
using Names = std::vector<std::string_view>;

JointTypeInfo row(JointType type, std::string_view name, Names synonyms, Left left, std::string_view summary,
                  std::vector<JointFreedomInfo> freedoms) {
    return {type,        name,    std::move(synonyms), left.rotations, left.translations,
            left.in_all, summary, std::move(freedoms)};
}

std::vector<JointTypeInfo> make_table() {
    using T = JointType;
    return {
        row(T::embedding, "embedding", {"weld"}, {0, 0, 0}, "holds both as one", {}),
        row(T::pin, "pin", {"revolute"}, {1, 0, 1}, "turns about its axis", {about}),
        row(T::sliding, "sliding", {"prismatic"}, {0, 1, 1}, "slides along its axis", {along}),
        row(T::screw, "screw", {"helical"}, {1, 1, 1}, "turns about its axis and slides along it by the pitch per turn",
            {about, along}),
        row(T::cylindrical, "cylindrical", {}, {1, 1, 2}, "turns about its axis and slides along it", {about, along}),
        row(T::plane_on_plane, "plane_on_plane", {}, {1, 2, 3}, "two planes across the axis stay on each other",
            {about, in_plane1, in_plane2}),
        row(T::ball, "ball", {"spherical"}, {3, 0, 3}, "turns as it likes about a point", {swing, twist}),
        row(T::universal, "universal", {}, {2, 0, 2},
            "turns about the two arms of a cross: the main axis of object 2 and the second axis of object 1",
            {cross1, cross2}),
        row(T::cylinder_on_plane, "cylinder_on_plane", {}, {2, 2, 4},
            "a cylinder along the second axis of object 1 stays on a plane of object 2 across its main axis",
            {heading, roll, in_plane1, in_plane2}),
        row(T::ball_in_cylinder, "ball_in_cylinder", {}, {3, 1, 4},
            "a point slides along the axis and turns as it likes", {along, swing, twist}),
        row(T::ball_on_plane, "ball_on_plane", {}, {3, 2, 5},
            "a point stays in a plane across the axis and turns as it likes", {in_plane1, in_plane2, swing, twist}),
        row(T::flying, "flying", {}, {3, 3, 6}, "holds nothing; measures, and carries springs and motors",
            {space1, space2, space3, swing, twist}),
    };
}

/// A frame with its axes at right angles, as far as that is possible; compile() makes them unit vectors.
struct Axes {
    Vec3 at, i, j, k;
    explicit Axes(const JointFrame& L) : at(L.at_B), i(L.main_B), j(L.second_B) {
        const double n2 = norm2(i);
        if (n2 > 0) j -= dot(j, i) / n2 * i;
        k = cross(i, j);
    }
};

struct Maker {
    ConstraintSpec& out;
    const Axes &L1, &L2;

    void point(Domain domain) { out.hinge = HingeSpec{L1.at, L2.at, std::move(domain)}; }
    void line() { point(SegmentDomain{L2.i, -infinity, infinity}); }
    void plane() { point(RingDomain{L2.i, 0, infinity}); }
    void no_swing() { out.angle = AngleSpec{L1.i, L2.i, 0, 0}; }
    void no_turning() {
        no_swing();
        out.twist = TwistSpec{L1.j, L2.j, 0, 0};
    }
    /// The arms of the cross, or the plane's normal and the cylinder's axis.
    void right_angle() { out.angle = AngleSpec{L1.j, L2.i, pi / 2, pi / 2}; }

    void parts(JointType type, double pitch) {
        switch (type) {
            case JointType::embedding:
                point(PointDomain{});
                return no_turning();
            case JointType::pin:
                point(PointDomain{});
                return no_swing();
            case JointType::sliding:
                line();
                return no_turning();
            case JointType::screw:
                out.screw = ScrewSpec{L1.at, L2.at, L1.i, L2.i, pitch};
                [[fallthrough]];
            case JointType::cylindrical:
                line();
                return no_swing();
            case JointType::plane_on_plane:
                plane();
                return no_swing();
            case JointType::ball:
                return point(PointDomain{});
            case JointType::universal:
                point(PointDomain{});
                return right_angle();
            case JointType::cylinder_on_plane:
                plane();
                return right_angle();
            case JointType::ball_in_cylinder:
                return line();
            case JointType::ball_on_plane:
                return plane();
            case JointType::flying:
                return;
        }
    }

    /// Of the slides, the n-th of a plane runs along j, k and the n-th in space along i, j, k.
    Vec3 slide_axis(const JointTypeInfo& info, std::string_view name) const {
        if (name == "slide") return L2.i;
        const Vec3 axes[] = {L2.i, L2.j, L2.k};
        const auto n = static_cast<std::size_t>(name.back() - '1');
        return axes[n + (info.translations == 2 ? 1 : 0)];
    }

    void freedoms(const JointTypeInfo& info) {
        for (const JointFreedomInfo& row : info.freedoms) {
            FreedomSpec f;
            f.name = row.name;
            f.kind = row.kind;
            f.p1_B = L1.at;
            f.p2_B = L2.at;
            f.axis1_B = L1.i;
            f.axis2_B = row.kind == Kind::slide ? slide_axis(info, row.name) : L2.i;
            f.across1_B = L1.j;
            f.across2_B = L2.j;
            // The dials: j1 is read about i2 from j2; i2 about j1 from i1.
            if (row.kind == Kind::dial1 || row.kind == Kind::dial2) f.axis1_B = L1.j;
            if (row.kind == Kind::dial1) f.across1_B = L1.i;
            out.freedoms.push_back(std::move(f));
        }
    }
};

}  // namespace

const JointFreedomInfo* JointTypeInfo::find_freedom(std::string_view freedom) const {
    const auto it = std::find_if(freedoms.begin(), freedoms.end(), [&](const auto& f) { return f.name == freedom; });
    return it == freedoms.end() ? nullptr : &*it;
}

const std::vector<JointTypeInfo>& joint_types() {
    static const std::vector<JointTypeInfo> table = make_table();
    return table;
}

const JointTypeInfo& joint_type(JointType type) {
    return joint_types()[static_cast<std::size_t>(type)];
}

const JointTypeInfo* find_joint_type(std::string_view name) {
    for (const JointTypeInfo& info : joint_types())
        if (info.name == name || std::find(info.synonyms.begin(), info.synonyms.end(), name) != info.synonyms.end())
            return &info;
    return nullptr;
}

JointFrame joint_frame(const Pose& pose_WB, const Vec3& at_W, const Vec3& main_W, const Vec3& second_W) {
    return {rotate_back(pose_WB.q, at_W - pose_WB.x), rotate_back(pose_WB.q, main_W), rotate_back(pose_WB.q, second_W)};
}

ConstraintSpec make_joint(JointType type, std::string solid1, const JointFrame& L1, std::string solid2,
                          const JointFrame& L2, double pitch) {
    ConstraintSpec out;
    out.solid1 = std::move(solid1);
    out.solid2 = std::move(solid2);
    const Axes axes1(L1), axes2(L2);
    Maker maker{out, axes1, axes2};
    maker.parts(type, pitch);
    maker.freedoms(joint_type(type));
    return out;
}

FreedomSpec* find_freedom(ConstraintSpec& constraint, std::string_view name) {
    for (FreedomSpec& f : constraint.freedoms)
        if (f.name == name) return &f;
    return nullptr;
}

}  // namespace armature
