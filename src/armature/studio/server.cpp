#include "armature/studio/server.h"

#include <fmt/format.h>

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <thread>
#include <unordered_map>

#include "armature/scene/files.h"
#include "armature/studio/request_check.h"
#include "armature/studio/simulation_thread.h"
#include "armature/studio/viewer_queue.h"

namespace armature::studio {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = asio::ip::tcp;
using beast::error_code;

constexpr std::size_t most_header_bytes = 16u << 10, most_body_bytes = 64u << 10, most_message_bytes = 4u << 20;
constexpr std::size_t most_page_file_bytes = 64u << 20;
/// Commands of one viewer that are on their way; it is not read from while there are more.
constexpr int most_commands = 64;
/// Enough for several frames of a thousand solids, and no place for stale ones to gather.
constexpr int socket_buffer_bytes = 256 << 10;

const char* type_of(const std::filesystem::path& file) {
    const std::string e = file.extension().string();
    for (const auto& [ending, type] : {std::pair{".html", "text/html; charset=utf-8"},
                                       {".js", "text/javascript; charset=utf-8"},
                                       {".mjs", "text/javascript; charset=utf-8"},
                                       {".css", "text/css; charset=utf-8"},
                                       {".json", "application/json"},
                                       {".map", "application/json"},
                                       {".svg", "image/svg+xml"},
                                       {".png", "image/png"},
                                       {".ico", "image/x-icon"},
                                       {".woff2", "font/woff2"},
                                       {".wasm", "application/wasm"},
                                       {".txt", "text/plain; charset=utf-8"}})
        if (e == ending) return type;
    return "application/octet-stream";
}

constexpr const char* not_built_page =
    "<!doctype html><html lang=en><meta charset=utf-8><title>Armature</title>"
    "<h1>The studio's page is not built yet</h1>"
    "<p>In the folder of Armature: <code>cd web &amp;&amp; npm ci &amp;&amp; npm run build</code> "
    "(or <code>./run</code>, which does it), then load this page again.</p></html>\n";

/// The value of a key in a query, decoded; empty when it is not there.
std::string query_value(const std::string& query, const std::string& key) {
    for (std::size_t at = 0; at < query.size();) {
        const std::size_t end = std::min(query.find('&', at), query.size());
        const std::string pair = query.substr(at, end - at);
        if (pair.compare(0, key.size() + 1, key + "=") == 0)
            return percent_decoded(pair.substr(key.size() + 1)).value_or("");
        at = end + 1;
    }
    return {};
}

}  // namespace

class Viewer;

struct Server::Impl {
    Impl(const ServerOptions& o, const StudioOptions& s);
    ~Impl() { stop(); }
    void stop();
    void accept();
    void deliver_frames();

    ServerOptions options;
    std::atomic<std::size_t> viewer_count{0}, connection_count{0};  // before what counts down when it ends
    asio::io_context io{1};
    tcp::acceptor acceptor{io};
    asio::steady_timer pause{io};
    std::uint16_t port = 0;
    Places places;
    std::unordered_map<ViewerId, std::weak_ptr<Viewer>> open;  // of the network's thread
    ViewerId next_viewer = 1;

    // Frames on their way from the simulation: the newest of each kind, and whether the network knows that there are some.
    std::mutex mail_mutex;
    std::array<std::shared_ptr<const std::string>, 3> mail;
    bool mail_announced = false;

    std::unique_ptr<Studio> studio;
    std::unique_ptr<SimulationThread> simulation;
    std::thread network;
    bool stopped = false;
};

/// One WebSocket.
class Viewer : public std::enable_shared_from_this<Viewer> {
  public:
    Viewer(Server::Impl& server, beast::tcp_stream stream, ViewerId id)
        : server_(server), socket_(std::move(stream)), id_(id) {
        ++server_.viewer_count;
    }
    ~Viewer() {
        --server_.viewer_count;
        --server_.connection_count;
    }

