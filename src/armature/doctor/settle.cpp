#include "armature/doctor/settle.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "armature/doctor/dense.h"
#include "armature/math/random.h"

namespace armature::doctor {

namespace {

constexpr int most_steps = 120;
constexpr double good_enough = 1e-13;  ///< of |C|, scaled: round-off of a sum of a few numbers of order 1
constexpr double most_turn = 0.8;      ///< rad per step

struct Search {
    const Mechanism& mechanism;
    const std::vector<JointId>& joints;
    std::vector<HeldRow> rows{};
    Vector C{};

    double measure(const Placing& at) {
        rows = mechanism.rows(at, joints, true);
        std::erase_if(rows, [](const HeldRow& r) { return r.violation() == 0 && r.kind != RowKind::equality; });
        C = Vector(static_cast<int>(rows.size()));
        for (int i = 0; i < C.size(); ++i) {
            const HeldRow& row = rows[static_cast<std::size_t>(i)];
            C[i] = mechanism.scaled(row, row.violation());
        }
        return dot(C, C);
    }

    /// The largest turn of a solid, or way in units of L: what the linear picture is good for.
    double reach(const Vector& dq) const {
        double most = 0;
        for (int b = 0; b < mechanism.bodies(); ++b)
            for (int part = 0; part < mechanism.columns_of(b); part += 3)
                most = std::max(most, norm(three(dq, mechanism.first_column(b) + part)));
        return most;
    }

    Placing run(Placing at) {
        double cost = measure(at), mu = 1e-3;
        int idle = 0;
        for (int step = 0; step < most_steps && C.size() > 0 && largest(C) > good_enough; ++step) {
            const Matrix J = jacobian(mechanism, rows);
            Vector downhill = transposed_times(J, C);
            scale(downhill, -1);
            const Matrix normal = transposed_times(J, J);
            const double before = cost;
            bool helped = false;
            for (int attempt = 0; attempt < 8 && !helped; ++attempt) {
                Matrix damped = normal;
                for (int i = 0; i < damped.cols(); ++i) damped(i, i) += mu;
                Vector dq = solve_symmetric(std::move(damped), downhill);
                if (!std::all_of(dq.begin(), dq.end(), [](double x) { return std::isfinite(x); })) break;
                scale(dq, std::min(1.0, most_turn / std::max(reach(dq), most_turn)));
                Placing next = at;
                mechanism.move(next, dq.data(), 1);
                const std::vector<HeldRow> old_rows = rows;
                const Vector old_C = C;
                const double reached = measure(next);
                if (reached < cost) {
                    at = std::move(next);
                    cost = reached;
                    mu = std::max(mu * 0.1, 1e-13);
                    helped = true;
                } else {
                    rows = old_rows;
                    C = old_C;
                    mu = std::min(mu * 10, 1e3);
                }
            }
            if (!helped) break;
            // At the bottom of a valley that is not zero the cost only creeps.
            idle = cost > before * (1 - 1e-9) ? idle + 1 : 0;
            if (idle > 2) break;
        }
        return at;
    }
};

Placing stirred(const Mechanism& mechanism, Placing at, double amount, Random& random) {
    std::vector<double> dq(static_cast<std::size_t>(mechanism.columns()));
    for (double& x : dq) x = random.uniform(-amount, amount);
    mechanism.move(at, dq.data(), 1);
    return at;
}

}  // namespace

Settled settle_from(const Mechanism& mechanism, const Placing& start, const std::vector<JointId>& joints) {
    Search search{mechanism, joints};
    Settled out;
    out.at = search.run(start);
    for (const HeldRow& row : mechanism.rows(out.at, joints, true)) {
        out.error = std::max(out.error, std::fabs(row.violation()));
        out.scaled = std::max(out.scaled, mechanism.scaled(row, std::fabs(row.violation())));
    }
    out.holds = out.error <= mechanism.model().simulation.tolerance;
    return out;
}

Settled settle(const Mechanism& mechanism, const Placing& start, const std::vector<JointId>& joints) {
    Settled best = settle_from(mechanism, start, joints);
    Random random(1);
    for (const double amount : {0.02, 0.1, 0.3}) {
        if (best.holds) break;
        Settled other = settle_from(mechanism, stirred(mechanism, start, amount, random), joints);
        if (other.error < best.error) best = std::move(other);
    }
    return best;
}

}  // namespace armature::doctor
