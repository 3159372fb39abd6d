#include "armature/scene/lexer.h"

#include "armature/base/number_text.h"
#include "armature/scene/limits.h"

namespace armature::lang {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}
bool is_symbol(char c) {
    return std::string_view(";,.()[]+-*/%^").find(c) != std::string_view::npos;
}
bool is_continuation(char c) {
    return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u;
}

class Lexer {
  public:
    explicit Lexer(std::string_view text) : text_(text) {}

    Tokens run() {
        if (text_.substr(0, 3) == "\xEF\xBB\xBF") emit(TokenKind::blank, 3);  // byte order mark
        while (at_ < text_.size()) next();
        return std::move(tokens_);
    }

  private:
    char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

    void emit(TokenKind kind, std::size_t length) {
        const auto begin = static_cast<std::uint32_t>(at_);
        tokens_.list.push_back({{begin, begin + static_cast<std::uint32_t>(length)}, kind});
        at_ += length;
    }
    void fail(std::size_t length, std::string message, std::string hint = {}) {
        const auto begin = static_cast<std::uint32_t>(at_);
        if (tokens_.errors.size() <= limits::shown_errors)
            tokens_.errors.push_back(
                {{begin, begin + static_cast<std::uint32_t>(length)}, std::move(message), std::move(hint)});
    }

    void next() {
        const char c = peek();
        if (is_blank(c)) return blank();
        if (c == '/' && peek(1) == '/') return line_comment();
        if (c == '/' && peek(1) == '*') return block_comment();
        if (is_letter(c)) return identifier();
        if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
        if (c == '"') return string();
        if (is_symbol(c)) return emit(TokenKind::symbol, 1);
        bad();
    }
    void blank() {
        std::size_t n = 1;
        while (is_blank(peek(n))) ++n;
        emit(TokenKind::blank, n);
    }
    void line_comment() {
        const std::size_t end = text_.find('\n', at_);
        emit(TokenKind::line_comment, (end == std::string_view::npos ? text_.size() : end) - at_);
    }
    void block_comment() {
        const std::size_t end = text_.find("*/", at_ + 2);
        if (end != std::string_view::npos) return emit(TokenKind::block_comment, end + 2 - at_);
        fail(2, "this comment is not closed", "end it with */");
        emit(TokenKind::bad, text_.size() - at_);
    }
    void identifier() {
        std::size_t n = 1;
        while (is_letter(peek(n)) || is_digit(peek(n)) || (peek(n) == '-' && is_letter(peek(n + 1)))) ++n;
        if (n <= limits::identifier_length) return emit(TokenKind::identifier, n);
        fail(n, "this name is longer than " + std::to_string(limits::identifier_length) + " characters");
        emit(TokenKind::bad, n);
    }
    void number() {
        std::size_t n = 0;
        while (is_digit(peek(n))) ++n;
        if (peek(n) == '.') ++n;
        while (is_digit(peek(n))) ++n;
        if (peek(n) == 'e' || peek(n) == 'E') {
            const std::size_t sign = peek(n + 1) == '+' || peek(n + 1) == '-' ? 1 : 0;
            if (is_digit(peek(n + 1 + sign))) {
                n += 1 + sign;
                while (is_digit(peek(n))) ++n;
            }
        }
        if (parse_number(text_.substr(at_, n))) return emit(TokenKind::number, n);
        fail(n, "this number is too large", "the largest is about 1.8e308; 'inf' means no limit");
        emit(TokenKind::bad, n);
    }
    void string() {
        std::size_t n = 1;
        while (at_ + n < text_.size() && peek(n) != '"' && peek(n) != '\n')
            n += peek(n) == '\\' && at_ + n + 1 < text_.size() && peek(n + 1) != '\n' ? 2 : 1;
        if (peek(n) != '"' || at_ + n >= text_.size()) {
            fail(1, "this text is not closed", "end it with \" on the same line");
            return emit(TokenKind::bad, n);
        }
        if (n > limits::string_length) {
            fail(n + 1, "this text is longer than " + std::to_string(limits::string_length) + " bytes");
            return emit(TokenKind::bad, n + 1);
        }
        emit(TokenKind::string, n + 1);
    }
    void bad() {
        std::size_t n = 1;
        while (is_continuation(peek(n))) ++n;  // a whole character, so that its bytes are not torn apart
        // In a file of another kind there is no use in composing a million messages.
        if (tokens_.errors.size() > limits::shown_errors) return emit(TokenKind::bad, n);
        const auto c = static_cast<unsigned char>(peek());
        if (c < 0x20 || c == 0x7F)
            fail(n, "a control character cannot stand here");
        else
            fail(n, std::string("the character '").append(text_.substr(at_, n)) + "' cannot stand here",
                 c < 0x80 ? "" : "names use the letters a-z, digits, _ and -; comments and texts may hold anything");
        emit(TokenKind::bad, n);
    }

    std::string_view text_;
    std::size_t at_ = 0;
    Tokens tokens_;
};

}  // namespace

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

Tokens lex(std::string_view text) {
    return Lexer(text).run();
}

bool is_identifier(std::string_view text) {
    if (text.empty() || !is_letter(text[0])) return false;
    const Tokens tokens = lex(text);
    return tokens.list.size() == 1 && tokens.list[0].kind == TokenKind::identifier;
}

std::string unquoted(std::string_view token) {
    std::string text;
    for (std::size_t i = 1; i + 1 < token.size(); ++i) {
        if (token[i] == '\\' && i + 2 < token.size() && (token[i + 1] == '"' || token[i + 1] == '\\')) ++i;
        text += token[i];
    }
    return text;
}

std::size_t find_invalid_byte(std::string_view text) {
    std::size_t i = 0;
    while (i < text.size()) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (c == 0) return i;
        if (c < 0x80) {
            ++i;
            continue;
        }
        // Length by the leading byte; overlong forms, surrogates and values beyond U+10FFFF by the second byte.
        std::size_t length = 0;
        unsigned low = 0x80, high = 0xBF;
        if (c >= 0xC2 && c <= 0xDF) length = 2;
        if (c >= 0xE0 && c <= 0xEF) length = 3;
        if (c >= 0xF0 && c <= 0xF4) length = 4;
        if (c == 0xE0) low = 0xA0;
        if (c == 0xED) high = 0x9F;
        if (c == 0xF0) low = 0x90;
        if (c == 0xF4) high = 0x8F;
        if (length == 0 || i + length > text.size()) return i;
        for (std::size_t k = 1; k < length; ++k) {
            const auto b = static_cast<unsigned char>(text[i + k]);
            if (b < (k == 1 ? low : 0x80u) || b > (k == 1 ? high : 0xBFu)) return i;
        }
        i += length;
    }
    return i;
}

}  // namespace armature::lang
