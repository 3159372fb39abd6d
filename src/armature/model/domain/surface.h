// The surface of a triangle mesh, open or closed, to find its point nearest to a given one and on which side that is.
//
// Nearest point of a triangle by the region (face, edge, corner) into which p falls [Ericson 2005, §5.1.5]; the triangles by
// a tree of boxes. Of equally near triangles the one with the lowest number.
// Side [Bærentzen & Aanæs 2005]: the sign of (p − c)·n with n the pseudonormal of what c lies on: the normal of a face, the sum
// of those of its two faces for an edge, their sum weighted by the angles at it for a corner. Exact for every closed mesh;
// the normal of any one of the triangles is not, at sharp corners. Units: metres.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "armature/model/domain/box_tree.h"
#include "armature/model/mesh.h"

namespace armature {

/// Empty when there is a surface to be on: at least one triangle, finite vertices that exist, every triangle with an area.
std::string find_surface_defect(const TriangleMesh& mesh);

struct SurfacePoint {
    Vec3 point;
    Vec3 normal;         ///< unit; of the face, edge or corner that the point lies on
    double outside = 0;  ///< distance of p, negative behind the surface (inside when it is closed)
};

class Surface {
  public:
    /// The mesh has no defect.
    explicit Surface(const TriangleMesh& mesh);

    SurfacePoint nearest(const Vec3& p) const;

    std::size_t size() const { return triangles_.size(); }
    double reach() const { return reach_; }  ///< no point of the surface is farther from the origin
    const std::vector<Vec3>& corners() const { return corners_; }
    const std::array<int, 3>& triangle(std::size_t i) const { return triangles_[i].corner; }

  private:
    struct Triangle {
        std::array<int, 3> corner;  ///< into corners_ and corner_normals_
        Vec3 normal;                ///< unit
        std::array<Vec3, 3> edge;   ///< pseudonormals, of the edge from corner k to k + 1
    };
    const Vec3& corner(const Triangle& t, std::size_t k) const {
        return corners_[static_cast<std::size_t>(t.corner[k])];
    }
    const Vec3& corner_normal(const Triangle& t, std::size_t k) const {
        return corner_normals_[static_cast<std::size_t>(t.corner[k])];
    }
    struct Closest {
        Vec3 point;
        int feature;  ///< 0: the face, 1 … 3: edge k − 1, 4 … 6: corner k − 4
    };
    Closest closest(const Triangle& t, const Vec3& p) const;
    void make_pseudonormals();

    std::vector<Vec3> corners_, corner_normals_;
    std::vector<Triangle> triangles_;
    BoxTree tree_;
    double reach_ = 0;
};

}  // namespace armature
