// The report for people.
#include <fmt/format.h>

#include <algorithm>

#include "armature/doctor/report.h"

namespace armature {

namespace {

std::string place_text(const SourcePlace& place) {
    return place.known() ? fmt::format("{}:{}:{}", place.file, place.line, place.column) : std::string();
}

std::string places_text(const std::vector<SourcePlace>& places) {
    std::string text;
    constexpr std::size_t most = 6;
    for (std::size_t i = 0; i < std::min(most, places.size()); ++i)
        if (places[i].known()) text += (text.empty() ? "" : ", ") + place_text(places[i]);
    if (places.size() > most) text += fmt::format(" and {} more", places.size() - most);
    return text;
}

std::string edit_text(const DoctorEdit& edit) {
    std::string text = fmt::format("      to try    {}\n", edit.sentence);
    constexpr std::size_t most = 3;
    for (std::size_t i = 0; i < edit.statements.size(); ++i) {
        const StatementEdit& s = edit.statements[i];
        if (i == most && edit.statements.size() > most + 1) {
            text +=
                fmt::format("                … and {} more lines, all with --json\n", edit.statements.size() - most);
            break;
        }
        const std::string where = s.place.known() ? "at " + place_text(s.place) + ": " : "";
        if (s.write.empty())
            text += fmt::format("                {}remove {}\n", where,
                                s.keyword.empty() ? "it" : "`" + s.keyword + " …;`");
        else if (s.keyword.empty())
            text += fmt::format("                {}add `{}`\n", where, s.write);
        else
            text += fmt::format("                {}write `{}` instead of {}\n", where, s.write,
                                s.keyword == "joint" ? "the whole joint" : "`" + s.keyword + " …;`");
    }
    return text;
}

std::string finding_text(const Finding& f) {
    std::string text = fmt::format("  {:<16} {}\n", name_of(f.kind), f.sentence);
    if (const std::string places = places_text(f.places); !places.empty()) text += "      where     " + places + "\n";
    if (f.edit) text += edit_text(*f.edit);
    return text;
}

std::string counted(int n, const char* one, const char* many) {
    return fmt::format("{} {}", n, n == 1 ? one : many);
}

std::string mobility_text(const DoctorReport& r) {
    std::string text = fmt::format("  mobility         {}", r.mobility);
    std::string of;
    if (r.floating > 0) of += fmt::format("{} of the whole", r.floating);
    if (r.idle > 0) of += fmt::format("{}{} idle", of.empty() ? "" : ", ", r.idle);
    if (!of.empty()) text += fmt::format(" ({})", of);
    text += fmt::format("; by count {}", r.by_count);
    if (const int rows = r.instantaneous - r.by_count; rows > 0 && r.left_out.empty())
        text += fmt::format(", with {}", counted(rows, "redundant row", "redundant rows"));
    if (r.instantaneous != r.mobility) text += fmt::format("; {} can begin to move here", r.instantaneous);
    double accepted = 1, rejected = 0;
    for (const IslandMobility& i : r.islands) {
        accepted = std::min(accepted, i.accepted);
        rejected = std::max(rejected, i.rejected);
    }
    return text + fmt::format("\n  certainty        weakest constraint {:.2g}, strongest of the others {:.2g}\n",
                              accepted, rejected);
}

/// The motions of the whole of an island in one line.
std::string freedoms_text(const std::vector<RemainingFreedom>& freedoms) {
    std::string text;
    constexpr std::size_t most = 30;
    std::size_t lines = 0;
    for (std::size_t i = 0; i < freedoms.size(); ++i) {
        if (lines++ == most)
            return text + fmt::format("  … and {} more freedoms, all with --json\n", freedoms.size() - i);
        const RemainingFreedom& f = freedoms[i];
        const std::size_t first = i + 1;
        if (f.kind == FreedomClass::floating) {
            while (i + 1 < freedoms.size() && freedoms[i + 1].kind == FreedomClass::floating &&
                   freedoms[i + 1].island == f.island)
                ++i;
            const std::string what =
                f.solids.size() == 1 ? "`" + f.solids[0] + "`"
                                     : fmt::format("the whole of `{}` and {} more", f.solids[0], f.solids.size() - 1);
            text += fmt::format("  freedom {:<8} {} floats: {} rigid motions\n", fmt::format("{}-{}", first, i + 1),
                                what, i + 2 - first);
            continue;
        }
        text += fmt::format("  freedom {:<8} {}{}\n", first, f.kind == FreedomClass::idle ? "idle: " : "", f.sentence);
    }
    return text;
}

}  // namespace

std::string to_text(const DoctorReport& r) {
    std::string text = r.title.empty() ? std::string("The mechanism\n") : r.title + "\n";
    text += mobility_text(r);
    if (!r.left_out.empty())
        text += fmt::format("  left out         `{}`, so that the others hold\n", fmt::join(r.left_out, "`, `"));
    if (r.findings.empty()) text += "  findings         none\n";
    for (const Finding& f : r.findings) text += finding_text(f);
    if (!r.all_edits) text += "  edits were tried for the first findings only: one may take away many\n";
    if (!r.all_groups) text += "  there are more groups than were looked for: put these right first\n";
    return text + freedoms_text(r.freedoms);
}

}  // namespace armature