    void accept(const http::request<http::string_body>& request) {
        auto& tcp_layer = beast::get_lowest_layer(socket_);
        tcp_layer.expires_never();  // the WebSocket has timeouts of its own
        websocket::stream_base::timeout times = websocket::stream_base::timeout::suggested(beast::role_type::server);
        times.idle_timeout = std::chrono::minutes(5);  // a page in the background may sleep that long
        socket_.set_option(times);
        socket_.set_option(websocket::stream_base::decorator(
            [](websocket::response_type& r) { r.set(http::field::sec_websocket_protocol, "armature.v1"); }));
        socket_.read_message_max(most_message_bytes);
        socket_.auto_fragment(false);  // one message, one piece: nothing is copied
        error_code ignored;
        tcp_layer.socket().set_option(tcp::no_delay(true), ignored);
        tcp_layer.socket().set_option(asio::socket_base::send_buffer_size(socket_buffer_bytes), ignored);
        socket_.async_accept(request, [self = shared_from_this()](error_code error) {
            if (error) return;
            self->server_.open[self->id_] = self;
            self->read();
        });
    }

    void reply(std::string text) {
        if (!queue_.add_reply(std::move(text))) return close();
        write();
    }
    void event(Slot slot, const std::shared_ptr<const std::string>& event, bool to_this_one) {
        greeted_ = greeted_ || to_this_one;
        if (!greeted_) return;
        queue_.add_event(slot, event);
        write();
    }
    void frame(FrameKind kind, const std::shared_ptr<const std::string>& frame) {
        if (!greeted_) return;
        queue_.add_frame(kind, frame);
        write();
    }

  private:
    void read() {
        if (reading_ || closed_ || commands_ >= most_commands) return;
        reading_ = true;
        socket_.async_read(buffer_, [self = shared_from_this()](error_code error, std::size_t) {
            self->reading_ = false;
            if (error) return self->close();
            ++self->commands_;
            std::string text = beast::buffers_to_string(self->buffer_.data());
            self->buffer_.consume(self->buffer_.size());
            if (self->buffer_.capacity() > (1u << 20)) self->buffer_ = beast::flat_buffer();
            self->server_.simulation->post([id = self->id_, text = std::move(text), arrived = Clock::now()](Studio& s) {
                s.handle(id, text, arrived);
            });
            self->read();
        });
    }

    void write() {
        if (writing_ || closed_) return;
        std::optional<Outgoing> next = queue_.take();
        if (!next) return;
        writing_ = true;
        in_flight_ = std::move(*next);
        socket_.binary(in_flight_.binary);
        socket_.async_write(asio::buffer(*in_flight_.bytes),
                            [self = shared_from_this()](error_code error, std::size_t) {
                                self->writing_ = false;
                                if (self->in_flight_.reply) --self->commands_;
                                self->in_flight_.bytes.reset();
                                if (error) return self->close();
                                self->write();
                                self->read();
                            });
    }

    void close() {
        if (closed_) return;
        closed_ = true;
        server_.open.erase(id_);
        error_code ignored;
        auto& socket = beast::get_lowest_layer(socket_).socket();
        socket.shutdown(tcp::socket::shutdown_both, ignored);
        beast::get_lowest_layer(socket_).close();
    }

    Server::Impl& server_;
    websocket::stream<beast::tcp_stream> socket_;
    ViewerId id_;
    beast::flat_buffer buffer_;
    ViewerQueue queue_;
    Outgoing in_flight_;
    int commands_ = 0;
    bool greeted_ = false, reading_ = false, writing_ = false, closed_ = false;
};

namespace {

/// One connection that speaks HTTP, until it becomes a WebSocket or ends.
class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
  public:
    HttpConnection(Server::Impl& server, tcp::socket socket) : server_(server), stream_(std::move(socket)) {}
    ~HttpConnection() {
        if (!handed_on_) --server_.connection_count;
    }

    void read() {
        parser_.emplace();
        parser_->header_limit(most_header_bytes);
        parser_->body_limit(most_body_bytes);
        stream_.expires_after(server_.options.request_time);
        http::async_read(stream_, buffer_, *parser_, [self = shared_from_this()](error_code error, std::size_t) {
            if (error == http::error::end_of_stream) return self->close();
            if (error == http::error::header_limit) return self->refuse(431, false);
            if (error == http::error::body_limit) return self->refuse(413, false);
            if (error.category() == beast::http::make_error_code(http::error::bad_method).category())
                return self->refuse(400, false);
            if (error) return self->close();
            self->answer();
        });
    }

  private:
    using Response = http::response<http::string_body>;

