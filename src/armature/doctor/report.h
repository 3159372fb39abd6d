// What the doctor found, as plain data.
//
//   mobility   by count        6 n − rows (3 for a particle): the formula of Grübler and Kutzbach, which takes every row
//                              for independent
//              instantaneous   6 n − rank J where the joints hold: what can begin to move
//              mobility        what can go on moving: the instantaneous one at neighbouring places that the mechanism
//                              can really reach
//
//   by count ≤ instantaneous, and the difference is the number of redundant rows; mobility ≤ instantaneous, and they
//   differ in singular positions only.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "armature/model/model.h"
#include "armature/model/spec.h"
#include "armature/model/state.h"

namespace armature {

// ---- edits -----------------------------------------------------------------------------------------------------------

struct ReplaceConstraint {
    std::string name;  ///< as compile() calls it
    ConstraintSpec by;
};
struct RemoveConstraint {
    std::string name;
};
struct PlaceSolids {
    std::vector<std::pair<std::string, Pose>> poses;
};
/// The same change in the text: the statement `keyword` at `place` becomes `write`.
struct StatementEdit {
    SourcePlace place;    ///< of the statement, or of the block that gets a new one or goes; unknown when made by code
    std::string keyword;  ///< empty: a new statement, or the whole block
    std::string write;    ///< empty: nothing, it goes
};
/// A change of the scene that was tried before it is proposed: applied to the Spec and examined again, the finding is
/// gone, nothing of a worse kind has come, and what the mechanism can do is what it was.
struct DoctorEdit {
    std::variant<ReplaceConstraint, RemoveConstraint, PlaceSolids> change;
    std::vector<StatementEdit> statements;
    std::string sentence;
};

/// Makes the change. False when the Spec has nothing of that name.
bool apply(const DoctorEdit& edit, Spec& spec);

// ---- findings --------------------------------------------------------------------------------------------------------

/// The worst first.
enum class FindingKind {
    contradictory,    ///< a minimal set of joints that cannot hold together
    singular,         ///< constraints lose rank here: more can begin to move than can go on, or the mechanism can fork
    redundant,        ///< a minimal set of joints of which some rows are held by the others already
    nearly_singular,  ///< a singular position is near: small forces become large ones
    dead_centre,      ///< a joint that moves elsewhere stands still here: it cannot be driven from this position
    at_limit,         ///< a joint stands at one of its limits
};
std::string_view name_of(FindingKind kind);

struct Finding {
    FindingKind kind = FindingKind::redundant;
    std::string sentence;
    std::vector<std::string> joints, solids;
    std::vector<SourcePlace> places;   ///< of the joints, then of the solids
    std::vector<std::string> blocked;  ///< redundant: what is held more than once
    double measure =
        0;  ///< contradictory: m or rad left open; redundant: rows too many; singular: σ as share of the largest
    std::optional<DoctorEdit> edit;
};

// ---- freedoms --------------------------------------------------------------------------------------------------------

enum class FreedomClass {
    internal,  ///< solids move relative to each other or to the world
    idle,      ///< something spins about the line through the points that hold it and moves nothing else
    floating,  ///< nothing ties the whole of it to the world
};
std::string_view name_of(FreedomClass kind);

struct SolidMotion {
    BodyId body = 0;
    Vec3 v;  ///< of the centre of mass, m per unit of the freedom
    Vec3 w;  ///< rad per unit, world axes
};
struct RemainingFreedom {
    FreedomClass kind = FreedomClass::internal;
    bool infinitesimal = false;  ///< it can begin but not go on
    int island = 0;
    std::string sentence;
    std::vector<std::string> solids;
    std::vector<SourcePlace> places;
    std::vector<SolidMotion> motion;  ///< scaled so that nothing turns by more than 1 rad or goes farther than the size
};

// ---- the whole -------------------------------------------------------------------------------------------------------

struct IslandMobility {
    std::vector<std::string> solids;
    int by_count = 0, instantaneous = 0, mobility = 0;
    int rows = 0, rank = 0;
    double accepted = 1, rejected = 0;  ///< smallest σ counted as holding, largest counted as nothing; shares of σ_1
    double residual = 0;                ///< m or rad: largest error of what holds
};

struct DoctorReport {
    std::string title;
    int by_count = 0, instantaneous = 0, mobility = 0;
    int floating = 0, idle = 0;  ///< of the mobility
    std::vector<IslandMobility> islands;
    std::vector<Finding> findings;  ///< the worst kind first
    std::vector<RemainingFreedom> freedoms;
    bool all_groups = true;             ///< false: there are more culprit sets than were looked for
    bool all_edits = true;              ///< false: edits were tried for the first findings only
    std::vector<std::string> left_out;  ///< joints that were left out so that the others hold
    State assembled;                    ///< where the joints hold

    int count(FindingKind kind) const;
    bool consistent() const { return count(FindingKind::contradictory) == 0; }
};

/// For people.
std::string to_text(const DoctorReport& report);

}  // namespace armature
