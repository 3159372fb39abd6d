#include "armature/export/report_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace armature {

namespace {

Json vector(const Vec3& v) {
    return Json::array({v.x, v.y, v.z});
}

std::string place_text(const SourcePlace& place) {
    return place.known() ? fmt::format("{}:{}", place.file, place.line) : std::string();
}

Json joint(const Model& model, JointId id) {
    if (id < 0) return nullptr;
    const Joint& j = model.joints[static_cast<std::size_t>(id)];
    return {{"name", j.name}, {"place", place_text(j.origin.block)}};
}

Json worst(const Model& model, const Worst& w) {
    return {{"value", w.value}, {"joint", joint(model, w.joint)}, {"time", w.time}};
}

const char* result_name(AssemblyResult result) {
    switch (result) {
        case AssemblyResult::satisfied:
            return "satisfied";
        case AssemblyResult::least_squares:
            return "least squares";
        case AssemblyResult::impossible:
            return "impossible";
        case AssemblyResult::not_converged:
            break;
    }
    return "not converged";
}

Json assembly_json(const Model& model, const AssemblyReport& report) {
    Json open = Json::array();
    for (const OpenJoint& o : report.open) open.push_back({{"joint", joint(model, o.joint)}, {"error", o.error}});
    Json turned_over = Json::array();
    for (const JointId id : report.turned_over) turned_over.push_back(joint(model, id));
    Json farthest;
    if (report.farthest.body >= 0)
        farthest = {{"solid", model.bodies[static_cast<std::size_t>(report.farthest.body)].name},
                    {"way", report.farthest.way},
                    {"turn", report.farthest.turn}};
    return {{"result", result_name(report.result)},  {"iterations", report.iterations},
            {"restarts", report.restarts},           {"tolerance", model.simulation.tolerance},
            {"worst_error", report.worst_error},     {"open", std::move(open)},
            {"turned_over", std::move(turned_over)}, {"farthest", std::move(farthest)}};
}

}  // namespace

Json report_json(const Model& model, const RunReport& r, const std::optional<AssemblyReport>& assembly,
                 const std::string& file, bool good) {
    Json failures = Json::array();
    for (const Failure& f : r.failures)
        failures.push_back({{"solid", model.bodies[static_cast<std::size_t>(f.body)].name}, {"time", f.time}});
    Json systems = Json::object();
    for (std::size_t i = 1; i < r.ways.size(); ++i)
        if (r.ways[i] > 0) systems[std::string(linear_way_names[i])] = r.ways[i];
    Json seconds;
    for (std::size_t i = 0; i < stage_names.size(); ++i) seconds[std::string(stage_names[i])] = r.seconds[i];
    seconds["all"] = r.wall_seconds;
    const double max_gap = model.simulation.max_gap;
    return {
        {"armature", ARMATURE_VERSION},
        {"scene", file},
        {"title", model.title},
        {"good", good},
        {"converged", r.converged(max_gap)},
        {"interrupted", r.interrupted},
        {"stopped", r.stopped},
        {"max_gap", max_gap},
        {"time", r.time},
        {"frames", r.frames},
        {"solids", model.bodies.size() - 1},
        {"joints", model.joints.size()},
        {"islands", model.islands.size()},
        {"assembly", assembly ? assembly_json(model, *assembly) : Json(nullptr)},
        {"worst_gap", worst(model, r.gap)},
        {"rms_gap", r.rms_gap},
        {"worst_angle", worst(model, r.angle)},
        {"energy", {{"first", r.first.energy()}, {"last", r.last.energy()}, {"worst_change", r.worst_energy_change}}},
        {"momentum", {{"first", vector(r.first.momentum)}, {"last", vector(r.last.momentum)}}},
        {"angular_momentum", {{"first", vector(r.first.angular_momentum)}, {"last", vector(r.last.angular_momentum)}}},
        {"steps",
         {{"accepted", r.steps},
          {"rejected", r.rejected},
          {"forced", r.forced},
          {"unconverged", r.unconverged},
          {"unbalanced", r.unbalanced},
          {"with_hits", r.hits}}},
        {"work", {{"motors", r.motor_work}, {"closing", r.closing_work}}},
        {"iterations", {{"mean", r.mean_iterations}, {"max", r.max_iterations}}},
        {"systems", std::move(systems)},
        {"failures", std::move(failures)},
        {"seconds", std::move(seconds)},
        {"real_time_factor", r.real_time_factor()}};
}

Json report_json(const Model& model, const AssemblyReport& report, const std::string& file) {
    return {{"armature", ARMATURE_VERSION},
            {"scene", file},
            {"title", model.title},
            {"assembly", assembly_json(model, report)}};
}

std::string json_text(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace armature
