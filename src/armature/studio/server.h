// The studio on the loopback interface: HTTP for the page and for files, a WebSocket per viewer (docs/studio_protocol.md).
//
// Two threads. The simulation's (simulation_thread.h) owns document and session; the network's, which runs in here, owns every
// connection. Commands go one way as jobs, replies, events and frames the other way as bytes that nobody changes any more. A
// viewer has at most one message in flight and, of frames, scenes and status, the newest waiting: whoever is slow or stands
// still sees less, costs a bounded amount and holds nobody up.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "armature/studio/studio.h"

namespace armature::studio {

struct ServerOptions {
    std::uint16_t port = 0;      ///< 0: any that is free
    std::string token;           ///< empty: a fresh one
    std::filesystem::path page;  ///< folder of the built page; empty or missing: a page that says how to build it
    std::size_t most_connections = 256;
    std::chrono::milliseconds request_time{10'000};  ///< for a whole request to arrive
};

class Server {
  public:
    /// Listens and starts. Throws std::system_error when the port cannot be had, FileError when the scene cannot be read.
    Server(const ServerOptions& options, const StudioOptions& studio);
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    std::uint16_t port() const;
    const std::string& token() const;
    /// With the token in its fragment.
    std::string url() const;
    /// WebSockets that are open, and all connections.
    std::size_t viewers() const;
    std::size_t connections() const;

    /// Ends everything; unsaved work goes to the disk. Also done by the destructor.
    void stop();

    struct Impl;

  private:
    std::unique_ptr<Impl> impl_;
};

}  // namespace armature::studio
