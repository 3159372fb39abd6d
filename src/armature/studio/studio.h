// The studio without its network: a document, the session that runs it, commands in and replies, events and frames out. One
// thread calls everything here (simulation_thread.h); time is what that thread says it is.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "armature/studio/background.h"
#include "armature/studio/document.h"
#include "armature/studio/frame_message.h"
#include "armature/studio/json.h"
#include "armature/studio/places.h"
#include "armature/studio/pose_history.h"
#include "armature/studio/session.h"

namespace armature::studio {

using ViewerId = std::uint64_t;
using Clock = std::chrono::steady_clock;

/// Of each slot a slow viewer gets the newest only; replies and notices are all kept.
enum class Slot { scene, status, notice };

/// Where what the studio says goes. Called on the thread of the studio.
struct Outlets {
    std::function<void(ViewerId, std::string)> reply;
    /// To one viewer, or to all.
    std::function<void(std::optional<ViewerId>, Slot, std::shared_ptr<const std::string>)> event;
    std::function<void(FrameKind, std::shared_ptr<const std::string>)> frame;
    std::function<std::size_t()> viewers;
    /// From any thread: tick() is wanted. May be empty where somebody calls it often enough.
    std::function<void()> wake;
};

struct StudioOptions {
    std::filesystem::path file;     ///< to open; empty: the first scene of the gallery, or an empty text
    std::filesystem::path folder;   ///< scenes are opened from and saved to; empty: that of the file
    std::filesystem::path gallery;  ///< may be missing
    std::string first = "monocycle_riding";
    std::size_t recording_bytes = std::size_t{512} << 20;  ///< per run
};

/// Why a command was not carried out.
struct Refusal {
    Json problems = Json::array();
    bool conflict = false;

    explicit Refusal(const std::string& message, const std::string& hint = {}) {
        problems.push_back(problem_json(message, hint));
    }
    /// Somebody else was there first.
    static Refusal because_of_conflict(const std::string& message, const std::string& hint = {}) {
        Refusal r(message, hint);
        r.conflict = true;
        return r;
    }
};

/// How time runs.
struct Playback {
    bool playing = false;
    double speed = 1;  ///< 0: as fast as it can
    std::optional<std::pair<std::int64_t, std::int64_t>> loop;
    Clock::time_point due{};
};

class Studio {
  public:
    /// Throws FileError when the file cannot be read.
    Studio(const StudioOptions& options, Outlets outlets);

    /// One message of a viewer; the reply goes out by Outlets. Never throws for what the message says.
    void handle(ViewerId viewer, std::string_view message, Clock::time_point arrived);
    /// Does what is due. Returns when it wants to be called again.
    Clock::time_point tick(Clock::time_point now);
    /// Unsaved work goes to the disk.
    void finish();

    /// What lasts is given up, and its thread ended: before `outlets.wake` goes.
    void stop_background() { background_.stop(); }

    struct File {
        std::string name, type, bytes;
    };
    struct Exported {
        int status =
            404;  ///< of HTTP: 200, 404 for an unknown `what`, 409 cancelled, 500, 503 when too much is being done
        std::optional<File> file;
    };
    /// The recording as a file for GET /api/export. `done` is called on the thread of the studio, now or when it is made.
    void export_file(const std::string& what, std::function<void(Exported)> done);

    // ---- for the commands (commands*.cpp) ----

    /// A command that is answered later: its handler's result is dropped.
    struct Deferred {
        ViewerId viewer = 0;
        Json id;
    };
    Deferred defer() {
        deferred_ = true;
        return handled_;
    }
    void answer(const Deferred& to, Json result);
    void answer(const Deferred& to, const Refusal& refusal);
    Background& background() { return background_; }

    SceneDocument& document() { return document_; }
    Session& session() { return *session_; }
    Playback& playback() { return playback_; }
    const Places& places() const { return places_; }
    std::uint32_t revision() const { return revision_; }

    /// Another document; its history starts anew.
    void open(SceneDocument document);
    /// The document's text changed: what it says now runs, or, when it has errors, what ran goes on. Returns the problems.
    Json text_changed(bool undone = false);
    /// The run was changed in a way that its text does not say; this stood before.
    void run_changed(Branch before);
    /// The last such change is undone or done again, when it came after the last change of the text. False when it did not.
    bool undo_pose(bool again);
    /// What ran before is another run: none of its changes can come back.
    void forget_poses() { poses_.clear(); }
    /// Only what is said about the document changed: saved, offer of an autosave answered.
    void document_changed() { scene_due_ = true; }
    /// What is shown changed: a frame goes out.
    void frame_changed() { frame_due_ = true; }
    void status_changed() { status_due_ = true; }
    void message(const std::string& severity, const std::string& text);
    void send_scene_to(ViewerId viewer);
    /// A row of states, in as much time as that many frames take, for eyes.
    void show_way(std::vector<State> states, int frames);
    /// When the message came that is being carried out, which was an input of a hand.
    void input_arrived() { input_arrived_ = arrived_; }
    const Json& problems() const { return problems_; }

  private:
    bool start_session(Json& problems);
    void play_due_frames(Clock::time_point now);
    void one_frame();
    void move_held();
    void end_jobs();
    void tell_jobs(Clock::time_point now);
    void send_frames(Clock::time_point now);
    void send_way(Clock::time_point now);
    void look_after_files(Clock::time_point now);
    std::shared_ptr<const std::string> scene_event();
    std::string status_event();

    Outlets outlets_;
    Places places_;
    std::size_t recording_bytes_;
    SceneDocument document_;
    std::unique_ptr<Session> session_;
    SettingsInForce settings_;
    std::string ghost_solver_;
    PoseHistory poses_;
    Playback playback_;
    Json problems_ = Json::array();
    std::uint32_t revision_ = 0;
    std::string last_message_;
    bool scene_due_ = false, frame_due_ = false, status_due_ = false;
    Clock::time_point frame_sent_{}, status_sent_{}, files_seen_{}, arrived_{}, input_arrived_{};
    Clock::time_point jobs_told_{};
    Deferred handled_;  ///< the command that is being carried out
    bool deferred_ = false;
    std::uint32_t input_sent_ = 0;
    float input_ms_ = 0;
    std::shared_ptr<const std::string> scene_event_;
    struct Way {
        std::vector<State> states;
        std::size_t shown = 0;
        Clock::duration each{};
        Clock::time_point due{};
    };
    std::optional<Way> way_;
    // Of the last second or so.
    double factor_ = 0;
    Clock::time_point factor_since_{};
    double factor_time_ = 0;
    Background background_;  ///< the last: what it does must end before anything else does
};

/// A command by its name: JSON in, what the reply has besides `ok` out. Throws Refusal, InputError, FileError.
using Command = std::function<Json(Studio&, const Json& arguments, ViewerId)>;
const std::map<std::string, Command, std::less<>>& commands();

// The table in its parts.
using CommandTable = std::map<std::string, Command, std::less<>>;
void add_playing_commands(CommandTable& table);
void add_text_commands(CommandTable& table);
void add_editing_commands(CommandTable& table);
void add_hand_commands(CommandTable& table);
void add_measuring_commands(CommandTable& table);
void add_job_commands(CommandTable& table);

/// The run report as JSON, with the names that are shown.
Json full_report(Studio& studio);

}  // namespace armature::studio
