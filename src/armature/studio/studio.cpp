#include "armature/studio/studio.h"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>

#include "armature/base/atomic_file.h"
#include "armature/scene/files.h"
#include "armature/scene/limits.h"
#include "armature/sim/free_motion.h"
#include "armature/solvers/registry.h"
#include "armature/studio/scene_event.h"

namespace armature::studio {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

/// Pages draw 60 times a second; what comes faster is not seen.
constexpr auto least_between_frames = 7ms;
constexpr auto least_between_status = 100ms;
constexpr auto between_looks_at_files = 500ms;
/// Commands must not wait: however far behind, no longer than this is computed at a time.
constexpr auto most_at_a_time = 12ms;

Clock::duration seconds(double s) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(s));
}

fs::path folder_of(const StudioOptions& options) {
    if (!options.folder.empty()) return options.folder;
    const fs::path parent = options.file.parent_path();
    return parent.empty() ? fs::path(".") : parent;
}

}  // namespace

Studio::Studio(const StudioOptions& options, Outlets outlets)
    : outlets_(std::move(outlets)),
      places_(folder_of(options), options.gallery),
      recording_bytes_(options.recording_bytes),
      poses_(options.recording_bytes),
      background_(outlets_.wake) {
    if (places_.folder().empty()) throw FileError("open the folder", folder_of(options), ENOENT);
    if (!options.file.empty()) {
        open(SceneDocument::from_file(fs::path(lang::canonical_path(options.file.string()))));
        return;
    }
    if (const auto file = places_.gallery_file(options.first)) {
        lang::FileText text = lang::read_text_file(file->string(), lang::limits::file_bytes);
        open(SceneDocument::from_text(std::move(text.text), options.first, places_.folder(), *file));
    } else {
        open(SceneDocument::from_text("", "untitled", places_.folder()));
    }
}

void Studio::open(SceneDocument document) {
    document_ = std::move(document);
    session_.reset();
    playback_ = {};
    way_.reset();
    text_changed();
}

bool Studio::start_session(Json& problems) {
    Diagnostics findings = document_.findings();
    std::unique_ptr<Session> fresh;
    if (!findings.has_errors()) {
        std::optional<Model> model = compile(document_.scene().spec, findings);
        if (model) (void)make_solver(*model, findings);
    }
    if (!findings.has_errors() && session_ && session_->adopt(document_.scene().spec)) {
        problems = problems_json(document_, findings);
        return false;  // a comment, a colour: what runs goes on
    }
    if (!findings.has_errors()) {
        const SettingsInForce settings = session_ ? session_->settings() : SettingsInForce{};
        const std::string ghost = session_ && session_->ghost() ? session_->ghost()->model().simulation.solver : "";
        try {
            fresh = std::make_unique<Session>(document_.scene().spec, settings, recording_bytes_);
            if (!ghost.empty()) fresh->set_ghost(ghost);
        } catch (const InputError& error) {
            // The text is all right, but not with what was set by hand.
            try {
                if (!fresh)
                    fresh = std::make_unique<Session>(document_.scene().spec, SettingsInForce{}, recording_bytes_);
                message("warning", "the settings do not fit this scene and are those of its text again");
            } catch (const InputError& again) {
                for (const Diagnostic& d : again.diagnostics().all()) findings.add(d);
            }
        }
    }
    problems = problems_json(document_, findings);
    if (!fresh) return false;
    session_ = std::move(fresh);
    if (const auto& assembly = session_->run().assembly(); assembly && assembly->result != AssemblyResult::satisfied)
        message("warning", to_text(session_->run().model(), *assembly));
    return true;
}

Json Studio::text_changed(bool undone) {
    ++revision_;
    way_.reset();
    if (!undone) poses_.forget_redo();
    if (start_session(problems_)) {
        playback_.loop.reset();
        poses_.clear();
    } else if (!session_) {
        session_ = std::make_unique<Session>(Spec{}, SettingsInForce{}, recording_bytes_);  // nothing yet, but it runs
    }
    scene_due_ = frame_due_ = status_due_ = true;
    return problems_;
}

void Studio::message(const std::string& severity, const std::string& text) {
    outlets_.event({}, Slot::notice,
                   std::make_shared<const std::string>(
                       line_of(Json{{"event", "message"}, {"severity", severity}, {"text", document_.shown(text)}})));
}

