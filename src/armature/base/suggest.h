// "Did you mean": the known word nearest to a misspelt one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace armature {

/// Insertions, deletions, replacements and swaps of neighbours that turn a into b, capital letters not counted;
/// `limit + 1` as soon as it is more than `limit`.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);

/// The candidate closest to `word`, or an empty view when none is close enough to be worth naming (more than a third
/// of its letters differ). The first of equals. Looks at no more than some ten thousand candidates.
std::string_view closest_word(std::string_view word, const std::vector<std::string_view>& candidates);

/// "did you mean 'mass'?", or empty.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace armature
