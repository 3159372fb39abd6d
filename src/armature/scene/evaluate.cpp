#include "armature/scene/evaluate.h"

#include <cmath>

#include "armature/base/number_text.h"
#include "armature/base/suggest.h"
#include "armature/scene/functions.h"
#include "armature/scene/limits.h"

namespace armature::lang {

namespace {

std::string result_message(const Document& document, const Code& c, const double* x, int n) {
    if ((c.op == Op::divide || c.op == Op::modulo) && x[1] == 0) return "division by zero";
    std::string call;
    if (c.op == Op::call) {
        call = std::string(document.slice(c.span)) + "(";
        for (int i = 0; i < n; ++i) call += (i > 0 ? ", " : "") + to_text(x[i]);
        call += ")";
    } else {
        call = to_text(x[0]) + " " + std::string(document.slice(c.span)) + " " + to_text(x[1]);
    }
    return "the value of " + call + " is not a finite number";
}

double apply(const Code& c, const double* x, int n) {
    switch (c.op) {
        case Op::add:
            return x[0] + x[1];
        case Op::subtract:
            return x[0] - x[1];
        case Op::multiply:
            return x[0] * x[1];
        case Op::divide:
            return x[0] / x[1];
        case Op::power:
            return std::pow(x[0], x[1]);
        case Op::negate:
            return -x[0];
        case Op::modulo: {
            const double y[2] = {x[0], x[1]};
            static const auto mod = static_cast<std::size_t>(find_function("mod"));
            return functions()[mod].apply(y, 2);
        }
        case Op::call:
            return functions()[c.function].apply(x, n);
        case Op::number:
        case Op::variable:
            break;
    }
    return c.value;
}

int operands(const Code& c) {
    if (c.op == Op::call) return c.arguments;
    return c.op == Op::negate ? 1 : 2;
}

}  // namespace

std::nullopt_t Evaluator::fail(const Document& document, Span span, const Surroundings& around, std::string message,
                               std::string hint) {
    report_.error(document, span, std::move(message), std::move(hint), around.notes);
    return std::nullopt;
}

bool Evaluator::spend(std::uint64_t work, const Document& document, Span span) {
    work_ += work;
    if (work_ <= limits::work) return true;
    if (work_ - work <= limits::work)
        report_.error(document, span, "this scene takes too much work to write out",
                      "are its repeats or names too long?");
    return false;
}

std::optional<double> Evaluator::run(const Document& document, std::uint32_t begin, std::uint32_t end,
                                     const Surroundings& around) {
    const std::vector<Code>& code = document.tree.code;
    if (!spend(end - begin, document, code[begin].span)) return {};
    stack_.clear();
    for (std::uint32_t i = begin; i < end; ++i) {
        const Code& c = code[i];
        if (c.op == Op::number) {
            stack_.push_back(c.value);
            continue;
        }
        if (c.op == Op::variable) {
            const Variable* v = around.scope->find(document.slice(c.span));
            if (v == nullptr) return unknown(document, c.span, around);
            if (v->used != nullptr) *v->used = true;
            stack_.push_back(v->value);
            continue;
        }
        const int n = operands(c);
        const double* x = stack_.data() + stack_.size() - static_cast<std::size_t>(n);
        const double y = apply(c, x, n);
        // An infinity may come from `inf` but not from arithmetic.
        bool finite = true;
        for (int k = 0; k < n; ++k) finite &= std::isfinite(x[k]);
        if (std::isnan(y) || (finite && !std::isfinite(y)))
            return fail(document, c.span, around, result_message(document, c, x, n));
        stack_.resize(stack_.size() - static_cast<std::size_t>(n) + 1);
        stack_.back() = y;
    }
    return stack_.back();
}

std::optional<double> Evaluator::unknown(const Document& document, Span span, const Surroundings& around) {
    const std::string_view name = document.slice(span);
    std::vector<std::string_view> known = around.scope->names();
    for (const std::string_view constant : {"pi", "tau", "inf"}) known.push_back(constant);
    std::string hint = did_you_mean(name, known);
    const std::size_t minus = name.find('-');
    if (minus != name.npos && around.scope->find(name.substr(0, minus)) != nullptr)
        hint = "a '-' between letters belongs to the name: put blanks round the minus, '" +
               std::string(name.substr(0, minus)) + " - " + std::string(name.substr(minus + 1)) + "'";
    return fail(document, span, around, "there is no parameter " + quoted(name), std::move(hint));
}

std::optional<double> Evaluator::number(const Document& document, const Value& value, const Surroundings& around) {
    const std::optional<double> x = run(document, value.begin, value.end, around);
    if (!x) return {};
    const bool may_be_infinite = value.kind == ArgKind::limit || value.kind == ArgKind::scalar;
    if (!may_be_infinite && !std::isfinite(*x)) return fail(document, value.span, around, "this number must be finite");
    if (value.kind == ArgKind::integer && (*x != std::floor(*x) || std::fabs(*x) > 1e9))
        return fail(document, value.span, around, "this must be a whole number, not " + to_text(*x));
    return x;
}

bool Evaluator::is_unknown_word(const Document& document, const Value& value, const Surroundings& around) const {
    const Code& first = document.tree.code[value.begin];
    return value.end == value.begin + 1 && first.op == Op::variable && first.span == value.span &&
           around.scope->find(document.slice(first.span)) == nullptr;
}

std::optional<std::string> Evaluator::name(const Document& document, const Value& value, const Surroundings& around) {
    std::string text;
    for (std::uint32_t i = value.begin; i < value.end; ++i) {
        const NamePiece& piece = document.tree.pieces[i];
        if (piece.code_begin == piece.code_end) {
            if (!text.empty()) text += '.';
            text += document.slice(piece.text);
            continue;
        }
        const std::optional<double> x = run(document, piece.code_begin, piece.code_end, around);
        if (!x) return {};
        // An index such as 0.1*10*i may miss its whole number by round-off.
        const double whole = std::round(*x);
        if (!(std::fabs(*x - whole) < 1e-6) || std::fabs(whole) > 1e9)
            return fail(document, piece.text, around, "an index must be a whole number, not " + to_text(*x));
        text += '[' + std::to_string(static_cast<long>(whole)) + ']';
    }
    if (!spend(text.size() + around.prefix.size(), document, value.span)) return {};
    return text;
}

}  // namespace armature::lang
