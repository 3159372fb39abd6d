#include "armature/doctor/doctor_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace armature {

namespace {

Json place_json(const SourcePlace& place) {
    if (!place.known()) return nullptr;
    return {{"file", place.file}, {"line", place.line}, {"column", place.column}};
}

Json places_json(const std::vector<SourcePlace>& places) {
    Json out = Json::array();
    for (const SourcePlace& place : places) out.push_back(place_json(place));
    return out;
}

Json vector_json(const Vec3& v) {
    return Json::array({v.x, v.y, v.z});
}

Json edit_json(const std::optional<DoctorEdit>& edit) {
    if (!edit) return nullptr;
    Json statements = Json::array();
    for (const StatementEdit& s : edit->statements)
        statements.push_back({{"place", place_json(s.place)}, {"statement", s.keyword}, {"write", s.write}});
    return {{"sentence", edit->sentence}, {"statements", std::move(statements)}};
}

Json finding_json(const Finding& f) {
    return {{"kind", name_of(f.kind)}, {"sentence", f.sentence},          {"joints", f.joints},
            {"solids", f.solids},      {"places", places_json(f.places)}, {"blocked", f.blocked},
            {"measure", f.measure},    {"edit", edit_json(f.edit)}};
}

Json freedom_json(const RemainingFreedom& f) {
    Json motion = Json::array();
    for (std::size_t i = 0; i < f.motion.size(); ++i)
        motion.push_back(
            {{"solid", f.solids[i]}, {"v", vector_json(f.motion[i].v)}, {"w", vector_json(f.motion[i].w)}});
    return {{"kind", name_of(f.kind)}, {"infinitesimal", f.infinitesimal}, {"island", f.island},
            {"sentence", f.sentence},  {"places", places_json(f.places)},  {"motion", std::move(motion)}};
}

Json island_json(const IslandMobility& i) {
    return {{"solids", i.solids},
            {"mobility", i.mobility},
            {"instantaneous", i.instantaneous},
            {"by_count", i.by_count},
            {"rows", i.rows},
            {"rank", i.rank},
            {"smallest_accepted", i.accepted},
            {"largest_rejected", i.rejected},
            {"residual", i.residual}};
}

template <class T, class F>
Json array(const std::vector<T>& list, F one) {
    Json out = Json::array();
    for (const T& x : list) out.push_back(one(x));
    return out;
}

}  // namespace

Json doctor_json(const DoctorReport& r, const std::string& file) {
    return {{"armature", ARMATURE_VERSION},
            {"scene", file},
            {"title", r.title},
            {"consistent", r.consistent()},
            {"mobility", r.mobility},
            {"instantaneous", r.instantaneous},
            {"by_count", r.by_count},
            {"floating", r.floating},
            {"idle", r.idle},
            {"left_out", r.left_out},
            {"all_groups", r.all_groups},
            {"all_edits", r.all_edits},
            {"islands", array(r.islands, island_json)},
            {"findings", array(r.findings, finding_json)},
            {"freedoms", array(r.freedoms, freedom_json)}};
}

}  // namespace armature
