// The names of a scene and the blocks of its texts that they stand for.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "armature/scene/document.h"
#include "armature/scene/scene.h"

namespace armature::studio {

/// What a refusal about one member of a repeat advises. A page that sees it can offer to do that.
inline constexpr const char* unroll_hint = "unroll the repeat: each of its members then has lines of its own";

class NamedBlocks {
  public:
    /// `shared`, when given, gets every name that is reported as one of several.
    NamedBlocks(const Scene& scene, Diagnostics& diagnostics, std::vector<std::string>* shared = nullptr);

    /// An unknown name is reported.
    const Element* find(const std::string& name);
    /// Everything that the characters of this block make.
    const std::vector<std::string>& made_by(const Element& e) const { return makes_.at({e.document, e.node}); }
    const Document& text_of(const Element& e) const { return *scene.documents[e.document]; }
    const lang::Node& node_of(const Element& e) const { return text_of(e).node(e.node); }
    /// Reports that this name is one of several that the same lines make, and what can be done about it.
    void report_shared(const Element& e);

    const Scene& scene;

  private:
    Diagnostics& diagnostics_;
    std::vector<std::string>* shared_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::string>> makes_;
};

/// What holds or pushes solids: its name and whom it names.
std::vector<std::pair<std::string, std::vector<std::string>>> users_of_solids(const Spec& spec);

}  // namespace armature::studio
