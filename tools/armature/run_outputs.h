// The files a run writes while it goes on. All are opened before the run starts, so that a path that cannot be written
// is told at once; a file that fails later is told and left out, and the others go on.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "armature/base/atomic_file.h"
#include "armature/export/csv.h"
#include "armature/export/gltf.h"
#include "armature/sim/simulator.h"
#include "terminal.h"
#include "verbs.h"

namespace armature::command {

class RunOutputs {
  public:
    /// `simulator` must outlive this. Throws FileError and InputError.
    RunOutputs(const RunOptions& options, const Simulator& simulator, const Terminal& terminal);

    /// The present frame, to every file that wants it.
    void add(const Simulator& simulator);
    /// Puts every file in its place; those that can carry the report do.
    void commit(const Json& report);

    bool any_failed() const { return failed_; }

  private:
    struct Snapshot {
        double time = 0;
        std::string file;
        bool taken = false;
    };

    using MotionFile = std::variant<CsvFile, GltfFile>;

    void open_motion_files(const RunOptions& options, const Simulator& simulator);
    template <class Write>
    bool attempt(Write write);

    Terminal terminal_;
    std::vector<std::optional<MotionFile>> motion_;
    std::optional<std::vector<Column>> stdout_columns_;
    std::optional<AtomicFile> hashes_;
    std::vector<Snapshot> snapshots_;
    bool failed_ = false;
};

}  // namespace armature::command