std::shared_ptr<const std::string> Studio::scene_event() {
    Json event = {{"event", "scene"},
                  {"revision", revision_},
                  {"file", document_.file().empty() ? Json() : Json(places_.shown(document_.file()))},
                  {"name", document_.name()},
                  {"title", session_->scene().title},
                  {"text", document_.text()},
                  {"dirty", document_.dirty()},
                  {"canUndo", document_.can_undo() || poses_.can_undo(document_.depth())},
                  {"canRedo", document_.can_redo() || poses_.can_redo(document_.depth())},
                  {"problems", problems_},
                  {"autosave", document_.found_autosave() ? Json(*document_.found_autosave()) : Json()}};
    event["files"] = Json::array();
    for (const SceneDocument::Included& f : document_.included())
        event["files"].push_back({{"file", f.name},
                                  {"dirty", f.text.dirty()},
                                  {"autosave", f.text.found_autosave() ? Json(*f.text.found_autosave()) : Json()}});
    add_model_json(event, document_, *session_);
    event["groups"] = outline_json(document_);
    return std::make_shared<const std::string>(line_of(event));
}

void Studio::send_scene_to(ViewerId viewer) {
    if (scene_due_ || !scene_event_) {
        scene_event_ = scene_event();
        if (scene_due_) outlets_.event({}, Slot::scene, scene_event_);
        scene_due_ = false;
    }
    outlets_.event(viewer, Slot::scene, scene_event_);
    outlets_.event(viewer, Slot::status, std::make_shared<const std::string>(status_event()));
    frame_due_ = true;
}

std::string Studio::status_event() {
    const Run& run = session_->run();
    const Model& model = run.model();
    const Moment& m = run.moment();
    std::string state = "ok";
    for (const IslandState& i : m.state.islands)
        if (i.failed_body >= 0) {
            state = "failed: " + model.bodies[static_cast<std::size_t>(i.failed_body)].name;
            break;
        }
    if (state == "ok" && m.step.unconverged > 0) state = "not converged";
    // Nothing has to be computed for that: parts pulled loose, or joints that cannot all hold.
    const double allowed = model.simulation.max_gap;
    if (state == "ok" && (m.joints.worst_gap > allowed || m.joints.worst_angle > allowed)) state = "joints apart";
    const JointId worst = m.joints.worst_gap_joint;
    // Then the joints hold better than the hand does, which gives way: nothing is wrong with the scene.
    if (worst >= 0 && (state == "not converged" || state == "joints apart") &&
        session_->run().is_live(model.joints[static_cast<std::size_t>(worst)].name))
        state = "hand out of reach";
    Json gap = {{"value", m.joints.worst_gap},
                {"joint", worst >= 0 ? Json(model.joints[static_cast<std::size_t>(worst)].name) : Json()}};
    Json event = {{"event", "status"},
                  {"revision", revision_},
                  {"playing", playback_.playing},
                  {"frame", m.state.frame},
                  {"time", m.state.time},
                  {"recorded", Json::array({run.timeline().first(), run.timeline().last()})},
                  {"realTimeFactor", playback_.playing ? factor_ : 0},
                  {"speed", playback_.speed},
                  {"loop", playback_.loop ? Json::array({playback_.loop->first, playback_.loop->second}) : Json()},
                  {"solver", model.simulation.solver},
                  {"scheme", scheme_info(model.simulation.scheme).name},
                  {"dt", model.simulation.dt},
                  {"gap", std::move(gap)},
                  {"angle", m.joints.worst_angle},
                  {"energy", m.energy},
                  {"iterations", m.step.max_iterations},
                  {"state", state},
                  {"viewers", outlets_.viewers()},
                  {"stepMs", m.step_ms},
                  {"drags", Json::array()},
                  {"message", last_message_}};
    for (const DraggedSpec& d : session_->held_drags())
        event["drags"].push_back({{"drag", d.name},
                                  {"solid", d.solid},
                                  {"point", json_of(d.at_B)},
                                  {"target", json_of(d.path.keys.back().pose.x)},
                                  {"pin", d.name.starts_with("pin")}});
    event["ghost"] = nullptr;
    if (const Run* ghost = session_->ghost()) {
        event["ghost"] = ghost->model().simulation.solver;
        event["ghostGap"] = ghost->moment().joints.worst_gap;
        event["ghostStepMs"] = ghost->moment().step_ms;
    }
    return line_of(event);
}