    void answer() {
        const http::request<http::string_body>& request = parser_->get();
        RequestFacts facts;
        facts.method = std::string(request.method_string());
        facts.target = std::string(request.target());
        for (const auto& field : request) {
            if (field.name() == http::field::host) facts.hosts.emplace_back(field.value());
            if (field.name() == http::field::origin) facts.origins.emplace_back(field.value());
        }
        facts.authorization = std::string(request[http::field::authorization]);
        facts.protocols = std::string(request[http::field::sec_websocket_protocol]);
        facts.fetch_site = std::string(request["Sec-Fetch-Site"]);
        facts.upgrade = websocket::is_upgrade(request) || request.find(http::field::upgrade) != request.end();
        facts.has_body = !request.body().empty();
        const Verdict verdict = check_request(facts, server_.port, server_.options.token);
        if (verdict.status != 200) return refuse(verdict.status, request.keep_alive());
        if (verdict.wanted == Wanted::socket) return upgrade(request);
        if (verdict.wanted == Wanted::page) return send_page(verdict);
        if (verdict.wanted == Wanted::thumbnail) {
            const auto file = server_.places.thumbnail(query_value(verdict.query, "scene"));
            if (!file) return refuse(404, request.keep_alive());
            return send_file(*file, verdict);
        }
        send_export(verdict);
    }

    void upgrade(const http::request<http::string_body>& request) {
        if (!websocket::is_upgrade(request)) return refuse(400, false);
        stream_.expires_never();
        handed_on_ = true;
        const auto viewer = std::make_shared<Viewer>(server_, std::move(stream_), server_.next_viewer++);
        viewer->accept(request);
    }

    void send_page(const Verdict& verdict) {
        const std::string path = verdict.path == "/" ? "/index.html" : verdict.path;
        const auto file = file_below(server_.options.page, path);
        if (file) return send_file(*file, verdict);
        if (path != "/index.html") return refuse(404, parser_->get().keep_alive());
        send(200, "text/html; charset=utf-8", not_built_page, verdict.head);
    }

    void send_file(const std::filesystem::path& file, const Verdict& verdict) {
        lang::FileText read = lang::read_text_file(file.string(), most_page_file_bytes);
        if (!read.error.empty()) return refuse(404, parser_->get().keep_alive());
        send(200, type_of(file), std::move(read.text), verdict.head);
    }

    void send_export(const Verdict& verdict) {
        stream_.expires_never();  // it may take a while to be made
        server_.simulation->post([self = shared_from_this(), verdict](Studio& studio) {
            // A connection is the network's: what comes is handed back to it.
            const auto done = [self, verdict](Studio::Exported made) {
                asio::post(self->server_.io, [self, verdict, made = std::move(made)]() mutable {
                    if (!made.file) return self->refuse(made.status, self->parser_->get().keep_alive());
                    self->send(200, made.file->type, std::move(made.file->bytes), verdict.head, made.file->name);
                });
            };
            try {
                studio.export_file(query_value(verdict.query, "what"), done);
            } catch (const std::exception&) {
                done({500, {}});
            }
        });
    }

    void refuse(int status, bool keep_alive) {
        const auto reason = http::obsolete_reason(static_cast<http::status>(status));
        if (!keep_alive) stay_ = false;
        send(status, "text/plain; charset=utf-8", fmt::format("{} {}\n", status, std::string(reason)), false);
    }

    void send(int status, const std::string& type, std::string body, bool head, const std::string& file_name = {}) {
        response_ = {};
        response_.version(11);
        response_.result(static_cast<unsigned>(status));
        for (const auto& [name, value] : security_headers(server_.port)) response_.set(name, value);
        response_.set(http::field::content_type, type);
        response_.set(http::field::cache_control, "no-cache");
        if (status == 405) response_.set(http::field::allow, "GET, HEAD");
        if (!file_name.empty()) {
            std::string plain = file_name;
            for (char& c : plain)
                if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20 ||
                    static_cast<unsigned char>(c) > 0x7e)
                    c = '_';
            response_.set(http::field::content_disposition, "attachment; filename=\"" + plain + "\"");
        }
        const bool stay = stay_ && parser_->is_done() && parser_->get().keep_alive();
        response_.keep_alive(stay);
        response_.content_length(body.size());
        if (!head) response_.body() = std::move(body);
        stream_.expires_after(std::chrono::seconds(30));
        http::async_write(stream_, response_, [self = shared_from_this(), stay](error_code error, std::size_t) {
            if (error || !stay) return self->close();
            self->read();
        });
    }

    void close() {
        error_code ignored;
        stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
        stream_.close();
    }

    Server::Impl& server_;
    beast::tcp_stream stream_;
    beast::flat_buffer buffer_;
    std::optional<http::request_parser<http::string_body>> parser_;
    Response response_;
    bool stay_ = true, handed_on_ = false;
};

}  // namespace

