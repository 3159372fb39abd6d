// Walks over the tokens that matter and knows about the blanks between them.
#pragma once

#include <string_view>
#include <vector>

#include "armature/scene/document.h"

namespace armature::lang {

class Cursor {
  public:
    explicit Cursor(const Document& document) : document_(document) { skip_trivia(at_); }

    bool at_end() const { return at_ >= document_.tokens.size(); }
    Span span() const {
        const auto n = static_cast<std::uint32_t>(document_.text.size());
        return at_end() ? Span{n, n} : document_.tokens[at_].span;
    }
    /// Of the token before this one; where a missing ';' belongs.
    Span last() const { return last_; }
    std::string_view text() const { return at_end() ? std::string_view{} : document_.slice(span()); }
    bool is(TokenKind kind) const { return !at_end() && document_.tokens[at_].kind == kind; }
    bool is_symbol(char c) const { return is(TokenKind::symbol) && text()[0] == c; }
    bool is_word(std::string_view word) const { return is(TokenKind::identifier) && text() == word; }
    bool is_end_word() const { return is_word("end"); }

    /// Whether a line break stands before this token.
    bool first_on_line() const {
        if (at_ == 0 || at_end()) return at_ == 0;
        return document_.tokens[at_ - 1].kind == TokenKind::blank &&
               document_.slice(document_.tokens[at_ - 1].span).find('\n') != std::string_view::npos;
    }
    bool blank_before() const { return at_ > 0 && document_.tokens[at_ - 1].is_trivia(); }
    bool blank_after() const { return at_ + 1 >= document_.tokens.size() || document_.tokens[at_ + 1].is_trivia(); }

    void advance() {
        if (at_end()) return;
        last_ = document_.tokens[at_].span;
        skip_trivia(++at_);
    }
    /// The cursor one token on.
    Cursor next() const {
        Cursor c = *this;
        c.advance();
        return c;
    }

  private:
    void skip_trivia(std::size_t& i) const {
        while (i < document_.tokens.size() && document_.tokens[i].is_trivia()) ++i;
    }

    const Document& document_;
    std::size_t at_ = 0;
    Span last_{};
};

}  // namespace armature::lang
