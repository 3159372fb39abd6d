// Expressions: from tokens to postfix code.
//
//   sum      term { (+ | -) term }
//   term     unary { (* | / | %) unary | deg | rad }        360/n deg is (360/n) deg
//   unary    { - | + } power
//   power    primary [ ^ unary ]                            -2^2 is -4, 2^-1 is 0.5
//   primary  number | name | function(sum, …) | (sum), each with a deg or rad written straight after it
//
// Arguments stand side by side, so outside of parentheses a sign with a blank before and none after begins the next
// argument: `0 -2.0 0` is three numbers, `a - 2` and `2-1` are one each.
#pragma once

#include <string>

#include "armature/scene/cursor.h"
#include "armature/scene/report.h"

namespace armature::lang {

class ExpressionParser {
  public:
    ExpressionParser(Cursor& cursor, Document& document, Report& report)
        : cursor_(cursor), document_(document), report_(report) {}

    /// Appends the code of the expression at the cursor to the tree. False after an error was reported.
    bool parse(bool inside_brackets);
    /// Whether an expression can begin at the cursor.
    static bool can_start(const Cursor& cursor);

  private:
    bool sum(bool inside, std::size_t depth);
    bool term(bool inside, std::size_t depth);
    bool unary(bool inside, std::size_t depth);
    bool power(bool inside, std::size_t depth);
    bool primary(std::size_t depth);
    bool call(Span name, std::size_t depth);
    bool fail(Span span, std::string message, std::string hint = {});
    void emit(Op op, Span span, double value = 0);

    Cursor& cursor_;
    Document& document_;
    Report& report_;
    std::size_t start_ = 0;  ///< of its code
};

}  // namespace armature::lang
