#include "armature/sim/island_threads.h"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace armature {

struct IslandThreads::Pool {
    std::mutex mutex;
    std::condition_variable begin, done;
    Work work = nullptr;
    void* context = nullptr;
    int wanted = 0;   // workers of this call
    int working = 0;  // of them, not done yet
    long long call = 0;
    bool ending = false;
    std::vector<std::thread> threads;  // worker i + 1 is threads[i]

    ~Pool() {
        {
            const std::lock_guard lock(mutex);
            ending = true;
        }
        begin.notify_all();
        for (std::thread& t : threads) t.join();
    }

    void serve(int worker, long long last_call) {
        std::unique_lock lock(mutex);
        for (;;) {
            begin.wait(lock, [&] { return ending || call != last_call; });
            if (ending) return;
            last_call = call;
            if (worker >= wanted) continue;
            lock.unlock();
            work(context, worker);
            lock.lock();
            if (--working == 0) done.notify_one();
        }
    }

    void run(int count, Work what, void* with) {
        {
            const std::lock_guard lock(mutex);
            while (static_cast<int>(threads.size()) + 1 < count) {
                const int worker = static_cast<int>(threads.size()) + 1;
                threads.emplace_back([this, worker, now = call] { serve(worker, now); });
            }
            work = what;
            context = with;
            wanted = count;
            working = count - 1;
            ++call;
        }
        begin.notify_all();
        what(with, 0);
        std::unique_lock lock(mutex);
        done.wait(lock, [&] { return working == 0; });
    }
};

IslandThreads::IslandThreads() = default;
IslandThreads::~IslandThreads() = default;
IslandThreads::IslandThreads(const IslandThreads&) {}
IslandThreads& IslandThreads::operator=(const IslandThreads&) {
    return *this;
}

void IslandThreads::run(int count, Work work, void* context) {
    if (count <= 1) return work(context, 0);
    if (!pool_) pool_ = std::make_unique<Pool>();
    pool_->run(count, work, context);
}

}  // namespace armature
