#include "messages.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>

#include "armature/base/suggest.h"
#include "armature/scene/load.h"

namespace armature::command {

namespace {

int stdout_failure = 0;

/// Nothing is left to be done when stderr itself fails.
void say(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
}

std::string counted(int count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

void say_error(const Terminal& terminal, std::string_view message, std::string_view hint) {
    say(fmt::format("armature: {} {}\n", paint(terminal.rich_stderr, Colour::red, "error:"), message));
    if (!hint.empty()) say(fmt::format("    hint: {}\n", hint));
}

void say_warning(const Terminal& terminal, std::string_view message) {
    say(fmt::format("armature: {} {}\n", paint(terminal.rich_stderr, Colour::yellow, "warning:"), message));
}

void say_diagnostics(const Terminal& terminal, const Diagnostics& diagnostics, const Scene& scene,
                     const std::vector<std::pair<std::string, std::string>>& renamed) {
    int errors = 0, warnings = 0;
    for (Diagnostic d : diagnostics.all()) {
        const std::string line = source_line(scene, d.place);
        for (const auto& [from, to] : renamed)
            if (d.place.file == from) d.place.file = to;
        std::string text = render(d, line);
        const bool is_error = d.severity == Severity::error;
        const std::string label = is_error ? "error:" : d.severity == Severity::warning ? "warning:" : "note:";
        const std::size_t at = text.find(label + " " + d.message);
        if (at != std::string::npos && terminal.rich_stderr)
            text.replace(at, label.size(), paint(true, is_error ? Colour::red : Colour::yellow, label));
        say(text + "\n");
        errors += is_error;
        warnings += d.severity == Severity::warning;
    }
    if (errors + warnings < 2) return;
    if (errors == 0)
        say(counted(warnings, "warning") + "\n");
    else if (warnings == 0)
        say(counted(errors, "error") + "\n");
    else
        say(fmt::format("{}, {}\n", counted(errors, "error"), counted(warnings, "warning")));
}

std::string suggestion(const std::string& name, const std::vector<std::string>& known) {
    return did_you_mean(name, std::vector<std::string_view>(known.begin(), known.end()));
}

void print_data(std::string_view text) {
    if (stdout_failure == 0 && std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) stdout_failure = errno;
}

int finish_stdout() {
    if (std::fflush(stdout) != 0 && stdout_failure == 0) stdout_failure = errno;
    return stdout_failure;
}

}  // namespace armature::command
