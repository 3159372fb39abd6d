#include "armature/scene/parser.h"

#include "armature/base/suggest.h"
#include "armature/scene/argument_parser.h"
#include "armature/scene/cursor.h"
#include "armature/scene/limits.h"

namespace armature::lang {

namespace {

bool is_structure(const BlockSpec& block) {
    return !block.contents.empty();
}

class Parser {
  public:
    Parser(Document& document, Report& report) : document_(document), report_(report), cursor_(document) {}

    void run(BlockId inside) {
        Node root;
        root.block = &block_spec(inside);
        root.keyword = &root.block->header;
        root.span = {0, static_cast<std::uint32_t>(document_.text.size())};
        document_.tree.nodes.push_back(root);
        content(0, 0);
    }

  private:
    Node& node(std::uint32_t i) { return document_.tree.nodes[i]; }
    void fail(Span span, std::string message, std::string hint = {}) {
        report_.error(document_, span, std::move(message), std::move(hint));
    }
    bool stopped() const { return stop_ || report_.full(); }

    // Statements and blocks up to the 'end' of `parent`, or to the end of the text for the outermost.
    void content(std::uint32_t parent, std::size_t depth) {
        const BlockSpec& block = *node(parent).block;
        std::uint32_t previous = no_node;
        while (!stopped() && !cursor_.at_end()) {
            if (cursor_.is_end_word()) {
                if (depth > 0) return;
                fail(cursor_.span(), "'end' without a block to close");
                cursor_.advance();
            } else if (cursor_.is(TokenKind::identifier)) {
                if (depth > 0 && closes_early(block)) return;
                const std::uint32_t child = statement(block, depth);
                if (child == no_node) continue;
                node(child).parent = parent;
                (previous == no_node ? node(parent).first_child : node(previous).next) = child;
                previous = child;
            } else if (cursor_.is_symbol(';')) {
                fail(cursor_.span(), "nothing stands before this ';'", "'end' needs no ';'");
                cursor_.advance();
            } else {
                if (!cursor_.is(TokenKind::bad))
                    fail(cursor_.span(), "expected a keyword, found " + quoted(cursor_.text()));
                skip_to_word();
            }
        }
    }

    // A block inside a block that cannot hold any: the 'end' before it was forgotten.
    bool closes_early(const BlockSpec& block) const {
        return !is_structure(block) && block.find_keyword(cursor_.text()) == nullptr &&
               find_block(cursor_.text()) != nullptr;
    }

    std::uint32_t statement(const BlockSpec& parent, std::size_t depth) {
        if (const KeywordSpec* keyword = parent.find_keyword(cursor_.text())) return property(*keyword, parent);
        const BlockSpec* block = find_block(cursor_.text());
        if (block != nullptr && parent.may_contain(block->id)) return open_block(*block, depth);
        if (block != nullptr) {
            fail(cursor_.span(), quoted(block->name) + " cannot stand inside " + quoted(parent.name),
                 "close that block with 'end' first");
            const std::uint32_t inner = open_block(*block, depth);
            if (inner != no_node) node(inner).damaged = true;
            return inner;
        }
        return unknown(parent, depth);
    }

    std::uint32_t property(const KeywordSpec& keyword, const BlockSpec& parent) {
        Node n = start_node(keyword);
        n.damaged = !ArgumentParser(cursor_, document_, report_).parse(n, keyword);
        if (n.damaged) {
            recover(parent);
        } else if (cursor_.is_symbol(';')) {
            cursor_.advance();
        } else {
            n.damaged = !missing_semicolon(keyword, parent);
        }
        return finish(n);
    }

    // True when nothing but the ';' is wrong, so that the statement can be used.
    bool missing_semicolon(const KeywordSpec& keyword, const BlockSpec& parent) {
        if (cursor_.is(TokenKind::bad)) {
            recover(parent);
            return false;
        }
        const Span gap = {cursor_.last().end, cursor_.last().end};
        const std::string name = quoted(keyword.name);
        const bool next_begins =
            cursor_.at_end() || cursor_.is_end_word() ||
            (cursor_.is(TokenKind::identifier) && (parent.find_keyword(cursor_.text()) || find_block(cursor_.text())));
        if (next_begins) {
            fail(gap, "missing ';' after " + name);
            return true;
        }
        const std::string found = quoted(cursor_.text());
        if (cursor_.is(TokenKind::identifier) && !keyword.options.empty()) {
            std::string hint = did_you_mean(cursor_.text(), option_names(keyword));
            if (hint.empty()) hint = "write: " + usage(keyword) + ";";
            fail(cursor_.span(), name + " has no option " + found, std::move(hint));
        } else {
            fail(cursor_.span(), name + " takes " + describe(keyword.args) + "; " + found + " is too much",
                 cursor_.is_symbol(',') ? "arguments are separated by blanks" : "write: " + usage(keyword) + ";");
        }
        recover(parent);
        return false;
    }

