// Islands by union–find over joints and springs, in the order of their first body: the same Spec always gives the same
// islands in the same order.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "armature/model/compile_internal.h"

namespace armature::detail {

namespace {

class DisjointSets {
  public:
    explicit DisjointSets(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }
    int root(int i) {
        while (parent_[static_cast<std::size_t>(i)] != i) {
            auto& p = parent_[static_cast<std::size_t>(i)];
            p = parent_[static_cast<std::size_t>(p)];  // path halving
            i = p;
        }
        return i;
    }
    void join(int a, int b) {
        a = root(a);
        b = root(b);
        if (a != b) parent_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }

  private:
    std::vector<int> parent_;
};

/// Local indices of one island's bodies; kinematic ones are appended when first met.
struct LocalBodies {
    std::vector<std::unordered_map<BodyId, int>> of_island;

    int local(Model& model, int island, BodyId body) {
        auto& map = of_island[static_cast<std::size_t>(island)];
        auto& list = model.islands[static_cast<std::size_t>(island)].bodies;
        const auto [it, fresh] = map.emplace(body, static_cast<int>(list.size()));
        if (fresh) list.push_back(body);
        return it->second;
    }
};

int island_of(const Model& model, BodyId a, BodyId b) {
    const int i = model.bodies[static_cast<std::size_t>(a)].island;
    return i >= 0 ? i : model.bodies[static_cast<std::size_t>(b)].island;
}

/// A dynamic shape and a plane or box that can be stood on. Each takes the mean of both materials where both have one.
void pair_contacts(Model& model, int island_index, const std::vector<BodyId>& floors, LocalBodies& local) {
    Island& island = model.islands[static_cast<std::size_t>(island_index)];
    for (int l1 = 0; l1 < island.dynamic_count; ++l1) {
        const Body& b1 = model.bodies[static_cast<std::size_t>(island.bodies[static_cast<std::size_t>(l1)])];
        if (b1.untouchable) continue;
        for (const BodyId floor : floors) {
            const Body& b2 = model.bodies[static_cast<std::size_t>(floor)];
            ContactPair pair;
            pair.friction = b2.contact->friction;
            pair.static_friction = b2.contact->static_friction.value_or(pair.friction);
            pair.restitution = b2.contact->restitution;
            if (b1.contact) {
                pair.friction = std::sqrt(pair.friction * b1.contact->friction);
                pair.static_friction =
                    std::sqrt(pair.static_friction * b1.contact->static_friction.value_or(b1.contact->friction));
                pair.restitution = std::max(pair.restitution, b1.contact->restitution);
            }
            for (std::size_t s1 = 0; s1 < b1.shapes.size(); ++s1)
                for (std::size_t s2 = 0; s2 < b2.shapes.size(); ++s2) {
                    const Geometry& g = b2.shapes[s2].geometry;
                    if (!std::holds_alternative<Plane>(g) && !std::holds_alternative<Box>(g)) continue;
                    pair.body1 = l1;
                    pair.body2 = local.local(model, island_index, floor);
                    pair.shape1 = static_cast<int>(s1);
                    pair.shape2 = static_cast<int>(s2);
                    island.contacts.push_back(pair);
                }
        }
    }
}

double extent(const Model& model, const Island& island) {
    Vec3 low{infinity, infinity, infinity}, high{-infinity, -infinity, -infinity};
    for (int k = 0; k < island.dynamic_count; ++k) {
        const Body& b = model.bodies[static_cast<std::size_t>(island.bodies[static_cast<std::size_t>(k)])];
        const Vec3 g = b.pose_WB * b.centre_B;
        for (int a = 0; a < 3; ++a) {
            low[a] = std::min(low[a], g[a] - b.size);
            high[a] = std::max(high[a], g[a] + b.size);
        }
    }
    const double size = norm(high - low);
    return size > 0 ? size : 1;  // a single particle has no size of its own
}

/// 1/ω of the fastest oscillation that springs can make, by Gershgorin's bound: every body takes the sum of its
/// springs' k·(1/m + r² max J⁻¹), and two bodies swinging against each other count double. Explicit steps are stable up
/// to 2/ω.
double largest_step(const Model& model, const Island& island) {
    std::vector<double> rate2(island.bodies.size(), 0.0);
    for (const Spring& s : island.springs)
        for (const auto& [local, p] : {std::pair{s.body1, s.p1_G}, std::pair{s.body2, s.p2_G}}) {
            const Body& b = model.bodies[static_cast<std::size_t>(island.bodies[static_cast<std::size_t>(local)])];
            const double w = b.inv_mass + norm2(p) * symmetric_eigen(b.inv_inertia_G).values.z;
            rate2[static_cast<std::size_t>(local)] += 2 * s.stiffness * w;
        }
    const double fastest = rate2.empty() ? 0 : *std::max_element(rate2.begin(), rate2.end());
    return fastest > 0 ? 1 / std::sqrt(fastest) : infinity;
}

std::vector<BodyLanes> side_by_side(const Model& model, const Island& island) {
    std::vector<BodyLanes> groups(static_cast<std::size_t>((island.dynamic_count + 7) / 8));
    for (std::size_t i = 0; i < 8 * groups.size(); ++i) {
        const std::size_t at = std::min(i, static_cast<std::size_t>(island.dynamic_count) - 1), lane = i % 8;
        const Body& b = model.bodies[static_cast<std::size_t>(island.bodies[at])];
        BodyLanes& group = groups[i / 8];
        if (lane == 0) group.diagonal = true;
        group.mass[lane] = b.mass;
        group.inv_mass[lane] = b.inv_mass;
        group.turns[lane] = b.particle ? 0 : 1;
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) {
                group.inertia_G[3 * r + c][lane] = b.inertia_G(r, c);
                group.inv_inertia_G[3 * r + c][lane] = b.inv_inertia_G(r, c);
                if (r != c && (b.inertia_G(r, c) != 0 || b.inv_inertia_G(r, c) != 0)) group.diagonal = false;
            }
    }
    return groups;
}

}  // namespace

