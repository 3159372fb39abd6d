#include "armature/scene/drag_text.h"

#include "armature/base/number_text.h"

namespace armature {

namespace {

std::string numbers(std::initializer_list<double> values) {
    std::string text;
    for (const double v : values) text.append(" ").append(to_text(v));
    return text;
}
std::string numbers(const Vec3& v) {
    return numbers({v.x, v.y, v.z});
}

}  // namespace

std::string to_text(const DraggedSpec& drag) {
    std::string text = "drag " + drag.name + "\n  object " + drag.solid + ";\n  at" + numbers(drag.at_B) + ";\n";
    if (drag.path.interpolation == Interpolation::spline) text += "  interpolation spline;\n";
    if (drag.closing != 0.5) text += "  closing" + numbers({drag.closing}) + ";\n";
    if (drag.from != -infinity || drag.until != infinity) {
        text += "  valid";
        if (drag.from != -infinity) text += " from" + numbers({drag.from});
        if (drag.until != infinity) text += " until" + numbers({drag.until});
        text += ";\n";
    }
    for (const PoseKey& key : drag.path.keys) {
        text += "  key" + numbers({key.t}) + numbers(key.pose.x);
        if (drag.orient) text += " quaternion" + numbers({key.pose.q.w, key.pose.q.x, key.pose.q.y, key.pose.q.z});
        text += ";\n";
    }
    return text + "end\n";
}

}  // namespace armature
