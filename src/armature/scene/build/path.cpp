#include "armature/scene/build/builder.h"

namespace armature::lang {

namespace {

using A = const Arguments&;

const Setter<PoseTrack> setters[] = {
    {"interpolation", [](PoseTrack& t, A a) { t.interpolation = a.choice<Interpolation>(); }},
    {"key",
     [](PoseTrack& t, A a) {
         const std::optional<Quat> q = orientation_of(a);
         if (!t.keys.empty() && !(a.number() > t.keys.back().t))
             a.error("the times of the keys must rise", "this key is not later than the one before it");
         if (q) t.keys.push_back({a.number(), {a.vec(1), *q}});
     }},
};

}  // namespace

void build_path(Builder& b, const BlockSite& site) {
    if (!b.define(site)) return b.check_only(site);
    PoseTrack track;
    b.read_properties(site, [&](A a) { apply_setter(track, setters, a); });
    if (site.around->placed)
        for (PoseKey& key : track.keys) key.pose = site.around->placement * key.pose;
    b.paths.emplace(site.name, std::move(track));
}

}  // namespace armature::lang
