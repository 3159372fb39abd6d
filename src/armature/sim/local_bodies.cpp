#include "armature/sim/local_bodies.h"

#include <algorithm>

namespace armature {

void gather(const Island& island, const State& state, LocalBodies& local) {
    local.resize(island.bodies.size());
    std::size_t i = 0;
    if (island.in_a_row) {
        const auto n = static_cast<std::ptrdiff_t>(island.dynamic_count), first = std::ptrdiff_t{island.bodies[0]};
        const auto copy = [&](const auto& from, auto& to) { std::copy_n(from.begin() + first, n, to.begin()); };
        copy(state.x, local.x);
        copy(state.q, local.q);
        copy(state.v, local.v);
        copy(state.w, local.w);
        i = idx(island.dynamic_count);
    }
    for (; i < island.bodies.size(); ++i) {
        const auto b = static_cast<std::size_t>(island.bodies[i]);
        local.x[i] = state.x[b];
        local.q[i] = state.q[b];
        local.v[i] = state.v[b];
        local.w[i] = state.w[b];
    }
}

void scatter(const Island& island, const LocalBodies& local, State& state) {
    if (island.in_a_row) {
        const auto n = static_cast<std::ptrdiff_t>(island.dynamic_count), first = std::ptrdiff_t{island.bodies[0]};
        const auto copy = [&](const auto& from, auto& to) { std::copy_n(from.begin(), n, to.begin() + first); };
        copy(local.x, state.x);
        copy(local.q, state.q);
        copy(local.v, state.v);
        copy(local.w, state.w);
        return;
    }
    for (std::size_t i = 0; i < idx(island.dynamic_count); ++i) {
        const auto b = static_cast<std::size_t>(island.bodies[i]);
        state.x[b] = local.x[i];
        state.q[b] = local.q[i];
        state.v[b] = local.v[i];
        state.w[b] = local.w[i];
    }
}

void place_kinematic(const Model& model, const Island& island, double t, LocalBodies& local) {
    for (auto i = static_cast<std::size_t>(island.dynamic_count); i < island.bodies.size(); ++i) {
        const Body& b = model.bodies[static_cast<std::size_t>(island.bodies[i])];
        if (b.kernel != Kernel::path) continue;
        const PoseAndVelocity at = path_at(b, t);
        local.x[i] = at.pose.x;  // G of a kinematic body is the origin of its frame
        local.q[i] = at.pose.q;
        local.v[i] = at.v;
        local.w[i] = at.w;
    }
}

double kinetic_energy(const Model& model, const Island& island, const LocalBodies& local) {
    double e = 0;
    for (int l = 0; l < island.dynamic_count; ++l) {
        const Body& b = body_of(model, island, l);
        const Vec3 w_B = rotate_back(local.q[idx(l)], local.w[idx(l)]);
        e += 0.5 * (b.mass * norm2(local.v[idx(l)]) + dot(w_B, b.inertia_G * w_B));
    }
    return e;
}

namespace {

/// Zero times what is not finite is not zero. Four sums: none has to wait for the one before.
template <class T>
bool finite(const std::vector<T>& of, std::size_t things) {
    constexpr std::size_t numbers = sizeof(T) / sizeof(double);
    if (things == 0) return true;
    const double* v = reinterpret_cast<const double*>(of.data());
    const std::size_t end = things * numbers;
    double sum[4] = {};
    std::size_t i = 0;
    for (; i + 4 <= end; i += 4)
        for (std::size_t k = 0; k < 4; ++k) sum[k] += 0.0 * v[i + k];
    for (; i < end; ++i) sum[0] += 0.0 * v[i];
    return sum[0] + sum[1] + sum[2] + sum[3] == 0;
}

}  // namespace

int find_not_finite(const Island& island, const LocalBodies& local) {
    const auto n = static_cast<std::size_t>(island.dynamic_count);
    if (finite(local.x, n) && finite(local.v, n) && finite(local.w, n) && finite(local.q, n)) return -1;
    for (int i = 0; i < island.dynamic_count; ++i) {
        const auto k = static_cast<std::size_t>(i);
        if (!is_finite(local.x[k]) || !is_finite(local.q[k]) || !is_finite(local.v[k]) || !is_finite(local.w[k]))
            return i;
    }
    return -1;
}

}  // namespace armature
