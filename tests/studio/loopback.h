// A server of its own on a free port, and clients of the barest kind: sockets, so that anything at all can be said to it.
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "armature/base/atomic_file.h"
#include "armature/studio/server.h"
#include "scratch_folder.h"

namespace armature::test {

using Wire = nlohmann::json;

class Socket {
  public:
    explicit Socket(std::uint16_t port, int receive_bytes = 0) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        if (receive_bytes > 0) setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_bytes, sizeof receive_bytes);
        const int on = 1;
        setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(port);
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) {
            ::close(fd_);
            throw std::runtime_error("cannot connect");
        }
    }
    ~Socket() {
        if (fd_ >= 0) ::close(fd_);
    }
    Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)), buffer_(std::move(other.buffer_)) {}
    Socket& operator=(Socket&&) = delete;

    bool send(const std::string& bytes) {
        std::size_t sent = 0;
        while (sent < bytes.size()) {
            const ssize_t n = ::send(fd_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
            if (n <= 0) return false;
            sent += static_cast<std::size_t>(n);
        }
        return true;
    }
    void no_more() { shutdown(fd_, SHUT_WR); }

    /// Reads until there are so many bytes; false at the end of the stream or when it takes longer than `ms`.
    bool have(std::size_t count, int ms = 10'000) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(ms);
        while (buffer_.size() < count) {
            const auto left =
                std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
            pollfd p{fd_, POLLIN, 0};
            if (left.count() <= 0 || poll(&p, 1, static_cast<int>(left.count())) <= 0) return false;
            char chunk[65536];
            const ssize_t n = recv(fd_, chunk, sizeof chunk, 0);
            if (n <= 0) return false;
            buffer_.append(chunk, static_cast<std::size_t>(n));
        }
        return true;
    }
    const std::string& buffer() const { return buffer_; }
    std::string take(std::size_t count) {
        std::string out = buffer_.substr(0, count);
        buffer_.erase(0, count);
        return out;
    }
    std::string read_all(int ms = 10'000) {
        while (have(buffer_.size() + 1, ms)) {
        }
        return take(buffer_.size());
    }
    std::string until(const std::string& mark, int ms = 10'000) {
        while (buffer_.find(mark) == std::string::npos)
            if (!have(buffer_.size() + 1, ms)) return {};
        return take(buffer_.find(mark) + mark.size());
    }

  private:
    int fd_;
    std::string buffer_;
};

struct Answer {
    int status = 0;  ///< 0: none
    std::string head, body;
};

/// One HTTP request on a connection of its own.
inline Answer ask(std::uint16_t port, const std::string& request, int ms = 10'000) {
    Socket socket(port);
    socket.send(request);
    Answer a;
    a.head = socket.until("\r\n\r\n", ms);
    if (a.head.size() < 12 || a.head.compare(0, 7, "HTTP/1.") != 0) return a;
    a.status = std::stoi(a.head.substr(9, 3));
    const std::size_t at = a.head.find("Content-Length: ");
    if (at == std::string::npos || request.compare(0, 5, "HEAD ") == 0) return a;
    const auto length = static_cast<std::size_t>(std::stoul(a.head.substr(at + 16)));
    if (socket.have(length, ms)) a.body = socket.take(length);
    return a;
}

inline std::string get(std::uint16_t port, const std::string& target, const std::string& more = "") {
    return "GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) + "\r\n" + more + "\r\n";
}

/// A WebSocket.
class ViewerClient {
  public:
    ViewerClient(std::uint16_t port, const std::string& token, int receive_bytes = 0) : socket_(port, receive_bytes) {
        const std::string ours = "127.0.0.1:" + std::to_string(port);
        socket_.send("GET /ws HTTP/1.1\r\nHost: " + ours + "\r\nOrigin: http://" + ours +
                     "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                     "Sec-WebSocket-Key: AAECAwQFBgcICQoLDA0ODw==\r\nSec-WebSocket-Protocol: armature.v1, token." +
                     token + "\r\n\r\n");
        head_ = socket_.until("\r\n\r\n");
    }
    bool open() const { return head_.compare(0, 12, "HTTP/1.1 101") == 0; }
    const std::string& head() const { return head_; }
    Socket& socket() { return socket_; }

    static std::string frame(const std::string& payload, int opcode = 1) {
        std::string f(1, static_cast<char>(0x80 | opcode));
        const std::size_t n = payload.size();
        if (n < 126) {
            f += static_cast<char>(0x80 | n);
        } else if (n < 65536) {
            f += static_cast<char>(0x80 | 126);
            f += static_cast<char>(n >> 8);
            f += static_cast<char>(n & 255);
        } else {
            f += static_cast<char>(0x80 | 127);
            for (int i = 7; i >= 0; --i) f += static_cast<char>((n >> (8 * i)) & 255);
        }
        return f + std::string(4, '\0') + payload;
    }
    bool send(const Wire& message) { return socket_.send(frame(message.dump())); }

