#include "armature/scene/importers/word_scanner.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace armature {

namespace {

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

}  // namespace

WordScanner::WordScanner(std::string_view text) : text_(text) {
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") at_ = 3;  // the mark some editors put before UTF-8
}

std::string_view WordScanner::take_word() {
    word_line_ = line_;
    const std::size_t start = at_;
    while (at_ < text_.size() && text_[at_] != '\n' && !is_blank(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
}

std::string_view WordScanner::next() {
    while (at_ < text_.size() && (text_[at_] == '\n' || is_blank(text_[at_]))) line_ += text_[at_++] == '\n';
    return take_word();
}

std::string_view WordScanner::next_on_line() {
    for (;;) {
        while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
        if (at_ >= text_.size() || text_[at_] != '\\') break;
        std::size_t end = at_ + 1;
        while (end < text_.size() && is_blank(text_[end])) ++end;
        if (end < text_.size() && text_[end] != '\n') break;
        at_ = end + (end < text_.size());
        ++line_;
    }
    return take_word();
}

void WordScanner::skip_line() {
    at_ = std::min(text_.find('\n', at_), text_.size());
    if (at_ < text_.size()) {
        ++at_;
        ++line_;
    }
}

bool parse_number(std::string_view word, double& value) {
    if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);  // from_chars knows no plus
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    return code == std::errc{} && end == word.data() + word.size() && std::isfinite(value);
}

std::string quoted(std::string_view word) {
    std::string text = "'";
    for (const char c : word.substr(0, 40)) text += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
    return text + (word.size() > 40 ? "…'" : "'");
}

}  // namespace armature
