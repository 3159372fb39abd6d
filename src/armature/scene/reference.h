// docs/language.md, written from the schema so that it cannot fall behind it.
#pragma once

#include <string>

namespace armature {

/// The reference of the scene language, in Markdown.
std::string language_reference();

}  // namespace armature
