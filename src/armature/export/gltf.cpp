#include "armature/export/gltf.h"

#include <algorithm>
#include <utility>

#include "armature/export/gltf_scene.h"

namespace armature {

namespace {

/// Bytes of the animation when everything that can move does.
double largest_motion(const Model& model, std::int64_t frames) {
    double per_frame = sizeof(float);
    for (const Body& body : model.bodies)
        if (body.kernel != Kernel::fixed) per_frame += (body.particle ? 3 : 7) * sizeof(float);
    return per_frame * static_cast<double>(frames);
}

/// Null when nothing changes.
Json make_animation(const Model& model, MotionSamples& motion, const GltfScene& scene, GlbNumbers& numbers) {
    Json channels = Json::array(), samplers = Json::array();
    int times = -1;
    const auto add = [&](int node, const char* path, auto& samples, int components) {
        if (samples.constant()) return;
        if (times < 0) times = numbers.add(std::move(motion.times), 1, GlbNumbers::Use::samples, true);
        const int values = numbers.add(samples.take(), components, GlbNumbers::Use::samples);
        channels.push_back({{"sampler", samplers.size()}, {"target", {{"node", node}, {"path", path}}}});
        samplers.push_back({{"input", times}, {"interpolation", "LINEAR"}, {"output", values}});
    };
    for (std::size_t i = 1; i < motion.poses.size(); ++i) {
        add(scene.node_of_body[i], "translation", motion.poses[i].translation, 3);
        add(scene.node_of_body[i], "rotation", motion.poses[i].rotation, 4);
    }
    if (channels.empty()) return nullptr;
    return {{"name", model.title.empty() ? "run" : model.title},
            {"channels", std::move(channels)},
            {"samplers", std::move(samplers)}};
}

/// Where the solids stand before anything happened.
FrameRecord initial_frame(const Model& model) {
    FrameRecord frame;
    for (const Body& body : model.bodies) frame.pose_WB.push_back(body.pose_WB);
    return frame;
}

Json make_extras(const Model& model, const Json& report) {
    Json extras = {{"title", model.title},
                   {"dt", model.simulation.dt},
                   {"units", {{"length", "m"}, {"time", "s"}, {"angle", "rad"}, {"mass", "kg"}}}};
    if (!report.is_null()) extras["report"] = report;
    return extras;
}

}  // namespace

GltfFile::GltfFile(std::filesystem::path path, const Model& model, std::int64_t frames)
    : file_(std::move(path)), model_(&model), motion_(model) {
    if (const double bytes = largest_motion(model, frames); bytes > static_cast<double>(glb_size_limit))
        throw glb_too_large(file_.path(), bytes);
}

void GltfFile::commit(const Json& report) {
    if (motion_.times.empty()) add(initial_frame(*model_));
    GlbNumbers numbers;
    GltfScene parts = make_gltf_scene(*model_, motion_, numbers);
    Json animation = make_animation(*model_, motion_, parts, numbers);

    Json scene = {{"name", model_->title.empty() ? "scene" : model_->title}};
    scene["extras"] = make_extras(*model_, report);
    Json root = {{"asset", {{"version", "2.0"}, {"generator", "Armature"}}}, {"scene", 0}};
    // glTF has no empty lists: what there is none of is left out.
    if (!parts.roots.empty()) scene["nodes"] = parts.roots;
    root["scenes"] = Json::array({std::move(scene)});
    if (!parts.nodes.empty()) root["nodes"] = std::move(parts.nodes);
    if (!parts.meshes.empty()) root["meshes"] = std::move(parts.meshes);
    if (!parts.materials.empty()) root["materials"] = std::move(parts.materials);
    if (!animation.is_null()) root["animations"] = Json::array({std::move(animation)});
    write_glb(file_, std::move(root), numbers);
    file_.commit();
}

void write_gltf(const std::filesystem::path& path, const Model& model, const Recording& recording, const Json& report) {
    GltfFile file(path, model);
    for (const FrameRecord& frame : recording.frames) file.add(frame);
    file.commit(report);
}

}  // namespace armature
