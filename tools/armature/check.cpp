// `armature check`: read and compile, nothing more.
#include <fmt/format.h>

#include "messages.h"
#include "scene_file.h"
#include "verbs.h"

namespace armature::command {

int check(const CheckOptions& options, const Terminal& terminal) {
    int code = fine;
    for (const std::string& file : options.files) {
        const auto compiled = load_and_compile({file, options.settings}, terminal);
        if (!compiled) {
            code = unusable;
            continue;
        }
        const Model& model = compiled->model;
        std::size_t dynamic = 0;
        for (const Body& body : model.bodies) dynamic += body.dynamic();
        print_data(fmt::format("{}: fine; {} solids ({} dynamic), {} joints, {} islands\n", file,
                               model.bodies.size() - 1, dynamic, model.joints.size(), model.islands.size()));
    }
    return code;
}

}  // namespace armature::command
