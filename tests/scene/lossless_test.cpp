// The tokens of any text, joined, are the text; mutated texts never crash the loader.
#include "scene_test.h"

#include "armature/scene/format.h"
#include "armature/scene/parser.h"

namespace armature {
namespace {

using namespace testing_scene;

TEST(Lossless, TokensJoinedAreTheText) {
    for (const std::string& text : sample_texts()) {
        lang::Report report;
        EXPECT_EQ(joined_tokens(lang::parse("t", text, report)), text);
    }
}

TEST(Lossless, NodesCoverTheirText) {
    lang::Report report;
    const Document d = lang::parse("t", "object a\n  mass 1 + 2 ;\nend object b end", report);
    EXPECT_EQ(d.slice(d.node(1).span), "object a\n  mass 1 + 2 ;\nend");
    EXPECT_EQ(d.slice(d.node(2).span), "mass 1 + 2 ;");
    EXPECT_EQ(d.slice(d.node(3).span), "object b end");
}

// Random changes of bytes, pieces copied from elsewhere, cuts and doublings.
class Mutator {
  public:
    std::string mutate(const std::string& seed) {
        std::string text = seed;
        const std::size_t changes = 1 + below(6);
        for (std::size_t i = 0; i < changes; ++i) change(text);
        return text;
    }

  private:
    std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(next() % n); }
    std::uint64_t next() {
        state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
        return state_ ^ (state_ >> 31);
    }
    void change(std::string& text) {
        static const char* const pieces[] = {"end ",
                                             ";",
                                             "(",
                                             ")",
                                             "[",
                                             "]",
                                             "object ",
                                             "repeat i from 1 to 3 ",
                                             "-",
                                             " -",
                                             "\"",
                                             "/*",
                                             "*/",
                                             "//",
                                             "\n",
                                             "group g ",
                                             "place g as x ",
                                             "1e999 ",
                                             "inf ",
                                             ".",
                                             "parameter p 1; ",
                                             "0/0 ",
                                             "\xC3\xA9",
                                             "\xFF",
                                             "#",
                                             "deg ",
                                             "constraint "};
        const std::size_t at = below(text.size() + 1);
        switch (below(5)) {
            case 0:
                text.insert(at, pieces[below(std::size(pieces))]);
                break;
            case 1:
                text.erase(at, 1 + below(12));
                break;
            case 2:
                text.insert(at, text.substr(below(text.size() + 1), below(40)));
                break;
            case 3:
                if (at < text.size()) text[at] = static_cast<char>(next() & 0xFF);
                break;
            default:
                text.resize(at);
                break;
        }
    }

    std::uint64_t state_ = 20240607;
};

TEST(Lossless, TwentyThousandMutationsNeitherCrashNorLoseAByte) {
    Mutator mutator;
    const auto& samples = sample_texts();
    int loaded = 0;
    for (int i = 0; i < 20'000; ++i) {
        const std::string text = mutator.mutate(samples[static_cast<std::size_t>(i) % samples.size()]);
        Diagnostics diagnostics;
        const Scene scene = load_text(text, "test.arm", {}, diagnostics);
        ASSERT_EQ(joined_tokens(*scene.documents[0]), text);
        ASSERT_LE(diagnostics.all().size(), 101u);
        if (diagnostics.has_errors()) continue;
        ++loaded;
        Diagnostics formatting;
        const auto formatted = format_text(text, "test.arm", formatting);
        ASSERT_TRUE(formatted.has_value()) << text;
        Diagnostics again;
        const Scene second = load_text(*formatted, "test.arm", {}, again);
        ASSERT_EQ(describe(second.spec), describe(scene.spec)) << text << "\n---\n" << *formatted;
        ASSERT_EQ(format_text(*formatted, "test.arm", formatting), formatted) << text << "\n---\n" << *formatted;
    }
    EXPECT_GT(loaded, 500) << "the mutations should leave some texts valid";
}

}  // namespace
}  // namespace armature
