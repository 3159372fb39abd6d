#include "armature/scene/report.h"

#include <algorithm>

#include "armature/scene/limits.h"

namespace armature::lang {

void Report::error(const Document& document, Span span, std::string message, std::string hint,
                   std::vector<std::string> notes) {
    add({Severity::error, document.place(span), std::move(message), std::move(hint), std::move(notes)});
}

void Report::warning(const Document& document, Span span, std::string message, std::string hint,
                     std::vector<std::string> notes) {
    add({Severity::warning, document.place(span), std::move(message), std::move(hint), std::move(notes)});
}

void Report::add(Diagnostic finding) {
    if (full_) return;
    const auto same = [&](const Diagnostic& d) {
        return d.place.line == finding.place.line && d.place.column == finding.place.column &&
               d.message == finding.message && d.place.file == finding.place.file;
    };
    if (std::any_of(list_.begin(), list_.end(), same)) {
        // A wrong line inside a large repeat: a thousand times is enough to have met every turn that matters.
        if (finding.severity == Severity::error && ++repeated_ > 1000) full_ = true;
        return;
    }
    const bool is_error = finding.severity == Severity::error;
    if (!is_error && warnings_ >= limits::shown_errors) return;
    ++(is_error ? errors_ : warnings_);
    list_.push_back(std::move(finding));
    if (errors_ >= limits::shown_errors) full_ = true;
}

void Report::deliver(Diagnostics& out) {
    // Files in the order in which they were first complained about.
    std::vector<std::string> files;
    const auto rank = [&](const std::string& file) {
        return std::find(files.begin(), files.end(), file) - files.begin();
    };
    for (const Diagnostic& d : list_)
        if (rank(d.place.file) == std::ssize(files)) files.push_back(d.place.file);
    std::stable_sort(list_.begin(), list_.end(), [&](const Diagnostic& a, const Diagnostic& b) {
        const auto ra = rank(a.place.file), rb = rank(b.place.file);
        if (ra != rb) return ra < rb;
        return a.place.line != b.place.line ? a.place.line < b.place.line : a.place.column < b.place.column;
    });
    const bool cut = errors_ >= limits::shown_errors;
    for (Diagnostic& d : list_) out.add(std::move(d));
    if (cut) {
        Diagnostic closing;
        closing.severity = Severity::note;
        closing.message =
            "there may be more: only the first " + std::to_string(limits::shown_errors) + " errors are shown";
        out.add(std::move(closing));
    }
    list_.clear();
}

std::string quoted(std::string_view text) {
    constexpr std::size_t most = 60;
    std::string out = "'";
    for (const char c : text.substr(0, most)) out += c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
    if (text.size() > most) {
        while (out.size() > 1 && static_cast<unsigned char>(out.back()) >= 0x80u) out.pop_back();
        out += "...";
    }
    return out + "'";
}

}  // namespace armature::lang
