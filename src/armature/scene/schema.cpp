#include "armature/scene/schema.h"

#include <algorithm>

namespace armature::lang {

const OptionSpec* KeywordSpec::find_option(std::string_view option) const {
    for (const OptionSpec& o : options)
        if (o.name == option) return &o;
    return nullptr;
}

std::vector<std::string_view> option_names(const KeywordSpec& keyword) {
    std::vector<std::string_view> names;
    for (const OptionSpec& o : keyword.options) names.push_back(o.name);
    return names;
}

const KeywordSpec* BlockSpec::find_keyword(std::string_view keyword) const {
    for (const KeywordSpec& k : keywords)
        if (k.name == keyword) return &k;
    return nullptr;
}

bool BlockSpec::may_contain(BlockId block) const {
    return std::find(contents.begin(), contents.end(), block) != contents.end();
}

const std::vector<BlockSpec>& schema() {
    static const std::vector<BlockSpec> blocks = [] {
        std::vector<BlockSpec> list;
        add_structure_blocks(list);
        add_simulation_block(list);
        add_object_blocks(list);
        add_constraint_block(list);
        add_joint_blocks(list);
        add_force_blocks(list);
        return list;
    }();
    return blocks;
}

const BlockSpec& block_spec(BlockId id) {
    for (const BlockSpec& b : schema())
        if (b.id == id) return b;
    return schema().front();
}

const BlockSpec* find_block(std::string_view name) {
    for (const BlockSpec& b : schema())
        if (b.name == name && b.id != BlockId::file) return &b;
    return nullptr;
}

std::vector<std::string_view> split_choices(std::string_view choices) {
    std::vector<std::string_view> words;
    while (!choices.empty()) {
        const std::size_t bar = choices.find('|');
        words.push_back(choices.substr(0, bar));
        choices.remove_prefix(bar == std::string_view::npos ? choices.size() : bar + 1);
    }
    return words;
}

namespace {

std::string usage_of(const ArgSpec& arg) {
    if (arg.kind == ArgKind::choice) return std::string(arg.choices);
    const std::string n(arg.name);
    if (arg.kind == ArgKind::vector) return std::string("<").append(n) + ">";
    if (arg.kind == ArgKind::text || arg.kind == ArgKind::file) return std::string("\"").append(n) + "\"";
    return n;
}

std::string usage_of(const std::vector<ArgSpec>& args) {
    std::string text;
    for (const ArgSpec& a : args) {
        text += a.optional ? " [" : " ";
        text += usage_of(a);
        if (a.optional) text += "]";
        if (a.repeated) text += " …";
    }
    return text;
}

std::string describe_one(const ArgSpec& arg) {
    const std::string n(arg.name);
    switch (arg.kind) {
        case ArgKind::number:
        case ArgKind::limit:
            return "a number (" + n + ")";
        case ArgKind::integer:
            return "a whole number (" + n + ")";
        case ArgKind::scalar:
            return "a number or the name of a track (" + n + ")";
        case ArgKind::vector:
            return "three numbers (" + n + ")";
        case ArgKind::choice: {
            std::string text = "one of ";
            for (const std::string_view w : split_choices(arg.choices))
                text += (text.size() > 7 ? ", " : "") + std::string(w);
            return text;
        }
        case ArgKind::word:
            return "a word (" + n + ")";
        case ArgKind::new_name:
            return "a name";
        case ArgKind::object:
            return "the name of an object";
        case ArgKind::path:
            return "the name of a path";
        case ArgKind::track:
            return "the name of a track";
        case ArgKind::text:
            return "a text in quotes";
        case ArgKind::file:
            return "a file name in quotes";
    }
    return n;
}

}  // namespace

std::string usage(const KeywordSpec& keyword) {
    std::string text = std::string(keyword.name) + usage_of(keyword.args);
    for (const OptionSpec& o : keyword.options) {
        const std::string option = std::string(o.name) + usage_of(o.args);
        text += o.required ? " " + option : " [" + option + "]";
    }
    return text;
}

std::string describe(const std::vector<ArgSpec>& args) {
    std::string text;
    for (std::size_t i = 0; i < args.size(); ++i) {
        if (i > 0) text += i + 1 == args.size() ? " and " : ", ";
        if (args[i].optional) text += "optionally ";
        text += describe_one(args[i]);
        if (args[i].repeated) text += ", once or more";
    }
    return text.empty() ? "no arguments" : text;
}

ArgSpec number(std::string_view name, std::string_view unit) {
    return {ArgKind::number, name, unit, {}, false};
}
ArgSpec limit(std::string_view name, std::string_view unit) {
    return {ArgKind::limit, name, unit, {}, false};
}
ArgSpec integer(std::string_view name) {
    return {ArgKind::integer, name, {}, {}, false};
}
ArgSpec scalar(std::string_view name, std::string_view unit) {
    return {ArgKind::scalar, name, unit, {}, false};
}
ArgSpec vector(std::string_view name, std::string_view unit) {
    return {ArgKind::vector, name, unit, {}, false};
}
ArgSpec choice(std::string_view choices) {
    return {ArgKind::choice, {}, {}, choices, false};
}
ArgSpec word(std::string_view name) {
    return {ArgKind::word, name, {}, {}, false};
}
ArgSpec name_of(ArgKind kind, std::string_view name) {
    return {kind, name, {}, {}, false};
}
ArgSpec optional(ArgSpec arg) {
    arg.optional = true;
    return arg;
}
ArgSpec repeated(ArgSpec arg) {
    arg.repeated = true;
    return arg;
}

}  // namespace armature::lang
