// A sound scene with one of everything, which the tests of compile() spoil or make odd.
#pragma once

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <vector>

#include "armature/model/compile.h"
#include "support/small_scenes.h"

namespace armature::test_model {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// A sound scene with one of everything, to be spoilt: a chain of three with forces, a cart on a path, a particle.
inline Spec sound() {
    Spec spec;
    test::add_chain(spec, "link", 3);
    test::add_every_force(spec, "link1", "link2");
    SolidSpec& cart = spec.add_solid("cart");
    cart.kernel = Kernel::path;
    cart.path.keys = {{0, {{0, 0, 5}, {}}}, {1, {{1, 0, 5}, {}}}};
    SolidSpec& bead = spec.add_solid("bead");
    bead.particle = true;
    bead.mass = 0.1;
    bead.pose_WB.x = {0, 0, 5};
    test::add_ball(spec, "bead", {}, "cart", {}).name = "wire";
    ConstraintSpec& elbow = *spec.find_constraint("");
    elbow.name = "shoulder";
    elbow.angle = AngleSpec{{1, 0, 0}, {1, 0, 0}, 0, 2};
    elbow.twist = TwistSpec{{0, 1, 0}, {0, 1, 0}, -1, 1};
    return spec;
}
inline SolidSpec& link(Spec& s) {
    return s.solids[1];
}
inline ConstraintSpec& shoulder(Spec& s) {
    return s.constraints[0];
}
template <class Law>
Law& law(Spec& s, std::size_t i) {
    return std::get<Law>(s.forces[i].law);
}

inline std::vector<Diagnostic> errors_of(const Spec& spec) {
    Diagnostics diagnostics;
    const std::optional<Model> model = compile(spec, diagnostics);
    std::vector<Diagnostic> errors;
    for (const Diagnostic& d : diagnostics.all())
        if (d.severity == Severity::error) errors.push_back(d);
    EXPECT_EQ(model.has_value(), errors.empty());
    return errors;
}

}  // namespace armature::test_model
