// One island of a model as a system of equations, for the doctor's linear algebra.
//
//   C_i(q) = 0   one for every row of every joint that is rigid and holds at t = 0: the equality rows of its parts
//                (model/joint_parts.h), the threads of screws, and freedoms whose two limits coincide
//   C_i(q) ≥ 0   one for every bound: limits of freedoms, ends of segments, the insides of domains
//   J dq = dC    dq = (dx/L, dφ) of every solid that can move; C of a point is divided by L as well
//
// With lengths counted in units of L, the size of the island, all entries of J are of the order of 1 and its singular
// values can be compared with each other. Masses do not enter: the doctor asks what can move, not how willingly.
// Springs, motors, contacts and soft constraints hold nothing and have no row.
#pragma once

#include <string>
#include <vector>

#include "armature/model/model.h"
#include "armature/model/state.h"

namespace armature::doctor {

/// σ below this share of the largest counts as zero. Between true zeros (1e-13 after settling) and the slowest real
/// motions of a mechanism (1e-3 and above) there is room on both sides.
inline constexpr double rank_tolerance = 1e-7;
/// σ below this share is worth a word: so near to a singular position, forces are a thousand times what they were.
inline constexpr double nearly_singular = 1e-3;

enum class Blocks { translation, rotation, thread };
enum class PartOf { hinge, angle, twist, freedom };

struct HeldRow {
    JointId joint = 0;
    int body1 = -1, body2 = -1;       ///< places in Mechanism::bodies; −1 for what cannot move
    Vec3 linear, angular1, angular2;  ///< dC/dt = linear·(v1 − v2) + angular1·ω1 + angular2·ω2, in m and rad
    double error = 0;                 ///< C, m or rad
    bool length = true;               ///< C is in metres
    RowKind kind = RowKind::equality;
    Blocks what = Blocks::translation;
    PartOf part = PartOf::hinge;
    Vec3 direction;        ///< unit, world: of the translation or rotation that it blocks
    FreedomId limit = -1;  ///< the freedom whose limit it is

    /// How far it is from holding, m or rad, signed.
    double violation() const;
};

/// Where the solids of an island are.
struct Placing {
    std::vector<Vec3> x;       ///< per body of the island: dynamic ones first
    std::vector<Quat> q;       ///< the same
    std::vector<double> turn;  ///< per FreedomId: rad, so that turns are counted on
};

class Mechanism {
  public:
    Mechanism(const Model& model, int island);

    const Model& model() const { return *model_; }
    const Island& island() const { return model_->islands[static_cast<std::size_t>(island_)]; }
    const Body& body(int local) const {
        return model_->bodies[static_cast<std::size_t>(island().bodies[static_cast<std::size_t>(local)])];
    }
    int bodies() const { return island().dynamic_count; }
    double length() const { return length_; }  ///< L, m
    int columns() const { return columns_; }   ///< freedoms of its solids without any joint: 6 each, 3 of a particle
    int first_column(int local) const { return first_column_[static_cast<std::size_t>(local)]; }
    int columns_of(int local) const { return body(local).particle ? 3 : 6; }
    /// Those that hold something at t = 0.
    const std::vector<JointId>& joints() const { return joints_; }
    bool tied_to_the_world() const { return tied_; }  ///< a joint leads to something that does not move freely
    const Joint& joint(JointId id) const { return model_->joints[static_cast<std::size_t>(id)]; }

    /// As the author placed them, t = 0.
    Placing as_placed() const;
    Placement at(const Placing& placing, int local) const;

    /// The rows of these joints, in their order. Bounds are left out unless `with_bounds`.
    std::vector<HeldRow> rows(const Placing& placing, const std::vector<JointId>& joints, bool with_bounds) const;

    /// The rows of a joint between solids of the island that the model need not have, as if it were `as`.
    void add_rows(const Joint& joint, JointId as, const Placing& placing, bool with_bounds,
                  std::vector<HeldRow>& out) const;

    /// J dq and C of a row in scaled units: `out` has columns() zeros to begin with.
    void write_row(const HeldRow& row, double* out) const;
    double scaled(const HeldRow& row, double value) const { return row.length ? value / length_ : value; }

    /// Moves by dq; what turns, turns by its dφ about world axes.
    void move(Placing& placing, const double* dq, double factor) const;
    /// dq that leads from one placing to another, to first order.
    std::vector<double> between(const Placing& from, const Placing& to) const;

  private:
    void add_parts(const Joint& joint, HeldRow row, const Placement& b1, const Placement& b2, bool with_bounds,
                   std::vector<HeldRow>& out) const;
    void add_freedoms(const Joint& joint, HeldRow row, const Placement& b1, const Placement& b2, const Placing& placing,
                      bool with_bounds, std::vector<HeldRow>& out) const;

    const Model* model_;
    int island_;
    double length_ = 1;
    int columns_ = 0;
    bool tied_ = false;
    std::vector<int> first_column_;
    std::vector<int> local_;  ///< per BodyId, place in the island; −1 when it is not there
    std::vector<JointId> joints_;
};

/// "x", "-y" or "(0.6 0.8 0)".
std::string direction_text(const Vec3& direction);
/// Three numbers with a few digits, -0 told as 0.
std::string point_text(const Vec3& point);
/// "translation along x", "rotation about (0.6 0.8 0)", "the thread".
std::string to_text(const HeldRow& row);

}  // namespace armature::doctor
