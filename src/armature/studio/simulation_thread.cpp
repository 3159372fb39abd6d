#include "armature/studio/simulation_thread.h"

namespace armature::studio {

void SimulationThread::start() {
    thread_ = std::thread([this] { run(); });
}

void SimulationThread::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wake_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void SimulationThread::post(std::function<void(Studio&)> job) {
    {
        const std::lock_guard lock(mutex_);
        if (stopping_) return;
        jobs_.push_back(std::move(job));
    }
    wake_.notify_one();
}

void SimulationThread::run() {
    Clock::time_point next = Clock::now();
    while (true) {
        std::deque<std::function<void(Studio&)>> jobs;
        {
            std::unique_lock lock(mutex_);
            wake_.wait_until(lock, next, [&] { return stopping_ || !jobs_.empty(); });
            if (stopping_) break;
            jobs.swap(jobs_);
        }
        for (const auto& job : jobs) job(studio_);
        next = studio_.tick(Clock::now());
    }
    studio_.finish();
}

}  // namespace armature::studio
