#include "run_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "armature/base/number_text.h"
#include "armature/model/state.h"
#include "messages.h"

namespace armature::command {

namespace {

[[noreturn]] void refuse(const std::string& message, const std::string& hint = {}) {
    Diagnostics findings;
    findings.error({}, message, hint);
    throw InputError(std::move(findings));
}

/// A slip of the hand must not cost the author the scene.
void refuse_to_overwrite(const std::string& scene, const std::string& file) {
    std::error_code none;
    if (std::filesystem::equivalent(scene, file, none))
        refuse(fmt::format("{} is the scene itself; the run would overwrite it", file));
}

enum class MotionFormat { csv, glb };

/// By the ending of the name, in any case. Pipes and devices have none; they get the table.
MotionFormat motion_format(const std::string& file) {
    std::string ending = std::filesystem::path(file).extension().string();
    for (char& c : ending)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (ending.empty() || ending == ".csv") return MotionFormat::csv;
    if (ending == ".glb") return MotionFormat::glb;
    refuse(fmt::format("--out {}: files that end in {} are not known", file, ending), "known are .csv and .glb");
}

}  // namespace

RunOutputs::RunOutputs(const RunOptions& options, const Simulator& simulator, const Terminal& terminal)
    : terminal_(terminal) {
    const Model& model = simulator.model();
    const std::string& scene = options.scene.file;
    const double end = model.simulation.duration + 0.5 * model.simulation.dt;
    Diagnostics findings;
    for (const std::string& text : options.snapshots) {
        const std::size_t equals = text.find('=');
        const std::optional<double> time = parse_number(text.substr(0, equals));
        if (equals == std::string::npos || equals + 1 == text.size() || !time || *time < 0)
            findings.error({}, fmt::format("--snapshot-at needs a time and a file, 2.5=half.snap, not '{}'", text));
        else if (*time > end)
            findings.error({}, fmt::format("--snapshot-at {}: the run ends before that, at {} s", text,
                                           to_text(model.simulation.duration)));
        else
            snapshots_.push_back({*time, text.substr(equals + 1), false});
    }
    if (findings.has_errors()) throw InputError(std::move(findings));

    open_motion_files(options, simulator);
    if (!options.hashes.empty()) {
        refuse_to_overwrite(scene, options.hashes);
        hashes_.emplace(options.hashes);
    }
    for (const Snapshot& snapshot : snapshots_) {
        refuse_to_overwrite(scene, snapshot.file);
        const AtomicFile can_be_written(snapshot.file);
    }
    if (stdout_columns_) print_data(csv_header(*stdout_columns_));
}

void RunOutputs::open_motion_files(const RunOptions& options, const Simulator& simulator) {
    const Model& model = simulator.model();
    for (const std::string& file : options.out) refuse_to_overwrite(options.scene.file, file);
    const auto is_table = [](const std::string& file) {
        return file == "-" || motion_format(file) == MotionFormat::csv;
    };
    const bool tables = std::any_of(options.out.begin(), options.out.end(), is_table);
    if (!options.columns.empty() && !tables) refuse("--columns is for CSV files, and no --out is one");
    const std::vector<Column> columns = tables ? choose_columns(model, options.columns) : std::vector<Column>();
    for (const std::string& file : options.out) {
        if (file == "-") {
            stdout_columns_ = columns;
            continue;
        }
        if (is_table(file))
            motion_.emplace_back(CsvFile(file, columns));
        else
            motion_.emplace_back(GltfFile(file, model, simulator.frame_count() + 1));
    }
}

template <class Write>
bool RunOutputs::attempt(Write write) {
    try {
        write();
        return true;
    } catch (const FileError& error) {
        say_error(terminal_, error.what());
        failed_ = true;
        return false;
    }
}

void RunOutputs::add(const Simulator& simulator) {
    const State& state = simulator.state();
    if (!motion_.empty() || stdout_columns_) {
        const FrameRecord frame = simulator.capture();
        for (std::optional<MotionFile>& file : motion_)
            if (file && !attempt([&] { std::visit([&](auto& f) { f.add(frame); }, *file); })) file.reset();
        if (stdout_columns_) {
            std::string row;
            append_csv_row(row, *stdout_columns_, frame);
            print_data(row);
        }
    }
    if (hashes_ && !attempt([&] { hashes_->write(fmt::format("{} {:016x}\n", state.frame, hash(state))); }))
        hashes_.reset();
    for (Snapshot& snapshot : snapshots_) {
        // The frame nearest to the time that was asked for.
        if (snapshot.taken || state.time + 0.5 * simulator.model().simulation.dt < snapshot.time) continue;
        snapshot.taken = true;
        attempt([&] { write_file(snapshot.file, to_snapshot(simulator.model(), state)); });
    }
}

void RunOutputs::commit(const Json& report) {
    struct Commit {
        const Json& report;
        void operator()(CsvFile& file) const { file.commit(); }
        void operator()(GltfFile& file) const { file.commit(report); }
    };
    for (std::optional<MotionFile>& file : motion_)
        if (file) attempt([&] { std::visit(Commit{report}, *file); });
    if (hashes_) attempt([&] { hashes_->commit(); });
    for (const Snapshot& snapshot : snapshots_)
        if (!snapshot.taken)
            say_warning(terminal_, fmt::format("{} was not written: the run ended early", snapshot.file));
}

}  // namespace armature::command
