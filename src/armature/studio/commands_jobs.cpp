// What takes long and runs beside the simulation: exports and the doctor.
#include <fmt/format.h>

#include "armature/doctor/doctor.h"
#include "armature/doctor/doctor_json.h"
#include "armature/studio/block_edits.h"
#include "armature/studio/export_files.h"
#include "armature/studio/studio.h"

namespace armature::studio {

Json full_report(Studio& studio) {
    const Run& run = studio.session().run();
    const double max_gap = run.model().simulation.max_gap;
    const Json json = report_json(run.model(), run.report(), run.assembly(), studio.document().name(),
                                  run.report().converged(max_gap));
    return Json::parse(studio.document().shown(line_of(json)));
}

namespace {

/// Why a job ended without what it was for; empty when it has it.
std::string misfortune(const Background::Job& job) {
    if (!job.failure) return {};
    try {
        std::rethrow_exception(job.failure);
    } catch (const Cancelled&) {
        return "cancelled";
    } catch (const std::exception& e) {
        return e.what();
    } catch (...) {
        return "it failed";
    }
}

Json doctor(Studio& studio, const Json&, ViewerId) {
    Spec spec = studio.session().scene();
    spec.drags.clear();  // hands are no part of the mechanism
    const auto found = std::make_shared<DoctorReport>();
    const Studio::Deferred reply = studio.defer();
    const std::uint64_t job = studio.background().add(
        "doctor",
        [spec = std::move(spec), found](Background::Job& j) {
            DoctorOptions options;
            options.progress = [&](double done) { j.progress(done); };
            *found = diagnose(spec, options);
        },
        [&studio, reply, found, name = studio.document().name(),
         place = studio.document().place()](const Background::Job& j) {
            if (const std::string why = misfortune(j); !why.empty())
                return studio.answer(reply, Refusal(why == "cancelled" ? "the doctor was cancelled" : why));
            const auto shown = [&](std::string text) { return SceneDocument::shown_from(place, std::move(text)); };
            studio.answer(reply, {{"report", Json::parse(shown(line_of(doctor_json(*found, name))))},
                                  {"text", shown(to_text(*found))}});
        });
    if (job == 0) studio.answer(reply, Refusal("too much is being done already", "wait for it, or cancel it"));
    return Json::object();
}

Json cancel(Studio& studio, const Json& a, ViewerId) {
    if (!studio.background().cancel(a.at("job").get<std::uint64_t>())) throw Refusal("there is no such job");
    return Json::object();
}

}  // namespace

void Studio::export_file(const std::string& what, std::function<void(Exported)> done) {
    const std::string name = document_.name();
    if (what == "report")
        return done({200, File{name + "-report.json", "application/json", json_text(full_report(*this))}});
    if (what == "recording") {
        const Run& run = session_->run();
        const std::string hands = session_->drags_text();
        std::string text = hands.empty() ? document_.text() : with_block(document_.text(), hands);
        if (!run.changed_at().empty())
            text = fmt::format(
                "// Not all of what was seen is in this text: solids were put elsewhere or settings changed by hand at "
                "frame {}.\n// Up to there it replays bit for bit.\n{}",
                run.changed_at().front(), text);
        return done({200, File{name + "-recording.arm", "text/plain; charset=utf-8", std::move(text)}});
    }
    if (what != "glb" && what != "csv") return done({404, {}});
    const bool glb = what == "glb";
    const auto file = std::make_shared<File>();
    file->name = name + "." + what;
    file->type = glb ? "model/gltf-binary" : "text/csv; charset=utf-8";
    const auto run = std::make_shared<const RecordedRun>(session_->run());
    const std::uint64_t job = background_.add(
        what,
        [run, file, glb, about = glb ? full_report(*this) : Json()](Background::Job& j) {
            const auto progress = [&](double share) { j.progress(share); };
            file->bytes = glb ? glb_bytes(*run, about, progress) : csv_bytes(*run, progress);
        },
        [file, done](const Background::Job& j) {
            const std::string why = misfortune(j);
            if (why.empty())
                done({200, std::move(*file)});
            else
                done({why == "cancelled" ? 409 : 500, {}});
        });
    if (job == 0) done({503, {}});
}

void Studio::end_jobs() {
    for (const Background::JobPtr& job : background_.take_ended()) {
        job->then(*job);
        const std::string why = misfortune(*job);
        Json event = {{"event", "job"},
                      {"job", job->id},
                      {"what", job->what},
                      {"done", why.empty() ? 1.0 : job->done.load()},
                      {"end", why.empty()          ? "done"
                              : why == "cancelled" ? "cancelled"
                                                   : "failed"}};
        if (event["end"] == "failed") event["error"] = why;
        outlets_.event({}, Slot::notice, std::make_shared<const std::string>(line_of(event)));
    }
}

void Studio::tell_jobs(Clock::time_point now) {
    end_jobs();
    constexpr auto between = std::chrono::milliseconds(250);
    if (now - jobs_told_ < between) return;
    jobs_told_ = now;
    for (const Background::JobPtr& job : background_.open()) {
        const double done = job->done;
        if (done == job->told) continue;
        job->told = done;
        const Json event = {{"event", "job"}, {"job", job->id}, {"what", job->what}, {"done", done}};
        outlets_.event({}, Slot::notice, std::make_shared<const std::string>(line_of(event)));
    }
}

void add_job_commands(CommandTable& table) {
    table.insert({{"doctor", doctor}, {"cancel", cancel}});
}

}  // namespace armature::studio
