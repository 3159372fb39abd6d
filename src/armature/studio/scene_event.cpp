#include "armature/studio/scene_event.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "armature/export/tessellate.h"
#include "armature/model/joint_library.h"
#include "armature/scene/document.h"
#include "armature/sim/free_motion.h"

namespace armature::studio {

namespace {

Json mesh_json(const Geometry& geometry) {
    const SurfaceMesh mesh = tessellate(geometry);
    Json positions = Json::array(), indices = Json::array();
    for (const Vec3& p : mesh.positions)
        for (const double x : {p.x, p.y, p.z}) positions.push_back(static_cast<float>(x));
    for (const auto& t : mesh.triangles)
        for (const std::uint32_t i : t) indices.push_back(i);
    return {{"kind", "mesh"}, {"positions", std::move(positions)}, {"indices", std::move(indices)}};
}

Json shape_json(const Shape& shape) {
    struct Kind {
        Json operator()(const Sphere& s) const { return {{"kind", "sphere"}, {"radius", s.radius}}; }
        Json operator()(const Box& s) const { return {{"kind", "box"}, {"size", json_of(s.size)}}; }
        Json operator()(const Cylinder& s) const {
            return {{"kind", "cylinder"}, {"radius", s.radius}, {"length", s.length}};
        }
        Json operator()(const Capsule& s) const {
            return {{"kind", "capsule"}, {"radius", s.radius}, {"length", s.length}};
        }
        Json operator()(const Ellipsoid& s) const { return {{"kind", "ellipsoid"}, {"radii", json_of(s.radii)}}; }
        Json operator()(const Plane&) const { return {{"kind", "plane"}}; }
        Json operator()(const MeshShape& s) const { return mesh_json(s); }
    };
    Json json = std::visit(Kind{}, shape.geometry);
    if (!shape.name.empty()) json["name"] = shape.name;
    json["pose"] = json_of(shape.X_BS);
    return json;
}

const char* kind_of(const Body& b) {
    if (b.tracker) return "tracker";
    if (b.kernel == Kernel::path) return "path";
    if (b.kernel == Kernel::fixed) return "fixed";
    return b.particle ? "particle" : "dynamic";
}

/// Elements by their names, and how many come from the same characters.
struct Elements {
    explicit Elements(const SceneDocument& d) : scene(d.scene()), document(d) {
        for (const Element& e : scene.elements) ++uses[key(e)];
    }
    static std::uint64_t key(const Element& e) { return (std::uint64_t{e.document} << 32) | e.node; }

    const Element* find(const std::string& name) const {
        const auto it = scene.element_index.find(name);
        return it == scene.element_index.end() ? nullptr : &scene.elements[it->second];
    }
    /// A block of a text that is ours to change and makes this one thing only.
    bool editable(const Element* e) const {
        return e != nullptr && uses.at(key(*e)) == 1 && document.refusal(e->document).empty();
    }
    /// Where the block is written: its line, and its file when that is an included one.
    void add_place(Json& json, const Element* e) const {
        json["line"] = 0;
        if (e == nullptr) return;
        const Document& d = *scene.documents[e->document];
        json["line"] = d.place(d.node(e->node).span).line;
        if (e->document != 0) json["file"] = document.shown(d.name);
    }

