// `armature doctor`: what a mechanism can do, what is the matter with it, and what to change.
#include "armature/doctor/doctor.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "armature/base/atomic_file.h"
#include "armature/doctor/doctor_json.h"
#include "armature/export/gltf.h"
#include "armature/model/compile.h"
#include "messages.h"
#include "scene_file.h"
#include "terminal.h"
#include "verbs.h"

namespace armature::command {

namespace {

/// DIR/freedom-1.glb, …: the freedoms as they are numbered in the report.
void write_wiggles(const std::string& folder, const CompiledScene& scene, const DoctorReport& report) {
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    if (failure) throw FileError("create", folder, failure.value());
    for (std::size_t i = 0; i < report.freedoms.size(); ++i) {
        const RemainingFreedom& freedom = report.freedoms[i];
        const Json about = {{"freedom", i + 1}, {"kind", name_of(freedom.kind)}, {"sentence", freedom.sentence}};
        write_gltf(std::filesystem::path(folder) / fmt::format("freedom-{}.glb", i + 1), scene.model,
                   wiggle(scene.scene.spec, report, freedom), about);
    }
}

}  // namespace

int doctor(const DoctorVerbOptions& options, const Terminal& terminal) {
    auto compiled = load_and_compile(options.scene, terminal);
    if (!compiled) return unusable;
    if (!compiled->scene.spec.drags.empty()) {  // hands are no part of the mechanism
        compiled->scene.spec.drags.clear();
        compiled->model = compile(compiled->scene.spec);
    }
    DoctorOptions how;
    Progress progress(terminal, options.scene.file, 1);
    const auto begin = std::chrono::steady_clock::now();
    how.progress = [&](double done) {
        if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(1)) progress.update(done);
    };
    const DoctorReport report = diagnose(compiled->scene.spec, how);
    progress.clear();
    if (!options.wiggle.empty()) write_wiggles(options.wiggle, *compiled, report);
    print_data(options.json ? json_text(doctor_json(report, options.scene.file)) : to_text(report));
    return report.consistent() ? fine : broken;
}

}  // namespace armature::command
