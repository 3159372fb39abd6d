// Canonical layout of a scene text: one statement a line, two blanks per level, at most one empty line in a row.
// Comments stay where they are; blanks inside a statement become one, none appear and none vanish (a blank before a
// sign means something), so the formatted text has the meaning of the original. Formatting twice changes nothing.
#pragma once

#include <optional>
#include <string>

#include "armature/base/diagnostic.h"
#include "armature/scene/document.h"

namespace armature {

/// The document must be well formed.
std::string format_document(const Document& document);

/// Nothing, and the reasons in `diagnostics`, when the text has errors of syntax. `name` stands for it in messages.
std::optional<std::string> format_text(std::string text, const std::string& name, Diagnostics& diagnostics);

}  // namespace armature
