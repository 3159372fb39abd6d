// Cuts a text into tokens. Every byte belongs to exactly one token: joined, the tokens are the text again. Blanks and
// comments are tokens too ("trivia"), because the meaning of a sign depends on the blanks round it and because tools
// must give back what they did not change.
//
//   identifier  letters, digits and _; also '-' when a letter follows: left-foot is a name, length-1 a subtraction
//   number      1  .5  5.  1e-3          string  "…", a quote in it written \"
//   symbol      ; , . ( ) [ ] + - * / % ^
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "armature/scene/span.h"

namespace armature::lang {

enum class TokenKind : std::uint8_t { blank, line_comment, block_comment, identifier, number, string, symbol, bad };

struct Token {
    Span span;
    TokenKind kind = TokenKind::bad;

    bool is_trivia() const { return kind <= TokenKind::block_comment; }
};

/// What is wrong inside a token.
struct LexicalError {
    Span span;
    std::string message;
    std::string hint;
};

struct Tokens {
    std::vector<Token> list;
    std::vector<LexicalError> errors;  ///< no more than are ever shown
};

Tokens lex(std::string_view text);

/// Offset of the first byte that is not valid UTF-8 or is a NUL; text.size() when there is none.
std::size_t find_invalid_byte(std::string_view text);

bool is_letter(char c);
/// Whether the whole text is one identifier.
bool is_identifier(std::string_view text);
/// The content of a string token, without quotes and escapes.
std::string unquoted(std::string_view token);

}  // namespace armature::lang
