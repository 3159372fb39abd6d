#include "armature/studio/request_check.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

namespace armature::studio {

namespace {

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

bool is_our_host(std::string_view host, std::uint16_t port) {
    const std::string h = lower(host);
    return h == fmt::format("127.0.0.1:{}", port) || h == fmt::format("localhost:{}", port);
}

bool is_our_origin(std::string_view origin, std::uint16_t port) {
    const std::string o = lower(origin);
    return o.starts_with("http://") && is_our_host(std::string_view(o).substr(7), port);
}

/// "armature.v1, token.…" → the token.
std::string offered_token(std::string_view protocols) {
    std::string token;
    bool ours = false;
    for (std::size_t at = 0; at <= protocols.size();) {
        const std::size_t end = std::min(protocols.find(',', at), protocols.size());
        std::string_view word = protocols.substr(at, end - at);
        while (!word.empty() && (word.front() == ' ' || word.front() == '\t')) word.remove_prefix(1);
        while (!word.empty() && (word.back() == ' ' || word.back() == '\t')) word.remove_suffix(1);
        if (word == "armature.v1") ours = true;
        if (word.starts_with("token.")) token = word.substr(6);
        at = end + 1;
    }
    return ours ? token : std::string{};
}

}  // namespace

bool equal_in_constant_time(std::string_view a, std::string_view b) {
    unsigned different = a.size() == b.size() ? 0 : 1;
    for (std::size_t i = 0; i < b.size(); ++i) {
        const char c = a.empty() ? '\0' : a[i % a.size()];
        different |= static_cast<unsigned char>(c) ^ static_cast<unsigned char>(b[i]);
    }
    return different == 0;
}

Verdict check_request(const RequestFacts& r, std::uint16_t port, std::string_view token) {
    Verdict v;
    const auto refused = [&](int status) {
        v.status = status;
        return v;
    };
    if (r.hosts.size() != 1) return refused(400);
    if (!is_our_host(r.hosts[0], port)) return refused(403);
    if (r.origins.size() > 1) return refused(403);
    const bool has_origin = r.origins.size() == 1;
    if (has_origin && !is_our_origin(r.origins[0], port)) return refused(403);
    if (r.method != "GET" && r.method != "HEAD") return refused(405);
    if (r.has_body) return refused(400);
    if (r.target.empty() || r.target.front() != '/') return refused(400);
    v.head = r.method == "HEAD";
    const std::size_t question = r.target.find('?');
    v.path = r.target.substr(0, question);
    if (question != std::string::npos) v.query = r.target.substr(question + 1);

    if (v.path == "/ws") {
        v.wanted = Wanted::socket;
        if (!r.upgrade || v.head) return refused(426);
        if (!has_origin) return refused(403);
        if (!equal_in_constant_time(offered_token(r.protocols), token)) return refused(401);
        return v;
    }
    if (r.upgrade) return refused(400);
    if (v.path == "/api" || v.path.starts_with("/api/")) {
        if (!has_origin && r.fetch_site != "same-origin") return refused(403);
        constexpr std::string_view bearer = "Bearer ";
        const std::string_view given = r.authorization;
        if (!given.starts_with(bearer) || !equal_in_constant_time(given.substr(bearer.size()), token))
            return refused(401);
        if (v.path == "/api/export")
            v.wanted = Wanted::exported;
        else if (v.path == "/api/thumbnail")
            v.wanted = Wanted::thumbnail;
        else
            return refused(404);
        return v;
    }
    v.wanted = Wanted::page;
    return v;
}

std::string fresh_token() {
    std::array<unsigned char, 16> bytes{};
    std::size_t have = 0;
    while (have < bytes.size()) {
        const ssize_t got = getrandom(bytes.data() + have, bytes.size() - have, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) throw std::system_error(errno, std::generic_category(), "cannot get random numbers");
        have += static_cast<std::size_t>(got);
    }
    std::string hex;
    for (const unsigned char b : bytes) hex += fmt::format("{:02x}", b);
    return hex;
}

std::vector<std::pair<std::string, std::string>> security_headers(std::uint16_t port) {
    // Styles in line are what lit and CodeMirror write; scripts are files of ours only.
    const std::string policy = fmt::format(
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
        "font-src 'self'; media-src 'self' blob:; worker-src 'self' blob:; "
        "connect-src 'self' ws://127.0.0.1:{0} ws://localhost:{0}; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        port);
    return {{"Content-Security-Policy", policy},
            {"X-Content-Type-Options", "nosniff"},
            {"X-Frame-Options", "DENY"},
            {"Referrer-Policy", "no-referrer"},
            {"Cross-Origin-Resource-Policy", "same-origin"},
            {"Cross-Origin-Opener-Policy", "same-origin"}};
}

}  // namespace armature::studio
