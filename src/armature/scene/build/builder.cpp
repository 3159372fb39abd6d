#include "armature/scene/build/builder.h"

#include "armature/scene/limits.h"

namespace armature::lang {

namespace {

Span name_span(const Document& document, const Node& block) {
    for (std::uint32_t g = 0; g < block.group_count; ++g) {
        const Group& group = document.tree.groups[block.first_group + g];
        for (std::uint32_t v = 0; v < group.count; ++v)
            if (document.tree.values[group.first + v].kind == ArgKind::new_name)
                return document.tree.values[group.first + v].span;
    }
    return block.word;
}

std::string at_text(const SourcePlace& p) {
    return p.file + ":" + std::to_string(p.line) + ":" + std::to_string(p.column);
}

}  // namespace

std::uint32_t Builder::add_document(std::shared_ptr<const Document> document) {
    scene.documents.push_back(std::move(document));
    return static_cast<std::uint32_t>(scene.documents.size() - 1);
}

bool Builder::count_statement(const Document& document, Span span) {
    if (stopped_) return false;
    if (++statements_ <= limits::statements) return true;
    report.error(document, span,
                 "the scene has more than " + std::to_string(limits::statements) +
                     " statements when repeats and groups are written out");
    stopped_ = true;
    return false;
}

bool Builder::count_object(const Document& document, Span span) {
    if (++objects_ <= limits::objects) return true;
    report.error(document, span,
                 "the scene has more than " + std::to_string(limits::objects) + " objects and placements");
    stopped_ = true;
    return false;
}

bool Builder::count_joint(const Document& document, Span span) {
    if (joints.size() < limits::joints) return true;
    report.error(document, span, "the scene has more than " + std::to_string(limits::joints) + " joints by name",
                 "a 'constraint' takes less room");
    stopped_ = true;
    return false;
}

bool Builder::define(const BlockSite& site) {
    const auto index = static_cast<std::uint32_t>(scene.elements.size());
    const Document& doc = document(site);
    if (index >= limits::blocks) {
        report.error(doc, node(site).word,
                     "the scene has more than " + std::to_string(limits::blocks) +
                         " blocks when repeats and groups are written out");
        stopped_ = true;
        return false;
    }
    if (!site.name.empty()) {
        const Span span = name_span(doc, node(site));
        if (site.name == "world" || (site.name == "simulation" && node(site).block->id != BlockId::simulation)) {
            report.error(doc, span,
                         "the name '" + site.name + "' is taken: it means " +
                             (site.name == "world" ? "what is fixed" : "the settings"),
                         "choose another name", site.around->notes);
            return false;
        }
        const auto [it, fresh] = scene.element_index.emplace(site.name, index);
        if (!fresh) {
            const Element& first = scene.elements[it->second];
            const Document& where = *scene.documents[first.document];
            std::vector<std::string> notes = {"the first is at " +
                                              at_text(where.place(name_span(where, where.node(first.node))))};
            notes.insert(notes.end(), site.around->notes.begin(), site.around->notes.end());
            report.error(doc, span, "the name " + quoted(site.name) + " is used twice", {}, std::move(notes));
            return false;
        }
    }
    scene.elements.push_back({site.name, site.document, site.node});
    return true;
}

void Builder::refer(Reference::Slot slot, std::size_t index, const BlockSite& site, const std::string& name,
                    const Document& in, Span span, std::string hint) {
    if (name == "world" && slot != Reference::Slot::path && slot != Reference::Slot::track) return;
    // The statement may come from an override, whose text is among the last ones added.
    std::uint32_t document = site.document;
    if (&in != scene.documents[document].get())
        for (std::size_t i = scene.documents.size(); i-- > 0;)
            if (scene.documents[i].get() == &in) document = static_cast<std::uint32_t>(i);
    references.push_back(
        {slot, static_cast<std::uint32_t>(index), name, site.around->prefix, document, span, std::move(hint)});
}

Origin Builder::read_properties(const BlockSite& site, const std::function<void(const Arguments&)>& set) {
    const Document& doc = document(site);
    const Node& block = node(site);
    Origin origin;
    origin.block = doc.place(join(block.word, name_span(doc, block)));
    origin.notes = site.around->notes;
    if (!evaluator.spend(8 * origin.notes.size(), doc, block.word)) {
        stopped_ = true;
        return origin;
    }
    const std::string& key = site.name;
    const std::vector<Overrides::Entry>* entries = overrides.of(key);
    std::vector<unsigned> seen(block.block->keywords.size(), 0);
    std::vector<std::uint32_t> first(block.block->keywords.size(), no_node);
    Arguments arguments;
    for (std::uint32_t c = block.first_child; c != no_node && going(); c = doc.node(c).next) {
        const Node& statement = doc.node(c);
        if (statement.block != nullptr) continue;
        if (!count_statement(doc, statement.word)) break;
        const auto row = static_cast<std::size_t>(statement.keyword - block.block->keywords.data());
        if (++seen[row] == 1) first[row] = c;
        if (statement.damaged) continue;
        if (seen[row] > 1 && !statement.keyword->repeatable) {
            report.error(doc, statement.word, quoted(statement.keyword->name) + " is given twice", {},
                         {"the first is at " + at_text(doc.place(doc.node(first[row]).word))});
            continue;
        }
        std::shared_ptr<const Document> changed;
        if (entries != nullptr) {
            for (const Overrides::Entry& e : *entries) {
                if (e.path.keyword != statement.keyword->name || e.path.occurrence != seen[row]) continue;
                auto next = changed ? overrides.change(e, *changed, changed->node(1), block.block->id, report)
                                    : overrides.change(e, doc, statement, block.block->id, report);
                if (next) changed = std::move(next);
            }
            if (changed) add_document(changed);
        }
        const bool good = changed ? arguments.read(*changed, changed->node(1), *site.around, evaluator, report)
                                  : arguments.read(doc, statement, *site.around, evaluator, report);
        if (seen[row] == 1) origin.properties.emplace_back(statement.keyword->name, arguments.place());
        if (good) set(arguments);
    }
    if (!going()) return origin;
    if (entries != nullptr) missing_overrides(*entries, *block.block, seen, *site.around, set);
    for (std::size_t row = 0; row < seen.size(); ++row) {
        const KeywordSpec& k = block.block->keywords[row];
        if (k.required && seen[row] == 0)
            report.error(doc, block.word, "this " + quoted(block.block->name) + " needs " + quoted(k.name),
                         "write: " + usage(k) + ";", site.around->notes);
    }
    return origin;
}

void Builder::missing_overrides(const std::vector<Overrides::Entry>& entries, const BlockSpec& block,
                                std::vector<unsigned>& seen, const Surroundings& around,
                                const std::function<void(const Arguments&)>& set) {
    for (const Overrides::Entry& e : entries) {
        const KeywordSpec* keyword = block.find_keyword(e.path.keyword);
        if (keyword == nullptr) continue;
        unsigned& count = seen[static_cast<std::size_t>(keyword - block.keywords.data())];
        if (e.path.occurrence != count + 1) continue;
        const auto added = overrides.add(e, *keyword, block.id, report);
        if (!added) continue;
        ++count;
        add_document(added);
        Arguments arguments;
        if (arguments.read(*added, added->node(1), around, evaluator, report)) set(arguments);
    }
}

void Builder::read_overrides_only(const std::string& name, BlockId block, const Surroundings& around,
                                  const std::function<void(const Arguments&)>& set) {
    const std::vector<Overrides::Entry>* entries = overrides.of(name);
    if (entries == nullptr) return;
    const BlockSpec& spec = block_spec(block);
    std::vector<unsigned> seen(spec.keywords.size(), 0);
    missing_overrides(*entries, spec, seen, around, set);
}

}  // namespace armature::lang
