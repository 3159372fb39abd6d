// The real server on the loopback interface: the page, viewers, and everything that is not supposed to come.
#include <dirent.h>
#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "armature/math/random.h"
#include "armature/scene/files.h"
#include "loopback.h"
#include "request_table.h"
#include "support/test_scale.h"

namespace armature::server_test {

using namespace std::chrono_literals;
using test::Answer;
using test::ask;
using test::get;
using test::LoopbackStudio;
using test::ViewerClient;
using test::Wire;

int descriptors() {
    int n = 0;
    DIR* d = opendir("/proc/self/fd");
    while (readdir(d) != nullptr) ++n;
    closedir(d);
    return n;
}

/// Until the server has noticed that the connections are gone.
bool becomes_quiet(const studio::Server& server) {
    for (int k = 0; k < 500 && server.connections() > 0; ++k) std::this_thread::sleep_for(10ms);
    return server.connections() == 0;
}

std::string api(const LoopbackStudio& s, const std::string& target) {
    return get(
        s.port(), target,
        "Authorization: Bearer " + s.token() + "\r\nOrigin: http://127.0.0.1:" + std::to_string(s.port()) + "\r\n");
}

TEST(StudioServer, ServesThePageWithItsPolicyAndNothingWithoutATokenBesides) {
    const LoopbackStudio s;
    const Answer page = ask(s.port(), get(s.port(), "/"));
    EXPECT_EQ(page.status, 200);
    EXPECT_NE(page.body.find("PAGE"), std::string::npos);
    EXPECT_NE(page.head.find("Content-Security-Policy: default-src 'none'"), std::string::npos);
    EXPECT_NE(page.head.find("X-Content-Type-Options: nosniff"), std::string::npos);
    EXPECT_NE(page.head.find("text/html"), std::string::npos);
    const Answer script = ask(s.port(), get(s.port(), "/assets/a.js"));
    EXPECT_EQ(script.body, "// SCRIPT");
    EXPECT_NE(script.head.find("text/javascript"), std::string::npos);
    EXPECT_EQ(ask(s.port(), get(s.port(), "/missing.js")).status, 404);
    EXPECT_EQ(ask(s.port(), get(s.port(), "/api/export?what=csv")).status, 403);
    EXPECT_EQ(ask(s.port(), api(s, "/api/export?what=nothing")).status, 404);
    EXPECT_EQ(ask(s.port(), "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n").status, 403);
    EXPECT_EQ(ask(s.port(), "GET / HTTP/1.1\r\n\r\n").status, 400);
    EXPECT_EQ(ask(s.port(),
                  "POST / HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(s.port()) + "\r\nContent-Length: 0\r\n\r\n")
                  .status,
              405);
    EXPECT_EQ(ask(s.port(), "HEAD / HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(s.port()) + "\r\n\r\n").status, 200);
    EXPECT_EQ(s.token().size(), 32u);
    EXPECT_EQ(s.server->url(), "http://127.0.0.1:" + std::to_string(s.port()) + "/#token=" + s.token());
}

TEST(StudioServer, AnswersEveryRowOfTheTableOverASocket) {
    const LoopbackStudio s(test::small_scene, 10s, request_table::token);
    int asked = 0;
    for (const request_table::Row& row : request_table::rows()) {
        if (*row.host == ' ') continue;  // a blank in front of a value is no part of it on the wire
        const bool socket = std::string(row.target).starts_with("/ws");
        std::string request = std::string(row.method) + " " + row.target + " HTTP/1.1\r\n";
        const auto field = [&](const char* name, const char* value) {
            if (*value != '\0') request += std::string(name) + ": " + value + "\r\n";
        };
        field("Host", row.host);
        field("Origin", row.origin);
        field(socket ? "Sec-WebSocket-Protocol" : "Authorization", row.token);
        field("Sec-Fetch-Site", row.fetch_site);
        if (row.upgrade)
            request +=
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: AAECAwQFBgcICQoLDA0ODw==\r\n";
        const Answer a = ask(s.port(), request_table::spelt_for(request + "\r\n", s.port()));
        EXPECT_EQ(a.status, row.status == 200 && socket ? 101 : row.status) << request;
        EXPECT_TRUE(row.status == 200 || a.body.find("PAGE") == std::string::npos) << request;
        ++asked;
    }
    EXPECT_GE(asked, 80);
    // Nothing of that has changed anything.
    ViewerClient v = s.viewer();
    v.command({{"do", "hello"}});
    v.watch(100);
    ASSERT_GE(v.events.size(), 2u);
    EXPECT_EQ(v.events[0]["revision"], 1);
    EXPECT_EQ(v.events[0]["dirty"], false);
    EXPECT_EQ(v.events[1]["frame"], 0);
    EXPECT_EQ(v.events[1]["playing"], false);
}

TEST(StudioServer, ListensOnTheLoopbackInterfaceAlone) {
    const LoopbackStudio s;
    int listening = 0;
    for (const char* table : {"/proc/self/net/tcp", "/proc/self/net/tcp6"}) {
        std::ifstream in(table);
        std::string number, local, remote, state, rest;
        std::getline(in, rest);  // names of the columns
        while (in >> number >> local >> remote >> state && std::getline(in, rest)) {
            const std::size_t colon = local.find(':');
            if (state != "0A" || std::stoi(local.substr(colon + 1), nullptr, 16) != s.port()) continue;
            ++listening;
            EXPECT_EQ(local.substr(0, colon), "0100007F") << "127.0.0.1, least byte first";
        }
    }
    EXPECT_EQ(listening, 1);
}

TEST(StudioServer, RequestsThatAreTooLargeAreRefused) {
    const LoopbackStudio s;
    const std::string host = "Host: 127.0.0.1:" + std::to_string(s.port()) + "\r\n";
    EXPECT_EQ(ask(s.port(), get(s.port(), "/", "X-Long: " + std::string(20'000, 'a') + "\r\n")).status, 431);
    EXPECT_EQ(ask(s.port(), get(s.port(), "/" + std::string(20'000, 'a'))).status, 431);
    const std::string body(100'000, 'a');
    EXPECT_EQ(ask(s.port(), "POST / HTTP/1.1\r\n" + host + "Content-Length: 100000\r\n\r\n" + body).status, 413);
    EXPECT_EQ(ask(s.port(), get(s.port(), "/")).status, 200);
}

TEST(StudioServer, WithoutABuiltPageItSaysHowToBuildIt) {
    studio::StudioOptions what;
    const test::ScratchFolder folder;
    what.folder = folder.path();
    const studio::Server server({}, what);
    const Answer page = ask(server.port(), get(server.port(), "/"));
    EXPECT_EQ(page.status, 200);
    EXPECT_NE(page.body.find("npm run build"), std::string::npos);
}

TEST(StudioServer, HandsOutTheRecordingAndPictures) {
    const LoopbackStudio s;
    ViewerClient v = s.viewer();
    ASSERT_TRUE(v.open()) << v.head();
    EXPECT_NE(v.head().find("Sec-WebSocket-Protocol: armature.v1\r\n"), std::string::npos);
    v.command({{"do", "step"}, {"frames", 10}});
    const Answer csv = ask(s.port(), api(s, "/api/export?what=csv"));
    EXPECT_EQ(csv.status, 200);
    EXPECT_EQ(std::count(csv.body.begin(), csv.body.end(), '\n'), 12) << "names and eleven frames";
    EXPECT_NE(csv.head.find("filename=\"small.csv\""), std::string::npos);
    const Answer glb = ask(s.port(), api(s, "/api/export?what=glb"));
    EXPECT_EQ(glb.body.compare(0, 4, "glTF"), 0);
    EXPECT_NE(ask(s.port(), api(s, "/api/export?what=report")).body.find("\"converged\""), std::string::npos);
    EXPECT_EQ(ask(s.port(), api(s, "/api/export?what=recording")).body, test::small_scene);
    const Answer png = ask(s.port(), api(s, "/api/thumbnail?scene=joints%2Fpin"));
    EXPECT_EQ(png.status, 200);
    EXPECT_EQ(png.body.compare(1, 3, "PNG"), 0);
    EXPECT_EQ(ask(s.port(), api(s, "/api/thumbnail?scene=..%2F..%2Fsecret")).status, 404);
}

TEST(StudioServer, AViewerIsToldTheSceneAndThenEveryFrame) {
    const LoopbackStudio s;
    ViewerClient v = s.viewer();
    const Wire hello = v.command({{"do", "hello"}});
    ASSERT_TRUE(hello["ok"].get<bool>());
    EXPECT_GE(hello["gallery"].size(), 40u);
    EXPECT_GE(hello["schema"]["blocks"].size(), 10u);
    v.watch(200);
    ASSERT_GE(v.events.size(), 2u);
    EXPECT_EQ(v.events[0]["event"], "scene");
    EXPECT_EQ(v.events[0]["bodies"].size(), 3u);
    EXPECT_EQ(v.events[0]["joints"].size(), 2u);
    EXPECT_EQ(v.events[0]["joints"][0]["kind"], "ball");
    EXPECT_EQ(v.events[1]["event"], "status");
    ASSERT_EQ(v.last_frame.size(), 64u + 3 * 28u);
    v.command({{"do", "play"}});
    v.watch(600);
    EXPECT_GE(v.frames, 15);
    EXPECT_GE(ViewerClient::frame_number(v.last_frame), 15);
}

TEST(StudioServer, MessagesThatMakeNoSenseAreAnsweredAndChangeNothing) {
    const LoopbackStudio s;
    ViewerClient v = s.viewer();
    for (const std::string text : {"",
                                   "{",
                                   "[]",
                                   "3",
                                   "null",
                                   "\"do\"",
                                   "{\"do\":3}",
                                   "{\"id\":1}",
                                   "{\"id\":1,\"do\":\"nothing\"}",
                                   "{\"id\":1,\"do\":\"seek\"}",
                                   "{\"id\":1,\"do\":\"seek\",\"frame\":\"x\"}",
                                   "{\"id\":1,\"do\":\"edit\",\"path\":[],\"value\":{}}",
                                   "{\"id\":1,\"do\":\"place\",\"placements\":[1]}",
                                   "{\"id\":1,\"do\":\"place\",\"placements\":{\"a\":[1,2]}}",
                                   "{\"id\":1,\"do\":\"grab\",\"solid\":\"a\",\"point\":[1,2]}",
                                   "{\"id\":1,\"do\":\"pull\",\"drag\":\"hand\",\"target\":[0,0,0]}",
                                   "{\"id\":1,\"do\":\"settings\",\"solver\":\"magic\"}",
                                   "{\"id\":1,\"do\":\"settings\",\"dt\":-1}",
                                   "{\"id\":1,\"do\":\"settings\",\"dt\":1e300}",
                                   "{\"id\":1,\"do\":\"speed\",\"factor\":-1}",
                                   "{\"id\":1,\"do\":\"open\",\"file\":\"../secret.arm\"}",
                                   "{\"id\":1,\"do\":\"open\",\"scene\":\"../secret\"}",
                                   "{\"id\":1,\"do\":\"save\",\"file\":\"../secret.arm\"}",
                                   "{\"id\":1,\"do\":\"save\",\"file\":\"/tmp/x.arm\"}",
                                   "{\"id\":1,\"do\":\"plot\",\"quantities\":[\"nothing\"]}",
                                   "{\"id\":1,\"do\":\"remove\",\"names\":[\"zz\"]}",
                                   "{\"id\":1,\"do\":\"ghost\",\"solver\":\"magic\"}",
                                   "\xff\xfe",
                                   "{\"id\":1,\"do\":\"add\",\"block\":\"object x\"}"}) {
        v.socket().send(ViewerClient::frame(text, text == "\xff\xfe" ? 2 : 1));
        const auto reply = v.receive();
        ASSERT_TRUE(reply) << text;
        const Wire json = Wire::parse(reply->payload);
        EXPECT_EQ(json["ok"], false) << text;
        EXPECT_GE(json["errors"].size(), 1u) << text;
    }
    v.command({{"do", "hello"}});
    v.watch(100);
    EXPECT_EQ(v.events[0]["text"], test::small_scene);
    EXPECT_EQ(v.events[0]["revision"], 1);
    EXPECT_FALSE(v.events[0]["canUndo"].get<bool>());
}

TEST(StudioServer, AMessageThatIsTooLargeEndsThatConnectionOnly) {
    const LoopbackStudio s;
    ViewerClient big = s.viewer(), other = s.viewer();
    big.socket().send(ViewerClient::frame(std::string((4u << 20) + 100, ' ')));
    EXPECT_FALSE(big.receive(5000).has_value() && big.receive(5000).has_value() && big.receive(1000).has_value());
    EXPECT_EQ(other.command({{"do", "step"}})["ok"], true);
}

TEST(StudioServer, NoSpellingOfAPathLeaksAByteFromOutside) {
    const LoopbackStudio s;
    std::vector<std::string> ups = {"..",     "%2e%2e",     "%2E%2E",       ".%2e",       "%2e.",
                                    "..%00",  "..%2f..",    "....",         "..;",        "..%5c..",
                                    "..\\..", "%252e%252e", "%c0%ae%c0%ae", "..%c0%af..", "%uff0e%uff0e",
                                    "..%09",  "..%0d%0a",   ".../",         "..././"};
    std::vector<std::string> separators = {"/", "%2f", "%5c", "//", "\\"};
    std::vector<std::string> targets;
    for (const std::string& up : ups)
        for (const std::string& sep : separators)
            for (const std::string file : {"secret.txt", "secret.arm"}) {
                targets.push_back("/" + up + sep + file);
                targets.push_back("/assets" + sep + up + sep + up + sep + file);
            }
    const std::string absolute = s.folder.path().string() + "/secret.txt";
    for (const std::string& t :
         {absolute, "/" + absolute, "/file://" + absolute, "/assets/" + absolute, std::string("/link.txt"),
          std::string("/%6cink.txt"), std::string("/./link.txt"), std::string("//link.txt"),
          std::string("/assets/../link.txt"), std::string("/.secret"), std::string("/index.html/../../secret.txt"),
          std::string("/secret.txt?/../page/index.html"), std::string("/index.html%00/../../secret.txt"),
          std::string("/~/secret.txt"), std::string("/assets"), std::string("/assets/")})
        targets.push_back(t);
    ASSERT_GE(targets.size(), 200u);
    for (const std::string& target : targets) {
        const Answer a = ask(s.port(), get(s.port(), target));
        EXPECT_EQ(a.body.find("SECRET"), std::string::npos) << target;
        EXPECT_NE(a.status, 200) << target;
        const Answer thumb = ask(s.port(), api(s, "/api/thumbnail?scene=" + target));
        EXPECT_EQ(thumb.body.find("SECRET"), std::string::npos) << target;
    }
    EXPECT_EQ(ask(s.port(), get(s.port(), "/")).status, 200);
}

TEST(StudioServer, NoSpellingOfANameOpensSavesOrIncludesAFileFromOutside) {
    const LoopbackStudio s;
    const std::filesystem::path& root = s.folder.path();
    std::filesystem::create_symlink(root / "secret.arm", root / "scenes" / "link.arm");
    std::filesystem::create_directory_symlink(root, root / "scenes" / "up");
    std::vector<std::string> names = {root.string() + "/secret.arm",
                                      "file://" + root.string() + "/secret.arm",
                                      "link.arm",
                                      "./link.arm",
                                      "up/secret.arm",
                                      "up/../../secret.arm",
                                      "scenes/../../secret.arm",
                                      "small.arm/../../secret.arm",
                                      "../scenes/../secret.arm",
                                      std::string("../secret.arm\0.arm", 18)};
    for (const std::string up : {"..", "./..", "...", "..;", "%2e%2e", "..%2f..", "..\\..", "\u00c0\u00ae", "~"})
        for (const std::string separator : {"/", "//", "\\", "/./", "%2f", "%5c"})
            for (const std::string front : {"", "/", "./", "sub/../"})
                names.push_back(front + up + separator + "secret.arm");
    ASSERT_GE(names.size(), 200u);
    ViewerClient v = s.viewer();
    const auto nothing_leaks = [&](const std::string& name, const Wire& reply) {
        EXPECT_EQ(reply.dump().find("SECRET"), std::string::npos) << name;
        for (const Wire& event : v.events) EXPECT_EQ(event.dump().find("SECRET"), std::string::npos) << name;
        v.events.clear();
    };
    v.command({{"do", "hello"}});
    for (const std::string& name : names) {
        for (const char* key : {"file", "scene"}) {
            const Wire reply = v.command({{"do", "open"}, {key, name}});
            EXPECT_EQ(reply["ok"], false) << name;
            nothing_leaks(name, reply);
        }
        const std::string text = "include \"" + name + "\";\n" + std::string(test::small_scene);
        nothing_leaks(name, v.command({{"do", "open"}, {"name", "x.arm"}, {"text", text}}));
        nothing_leaks(name, v.command({{"do", "source"}, {"file", name}}));
    }
    // A name may have a backslash in it and still be one of the folder: what counts is what is outside afterwards.
    for (const std::string& name : names) v.command({{"do", "save"}, {"file", name}, {"overwrite", true}});
    EXPECT_EQ(lang::read_text_file((root / "secret.arm").string(), 1000).text, "// SECRET-BYTES\n") << "not written";
    for (const auto& entry : std::filesystem::directory_iterator(root)) {
        const std::string name = entry.path().filename().string();
        EXPECT_TRUE(name == "scenes" || name == "page" || name == "secret.txt" || name == "secret.arm") << name;
    }
}

/// Something like a request, broken in some way.
std::string broken_request(Random& random, std::uint16_t port, const std::string& token) {
    std::string text;
    const double kind = random.unit();
    if (kind < 0.2) {
        const int n = static_cast<int>(random.unit() * 400);
        for (int i = 0; i < n; ++i) text += static_cast<char>(static_cast<int>(random.unit() * 256));
        return text;
    }
    const std::string ours = "127.0.0.1:" + std::to_string(port);
    text = (kind < 0.6   ? "GET / HTTP/1.1\r\nHost: " + ours + "\r\n\r\n"
            : kind < 0.8 ? "GET /api/export?what=csv HTTP/1.1\r\nHost: " + ours + "\r\nAuthorization: Bearer " + token +
                               "\r\n\r\n"
                         : "POST /x HTTP/1.1\r\nHost: " + ours +
                               "\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\nffffffffff\r\n");
    // Cut, spoilt, doubled.
    const auto place = [&] { return static_cast<std::size_t>(random.unit() * static_cast<double>(text.size())); };
    for (int k = 0; k < 4; ++k) {
        const double how = random.unit();
        if (how < 0.25)
            text.resize(place());
        else if (how < 0.6 && !text.empty())
            text[place()] = static_cast<char>(static_cast<int>(random.unit() * 256));
        else if (how < 0.8)
            text.insert(place(), text.substr(place(), 50));
        else if (how < 0.9)
            text.insert(place(), std::string(static_cast<std::size_t>(random.unit() * 20'000), 'A'));
    }
    return text;
}

/// Something like a frame of a WebSocket, likewise.
std::string broken_frame(Random& random) {
    static const std::vector<std::string> good = {R"({"id":1,"do":"hello"})",
                                                  R"({"id":2,"do":"play"})",
                                                  R"({"id":3,"do":"seek","frame":3})",
                                                  R"({"id":4,"do":"grab","solid":"b","point":[0,0,0]})",
                                                  R"({"id":5,"do":"text","text":"object a sphere radius 1; end"})",
                                                  R"({"id":6,"do":"undo"})",
                                                  R"({"id":7,"do":"place","placements":{"a":[0,0,0,0,0,0,1]}})",
                                                  R"({"id":8,"do":"pull","drag":"hand","target":[0,1,0],"input":3})",
                                                  R"({"id":9,"do":"reset"})",
                                                  R"({"id":10,"do":"complete","line":3,"column":9})",
                                                  R"({"id":11,"do":"plot","quantities":["energy"]})",
                                                  R"({"id":12,"do":"settings","iterations":7,"dt":0.01})"};
    std::string text = good[static_cast<std::size_t>(random.unit() * static_cast<double>(good.size()))];
    const auto place = [&](const std::string& t) {
        return static_cast<std::size_t>(random.unit() * static_cast<double>(t.size()));
    };
    if (random.unit() < 0.5) text[place(text)] = static_cast<char>(static_cast<int>(random.unit() * 256));
    if (random.unit() < 0.2) text.resize(place(text));
    if (random.unit() < 0.1) text = std::string(static_cast<std::size_t>(random.unit() * 3000), '[');
    std::string frame = ViewerClient::frame(text, random.unit() < 0.9 ? 1 : static_cast<int>(random.unit() * 16));
    if (random.unit() < 0.15) frame[place(frame)] = static_cast<char>(static_cast<int>(random.unit() * 256));
    if (random.unit() < 0.1) frame.resize(place(frame));
    return frame;
}

TEST(StudioServerSlow, LivesThroughRandomAndTruncatedRequestsAndFrames) {
    const LoopbackStudio s(test::small_scene, 500ms);
    Random random(20261116);
    const int requests = test::scaled(10'000, 200), frames = test::scaled(10'000, 200);
    for (int k = 0; k < requests; ++k) {
        test::Socket socket(s.port());
        socket.send(broken_request(random, s.port(), s.token()));
        if (random.unit() < 0.5) socket.no_more();
        if (k % 50 == 0) socket.read_all(30);
        if (k % 1000 == 0) {
            const auto begin = std::chrono::steady_clock::now();
            EXPECT_EQ(ask(s.port(), get(s.port(), "/")).status, 200);
            EXPECT_LT(std::chrono::steady_clock::now() - begin, 1s);
        }
    }
    for (int k = 0; k < frames;) {
        ViewerClient v = s.viewer();
        ASSERT_TRUE(v.open()) << k;
        // Few on each connection: what is broken badly ends it, and what comes after is not looked at.
        for (int i = 0; i < 5 && v.socket().send(broken_frame(random)); ++i) ++k;
        if (k % 1000 < 5) {
            const auto begin = std::chrono::steady_clock::now();
            ViewerClient good = s.viewer();
            EXPECT_EQ(good.command({{"do", "pause"}})["ok"], true);
            EXPECT_LT(std::chrono::steady_clock::now() - begin, 1s);
        }
    }
    const auto begin = std::chrono::steady_clock::now();
    ViewerClient v = s.viewer();
    EXPECT_EQ(v.command({{"do", "pause"}})["ok"], true);
    EXPECT_EQ(ask(s.port(), get(s.port(), "/")).status, 200);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 1s);
}

TEST(StudioServer, ARequestThatNeverEndsIsNotWaitedFor) {
    const LoopbackStudio s(test::small_scene, 200ms);
    test::Socket slow(s.port());
    slow.send("GET / HTTP/1.1\r\nHost: 127");
    EXPECT_EQ(slow.read_all(3000), "");
    EXPECT_TRUE(becomes_quiet(*s.server));
}

TEST(StudioServer, ReconnectsLeakNoDescriptor) {
    const LoopbackStudio s;
    { s.viewer().command({{"do", "hello"}}); }
    ASSERT_TRUE(becomes_quiet(*s.server));
    const int before = descriptors();
    for (int k = 0; k < 500; ++k) {
        ViewerClient v = s.viewer();
        ASSERT_TRUE(v.open()) << k;
        if (k % 3 == 0) v.command({{"do", "hello"}});
        if (k % 5 == 0) v.socket().send(ViewerClient::frame("", 8));
    }
    ASSERT_TRUE(becomes_quiet(*s.server));
    EXPECT_LE(descriptors(), before);
    EXPECT_EQ(s.server->viewers(), 0u);
}

TEST(StudioServer, EndsCleanlyWithViewersThatAreStillThere) {
    LoopbackStudio s;
    ViewerClient v = s.viewer();
    v.command({{"do", "hello"}});
    v.command({{"do", "text"}, {"text", std::string(test::small_scene) + "// unsaved\n"}});
    v.command({{"do", "play"}});
    s.server->stop();
    EXPECT_TRUE(std::filesystem::exists(s.folder.path() / "scenes" / ".small.arm.autosave")) << "nothing is lost";
    s.server.reset();
}

}  // namespace armature::server_test