void Studio::handle(ViewerId viewer, std::string_view text, Clock::time_point arrived) {
    const Json message = Json::parse(text, nullptr, false);
    Json id, reply;
    const auto refuse = [&](Json problems, bool conflict = false) {
        reply = {{"id", id}, {"ok", false}, {"errors", std::move(problems)}};
        if (conflict) reply["conflict"] = true;
    };
    const auto one = [](const std::string& what) { return Json::array({problem_json(what)}); };
    if (!message.is_object()) {
        refuse(one("this is not a command"));
    } else {
        if (const auto it = message.find("id"); it != message.end() && it->is_number_integer()) id = *it;
        const auto verb = message.find("do");
        const auto command =
            verb != message.end() && verb->is_string() ? commands().find(verb->get<std::string>()) : commands().end();
        if (command == commands().end()) {
            refuse(one(verb != message.end() && verb->is_string()
                           ? "there is no command `" + verb->get<std::string>() + "`"
                           : "the command does not say what to `do`"));
        } else {
            try {
                arrived_ = arrived;
                handled_ = {viewer, id};
                deferred_ = false;
                Json result = command->second(*this, message, viewer);
                if (deferred_) return;
                reply = {{"id", id}, {"ok", true}};
                reply.update(result);
            } catch (const Refusal& r) {
                refuse(r.problems, r.conflict);
            } catch (const InputError& e) {
                refuse(problems_json(document_, e.diagnostics()));
            } catch (const Json::exception&) {
                refuse(one("an argument of `" + command->first + "` has a wrong type or is missing"));
            } catch (const std::exception& e) {
                refuse(one(e.what()));
            }
        }
    }
    outlets_.reply(viewer, line_of(reply));
    if (reply.value("ok", false) && message.value("do", "") == "hello") send_scene_to(viewer);
}

void Studio::answer(const Deferred& to, Json result) {
    Json reply = {{"id", to.id}, {"ok", true}};
    reply.update(result);
    outlets_.reply(to.viewer, line_of(reply));
}

void Studio::answer(const Deferred& to, const Refusal& refusal) {
    outlets_.reply(to.viewer, line_of(Json{{"id", to.id}, {"ok", false}, {"errors", refusal.problems}}));
}

void Studio::one_frame() {
    if (playback_.loop) {
        const auto [from, to] = *playback_.loop;
        const std::int64_t next = session_->run().frame() + 1;
        session_->seek(next > to || next < from ? from : next);
        return;
    }
    session_->advance();
    if (session_->run().report().stopped && playback_.playing) {
        playback_.playing = false;
        message("warning", "stopped: a frame did not converge, and the scene says `on_failure stop`");
    }
}

void Studio::run_changed(Branch before) {
    poses_.add(document_.depth(), std::move(before));
    document_.forget_redo();
    scene_due_ = true;  // it says what can be undone
}

bool Studio::undo_pose(bool again) {
    const std::size_t depth = document_.depth();
    if (again ? !poses_.can_redo(depth) : !poses_.can_undo(depth)) return false;
    way_.reset();
    playback_.playing = false;
    playback_.loop.reset();
    if (!(again ? poses_.redo(*session_) : poses_.undo(*session_)))
        throw Refusal("that moment is not recorded any more");
    scene_due_ = frame_due_ = status_due_ = true;
    return true;
}

void Studio::move_held() {
    if (playback_.playing || way_) return;
    Session::Posed posed = session_->pose();
    if (posed.before) run_changed(std::move(*posed.before));
    if (posed.moved) frame_due_ = status_due_ = true;
}

void Studio::play_due_frames(Clock::time_point now) {
    if (!playback_.playing || way_) return;
    if (now - factor_since_ > 1s) {
        const double time = session_->run().moment().state.time;
        factor_ = (time - factor_time_) / std::chrono::duration<double>(now - factor_since_).count();
        factor_ = std::max(0.0, factor_);
        factor_since_ = now;
        factor_time_ = time;
    }
    const double dt = session_->run().model().simulation.dt;
    const Clock::duration each = playback_.speed > 0 ? seconds(dt / playback_.speed) : Clock::duration::zero();
    while (playback_.playing && playback_.due <= now) {
        one_frame();
        frame_due_ = status_due_ = true;
        playback_.due += each;
        if (each == Clock::duration::zero()) playback_.due = now;
        if (Clock::now() - now > most_at_a_time) break;
    }
    // What cannot keep up is slower than asked, and does not run after the time it lost.
    if (playback_.due < now - 100ms) playback_.due = now;
}

