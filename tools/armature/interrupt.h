// Ctrl-C as a question: the run asks whether it was pressed, finishes its frame and writes what it has. Pressed a
// second time, the process ends at once. SIGTERM and SIGHUP are treated alike.
#pragma once

namespace armature::command {

/// From here on the first of these signals only sets a flag. Also makes writing to a closed pipe an error of the write
/// instead of a signal that would end the process with its files half done.
void catch_interrupts();

bool interrupted();

}  // namespace armature::command
