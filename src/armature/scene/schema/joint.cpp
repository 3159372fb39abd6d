// Joints by name: their types and freedoms are those of model/joint_library.h. And tracks: numbers over time.
#include <algorithm>
#include <deque>

#include "armature/model/joint_library.h"
#include "armature/scene/schema/common.h"

namespace armature::lang {

namespace {

/// Rows hold views: texts that are put together live here.
std::string_view kept(std::string text) {
    static std::deque<std::string> texts;
    return texts.emplace_back(std::move(text));
}

std::string_view type_words() {
    std::string words;
    for (const JointTypeInfo& info : joint_types()) {
        words += (words.empty() ? "" : "|") + std::string(info.name);
        for (const std::string_view s : info.synonyms) words.append("|").append(s);
    }
    return kept(std::move(words));
}

/// "turn about the main axis (pin, screw); heading … (cylinder_on_plane)": what the freedom is in each joint that has it.
std::string_view freedom_doc(std::string_view name) {
    std::vector<std::pair<std::string_view, std::string>> meanings;  // doc → joints
    for (const JointTypeInfo& info : joint_types()) {
        const JointFreedomInfo* f = info.find_freedom(name);
        if (f == nullptr) continue;
        auto it = std::find_if(meanings.begin(), meanings.end(), [&](const auto& m) { return m.first == f->doc; });
        if (it == meanings.end()) it = meanings.insert(meanings.end(), {f->doc, {}});
        it->second += (it->second.empty() ? "" : ", ") + std::string(info.name);
    }
    std::string text;
    for (const auto& [doc, joints] : meanings)
        text += (text.empty() ? "" : "; ") + std::string(doc) + " (" + joints + ")";
    return kept(std::move(text));
}

struct Units {
    std::string_view place, rate, force, stiffness, damping;
};

KeywordSpec freedom_keyword(const JointFreedomInfo& f) {
    const bool length = f.kind == FreedomKind::slide;
    const Units u =
        length ? Units{"m", "m/s", "N", "N/m", "N s/m"} : Units{"rad", "rad/s", "N m", "N m/rad", "N m s/rad"};
    return {.name = f.name,
            .options = {option("min", {scalar("x", u.place)}, "-inf", "lower limit"),
                        option("max", {scalar("x", u.place)}, "inf", "upper limit"),
                        option("restitution", {number("e")}, "0", "share of the speed that a limit gives back, 0 to 1"),
                        option("stiffness", {scalar("k", u.stiffness)}, "no spring", "of a spring"),
                        option("rest", {scalar("x", u.place)}, "0", "where that spring is at rest"),
                        option("damping", {scalar("c", u.damping)}, "no damper", "of a damper"),
                        option("force", {scalar("F", u.force)}, "no motor", "of a motor with that force or torque"),
                        option("speed", {scalar("v", u.rate)}, "no motor", "of a motor that keeps that speed"),
                        option("max_force", {scalar("F", u.force)}, "inf", "the most that this motor has")},
            .fallback = "free",
            .doc = freedom_doc(f.name)};
}

std::vector<KeywordSpec> freedom_keywords() {
    std::vector<KeywordSpec> rows;
    // Turning ones first, then sliding ones: the reference says the options of each family once.
    for (const bool length : {false, true})
        for (const JointTypeInfo& info : joint_types())
            for (const JointFreedomInfo& f : info.freedoms) {
                const auto same = [&](const KeywordSpec& k) { return k.name == f.name; };
                if ((f.kind == FreedomKind::slide) == length && std::none_of(rows.begin(), rows.end(), same))
                    rows.push_back(freedom_keyword(f));
            }
    return rows;
}

std::vector<KeywordSpec> joint_keywords() {
    std::vector<KeywordSpec> rows = {
        {.name = "type", .args = {choice(type_words())}, .doc = "what the joint leaves free", .required = true},
        object_keyword("object1", "world", "the first of the two"),
        object_keyword("object2", "world", "the second of the two"),
        {.name = "at",
         .args = {vector("P1", "m"), optional(vector("P2", "m"))},
         .fallback = "0 0 0",
         .doc = "the point P1 of object 1 and P2 of object 2; P2 left out: where P1 is as the objects are placed"},
        {.name = "axis",
         .args = {vector("u1"), optional(vector("u2"))},
         .fallback = "1 0 0",
         .doc =
             "the main axis as a direction u1 of object 1 and u2 of object 2; u2 left out: the direction of u1 as the "
             "objects are placed"},
        {.name = "across",
         .args = {vector("w1"), optional(vector("w2"))},
         .fallback = "as placed",
         .doc = "the second axis, a direction w1 of object 1 and w2 of object 2, of which what lies along the main "
                "axis is "
                "taken out; turns are zero where both agree. w2 left out: as the objects are placed. Without `across`: "
                "that of object 2 is its y, or its z when the main axis is nearer to y, and both agree as placed"},
        {.name = "pitch",
         .args = {number("p", "m")},
         .fallback = "none",
         .doc = "of a screw: how far it slides in one turn; negative for a left-hand thread"}};
    for (KeywordSpec& k : freedom_keywords()) rows.push_back(std::move(k));
    for (KeywordSpec& k : holding_keywords()) rows.push_back(std::move(k));
    return rows;
}

}  // namespace

void add_joint_blocks(std::vector<BlockSpec>& blocks) {
    blocks.push_back({
        .id = BlockId::joint,
        .name = "joint",
        .header = {.name = "joint", .args = {name_of(ArgKind::new_name, "NAME")}},
        .keywords = joint_keywords(),
        .doc =
            "A joint by its name: a constraint put together from a frame on each object, and what acts along the "
            "degrees of freedom that it leaves. A statement with the name of a freedom gives it limits, a spring, a "
            "damper, motors; where a value is asked for, the name of a `track` may stand. Positive is how object 1 "
            "moves relative to object 2, along or about the axis of object 2. [joints.md](joints.md) shows every type.",
        .example = "joint elbow\n"
                   "  type pin;\n"
                   "  object1 forearm; object2 arm;\n"
                   "  at 0 0.25 0  0 -0.3 0;\n"
                   "  axis 0 0 1  0 0 1;\n"
                   "  turn min 0 max 140 deg restitution 0.2 damping 0.5;\n"
                   "end\n"
                   "\n"
                   "joint jack type screw; object1 nut; axis 0 1 0; pitch 0.01; turn speed ramp max_force 20; end\n"
                   "track ramp key 0 0; key 2 10; end\n",
    });
    blocks.push_back({
        .id = BlockId::track,
        .name = "track",
        .header = {.name = "track", .args = {name_of(ArgKind::new_name, "NAME")}},
        .keywords = {interpolation_keyword("linear"),
                     {.name = "key",
                      .args = {number("t", "s"), number("v")},
                      .doc = "a value at a time; times rise from key to key",
                      .repeatable = true,
                      .required = true}},
        .doc =
            "A number over time, for the freedoms of joints: its name stands in place of the number. Before the first "
            "key and after the last it stays. Where a parameter has the same name, the parameter is meant.",
        .example = "track ramp\n"
                   "  interpolation spline;\n"
                   "  key 0 0;\n"
                   "  key 2 10;\n"
                   "end\n",
    });
}

}  // namespace armature::lang
