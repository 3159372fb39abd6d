#include "terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace armature::command {

Terminal detect_terminal() {
    const auto set = [](const char* name) {
        const char* value = std::getenv(name);
        return value != nullptr && *value != '\0';
    };
    const char* kind = std::getenv("TERM");
    const bool allowed = !set("NO_COLOR") && kind != nullptr && std::string_view(kind) != "dumb";
    Terminal terminal;
    terminal.rich_stdout = allowed && ::isatty(STDOUT_FILENO) == 1;
    terminal.rich_stderr = allowed && ::isatty(STDERR_FILENO) == 1;
    winsize size = {};
    if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) terminal.width = size.ws_col;
    return terminal;
}

std::string paint(bool rich, Colour colour, std::string_view text) {
    if (!rich) return std::string(text);
    const char* code = "1";
    switch (colour) {
        case Colour::bold:
            break;
        case Colour::red:
            code = "1;31";
            break;
        case Colour::green:
            code = "32";
            break;
        case Colour::yellow:
            code = "33";
            break;
        case Colour::cyan:
            code = "36";
            break;
    }
    return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

std::string progress_line(std::string_view label, double done, double total, double elapsed, int width) {
    const double part = total > 0 ? std::clamp(done / total, 0.0, 1.0) : 1.0;
    std::string figures = fmt::format(" {:3.0f} %  {:.2f} of {:g} s", std::floor(100 * part), done, total);
    // The first moments tell nothing about the rest.
    if (part > 0.01 && elapsed > 0.5) figures += fmt::format("  {:.0f} s left", std::ceil(elapsed * (1 - part) / part));
    const int room = width - 1 - static_cast<int>(label.size() + figures.size()) - 3;
    std::string line(label);
    if (room >= 10) {
        const int cells = std::min(room, 40);
        const int full = static_cast<int>(part * cells);
        line += " [";
        for (int i = 0; i < cells; ++i) line += i < full ? '=' : i == full ? '>' : ' ';
        line += ']';
    }
    line += figures;
    if (static_cast<int>(line.size()) >= width) line.resize(static_cast<std::size_t>(std::max(0, width - 1)));
    return line;
}

Progress::Progress(const Terminal& terminal, std::string label, double total)
    : terminal_(terminal), label_(std::move(label)), total_(total) {}

Progress::~Progress() {
    clear();
}

void Progress::update(double done) {
    if (!terminal_.rich_stderr) return;
    const Clock::time_point now = Clock::now();
    if (now - drawn_ < std::chrono::milliseconds(100)) return;
    drawn_ = now;
    const double elapsed = std::chrono::duration<double>(now - start_).count();
    fmt::print(stderr, "\r{}\x1b[K", progress_line(label_, done, total_, elapsed, terminal_.width));
    std::fflush(stderr);
    visible_ = true;
}

void Progress::clear() {
    if (!visible_) return;
    fmt::print(stderr, "\r\x1b[K");
    std::fflush(stderr);
    visible_ = false;
}

}  // namespace armature::command
