#include "armature/scene/build/builder.h"

namespace armature::lang {

namespace {

using S = SimulationSpec;
using A = const Arguments&;

const Setter<S> setters[] = {
    {"gravity", [](S& s, A a) { s.gravity = a.vec(); }},
    {"duration", [](S& s, A a) { s.duration = a.number(); }},
    {"dt", [](S& s, A a) { s.dt = a.number(); }},
    {"scheme", [](S& s, A a) { s.scheme = a.choice<Scheme>(); }},
    {"verlet_keep", [](S& s, A a) { s.verlet_keep = a.number(); }},
    {"settle", [](S& s, A a) { s.settle = a.number(); }},
    {"solver", [](S& s, A a) { s.solver = a.text(); }},
    {"tolerance", [](S& s, A a) { s.tolerance = a.number(); }},
    {"iterations", [](S& s, A a) { s.iterations = a.integer(); }},
    {"on_failure", [](S& s, A a) { s.on_failure = a.choice<OnFailure>(); }},
    {"max_gap", [](S& s, A a) { s.max_gap = a.number(); }},
    {"assemble", [](S& s, A a) { s.assemble = a.choice<bool>(); }},
    {"assembly_iterations", [](S& s, A a) { s.assembly_iterations = a.integer(); }},
    {"max_rotation", [](S& s, A a) { s.max_rotation = a.number(); }},
    {"max_correction", [](S& s, A a) { s.max_correction = a.number(); }},
    {"min_dt", [](S& s, A a) { s.min_dt = a.number(); }},
    {"threads", [](S& s, A a) { s.threads = a.integer(); }},
    {"variant", [](S& s, A a) { s.displacement.variant = a.integer(); }},
    {"alpha", [](S& s, A a) { s.displacement.alpha = a.choice<AlphaRule>(); }},
    {"order", [](S& s, A a) { s.displacement.order = a.choice<SweepOrder>(); }},
    {"physics", [](S& s, A a) { s.displacement.physics = a.choice<bool>(); }},
    {"accelerate", [](S& s, A a) { s.displacement.accelerate = a.choice<bool>(); }},
    {"relaxation", [](S& s, A a) { s.displacement.relaxation = a.number(); }},
    {"method", [](S& s, A a) { s.linearized.method = a.choice<LinearMethod>(); }},
    {"inner", [](S& s, A a) { s.linearized.inner = a.integer(); }},
    {"budget", [](S& s, A a) { s.linearized.budget = a.number(); }},
    {"h", [](S& s, A a) { s.procedural.h = a.number(); }},
};

}  // namespace

void build_simulation(Builder& b, const BlockSite& site) {
    if (!b.define(site)) return b.check_only(site);
    SimulationSpec& s = b.scene.spec.simulation;
    s.origin = b.read_properties(site, [&](A a) { apply_setter(s, setters, a); });
}

void override_simulation(Builder& b, const Surroundings& around) {
    SimulationSpec& s = b.scene.spec.simulation;
    b.read_overrides_only("simulation", BlockId::simulation, around, [&](A a) {
        s.origin.properties.emplace_back(a.keyword(), a.place());
        apply_setter(s, setters, a);
    });
}

}  // namespace armature::lang
