// The joints of an island as the procedural solver walks over them: a forest, and what closes it.
//
// Every joint between two dynamic solids that joins what was not joined before is a branch of the forest. What is left closes
// something: an anchor holds a solid to one that cannot give way (fixed, path-driven, dragged), a cut closes a loop. A tree
// with one anchor is placed by one outward pass; with more of them, or with cuts, by repeating the pass from each in turn.
//
// Made once, and again when a joint begins or ends to hold. Links are indices, never pointers into the model: a model may be
// copied.
#pragma once

#include <cstdint>
#include <vector>

#include "armature/solvers/contract.h"

namespace armature {

/// A joint, ready to place one of its solids against the other. Bodies are local indices.
struct Link {
    enum class Turning { free, hinge, locked };  ///< how its solids may turn relative to each other

    int joint = 0;  ///< index into the island's joints
    int body1 = 0, body2 = 0;
    bool ball = false;     ///< a point on a point, and nothing else
    int point = -1;        ///< its point part; −1: it has none
    int axis = -1;         ///< of a hinge, its angle part
    int also = -1;         ///< another link between the same two that only turns; −1: none
    bool drag = false;     ///< gives way to the others
    bool limited = false;  ///< an angle, a twist or a freedom has an interval
    bool anchor = false;   ///< one of the two cannot give way
    Turning turning = Turning::free;
    Vec3 p1, p2;                    ///< the anchors, body axes from G
    double h1 = -1, h2 = -1;        ///< m², when body 1 or 2 is placed; < 0: by the lengths
    double reach1 = 1, reach2 = 1;  ///< |a|/|r| of compulsive.h

    int other(int body) const { return body == body1 ? body2 : body1; }
    const Vec3& point_on(int body) const { return body == body1 ? p1 : p2; }
};

struct Neighbour {
    int link = 0, body = 0;
    int closures_behind = 0;  ///< what else is to be met in that direction
};

/// One stride of the walk: `to` is placed against `from`, which is where it stays.
struct Stride {
    int link = 0, from = 0, to = 0;
};

/// Solids that hang together.
struct Component {
    int root = 0;  ///< where the pass begins
    int first_closure = 0, closures = 0;
    int first_stride = 0, strides = 0;  ///< of the pass outward from the root
    bool anchored = false;
    bool limited = false;  ///< some joint of the tree has limits
    double mass = 0;       ///< kg
};

class Structure {
  public:
    /// Whether this is the structure of the island at time t.
    bool fits(const Model& model, double t) const {
        return fingerprint_ == model.fingerprint && from_ <= t && t < until_;
    }
    void make(const Model& model, const Island& island, double t);

    const std::vector<Component>& components() const { return components_; }
    const Link& link(int i) const { return links_[idx(i)]; }
    const std::vector<Link>& links() const { return links_; }
    int closure(int i) const { return closures_[idx(i)]; }  ///< a link; those that drag come first
    const std::vector<Stride>& strides() const { return strides_; }
    /// kg, of a solid with all that hangs behind it, as seen from the root of its component.
    double mass_behind(int body) const { return mass_behind_[idx(body)]; }

    template <class Visit>
    void neighbours(int body, Visit visit) const {
        for (int k = start_[idx(body)]; k < start_[idx(body) + 1]; ++k) visit(neighbours_[idx(k)]);
    }
    /// The closures that hold this body.
    template <class Visit>
    void closures_of(int body, Visit visit) const {
        for (int k = closure_start_[idx(body)]; k < closure_start_[idx(body) + 1]; ++k) visit(closure_links_[idx(k)]);
    }
    /// The pass outward from `root` over its component, into `out`.
    void walk(int root, std::vector<Stride>& out) const;

  private:
    static std::size_t idx(int i) { return static_cast<std::size_t>(i); }
    void add_links(const Model& model, const Island& island, double t);
    void grow_forest(const Island& island);
    void gather_components(const Model& model, const Island& island);
    int automatic_root(const Model& model, const Island& island, int any);

    std::uint64_t fingerprint_ = 0;
    double from_ = 0, until_ = 0;
    std::vector<Link> links_;
    std::vector<int> branches_;
    std::vector<int> start_, closure_start_, closure_links_;
    std::vector<Neighbour> neighbours_;
    std::vector<int> closures_;
    std::vector<Component> components_;
    std::vector<Stride> strides_;
    std::vector<double> mass_behind_;
};

}  // namespace armature