    struct Message {
        int opcode = 0;
        std::string payload;
    };
    /// Whole or not at all: one that is on its way when the time is over is taken the next time.
    std::optional<Message> receive(int ms = 10'000) {
        if (!socket_.have(2, ms)) return {};
        const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(socket_.buffer()[i]); };
        std::uint64_t n = byte(1) & 127u;
        const std::size_t extra = n == 126 ? 2 : n == 127 ? 8 : 0;
        if (!socket_.have(2 + extra, ms)) return {};
        if (extra > 0) n = 0;
        for (std::size_t i = 0; i < extra; ++i) n = (n << 8) | byte(2 + i);
        if (!socket_.have(2 + extra + n, ms)) return {};
        const int opcode = byte(0) & 15;
        socket_.take(2 + extra);
        return Message{opcode, socket_.take(n)};
    }

    /// Sends a command and waits for its reply; what comes before it is kept in `events`, `frames` counts.
    Wire command(Wire message, int ms = 20'000) {
        message["id"] = ++id_;
        send(message);
        while (const auto m = receive(ms)) {
            if (m->opcode == 2) {
                last_frame = m->payload;
                ++frames;
                continue;
            }
            if (m->opcode != 1) continue;
            Wire json = Wire::parse(m->payload);
            if (json.contains("id") && json["id"] == id_) return json;
            events.push_back(std::move(json));
        }
        return nullptr;
    }
    /// Takes in what comes for that long.
    void watch(int ms) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(ms);
        while (true) {
            const auto left =
                std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
            if (left.count() <= 0) return;
            const auto m = receive(static_cast<int>(left.count()));
            if (!m) return;
            if (m->opcode == 2) {
                last_frame = m->payload;
                ++frames;
            } else if (m->opcode == 1 && !only_frames) {
                events.push_back(Wire::parse(m->payload));
            }
        }
    }
    static std::int64_t frame_number(const std::string& bytes) {
        std::int64_t n = -1;
        if (bytes.size() >= 24) std::memcpy(&n, bytes.data() + 16, 8);
        return n;
    }

    std::vector<Wire> events;
    std::string last_frame;
    int frames = 0;
    bool only_frames = false;  ///< events are not kept

  private:
    Socket socket_;
    std::string head_;
    int id_ = 0;
};

inline const char* const small_scene =
    "title \"Small\";\nobject a box size 0.4 0.1 0.1; at 0.2 0 0; end\nobject b box size 0.4 0.1 0.1; at 0.6 0 0; end\n"
    "constraint j0 object2 a; hinge 0 0 0 -0.2 0 0; end\nconstraint j1 object1 a; object2 b; hinge 0.2 0 0 -0.2 0 0; "
    "end\n";

/// A studio with a small scene and a page of two files, in a folder of its own beside a secret.
struct LoopbackStudio {
    explicit LoopbackStudio(const std::string& scene = small_scene,
                            std::chrono::milliseconds request_time = std::chrono::milliseconds(10'000),
                            const std::string& token = "") {
        namespace fs = std::filesystem;
        fs::create_directories(folder.path() / "scenes");
        fs::create_directories(folder.path() / "page" / "assets");
        write_file(folder.path() / "secret.txt", "SECRET-BYTES");
        write_file(folder.path() / "secret.arm", "// SECRET-BYTES\n");
        write_file(folder.path() / "scenes" / "small.arm", scene);
        write_file(folder.path() / "page" / "index.html", "<!doctype html><title>PAGE</title>");
        write_file(folder.path() / "page" / "assets" / "a.js", "// SCRIPT");
        fs::create_symlink(folder.path() / "secret.txt", folder.path() / "page" / "link.txt");
        studio::ServerOptions how;
        how.page = folder.path() / "page";
        how.request_time = request_time;
        how.token = token;
        studio::StudioOptions what;
        what.file = folder.path() / "scenes" / "small.arm";
        what.gallery = std::filesystem::path(ARMATURE_SOURCE_DIR) / "scenes";
        server.emplace(how, what);
    }
    std::uint16_t port() const { return server->port(); }
    const std::string& token() const { return server->token(); }
    ViewerClient viewer(int receive_bytes = 0) const { return ViewerClient(port(), token(), receive_bytes); }

    ScratchFolder folder;
    std::optional<studio::Server> server;
};

}  // namespace armature::test
