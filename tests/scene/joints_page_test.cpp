// docs/joints.md shows every joint and every domain, and its blocks compile.
#include <fstream>
#include <iterator>
#include <sstream>

#include "armature/model/compile.h"
#include "armature/model/joint_library.h"
#include "expected_error.h"

namespace armature {
namespace {

using namespace testing_scene;

std::string file_text(const std::string& path) {
    std::ifstream in(std::string(ARMATURE_SOURCE_DIR) + "/" + path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

TEST(JointsPage, ShowsEveryTypeWithAPictureAndABlock) {
    const std::string page = file_text("docs/joints.md");
    for (const JointTypeInfo& info : joint_types()) {
        const std::string name(info.name);
        const std::size_t at = page.find("\n### " + name + "\n");
        ASSERT_NE(at, std::string::npos) << name;
        const std::string section = page.substr(at + 1, page.find("\n##", at + 1) - at);
        EXPECT_NE(section.find("(joints/" + name + ".svg)"), std::string::npos) << name;
        EXPECT_NE(file_text("docs/joints/" + name + ".svg").find("</svg>"), std::string::npos) << name;
        EXPECT_NE(section.find("type " + name + ";"), std::string::npos) << name;
        for (const JointFreedomInfo& f : info.freedoms)
            EXPECT_NE(section.find("`" + std::string(f.name) + "`"), std::string::npos) << name << "." << f.name;
    }
}

TEST(JointsPage, ShowsEveryDomainWithAPictureAndABlock) {
    const std::string page = file_text("docs/joints.md");
    for (const auto& [keyword, picture] :
         {std::pair{"axial", "segment"}, std::pair{"planar", "ring"}, std::pair{"curve", "curve"},
          std::pair{"sphere", "sphere"}, std::pair{"box", "box"}, std::pair{"mesh", "mesh"}}) {
        const std::string name = keyword, file = std::string("joints/domain_") + picture + ".svg";
        const std::size_t at = page.find("\n### " + name + "\n");
        ASSERT_NE(at, std::string::npos) << name;
        const std::string section = page.substr(at + 1, page.find("\n##", at + 1) - at);
        EXPECT_NE(section.find("(" + file + ")"), std::string::npos) << name;
        EXPECT_NE(file_text("docs/" + file).find("</svg>"), std::string::npos) << name;
        EXPECT_NE(section.find(name + " "), std::string::npos) << name;
        EXPECT_NE(lang::block_spec(lang::BlockId::constraint).find_keyword(name), nullptr) << name;
    }
}

TEST(JointsPage, ItsBlocksCompile) {
    std::istringstream page(file_text("docs/joints.md"));
    std::string objects, block;
    int blocks = 0;
    bool inside = false;
    for (std::string line; std::getline(page, line);) {
        if (line.starts_with("```cpp")) break;  // the last
        if (line != "```") {
            if (inside) block += line + "\n";
            continue;
        }
        inside = !inside;
        if (inside) continue;
        if (objects.empty()) objects = block;
        Diagnostics found;  // a scene of the gallery, whose meshes the page may use
        const std::string beside = std::string(ARMATURE_SOURCE_DIR) + "/scenes/domains/page.arm";
        compile(load_text(objects == block ? block : objects + block, beside, {}, found).spec, found);
        EXPECT_EQ(all_messages(found), "") << block;
        block.clear();
        ++blocks;
    }
    EXPECT_GE(blocks, 22);
}

}  // namespace
}  // namespace armature
