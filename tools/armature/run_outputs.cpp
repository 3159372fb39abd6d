#include "run_outputs.h"

#include <fmt/format.h>

#include <filesystem>

#include "armature/base/number_text.h"
#include "armature/model/state.h"
#include "messages.h"

namespace armature::command {

namespace {

/// A slip of the hand must not cost the author the scene.
void refuse_to_overwrite(const std::string& scene, const std::string& file) {
    std::error_code none;
    if (!std::filesystem::equivalent(scene, file, none)) return;
    Diagnostics findings;
    findings.error({}, fmt::format("{} is the scene itself; the run would overwrite it", file));
    throw InputError(std::move(findings));
}

}  // namespace

RunOutputs::RunOutputs(const RunOptions& options, const Model& model, const Terminal& terminal) : terminal_(terminal) {
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

    if (!options.out.empty()) {
        const std::vector<Column> columns = choose_columns(model, options.columns);
        for (const std::string& file : options.out) {
            if (file == "-") {
                stdout_columns_ = columns;
                continue;
            }
            refuse_to_overwrite(scene, file);
            csv_.emplace_back(CsvFile(file, columns));
        }
    }
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
    if (!csv_.empty() || stdout_columns_) {
        const FrameRecord frame = simulator.capture();
        for (std::optional<CsvFile>& csv : csv_)
            if (csv && !attempt([&] { csv->add(frame); })) csv.reset();
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

void RunOutputs::commit() {
    for (std::optional<CsvFile>& csv : csv_)
        if (csv) attempt([&] { csv->commit(); });
    if (hashes_) attempt([&] { hashes_->commit(); });
    for (const Snapshot& snapshot : snapshots_)
        if (!snapshot.taken)
            say_warning(terminal_, fmt::format("{} was not written: the run ended early", snapshot.file));
}

}  // namespace armature::command
