#include "armature/base/number_text.h"

#include <gtest/gtest.h>

#include <bit>
#include <clocale>
#include <cmath>
#include <cstdint>
#include <limits>
#include <locale>

namespace armature {
namespace {

// A locale with a decimal comma, made here because the machine may have none installed.
struct CommaNumbers : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

void expect_round_trip(std::uint64_t bits) {
    const double x = std::bit_cast<double>(bits);
    if (!std::isfinite(x)) return;
    const auto back = parse_number(to_text(x));
    ASSERT_TRUE(back.has_value()) << to_text(x);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(*back), bits) << to_text(x);
}

void expect_random_round_trips() {
    std::uint64_t s = 1;
    for (int i = 0; i < 100'000; ++i) {
        s = s * 6364136223846793005ull + 1442695040888963407ull;
        expect_round_trip(s ^ (s >> 29));
    }
}

TEST(NumberText, EveryDoubleComesBackBitForBit) {
    for (const double x : {0.0, -0.0, 0.1, 1.0 / 3, 1e308, -1.7976931348623157e308, 5e-324, 2.2250738585072014e-308,
                           9007199254740993.0, 1e22, 1e23, 123456.789})
        expect_round_trip(std::bit_cast<std::uint64_t>(x));
    expect_random_round_trips();
}

TEST(NumberText, DoesNotDependOnTheLocale) {
    const std::locale before = std::locale::global(std::locale(std::locale::classic(), new CommaNumbers));
    for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"})
        if (std::setlocale(LC_ALL, name) != nullptr) break;
    EXPECT_EQ(to_text(1234567.5), "1234567.5");
    EXPECT_EQ(parse_number("1234567.5"), 1234567.5);
    EXPECT_FALSE(parse_number("1,5"));
    expect_random_round_trips();
    std::setlocale(LC_ALL, "C");
    std::locale::global(before);
}

TEST(NumberText, WritesTheShortestText) {
    EXPECT_EQ(to_text(0.1), "0.1");
    EXPECT_EQ(to_text(-2), "-2");
    EXPECT_EQ(to_text(std::numeric_limits<double>::infinity()), "inf");
    EXPECT_EQ(to_text(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST(NumberText, AcceptsWhatPeopleWrite) {
    EXPECT_EQ(parse_number(".5"), 0.5);
    EXPECT_EQ(parse_number("5."), 5.0);
    EXPECT_EQ(parse_number("+3"), 3.0);
    EXPECT_EQ(parse_number("-.5e-1"), -0.05);
    EXPECT_EQ(parse_number("1E3"), 1000.0);
}

TEST(NumberText, RefusesWhatIsNoNumber) {
    for (const char* text : {"", "+", "-", ".", "e5", "1e", "1e+", "0x10", "inf", "nan", "1 ", " 1", "1,5", "--1",
                             "+-1", "1.2.3", "1_000"})
        EXPECT_FALSE(parse_number(text)) << text;
}

TEST(NumberText, TooLargeIsRefusedAndTooSmallIsZero) {
    EXPECT_FALSE(parse_number("1e309"));
    EXPECT_FALSE(parse_number("-1e999999999999"));
    EXPECT_FALSE(parse_number(std::string(400, '9')));
    EXPECT_EQ(parse_number("1e-400"), 0.0);
    EXPECT_EQ(parse_number("1e-99999999999"), 0.0);
    EXPECT_EQ(parse_number("0." + std::string(400, '0') + "1"), 0.0);
}

}  // namespace
}  // namespace armature
