#include "armature/base/number_text.h"

#include <charconv>
#include <cmath>

namespace armature {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Whether a well-formed decimal text that std::from_chars found out of range is too small rather than too large:
// from_chars does not tell the two apart. Only the sign of the decimal exponent of its first digit matters, since
// numbers of ordinary size never get here.
bool is_tiny(std::string_view digits) {
    long first = 0;  // decimal exponent of the first non-zero digit
    bool seen_point = false, seen_digit = false;
    std::size_t i = 0;
    for (; i < digits.size() && digits[i] != 'e' && digits[i] != 'E'; ++i) {
        const char c = digits[i];
        if (c == '.') {
            seen_point = true;
        } else if (seen_digit || c != '0') {
            if (!seen_point) ++first;
            seen_digit = true;
        } else if (seen_point) {
            --first;
        }
    }
    long exponent = 0;
    if (i < digits.size()) {
        std::size_t k = i + 1;
        const bool negative = k < digits.size() && digits[k] == '-';
        if (k < digits.size() && !is_digit(digits[k])) ++k;
        for (; k < digits.size() && exponent < 100'000'000; ++k) exponent = 10 * exponent + (digits[k] - '0');
        if (negative) exponent = -exponent;
    }
    return first + exponent < 0;
}

}  // namespace

std::string to_text(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    char buffer[40];
    const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
    return error == std::errc{} ? std::string(buffer, end) : std::string("nan");
}

std::optional<double> parse_number(std::string_view text) {
    bool negative = false;
    if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
        negative = text[0] == '-';
        text.remove_prefix(1);
    }
    // from_chars also takes "inf", "nan" and signs of its own: the first character decides.
    if (text.empty() || !(is_digit(text[0]) || (text[0] == '.' && text.size() > 1 && is_digit(text[1])))) return {};
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size()) return {};
    if (error == std::errc::result_out_of_range) {
        if (!is_tiny(text)) return {};
        value = 0;
    } else if (error != std::errc{}) {
        return {};
    }
    return negative ? -value : value;
}

}  // namespace armature
