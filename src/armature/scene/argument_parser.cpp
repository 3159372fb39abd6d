#include "armature/scene/argument_parser.h"

#include "armature/base/suggest.h"
#include "armature/scene/expression.h"

namespace armature::lang {

namespace {

std::uint32_t size_of(const auto& list) {
    return static_cast<std::uint32_t>(list.size());
}

}  // namespace

bool ArgumentParser::fail(Span span, std::string message, std::string hint) {
    report_.error(document_, span, std::move(message), std::move(hint));
    return false;
}

bool ArgumentParser::parse(Node& node, const KeywordSpec& keyword) {
    return plain_arguments(node, keyword) && parse_options(node, keyword);
}

bool ArgumentParser::plain_arguments(Node& node, const KeywordSpec& keyword) {
    if (keyword.args.empty()) return true;
    Group group;
    group.first = size_of(document_.tree.values);
    if (!values(group, keyword.args, &keyword, keyword.name)) return false;
    document_.tree.groups.push_back(group);
    ++node.group_count;
    return true;
}

bool ArgumentParser::parse_options(Node& node, const KeywordSpec& keyword) {
    while (cursor_.is(TokenKind::identifier)) {
        const OptionSpec* spec = keyword.find_option(cursor_.text());
        if (spec == nullptr) break;
        if (!option(node, keyword, *spec)) return false;
    }
    const bool stray_word = cursor_.is(TokenKind::identifier) && !cursor_.is_end_word();
    for (const OptionSpec& o : keyword.options) {
        bool given = false;
        for (std::uint32_t i = 0; i < node.group_count; ++i)
            given |= document_.tree.groups[node.first_group + i].option == &o;
        if (o.required && !given) {
            if (cursor_.is(TokenKind::bad)) return false;
            if (std::string hint = stray_word ? did_you_mean(cursor_.text(), option_names(keyword)) : ""; !hint.empty())
                return fail(cursor_.span(), quoted(keyword.name) + " has no option " + quoted(cursor_.text()),
                            std::move(hint));
            return fail(node.word, quoted(keyword.name) + " needs " + quoted(o.name), "write: " + usage(keyword));
        }
    }
    return true;
}

bool ArgumentParser::option(Node& node, const KeywordSpec& keyword, const OptionSpec& spec) {
    for (std::uint32_t i = 0; i < node.group_count; ++i)
        if (document_.tree.groups[node.first_group + i].option == &spec)
            return fail(cursor_.span(), quoted(spec.name) + " is given twice for " + quoted(keyword.name));
    Group group;
    group.option = &spec;
    group.word = cursor_.span();
    group.first = size_of(document_.tree.values);
    cursor_.advance();
    if (!values(group, spec.args, nullptr, spec.name)) return false;
    document_.tree.groups.push_back(group);
    ++node.group_count;
    return true;
}

bool ArgumentParser::values(Group& group, const std::vector<ArgSpec>& args, const KeywordSpec* ends_at_option_of,
                            std::string_view owner) {
    for (const ArgSpec& arg : args) {
        const int once = value_count(arg);
        for (int i = 0; arg.repeated || i < once; ++i) {
            bool here = starts(arg.kind);
            // Among plain numbers the name of an option is the option, not a parameter of the same name.
            if (here && is_numeric(arg.kind) && ends_at_option_of != nullptr && cursor_.is(TokenKind::identifier) &&
                ends_at_option_of->find_option(cursor_.text()) != nullptr && !cursor_.next().is_symbol('('))
                here = false;
            if (!here && i % once == 0 && (i > 0 || arg.optional)) return true;
            if (!here) return missing(args, owner, group.count);
            if (group.count > 0 && !cursor_.blank_before() && is_numeric(arg.kind))
                return fail(cursor_.span(), "two arguments run together", "put a blank or an operator between them");
            if (!value(group, arg)) return false;
        }
    }
    return true;
}

bool ArgumentParser::starts(ArgKind kind) const {
    if (is_numeric(kind)) return ExpressionParser::can_start(cursor_);
    if (kind == ArgKind::text || kind == ArgKind::file) return cursor_.is(TokenKind::string);
    return cursor_.is(TokenKind::identifier) && !cursor_.is_end_word();
}

bool ArgumentParser::missing(const std::vector<ArgSpec>& args, std::string_view owner, std::size_t found) {
    if (cursor_.is(TokenKind::bad)) return false;  // reported when the text was cut into tokens
    std::string message = quoted(owner) + " expects " + describe(args);
    bool numeric = !args.empty();
    for (const ArgSpec& a : args) numeric &= is_numeric(a.kind);
    if (found > 0 && numeric)
        message += ", found only " + std::to_string(found) + (found == 1 ? " number" : " numbers");
    const bool quoted_wanted = !args.empty() && (args[0].kind == ArgKind::text || args[0].kind == ArgKind::file);
    std::string hint;
    if (quoted_wanted && cursor_.is(TokenKind::identifier) && !cursor_.is_end_word()) hint = "put it in quotes";
    if (cursor_.is_symbol(',')) hint = "arguments are separated by blanks";
    if (cursor_.at_end()) return fail(cursor_.last(), std::move(message));
    return fail(cursor_.span(), std::move(message), std::move(hint));
}

bool ArgumentParser::value(Group& group, const ArgSpec& arg) {
    if (arg.kind == ArgKind::scalar && names_a_track()) return name(group, ArgKind::track);
    if (is_numeric(arg.kind)) return expression(group, arg.kind);
    if (is_name(arg.kind)) return name(group, arg.kind);
    if (arg.kind == ArgKind::choice) return choice(group, arg);
    document_.tree.values.push_back({arg.kind, cursor_.span(), 0, 0});
    ++group.count;
    cursor_.advance();
    return true;
}

// `ramp[2]` and `doll.ramp` can only be names; a plain word may be a parameter too and is read as an expression, which
// means a track when there is no such parameter.
bool ArgumentParser::names_a_track() const {
    if (!cursor_.is(TokenKind::identifier)) return false;
    const Cursor next = cursor_.next();
    return !next.blank_before() && (next.is_symbol('[') || next.is_symbol('.'));
}

bool ArgumentParser::expression(Group& group, ArgKind kind) {
    Value value{kind, cursor_.span(), size_of(document_.tree.code), 0};
    if (!ExpressionParser(cursor_, document_, report_).parse(false)) return false;
    value.end = size_of(document_.tree.code);
    value.span = join(value.span, cursor_.last());
    document_.tree.values.push_back(value);
    ++group.count;
    return true;
}

bool ArgumentParser::name(Group& group, ArgKind kind) {
    std::vector<NamePiece>& pieces = document_.tree.pieces;
    Value value{kind, cursor_.span(), size_of(pieces), 0};
    pieces.push_back({cursor_.span(), 0, 0});
    cursor_.advance();
    while (!cursor_.blank_before()) {
        if (cursor_.is_symbol('[')) {
            NamePiece piece{cursor_.span(), size_of(document_.tree.code), 0};
            cursor_.advance();
            if (!ExpressionParser(cursor_, document_, report_).parse(true)) return false;
            if (!cursor_.is_symbol(']')) {
                if (cursor_.is(TokenKind::bad)) return false;
                return fail(piece.text, "this index is not closed", "write name[index]");
            }
            piece.code_end = size_of(document_.tree.code);
            piece.text = join(piece.text, cursor_.span());
            pieces.push_back(piece);
            cursor_.advance();
        } else if (cursor_.is_symbol('.') && kind != ArgKind::new_name) {
            cursor_.advance();
            if (!cursor_.is(TokenKind::identifier) || cursor_.blank_before())
                return fail(cursor_.last(), "a name must follow the dot");
            pieces.push_back({cursor_.span(), 0, 0});
            cursor_.advance();
        } else if (cursor_.is_symbol('.')) {
            return fail(cursor_.span(), "a name that is defined here cannot have a dot",
                        "dots come from 'place GROUP as NAME': NAME.part");
        } else {
            break;
        }
    }
    value.end = size_of(pieces);
    value.span = join(value.span, cursor_.last());
    document_.tree.values.push_back(value);
    ++group.count;
    return true;
}

bool ArgumentParser::choice(Group& group, const ArgSpec& arg) {
    const std::vector<std::string_view> words = split_choices(arg.choices);
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (cursor_.text() != words[i]) continue;
        const auto number = static_cast<std::uint32_t>(i);
        document_.tree.values.push_back({ArgKind::choice, cursor_.span(), number, number});
        ++group.count;
        cursor_.advance();
        return true;
    }
    return fail(cursor_.span(), quoted(cursor_.text()) + " is not " + describe({arg}),
                did_you_mean(cursor_.text(), words));
}

}  // namespace armature::lang
