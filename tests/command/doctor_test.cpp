// `armature doctor` as a shell sees it.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "command/command.h"

namespace armature::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class Doctor : public CommandTest {
  protected:
    void SetUp() override {
        CommandTest::SetUp();
        put("door.arm", R"(title "Door";
object door box size 1 2 0.05; at 0.5 1 0; end
joint upper type pin; object1 door; at -0.5 0.8 0; axis 0 1 0; end
joint lower type pin; object1 door; at -0.5 -0.8 0; axis 0 1 0; end
)");
        put("crooked.arm", R"(title "Crooked door";
object door box size 1 2 0.05; at 0.5 1 0; end
joint upper type pin; object1 door; at -0.5 0.8 0; axis 0 1 0; end
joint lower type pin; object1 door; at -0.5 -0.8 0  0.1 0.2 0; axis 0 1 0; end
)");
    }
};

TEST_F(Doctor, TellsMobilityFindingsWithTheirPlaceAndWhatToDo) {
    const Outcome outcome = command({"doctor", "door.arm"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.err, IsEmpty());
    for (const std::string part :
         {"Door", "mobility         1; by count -4, with 5 redundant rows", "`upper` and `lower` hold 5 rows more",
          "door.arm:3:1, door.arm:4:1", "remove `lower`", "`door` turns about y through 0 0 0"})
        EXPECT_THAT(outcome.out, HasSubstr(part));
}

TEST_F(Doctor, ExitsWithOneWhenJointsContradict) {
    const Outcome outcome = command({"doctor", "crooked.arm"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.out, HasSubstr("`upper` and `lower` cannot hold together"));
    EXPECT_THAT(outcome.out, HasSubstr("left out"));
    EXPECT_THAT(outcome.out, HasSubstr("instead of `at …;`"));
}

TEST_F(Doctor, SpeaksJson) {
    const Outcome outcome = command({"doctor", "door.arm", "--json"});
    EXPECT_EQ(outcome.code, 0);
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(json["mobility"], 1);
    EXPECT_EQ(json["by_count"], -4);
    ASSERT_EQ(json["findings"].size(), 1u);
    EXPECT_EQ(json["findings"][0]["kind"], "redundant");
    EXPECT_EQ(json["findings"][0]["places"][0]["line"], 3);
    EXPECT_FALSE(json["findings"][0]["edit"].is_null());
    EXPECT_EQ(json["freedoms"][0]["motion"][0]["solid"], "door");
}

TEST_F(Doctor, WritesAFilePerFreedom) {
    EXPECT_EQ(command({"doctor", "door.arm", "--wiggle", "shown/here"}).code, 0);
    const std::string glb = get("shown/here/freedom-1.glb");
    EXPECT_EQ(glb.substr(0, 4), "glTF");
    EXPECT_THAT(glb, HasSubstr("turns about y"));
    EXPECT_FALSE(std::filesystem::exists(folder / "shown/here/freedom-2.glb"));
}

TEST_F(Doctor, BadInputIsToldAsByTheOtherVerbs) {
    put("bad.arm", "object a bxo; end\n");
    EXPECT_EQ(command({"doctor", "bad.arm"}).code, 2);
    EXPECT_EQ(command({"doctor", "nowhere.arm"}).code, 2);
    put("file", "");
    EXPECT_EQ(command({"doctor", "door.arm", "--wiggle", "file/below"}).code, 2);
}

}  // namespace
}  // namespace armature::test