Server::Impl::Impl(const ServerOptions& o, const StudioOptions& s) : options(o), places({}, s.gallery) {
    if (options.token.empty()) options.token = fresh_token();
    const tcp::endpoint endpoint(asio::ip::address_v4::loopback(), options.port);
    try {
        acceptor.open(endpoint.protocol());
        acceptor.set_option(asio::socket_base::reuse_address(true));
        acceptor.bind(endpoint);
        acceptor.listen(asio::socket_base::max_listen_connections);
    } catch (const boost::system::system_error& e) {  // no std::system_error before Boost 1.79
        throw std::system_error(e.code().value(), std::generic_category(), "cannot listen");
    }
    port = acceptor.local_endpoint().port();

    Outlets outlets;
    outlets.viewers = [this] { return viewer_count.load(); };
    outlets.reply = [this](ViewerId id, std::string text) {
        asio::post(io, [this, id, text = std::move(text)]() mutable {
            if (const auto it = open.find(id); it != open.end())
                if (const auto viewer = it->second.lock()) viewer->reply(std::move(text));
        });
    };
    outlets.event = [this](std::optional<ViewerId> to, Slot slot, std::shared_ptr<const std::string> event) {
        asio::post(io, [this, to, slot, event = std::move(event)] {
            std::vector<std::shared_ptr<Viewer>> all;  // one that closes leaves the map
            for (const auto& [id, weak] : open)
                if (!to || *to == id)
                    if (auto viewer = weak.lock()) all.push_back(std::move(viewer));
            for (const auto& viewer : all) viewer->event(slot, event, to.has_value());
        });
    };
    outlets.frame = [this](FrameKind kind, std::shared_ptr<const std::string> frame) {
        const std::lock_guard lock(mail_mutex);
        mail[static_cast<std::size_t>(kind)] = std::move(frame);
        if (std::exchange(mail_announced, true)) return;
        asio::post(io, [this] { deliver_frames(); });
    };
    outlets.wake = [this] { simulation->post([](Studio&) {}); };
    studio = std::make_unique<Studio>(s, std::move(outlets));
    simulation = std::make_unique<SimulationThread>(*studio);
    accept();
    simulation->start();
    network = std::thread([this] {
        while (true) {
            try {
                io.run();
                return;
            } catch (const std::exception&) {
                // One connection's misfortune; the others go on.
            }
        }
    });
}

void Server::Impl::deliver_frames() {
    std::array<std::shared_ptr<const std::string>, 3> frames;
    {
        const std::lock_guard lock(mail_mutex);
        frames.swap(mail);
        mail_announced = false;
    }
    std::vector<std::shared_ptr<Viewer>> all;
    for (const auto& [id, weak] : open)
        if (auto viewer = weak.lock()) all.push_back(std::move(viewer));
    for (std::size_t k = 0; k < frames.size(); ++k)
        if (frames[k])
            for (const auto& viewer : all) viewer->frame(static_cast<FrameKind>(k), frames[k]);
}

void Server::Impl::accept() {
    acceptor.async_accept([this](error_code error, tcp::socket socket) {
        if (error == asio::error::operation_aborted) return;
        if (error) {
            // Out of descriptors, most likely: later.
            pause.expires_after(std::chrono::milliseconds(50));
            pause.async_wait([this](error_code e) {
                if (!e) accept();
            });
            return;
        }
        if (connection_count < options.most_connections) {
            ++connection_count;
            std::make_shared<HttpConnection>(*this, std::move(socket))->read();
        }
        accept();
    });
}

void Server::Impl::stop() {
    if (std::exchange(stopped, true)) return;
    if (simulation) simulation->stop();
    if (studio) studio->stop_background();
    io.stop();
    if (network.joinable()) network.join();
}

Server::Server(const ServerOptions& options, const StudioOptions& studio)
    : impl_(std::make_unique<Impl>(options, studio)) {}
Server::~Server() = default;

std::uint16_t Server::port() const {
    return impl_->port;
}
const std::string& Server::token() const {
    return impl_->options.token;
}
std::string Server::url() const {
    return fmt::format("http://127.0.0.1:{}/#token={}", impl_->port, impl_->options.token);
}
std::size_t Server::viewers() const {
    return impl_->viewer_count;
}
std::size_t Server::connections() const {
    return impl_->connection_count;
}
void Server::stop() {
    impl_->stop();
}

}  // namespace armature::studio
