// Everything a page needs to draw and edit a scene, as JSON: bodies with their shapes, joints, the outline of the text.
#pragma once

#include "armature/studio/json.h"
#include "armature/studio/session.h"

namespace armature::studio {

/// `bodies`, `joints`, `settings` and `size` of what runs. `document` gives lines and says what can be edited; it may be a
/// text with errors, newer than what runs.
void add_model_json(Json& event, const SceneDocument& document, const Session& session);

/// `groups`: the blocks of the text, as an outliner shows them.
Json outline_json(const SceneDocument& document);

/// The language: blocks, keywords, options and arguments, for forms and completion.
Json schema_json();

}  // namespace armature::studio
