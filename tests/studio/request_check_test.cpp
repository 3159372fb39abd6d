// Who may ask for what: every combination of Host, Origin, token, method and upgrade that matters.
#include "armature/studio/request_check.h"

#include <gtest/gtest.h>

#include <set>

#include "request_table.h"

namespace armature::request_check_test {

using studio::check_request;
using studio::RequestFacts;
using studio::Verdict;
using studio::Wanted;

using request_table::H;
using request_table::L;
using request_table::O;
using request_table::P;
using request_table::port;
using request_table::Row;
using request_table::rows;
using request_table::token;

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