void Studio::send_frames(Clock::time_point now) {
    if (!frame_due_ || way_ || now - frame_sent_ < least_between_frames) return;
    frame_due_ = false;
    frame_sent_ = now;
    const Run& run = session_->run();
    if (session_->input() != input_sent_) {
        input_sent_ = session_->input();
        input_ms_ = std::chrono::duration<float, std::milli>(now - input_arrived_).count();
    }
    FrameStamp stamp{FrameKind::live, revision_, input_sent_, input_ms_};
    outlets_.frame(FrameKind::live, std::make_shared<const std::string>(
                                        frame_message(run.model(), run.moment(), session_->body_count(), stamp)));
    if (const Run* ghost = session_->ghost()) {
        stamp.kind = FrameKind::ghost;
        outlets_.frame(FrameKind::ghost, std::make_shared<const std::string>(frame_message(
                                             ghost->model(), ghost->moment(), session_->body_count(), stamp)));
    }
}

void Studio::show_way(std::vector<State> states, int frames) {
    if (frames <= 0 || states.empty()) return;
    const Clock::duration each = 16ms * std::min(frames, 1000) / static_cast<int>(states.size());
    way_ = Way{std::move(states), 0, each, Clock::now()};
}

void Studio::send_way(Clock::time_point now) {
    while (way_ && way_->due <= now) {
        if (way_->shown == way_->states.size()) {
            way_.reset();
            frame_due_ = true;
            return;
        }
        Moment m = session_->run().moment();
        m.state = way_->states[way_->shown++];
        std::vector<double> errors;
        m.joints = measure_joints(session_->run().model(), m.state, errors);
        const FrameStamp stamp{FrameKind::assembling, revision_, session_->input(), 0};
        outlets_.frame(FrameKind::assembling, std::make_shared<const std::string>(frame_message(
                                                  session_->run().model(), m, session_->body_count(), stamp)));
        way_->due = now + way_->each;
    }
}

void Studio::look_after_files(Clock::time_point now) {
    if (now - files_seen_ < between_looks_at_files) return;
    files_seen_ = now;
    try {
        const std::size_t before = document_.depth();
        const OnDisk found = document_.look_at_disk();
        if (document_.depth() != before || found == OnDisk::saved) text_changed();
        if (found != OnDisk::same) {
            const Json event = {{"event", "file"}, {"changed", true}, {"conflict", found == OnDisk::conflict}};
            outlets_.event({}, Slot::notice, std::make_shared<const std::string>(line_of(event)));
        }
        document_.autosave(now);
    } catch (const FileError& error) {
        message("error", error.what());
    }
}

Clock::time_point Studio::tick(Clock::time_point now) {
    look_after_files(now);
    tell_jobs(now);
    send_way(now);
    play_due_frames(now);
    move_held();
    if (scene_due_) {
        scene_due_ = false;
        scene_event_ = scene_event();
        outlets_.event({}, Slot::scene, scene_event_);
    }
    now = std::max(now, Clock::now());
    send_frames(now);
    if (status_due_ && now - status_sent_ >= least_between_status) {
        status_due_ = false;
        status_sent_ = now;
        outlets_.event({}, Slot::status, std::make_shared<const std::string>(status_event()));
    }
    Clock::time_point next = files_seen_ + between_looks_at_files;
    if (way_) next = std::min(next, way_->due);
    if (!background_.open().empty()) next = std::min(next, now + 250ms);
    if (session_->pose_due() && !playback_.playing && !way_) next = now;
    if (playback_.playing && !way_) next = std::min(next, playback_.due);
    if (frame_due_) next = std::min(next, frame_sent_ + least_between_frames);
    if (status_due_) next = std::min(next, status_sent_ + least_between_status);
    return next;
}

void Studio::finish() {
    try {
        document_.autosave(Clock::now(), Clock::duration::zero());
    } catch (const FileError&) {
        // Nobody is left to tell.
    }
}

}  // namespace armature::studio
