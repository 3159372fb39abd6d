#include "armature/scene/build/shapes.h"

#include "armature/base/number_text.h"
#include "armature/scene/files.h"
#include "armature/scene/importers/mesh_file.h"

namespace armature::lang {

namespace {

struct Draft {
    Builder& builder;
    const BlockSite& site;
    Geometry geometry;
    bool good = true;
};
using A = const Arguments&;

double number(A a, std::string_view option) {
    return a.number_or(option, 0);
}

void mesh(Draft& d, A a) {
    const std::shared_ptr<const TriangleMesh> found = read_mesh(d.builder, d.site, a);
    d.geometry = MeshShape{a.text(), found};
    d.good = found != nullptr;
}

const Setter<Draft> setters[] = {
    {"sphere", [](Draft& d, A a) { d.geometry = Sphere{number(a, "radius")}; }},
    {"box", [](Draft& d, A a) { d.geometry = Box{a.vec_or("size", {})}; }},
    {"cylinder",
     [](Draft& d, A a) {
         d.geometry = Cylinder{number(a, "radius"), number(a, "length")};
     }},
    {"capsule",
     [](Draft& d, A a) {
         d.geometry = Capsule{number(a, "radius"), number(a, "length")};
     }},
    {"ellipsoid", [](Draft& d, A a) { d.geometry = Ellipsoid{a.vec_or("radii", {})}; }},
    {"plane", [](Draft& d, A) { d.geometry = Plane{}; }},
    {"mesh", mesh},
};

}  // namespace

std::shared_ptr<const TriangleMesh> read_mesh(Builder& builder, const BlockSite& site, const Arguments& a) {
    Scene& scene = builder.scene;
    const Document& in = *scene.documents[site.document];
    const FoundFile file = find_inside(scene.folder, in.path, a.text());
    if (!file.error.empty()) {
        a.error(file.error);
        return nullptr;
    }
    const double scale = a.number_or("scale", 1);
    const std::string key = file.path + '\n' + to_text(scale);
    auto [it, fresh] = builder.meshes.try_emplace(key, nullptr);
    if (fresh) {
        Diagnostics found;
        it->second = read_mesh_file(file.path, a.place(), found);
        for (const Diagnostic& x : found.all()) builder.report.add(x);
        if (it->second != nullptr && scale != 1) {
            auto scaled = std::make_shared<TriangleMesh>(*it->second);
            for (Vec3& v : scaled->vertices) v = scale * v;
            it->second = std::move(scaled);
        }
    }
    return it->second;
}

std::optional<Shape> read_shape(Builder& builder, const BlockSite& site, const Arguments& a) {
    Draft d{builder, site, {}};
    apply_setter(d, setters, a);
    Shape shape;
    shape.X_BS.x = a.vec_or("at", {});
    if (const ArgumentList* axis = a.option("axis")) {
        if (a.option("turn") != nullptr || a.option("quaternion") != nullptr) {
            a.error("'axis' and a turn both give the orientation", "keep one of them");
            return {};
        }
        if (axis->vec() == Vec3{}) {
            a.error("the axis is 0 0 0", "an axis needs a direction, for example 1 0 0");
            return {};
        }
        shape.X_BS.q = shortest_arc({0, 1, 0}, normalized(axis->vec()));
    } else {
        const std::optional<Quat> q = orientation_of(a);
        if (!q) return {};
        shape.X_BS.q = *q;
    }
    if (!d.good) return {};
    shape.geometry = std::move(d.geometry);
    if (const ArgumentList* density = a.option("density")) shape.density = density->number();
    if (const ArgumentList* name = a.option("name")) shape.name = name->text();
    return shape;
}

}  // namespace armature::lang
