#include "isolate.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <sstream>
#include <system_error>

namespace armature::race {
namespace {

std::string to_line(const Run& run) {
    return fmt::format("{} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {}", static_cast<int>(run.outcome), run.time,
                       run.step_ms, run.gap.point, run.gap.axis, run.energy_end, run.energy_max, run.reason);
}

bool from_line(const std::string& line, Run& run) {
    std::istringstream in(line);
    int outcome = 0;
    // Through strings: streams do not read "nan" and "inf".
    std::string numbers[6];
    in >> outcome;
    for (std::string& number : numbers) in >> number;
    if (!in) return false;
    run.outcome = static_cast<Outcome>(outcome);
    double* fields[] = {&run.time, &run.step_ms, &run.gap.point, &run.gap.axis, &run.energy_end, &run.energy_max};
    for (std::size_t i = 0; i < 6; ++i) *fields[i] = std::strtod(numbers[i].c_str(), nullptr);
    std::getline(in >> std::ws, run.reason);
    return true;
}

/// Everything the child writes until it closes its end; false when the time is over first.
bool read_all(int fd, double seconds, std::string& text) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    char buffer[4096];
    while (true) {
        const double left = std::chrono::duration<double>(end - std::chrono::steady_clock::now()).count();
        pollfd wait{fd, POLLIN, 0};
        if (left <= 0 || poll(&wait, 1, static_cast<int>(1e3 * left) + 1) == 0) return false;
        const ssize_t got = ::read(fd, buffer, sizeof buffer);
        if (got <= 0) return true;
        text.append(buffer, static_cast<std::size_t>(got));
    }
}

}  // namespace

Run run_isolated(const RaceScene& scene, const Engine& engine, const Setting& setting, const Limits& limits) {
    int ends[2];
    if (pipe(ends) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    const pid_t child = fork();
    if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (child == 0) {
        close(ends[0]);
        const int nowhere = open("/dev/null", O_WRONLY);  // what the peers have to say
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        const std::string line = to_line(run_one(scene, engine, setting, limits));
        const bool sent = ::write(ends[1], line.data(), line.size()) == static_cast<ssize_t>(line.size());
        _exit(sent ? 0 : 1);  // no destructors: this copy of the process owns nothing
    }
    close(ends[1]);
    Run run;
    run.scene = scene.name;
    run.engine = engine.name;
    run.setting = setting.label;
    std::string line;
    const bool in_time = read_all(ends[0], 1.5 * limits.seconds + 10, line);
    if (!in_time) kill(child, SIGKILL);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (!in_time) {
        run.outcome = Outcome::slow;
    } else if (!from_line(line, run)) {
        run.outcome = Outcome::refused;
        run.reason =
            WIFSIGNALED(status) ? fmt::format("ended by {}", strsignal(WTERMSIG(status))) : "ended without a result";
    }
    return run;
}

}  // namespace armature::race
