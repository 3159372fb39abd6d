// Who may ask for what: every combination of Host, Origin, token, method and upgrade that matters.
#include "armature/studio/request_check.h"

#include <gtest/gtest.h>

#include <set>

namespace armature::request_check_test {

using studio::check_request;
using studio::RequestFacts;
using studio::Verdict;
using studio::Wanted;

constexpr std::uint16_t port = 8123;
const std::string token = "0123456789abcdef0123456789abcdef";

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

constexpr const char* H = "127.0.0.1:8123";
constexpr const char* L = "localhost:8123";
constexpr const char* O = "http://127.0.0.1:8123";
constexpr const char* P = "http://localhost:8123";
constexpr const char* T = "Bearer 0123456789abcdef0123456789abcdef";
constexpr const char* W = "armature.v1, token.0123456789abcdef0123456789abcdef";

const std::vector<Row>& rows() {
    static const std::vector<Row> table = {
        // The static page: anyone on this machine who calls us by our name.
        {200, "GET", "/", H, "", ""},
        {200, "GET", "/", L, "", ""},
        {200, "GET", "/", "LOCALHOST:8123", "", ""},
        {200, "GET", "/index.html", H, "", ""},
        {200, "GET", "/assets/index-abc.js", H, O, ""},
        {200, "GET", "/assets/index-abc.js", L, P, ""},
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

RequestFacts facts_of(const Row& row) {
    RequestFacts f;
    f.method = row.method;
    f.target = row.target;
    if (*row.host != '\0') f.hosts.push_back(row.host);
    if (*row.origin != '\0') f.origins.push_back(row.origin);
    (std::string(row.target).starts_with("/ws") ? f.protocols : f.authorization) = row.token;
    f.upgrade = row.upgrade;
    f.fetch_site = row.fetch_site;
    return f;
}

TEST(StudioRequests, EveryRowOfTheTableIsAnsweredAsItSays) {
    EXPECT_GE(rows().size(), 80u);
    for (const Row& row : rows())
        EXPECT_EQ(check_request(facts_of(row), port, token).status, row.status)
            << row.method << " " << row.target << " | " << row.host << " | " << row.origin << " | " << row.token
            << " | " << row.upgrade << " | " << row.fetch_site;
}

TEST(StudioRequests, NothingButTheStaticPageIsHadWithoutTheToken) {
    // All combinations of what the table has, not only those it lists.
    const std::set<std::string> methods{"GET", "HEAD", "POST"};
    const std::set<std::string> hosts{H, L, "", "evil.example:8123", "127.0.0.1", "127.0.0.1:8124"};
    std::set<std::string> targets, origins, tokens, sites;
    for (const Row& r : rows()) {
        targets.insert(r.target);
        origins.insert(r.origin);
        tokens.insert(r.token);
        sites.insert(r.fetch_site);
    }
    long count = 0;
    for (const auto& method : methods)
        for (const auto& target : targets)
            for (const auto& host : hosts)
                for (const auto& origin : origins)
                    for (const auto& given : tokens)
                        for (const auto& site : sites)
                            for (const bool upgrade : {false, true}) {
                                RequestFacts f;
                                f.method = method;
                                f.target = target;
                                if (!host.empty()) f.hosts.push_back(host);
                                if (!origin.empty()) f.origins.push_back(origin);
                                f.authorization = f.protocols = given;
                                f.upgrade = upgrade;
                                f.fetch_site = site;
                                const Verdict v = check_request(f, port, token);
                                ++count;
                                if (v.status != 200) continue;
                                ASSERT_TRUE(host == H || host == L) << host;
                                ASSERT_TRUE(origin.empty() || origin == O || origin == P) << origin;
                                ASSERT_TRUE(method == "GET" || method == "HEAD");
                                ASSERT_EQ(v.wanted == Wanted::socket, upgrade);
                                if (v.wanted == Wanted::page) continue;
                                ASSERT_NE(given.find(token), std::string::npos);
                                ASSERT_TRUE(!origin.empty() || (site == "same-origin" && v.wanted != Wanted::socket));
                            }
    EXPECT_GT(count, 100'000);
}

TEST(StudioRequests, TwoHostsOrTwoOriginsAreRefused) {
    RequestFacts f = facts_of({200, "GET", "/", H, O, ""});
    f.hosts.push_back(H);
    EXPECT_EQ(check_request(f, port, token).status, 400);
    f.hosts.pop_back();
    f.origins.push_back(O);
    EXPECT_EQ(check_request(f, port, token).status, 403);
    f.origins.pop_back();
    f.has_body = true;
    EXPECT_EQ(check_request(f, port, token).status, 400);
}

TEST(StudioRequests, TokensAreFreshAndComparedWhole) {
    std::set<std::string> seen;
    for (int k = 0; k < 100; ++k) {
        const std::string t = studio::fresh_token();
        EXPECT_EQ(t.size(), 32u);
        EXPECT_EQ(t.find_first_not_of("0123456789abcdef"), std::string::npos);
        seen.insert(t);
    }
    EXPECT_EQ(seen.size(), 100u);
    EXPECT_TRUE(studio::equal_in_constant_time(token, token));
    EXPECT_FALSE(studio::equal_in_constant_time("", token));
    EXPECT_FALSE(studio::equal_in_constant_time(token + token, token));
    EXPECT_FALSE(studio::equal_in_constant_time(token.substr(1), token));
    EXPECT_FALSE(studio::equal_in_constant_time(token, ""));
}

TEST(StudioRequests, ThePageMayLoadOnlyItsOwnFiles) {
    std::string policy;
    for (const auto& [name, value] : studio::security_headers(port))
        if (name == "Content-Security-Policy") policy = value;
    EXPECT_NE(policy.find("default-src 'none'"), std::string::npos);
    EXPECT_NE(policy.find("script-src 'self';"), std::string::npos);
    EXPECT_NE(policy.find("frame-ancestors 'none'"), std::string::npos);
    EXPECT_EQ(policy.find("unsafe-eval"), std::string::npos);
    EXPECT_EQ(policy.find("*"), std::string::npos);
    EXPECT_EQ(policy.find("https:"), std::string::npos);
}

}  // namespace armature::request_check_test
