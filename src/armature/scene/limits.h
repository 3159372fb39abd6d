// Limits of the scene language. They are far above what a person writes and keep any input, however hostile, within
// about a second and a few hundred megabytes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace armature::lang::limits {

inline constexpr std::size_t file_bytes = 16u << 20;      ///< of one file
inline constexpr std::size_t total_bytes = 64u << 20;     ///< of all files of a scene
inline constexpr std::size_t include_depth = 16;          ///< files that include files
inline constexpr std::size_t block_depth = 64;            ///< blocks inside blocks in one text
inline constexpr std::size_t parenthesis_depth = 200;     ///< of one expression
inline constexpr std::size_t identifier_length = 256;     ///< bytes
inline constexpr std::size_t string_length = 4096;        ///< bytes
inline constexpr std::size_t placement_depth = 32;        ///< groups placed inside placed groups
inline constexpr std::size_t expansion_depth = 200;       ///< blocks, includes and placements together
inline constexpr std::uint64_t statements = 1'000'000;    ///< after repeats and groups are written out
inline constexpr std::uint64_t objects = 200'000;         ///< likewise, placements of groups included
inline constexpr std::uint64_t blocks = 400'000;          ///< likewise, of every kind
inline constexpr std::uint64_t joints = 100'000;          ///< likewise, by name: each has up to five freedoms
inline constexpr std::uint64_t path_keys = 5'000'000;     ///< likewise, summed over the uses of paths and tracks
inline constexpr std::size_t expression_length = 10'000;  ///< operands and operators
inline constexpr std::uint64_t work = 50'000'000;         ///< operations of expressions and bytes of names
inline constexpr std::size_t shown_errors = 50;           ///< per run

}  // namespace armature::lang::limits
