// How the command speaks: data on stdout, and to a person on stderr, in one form.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "armature/base/diagnostic.h"
#include "armature/scene/scene.h"
#include "terminal.h"

namespace armature::command {

/// "armature: error: MESSAGE" and, on a line of its own, the hint when there is one.
void say_error(const Terminal& terminal, std::string_view message, std::string_view hint = {});
void say_warning(const Terminal& terminal, std::string_view message);

/// Every finding with its place, the line it stands on and a caret, then how many there were. A place in one of the
/// texts named first in `renamed` is told under the second name.
void say_diagnostics(const Terminal& terminal, const Diagnostics& diagnostics, const Scene& scene,
                     const std::vector<std::pair<std::string, std::string>>& renamed = {});

/// "did you mean 'run'?", or empty when nothing known is near.
std::string suggestion(const std::string& name, const std::vector<std::string>& known);

/// Appends to stdout. A failure does not stop the verb, which may have files to finish; finish_stdout() tells of it.
void print_data(std::string_view text);

/// Flushes stdout; the errno of the first write that failed, or 0.
int finish_stdout();

}  // namespace armature::command
