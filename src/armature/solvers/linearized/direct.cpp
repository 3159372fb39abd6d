#include "armature/solvers/linearized/direct.h"

namespace armature {

namespace {

std::size_t idx(int i) {
    return static_cast<std::size_t>(i);
}

}  // namespace

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
    std::vector<std::pair<int, int>> couplings;
    for (const std::vector<int>& at : joints_of)
        for (std::size_t a = 0; a < at.size(); ++a)
            for (std::size_t b = 0; b < a; ++b) couplings.emplace_back(at[a], at[b]);
    s.matrix.analyse(static_cast<int>(island.joints.size()), couplings);
    s.cost = 27 * static_cast<double>(s.matrix.updates()) + 27 * static_cast<double>(island.joints.size());
    s.through.clear();
    const auto side = [&](int joint, int body) { return island.joints[idx(joint)].body1 == body ? 0u : 1u; };
    for (int body = 0; body < island.dynamic_count; ++body) {
        const std::vector<int>& at = joints_of[idx(body)];
        for (std::size_t a = 0; a < at.size(); ++a) {
            s.through.push_back({body, at[a], at[a], 0, side(at[a], body), side(at[a], body)});
            for (std::size_t b = 0; b < a; ++b) {
                const BlockFactor::CouplingPlace c = s.matrix.coupling_place(at[a], at[b]);
                s.through.push_back({body, c.row, c.column, c.at, side(c.row, body), side(c.column, body)});
            }
        }
    }
    return s;
}

void DirectSystem::fill(Structure& s, const PackedSystem& system) {
    const std::size_t joints = system.joints->size();
    sizes_.resize(joints);
    for (std::size_t k = 0; k < joints; ++k) sizes_[k] = system.size(k);
    s.matrix.begin(sizes_, system.symmetric);
    for (const Through& t : s.through) {
        const int rows = sizes_[idx(t.row)], columns = sizes_[idx(t.column)];
        const PackedRow* a = system.rows.data() + system.first[idx(t.row)];
        const PackedRow* b = system.rows.data() + system.first[idx(t.column)];
        double* block = t.row == t.column ? s.matrix.diagonal(t.row) : s.matrix.coupling_values(t.at);
        const double m = system.inv_mass[idx(t.body)];
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < columns; ++j)
                block[i * columns + j] += PackedSystem::through(m, a[i], t.row_side, b[j], t.column_side);
        if (system.symmetric || t.row == t.column) continue;
        double* other = s.matrix.transposed_values(t.at);
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < columns; ++j)
                other[i * columns + j] += PackedSystem::through(m, b[j], t.column_side, a[i], t.row_side);
    }
    for (std::size_t k = 0; k < joints; ++k) {
        double* D = s.matrix.diagonal(static_cast<int>(k));
        const PackedRow* a = system.rows.data() + system.first[k];
        for (int i = 0; i < sizes_[k]; ++i) D[i * sizes_[k] + i] += a[i].added;
    }
}

void DirectSystem::solve(const Island& island, const PackedSystem& system, std::vector<double>& x) {
    Structure& s = structure_of(island);
    fill(s, system);
    s.matrix.factor();
    s.matrix.solve(x);
}

}  // namespace armature
