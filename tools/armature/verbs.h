// The verbs of the command: what each is told on the command line, and the function that does it. A verb returns its
// exit code; it throws FileError or InputError for what main() can say as well.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "terminal.h"

namespace armature::command {

/// What the shell learns. An interrupted run is `broken` too: it did not do what was asked, and its report says so.
enum ExitCode : int {
    fine = 0,
    broken = 1,    ///< the run broke a stated bound, did not converge, or was interrupted
    unusable = 2,  ///< bad usage, bad input, a file that cannot be read or written
};

/// An option that is a shorter name for a setting: --time for --set simulation.duration=.
struct Shorthand {
    std::string option, path, value;
};

/// A scene file and the changes to it.
struct SceneOptions {
    std::string file;
    std::vector<std::string> settings;  ///< name=value, in order
    std::vector<Shorthand> shorthands{};
};

struct CheckOptions {
    std::vector<std::string> files;
    std::vector<std::string> settings;
};

struct RunOptions {
    SceneOptions scene;            ///< --time, --dt, --solver and --max-gap are in there
    std::vector<std::string> out;  ///< files of the motion, .csv or .glb; "-" for a table on stdout
    std::vector<std::string> columns;
    std::string hashes;                  ///< file, one line per frame
    std::vector<std::string> snapshots;  ///< T=FILE
    std::string restore;                 ///< snapshot to start from
    bool json = false;
    bool quiet = false;
};

struct AssembleOptions {
    SceneOptions scene;
    std::string out;
    bool json = false;
};

struct DoctorVerbOptions {
    SceneOptions scene;
    std::string wiggle;  ///< folder for a glb per freedom; empty: none
    bool json = false;
};

struct FormatOptions {
    std::vector<std::string> files;
    bool check = false;
    bool in_place = false;
};

struct ListOptions {
    std::string what;
};

struct StudioVerbOptions {
    std::string file;  ///< empty: a scene of the gallery
    int port = 0;      ///< 0: any that is free
    bool no_open = false;
};

int check(const CheckOptions& options, const Terminal& terminal);
int run(const RunOptions& options, const Terminal& terminal);
int assemble(const AssembleOptions& options, const Terminal& terminal);
int doctor(const DoctorVerbOptions& options, const Terminal& terminal);
int format(const FormatOptions& options, const Terminal& terminal);
int list(const ListOptions& options, const Terminal& terminal);
int studio(const StudioVerbOptions& options, const Terminal& terminal);

using Invocation = std::variant<CheckOptions, RunOptions, AssembleOptions, DoctorVerbOptions, FormatOptions,
                                ListOptions, StudioVerbOptions>;

}  // namespace armature::command
