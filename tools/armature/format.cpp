// `armature format`: the text of a scene in its usual form.
#include <fmt/format.h>

#include <iostream>
#include <iterator>
#include <optional>

#include "armature/base/atomic_file.h"
#include "armature/scene/files.h"
#include "armature/scene/format.h"
#include "armature/scene/limits.h"
#include "armature/scene/load.h"
#include "messages.h"
#include "verbs.h"

namespace armature::command {

namespace {

/// The whole text; nothing, and the reason said, when it cannot be had. "-" is standard input.
std::optional<std::string> read_text(const std::string& file, const Terminal& terminal) {
    if (file == "-") return std::string{std::istreambuf_iterator<char>(std::cin), {}};
    lang::FileText found = lang::read_text_file(file, lang::limits::file_bytes);
    if (found.error.empty()) return std::move(found.text);
    say_error(terminal, fmt::format("{}: {}", file, found.error));
    return {};
}

std::optional<std::string> formatted(const std::string& text, const std::string& name, const Terminal& terminal) {
    Diagnostics diagnostics;
    std::optional<std::string> result = format_text(text, name, diagnostics);
    // Loaded once more only for the lines that the findings stand on.
    if (!diagnostics.empty()) {
        Diagnostics ignored;
        say_diagnostics(terminal, diagnostics, load_text(text, name, {}, ignored));
    }
    return result;
}

}  // namespace

int format(const FormatOptions& options, const Terminal& terminal) {
    int code = fine;
    for (const std::string& file : options.files) {
        const std::optional<std::string> text = read_text(file, terminal);
        const std::optional<std::string> result =
            text ? formatted(*text, file == "-" ? "standard input" : file, terminal) : std::nullopt;
        if (!result) {
            code = unusable;
        } else if (options.check) {
            if (*result == *text) continue;
            print_data(file + "\n");
            if (code == fine) code = broken;
        } else if (options.in_place && file != "-") {
            if (*result != *text) write_file(file, *result);
        } else {
            print_data(*result);
        }
    }
    return code;
}

}  // namespace armature::command
