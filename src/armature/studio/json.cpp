#include "armature/studio/json.h"

#include <cmath>

#include "armature/scene/load.h"

namespace armature::studio {

namespace {

template <std::size_t n>
std::optional<std::array<double, n>> numbers(const Json& json) {
    if (!json.is_array() || json.size() != n) return {};
    std::array<double, n> out{};
    for (std::size_t i = 0; i < n; ++i) {
        if (!json[i].is_number()) return {};
        out[i] = json[i].get<double>();
        if (!std::isfinite(out[i])) return {};
    }
    return out;
}

const char* name_of(Severity severity) {
    return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "note";
}

/// UTF-16 units of the first `count` characters of a line.
int units(std::string_view line, int count) {
    int extra = 0, seen = 0;
    for (const char c : line) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte & 0xC0u) == 0x80u) continue;
        if (seen++ == count) break;
        if (byte >= 0xF0u) ++extra;
    }
    return count + extra;
}

}  // namespace

std::optional<Vec3> vec_from(const Json& json) {
    const auto n = numbers<3>(json);
    if (!n) return {};
    return Vec3{(*n)[0], (*n)[1], (*n)[2]};
}

std::optional<Pose> pose_from(const Json& json) {
    const auto n = numbers<7>(json);
    if (!n) return {};
    const auto& p = *n;
    const Quat q{p[6], p[3], p[4], p[5]};
    if (!(norm2(q) > 1e-12) || !std::isfinite(norm2(q))) return {};
    return Pose{{p[0], p[1], p[2]}, normalized(q)};
}

Json problem_json(const SceneDocument& document, const Diagnostic& finding) {
    int column = finding.place.column, length = finding.place.length;
    if (finding.place.known()) {
        const std::string line = source_line(document.scene(), finding.place);
        const int begin = units(line, column - 1), end = units(line, column - 1 + length);
        column = begin + 1;
        length = end - begin;
    }
    const Diagnostic d = document.shown(finding);
    Json json = {{"severity", name_of(d.severity)},
                 {"message", d.message},
                 {"hint", d.hint},
                 {"file", d.place.file},
                 {"line", d.place.line},
                 {"column", column},
                 {"length", length}};
    if (!d.notes.empty()) json["notes"] = d.notes;
    return json;
}

Json problems_json(const SceneDocument& document, const Diagnostics& findings) {
    Json list = Json::array();
    for (const Diagnostic& d : findings.all()) list.push_back(problem_json(document, d));
    return list;
}

Json problem_json(const std::string& message, const std::string& hint) {
    return {{"severity", "error"}, {"message", message}, {"hint", hint}, {"file", ""},
            {"line", 0},           {"column", 0},        {"length", 0}};
}

std::string line_of(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace armature::studio
