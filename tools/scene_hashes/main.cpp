// scene_hashes TIME SCENE OUT: runs a scene and writes the hash of the state after every frame.
// What scripts/check_determinism.sh builds with every compiler: the rooms that compute, and none of those around them.
#include <cstdio>
#include <cstdlib>
#include <exception>

#include <fmt/format.h>

#include "armature/model/compile.h"
#include "armature/scene/load.h"
#include "armature/sim/simulator.h"

namespace {

int write_hashes(double time, const char* scene, const char* out) {
    using namespace armature;
    Diagnostics found;
    const Scene loaded = load_file(scene, {}, found);
    Simulator simulator(compile(loaded.spec));
    if (simulator.model().simulation.assemble) simulator.assemble();
    std::FILE* file = std::fopen(out, "w");
    if (!file) {
        fmt::print(stderr, "cannot write {}\n", out);
        return 2;
    }
    const double dt = simulator.model().simulation.dt;
    do {
        fmt::print(file, "{} {:016x}\n", simulator.state().frame, hash(simulator.state()));
        simulator.advance();
    } while (simulator.state().time < time + 0.5 * dt && !simulator.stopped());
    return std::fclose(file) == 0 ? 0 : 2;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) {
        std::fputs("usage: scene_hashes TIME SCENE OUT\n", stderr);
        return 2;
    }
    try {
        return write_hashes(std::strtod(argv[1], nullptr), argv[2], argv[3]);
    } catch (const std::exception& e) {
        fmt::print(stderr, "{}: {}\n", argv[2], e.what());
        return 2;
    }
}
