#include "armature/model/domain/surface.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <tuple>

namespace armature {

namespace {

/// STL files, and OBJ files with seams, have a vertex once for every triangle: by place they are one again.
std::vector<int> same_place(const std::vector<Vec3>& vertices) {
    std::map<std::tuple<double, double, double>, int> first;
    std::vector<int> index;
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        const Vec3& p = vertices[i];
        index.push_back(first.try_emplace({p.x, p.y, p.z}, static_cast<int>(i)).first->second);
    }
    return index;
}

}  // namespace

std::string find_surface_defect(const TriangleMesh& mesh) {
    if (mesh.triangles.empty()) return "it has no triangles";
    const auto count = static_cast<int>(mesh.vertices.size());
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
        if (!is_finite(mesh.vertices[i]) || !(norm(mesh.vertices[i]) < 1e100))
            return fmt::format("vertex {} is not a finite point", i);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        std::array<Vec3, 3> p;
        for (std::size_t k = 0; k < 3; ++k) {
            const int i = mesh.triangles[t][k];
            if (i < 0 || i >= count)
                return fmt::format("triangle {} uses vertex {}, but there are {} vertices", t, i, count);
            p[k] = mesh.vertices[static_cast<std::size_t>(i)];
        }
        const double longest = std::max({norm(p[1] - p[0]), norm(p[2] - p[1]), norm(p[0] - p[2])});
        // The height over its longest side is round-off, so that it has no normal.
        if (!(norm(cross(p[1] - p[0], p[2] - p[0])) > 1e-12 * longest * longest))
            return fmt::format("triangle {} at ({}, {}, {}) has no area", t, p[0].x, p[0].y, p[0].z);
    }
    return {};
}

Surface::Surface(const TriangleMesh& mesh) : corners_(mesh.vertices) {
    const std::vector<int> same = same_place(corners_);
    std::vector<Bounds3> boxes;
    for (const std::array<int, 3>& corner : mesh.triangles) {
        Triangle t;
        for (std::size_t k = 0; k < 3; ++k) t.corner[k] = same[static_cast<std::size_t>(corner[k])];
        const Vec3 &a = this->corner(t, 0), &b = this->corner(t, 1), &c = this->corner(t, 2);
        t.normal = normalized(cross(b - a, c - a));
        triangles_.push_back(t);
        Bounds3 box{a, a};
        box.include(b);
        box.include(c);
        boxes.push_back(box);
        reach_ = std::max({reach_, norm(a), norm(b), norm(c)});
    }
    make_pseudonormals();
    tree_ = BoxTree(boxes);
}

void Surface::make_pseudonormals() {
    corner_normals_.assign(corners_.size(), {});
    std::map<std::pair<int, int>, Vec3> edges;
    const auto edge_key = [](const Triangle& t, std::size_t k) {
        const int a = t.corner[k], b = t.corner[(k + 1) % 3];
        return std::pair{std::min(a, b), std::max(a, b)};
    };
    for (const Triangle& t : triangles_) {
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3 u = corner(t, (k + 1) % 3) - corner(t, k), v = corner(t, (k + 2) % 3) - corner(t, k);
            const double angle = std::atan2(norm(cross(u, v)), dot(u, v));
            corner_normals_[static_cast<std::size_t>(t.corner[k])] += angle * t.normal;
            edges[edge_key(t, k)] += t.normal;
        }
    }
    for (Triangle& t : triangles_)  // a fold by half a turn leaves no sum: any of its faces will do
        for (std::size_t k = 0; k < 3; ++k) t.edge[k] = normalized(edges[edge_key(t, k)], t.normal);
    for (Vec3& n : corner_normals_) n = normalized(n, {0, 1, 0});
}

Surface::Closest Surface::closest(const Triangle& t, const Vec3& p) const {
    const Vec3 &a = corner(t, 0), &b = corner(t, 1), &c = corner(t, 2);
    const Vec3 ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
    const double d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return {a, 4};
    const double d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return {b, 5};
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return {a + (d1 / (d1 - d3)) * ab, 1};
    const double d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return {c, 6};
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return {a + (d2 / (d2 - d6)) * ac, 3};
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return {b + ((d4 - d3) / ((d4 - d3) + (d5 - d6))) * (c - b), 2};
    const double sum = va + vb + vc;
    return {a + (vb / sum) * ab + (vc / sum) * ac, 0};
}

SurfacePoint Surface::nearest(const Vec3& p) const {
    const auto triangle = [&](int i) -> const Triangle& { return triangles_[static_cast<std::size_t>(i)]; };
    const Triangle& t = triangle(tree_.nearest(p, [&](int i) { return norm2(closest(triangle(i), p).point - p); }));
    const Closest c = closest(t, p);
    const Vec3 normal = c.feature == 0   ? t.normal
                        : c.feature <= 3 ? t.edge[static_cast<std::size_t>(c.feature - 1)]
                                         : corner_normal(t, static_cast<std::size_t>(c.feature - 4));
    const Vec3 away = p - c.point;
    const double distance = norm(away);
    return {c.point, normal, dot(away, normal) < 0 ? -distance : distance};
}

}  // namespace armature
