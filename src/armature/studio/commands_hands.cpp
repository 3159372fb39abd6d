// What hands do: take hold, pull, pin, put somewhere, and assemble.
#include <algorithm>

#include "armature/studio/block_edits.h"
#include "armature/studio/studio.h"

namespace armature::studio {

namespace {

Vec3 vec_at(const Json& a, const char* name) {
    const auto v = vec_from(a.at(name));
    if (!v) throw Refusal(std::string("`") + name + "` must be three finite numbers");
    return *v;
}

Json hold(Studio& studio, const Json& a, const char* name) {
    std::optional<Vec3> target;
    if (const auto it = a.find("target"); it != a.end() && !it->is_null()) target = vec_at(a, "target");
    const std::string drag = studio.session().grab(a.at("solid").get<std::string>(), vec_at(a, "point"),
                                                   a.value("orient", false), target, name);
    studio.status_changed();
    return {{"drag", drag}};
}

Json grab(Studio& studio, const Json& a, ViewerId) {
    return hold(studio, a, "hand");
}

Json pin(Studio& studio, const Json& a, ViewerId) {
    return hold(studio, a, "pin");
}

Json pull(Studio& studio, const Json& a, ViewerId) {
    const std::string drag = a.at("drag").get<std::string>();
    Vec3 at;
    std::optional<Quat> turned;
    if (const auto it = a.find("pose"); it != a.end() && !it->is_null()) {
        const auto pose = pose_from(*it);
        if (!pose) throw Refusal("`pose` must be seven finite numbers");
        at = pose->x;
        turned = pose->q;
    } else {
        at = vec_at(a, "target");
    }
    const auto input = static_cast<std::uint32_t>(a.value("input", std::uint64_t{0}));
    if (!studio.session().pull(drag, at, turned, input)) throw Refusal("there is no drag `" + drag + "`");
    studio.input_arrived();
    return Json::object();
}

Json release(Studio& studio, const Json& a, ViewerId) {
    const std::string drag = a.at("drag").get<std::string>();
    if (!studio.session().release(drag)) throw Refusal("there is no drag `" + drag + "`");
    studio.status_changed();
    return Json::object();
}

Json drags(Studio& studio, const Json&, ViewerId) {
    const Run& run = studio.session().run();
    return {
        {"text", studio.session().drags_text()}, {"exact", run.changed_at().empty()}, {"changed", run.changed_at()}};
}

Json place(Studio& studio, const Json& a, ViewerId) {
    std::map<std::string, Pose> placements;
    for (const auto& [name, json] : a.at("placements").items()) {
        const auto pose = pose_from(json);
        if (!pose) throw Refusal("the placement of `" + name + "` must be seven finite numbers");
        placements[name] = *pose;
    }
    if (!a.value("permanent", false)) {
        studio.playback().playing = false;
        Branch before = studio.session().run().branch();
        studio.session().place(placements);
        studio.run_changed(std::move(before));
        studio.frame_changed();
        studio.status_changed();
        return Json::object();
    }
    Diagnostics findings;
    std::string text = placed_text(studio.document().scene(), placements, findings);
    if (findings.has_errors()) throw InputError(findings);
    Json result = {{"problems", Json::array()}};
    if (studio.document().change(std::move(text))) result["problems"] = studio.text_changed();
    result["revision"] = studio.revision();
    return result;
}

Json assemble(Studio& studio, const Json& a, ViewerId) {
    Session& session = studio.session();
    const int frames = std::clamp(a.value("frames", 30), 0, 1000);
    const State before = session.run().state_at(session.run().frame());
    Branch stood = session.run().branch();
    const AssemblyReport report = session.assemble();
    studio.run_changed(std::move(stood));
    const Model& model = session.run().model();
    static constexpr const char* verdicts[] = {"satisfied", "least squares", "not converged", "impossible"};
    Json culprits = Json::array();
    for (const OpenJoint& o : report.open)
        culprits.push_back({{"joint", model.joints[static_cast<std::size_t>(o.joint)].name}, {"error", o.error}});
    std::vector<State> way =
        frames < 2 ? std::vector<State>{}
                   : session.run().way_of_assembly(before, report.iterations, static_cast<std::size_t>(frames - 1));
    way.push_back(session.run().state_at(session.run().frame()));
    studio.show_way(std::move(way), frames);
    studio.frame_changed();
    studio.status_changed();
    return {{"report",
             {{"verdict", verdicts[static_cast<std::size_t>(report.result)]},
              {"worst", report.worst_error},
              {"iterations", report.iterations},
              {"culprits", std::move(culprits)},
              {"text", studio.document().shown(to_text(model, report))}}}};
}

}  // namespace

void add_hand_commands(CommandTable& table) {
    table.insert({{"grab", grab},
                  {"pull", pull},
                  {"release", release},
                  {"pin", pin},
                  {"unpin", release},
                  {"drags", drags},
                  {"place", place},
                  {"assemble", assemble}});
}

}  // namespace armature::studio
