// Writes a scene out: runs repeats, places groups, reads included files, and hands every block it meets to the builder
// of its family. Parameters are known from where they stand on; everything else may be used before it is defined.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "armature/scene/build/builder.h"

namespace armature::lang {

/// Texts that take the place of files, by canonical path: what an editor holds and has not saved.
using HeldTexts = std::map<std::string, std::string>;

class Expander {
  public:
    Expander(Builder& builder, const HeldTexts& held) : builder_(builder), held_(held) {}

    /// Expands the root document, scene.documents[0].
    void run();

  private:
    /// A `set` of a placement.
    struct SetValue {
        std::string_view name;
        double value = 0;
        std::uint32_t document = 0;
        std::uint32_t node = 0;
        bool used = false;
    };
    /// Where the expansion stands; each level of blocks, includes and placements has its own.
    struct Level {
        std::uint32_t document = 0;
        Scope& scope;
        Surroundings& around;
        std::vector<SetValue>* sets = nullptr;
        std::size_t depth = 0;
    };

    void content(const Level& level, std::uint32_t block);
    void statement(const Level& level, std::uint32_t node);
    void block(const Level& level, std::uint32_t node);
    void title(const Level& level, std::uint32_t node);
    void parameter(const Level& level, std::uint32_t node);
    void pose(const Level& level, std::uint32_t node);
    void include(const Level& level, std::uint32_t node);
    void repeat(const Level& level, std::uint32_t node);
    void group(const Level& level, std::uint32_t node);
    void place(const Level& level, std::uint32_t node);
    std::vector<SetValue> read_sets(const Level& level, const BlockSite& site, Pose& pose);
    void check_sets(const Level& level, const GroupDefinition& group, const std::vector<SetValue>& sets);

    bool read(Arguments& arguments, const Level& level, std::uint32_t node);
    /// The statement as an override changes it, or the statement itself.
    std::pair<std::uint32_t, std::uint32_t> overridden(const std::string& path, std::uint32_t document,
                                                       std::uint32_t node, const std::vector<std::string>& parts);
    void remember(const std::string& path, std::uint32_t document, std::uint32_t node);
    bool too_deep(const Level& level, Span span);
    const Document& document(const Level& level) const { return *builder_.scene.documents[level.document]; }
    void warn_unused();

    struct ParameterUse {
        bool used = false;
    };
    using Site = std::pair<std::uint32_t, std::uint32_t>;  // document, node

    Builder& builder_;
    const HeldTexts& held_;
    std::unordered_map<std::uint64_t, ParameterUse> parameters_;  // by document and node
    std::map<std::string, std::uint32_t> included_;               // canonical path → document
    std::vector<std::string> include_stack_;
    std::vector<Site> placing_;  // groups being placed, to find one that places itself
    std::size_t bytes_ = 0;
};

}  // namespace armature::lang
