#include "armature/math/exact_turn.h"

namespace armature {

Vec3 exact_turn(const Mat3& inertia, const Vec3& w, const Vec3& momentum, const Vec3& guess) {
    Vec3 turn = guess;
    const double scale = norm(momentum) + norm(inertia * w);
    for (int k = 0; k < 12; ++k) {
        const Vec3 swept = inertia * (turn - w), sum = swept + momentum;
        const Vec3 f = swept - momentum + 0.5 * cross(turn, sum);
        if (!(norm(f) > 1e-16 * scale)) break;
        const Mat3 slope = inertia + 0.5 * (skew(turn) * inertia - skew(sum));
        turn -= inverse(slope) * f;
    }
    return turn;
}

}  // namespace armature
