#include "armature/studio/background.h"

#include <algorithm>

namespace armature::studio {

std::uint64_t Background::add(std::string what, std::function<void(Job&)> work, std::function<void(const Job&)> then) {
    const std::lock_guard lock(mutex_);
    if (open_.size() >= most_jobs || stopping_) return 0;
    const auto job = std::make_shared<Job>();
    job->id = next_++;
    job->what = std::move(what);
    job->work = std::move(work);
    job->then = std::move(then);
    open_.push_back(job);
    if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
    arrived_.notify_one();
    return job->id;
}

bool Background::cancel(std::uint64_t id) {
    const std::lock_guard lock(mutex_);
    const auto it = std::find_if(open_.begin(), open_.end(), [&](const JobPtr& j) { return j->id == id; });
    if (it == open_.end()) return false;
    (*it)->cancelled = true;
    return true;
}

std::vector<Background::JobPtr> Background::open() const {
    const std::lock_guard lock(mutex_);
    return {open_.begin(), open_.end()};
}

std::vector<Background::JobPtr> Background::take_ended() {
    const std::lock_guard lock(mutex_);
    return std::exchange(ended_, {});
}

void Background::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        for (const JobPtr& j : open_) j->cancelled = true;
    }
    arrived_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void Background::run() {
    while (true) {
        JobPtr job;
        {
            std::unique_lock lock(mutex_);
            arrived_.wait(lock, [&] { return stopping_ || !open_.empty(); });
            if (stopping_) return;
            job = open_.front();
        }
        try {
            job->progress(0);  // it may have been given up while it waited
            job->work(*job);
        } catch (...) {
            job->failure = std::current_exception();
        }
        job->work = nullptr;  // what it held is not needed any more
        {
            const std::lock_guard lock(mutex_);
            open_.pop_front();
            ended_.push_back(std::move(job));
        }
        if (wake_) wake_();
    }
}

}  // namespace armature::studio
