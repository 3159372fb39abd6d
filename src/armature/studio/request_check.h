// Who may ask for what. One pure function over what a request says of itself, so that every combination can be tested.
//
// The server listens on the loopback interface, which every page in the user's browser can reach too:
//   Host     must be ours: a foreign name that was made to point here (DNS rebinding) is refused
//   Origin   must be ours on everything but the static page: a foreign page cannot use the token even if it knew it. Missing
//            is no pass; a same-origin GET by fetch has none, and there Sec-Fetch-Site: same-origin, which no page can forge,
//            stands in for it
//   token    128 random bits, in the fragment of the address that was opened: in no request line, no log, no Referer
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace armature::studio {

struct RequestFacts {
    std::string method;
    std::string target;
    std::vector<std::string> hosts;  ///< every header of that name
    std::vector<std::string> origins;
    std::string authorization;
    std::string protocols;   ///< Sec-WebSocket-Protocol
    std::string fetch_site;  ///< Sec-Fetch-Site
    bool upgrade = false;    ///< asks for a WebSocket
    bool has_body = false;
};

enum class Wanted { page, exported, thumbnail, socket };

struct Verdict {
    int status = 200;  ///< otherwise it is refused with this
    Wanted wanted = Wanted::page;
    std::string path;   ///< of the target
    std::string query;  ///< what=glb
    bool head = false;
};

Verdict check_request(const RequestFacts& request, std::uint16_t port, std::string_view token);

/// In a time that does not depend on where they differ.
bool equal_in_constant_time(std::string_view a, std::string_view b);

/// 128 bits from the system, in hex. Throws std::system_error when it has none.
std::string fresh_token();

/// The headers that every answer has.
std::vector<std::pair<std::string, std::string>> security_headers(std::uint16_t port);

}  // namespace armature::studio
