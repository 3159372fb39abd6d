#include "command/command.h"

#include <fcntl.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace armature::test {

namespace fs = std::filesystem;

namespace {

constexpr const char* binary = ARMATURE_BINARY_DIR "/armature";

/// A rod that hangs on a nail at the origin, and a chain that is long enough to take its time.
constexpr const char* pendulum = R"(title "a pendulum";
parameter length 1;
simulation
  duration 0.5;
end
object rod
  box size length 0.05 0.05;
  at length/2 0 0;
end
constraint nail
  object1 rod;
  hinge -length/2 0 0  0 0 0;
end
)";
constexpr const char* chain = R"(parameter n 20;
simulation duration 0.5; end
repeat i from 1 to n
  object link[i] box size 1 0.1 0.1; at i - 0.5 0 0; end
end
constraint object1 link[1]; hinge -0.5 0 0  0 0 0; end
repeat i from 2 to n
  constraint object1 link[i]; object2 link[i-1]; hinge -0.5 0 0  0.5 0 0; end
end
)";

std::string read_all(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

[[noreturn]] void become_command(const Arguments& arguments, const fs::path& folder, const Environment& environment) {
    if (::chdir(folder.c_str()) != 0) ::_exit(126);
    ::unsetenv("NO_COLOR");
    for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> argv = {const_cast<char*>("armature")};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    ::execv(binary, argv.data());
    ::_exit(127);
}

int code_of(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

pid_t start(const Arguments& arguments, const fs::path& folder, const Environment& environment, int out, int err) {
    const pid_t pid = ::fork();
    if (pid == 0) {
        ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
        ::dup2(out, STDOUT_FILENO);
        ::dup2(err, STDERR_FILENO);
        become_command(arguments, folder, environment);
    }
    return pid;
}

int open_for_output(const fs::path& path) {
    return ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

fs::path new_folder() {
    std::string name = (fs::temp_directory_path() / "armature-command-XXXXXX").string();
    return ::mkdtemp(name.data()) != nullptr ? fs::path(name) : fs::path();
}

}  // namespace

Running::Running(const Arguments& arguments, const fs::path& folder) {
    const fs::path place = new_folder();
    out_ = place / "out";
    err_ = place / "err";
    const int out = open_for_output(out_), err = open_for_output(err_);
    pid_ = start(arguments, folder, {}, out, err);
    ::close(out);
    ::close(err);
}

Running::~Running() {
    if (pid_ > 0) {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
    fs::remove_all(out_.parent_path());
}

void Running::send(int signal) const {
    ::kill(pid_, signal);
}

std::string Running::out_so_far() const {
    return read_all(out_);
}

Outcome Running::wait() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return {code_of(status), read_all(out_), read_all(err_)};
}

Outcome armature_command(const Arguments& arguments, const fs::path& folder, const Environment& environment) {
    const fs::path place = new_folder();
    const int out = open_for_output(place / "out"), err = open_for_output(place / "err");
    const pid_t pid = start(arguments, folder, environment, out, err);
    ::close(out);
    ::close(err);
    int status = 0;
    ::waitpid(pid, &status, 0);
    Outcome outcome{code_of(status), read_all(place / "out"), read_all(place / "err")};
    fs::remove_all(place);
    return outcome;
}

Outcome shell(const std::string& line, const fs::path& folder) {
    const std::string all =
        "cd '" + folder.string() + "' && PATH=" ARMATURE_BINARY_DIR ":$PATH && { " + line + "; } 2>&1";
    std::FILE* pipe = ::popen(all.c_str(), "r");
    if (pipe == nullptr) return {};
    Outcome outcome;
    for (int c; (c = std::fgetc(pipe)) != EOF;) outcome.out += static_cast<char>(c);
    outcome.code = code_of(::pclose(pipe));
    return outcome;
}

Outcome armature_on_terminal(const Arguments& arguments, const fs::path& folder, const Environment& environment) {
    winsize size = {};
    size.ws_row = 40;
    size.ws_col = 100;
    int terminal = -1;
    const pid_t pid = ::forkpty(&terminal, nullptr, nullptr, &size);
    if (pid == 0) {
        ::setenv("TERM", "xterm", 1);
        become_command(arguments, folder, environment);
    }
    Outcome outcome;
    char buffer[4096];
    // A terminal whose other side has gone gives an error, not an end.
    for (ssize_t n; (n = ::read(terminal, buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR);)
        if (n > 0) outcome.out.append(buffer, static_cast<std::size_t>(n));
    int status = 0;
    ::waitpid(pid, &status, 0);
    ::close(terminal);
    outcome.code = code_of(status);
    return outcome;
}

void CommandTest::SetUp() {
    folder = new_folder();
    ASSERT_FALSE(folder.empty());
    put("pendulum.arm", pendulum);
    put("chain.arm", chain);
}

void CommandTest::TearDown() {
    fs::remove_all(folder);
}

void CommandTest::put(const std::string& name, const std::string& text) const {
    std::ofstream(folder / name, std::ios::binary) << text;
}

std::string CommandTest::get(const std::string& name) const {
    return read_all(folder / name);
}

std::vector<std::string> CommandTest::names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder)) found.push_back(entry.path().filename().string());
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace armature::test