void build_islands(Model& model, const ResolvedForces& forces) {
    DisjointSets sets(model.bodies.size());
    const auto both_dynamic = [&](BodyId a, BodyId b) {
        return model.bodies[static_cast<std::size_t>(a)].dynamic() &&
               model.bodies[static_cast<std::size_t>(b)].dynamic();
    };
    for (const Joint& j : model.joints)
        if (both_dynamic(j.body1, j.body2)) sets.join(j.body1, j.body2);
    for (const Spring& s : forces.springs)
        if (both_dynamic(s.body1, s.body2)) sets.join(s.body1, s.body2);

    std::unordered_map<int, int> island_of_root;
    LocalBodies local;
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        Body& b = model.bodies[i];
        if (!b.dynamic()) continue;
        const int root = sets.root(static_cast<int>(i));
        const auto [it, fresh] = island_of_root.emplace(root, static_cast<int>(model.islands.size()));
        if (fresh) {
            model.islands.emplace_back();
            local.of_island.emplace_back();
        }
        b.island = it->second;
        local.local(model, b.island, static_cast<BodyId>(i));
        model.islands[static_cast<std::size_t>(b.island)].dynamic_count++;
    }
    for (std::size_t i = 0; i < model.joints.size(); ++i) {
        Joint& j = model.joints[i];
        j.island = island_of(model, j.body1, j.body2);
        if (j.island < 0) continue;
        const int l1 = local.local(model, j.island, j.body1), l2 = local.local(model, j.island, j.body2);
        model.islands[static_cast<std::size_t>(j.island)].joints.push_back({static_cast<JointId>(i), l1, l2});
    }
    const auto place = [&](auto force, auto member) {  // force on one body
        const int island = model.bodies[static_cast<std::size_t>(force.body)].island;
        if (island < 0) return;
        force.body = local.local(model, island, force.body);
        (model.islands[static_cast<std::size_t>(island)].*member).push_back(force);
    };
    for (const PointForce& f : forces.forces) place(f, &Island::forces);
    for (const Torque& f : forces.torques) place(f, &Island::torques);
    for (Drag f : forces.drags) {
        f.largest_inv_inertia = symmetric_eigen(model.bodies[static_cast<std::size_t>(f.body)].inv_inertia_G).values.z;
        place(f, &Island::drags);
    }
    for (Spring s : forces.springs) {
        const int island = island_of(model, s.body1, s.body2);
        if (island < 0) continue;
        s.body1 = local.local(model, island, s.body1);
        s.body2 = local.local(model, island, s.body2);
        model.islands[static_cast<std::size_t>(island)].springs.push_back(s);
    }
    std::vector<BodyId> floors;
    for (std::size_t i = 1; i < model.bodies.size(); ++i)
        if (!model.bodies[i].dynamic() && model.bodies[i].contact) floors.push_back(static_cast<BodyId>(i));
    for (std::size_t k = 0; k < model.islands.size(); ++k) pair_contacts(model, static_cast<int>(k), floors, local);
    for (Island& island : model.islands) {
        island.size = extent(model, island);
        island.body_lanes = side_by_side(model, island);
        island.max_step = largest_step(model, island);
        for (const Island::LocalJoint& j : island.joints)
            for (const Part& part : model.joints[static_cast<std::size_t>(j.joint)].parts)
                island.one_sided = island.one_sided || one_sided(part);
        sort_joints(model, island);
    }
    for (std::size_t i = 0; i < model.bodies.size(); ++i)
        if (model.bodies[i].kernel == Kernel::path) model.led.push_back(static_cast<BodyId>(i));
}

}  // namespace armature::detail

namespace armature {

void sort_joints(const Model& model, Island& island) {
    island.acting.clear();
    island.timed.clear();
    island.hands.clear();
    island.in_a_row = true;
    for (std::size_t k = 0; k < island.joints.size(); ++k) {
        const JointId id = island.joints[k].joint;
        const Joint& j = model.joints[static_cast<std::size_t>(id)];
        const int place = static_cast<int>(k);
        if (!j.freedoms.empty() || j.soft || j.drag) island.acting.push_back(place);
        if (j.from != -infinity || j.until != infinity || j.drag) island.timed.push_back(place);
        if (j.drag) island.hands.push_back(place);
        island.in_a_row = island.in_a_row && id == island.joints[0].joint + place;
    }
    for (int l = 1; l < island.dynamic_count; ++l)
        island.in_a_row = island.in_a_row && island.bodies[static_cast<std::size_t>(l)] == island.bodies[0] + l;
}

}  // namespace armature
