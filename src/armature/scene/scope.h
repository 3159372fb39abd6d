// The names that expressions can use at one place: loop variables and parameters, and the groups that can be placed.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "armature/scene/span.h"

namespace armature::lang {

struct Variable {
    std::string_view name;  ///< characters of a Document that outlives the scope
    double value = 0;
    std::uint32_t document = 0;  ///< where it was defined
    Span span;
    bool* used = nullptr;  ///< set when it is read; nullptr when nobody asks
};

struct GroupDefinition {
    std::uint32_t document = 0;
    std::uint32_t node = 0;
    const class Scope* scope = nullptr;  ///< in which its expressions are read
};

class Scope {
  public:
    /// `inner` scopes (turns of a repeat) share the names of their parent: a name cannot be defined twice along them.
    explicit Scope(const Scope* parent, bool inner) : parent_(parent), inner_(inner) {}
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

    void define(const Variable& variable);
    void define(std::string_view name, const GroupDefinition& group) { groups_.emplace(name, group); }

    /// Outward from here.
    const Variable* find(std::string_view name) const;
    const GroupDefinition* find_group(std::string_view name) const;
    /// The variable that a new definition here would clash with.
    const Variable* find_clash(std::string_view name) const;
    const GroupDefinition* find_own_group(std::string_view name) const;

    std::vector<std::string_view> names() const;
    std::vector<std::string_view> group_names() const;

  private:
    const Variable* find_own(std::string_view name) const;

    const Scope* parent_;
    bool inner_;
    std::vector<Variable> variables_;
    std::unordered_map<std::string_view, std::size_t> index_;  ///< only once there are many
    std::unordered_map<std::string_view, GroupDefinition> groups_;
};

}  // namespace armature::lang
