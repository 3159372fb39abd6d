// Runs the real command, as a shell would, and keeps what it said.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace armature::test {

struct Outcome {
    int code = -1;  ///< exit code; −signal when it was ended by one
    std::string out, err;
};

using Arguments = std::vector<std::string>;
using Environment = std::vector<std::pair<std::string, std::string>>;

/// build/…/armature with these arguments, in `folder`, with nothing to read and pipes to write to.
Outcome armature_command(const Arguments& arguments, const std::filesystem::path& folder = ".",
                         const Environment& environment = {});

/// A line for the shell in `folder`, where `armature` is found by its name; `out` has both streams.
Outcome shell(const std::string& line, const std::filesystem::path& folder);

/// The same started and left running, its output in files.
class Running {
  public:
    Running(const Arguments& arguments, const std::filesystem::path& folder);
    ~Running();  ///< ends it the hard way when it still runs
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

    void send(int signal) const;
    std::string out_so_far() const;
    Outcome wait();

  private:
    pid_t pid_ = -1;
    std::filesystem::path out_, err_;
};

/// The same on a terminal of 100 columns; `out` holds what it showed there.
Outcome armature_on_terminal(const Arguments& arguments, const std::filesystem::path& folder,
                             const Environment& environment = {});

/// A folder of its own for every test, with two scenes in it.
class CommandTest : public testing::Test {
  protected:
    void SetUp() override;
    void TearDown() override;
    void put(const std::string& name, const std::string& text) const;
    std::string get(const std::string& name) const;
    std::vector<std::string> names() const;  ///< of the files there, sorted
    Outcome command(const Arguments& arguments, const Environment& environment = {}) const {
        return armature_command(arguments, folder, environment);
    }

    std::filesystem::path folder;
};

}  // namespace armature::test
