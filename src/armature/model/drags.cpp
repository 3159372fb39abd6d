// A drag is a tracker and a constraint: nothing after this knows that it was one, so every solver can be dragged with.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "armature/model/compile_internal.h"

namespace armature::detail {

namespace {

SolidSpec tracker_of(const DraggedSpec& d) {
    SolidSpec s;
    s.name = d.name;
    s.kernel = Kernel::path;
    s.path = d.path;
    s.origin = d.origin;
    return s;
}

ConstraintSpec constraint_of(const DraggedSpec& d) {
    ConstraintSpec c;
    c.name = d.name;
    c.solid1 = d.solid;
    c.solid2 = d.name;
    c.hinge = HingeSpec{d.at_B, {}, PointDomain{}};
    if (d.orient) {
        c.angle = AngleSpec{{1, 0, 0}, {1, 0, 0}, 0, 0};
        c.twist = TwistSpec{{0, 1, 0}, {0, 1, 0}, 0, 0};
    }
    c.from = d.from;
    c.until = d.until;
    c.closing = d.closing;
    c.drag = true;
    c.origin = d.origin;
    return c;
}

}  // namespace

Spec with_trackers(const Spec& spec, Diagnostics& diagnostics) {
    Spec with = spec;
    with.drags.clear();
    for (const DraggedSpec& d : spec.drags) {
        bool stuck = d.solid == "world";
        for (const SolidSpec& s : spec.solids) stuck = stuck || (s.name == d.solid && s.kernel != Kernel::dynamic);
        if (stuck)
            diagnostics.add({Severity::error, d.origin.at("object"),
                             fmt::format("the drag `{}` pulls `{}`, which cannot give way", d.name, d.solid),
                             "name a dynamic object, or give this one a path", d.origin.notes});
        with.solids.push_back(tracker_of(d));
        with.constraints.push_back(constraint_of(d));
    }
    return with;
}

}  // namespace armature::detail

namespace armature {

PoseAndVelocity path_at(const Body& body, double t) {
    if (!body.tracker) return evaluate(body.path, t);
    const std::vector<PoseKey>& keys = body.path.keys;
    const double noise = 1e-14 * std::fabs(t);
    const auto next = std::lower_bound(keys.begin(), keys.end(), t - noise,
                                       [](const PoseKey& key, double time) { return key.t < time; });
    if (next != keys.end() && next->t <= t + noise) return {next->pose, {}, {}};
    return {evaluate(body.path, t).pose, {}, {}};
}

}  // namespace armature
