// Work that lasts (exports, the doctor) on a thread of its own, so that steps keep their pace. Jobs are done one after the
// other, on copies that nobody else changes; what is to happen with the outcome is done on the thread of the studio.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace armature::studio {

/// Thrown out of work that is not wanted any more.
struct Cancelled {};

class Background {
  public:
    static constexpr std::size_t most_jobs = 8;

    struct Job {
        std::uint64_t id = 0;
        std::string what;
        std::atomic<double> done{0};
        std::atomic<bool> cancelled{false};
        std::exception_ptr failure;  ///< once it is finished
        double told = -1;            ///< the share that was last told to viewers

        /// For the work: how much of it is done. Throws Cancelled.
        void progress(double share) {
            done = share;
            if (cancelled) throw Cancelled{};
        }

        std::function<void(Job&)> work;        ///< on the thread of the background
        std::function<void(const Job&)> then;  ///< on the thread of the studio
    };
    using JobPtr = std::shared_ptr<Job>;

    /// `wake` is called from the other thread whenever a job has ended.
    explicit Background(std::function<void()> wake) : wake_(std::move(wake)) {}
    ~Background() { stop(); }
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;

    /// 0 when too many wait already.
    std::uint64_t add(std::string what, std::function<void(Job&)> work, std::function<void(const Job&)> then);
    /// False when there is no such job. It ends as soon as it notices.
    bool cancel(std::uint64_t id);
    /// Everything that has been begun or waits, and that ended since this was last asked, in that order.
    std::vector<JobPtr> open() const;
    std::vector<JobPtr> take_ended();
    /// Gives up everything; nothing is done with it any more.
    void stop();

  private:
    void run();

    std::function<void()> wake_;
    mutable std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<JobPtr> open_;  ///< the first is the one at work
    std::vector<JobPtr> ended_;
    std::uint64_t next_ = 1;
    bool stopping_ = false;
    std::thread thread_;  ///< made with the first job
};

}  // namespace armature::studio
