// The tree of one text. Flat arrays with indices in place of pointers: a tree of a million nodes is a few allocations
// and can be copied. Nodes say where in the text they stand; the text itself stays in the Document.
//
//   node       a statement `keyword groups ;` or a block `kind groups node* end`
//   group      the plain arguments of a keyword, or an option with its arguments: `max 0.066`
//   value      one argument: an expression, a name, a word, a text
//   code       an expression in postfix order, so that evaluating it is a loop and never a recursion
#pragma once

#include <cstdint>
#include <vector>

#include "armature/scene/schema.h"
#include "armature/scene/span.h"

namespace armature::lang {

enum class Op : std::uint8_t { number, variable, add, subtract, multiply, divide, modulo, power, negate, call };

struct Code {
    Op op = Op::number;
    std::uint8_t function = 0;    ///< Op::call: index into functions()
    std::uint16_t arguments = 0;  ///< Op::call
    Span span;                    ///< of the operand or operator, for messages
    double value = 0;             ///< Op::number
};

/// A name is a row of pieces: identifiers (separated by dots) and indices. `doll[i + 1].head` has three.
struct NamePiece {
    Span text;                     ///< identifier, or the index with its brackets
    std::uint32_t code_begin = 0;  ///< of an index; begin == end for an identifier
    std::uint32_t code_end = 0;
};

struct Value {
    ArgKind kind = ArgKind::number;
    Span span;
    std::uint32_t begin = 0;  ///< code for numbers, pieces for names; for a choice its number
    std::uint32_t end = 0;
};

struct Group {
    const OptionSpec* option = nullptr;  ///< nullptr: the plain arguments of the keyword
    Span word;                           ///< the option's name
    std::uint32_t first = 0;             ///< value
    std::uint32_t count = 0;
};

inline constexpr std::uint32_t no_node = 0xFFFFFFFFu;

struct Node {
    const BlockSpec* block = nullptr;      ///< nullptr for a statement
    const KeywordSpec* keyword = nullptr;  ///< of a block its header
    Span word{};                           ///< keyword or kind
    Span span{};                           ///< up to and with `;` or `end`
    std::uint32_t first_group = 0;
    std::uint32_t group_count = 0;
    std::uint32_t parent = no_node;
    std::uint32_t first_child = no_node;
    std::uint32_t next = no_node;  ///< sibling
    bool damaged = false;          ///< had an error of its own: not to be built
};

struct Tree {
    std::vector<Node> nodes;  ///< nodes[0] stands for the whole text
    std::vector<Group> groups;
    std::vector<Value> values;
    std::vector<NamePiece> pieces;
    std::vector<Code> code;
    bool broken_header = false;  ///< some block's name could not be read: names may be missing
};

/// The characters of a group's arguments, without the option's name.
inline Span arguments_span(const Tree& tree, const Group& group) {
    if (group.count == 0) return {group.word.end, group.word.end};
    return join(tree.values[group.first].span, tree.values[group.first + group.count - 1].span);
}

}  // namespace armature::lang