    const Scene& scene;
    const SceneDocument& document;
    std::unordered_map<std::uint64_t, int> uses;
};

Json body_json(const Body& b, const Elements& elements) {
    Json shapes = Json::array();
    for (const Shape& s : b.shapes) shapes.push_back(shape_json(s));
    const Element* e = elements.find(b.name);
    Json json = {{"name", b.name},
                 {"kind", kind_of(b)},
                 {"color", json_of(b.color)},
                 {"mass", std::isfinite(b.mass) ? Json(b.mass) : Json()},
                 {"centre", json_of(b.centre_B)},
                 {"shapes", std::move(shapes)},
                 {"editable", elements.editable(e)}};
    elements.add_place(json, e);
    return json;
}

/// The word of `type` in a joint block.
std::string written_type(const Scene& scene, const Element* e) {
    if (e == nullptr) return {};
    const Document& d = *scene.documents[e->document];
    const lang::Node& block = d.node(e->node);
    if (block.block == nullptr || block.block->id != lang::BlockId::joint) return {};
    for (std::uint32_t c = block.first_child; c != lang::no_node; c = d.node(c).next) {
        const lang::Node& n = d.node(c);
        if (n.block != nullptr || n.keyword->name != "type" || n.group_count == 0) continue;
        const lang::Group& g = d.tree.groups[n.first_group];
        if (g.count == 0) continue;
        const JointTypeInfo* info = find_joint_type(d.slice(d.tree.values[g.first].span));
        return info != nullptr ? std::string(info->name) : std::string();
    }
    return {};
}

bool fixed_angle(const ConstraintSpec& c) {
    return c.angle && c.angle->max < 1e-9;
}
bool fixed_twist(const ConstraintSpec& c) {
    return c.twist && c.twist->max - c.twist->min < 1e-9;
}

/// What a joint looks like: by its type, or by what its parts hold.
std::string drawn_as(const ConstraintSpec& c, const std::string& type) {
    if (type == "embedding") return "weld";
    if (type == "sliding") return "slider";
    if (type == "plane_on_plane") return "planar";
    if (!type.empty()) return type;
    if (!c.hinge) return "constraint";
    if (std::holds_alternative<PointDomain>(c.hinge->domain))
        return !fixed_angle(c) ? "ball" : fixed_twist(c) ? "weld" : "pin";
    if (std::holds_alternative<SegmentDomain>(c.hinge->domain))
        return !fixed_angle(c) ? "segment" : fixed_twist(c) ? "slider" : "cylindrical";
    if (std::holds_alternative<RingDomain>(c.hinge->domain)) return "ring";
    return "constraint";
}

Json bound(double x) {
    return std::isfinite(x) ? Json(x) : Json();
}
Json bound(const ScalarTrack& track, double unbounded) {
    return track.given() ? bound(track.keys.front().value) : bound(unbounded);
}

Json limits_json(const ConstraintSpec& c) {
    static constexpr const char* kinds[] = {"slide", "turn", "swing", "dial", "dial"};
    Json list = Json::array();
    if (c.hinge) {
        if (const auto* s = std::get_if<SegmentDomain>(&c.hinge->domain); s != nullptr)
            list.push_back({{"freedom", "slide"}, {"kind", "segment"}, {"min", bound(s->min)}, {"max", bound(s->max)}});
        if (const auto* r = std::get_if<RingDomain>(&c.hinge->domain); r != nullptr)
            list.push_back({{"freedom", "distance"}, {"kind", "ring"}, {"min", bound(r->min)}, {"max", bound(r->max)}});
        if (const auto* r = std::get_if<SphereDomain>(&c.hinge->domain); r != nullptr)
            list.push_back(
                {{"freedom", "distance"}, {"kind", "sphere"}, {"min", bound(r->min)}, {"max", bound(r->max)}});
    }
    if (c.angle && c.angle->max > 0 && (c.angle->min > 0 || c.angle->max < pi - 1e-9))
        list.push_back({{"freedom", "swing"}, {"kind", "cone"}, {"min", c.angle->min}, {"max", c.angle->max}});
    if (c.twist && c.twist->max > c.twist->min && c.twist->max - c.twist->min < 2 * pi)
        list.push_back({{"freedom", "twist"}, {"kind", "arc"}, {"min", c.twist->min}, {"max", c.twist->max}});
    for (const FreedomSpec& f : c.freedoms)
        if (f.min.given() || f.max.given())
            list.push_back({{"freedom", f.name},
                            {"kind", kinds[static_cast<std::size_t>(f.kind)]},
                            {"min", bound(f.min, -infinity)},
                            {"max", bound(f.max, infinity)}});
    return list;
}

struct Axes {
    Vec3 a1{1, 0, 0}, a2{1, 0, 0};
};
Axes axes_of(const ConstraintSpec& c) {
    if (c.hinge) {
        if (const auto* s = std::get_if<SegmentDomain>(&c.hinge->domain); s != nullptr && !c.angle)
            return {s->axis_2, s->axis_2};
        if (const auto* r = std::get_if<RingDomain>(&c.hinge->domain); r != nullptr && !c.angle)
            return {r->normal_2, r->normal_2};
    }
    if (c.angle) return {c.angle->a1_B, c.angle->a2_B};
    if (!c.freedoms.empty()) return {c.freedoms[0].axis1_B, c.freedoms[0].axis2_B};
    return {};
}

/// Where the turns of a joint are zero, in the frames of its solids.
void add_across(Json& json, const ConstraintSpec& c) {
    Vec3 a1, a2;
    for (const FreedomSpec& f : c.freedoms)
        if (f.across1_B != Vec3{} && a1 == Vec3{}) {
            a1 = f.across1_B;
            a2 = f.across2_B;
        }
    if (a1 == Vec3{} && c.twist) {
        a1 = c.twist->b1_B;
        a2 = c.twist->b2_B;
    }
    if (a1 == Vec3{}) return;
    json["across1"] = json_of(a1);
    json["across2"] = json_of(a2);
}

Json joint_json(const Model& model, const Joint& j, const ConstraintSpec& c, const Elements& elements) {
    const Element* e = elements.find(j.name);
    const std::string type = written_type(elements.scene, e);
    const Axes axes = axes_of(c);
    Json freedoms = Json::array();
    for (const FreedomId id : j.freedoms) {
        const Freedom& f = model.freedoms[static_cast<std::size_t>(id)];
        freedoms.push_back({{"name", f.name}, {"length", is_length(f.coordinate)}});
    }
    Json json = {{"name", j.name},
                 {"kind", drawn_as(c, type)},
                 {"type", type},
                 {"body1", j.body1},
                 {"body2", j.body2},
                 {"p1", json_of(c.hinge ? c.hinge->p1_B : Vec3{})},
                 {"p2", json_of(c.hinge ? c.hinge->p2_B : Vec3{})},
                 {"axis1", json_of(axes.a1)},
                 {"axis2", json_of(axes.a2)},
                 {"limits", limits_json(c)},
                 {"freedoms", std::move(freedoms)},
                 {"drag", j.drag},
                 {"editable", elements.editable(e)}};
    add_across(json, c);
    elements.add_place(json, e);
    return json;
}

ConstraintSpec constraint_of(const DraggedSpec& d) {
    ConstraintSpec c;
    c.hinge = HingeSpec{d.at_B, {}, PointDomain{}};
    return c;
}

Json settings_of(const SimulationSpec& s) {
    return {{"solver", s.solver},
            {"scheme", scheme_info(s.scheme).name},
            {"dt", s.dt},
            {"iterations", s.iterations},
            {"tolerance", s.tolerance},
            {"budget", s.linearized.budget},
            {"duration", s.duration},
            {"maxGap", s.max_gap},
            {"gravity", json_of(s.gravity)}};
}

/// A ball around everything that is not a half space, as it stands now.
Json size_json(const Model& model, const State& state, std::size_t bodies) {
    Vec3 low{infinity, infinity, infinity}, high{-infinity, -infinity, -infinity};
    for (std::size_t i = 1; i < bodies; ++i) {
        const Body& b = model.bodies[i];
        const bool plane = std::any_of(b.shapes.begin(), b.shapes.end(),
                                       [](const Shape& s) { return std::holds_alternative<Plane>(s.geometry); });
        if (plane || !is_finite(state.x[i])) continue;
        for (int a = 0; a < 3; ++a) {
            low[a] = std::min(low[a], state.x[i][a] - b.size);
            high[a] = std::max(high[a], state.x[i][a] + b.size);
        }
    }
    if (!(low.x <= high.x)) return {{"radius", 1}, {"centre", Json::array({0, 0, 0})}};
    return {{"radius", std::max(1e-3, 0.5 * norm(high - low))}, {"centre", json_of(0.5 * (low + high))}};
}

}  // namespace

void add_model_json(Json& event, const SceneDocument& document, const Session& session) {
    const Run& run = session.run();
    const Model& model = run.model();
    const Spec& scene = session.scene();
    const Elements elements(document);
    Json bodies = Json::array(), joints = Json::array();
    for (std::size_t i = 0; i < session.body_count(); ++i) bodies.push_back(body_json(model.bodies[i], elements));
    const std::size_t written = scene.constraints.size();
    for (std::size_t i = 0; i < written + scene.drags.size(); ++i) {
        const ConstraintSpec c = i < written ? scene.constraints[i] : constraint_of(scene.drags[i - written]);
        joints.push_back(joint_json(model, model.joints[i], c, elements));
    }
    event["bodies"] = std::move(bodies);
    event["joints"] = std::move(joints);
    event["settings"] = {{"now", settings_of(model.simulation)}, {"text", settings_of(scene.simulation)}};
    event["size"] = size_json(model, run.moment().state, session.body_count());
}

namespace {

Json outline_of(const Document& d, std::uint32_t parent, const std::unordered_map<std::uint32_t, std::string>& paths) {
    Json list = Json::array();
    for (std::uint32_t c = d.node(parent).first_child; c != lang::no_node; c = d.node(c).next) {
        const lang::Node& n = d.node(c);
        if (n.block == nullptr) continue;
        std::string name;
        if (n.group_count > 0) {
            const lang::Group& g = d.tree.groups[n.first_group];
            if (g.option == nullptr && g.count > 0) name = d.slice(d.tree.values[g.first].span);
        }
        const auto path = paths.find(c);
        list.push_back({{"kind", n.block->name},
                        {"name", name},
                        {"path", path != paths.end() ? Json(path->second) : Json(name)},
                        {"line", d.place(n.span).line},
                        {"lastLine", d.place({n.span.end > 0 ? n.span.end - 1 : 0, n.span.end}).line},
                        {"children", outline_of(d, c, paths)}});
    }
    return list;
}

}  // namespace

Json outline_json(const SceneDocument& document) {
    const Scene& scene = document.scene();
    std::unordered_map<std::uint32_t, std::string> paths;
    for (const Element& e : scene.elements)
        if (e.document == 0) paths.emplace(e.node, e.name);
    return outline_of(*scene.documents[0], 0, paths);
}

}  // namespace armature::studio
