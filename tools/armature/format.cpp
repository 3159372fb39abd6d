// `armature format`: the text of a scene in its usual form.
#include "messages.h"
#include "verbs.h"

namespace armature::command {

int format(const FormatOptions&, const Terminal& terminal) {
    say_error(terminal, "not there yet");
    return unusable;
}

}  // namespace armature::command
