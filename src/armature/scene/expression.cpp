#include "armature/scene/expression.h"

#include "armature/base/number_text.h"
#include "armature/base/suggest.h"
#include "armature/scene/functions.h"
#include "armature/scene/limits.h"

namespace armature::lang {

bool ExpressionParser::can_start(const Cursor& c) {
    return c.is(TokenKind::number) || (c.is(TokenKind::identifier) && !c.is_end_word()) || c.is_symbol('(') ||
           c.is_symbol('-') || c.is_symbol('+');
}

bool ExpressionParser::parse(bool inside_brackets) {
    start_ = document_.tree.code.size();
    return sum(inside_brackets, 0);
}

bool ExpressionParser::fail(Span span, std::string message, std::string hint) {
    report_.error(document_, span, std::move(message), std::move(hint));
    return false;
}

void ExpressionParser::emit(Op op, Span span, double value) {
    document_.tree.code.push_back({op, 0, 0, span, value});
}

bool ExpressionParser::sum(bool inside, std::size_t depth) {
    if (!term(inside, depth)) return false;
    while (cursor_.is_symbol('+') || cursor_.is_symbol('-')) {
        if (!inside && cursor_.blank_before() && !cursor_.blank_after()) return true;
        const Op op = cursor_.is_symbol('+') ? Op::add : Op::subtract;
        const Span span = cursor_.span();
        cursor_.advance();
        if (!term(inside, depth)) return false;
        emit(op, span);
    }
    return true;
}

bool ExpressionParser::term(bool inside, std::size_t depth) {
    if (!unary(inside, depth)) return false;
    for (;;) {
        const Span span = cursor_.span();
        if (const auto unit = cursor_.is(TokenKind::identifier) ? find_unit(cursor_.text()) : std::nullopt) {
            cursor_.advance();
            emit(Op::number, span, *unit);
            emit(Op::multiply, span);
            continue;
        }
        Op op{};
        if (cursor_.is_symbol('*'))
            op = Op::multiply;
        else if (cursor_.is_symbol('/'))
            op = Op::divide;
        else if (cursor_.is_symbol('%'))
            op = Op::modulo;
        else
            return true;
        cursor_.advance();
        if (!unary(inside, depth)) return false;
        emit(op, span);
    }
}

bool ExpressionParser::unary(bool inside, std::size_t depth) {
    // A row of signs is a loop, not a recursion: "-------1" may be as long as the file.
    bool negative = false;
    Span sign{};
    while (cursor_.is_symbol('-') || cursor_.is_symbol('+')) {
        negative ^= cursor_.is_symbol('-');
        sign = cursor_.span();
        cursor_.advance();
    }
    if (!power(inside, depth)) return false;
    if (negative) emit(Op::negate, sign);
    return true;
}

bool ExpressionParser::power(bool inside, std::size_t depth) {
    if (!primary(depth)) return false;
    if (!cursor_.is_symbol('^')) return true;
    if (depth >= limits::parenthesis_depth) return fail(cursor_.span(), "this expression is nested too deeply");
    const Span span = cursor_.span();
    cursor_.advance();
    if (!unary(inside, depth + 1)) return false;
    emit(Op::power, span);
    return true;
}

bool ExpressionParser::primary(std::size_t depth) {
    const Span span = cursor_.span();
    if (document_.tree.code.size() - start_ > limits::expression_length)
        return fail(span, "this expression is too long");
    if (cursor_.is(TokenKind::number)) {
        emit(Op::number, span, parse_number(cursor_.text()).value_or(0));
        cursor_.advance();
    } else if (cursor_.is(TokenKind::identifier) && !cursor_.is_end_word()) {
        const std::string_view name = cursor_.text();
        const bool adjacent = !cursor_.blank_after();
        cursor_.advance();
        if (adjacent && cursor_.is_symbol('(')) {
            if (!call(span, depth)) return false;
        } else if (const auto constant = find_constant(name)) {
            emit(Op::number, span, *constant);
        } else if (find_unit(name)) {
            return fail(span, quoted(name) + " must follow a number", "for example 30 deg");
        } else {
            emit(Op::variable, span);
        }
    } else if (cursor_.is_symbol('(')) {
        if (depth >= limits::parenthesis_depth)
            return fail(span,
                        "more than " + std::to_string(limits::parenthesis_depth) + " parentheses inside one another");
        cursor_.advance();
        if (!sum(true, depth + 1)) return false;
        if (!cursor_.is_symbol(')')) {
            if (cursor_.is(TokenKind::bad)) return false;
            return fail(span, "this parenthesis is not closed",
                        "inside parentheses, arguments need an operator between");
        }
        cursor_.advance();
    } else if (cursor_.is(TokenKind::bad)) {
        return false;  // reported when the text was cut into tokens
    } else {
        const std::string found = cursor_.at_end() ? "the text ends" : "found " + quoted(cursor_.text());
        return fail(cursor_.at_end() ? cursor_.last() : span, "expected a number here, " + found);
    }
    // 360/30deg: a unit written straight after a value belongs to that value alone.
    if (!cursor_.blank_before() && cursor_.is(TokenKind::identifier)) {
        if (const auto unit = find_unit(cursor_.text())) {
            emit(Op::number, cursor_.span(), *unit);
            emit(Op::multiply, cursor_.span());
            cursor_.advance();
        }
    }
    return true;
}

bool ExpressionParser::call(Span name, std::size_t depth) {
    const std::string_view word = document_.slice(name);
    const int index = find_function(word);
    if (index < 0) {
        std::vector<std::string_view> names;
        for (const Function& f : functions()) names.push_back(f.name);
        std::string hint = did_you_mean(word, names);
        if (const auto minus = word.rfind('-'); minus != word.npos && find_function(word.substr(minus + 1)) >= 0)
            hint = "a '-' between letters belongs to the name: put blanks round the minus";
        return fail(name, "there is no function " + quoted(word), std::move(hint));
    }
    if (depth >= limits::parenthesis_depth) return fail(name, "this expression is nested too deeply");
    const Span open = cursor_.span();
    cursor_.advance();
    int count = 0;
    if (!cursor_.is_symbol(')')) {
        for (;;) {
            if (!sum(true, depth + 1)) return false;
            ++count;
            if (!cursor_.is_symbol(',')) break;
            cursor_.advance();
        }
    }
    if (!cursor_.is_symbol(')')) {
        if (cursor_.is(TokenKind::bad)) return false;
        return fail(open, "this parenthesis is not closed", "arguments of a function are separated by commas");
    }
    const Function& f = functions()[static_cast<std::size_t>(index)];
    if (count < f.least || count > f.most) {
        const std::string wanted = f.least == f.most ? std::to_string(f.least) : std::to_string(f.least) + " or more";
        return fail(name, quoted(word) + " takes " + wanted + (f.most == 1 ? " argument" : " arguments") + ", found " +
                              std::to_string(count));
    }
    cursor_.advance();
    document_.tree.code.push_back(
        {Op::call, static_cast<std::uint8_t>(index), static_cast<std::uint16_t>(count), name, 0});
    return true;
}

}  // namespace armature::lang
