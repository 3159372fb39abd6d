// Numbers as text, the same under every locale and exact in both directions: parse_number(to_text(x)) has the bits of
// x.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace armature {

/// The shortest decimal text that reads back to the same double. Infinities are "inf" and "-inf", not-a-numbers "nan".
std::string to_text(double value);

/// A decimal number and nothing else: an optional sign, digits with at most one '.', an optional exponent (".5", "5.",
/// "+1e-3"). Nothing when the text is not such a number or when it is too large for a double. A number too small to be
/// told from zero is zero.
std::optional<double> parse_number(std::string_view text);

}  // namespace armature
