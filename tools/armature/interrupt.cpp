#include "interrupt.h"

#include <atomic>
#include <csignal>

namespace armature::command {

namespace {

// A signal handler can reach nothing but a global.
std::atomic<bool> flag = false;
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void on_signal(int) {
    flag.store(true, std::memory_order_relaxed);
}

}  // namespace

void catch_interrupts() {
    struct sigaction action = {};
    action.sa_handler = on_signal;
    // Back to the default once it came, which is what ends the process the second time.
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction old = {};
        // A signal that our parent had us ignore (nohup, a background job of a script) stays ignored.
        if (sigaction(number, nullptr, &old) == 0 && old.sa_handler == SIG_IGN) continue;
        sigaction(number, &action, nullptr);
    }
    std::signal(SIGPIPE, SIG_IGN);
}

bool interrupted() {
    return flag.load(std::memory_order_relaxed);
}

}  // namespace armature::command
