// Threads for the islands of a frame. They wait between frames, and nothing is allocated to wake them.
//
// An island is stepped by one thread from beginning to end and touches nothing of another: the bits do not depend on how many
// threads there are, nor on which comes first.
#pragma once

#include <memory>

namespace armature {

class IslandThreads {
  public:
    IslandThreads();
    ~IslandThreads();
    /// A copy has threads of its own, started when it needs them.
    IslandThreads(const IslandThreads&);
    IslandThreads& operator=(const IslandThreads&);

    using Work = void (*)(void* context, int worker);
    /// work(context, 0) … work(context, count − 1), the first by the caller, the others side by side; returns when all are
    /// done. `work` must not throw.
    void run(int count, Work work, void* context);

  private:
    struct Pool;
    std::unique_ptr<Pool> pool_;
};

}  // namespace armature
