// `armature studio` as a shell starts it: prints its address, serves, ends on Ctrl-C.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "command.h"

namespace armature::studio_command_test {

using test::Outcome;
using test::Running;

class StudioCommand : public test::CommandTest {};

/// The address it printed, once it did.
std::string address(const Running& running) {
    for (int k = 0; k < 500; ++k) {
        const std::string out = running.out_so_far();
        if (out.find('\n') != std::string::npos) return out.substr(0, out.find('\n'));
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return {};
}

std::string first_line_of_answer(int port) {
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    std::string answer;
    if (connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0) {
        const std::string request = "GET / HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) + "\r\n\r\n";
        char bytes[64] = {};
        if (::send(fd, request.data(), request.size(), MSG_NOSIGNAL) > 0 && recv(fd, bytes, sizeof bytes - 1, 0) > 0)
            answer = bytes;
    }
    ::close(fd);
    return answer.substr(0, answer.find('\r'));
}

TEST_F(StudioCommand, PrintsItsAddressServesAndEndsOnCtrlC) {
    Running running({"studio", "chain.arm", "--no-open"}, folder);
    const std::string url = address(running);
    ASSERT_EQ(url.compare(0, 17, "http://127.0.0.1:"), 0) << url;
    ASSERT_NE(url.find("/#token="), std::string::npos);
    EXPECT_EQ(url.size() - url.find("/#token=") - 8, 32u);
    EXPECT_EQ(first_line_of_answer(std::stoi(url.substr(17))), "HTTP/1.1 200 OK");
    // The port is taken now.
    const std::string port = url.substr(17, url.find('/', 17) - 17);
    const Outcome second = command({"studio", "chain.arm", "--no-open", "--port", port});
    EXPECT_EQ(second.code, 2);
    EXPECT_NE(second.err.find("cannot listen"), std::string::npos) << second.err;
    running.send(SIGINT);
    EXPECT_EQ(running.wait().code, 0);
}

TEST_F(StudioCommand, ASceneThatCannotBeReadIsSaid) {
    const Outcome outcome = command({"studio", "no/such/folder/x.arm", "--no-open"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_FALSE(outcome.err.empty());
}

}  // namespace armature::studio_command_test
