// Reads scenes written in the Armature language (docs/language.md).
//
//   text → tokens → tree (lossless) → expansion of repeats, groups and includes → Spec
//
// Nothing here throws for bad input, prints, or leaves the folder of the scene: every finding goes to the Diagnostics,
// all of them in one run. Check `diagnostics.has_errors()` before the Spec is used.
#pragma once

#include <string>
#include <string_view>

#include "armature/base/diagnostic.h"
#include "armature/scene/scene.h"

namespace armature {

/// Reads a file and what it includes. Included files and meshes must lie in the folder of `path` or below.
Scene load_file(const std::string& path, const LoadOptions& options, Diagnostics& diagnostics);

/// Reads a text. `name` stands for it in messages; when it is a path, includes are looked for beside it.
Scene load_text(std::string text, const std::string& name, const LoadOptions& options, Diagnostics& diagnostics);

/// Builds again from the texts the scene holds (edited or not) with the options it was loaded with. Only files that the
/// scene does not hold yet are read from disk.
Scene rebuild(const Scene& scene, Diagnostics& diagnostics);

/// The line of text that a place lies on, without its line break, for render(); empty when the scene has no such text
/// or the line is too long to be shown.
std::string source_line(const Scene& scene, const SourcePlace& place);

}  // namespace armature
