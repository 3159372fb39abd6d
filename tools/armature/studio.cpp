// `armature studio`: serves the page and the scene to the browser of this machine until it is interrupted.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <thread>

#include "armature/studio/server.h"
#include "interrupt.h"
#include "messages.h"
#include "verbs.h"

extern char** environ;

namespace armature::command {

namespace {

namespace fs = std::filesystem;

/// The first folder that is there: what the environment says, beside the command as it is installed or built, where the
/// sources were when it was built.
fs::path find_data(const char* variable, const char* installed, const char* built, const char* source) {
    if (const char* said = std::getenv(variable); said != nullptr && *said != '\0') return said;
    std::error_code error;
    const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
    for (const fs::path& candidate : {here / installed, here / built, fs::path(source)})
        if (fs::is_directory(candidate, error)) return candidate;
    return {};
}

void open_browser(const std::string& url) {
    std::string program = "xdg-open", address = url;
    char* arguments[] = {program.data(), address.data(), nullptr};
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    const int failed = posix_spawnp(&child, program.c_str(), &quiet, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&quiet);
    // It hands over to the browser; who waits for it is a thread that may be left behind.
    if (failed == 0) std::thread([child] { waitpid(child, nullptr, 0); }).detach();
}

}  // namespace

int studio(const StudioVerbOptions& options, const Terminal& terminal) {
    studio::StudioOptions what;
    what.file = options.file;
    what.gallery =
        find_data("ARMATURE_SCENES", "../share/armature/scenes", "../../scenes", ARMATURE_SOURCE_DIR "/scenes");
    studio::ServerOptions how;
    how.port = static_cast<std::uint16_t>(options.port);
    how.page = find_data("ARMATURE_WEB", "../share/armature/web", "../../web/dist", ARMATURE_SOURCE_DIR "/web/dist");
    try {
        studio::Server server(how, what);
        print_data(server.url() + "\n");
        finish_stdout();
        if (!options.no_open) open_browser(server.url());
        while (!interrupted()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
        server.stop();
        return fine;
    } catch (const std::system_error& error) {
        say_error(terminal, fmt::format("cannot listen on port {}: {}", options.port, error.code().message()),
                  "give another --port, or none");
        return unusable;
    }
}

}  // namespace armature::command
