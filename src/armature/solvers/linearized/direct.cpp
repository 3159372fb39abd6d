#include "armature/solvers/linearized/direct.h"

namespace armature {

namespace {

std::size_t idx(int i) {
    return static_cast<std::size_t>(i);
}

constexpr std::size_t most_joints = 16;  // of a body that is no hub

}  // namespace

void DirectSystem::lay_out(Structure& s, const Island& island, const std::vector<std::vector<int>>& joints_of) {
    const int joints = static_cast<int>(island.joints.size());
    const auto is_hub = [&](int body) { return joints_of[idx(body)].size() > most_joints; };
    std::vector<std::pair<int, int>> couplings;
    std::vector<std::vector<int>> after(idx(joints));
    std::vector<char> own(idx(joints), 0);  // has a diagonal of its own
    std::vector<int> hub_of(joints_of.size(), -1);
    s.hubs = 0;
    for (int body = 0; body < island.dynamic_count; ++body) {
        const std::vector<int>& at = joints_of[idx(body)];
        if (is_hub(body)) {
            const int hub = hub_of[idx(body)] = joints + s.hubs++;
            for (const int joint : at) {
                couplings.emplace_back(joint, hub);
                after[idx(joint)].push_back(hub);
            }
            continue;
        }
        for (std::size_t a = 0; a < at.size(); ++a) {
            own[idx(at[a])] = 1;
            for (std::size_t b = 0; b < a; ++b) couplings.emplace_back(at[a], at[b]);
        }
    }
    for (std::size_t k = 0; k < own.size(); ++k)
        if (own[k]) after[k].clear();
    after.resize(idx(joints + s.hubs));
    s.matrix.analyse(joints + s.hubs, couplings, after);
    s.cost = 27 * static_cast<double>(s.matrix.updates()) + 27 * static_cast<double>(joints);
    s.through.clear();
    s.hub_sides.clear();
    const auto side = [&](int joint, int body) { return island.joints[idx(joint)].body1 == body ? 0u : 1u; };
    for (int body = 0; body < island.dynamic_count; ++body) {
        const std::vector<int>& at = joints_of[idx(body)];
        const int hub = hub_of[idx(body)];
        for (std::size_t a = 0; a < at.size(); ++a) {
            if (hub >= 0) {
                const BlockFactor::CouplingPlace c = s.matrix.coupling_place(at[a], hub);
                s.hub_sides.push_back({body, hub, at[a], c.at, side(at[a], body), c.row == hub});
                continue;
            }
            s.through.push_back({body, at[a], at[a], 0, side(at[a], body), side(at[a], body)});
            for (std::size_t b = 0; b < a; ++b) {
                const BlockFactor::CouplingPlace c = s.matrix.coupling_place(at[a], at[b]);
                s.through.push_back({body, c.row, c.column, c.at, side(c.row, body), side(c.column, body)});
            }
        }
    }
}

DirectSystem::Structure& DirectSystem::structure_of(const Island& island) {
    Structure& s = structures_[&island];
    bool same = s.dynamic_count == island.dynamic_count && s.bodies.size() == island.joints.size();
    for (std::size_t k = 0; same && k < s.bodies.size(); ++k)
        same = s.bodies[k] == std::pair{island.joints[k].body1, island.joints[k].body2};
    if (same) return s;
    s.dynamic_count = island.dynamic_count;
    s.bodies.clear();
    std::vector<std::vector<int>> joints_of(idx(island.dynamic_count));
    for (std::size_t k = 0; k < island.joints.size(); ++k) {
        const auto [b1, b2] = s.bodies.emplace_back(island.joints[k].body1, island.joints[k].body2);
        for (const int b : {b1, b2})
            if (b < island.dynamic_count) joints_of[idx(b)].push_back(static_cast<int>(k));
    }
    lay_out(s, island, joints_of);
    return s;
}

void DirectSystem::fill(Structure& s, const PackedSystem& system) {
    const std::size_t joints = system.joints->size();
    sizes_.assign(joints + idx(s.hubs), 6);
    for (std::size_t k = 0; k < joints; ++k) sizes_[k] = system.size(k);
    const bool symmetric = system.symmetric && s.hubs == 0;
    s.matrix.begin(sizes_, symmetric);
    for (const Through& t : s.through) {
        const int rows = sizes_[idx(t.row)], columns = sizes_[idx(t.column)];
        const PackedRow* a = system.rows.data() + system.first[idx(t.row)];
        const PackedRow* b = system.rows.data() + system.first[idx(t.column)];
        double* block = t.row == t.column ? s.matrix.diagonal(t.row) : s.matrix.coupling_values(t.at);
        const double m = system.inv_mass[idx(t.body)];
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < columns; ++j)
                block[i * columns + j] += PackedSystem::through(m, a[i], t.row_side, b[j], t.column_side);
        if (symmetric || t.row == t.column) continue;
        double* other = s.matrix.transposed_values(t.at);
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < columns; ++j)
                other[i * columns + j] += PackedSystem::through(m, b[j], t.column_side, a[i], t.row_side);
    }
    for (const HubSide& h : s.hub_sides) fill_hub(s, system, h);
    for (int hub = 0; hub < s.hubs; ++hub)
        for (int i = 0; i < 6; ++i) s.matrix.diagonal(static_cast<int>(joints) + hub)[7 * i] = 1;
    for (std::size_t k = 0; k < joints; ++k) {
        double* D = s.matrix.diagonal(static_cast<int>(k));
        const PackedRow* a = system.rows.data() + system.first[k];
        for (int i = 0; i < sizes_[k]; ++i) D[i * sizes_[k] + i] += a[i].added;
    }
}

void DirectSystem::fill_hub(Structure& s, const PackedSystem& system, const HubSide& h) {
    const int rows = system.size(idx(h.joint));
    const PackedRow* a = system.rows.data() + system.first[idx(h.joint)];
    const double sign = h.side == 0 ? 1 : -1, m = sign * system.inv_mass[idx(h.body)];
    // The block of the node that is eliminated later, and that of the other one transposed, have the same shape.
    double* reads = h.hub_later ? s.matrix.transposed_values(h.at) : s.matrix.coupling_values(h.at);
    double* moves = h.hub_later ? s.matrix.coupling_values(h.at) : s.matrix.transposed_values(h.at);
    for (int i = 0; i < rows; ++i) {
        const Vec3 u = sign * a[i].linear, p = -m * a[i].force, &w = a[i].angular[h.side], t = -1 * a[i].turn[h.side];
        const double read[6] = {u.x, u.y, u.z, w.x, w.y, w.z}, moved[6] = {p.x, p.y, p.z, t.x, t.y, t.z};
        for (int j = 0; j < 6; ++j) {
            const int at = h.hub_later ? j * rows + i : 6 * i + j;
            reads[at] = read[j];
            moves[at] = moved[j];
        }
    }
}

void DirectSystem::solve(const Island& island, const PackedSystem& system, std::vector<double>& x) {
    Structure& s = structure_of(island);
    fill(s, system);
    s.matrix.factor();
    const std::size_t rows = x.size();
    x.resize(s.matrix.unknowns(), 0);
    s.matrix.solve(x);
    x.resize(rows);
}

}  // namespace armature
