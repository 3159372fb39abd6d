// Words of a text file with the line they stand on. Numbers are read without asking the locale: "1.5" is one
// and a half also where people write "1,5".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace armature {

class WordScanner {
  public:
    explicit WordScanner(std::string_view text);

    /// The next word on any line; empty at the end of the text.
    std::string_view next();
    /// The next word on the current line; empty at its end. A backslash at the end of a line joins it to the
    /// next.
    std::string_view next_on_line();
    /// Goes to the start of the next line, whatever stands in between.
    void skip_line();
    bool at_end() const { return at_ >= text_.size(); }
    /// Of the word that was read last, from 1.
    int line() const { return word_line_; }

  private:
    std::string_view take_word();

    std::string_view text_;
    std::size_t at_ = 0;
    int line_ = 1;
    int word_line_ = 1;
};

/// False unless the whole word is one finite number.
bool parse_number(std::string_view word, double& value);

/// The word in quotes for a message: shortened, and without the control characters of a binary file.
std::string quoted(std::string_view word);

}  // namespace armature
