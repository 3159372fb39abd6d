// Recordings as comma-separated values (RFC 4180, lines end in a bare line feed): a line of column names, then a line
// per frame. Numbers are the shortest that read back to the same bits, whatever the locale; what is not finite is
// written inf, -inf or nan.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "armature/base/atomic_file.h"
#include "armature/export/columns.h"

namespace armature {

std::string csv_header(const std::vector<Column>& columns);

/// Appends one line to `text`.
void append_csv_row(std::string& text, const std::vector<Column>& columns, const FrameRecord& frame);

/// A table that grows while the run goes on and is in its place, whole, after commit(). Throws FileError.
class CsvFile {
  public:
    CsvFile(std::filesystem::path path, std::vector<Column> columns);
    void add(const FrameRecord& frame);
    void commit() { file_.commit(); }

  private:
    AtomicFile file_;
    std::vector<Column> columns_;
    std::string row_;
};

/// The whole recording at once.
void write_csv(const std::filesystem::path& path, const Recording& recording, const std::vector<Column>& columns);

}  // namespace armature
