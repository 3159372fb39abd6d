#include "armature/studio/completion.h"

#include <algorithm>
#include <set>

#include "armature/scene/document.h"
#include "armature/scene/schema.h"

namespace armature::studio {

namespace {

using namespace lang;

/// Where the text before the place leaves the reader.
struct Standing {
    std::vector<const BlockSpec*> blocks;
    const KeywordSpec* statement = nullptr;  ///< being written, or a block's header
    bool header = false;
    const OptionSpec* option = nullptr;          ///< the last one that was named
    std::set<std::string, std::less<>> options;  ///< that it has already
};

Standing read_to(const Document& d, std::size_t offset) {
    Standing s;
    s.blocks.push_back(&block_spec(BlockId::file));
    for (const Token& t : d.tokens) {
        // A word that the place touches is the one being typed.
        if (t.span.end > offset || (t.span.end == offset && t.kind == TokenKind::identifier)) break;
        if (t.is_trivia()) continue;
        const std::string_view word = d.slice(t.span);
        const auto leave = [&] {
            s.statement = nullptr;
            s.option = nullptr;
            s.options.clear();
            s.header = false;
        };
        if (t.kind == TokenKind::symbol && word == ";") {
            leave();
            continue;
        }
        if (t.kind != TokenKind::identifier) continue;
        const BlockSpec* inside = s.blocks.back();
        const bool may_begin = s.statement == nullptr || s.header;
        if (may_begin && word == "end") {
            if (s.blocks.size() > 1) s.blocks.pop_back();
            leave();
            continue;
        }
        // The header of a block has no end of its own: the first keyword of the block ends it.
        if (may_begin && !(s.header && s.statement->find_option(word) != nullptr)) {
            const BlockSpec* block = find_block(word);
            if (block != nullptr && inside->may_contain(block->id)) {
                leave();
                s.blocks.push_back(block);
                s.statement = &block->header;
                s.header = true;
                continue;
            }
            if (const KeywordSpec* keyword = inside->find_keyword(word)) {
                leave();
                s.statement = keyword;
                continue;
            }
        }
        if (s.statement == nullptr) continue;
        if (const OptionSpec* option = s.statement->find_option(word)) {
            s.option = option;
            s.options.insert(std::string(word));
        }
    }
    return s;
}

void add_arguments(std::vector<Completion>& out, const Scene& scene, const std::vector<ArgSpec>& args) {
    bool objects = false, numbers = false;
    for (const ArgSpec& a : args) {
        if (a.kind == ArgKind::choice)
            for (const std::string_view c : split_choices(a.choices))
                out.push_back({std::string(c), "choice", std::string(a.name), std::string(c)});
        objects = objects || a.kind == ArgKind::object;
        numbers = numbers || is_numeric(a.kind);
        const BlockId wanted = a.kind == ArgKind::path ? BlockId::path : BlockId::track;
        if (a.kind != ArgKind::path && a.kind != ArgKind::track && a.kind != ArgKind::scalar) continue;
        for (const Element& e : scene.elements)
            if (scene.documents[e.document]->node(e.node).block->id == wanted)
                out.push_back({e.name, "name", wanted == BlockId::path ? "path" : "track", e.name});
    }
    if (objects) {
        out.push_back({"world", "name", "what does not move", "world"});
        for (const SolidSpec& s : scene.spec.solids) {
            if (out.size() > 500) break;  // nobody reads more
            out.push_back({s.name, "name", "object", s.name});
        }
    }
    if (numbers)
        for (const NamedStatement& p : scene.statements)
            if (p.path != "title") out.push_back({p.path, "parameter", "parameter", p.path});
}

}  // namespace

std::size_t offset_at(std::string_view text, int line, int column) {
    std::size_t at = 0;
    for (int l = 1; l < line; ++l) {
        const std::size_t next = text.find('\n', at);
        if (next == std::string_view::npos) return text.size();
        at = next + 1;
    }
    for (int unit = 1; unit < column && at < text.size() && text[at] != '\n';) {
        const auto lead = static_cast<unsigned char>(text[at]);
        unit += lead >= 0xF0u ? 2 : 1;
        ++at;
        while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0u) == 0x80u) ++at;
    }
    return at;
}

std::vector<Completion> completions(const Scene& scene, std::size_t offset) {
    const Document& d = *scene.documents[0];
    const Standing s = read_to(d, offset);
    std::vector<Completion> out;
    const BlockSpec& inside = *s.blocks.back();
    if (s.statement == nullptr || s.header) {
        for (const KeywordSpec& k : inside.keywords)
            out.push_back({std::string(k.name), "keyword", std::string(k.doc),
                           std::string(k.name) + (k.args.empty() && k.options.empty() ? ";" : " ")});
        for (const BlockId id : inside.contents) {
            const BlockSpec& b = block_spec(id);
            out.push_back({std::string(b.name), "block", std::string(b.doc), std::string(b.name) + " "});
        }
        if (s.blocks.size() > 1) out.push_back({"end", "keyword", "ends the block " + std::string(inside.name), "end"});
    }
    if (s.statement != nullptr) {
        if (s.option != nullptr)
            add_arguments(out, scene, s.option->args);
        else
            add_arguments(out, scene, s.statement->args);
        for (const OptionSpec& o : s.statement->options)
            if (s.options.count(o.name) == 0)
                out.push_back({std::string(o.name), "option", std::string(o.doc), std::string(o.name) + " "});
    }
    return out;
}

}  // namespace armature::studio
