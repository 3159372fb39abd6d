#include "armature/scene/scope.h"

namespace armature::lang {

namespace {

constexpr std::size_t few = 8;  // up to here a linear search is the faster one

}  // namespace

void Scope::define(const Variable& variable) {
    variables_.push_back(variable);
    if (variables_.size() <= few) return;
    for (std::size_t i = index_.empty() ? 0 : variables_.size() - 1; i < variables_.size(); ++i)
        index_.emplace(variables_[i].name, i);
}

const Variable* Scope::find_own(std::string_view name) const {
    if (variables_.size() > few) {
        const auto it = index_.find(name);
        return it == index_.end() ? nullptr : &variables_[it->second];
    }
    for (const Variable& v : variables_)
        if (v.name == name) return &v;
    return nullptr;
}

const Variable* Scope::find(std::string_view name) const {
    for (const Scope* s = this; s != nullptr; s = s->parent_)
        if (const Variable* v = s->find_own(name)) return v;
    return nullptr;
}

const Variable* Scope::find_clash(std::string_view name) const {
    for (const Scope* s = this; s != nullptr; s = s->inner_ ? s->parent_ : nullptr)
        if (const Variable* v = s->find_own(name)) return v;
    return nullptr;
}

const GroupDefinition* Scope::find_own_group(std::string_view name) const {
    const auto it = groups_.find(name);
    return it == groups_.end() ? nullptr : &it->second;
}

const GroupDefinition* Scope::find_group(std::string_view name) const {
    for (const Scope* s = this; s != nullptr; s = s->parent_)
        if (const GroupDefinition* g = s->find_own_group(name)) return g;
    return nullptr;
}

std::vector<std::string_view> Scope::names() const {
    std::vector<std::string_view> list;
    for (const Scope* s = this; s != nullptr; s = s->parent_)
        for (const Variable& v : s->variables_) list.push_back(v.name);
    return list;
}

std::vector<std::string_view> Scope::group_names() const {
    std::vector<std::string_view> list;
    for (const Scope* s = this; s != nullptr; s = s->parent_)
        for (const auto& [name, group] : s->groups_) list.push_back(name);
    return list;
}

}  // namespace armature::lang
