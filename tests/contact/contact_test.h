// What the tests of contacts share.
#pragma once

#include <algorithm>
#include <cmath>

#include "armature/contact/find_contacts.h"
#include "armature/math/random.h"
#include "armature/model/spec.h"
#include "support/test_meshes.h"

namespace armature::test {

inline std::vector<ContactPoint> contacts(const Geometry& shape1, const Pose& X_WS1, const Geometry& shape2,
                                          const Pose& X_WS2, double margin) {
    std::vector<ContactPoint> out;
    find_contacts(ContactShape(shape1), X_WS1, ContactShape(shape2), X_WS2, margin, out);
    return out;
}

/// The least, over all horizontal directions, of how far the contacts reach from `centre` in that direction: positive
/// when what stands on them with its weight above the centre does not tip over.
inline double held_around(const std::vector<ContactPoint>& contacts, const Vec3& centre) {
    double least = infinity;
    for (int i = 0; i < 360; ++i) {
        const Vec3 d{std::cos(i * pi / 180), 0, std::sin(i * pi / 180)};
        double reach = -infinity;
        for (const ContactPoint& c : contacts) reach = std::fmax(reach, dot(d, c.p1 - centre));
        least = std::fmin(least, reach);
    }
    return least;
}

inline std::vector<int> features(const std::vector<ContactPoint>& contacts) {
    std::vector<int> result;
    for (const ContactPoint& c : contacts) result.push_back(c.feature);
    std::sort(result.begin(), result.end());
    return result;
}

}  // namespace armature::test