    std::uint32_t open_block(const BlockSpec& block, std::size_t depth) {
        if (depth >= limits::block_depth) {
            fail(cursor_.span(), "more than " + std::to_string(limits::block_depth) + " blocks inside one another");
            stop_ = true;  // whatever follows is not meant to be read
            return no_node;
        }
        Node n = start_node(block.header);
        n.block = &block;
        if (!header(n, block)) {
            n.damaged = true;
            document_.tree.broken_header = true;
            skip_header(block);
        }
        const std::uint32_t index = finish(n);
        content(index, depth + 1);
        close_block(index);
        return index;
    }

    // True when the name could be read or may be left out.
    bool header(Node& n, const BlockSpec& block) {
        ArgumentParser arguments(cursor_, document_, report_);
        const std::vector<ArgSpec>& args = block.header.args;
        if (args.empty() || args[0].kind != ArgKind::new_name) return arguments.parse(n, block.header);
        const bool keyword = cursor_.is(TokenKind::identifier) && block.find_keyword(cursor_.text()) != nullptr;
        if (args[0].optional && keyword) return arguments.parse_options(n, block.header);
        if (keyword && !followed_by_keyword(block)) {
            fail(n.word, quoted(block.name) + " needs a name",
                 "write: " + std::string(block.name) + " NAME " + std::string(cursor_.text()) + " …");
            return false;
        }
        return arguments.parse(n, block.header);
    }

    // `object box box size 1 1 1;`: the first 'box' is a name because a keyword follows.
    bool followed_by_keyword(const BlockSpec& block) const {
        const Cursor next = cursor_.next();
        if (next.is_symbol('[')) return true;
        return next.is(TokenKind::identifier) &&
               (next.is_end_word() || block.find_keyword(next.text()) || find_block(next.text()));
    }

    // To where the content of a block with a faulty header seems to begin.
    void skip_header(const BlockSpec& block) {
        while (!cursor_.at_end() && !cursor_.is_end_word() && !cursor_.is_symbol(';')) {
            if (cursor_.is(TokenKind::identifier) && (block.find_keyword(cursor_.text()) || find_block(cursor_.text())))
                return;
            cursor_.advance();
        }
        if (cursor_.is_symbol(';')) cursor_.advance();
    }

    void close_block(std::uint32_t index) {
        const BlockSpec& block = *node(index).block;
        if (cursor_.is_end_word()) {
            node(index).span.end = cursor_.span().end;
            cursor_.advance();
            return;
        }
        node(index).span.end = std::max(node(index).span.end, cursor_.last().end);
        if (stopped()) return;
        const std::string opened = "this " + quoted(block.name) + " is not closed";
        if (cursor_.at_end())
            fail(node(index).word, opened, "add 'end'");
        else
            fail(node(index).word, opened,
                 "add 'end' before line " + std::to_string(document_.place(cursor_.span()).line) + ": " +
                     quoted(cursor_.text()) + " begins a new block");
    }

