// What the two output streams can show, and a progress bar for them. Data goes to stdout; messages and progress go to
// stderr.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace armature::command {

/// Whether stderr takes colours and a line that is rewritten in place: only on a terminal, only when the user did not
/// set NO_COLOR (https://no-color.org), and not on TERM=dumb.
struct Terminal {
    bool rich_stdout = false;
    bool rich_stderr = false;
    int width = 80;  ///< of stderr, columns
};

Terminal detect_terminal();

enum class Colour { bold, red, green, yellow, cyan };

/// `text` between the codes of a colour, or as it is when `rich` is false.
std::string paint(bool rich, Colour colour, std::string_view text);

/// "scenes/a.arm  [=====>    ]  52 %  5.20 of 10 s  4 s left" on stderr, redrawn ten times a second at most. Draws
/// nothing where the terminal does not allow it. The destructor takes the line away.
class Progress {
  public:
    /// From 0 to `total` seconds of simulated time.
    Progress(const Terminal& terminal, std::string label, double total);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void update(double done);
    void clear();

  private:
    using Clock = std::chrono::steady_clock;
    Terminal terminal_;
    std::string label_;
    double total_;
    Clock::time_point start_ = Clock::now();
    Clock::time_point drawn_{};
    bool visible_ = false;
};

/// The text of the bar, without the codes that place it; at most `width` columns.
std::string progress_line(std::string_view label, double done, double total, double elapsed, int width);

}  // namespace armature::command
