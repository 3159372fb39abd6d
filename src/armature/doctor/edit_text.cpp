#include "armature/doctor/edit_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "armature/base/number_text.h"

namespace armature::doctor {

std::string number_text(double x) {
    return armature::to_text(std::fabs(x) < 1e-14 ? 0 : x);
}

std::string vector_text(const Vec3& v) {
    return number_text(v.x) + " " + number_text(v.y) + " " + number_text(v.z);
}

StatementEdit statement(const ConstraintSpec& c, const std::string& keyword, const std::string& write) {
    const bool there = std::any_of(c.origin.properties.begin(), c.origin.properties.end(),
                                   [&](const auto& p) { return p.first == keyword; });
    // Of a scene made by code the statement that would be there is named.
    return {c.origin.at(keyword), there || !c.origin.block.known() ? keyword : std::string(), write};
}

std::string freedom_text(const FreedomSpec& f) {
    std::string text = f.name;
    const auto add = [&](const char* option, const ScalarTrack& track) {
        if (!track.given()) return;
        text += fmt::format(" {} {}", option, track.keys.size() == 1 ? number_text(track.keys[0].value) : "…");
    };
    add("min", f.min);
    add("max", f.max);
    if (f.restitution != 0) text += " restitution " + number_text(f.restitution);
    add("stiffness", f.stiffness);
    add("rest", f.rest);
    add("damping", f.damping);
    add("force", f.force);
    add("speed", f.speed);
    add("max_force", f.max_force);
    return text + ";";
}

std::string constraint_text(const std::string& name, const ConstraintSpec& c) {
    std::string text = "constraint " + name;
    if (c.solid1 != "world") text += fmt::format(" object1 {};", c.solid1);
    if (c.solid2 != "world") text += fmt::format(" object2 {};", c.solid2);
    if (c.hinge) {
        text += fmt::format(" hinge {}  {};", vector_text(c.hinge->p1_B), vector_text(c.hinge->p2_B));
        if (const auto* s = std::get_if<SegmentDomain>(&c.hinge->domain))
            text += fmt::format(" axial {};", vector_text(s->axis_2));
        if (const auto* r = std::get_if<RingDomain>(&c.hinge->domain))
            text += fmt::format(" planar {};", vector_text(r->normal_2));
    }
    if (c.angle) {
        text += fmt::format(" angle {}  {}", vector_text(c.angle->a1_B), vector_text(c.angle->a2_B));
        if (c.angle->min > 0) text += " min " + number_text(c.angle->min);
        if (c.angle->max < pi) text += " max " + number_text(c.angle->max);
        text += ";";
    }
    if (c.twist)
        text += fmt::format(" twist {}  {} min {} max {};", vector_text(c.twist->b1_B), vector_text(c.twist->b2_B),
                            number_text(c.twist->min), number_text(c.twist->max));
    return text + " end";
}

}  // namespace armature::doctor
