// What the studio costs: a thousand solids at 60 Hz with 32 viewers on the loopback interface, a frozen one among them.
//
//   bench_studio [SECONDS] [VIEWERS] [SCENE.arm]
//
// Prints the step's times, states per second of every viewer, the way from an input to the frame that has it, bytes per frame,
// and whether the state is that of a run that nobody watched.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "../tests/studio/thousand_scene.h"
#include "armature/base/atomic_file.h"
#include "armature/scene/load.h"
#include "armature/sim/simulator.h"
#include "armature/studio/server.h"

namespace armature::bench {

namespace {

using Wire = nlohmann::json;
using Seconds = std::chrono::duration<double>;
using SteadyClock = std::chrono::steady_clock;

/// A WebSocket that keeps what it needs of what it reads.
class Client {
  public:
    Client(const studio::Server& server) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(server.port());
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const int on = 1;
        setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        if (connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) throw std::runtime_error("no server");
        const std::string ours = fmt::format("127.0.0.1:{}", server.port());
        write(
            fmt::format("GET /ws HTTP/1.1\r\nHost: {0}\r\nOrigin: http://{0}\r\nUpgrade: websocket\r\nConnection: "
                        "Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAECAwQFBgcICQoLDA0ODw==\r\n"
                        "Sec-WebSocket-Protocol: armature.v1, token.{1}\r\n\r\n",
                        ours, server.token()));
        while (buffer_.find("\r\n\r\n") == std::string::npos) fill(5000);
        buffer_.erase(0, buffer_.find("\r\n\r\n") + 4);
    }
    ~Client() { close(fd_); }
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    int descriptor() const { return fd_; }
    void send(const Wire& message) {
        const std::string text = message.dump();
        std::string f(1, static_cast<char>(0x81));
        if (text.size() < 126)
            f += static_cast<char>(0x80 | text.size());
        else
            f += {static_cast<char>(0x80 | 126), static_cast<char>(text.size() >> 8),
                  static_cast<char>(text.size() & 255)};
        write(f + std::string(4, '\0') + text);
    }
    /// Everything that has come; frames are counted, replies and events handed on.
    template <class Text>
    void drain(int ms, Text text) {
        fill(ms);
        while (true) {
            if (buffer_.size() < 2) return;
            const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(buffer_[i]); };
            std::uint64_t n = byte(1) & 127u;
            const std::size_t extra = n == 126 ? 2 : n == 127 ? 8 : 0;
            if (buffer_.size() < 2 + extra) return;
            if (extra > 0) n = 0;
            for (std::size_t i = 0; i < extra; ++i) n = (n << 8) | byte(2 + i);
            if (buffer_.size() < 2 + extra + n) return;
            if ((byte(0) & 15) == 2) {
                ++frames;
                frame_bytes = n;
                std::memcpy(&input, buffer_.data() + 2 + extra + 32, 4);
                std::memcpy(&step_ms, buffer_.data() + 2 + extra + 48, 4);
                std::memcpy(&input_ms, buffer_.data() + 2 + extra + 52, 4);
                steps.push_back(step_ms);
            } else {
                text(buffer_.substr(2 + extra, n));
            }
            buffer_.erase(0, 2 + extra + n);
        }
    }
    Wire command(Wire message) {
        message["id"] = ++id_;
        send(message);
        Wire reply;
        while (reply.is_null())
            drain(1000, [&](const std::string& text) {
                if (text.compare(0, 5, "{\"id\"") == 0) reply = Wire::parse(text);
            });
        return reply;
    }

    int frames = 0;
    std::uint64_t frame_bytes = 0;
    std::uint32_t input = 0;
    float step_ms = 0, input_ms = 0;
    std::vector<float> steps;

  private:
    void write(const std::string& bytes) {
        if (::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL) < 0) throw std::runtime_error("connection lost");
    }
    void fill(int ms) {
        pollfd p{fd_, POLLIN, 0};
        if (poll(&p, 1, ms) <= 0) return;
        char chunk[1 << 18];
        const ssize_t n = recv(fd_, chunk, sizeof chunk, 0);
        if (n <= 0) throw std::runtime_error("connection lost");
        buffer_.append(chunk, static_cast<std::size_t>(n));
    }
    int fd_, id_ = 0;
    std::string buffer_;
};

