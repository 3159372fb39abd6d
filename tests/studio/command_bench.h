// A studio without a network, whose viewer is the test: commands in, replies, events and frames kept.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <thread>

#include "armature/base/atomic_file.h"
#include "armature/studio/studio.h"
#include "scratch_folder.h"
#include "support/scene_files.h"

namespace armature::test {

inline const std::string scene_text =
    "// A pendulum of two.\n"
    "title \"Two\";\n"
    "parameter size 0.4;   // m\n"
    "\n"
    "object a\n"
    "  box size size 0.1 0.1;\n"
    "  at 0.2 0 0;           // from the hook\n"
    "end\n"
    "object b box size 0.4 0.1 0.1; at 0.6 0 0; end\n"
    "constraint j0 object2 a; hinge 0 0 0 -0.2 0 0; end\n"
    "constraint j1 object1 a; object2 b; hinge 0.2 0 0 -0.2 0 0; end\n";

/// A studio whose viewer is this test.
class Bench {
  public:
    explicit Bench(const std::string& text = scene_text, const std::map<std::string, std::string>& files = {}) {
        write_file(folder.path() / "two.arm", text);
        for (const auto& [name, more] : files) {
            std::filesystem::create_directories((folder.path() / name).parent_path());
            write_file(folder.path() / name, more);
        }
        studio::StudioOptions options;
        options.file = folder.path() / "two.arm";
        options.gallery = test::scene_folder();
        studio::Outlets out;
        out.reply = [this](studio::ViewerId, std::string reply) { last_reply = Json::parse(reply); };
        out.event = [this](std::optional<studio::ViewerId>, studio::Slot, std::shared_ptr<const std::string> event) {
            Json json = Json::parse(*event);
            if (json["event"] == "scene") scene = json;
            events.push_back(std::move(json));
        };
        out.frame = [this](studio::FrameKind kind, std::shared_ptr<const std::string>) {
            ++frames[static_cast<std::size_t>(kind)];
        };
        out.viewers = [] { return std::size_t{1}; };
        studio_.emplace(options, std::move(out));
        (*this)({{"do", "hello"}});
    }

    Json operator()(Json command) {
        command["id"] = ++id_;
        studio_->handle(1, command.dump(), studio::Clock::now());
        // What takes long is answered later.
        for (int k = 0; k == 0 || (last_reply["id"] != id_ && k < 3000); ++k) {
            if (k > 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
            studio_->tick(studio::Clock::now() + std::chrono::milliseconds(id_ * 20));
        }
        EXPECT_EQ(last_reply["id"], id_);
        return last_reply;
    }
    std::string text() const { return scene["text"].get<std::string>(); }
    studio::Studio& get() { return *studio_; }

    ScratchFolder folder;
    Json last_reply, scene;
    std::vector<Json> events;
    std::array<int, 3> frames{};
    int later = 1000;  ///< s: looks at the disk are made as if this late

  private:
    std::optional<studio::Studio> studio_;
    int id_ = 0;
};

}  // namespace armature::test
