#include "armature/scene/build/builder.h"

namespace armature::lang {

namespace {

using A = const Arguments&;

const Setter<ScalarTrack> setters[] = {
    {"interpolation", [](ScalarTrack& t, A a) { t.interpolation = a.choice<Interpolation>(); }},
    {"key",
     [](ScalarTrack& t, A a) {
         if (!t.keys.empty() && !(a.number() > t.keys.back().t))
             a.error("the times of the keys must rise", "this key is not later than the one before it");
         t.keys.push_back({a.number(), a.number(1)});
     }},
};

}  // namespace

void build_track(Builder& b, const BlockSite& site) {
    if (!b.define(site)) return b.check_only(site);
    ScalarTrack track;
    b.read_properties(site, [&](A a) { apply_setter(track, setters, a); });
    b.tracks.emplace(site.name, std::move(track));
}

}  // namespace armature::lang
