// The structures that the benchmarks and the curves of docs/solvers run on, built through the Spec API.
#pragma once

#include <fmt/format.h>

#include <string>

#include "armature/base/diagnostic.h"
#include "armature/model/compile.h"
#include "armature/scene/load.h"

namespace armature::bench {

/// n rods of 1 × 0.1 × 0.1 m and 10 kg on ball joints, hung by one end, stretched out level. The last weighs `heavy`
/// times as much.
inline Spec chain(int n, double heavy = 1) {
    Spec spec;
    spec.title = fmt::format("chain-{}", n);
    for (int i = 0; i < n; ++i) {
        SolidSpec& s = spec.add_solid(fmt::format("link{}", i));
        s.shapes.push_back({"", Box{{1, 0.1, 0.1}}, {}, {}});
        s.mass = 10 * (i == n - 1 ? heavy : 1);
        s.pose_WB.x = {i + 0.5, 0, 0};
        ConstraintSpec& c = spec.add_constraint(i > 0 ? fmt::format("link{}", i - 1) : "world", s.name);
        c.hinge = HingeSpec{i > 0 ? Vec3{0.5, 0, 0} : Vec3{}, {-0.5, 0, 0}, PointDomain{}};
    }
    return spec;
}

/// A scene of the gallery. Throws InputError when it cannot be read.
inline Spec gallery(const std::string& name, const LoadOptions& options = {}) {
    Diagnostics diagnostics;
    Scene scene = load_file(std::string(ARMATURE_SOURCE_DIR) + "/scenes/" + name, options, diagnostics);
    if (diagnostics.has_errors()) throw InputError(diagnostics);
    return scene.spec;
}

}  // namespace armature::bench
