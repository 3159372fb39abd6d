#include "armature/solvers/linearized/packed_rows.h"

namespace armature {

void PackedSystem::pack(const CorrectionProblem& p, const SystemRows& from, double regularisation,
                        bool make_symmetric) {
    symmetric = make_symmetric;
    joints = &p.island.joints;
    inv_mass.resize(p.island.bodies.size());
    for (std::size_t i = 0; i < inv_mass.size(); ++i)
        inv_mass[i] = p.model.bodies[static_cast<std::size_t>(p.island.bodies[i])].inv_mass;
    rows.clear();
    first.clear();
    for (std::size_t k = 0; k < joints->size(); ++k) {
        first.push_back(rows.size());
        const double m = inv_mass[static_cast<std::size_t>((*joints)[k].body1)] +
                         inv_mass[static_cast<std::size_t>((*joints)[k].body2)];
        for (std::size_t i = from.first[k]; i < from.first[k + 1]; ++i) {
            const SystemRow& r = from.rows[i];
            if (!r.active) continue;
            const Vec3 &linear = symmetric ? r.linear : r.read_linear,
                       &angular1 = symmetric ? r.angular1 : r.read_angular1,
                       &angular2 = symmetric ? r.angular2 : r.read_angular2;
            const double diagonal = m * norm2(r.linear) + dot(r.angular1, r.turn1) + dot(r.angular2, r.turn2);
            // A row that moves nothing stays out of the way.
            rows.push_back({linear,
                            r.linear,
                            {angular1, angular2},
                            {r.turn1, r.turn2},
                            r.compliance + regularisation * (diagonal + r.compliance) + 1e-300});
        }
    }
    first.push_back(rows.size());
}

}  // namespace armature
