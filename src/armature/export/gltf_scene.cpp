#include "armature/export/gltf_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "armature/base/number_text.h"
#include "armature/export/tessellate.h"

namespace armature {

namespace {

/// A geometry in the words of the scene language: the name of its mesh.
struct Words {
    std::string operator()(const Sphere& s) const { return "sphere radius " + to_text(s.radius); }
    std::string operator()(const Box& b) const { return "box size " + vector(b.size); }
    std::string operator()(const Cylinder& c) const { return "cylinder " + round(c.radius, c.length); }
    std::string operator()(const Capsule& c) const { return "capsule " + round(c.radius, c.length); }
    std::string operator()(const Ellipsoid& e) const { return "ellipsoid radii " + vector(e.radii); }
    std::string operator()(const Plane&) const { return "plane"; }
    std::string operator()(const MeshShape& m) const { return m.file.empty() ? "mesh" : "mesh " + m.file; }

    static std::string vector(const Vec3& v) {
        return fmt::format("{} {} {}", to_text(v.x), to_text(v.y), to_text(v.z));
    }
    static std::string round(double radius, double length) {
        return fmt::format("radius {} length {}", to_text(radius), to_text(length));
    }
};

std::string words(const Geometry& geometry) {
    return std::visit(Words{}, geometry);
}

std::string first_word(const std::string& text) {
    return text.substr(0, text.find(' '));
}

/// Numbers of shapes are exact in words; a mesh is itself.
std::string identity(const Geometry& geometry) {
    const auto* mesh = std::get_if<MeshShape>(&geometry);
    return mesh != nullptr ? fmt::format("mesh {}", fmt::ptr(mesh->mesh.get())) : words(geometry);
}

std::vector<float> floats(const std::vector<Vec3>& vectors) {
    constexpr double most = std::numeric_limits<float>::max();
    std::vector<float> values;
    values.reserve(3 * vectors.size());
    for (const Vec3& v : vectors)
        for (int i = 0; i < 3; ++i) values.push_back(static_cast<float>(std::clamp(v[i], -most, most)));
    return values;
}

class SceneMaker {
  public:
    SceneMaker(const Model& model, const MotionSamples& motion, GlbNumbers& numbers)
        : model_(model), motion_(motion), numbers_(numbers) {
        for (const Body& body : model.bodies) solids_.insert(body.name);
    }

    GltfScene make() {
        scene_.node_of_body.assign(model_.bodies.size(), -1);
        for (std::size_t i = 1; i < model_.bodies.size(); ++i) {
            const Body& body = model_.bodies[i];
            const int node = add_node(body.name, group_of(body.name));
            scene_.node_of_body[i] = node;
            place(node, motion_.poses[i].translation.first(), motion_.poses[i].rotation.first());
            add_shapes(body, node);
        }
        return std::move(scene_);
    }

  private:
    Json& node(int id) { return scene_.nodes[static_cast<std::size_t>(id)]; }

    int add_node(const std::string& name, int parent) {
        const auto id = static_cast<int>(scene_.nodes.size());
        scene_.nodes.push_back({{"name", name}});
        if (parent < 0)
            scene_.roots.push_back(id);
        else
            node(parent)["children"].push_back(id);
        return id;
    }

    void place(int id, const std::array<float, 3>& translation, const std::array<float, 4>& rotation) {
        if (translation != float_translation({})) node(id)["translation"] = translation;
        if (rotation != float_rotation({})) node(id)["rotation"] = rotation;
    }

    /// The node of the innermost group that `name` is in, made when there is none yet; −1 for a name on its own. Dots
    /// inside brackets are part of an index.
    int group_of(const std::string& name) {
        int parent = -1, depth = 0;
        for (std::size_t i = 0; i < name.size(); ++i) {
            depth += name[i] == '[' ? 1 : name[i] == ']' ? -1 : 0;
            if (name[i] != '.' || depth > 0 || i == 0) continue;
            const std::string group = name.substr(0, i);
            if (solids_.count(group) != 0) continue;
            const auto [it, is_new] = groups_.try_emplace(group, -1);
            if (is_new) it->second = add_node(group, parent);
            parent = it->second;
        }
        return parent;
    }

    void add_shapes(const Body& body, int solid) {
        std::map<std::string, int> seen;
        for (const Shape& shape : body.shapes) {
            std::string name = shape.name.empty() ? first_word(words(shape.geometry)) : shape.name;
            if (const int n = ++seen[name]; n > 1) name += fmt::format("#{}", n);
            const int id = add_node(fmt::format("{}.{}", body.name, name), solid);
            place(id, float_translation(shape.X_BS.x), float_rotation(shape.X_BS.q));
            if (const int mesh = mesh_of(shape.geometry, body.color); mesh >= 0) node(id)["mesh"] = mesh;
        }
    }

    int mesh_of(const Geometry& geometry, const Vec3& color) {
        const Accessors& a = accessors_of(geometry);
        if (a.positions < 0) return -1;
        const int material = material_of(color);
        const auto [it, is_new] = meshes_.try_emplace({a.positions, material}, static_cast<int>(scene_.meshes.size()));
        if (is_new)
            scene_.meshes.push_back(
                {{"name", words(geometry)},
                 {"primitives", Json::array({{{"attributes", {{"POSITION", a.positions}, {"NORMAL", a.normals}}},
                                              {"indices", a.indices},
                                              {"material", material}}})}});
        return it->second;
    }

    struct Accessors {
        int positions = -1, normals = -1, indices = -1;
    };

    const Accessors& accessors_of(const Geometry& geometry) {
        const auto [it, is_new] = accessors_.try_emplace(identity(geometry));
        if (!is_new) return it->second;
        const SurfaceMesh surface = tessellate(geometry);
        if (surface.triangles.empty()) return it->second;
        it->second.positions = numbers_.add(floats(surface.positions), 3, GlbNumbers::Use::vertices, true);
        it->second.normals = numbers_.add(floats(surface.normals), 3, GlbNumbers::Use::vertices);
        it->second.indices = numbers_.add(surface.triangles, surface.positions.size());
        return it->second;
    }

    /// Painted, not polished: a dielectric, rather rough, whatever the colour.
    int material_of(const Vec3& color) {
        const auto [it, is_new] =
            materials_.try_emplace("color " + Words::vector(color), static_cast<int>(scene_.materials.size()));
        if (!is_new) return it->second;
        Json factor = Json::array();
        for (int i = 0; i < 3; ++i) factor.push_back(std::clamp(color[i], 0.0, 1.0));
        factor.push_back(1);
        scene_.materials.push_back(
            {{"name", it->first},
             {"pbrMetallicRoughness",
              {{"baseColorFactor", std::move(factor)}, {"metallicFactor", 0}, {"roughnessFactor", 0.6}}}});
        return it->second;
    }

    const Model& model_;
    const MotionSamples& motion_;
    GlbNumbers& numbers_;
    GltfScene scene_;
    std::set<std::string> solids_;
    std::map<std::string, int> groups_;
    std::map<std::string, Accessors> accessors_;
    std::map<std::string, int> materials_;
    std::map<std::pair<int, int>, int> meshes_;  // of positions and material
};

}  // namespace

GltfScene make_gltf_scene(const Model& model, const MotionSamples& motion, GlbNumbers& numbers) {
    return SceneMaker(model, motion, numbers).make();
}

}  // namespace armature
