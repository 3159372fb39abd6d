// Hello, and everything about time: playing, stepping, looking back, settings, the second solver.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "armature/sim/free_motion.h"
#include "armature/solvers/registry.h"
#include "armature/studio/scene_event.h"
#include "armature/studio/studio.h"

namespace armature::studio {

namespace {

Json hello(Studio& studio, const Json&, ViewerId) {
    static const Json schema = schema_json();
    Json solvers = Json::array(), schemes = Json::array(), gallery = Json::array();
    for (const SolverInfo& s : solver_list()) solvers.push_back({{"name", s.name}, {"doc", s.summary}});
    for (const SchemeInfo& s : scheme_list()) schemes.push_back({{"name", s.name}, {"doc", s.summary}});
    for (const GalleryScene& s : studio.places().gallery())
        gallery.push_back({{"name", s.name}, {"title", s.title}, {"what", s.what}});
    return {{"version", ARMATURE_VERSION},   {"schema", schema},
            {"solvers", std::move(solvers)}, {"schemes", std::move(schemes)},
            {"gallery", std::move(gallery)}, {"folder", studio.places().folder().filename().string()}};
}

Json where(Studio& studio) {
    const Run& run = studio.session().run();
    studio.frame_changed();
    studio.status_changed();
    return {{"frame", run.frame()},
            {"time", run.moment().state.time},
            {"playing", studio.playback().playing},
            {"hash", fmt::format("{:016x}", hash(run.state_at(run.frame())))}};
}

Json play(Studio& studio, const Json&, ViewerId) {
    studio.playback().playing = true;
    studio.playback().due = Clock::now();
    return where(studio);
}

Json pause(Studio& studio, const Json&, ViewerId) {
    studio.playback().playing = false;
    return where(studio);
}

Json step(Studio& studio, const Json& a, ViewerId) {
    const auto n = std::clamp<std::int64_t>(a.value("frames", std::int64_t{1}), -1'000'000, 1000);
    studio.playback().playing = false;
    Session& session = studio.session();
    const Timeline& line = session.run().timeline();
    const std::int64_t recorded = std::min(line.last(), session.run().frame() + n);
    const std::int64_t rest = session.run().frame() + n - recorded;
    session.seek(recorded);
    // A thousand frames of a heavy scene may take minutes: nobody waits longer than this for one command.
    const auto begin = Clock::now();
    for (std::int64_t i = 0; i < rest && Clock::now() - begin < std::chrono::seconds(5); ++i) session.advance();
    return where(studio);
}

Json reset(Studio& studio, const Json&, ViewerId) {
    studio.playback().loop.reset();
    studio.forget_poses();
    studio.document_changed();
    studio.session().reset();
    return where(studio);
}

Json seek(Studio& studio, const Json& a, ViewerId) {
    studio.playback().playing = false;
    studio.session().seek(a.at("frame").get<std::int64_t>());
    return where(studio);
}

Json loop(Studio& studio, const Json& a, ViewerId) {
    const auto from = a.find("from"), to = a.find("to");
    if (from == a.end() || to == a.end() || from->is_null() || to->is_null()) {
        studio.playback().loop.reset();
        return where(studio);
    }
    const Timeline& line = studio.session().run().timeline();
    const auto first = std::clamp(from->get<std::int64_t>(), line.first(), line.last());
    const auto last = std::clamp(to->get<std::int64_t>(), line.first(), line.last());
    if (last <= first) throw Refusal("a loop needs two different recorded frames");
    studio.playback().loop = {first, last};
    return where(studio);
}

Json speed(Studio& studio, const Json& a, ViewerId) {
    const double factor = a.at("factor").get<double>();
    if (!(factor >= 0) || factor > 1000) throw Refusal("the speed is a factor from 0 (as fast as it can) to 1000");
    studio.playback().speed = factor;
    studio.playback().due = Clock::now();
    return where(studio);
}

template <class T>
void read(const Json& a, const char* name, std::optional<T>& value) {
    const auto it = a.find(name);
    if (it == a.end()) return;
    if (it->is_null())
        value.reset();
    else
        value = it->get<T>();
}

Json settings(Studio& studio, const Json& a, ViewerId) {
    SettingsInForce s = studio.session().settings();
    read(a, "solver", s.solver);
    read(a, "dt", s.dt);
    read(a, "tolerance", s.tolerance);
    read(a, "budget", s.budget);
    read(a, "iterations", s.iterations);
    std::optional<std::string> name;
    if (const auto it = a.find("scheme"); it != a.end()) {
        s.scheme.reset();
        if (it->is_string()) {
            for (const SchemeInfo& info : scheme_list())
                if (info.name == it->get<std::string>()) s.scheme = info.scheme;
            if (!s.scheme) throw Refusal("there is no scheme `" + it->get<std::string>() + "`");
        }
    }
    const double dt = studio.session().run().model().simulation.dt;
    studio.session().set(s);
    if (studio.session().run().model().simulation.dt != dt) studio.forget_poses();
    studio.document_changed();  // the event says what is in force
    return where(studio);
}

Json ghost(Studio& studio, const Json& a, ViewerId) {
    const auto it = a.find("solver");
    studio.session().set_ghost(it != a.end() && it->is_string() ? it->get<std::string>() : "");
    return where(studio);
}

}  // namespace

void add_playing_commands(CommandTable& table) {
    table.insert({{"hello", hello},
                  {"play", play},
                  {"pause", pause},
                  {"step", step},
                  {"reset", reset},
                  {"seek", seek},
                  {"loop", loop},
                  {"speed", speed},
                  {"settings", settings},
                  {"ghost", ghost}});
}

const CommandTable& commands() {
    static const CommandTable table = [] {
        CommandTable t;
        add_playing_commands(t);
        add_text_commands(t);
        add_editing_commands(t);
        add_hand_commands(t);
        add_measuring_commands(t);
        add_job_commands(t);
        return t;
    }();
    return table;
}

}  // namespace armature::studio
