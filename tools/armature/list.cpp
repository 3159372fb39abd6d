// `armature list`: what can be said, straight from the tables that the program itself works with.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "armature/model/joint_library.h"
#include "armature/scene/reference.h"
#include "armature/scene/schema.h"
#include "armature/solvers/registry.h"
#include "messages.h"
#include "verbs.h"

namespace armature::command {

namespace {

using Row = std::pair<std::string, std::string>;

/// Characters, not bytes: there are Greek letters among them.
std::size_t length(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }));
}

std::string table(const std::vector<Row>& rows) {
    std::size_t width = 0;
    for (const Row& row : rows) width = std::max(width, length(row.first));
    std::string text;
    for (const auto& [name, doc] : rows)
        text += fmt::format("{}{}  {}\n", name, std::string(width - length(name), ' '), doc);
    return text;
}

std::vector<Row> solvers() {
    std::vector<Row> rows;
    for (const SolverInfo& solver : solver_list()) rows.emplace_back(solver.name, solver.summary);
    return rows;
}

/// The named ones, then what others can be put together from.
std::string joints() {
    std::vector<Row> named, parts;
    for (const JointTypeInfo& joint : joint_types()) {
        std::string freedoms;
        for (const JointFreedomInfo& f : joint.freedoms)
            freedoms += (freedoms.empty() ? "" : " ") + std::string(f.name);
        std::vector<std::string_view> names = {joint.name};
        names.insert(names.end(), joint.synonyms.begin(), joint.synonyms.end());
        named.emplace_back(
            fmt::format("{}", fmt::join(names, ", ")),
            fmt::format("{}R {}T  {:<34}  {}", joint.rotations, joint.translations, freedoms, joint.summary));
    }
    for (const lang::KeywordSpec& keyword : lang::block_spec(lang::BlockId::constraint).keywords)
        parts.emplace_back(usage(keyword), keyword.doc);
    return "joint NAME type …; end: turns and slides left free, the names of those freedoms\n\n" + table(named) +
           "\nconstraint … end: put together by hand\n\n" + table(parts);
}

/// Each with its own options; those that all of them share come once, below.
std::string shapes() {
    std::vector<lang::KeywordSpec> all;
    // Of the keywords of an object, the shapes are those that have a density of their own.
    for (const lang::KeywordSpec& keyword : lang::block_spec(lang::BlockId::object).keywords)
        if (keyword.find_option("density") != nullptr) all.push_back(keyword);
    const auto shared = [&](const lang::OptionSpec& option) {
        return std::all_of(all.begin(), all.end(), [&](const auto& shape) { return shape.find_option(option.name); });
    };
    lang::KeywordSpec rest{.name = "each may have"};
    for (const lang::OptionSpec& option : all.at(0).options)
        if (shared(option)) rest.options.push_back(option);
    std::vector<Row> rows;
    for (lang::KeywordSpec shape : all) {
        std::erase_if(shape.options, [&](const auto& option) { return rest.find_option(option.name) != nullptr; });
        rows.emplace_back(usage(shape), shape.doc);
    }
    return table(rows) + usage(rest) + "\n";
}

std::vector<Row> forces() {
    std::vector<Row> rows;
    const lang::BlockSpec& simulation = lang::block_spec(lang::BlockId::simulation);
    if (const lang::KeywordSpec* gravity = simulation.find_keyword("gravity"))
        rows.emplace_back(usage(*gravity), fmt::format("in the block simulation; {}", gravity->doc));
    for (const lang::BlockId id :
         {lang::BlockId::force, lang::BlockId::torque, lang::BlockId::spring, lang::BlockId::drag}) {
        const lang::BlockSpec& block = lang::block_spec(id);
        rows.emplace_back(fmt::format("{} NAME … end", block.name), block.doc);
    }
    return rows;
}

std::vector<Row> schemes() {
    const std::vector<Row> known = {
        {"euler", "velocities first, then positions with the new ones; first order"},
        {"newton", "exact for a constant force; second order; the default"},
        {"stormer", "from the last two positions, no velocity of its own; second order"},
        {"exact", "keeps energy and momentum exactly at every joint; second order; with solver linearized"},
        {"verlet", "Störmer's with damping: keeps the share `verlet_keep` of each displacement"},
    };
    const lang::KeywordSpec* scheme = lang::block_spec(lang::BlockId::simulation).find_keyword("scheme");
    std::vector<Row> rows;
    for (const std::string_view name : lang::split_choices(scheme->args.at(0).choices)) {
        const auto row = std::find_if(known.begin(), known.end(), [&](const Row& r) { return r.first == name; });
        rows.emplace_back(name, row != known.end() ? row->second : std::string());
    }
    return rows;
}

}  // namespace

int list(const ListOptions& options, const Terminal& terminal) {
    const std::vector<std::pair<std::string, std::string (*)()>> lists = {
        {"solvers", [] { return table(solvers()); }},
        {"joints", joints},
        {"shapes", shapes},
        {"forces", [] { return table(forces()); }},
        {"schemes", [] { return table(schemes()); }},
        {"language", language_reference},
    };
    std::vector<std::string> names;
    for (const auto& [name, text] : lists) {
        if (name == options.what) {
            print_data(text());
            return fine;
        }
        names.push_back(name);
    }
    if (options.what.empty())
        say_error(terminal, "list what?", fmt::format("one of {}", fmt::join(names, ", ")));
    else
        say_error(terminal, fmt::format("there is no list of '{}'", options.what),
                  suggestion(options.what, names).empty() ? fmt::format("one of {}", fmt::join(names, ", "))
                                                          : suggestion(options.what, names));
    return unusable;
}

}  // namespace armature::command