    std::uint32_t unknown(const BlockSpec& parent, std::size_t depth) {
        const std::string_view word = cursor_.text();
        const Span span = cursor_.span();
        std::vector<std::string_view> known;
        for (const KeywordSpec& k : parent.keywords) known.push_back(k.name);
        for (const BlockId id : parent.contents) known.push_back(block_spec(id).name);
        const std::string_view best = closest_word(word, known);
        std::string where = parent.id == BlockId::file ? "" : " in " + quoted(parent.name);
        std::string hint = best.empty() ? "" : "did you mean " + quoted(best) + "?";
        for (const BlockSpec& b : schema())
            if (hint.empty() && is_structure(parent) && b.id != parent.id && b.find_keyword(word) != nullptr)
                hint = quoted(word) + " belongs inside " + quoted(b.name) + ": is there an 'end' too many?";
        fail(span, "unknown keyword " + quoted(word) + where, std::move(hint));
        // Read on as what it was probably meant to be, so that its content is checked too.
        if (const BlockSpec* block = find_block(best); block != nullptr && parent.may_contain(block->id)) {
            document_.tree.broken_header = true;
            const std::uint32_t index = open_block(*block, depth);
            if (index != no_node) node(index).damaged = true;
            return index;
        }
        if (is_structure(parent) && looks_like_block()) {
            document_.tree.broken_header = true;
            while (!cursor_.at_end() && !cursor_.is_end_word()) cursor_.advance();
            cursor_.advance();
        } else {
            recover(parent);
        }
        return no_node;
    }

    // An 'end' comes before anything that could stand here: the unknown word opened a block.
    bool looks_like_block() const {
        const BlockSpec& file = block_spec(BlockId::file);
        Cursor c = cursor_.next();
        bool begins = false;
        for (int budget = 10'000; budget > 0 && !c.at_end(); --budget, c.advance()) {
            if (c.is_end_word()) return true;
            if (begins && begins_anew(c, file)) return false;
            begins = c.is_symbol(';');
        }
        return false;
    }

    // Past what is no word, and past the ';' if one comes first.
    void skip_to_word() {
        while (!cursor_.at_end() && !cursor_.is(TokenKind::identifier)) {
            const bool semicolon = cursor_.is_symbol(';');
            cursor_.advance();
            if (semicolon) return;
        }
    }

    // Behind the next ';', or before an 'end' or a line that begins with what can only be something new.
    void recover(const BlockSpec& parent) {
        while (!cursor_.at_end() && !cursor_.is_end_word()) {
            const bool semicolon = cursor_.is_symbol(';');
            cursor_.advance();
            if (semicolon || (cursor_.first_on_line() && begins_anew(cursor_, parent))) return;
        }
    }
    static bool begins_anew(const Cursor& c, const BlockSpec& parent) {
        if (!c.is(TokenKind::identifier)) return false;
        const bool keyword = parent.find_keyword(c.text()) != nullptr;
        return is_structure(parent) ? keyword || find_block(c.text()) != nullptr
                                    : !keyword && find_block(c.text()) != nullptr;
    }

    Node start_node(const KeywordSpec& keyword) {
        Node n;
        n.keyword = &keyword;
        n.word = cursor_.span();
        n.span = n.word;
        n.first_group = static_cast<std::uint32_t>(document_.tree.groups.size());
        cursor_.advance();
        return n;
    }
    std::uint32_t finish(Node n) {
        n.span.end = std::max(n.word.end, cursor_.last().end);
        document_.tree.nodes.push_back(n);
        return static_cast<std::uint32_t>(document_.tree.nodes.size() - 1);
    }

    Document& document_;
    Report& report_;
    Cursor cursor_;
    bool stop_ = false;
};

}  // namespace

Document parse(std::string name, std::string text, Report& report, BlockId inside) {
    Document document;
    document.name = std::move(name);
    document.text = std::move(text);
    index_lines(document);
    const std::size_t errors_before = report.errors();
    const auto size = static_cast<std::uint32_t>(document.text.size());
    if (const std::size_t bad = find_invalid_byte(document.text); bad < document.text.size()) {
        const auto at = static_cast<std::uint32_t>(bad);
        report.error(document, {at, at + 1},
                     document.text[bad] == '\0' ? "the text holds a NUL byte" : "the text is not valid UTF-8",
                     "is this a scene file?");
        document.tokens.push_back({{0, size}, TokenKind::bad});
        document.tree.nodes.push_back({.block = &block_spec(inside), .damaged = true});
        document.tree.broken_header = true;
        document.well_formed = false;
        return document;
    }
    Tokens tokens = lex(document.text);
    document.tokens = std::move(tokens.list);
    for (LexicalError& e : tokens.errors) report.error(document, e.span, std::move(e.message), std::move(e.hint));
    Parser(document, report).run(inside);
    document.well_formed = report.errors() == errors_before;
    return document;
}

}  // namespace armature::lang
