// The scene that the studio is loaded with, in its tests and in its benchmark: a thousand capsules in a hundred chains.
#pragma once

namespace armature::test {

inline constexpr const char* thousand_scene =
    "title \"Thousand\";\n"
    "repeat c from 1 to 100\n"
    "  repeat i from 1 to 10\n"
    "    object link[c][i] capsule radius 0.02 length 0.14 axis 1 0 0; at 0.2*i - 0.1 3 0.1*c; end\n"
    "  end\n"
    "  constraint hook[c] object2 link[c][1]; hinge 0 3 0.1*c -0.1 0 0; end\n"
    "  repeat i from 1 to 9\n"
    "    constraint joint[c][i] object1 link[c][i]; object2 link[c][i + 1]; hinge 0.1 0 0 -0.1 0 0; end\n"
    "  end\n"
    "end\n";

}  // namespace armature::test
