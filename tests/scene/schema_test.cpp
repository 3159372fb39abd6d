// The schema is whole: every row is built, every example loads, the reference in docs/ is the one it generates.
#include "armature/scene/schema.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "armature/scene/reference.h"
#include "scene_test.h"

namespace armature {
namespace {

using namespace testing_scene;
using lang::ArgKind;

std::string sample_value(const lang::ArgSpec& arg) {
    switch (arg.kind) {
        case ArgKind::vector:
            return "1 0 0";
        case ArgKind::choice:
            return std::string(lang::split_choices(arg.choices)[0]);
        case ArgKind::word:
            return "some_word";
        case ArgKind::new_name:
            return "some_name";
        case ArgKind::object:
            return "world";
        case ArgKind::path:
            return "some_path";
        case ArgKind::text:
        case ArgKind::file:
            return "\"some text\"";
        default:
            return "1";
    }
}

std::string sample_arguments(const std::vector<lang::ArgSpec>& args) {
    std::string text;
    for (const lang::ArgSpec& a : args) text += " " + sample_value(a);
    return text;
}

TEST(Schema, EveryKeywordHasASetter) {
    for (const lang::BlockSpec& block : lang::schema()) {
        if (!block.contents.empty()) continue;  // structure: statements of the expander
        for (const lang::KeywordSpec& keyword : block.keywords) {
            std::string text = std::string(block.name) + (block.header.args.empty() ? " " : " b ");
            text += std::string(keyword.name) + sample_arguments(keyword.args);
            for (const lang::OptionSpec& o : keyword.options)
                if (o.required) text += " " + std::string(o.name) + sample_arguments(o.args);
            text += "; end";
            if (block.id == lang::BlockId::place) text = "group b end place b as c end";
            for (const std::string& error : findings(text))
                EXPECT_EQ(error.find("not built"), std::string::npos) << text << ": " << error;
        }
    }
}

// The default is said twice, in spec.h for C++ and in the schema for people: they must agree.
TEST(Schema, DefaultsOfTheSimulationAreThoseOfTheSpec) {
    const std::string expected = describe(load_good("").spec);
    for (const lang::KeywordSpec& k : lang::block_spec(lang::BlockId::simulation).keywords) {
        const std::string text = "simulation " + std::string(k.name) + " " + std::string(k.fallback) + "; end";
        EXPECT_EQ(describe(load_good(text).spec), expected) << text;
    }
}

TEST(Schema, WordsAreIdentifiersAndUnique) {
    for (const lang::BlockSpec& block : lang::schema()) {
        for (std::size_t i = 0; i < block.keywords.size(); ++i) {
            EXPECT_TRUE(lang::is_identifier(block.keywords[i].name)) << block.keywords[i].name;
            EXPECT_FALSE(block.keywords[i].doc.empty()) << block.name << "." << block.keywords[i].name;
            for (std::size_t k = 0; k < i; ++k) EXPECT_NE(block.keywords[i].name, block.keywords[k].name);
        }
    }
}

// Examples may name objects that stand elsewhere; their form must be right.
TEST(Schema, ExamplesHaveNoErrorsOfForm) {
    for (const lang::BlockSpec& block : lang::schema())
        for (const std::string& error : findings(std::string(block.example)))
            EXPECT_TRUE(error.find("there is no") != std::string::npos ||
                        error.find("cannot find") != std::string::npos)
                << block.name << ": " << error;
}

TEST(Schema, TheReferenceIsUpToDate) {
    const std::string path = std::string(ARMATURE_SOURCE_DIR) + "/docs/language.md";
    if (std::getenv("ARMATURE_REGENERATE") != nullptr) std::ofstream(path, std::ios::binary) << language_reference();
    std::ifstream in(path, std::ios::binary);
    const std::string stored((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    EXPECT_EQ(stored, language_reference()) << "run with ARMATURE_REGENERATE=1 to write docs/language.md anew";
}

TEST(Schema, TheReferencesOwnExampleLoads) {
    const std::string text = language_reference();
    const std::size_t begin = text.find("```\n") + 4;
    load_good(text.substr(begin, text.find("```", begin) - begin));
}

}  // namespace
}  // namespace armature
