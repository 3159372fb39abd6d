// The schema: one table of every block and keyword of the language. The parser reads arguments by it, messages and
// "did you mean" name its words, paths (`--set`) follow it, and docs/language.md is written from it.
//
// To add a keyword: one row in the file of its family (schema/) and one setter in the file of the same name (build/).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace armature::lang {

enum class ArgKind : std::uint8_t {
    number,    ///< a finite number
    limit,     ///< a number that may be `inf`
    integer,   ///< a whole number
    scalar,    ///< a number that may be `inf`, or the name of a track
    vector,    ///< three finite numbers
    choice,    ///< one of the listed words
    word,      ///< any identifier
    new_name,  ///< a name that the block defines: link[i]
    object,    ///< the name of an object, or world
    path,      ///< the name of a path
    track,     ///< the name of a track
    text,      ///< "…"
    file       ///< "…", a file in the folder of the scene
};

struct ArgSpec {
    ArgKind kind = ArgKind::number;
    std::string_view name{};  ///< as shown in the reference and used in paths
    std::string_view unit{};
    std::string_view choices{};  ///< "linear|spline", in the order of the enum in spec.h
    bool optional = false;
    bool repeated = false;  ///< as often as wanted, once at least; the last argument only
};

struct OptionSpec {
    std::string_view name{};
    std::vector<ArgSpec> args{};
    std::string_view fallback{};  ///< the default, as text for a person
    std::string_view doc{};
    bool required = false;
};

struct KeywordSpec {
    std::string_view name{};
    std::vector<ArgSpec> args{};
    std::vector<OptionSpec> options{};
    std::string_view fallback{};
    std::string_view doc{};
    bool repeatable = false;
    bool required = false;

    const OptionSpec* find_option(std::string_view option) const;
};
std::vector<std::string_view> option_names(const KeywordSpec& keyword);

enum class BlockId : std::uint8_t {
    file,
    simulation,
    object,
    particle,
    path,
    constraint,
    joint,
    track,
    force,
    torque,
    spring,
    drag,
    repeat,
    group,
    place
};

struct BlockSpec {
    BlockId id = BlockId::file;
    std::string_view name{};
    KeywordSpec header{};
    std::vector<KeywordSpec> keywords{};
    std::vector<BlockId> contents{};  ///< blocks that may stand inside
    std::string_view doc{};
    std::string_view example{};

    const KeywordSpec* find_keyword(std::string_view keyword) const;
    bool may_contain(BlockId block) const;
};

/// Every block; the first stands for the file itself.
const std::vector<BlockSpec>& schema();
const BlockSpec& block_spec(BlockId id);
const BlockSpec* find_block(std::string_view name);

/// How many expressions or words an argument takes.
inline int value_count(const ArgSpec& arg) {
    return arg.kind == ArgKind::vector ? 3 : 1;
}
inline bool is_numeric(ArgKind kind) {
    return kind <= ArgKind::vector;
}
inline bool is_name(ArgKind kind) {
    return kind >= ArgKind::new_name && kind <= ArgKind::track;
}
std::vector<std::string_view> split_choices(std::string_view choices);

/// "hinge <P1> <P2>", "axial <u> [min λ1] [max λ2]": how a keyword is written.
std::string usage(const KeywordSpec& keyword);
/// "a mass", "three numbers (P1) and …" for messages: what the arguments are.
std::string describe(const std::vector<ArgSpec>& args);

// Shorthands for the rows in schema/.
ArgSpec number(std::string_view name, std::string_view unit = {});
ArgSpec limit(std::string_view name, std::string_view unit = {});
ArgSpec integer(std::string_view name);
ArgSpec scalar(std::string_view name, std::string_view unit = {});
ArgSpec vector(std::string_view name, std::string_view unit = {});
ArgSpec choice(std::string_view choices);
ArgSpec word(std::string_view name);
ArgSpec name_of(ArgKind kind, std::string_view name);
ArgSpec optional(ArgSpec arg);
ArgSpec repeated(ArgSpec arg);

// One function per family, called once by schema().
void add_structure_blocks(std::vector<BlockSpec>& blocks);
void add_simulation_block(std::vector<BlockSpec>& blocks);
void add_object_blocks(std::vector<BlockSpec>& blocks);
void add_constraint_block(std::vector<BlockSpec>& blocks);
void add_joint_blocks(std::vector<BlockSpec>& blocks);
void add_force_blocks(std::vector<BlockSpec>& blocks);

}  // namespace armature::lang
