// The structures that the benchmarks and the curves of docs/solvers run on, built through the Spec API.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>

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

/// n × n meshes of rods of 0.1 m and 20 g on ball joints, held by two corners, from a shallow bowl of two circular arcs: every
/// mesh is a loop, and none of them stretched.
inline Spec net(int n) {
    constexpr double bend = pi / 3, side = 0.1;  // rad, half the angle of the arcs; m
    const double step = 2 * bend / n, radius = side / (2 * std::sin(0.5 * step));
    const auto knot = [&](int i, int j) {
        const double a = i * step - bend, b = j * step - bend;
        return radius * Vec3{std::sin(a), -std::cos(a) - std::cos(b), std::sin(b)};
    };
    Spec spec;
    spec.title = fmt::format("net-{0}x{0}", n);
    struct End {
        std::string solid;
        Vec3 at;
    };
    std::map<std::pair<int, int>, End> last;  // end at each knot
    last[{0, 0}] = {"world", knot(0, 0)};
    last[{n, 0}] = {"world", knot(n, 0)};
    const auto add_rod = [&](const std::string& name, std::pair<int, int> from, std::pair<int, int> to) {
        const Vec3 x1 = knot(from.first, from.second), x2 = knot(to.first, to.second);
        SolidSpec& s = spec.add_solid(name);
        s.shapes.push_back({"", Box{{side, 0.005, 0.005}}, {}, {}});
        s.mass = 0.02;
        s.pose_WB = {0.5 * (x1 + x2), shortest_arc({1, 0, 0}, normalized(x2 - x1))};
        for (const auto& [at, end] : {std::pair{from, -0.5 * side}, std::pair{to, 0.5 * side}}) {
            if (const auto before = last.find(at); before != last.end())
                spec.add_constraint(before->second.solid, name).hinge =
                    HingeSpec{before->second.at, {end, 0, 0}, PointDomain{}};
            last[at] = {name, {end, 0, 0}};
        }
    };
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j) {
            if (i < n) add_rod(fmt::format("c{}_{}", i, j), {i, j}, {i + 1, j});
            if (j < n) add_rod(fmt::format("r{}_{}", i, j), {i, j}, {i, j + 1});
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
