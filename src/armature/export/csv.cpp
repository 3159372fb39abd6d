#include "armature/export/csv.h"

#include <utility>

#include "armature/base/number_text.h"

namespace armature {

namespace {

void append_field(std::string& text, const std::string& field) {
    if (field.find_first_of(",\"\r\n") == std::string::npos) {
        text += field;
        return;
    }
    text += '"';
    for (const char c : field) {
        if (c == '"') text += '"';
        text += c;
    }
    text += '"';
}

}  // namespace

std::string csv_header(const std::vector<Column>& columns) {
    std::string text;
    for (const Column& column : columns) {
        if (&column != columns.data()) text += ',';
        append_field(text, column.name);
    }
    return text + '\n';
}

void append_csv_row(std::string& text, const std::vector<Column>& columns, const FrameRecord& frame) {
    for (const Column& column : columns) {
        if (&column != columns.data()) text += ',';
        text += to_text(column.of(frame));
    }
    text += '\n';
}

CsvFile::CsvFile(std::filesystem::path path, std::vector<Column> columns)
    : file_(std::move(path)), columns_(std::move(columns)) {
    file_.write(csv_header(columns_));
}

void CsvFile::add(const FrameRecord& frame) {
    row_.clear();
    append_csv_row(row_, columns_, frame);
    file_.write(row_);
}

void write_csv(const std::filesystem::path& path, const Recording& recording, const std::vector<Column>& columns) {
    CsvFile file(path, columns);
    for (const FrameRecord& frame : recording.frames) file.add(frame);
    file.commit();
}

}  // namespace armature
