// What the tests of contacts share.
#pragma once

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

}  // namespace armature::test
