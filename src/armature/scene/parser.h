// From a text to a Document with its tree. Errors do not stop it: it takes up again after the next ';' or at the next
// 'end', marks what it could not read as damaged and goes on, so that one run finds all there is to find.
#pragma once

#include <string>

#include "armature/scene/document.h"
#include "armature/scene/report.h"

namespace armature::lang {

/// `inside` is the block whose content the text is; the file by default, another for the text of an override.
Document parse(std::string name, std::string text, Report& report, BlockId inside = BlockId::file);

}  // namespace armature::lang
