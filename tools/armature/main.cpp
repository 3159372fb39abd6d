// The command `armature`: see `armature --help`.
#include <cerrno>
#include <exception>
#include <variant>

#include "armature/base/atomic_file.h"
#include "armature/base/diagnostic.h"
#include "command_line.h"
#include "interrupt.h"
#include "messages.h"

namespace armature::command {
namespace {

int carry_out(const Invocation& invocation, const Terminal& terminal) {
    struct Verbs {
        const Terminal& terminal;
        int operator()(const CheckOptions& options) const { return check(options, terminal); }
        int operator()(const RunOptions& options) const { return run(options, terminal); }
        int operator()(const AssembleOptions& options) const { return assemble(options, terminal); }
        int operator()(const DoctorVerbOptions& options) const { return doctor(options, terminal); }
        int operator()(const FormatOptions& options) const { return format(options, terminal); }
        int operator()(const ListOptions& options) const { return list(options, terminal); }
        int operator()(const StudioVerbOptions& options) const { return studio(options, terminal); }
    };
    return std::visit(Verbs{terminal}, invocation);
}

int main(int argc, char** argv) {
    const Terminal terminal = detect_terminal();
    catch_interrupts();
    int code = unusable;
    try {
        const auto parsed = parse_command_line(argc, argv, terminal);
        if (const auto* done = std::get_if<ExitCode>(&parsed))
            code = *done;
        else
            code = carry_out(std::get<Invocation>(parsed), terminal);
    } catch (const InputError& error) {
        say_diagnostics(terminal, error.diagnostics(), {});
    } catch (const std::exception& error) {
        say_error(terminal, error.what());
    }
    // What went to stdout is the result: losing it on a full disk is a failure. A reader who has seen enough (`| head`)
    // is not.
    if (const int failure = finish_stdout(); failure != 0 && failure != EPIPE) {
        say_error(terminal, FileError("write", "standard output", failure).what());
        code = unusable;
    }
    return code;
}

}  // namespace
}  // namespace armature::command

int main(int argc, char** argv) {
    return armature::command::main(argc, argv);
}
