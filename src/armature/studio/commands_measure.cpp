// Numbers out of what was recorded: plots and reports.
#include <fmt/format.h>

#include <algorithm>

#include "armature/export/columns.h"
#include "armature/studio/studio.h"

namespace armature::studio {

namespace {

/// The quantities that a recorded moment has at hand: the others are computed from its state.
std::optional<double> quick(const Moment& m, const std::string& name) {
    if (name == "time") return m.state.time;
    if (name == "energy") return m.energy;
    if (name == "worst_gap" || name == "gap") return m.joints.worst_gap;
    if (name == "rms_gap") return m.joints.rms_gap;
    if (name == "worst_angle") return m.joints.worst_angle;
    if (name == "steps") return m.step.steps;
    if (name == "rejected") return m.step.rejected;
    if (name == "iterations") return m.step.max_iterations;
    return {};
}

/// By the last words of the name (export/columns.h).
std::string unit_of(const Model& model, const std::string& name) {
    const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
    for (const Freedom& f : model.freedoms)
        if (name.size() > f.name.size() && name.compare(0, f.name.size(), f.name) == 0 && name[f.name.size()] == '.') {
            const bool length = is_length(f.coordinate);
            if (name.ends_with(".value")) return length ? "m" : "rad";
            if (name.ends_with(".rate")) return length ? "m/s" : "rad/s";
            if (name.ends_with(".force")) return length ? "N" : "N m";
        }
    if (name == "time") return "s";
    if (has("angular_momentum")) return "kg m²/s";
    if (has("momentum")) return "kg m/s";
    if (has("energy") || has("kinetic") || has("potential")) return "J";
    if (has(".quaternion")) return "";
    if (has(".velocity")) return "m/s";
    if (has(".spin")) return "rad/s";
    if (has(".torque")) return "N m";
    if (has(".force")) return "N";
    if (name == "worst_angle") return "rad";
    if (has("gap") || has(".at.")) return "m";
    if (name.ends_with(".error")) return "m or rad";
    return "";
}

Json quantities(Studio& studio, const Json&, ViewerId) {
    const Model& model = studio.session().run().model();
    Json list = Json::array();
    const auto add = [&](const std::string& name, const std::string& group) {
        list.push_back({{"name", name}, {"unit", unit_of(model, name)}, {"group", group}});
    };
    const std::size_t per_body = 13;
    const std::vector<Column> columns = all_columns(model);
    const std::size_t overall = static_cast<std::size_t>(
        std::find_if(
            columns.begin(), columns.end(),
            [](const Column& c) { return c.name.find(".at.x") != std::string::npos || c.name.ends_with(".error"); }) -
        columns.begin());
    const std::size_t bodies = overall + per_body * (model.bodies.size() - 1);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::string& name = columns[i].name;
        const bool island = name.starts_with("island[");
        add(name, island ? "islands" : i < overall ? "whole" : i < bodies ? "objects" : "joints");
    }
    for (const char* name : {"ghost.gap", "ghost.energy"}) add(name, "ghost");
    return {{"quantities", std::move(list)}};
}

Json number(double x) {
    return std::isfinite(x) ? Json(x) : Json();
}

Json plot(Studio& studio, const Json& a, ViewerId) {
    constexpr std::int64_t most_frames = 50'000;
    constexpr std::size_t most_series = 64;
    const Run& run = studio.session().run();
    const Run* ghost = studio.session().ghost();
    const Timeline& line = run.timeline();
    const auto names = a.at("quantities").get<std::vector<std::string>>();
    if (names.size() > most_series) throw Refusal("these are too many quantities at once");
    const std::int64_t last = line.last();
    const std::int64_t first =
        std::clamp(a.value("from", line.first()), std::max(line.first(), last - most_frames), last);
    std::vector<Json> values(names.size(), Json::array());
    std::vector<std::optional<Column>> columns(names.size());
    std::vector<Column> all;
    for (std::size_t k = 0; k < names.size(); ++k) {
        if (quick(run.moment(), names[k]) || names[k].starts_with("ghost.")) continue;
        if (all.empty()) all = all_columns(run.model());
        const auto it = std::find_if(all.begin(), all.end(), [&](const Column& c) { return c.name == names[k]; });
        if (it == all.end()) throw Refusal(fmt::format("there is no quantity `{}`", names[k]));
        columns[k] = *it;
    }
    const bool computed = std::any_of(columns.begin(), columns.end(), [](const auto& c) { return c.has_value(); });
    Json time = Json::array();
    for (std::int64_t f = first; f <= last; ++f) {
        const Moment& m = line.at(f);
        time.push_back(m.state.time);
        FrameRecord record;
        if (computed) record = run.record_at(f);
        for (std::size_t k = 0; k < names.size(); ++k) {
            if (columns[k]) {
                values[k].push_back(number(columns[k]->of(record)));
            } else if (names[k].starts_with("ghost.")) {
                const bool there = ghost != nullptr && ghost->timeline().has(f);
                const auto v = there ? quick(ghost->timeline().at(f), names[k].substr(6)) : std::nullopt;
                values[k].push_back(v ? number(*v) : Json());
            } else {
                values[k].push_back(number(*quick(m, names[k])));
            }
        }
    }
    Json series = Json::array();
    for (std::size_t k = 0; k < names.size(); ++k)
        series.push_back(
            {{"name", names[k]}, {"unit", unit_of(run.model(), names[k])}, {"values", std::move(values[k])}});
    return {{"from", first}, {"to", last}, {"time", std::move(time)}, {"series", std::move(series)}};
}

Json report(Studio& studio, const Json&, ViewerId) {
    const Run& run = studio.session().run();
    return {{"text", to_text(run.model(), run.report(), run.model().simulation.max_gap)},
            {"json", full_report(studio)}};
}

}  // namespace

void add_measuring_commands(CommandTable& table) {
    table.insert({{"quantities", quantities}, {"plot", plot}, {"report", report}});
}

}  // namespace armature::studio