double quantile(std::vector<float> values, double q) {
    if (values.empty()) return 0;
    const auto at = static_cast<std::size_t>(q * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
    return static_cast<double>(values[at]);
}

long resident_bytes() {
    std::ifstream in("/proc/self/statm");
    long pages = 0, resident = 0;
    in >> pages >> resident;
    return resident * sysconf(_SC_PAGESIZE);
}

std::string hash_alone(const std::string& text, std::int64_t frames) {
    Diagnostics diagnostics;
    Simulator simulator(load_text(text, "bench", {}, diagnostics).spec);
    simulator.assemble();
    while (simulator.state().frame < frames) simulator.advance();
    return fmt::format("{:016x}", hash(simulator.state()));
}

/// Whether the state was that of a run that nobody watched.
bool run(double seconds, int viewers, const std::string& text) {
    bool same = false;
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / fmt::format("armature-bench-{}", getpid());
    std::filesystem::create_directories(folder);
    write_file(folder / "bench.arm", text);
    {
        studio::StudioOptions what;
        what.file = folder / "bench.arm";
        what.recording_bytes = std::size_t{16} << 20;  // full before the frozen one comes
        studio::Server server({}, what);
        Client driver(server);
        driver.command({{"do", "hello"}});

        std::atomic<bool> done = false;
        std::vector<int> counts(static_cast<std::size_t>(viewers), 0);
        std::thread audience([&] {
            std::vector<std::unique_ptr<Client>> all;
            for (int k = 0; k < viewers; ++k) {
                all.push_back(std::make_unique<Client>(server));
                all.back()->send({{"id", 1}, {"do", "hello"}});
            }
            while (!done) {
                std::vector<pollfd> ready;
                for (const auto& c : all) ready.push_back({c->descriptor(), POLLIN, 0});
                poll(ready.data(), ready.size(), 20);
                for (std::size_t k = 0; k < all.size(); ++k)
                    if (ready[k].revents != 0) all[k]->drain(0, [](const std::string&) {});
            }
            for (std::size_t k = 0; k < all.size(); ++k) counts[k] = all[k]->frames;
        });
        driver.command({{"do", "play"}});
        const Wire grabbed = driver.command({{"do", "grab"}, {"solid", "link[1][10]"}, {"point", {0, 0, 0}}});

        // One viewer that says hello and never reads, half-way through.
        std::unique_ptr<Client> frozen;
        long before = 0, after = 0;
        driver.steps.clear();
        std::vector<float> latencies, server_share;
        const auto begin = SteadyClock::now();
        auto next = begin;
        std::uint32_t input = 0, seen = 0;
        std::vector<SteadyClock::time_point> sent;
        while (Seconds(SteadyClock::now() - begin).count() < seconds) {
            const double t = Seconds(SteadyClock::now() - begin).count();
            if (SteadyClock::now() >= next && grabbed["ok"] == true) {
                sent.push_back(SteadyClock::now());
                driver.send({{"id", 1000000 + input},
                             {"do", "pull"},
                             {"drag", grabbed["drag"]},
                             {"target", {1.2 + 0.2 * std::sin(t), 2.6, 0.1}},
                             {"input", ++input}});
                next += std::chrono::milliseconds(23);
            }
            driver.drain(2, [](const std::string&) {});
            if (driver.input > seen) {
                seen = driver.input;
                latencies.push_back(
                    std::chrono::duration<float, std::milli>(SteadyClock::now() - sent[seen - 1]).count());
                server_share.push_back(driver.input_ms);
            }
            if (t > seconds / 2 && !frozen) {
                before = resident_bytes();
                frozen = std::make_unique<Client>(server);
                frozen->send({{"id", 1}, {"do", "hello"}});
            }
        }
        after = resident_bytes();
        const int states = driver.frames;
        // A pull that came after the last frame would move what stands still.
        driver.command({{"do", "release"}, {"drag", grabbed["drag"]}});
        const Wire end = driver.command({{"do", "pause"}});
        done = true;
        audience.join();
        const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
        fmt::print("solids and viewers        {} bodies, {} viewers, {} s\n", (driver.frame_bytes - 64) / 28, viewers,
                   seconds);
        fmt::print("frames simulated          {} ({:.1f} per s)\n", end["frame"].get<std::int64_t>(),
                   static_cast<double>(end["frame"].get<std::int64_t>()) / seconds);
        fmt::print("step, ms                  median {:.2f}, p99 {:.2f}, worst {:.2f}\n", quantile(driver.steps, 0.5),
                   quantile(driver.steps, 0.99), quantile(driver.steps, 1));
        if (!counts.empty())
            fmt::print("states per s and viewer   {:.1f} to {:.1f}; the one that drags {:.1f}\n", *least / seconds,
                       *most / seconds, states / seconds);
        fmt::print("bytes per frame           {}\n", driver.frame_bytes);
        fmt::print(
            "input to frame, ms        median {:.1f}, p99 {:.1f}; of that in the server median {:.1f}, p99 {:.1f}\n",
            quantile(latencies, 0.5), quantile(latencies, 0.99), quantile(server_share, 0.5),
            quantile(server_share, 0.99));
        fmt::print("memory while one is frozen {:+.1f} MB\n", static_cast<double>(after - before) / 1e6);
        frozen.reset();
        // The same without anybody: the scene with what the hand did in it.
        const Wire drags = driver.command({{"do", "drags"}});
        const std::string alone =
            hash_alone(text + "\n" + drags["text"].get<std::string>(), end["frame"].get<std::int64_t>());
        same = alone == end["hash"];
        fmt::print("state                     {} ({})\n", end["hash"].get<std::string>(),
                   alone == end["hash"] ? "the same bits as alone" : "NOT as alone: " + alone);
    }
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
    return same;
}

}  // namespace

}  // namespace armature::bench

int main(int argc, char** argv) {
    const double seconds = argc > 1 ? std::atof(argv[1]) : 30;
    const int viewers = argc > 2 ? std::atoi(argv[2]) : 32;
    std::string text = armature::test::thousand_scene;
    if (argc > 3) {
        std::ifstream in(argv[3]);
        text.assign(std::istreambuf_iterator<char>(in), {});
    }
    return armature::bench::run(seconds, viewers, text) ? 0 : 1;
}
