#include "armature/studio/export_files.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "armature/base/atomic_file.h"
#include "armature/export/columns.h"
#include "armature/export/csv.h"
#include "armature/export/gltf.h"
#include "armature/scene/files.h"

namespace armature::studio {

namespace {

namespace fs = std::filesystem;

/// A folder of our own, gone with everything in it when this ends.
class ScratchFolder {
  public:
    ScratchFolder() {
        std::string name = (fs::temp_directory_path() / "armature-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) throw FileError("create", name, errno);
        path_ = name;
    }
    ~ScratchFolder() {
        std::error_code error;
        fs::remove_all(path_, error);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    const fs::path& path() const { return path_; }

  private:
    fs::path path_;
};

double share(std::size_t i, std::size_t n) {
    return static_cast<double>(i) / static_cast<double>(n);
}

}  // namespace

FrameRecord RecordedRun::record(std::size_t i) const {
    return capture(model, fitted(model, moments[i]->state), moments[i]->step);
}

std::string glb_bytes(const RecordedRun& run, const Json& about, const ExportProgress& progress) {
    const ScratchFolder scratch;
    const fs::path path = scratch.path() / "motion.glb";
    GltfFile file(path, run.model);
    for (std::size_t i = 0; i < run.moments.size(); ++i) {
        progress(0.9 * share(i, run.moments.size()));
        file.add(run.record(i));
    }
    file.commit(about);
    progress(0.95);
    lang::FileText read = lang::read_text_file(path.string(), std::size_t{1} << 30);
    if (!read.error.empty()) throw FileError("read", path, EIO, read.error);
    return std::move(read.text);
}

std::string csv_bytes(const RecordedRun& run, const ExportProgress& progress) {
    const std::vector<Column> columns = default_columns(run.model);
    std::string text = csv_header(columns);
    for (std::size_t i = 0; i < run.moments.size(); ++i) {
        progress(share(i, run.moments.size()));
        append_csv_row(text, columns, run.record(i));
    }
    return text;
}

}  // namespace armature::studio
