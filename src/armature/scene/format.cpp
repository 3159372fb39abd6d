#include "armature/scene/format.h"

#include <algorithm>

#include "armature/scene/parser.h"

namespace armature {

namespace {

using namespace lang;

// A line of the formatted text: a statement, the header of a block, or its 'end'.
struct Line {
    enum class Kind { statement, header, end };
    Kind kind = Kind::statement;
    Span span;
    int depth = 0;
};

std::vector<Line> lines_of(const Document& document) {
    std::vector<Line> lines;
    std::vector<std::uint32_t> open;
    std::uint32_t next = document.node(0).first_child;
    for (;;) {
        if (next == no_node) {
            if (open.empty()) return lines;
            const Node& block = document.node(open.back());
            open.pop_back();
            lines.push_back({Line::Kind::end, {block.span.end - 3, block.span.end}, static_cast<int>(open.size())});
            next = block.next;
            continue;
        }
        const Node& n = document.node(next);
        const int depth = static_cast<int>(open.size());
        if (n.block == nullptr) {
            lines.push_back({Line::Kind::statement, n.span, depth});
            next = n.next;
            continue;
        }
        Span header = n.word;
        for (std::uint32_t g = 0; g < n.group_count; ++g)
            header.end = arguments_span(document.tree, document.tree.groups[n.first_group + g]).end;
        lines.push_back({Line::Kind::header, header, depth});
        open.push_back(next);
        next = n.first_child;
    }
}

class Formatter {
  public:
    explicit Formatter(const Document& document) : document_(document), lines_(lines_of(document)) {}

    std::string run() {
        for (const Token& t : document_.tokens) {
            const std::string_view text = document_.slice(t.span);
            if (t.kind == TokenKind::blank) {
                blank_ = true;
                newlines_ += std::count(text.begin(), text.end(), '\n');
                continue;
            }
            const bool is_comment = t.is_trivia();
            if (next_ > 0 && t.span.begin < lines_[next_ - 1].span.end)
                inside_line(t, text);
            else if (is_comment)
                comment_between_lines(t, text);
            else
                begin_line(text);
            blank_ = is_comment;  // a comment separates like a blank
            newlines_ = 0;
        }
        end_line();
        return std::move(out_);
    }

  private:
    bool at_line_start() const { return out_.empty() || out_.back() == '\n'; }
    void end_line() {
        if (!at_line_start()) out_ += '\n';
    }
    void indent(int depth) { out_.append(static_cast<std::size_t>(2 * depth), ' '); }
    bool next_is_end() const { return next_ < lines_.size() && lines_[next_].kind == Line::Kind::end; }

    // An empty line of the author is kept; not two, nor one first in the file or in a block, nor one before 'end'.
    void keep_empty_line() {
        if (newlines_ > 1 && !out_.empty() && !behind_header_) out_ += '\n';
    }

    void begin_line(std::string_view text) {
        end_line();
        if (!next_is_end()) keep_empty_line();
        indent(lines_[next_].depth);
        out_ += text;
        behind_header_ = lines_[next_].kind == Line::Kind::header;
        ++next_;
    }

    void inside_line(const Token& t, std::string_view text) {
        // A line comment inside a statement breaks it; it goes on further in.
        if (at_line_start())
            indent(lines_[next_ - 1].depth + 2);
        else if (blank_ && text != ";")
            out_ += ' ';
        write(t, text);
    }

    void comment_between_lines(const Token& t, std::string_view text) {
        if (newlines_ > 0 || at_line_start()) {
            end_line();
            keep_empty_line();
            const bool last = next_ >= lines_.size();
            indent(last ? 0 : lines_[next_].depth + (next_is_end() ? 1 : 0));
            behind_header_ = false;
        } else {
            out_ += t.kind == TokenKind::line_comment ? "  " : " ";
        }
        write(t, text);
    }

    void write(const Token& t, std::string_view text) {
        if (t.kind == TokenKind::line_comment) {
            out_ += text.substr(0, text.find_last_not_of(" \t\r\f\v") + 1);
            out_ += '\n';
        } else {
            std::copy_if(text.begin(), text.end(), std::back_inserter(out_), [](char c) { return c != '\r'; });
        }
    }

    const Document& document_;
    std::vector<Line> lines_;
    std::string out_;
    std::size_t next_ = 0;         // of lines_
    std::ptrdiff_t newlines_ = 0;  // since the last token
    bool blank_ = false;           // likewise
    bool behind_header_ = false;
};

}  // namespace

std::string format_document(const Document& document) {
    return Formatter(document).run();
}

std::optional<std::string> format_text(std::string text, const std::string& name, Diagnostics& diagnostics) {
    Report report;
    const Document document = parse(name, std::move(text), report);
    report.deliver(diagnostics);
    if (!document.well_formed) return {};
    return format_document(document);
}

}  // namespace armature
