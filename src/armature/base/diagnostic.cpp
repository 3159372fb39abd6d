#include "armature/base/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>

namespace armature {

namespace {

const char* label(Severity s) {
    switch (s) {
        case Severity::note:
            return "note";
        case Severity::warning:
            return "warning";
        case Severity::error:
            break;
    }
    return "error";
}

std::string first_messages(const Diagnostics& diagnostics) {
    std::string text;
    for (const Diagnostic& d : diagnostics.all()) {
        if (d.severity != Severity::error) continue;
        if (!text.empty()) text += '\n';
        text += render(d);
    }
    return text.empty() ? std::string("invalid input") : text;
}

}  // namespace

std::string render(const Diagnostic& d, const std::string& source_line) {
    std::string text;
    if (d.place.known())
        text += fmt::format("{}:{}:{}: ", d.place.file, d.place.line, d.place.column);
    else if (!d.place.file.empty())
        text += fmt::format("{}: ", d.place.file);
    text += fmt::format("{}: {}", label(d.severity), d.message);
    if (d.place.known() && !source_line.empty()) {
        // Tabs are kept in the padding so that the caret stands under its character in any terminal.
        std::string pad;
        const auto n = static_cast<std::size_t>(std::max(0, d.place.column - 1));
        for (std::size_t i = 0; i < n; ++i) pad += i < source_line.size() && source_line[i] == '\t' ? '\t' : ' ';
        const auto room = source_line.size() > n ? source_line.size() - n : std::size_t{1};
        const auto carets = std::clamp(static_cast<std::size_t>(std::max(1, d.place.length)), std::size_t{1}, room);
        text += fmt::format("\n    {}\n    {}{}", source_line, pad, std::string(carets, '^'));
    }
    if (!d.hint.empty()) text += fmt::format("\n    hint: {}", d.hint);
    for (const std::string& note : d.notes) text += fmt::format("\n    note: {}", note);
    return text;
}

InputError::InputError(Diagnostics diagnostics)
    : std::runtime_error(first_messages(diagnostics)), diagnostics_(std::move(diagnostics)) {}

}  // namespace armature
