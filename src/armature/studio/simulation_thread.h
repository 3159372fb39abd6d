// The thread that the studio lives on. Commands of all viewers are queued to it and carried out in the order in which they
// came; nobody else touches document or session. What it computes therefore depends on commands alone, never on how many
// watch or how slow they are.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "armature/studio/studio.h"

namespace armature::studio {

class SimulationThread {
  public:
    explicit SimulationThread(Studio& studio) : studio_(studio) {}
    ~SimulationThread() { stop(); }
    SimulationThread(const SimulationThread&) = delete;
    SimulationThread& operator=(const SimulationThread&) = delete;

    void start();
    /// After the job it is at; what is queued is dropped, unsaved work goes to the disk.
    void stop();

    /// To be done on that thread. From any thread.
    void post(std::function<void(Studio&)> job);

  private:
    void run();

    Studio& studio_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<std::function<void(Studio&)>> jobs_;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace armature::studio
