#include "armature/scene/overrides.h"

#include "armature/base/suggest.h"
#include "armature/scene/limits.h"
#include "armature/scene/parser.h"

namespace armature::lang {

Overrides::Overrides(const LoadOptions& options) {
    for (const auto& [path, value] : options.overrides) {
        const std::size_t index = list_.size();
        list_.push_back({normal_path(path), value, false});
        by_name_[list_.back().path].push_back({index, {}});
        for (const auto& [name, rest] : split_path(list_.back().path))
            if (auto inside = parse_value_path(rest)) by_name_[name].push_back({index, std::move(*inside)});
        automatic_ |= list_.back().path.find('~') != std::string::npos;
    }
}

const std::vector<Overrides::Entry>* Overrides::of(const std::string& name) const {
    if (list_.empty()) return nullptr;
    const auto it = by_name_.find(name);
    return it == by_name_.end() ? nullptr : &it->second;
}

std::shared_ptr<const Document> Overrides::parsed(std::size_t index, std::string text, BlockId inside, Report& report) {
    Override& o = list_[index];
    o.used = true;
    auto document = std::make_shared<Document>(parse("--set " + o.path, std::move(text), report, inside));
    if (!document->well_formed) return nullptr;
    // One statement and no more: a value cannot smuggle in another.
    const std::uint32_t only = document->node(0).first_child;
    if (only == no_node || document->node(only).next != no_node) {
        report.error(*document, document->node(0).span, quoted(o.value) + " is not a value");
        return nullptr;
    }
    return document;
}

std::shared_ptr<const Document> Overrides::change(const Entry& entry, const Document& document, const Node& statement,
                                                  BlockId inside, Report& report) {
    const Override& o = list_[entry.index];
    const auto edit = plan_change(document, statement, entry.path.parts, o.value);
    if (!edit) return nullptr;
    const std::string_view whole = document.slice(statement.span);
    const Span span{edit->span.begin - statement.span.begin, edit->span.end - statement.span.begin};
    return parsed(entry.index, replaced(whole, span, edit->replacement), inside, report);
}

std::shared_ptr<const Document> Overrides::add(const Entry& entry, const KeywordSpec& keyword, BlockId inside,
                                               Report& report) {
    auto text = new_statement(keyword, entry.path.parts, list_[entry.index].value);
    if (!text) return nullptr;
    return parsed(entry.index, std::move(*text), inside, report);
}

void Overrides::report_unused(const Scene& scene, Report& report) const {
    for (const Override& o : list_) {
        if (o.used) continue;
        std::string hint;
        std::vector<std::string> known;
        for (const auto& [name, rest] : split_path(o.path)) {
            const auto it = scene.element_index.find(name);
            if (it != scene.element_index.end() || name == "simulation") {
                const Element* e = it != scene.element_index.end() ? &scene.elements[it->second] : nullptr;
                const BlockSpec& block =
                    e != nullptr ? *scene.documents[e->document]->node(e->node).block : block_spec(BlockId::simulation);
                for (const KeywordSpec& k : block.keywords) {
                    known.push_back(name + "." + std::string(k.name));
                    for (const OptionSpec& option : k.options)
                        known.push_back(name + "." + std::string(k.name) + "." + std::string(option.name));
                }
                break;
            }
            for (const Element& e : scene.elements) {
                if (known.size() > 20'000) break;
                known.push_back(e.name + "." + rest);
            }
            known.push_back("simulation." + rest);
        }
        for (const NamedStatement& s : scene.statements) known.push_back(s.path);
        std::vector<std::string_view> views(known.begin(), known.end());
        SourcePlace place;
        place.file = "--set " + o.path;
        report.add({Severity::error,
                    place,
                    "there is nothing called " + quoted(o.path) + " to set",
                    did_you_mean(o.path, views),
                    {}});
    }
}

}  // namespace armature::lang
