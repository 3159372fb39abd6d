// From argv to one of the verbs' options. Only this file's source knows the option library.
#pragma once

#include <variant>

#include "terminal.h"
#include "verbs.h"

namespace armature::command {

/// The verb to carry out, or the exit code when everything has been said already: help, version, bad usage.
std::variant<Invocation, ExitCode> parse_command_line(int argc, const char* const* argv, const Terminal& terminal);

}  // namespace armature::command
