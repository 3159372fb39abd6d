#include "armature/base/suggest.h"

#include <algorithm>
#include <array>

namespace armature {

namespace {

constexpr std::size_t longest_word = 64;         // beyond it nobody is helped by a suggestion
constexpr std::size_t most_candidates = 20'000;  // keeps an error in a huge scene cheap

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
    const std::size_t more = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
    if (more > limit || a.size() > longest_word || b.size() > longest_word) return limit + 1;
    // Three rows of the usual table; `before` is there for swapped neighbours.
    std::array<std::size_t, longest_word + 1> before{}, above{}, row{};
    for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        std::size_t least = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0u : 1u)});
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
                row[j] = std::min(row[j], before[j - 2] + 1);
            least = std::min(least, row[j]);
        }
        if (least > limit) return limit + 1;
        before = above;
        above = row;
    }
    return std::min(above[b.size()], limit + 1);
}

std::string_view closest_word(std::string_view word, const std::vector<std::string_view>& candidates) {
    std::string_view best;
    std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
    const std::size_t n = std::min(candidates.size(), most_candidates);
    for (std::size_t i = 0; i < n && least > 0; ++i) {
        const std::size_t d = edit_distance(word, candidates[i], least - 1);
        // A word of which every letter was replaced is no suggestion.
        if (d < least && d < std::max(word.size(), candidates[i].size())) {
            least = d;
            best = candidates[i];
        }
    }
    return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates) {
    const std::string_view best = closest_word(word, candidates);
    return best.empty() ? std::string{} : "did you mean '" + std::string(best) + "'?";
}

}  // namespace armature
