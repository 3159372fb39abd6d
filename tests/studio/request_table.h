// Who may ask for what: Host × Origin × token × method × upgrade, and the status that answers. Asked of the check alone and of
// the server over a socket.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace armature::request_table {

inline constexpr std::uint16_t port = 8123;
inline const std::string token = "0123456789abcdef0123456789abcdef";

struct Row {
    int status;
    const char* method;
    const char* target;
    const char* host;    ///< "": none
    const char* origin;  ///< "": none
    const char* token;   ///< Authorization for /api, sub-protocols for /ws
    bool upgrade = false;
    const char* fetch_site = "";
};

inline constexpr const char* H = "127.0.0.1:8123";
inline constexpr const char* L = "localhost:8123";
inline constexpr const char* O = "http://127.0.0.1:8123";
inline constexpr const char* P = "http://localhost:8123";
inline constexpr const char* T = "Bearer 0123456789abcdef0123456789abcdef";
inline constexpr const char* W = "armature.v1, token.0123456789abcdef0123456789abcdef";

inline const std::vector<Row>& rows() {
    static const std::vector<Row> table = {
        // The static page: anyone on this machine who calls us by our name.
        {200, "GET", "/", H, "", ""},
        {200, "GET", "/", L, "", ""},
        {200, "GET", "/", "LOCALHOST:8123", "", ""},
        {200, "GET", "/index.html", H, "", ""},
        {200, "GET", "/assets/a.js", H, O, ""},
        {200, "GET", "/assets/a.js", L, P, ""},
        {200, "HEAD", "/", H, "", ""},
        {200, "GET", "/?x=1", H, "", ""},
        {200, "GET", "/", H, "", T},
        {200, "GET", "/", H, P, ""},
        // Host: a foreign name that points here.
        {400, "GET", "/", "", "", ""},
        {403, "GET", "/", "evil.example", "", ""},
        {403, "GET", "/", "evil.example:8123", "", ""},
        {403, "GET", "/", "127.0.0.1", "", ""},
        {403, "GET", "/", "127.0.0.1:8124", "", ""},
        {403, "GET", "/", "127.0.0.1:81230", "", ""},
        {403, "GET", "/", "127.0.0.1:8123.evil.example", "", ""},
        {403, "GET", "/", "localhost", "", ""},
        {403, "GET", "/", "localhost.evil.example:8123", "", ""},
        {403, "GET", "/", "127.0.0.2:8123", "", ""},
        {403, "GET", "/", "[::1]:8123", "", ""},
        {403, "GET", "/", "0.0.0.0:8123", "", ""},
        {403, "GET", "/", " 127.0.0.1:8123", "", ""},
        {403, "GET", "/", "user@127.0.0.1:8123", "", ""},
        {403, "GET", "/", "2130706433:8123", "", ""},
        // Origin: a page from elsewhere.
        {403, "GET", "/", H, "http://evil.example", ""},
        {403, "GET", "/", H, "null", ""},
        {403, "GET", "/", H, "https://127.0.0.1:8123", ""},
        {403, "GET", "/", H, "http://127.0.0.1", ""},
        {403, "GET", "/", H, "http://127.0.0.1:8124", ""},
        {403, "GET", "/", H, "http://127.0.0.1:8123.evil.example", ""},
        {403, "GET", "/", H, "http://127.0.0.1:8123/", ""},
        {403, "GET", "/", H, "file://", ""},
        {403, "GET", "/assets/a.js", H, "http://evil.example:8123", ""},
        // Methods: GET changes nothing, and there is nothing else.
        {405, "POST", "/", H, O, T},
        {405, "PUT", "/", H, O, T},
        {405, "DELETE", "/api/export?what=glb", H, O, T},
        {405, "OPTIONS", "/", H, O, ""},
        {405, "PATCH", "/ws", H, O, W, true},
        {405, "TRACE", "/", H, "", ""},
        {405, "CONNECT", "/", H, "", ""},
        {405, "get", "/", H, "", ""},
        {405, "BREW", "/", H, "", ""},
        {405, "POST", "/api/export", H, O, T},
        {403, "POST", "/", "evil.example", O, T},
        {403, "POST", "/", H, "http://evil.example", T},
        // Targets that are no path of ours.
        {400, "GET", "", H, "", ""},
        {400, "GET", "*", H, "", ""},
        {400, "GET", "http://127.0.0.1:8123/", H, "", ""},
        {400, "GET", "evil", H, "", ""},
        // The interface: Origin and token.
        {200, "GET", "/api/export?what=glb", H, O, T},
        {200, "GET", "/api/export?what=csv", L, P, T},
        {200, "GET", "/api/export?what=csv", L, O, T},
        {200, "HEAD", "/api/export?what=csv", H, O, T},
        {200, "GET", "/api/thumbnail?scene=chain", H, O, T},
        {200, "GET", "/api/thumbnail?scene=chain", H, "", T, false, "same-origin"},
        {403, "GET", "/api/thumbnail?scene=chain", H, "", T, false, "same-site"},
        {403, "GET", "/api/thumbnail?scene=chain", H, "", T, false, "cross-site"},
        {403, "GET", "/api/thumbnail?scene=chain", H, "", T, false, "none"},
        {403, "GET", "/api/export?what=glb", H, "", T},
        {403, "GET", "/api/export?what=glb", H, "http://evil.example", T},
        {403, "GET", "/api/export?what=glb", H, "http://evil.example", T, false, "same-origin"},
        {403, "GET", "/api/export?what=glb", "evil.example:8123", O, T},
        {401, "GET", "/api/export?what=glb", H, O, ""},
        {401, "GET", "/api/export?what=glb", H, O, "Bearer "},
        {401, "GET", "/api/export?what=glb", H, O, "Bearer 0123456789abcdef0123456789abcdee"},
        {401, "GET", "/api/export?what=glb", H, O, "Bearer 0123456789abcdef0123456789abcde"},
        {401, "GET", "/api/export?what=glb", H, O, "Bearer 0123456789abcdef0123456789abcdef0"},
        {401, "GET", "/api/export?what=glb", H, O, "Bearer 0123456789ABCDEF0123456789ABCDEF"},
        {401, "GET", "/api/export?what=glb", H, O, "Bearer  0123456789abcdef0123456789abcdef"},
        {401, "GET", "/api/export?what=glb", H, O, "bearer 0123456789abcdef0123456789abcdef"},
        {401, "GET", "/api/export?what=glb", H, O, "Basic 0123456789abcdef0123456789abcdef"},
        {401, "GET", "/api/export?what=glb", H, O, "0123456789abcdef0123456789abcdef"},
        {401, "GET", "/api/export?what=glb&token=0123456789abcdef0123456789abcdef", H, O, ""},
        {401, "GET", "/api/thumbnail?scene=chain", H, "", "", false, "same-origin"},
        {401, "GET", "/api/", H, O, ""},
        {401, "GET", "/api", H, O, ""},
        {404, "GET", "/api/", H, O, T},
        {404, "GET", "/api", H, O, T},
        {404, "GET", "/api/other", H, O, T},
        {404, "GET", "/api/export/", H, O, T},
        {404, "GET", "/api/exports", H, O, T},
        {400, "GET", "/api/export?what=glb", H, O, T, true},
        // The socket.
        {200, "GET", "/ws", H, O, W, true},
        {200, "GET", "/ws", L, P, W, true},
        {200, "GET", "/ws", H, P, W, true},
        {200, "GET", "/ws?x=1", H, O, W, true},
        {200, "GET", "/ws", H, O, "armature.v1,token.0123456789abcdef0123456789abcdef", true},
        {200, "GET", "/ws", H, O, "token.0123456789abcdef0123456789abcdef, armature.v1", true},
        {426, "GET", "/ws", H, O, W},
        {426, "HEAD", "/ws", H, O, W, true},
        {403, "GET", "/ws", H, "", W, true},
        {403, "GET", "/ws", H, "", W, true, "same-origin"},
        {403, "GET", "/ws", H, "http://evil.example", W, true},
        {403, "GET", "/ws", H, "null", W, true},
        {403, "GET", "/ws", H, "ws://127.0.0.1:8123", W, true},
        {403, "GET", "/ws", "evil.example:8123", O, W, true},
        {400, "GET", "/ws", "", O, W, true},
        {401, "GET", "/ws", H, O, "", true},
        {401, "GET", "/ws", H, O, "armature.v1", true},
        {401, "GET", "/ws", H, O, "token.0123456789abcdef0123456789abcdef", true},
        {401, "GET", "/ws", H, O, "armature.v1, token.", true},
        {401, "GET", "/ws", H, O, "armature.v1, token.0123456789abcdef0123456789abcdee", true},
        {401, "GET", "/ws", H, O, "armature.v2, token.0123456789abcdef0123456789abcdef", true},
        {401, "GET", "/ws", H, O, "armature.v1, token.0123456789abcdef0123456789abcdef, token.x", true},
        {400, "GET", "/", H, O, W, true},
        {400, "GET", "/ws/", H, O, W, true},
        {400, "GET", "/wsx", H, O, W, true},
    };
    return table;
}

/// The same for a server on another port.
inline std::string spelt_for(const std::string& text, std::uint16_t other) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const std::string word = text.substr(at, 4);
        const bool ours = word == std::to_string(port), next = word == std::to_string(port + 1);
        out += ours ? std::to_string(other) : next ? std::to_string(other + 1) : std::string(1, text[at]);
        at += ours || next ? 4 : 1;
    }
    return out;
}

}  // namespace armature::request_table
