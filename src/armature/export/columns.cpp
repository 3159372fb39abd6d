#include "armature/export/columns.h"

#include <fmt/format.h>

#include <set>
#include <string_view>
#include <utility>

#include "armature/base/suggest.h"

namespace armature {

namespace {

using Read = double (*)(const FrameRecord&, std::size_t);
using Table = std::vector<std::pair<const char*, Read>>;
using F = const FrameRecord&;
using I = std::size_t;

double whole(int n) {
    return static_cast<double>(n);
}

const Table& overall_table() {
    static const Table table = {
        {"time", [](F f, I) { return f.time; }},
        {"energy", [](F f, I) { return f.mechanics.energy(); }},
        {"kinetic", [](F f, I) { return f.mechanics.kinetic; }},
        {"potential", [](F f, I) { return f.mechanics.potential; }},
        {"momentum.x", [](F f, I) { return f.mechanics.momentum.x; }},
        {"momentum.y", [](F f, I) { return f.mechanics.momentum.y; }},
        {"momentum.z", [](F f, I) { return f.mechanics.momentum.z; }},
        {"angular_momentum.x", [](F f, I) { return f.mechanics.angular_momentum.x; }},
        {"angular_momentum.y", [](F f, I) { return f.mechanics.angular_momentum.y; }},
        {"angular_momentum.z", [](F f, I) { return f.mechanics.angular_momentum.z; }},
        {"worst_gap", [](F f, I) { return f.joints.worst_gap; }},
        {"rms_gap", [](F f, I) { return f.joints.rms_gap; }},
        {"worst_angle", [](F f, I) { return f.joints.worst_angle; }},
        {"steps", [](F f, I) { return whole(f.step.steps); }},
        {"rejected", [](F f, I) { return whole(f.step.rejected); }},
        {"iterations", [](F f, I) { return whole(f.step.max_iterations); }},
    };
    return table;
}

const Table& placement_table() {
    static const Table table = {
        {"at.x", [](F f, I i) { return f.pose_WB[i].x.x; }},
        {"at.y", [](F f, I i) { return f.pose_WB[i].x.y; }},
        {"at.z", [](F f, I i) { return f.pose_WB[i].x.z; }},
        {"quaternion.w", [](F f, I i) { return f.pose_WB[i].q.w; }},
        {"quaternion.x", [](F f, I i) { return f.pose_WB[i].q.x; }},
        {"quaternion.y", [](F f, I i) { return f.pose_WB[i].q.y; }},
        {"quaternion.z", [](F f, I i) { return f.pose_WB[i].q.z; }},
    };
    return table;
}

const Table& motion_table() {
    static const Table table = {
        {"velocity.x", [](F f, I i) { return f.v[i].x; }}, {"velocity.y", [](F f, I i) { return f.v[i].y; }},
        {"velocity.z", [](F f, I i) { return f.v[i].z; }}, {"spin.x", [](F f, I i) { return f.w[i].x; }},
        {"spin.y", [](F f, I i) { return f.w[i].y; }},     {"spin.z", [](F f, I i) { return f.w[i].z; }},
    };
    return table;
}

const Table& joint_table() {
    static const Table table = {
        {"error", [](F f, I i) { return f.errors[i]; }},
        {"force.x", [](F f, I i) { return f.loads[i].force.x; }},
        {"force.y", [](F f, I i) { return f.loads[i].force.y; }},
        {"force.z", [](F f, I i) { return f.loads[i].force.z; }},
        {"torque.x", [](F f, I i) { return f.loads[i].torque.x; }},
        {"torque.y", [](F f, I i) { return f.loads[i].torque.y; }},
        {"torque.z", [](F f, I i) { return f.loads[i].torque.z; }},
    };
    return table;
}

const Table& island_table() {
    static const Table table = {
        {"energy", [](F f, I i) { return f.islands[i].energy(); }},
        {"kinetic", [](F f, I i) { return f.islands[i].kinetic; }},
        {"potential", [](F f, I i) { return f.islands[i].potential; }},
        {"momentum.x", [](F f, I i) { return f.islands[i].momentum.x; }},
        {"momentum.y", [](F f, I i) { return f.islands[i].momentum.y; }},
        {"momentum.z", [](F f, I i) { return f.islands[i].momentum.z; }},
        {"angular_momentum.x", [](F f, I i) { return f.islands[i].angular_momentum.x; }},
        {"angular_momentum.y", [](F f, I i) { return f.islands[i].angular_momentum.y; }},
        {"angular_momentum.z", [](F f, I i) { return f.islands[i].angular_momentum.z; }},
    };
    return table;
}

void add(std::vector<Column>& columns, const std::string& owner, std::size_t index, const Table& table) {
    for (const auto& [name, read] : table)
        columns.push_back({owner.empty() ? std::string(name) : fmt::format("{}.{}", owner, name), read, index});
}

/// What the freedoms of a joint are and do.
void add_freedoms(std::vector<Column>& columns, const Model& model, const Joint& joint) {
    static const Table table = {
        {"value", [](const FrameRecord& f, I i) { return f.freedoms[i].value; }},
        {"rate", [](const FrameRecord& f, I i) { return f.freedoms[i].rate; }},
        {"force", [](const FrameRecord& f, I i) { return f.freedoms[i].force; }},
    };
    for (const FreedomId id : joint.freedoms) {
        const auto i = static_cast<std::size_t>(id);
        add(columns, model.freedoms[i].name, i, table);
    }
}

/// Whether `pattern` covers the whole of `name`, or the whole of it up to a dot. Linear: on a mismatch only the last
/// star takes one character more.
bool covers(std::string_view pattern, std::string_view name) {
    std::size_t p = 0, n = 0, star = std::string_view::npos, resume = 0;
    while (true) {
        if (p == pattern.size() && (n == name.size() || name[n] == '.')) return true;
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = n;
        } else if (p < pattern.size() && n < name.size() && pattern[p] == name[n]) {
            ++p;
            ++n;
        } else if (star != std::string_view::npos && resume < name.size()) {
            p = star + 1;
            n = ++resume;
        } else {
            return false;
        }
    }
}

}  // namespace

std::vector<Column> all_columns(const Model& model) {
    std::vector<Column> columns;
    add(columns, {}, 0, overall_table());
    for (std::size_t i = 1; i < model.bodies.size(); ++i) {
        add(columns, model.bodies[i].name, i, placement_table());
        add(columns, model.bodies[i].name, i, motion_table());
    }
    for (std::size_t i = 0; i < model.joints.size(); ++i) {
        add(columns, model.joints[i].name, i, joint_table());
        add_freedoms(columns, model, model.joints[i]);
    }
    for (std::size_t i = 0; i < model.islands.size(); ++i)
        add(columns, fmt::format("island[{}]", i), i, island_table());
    return columns;
}

std::vector<Column> default_columns(const Model& model) {
    std::vector<Column> columns;
    add(columns, {}, 0, overall_table());
    for (std::size_t i = 1; i < model.bodies.size(); ++i)
        if (model.bodies[i].kernel != Kernel::fixed) add(columns, model.bodies[i].name, i, placement_table());
    return columns;
}

std::vector<Column> choose_columns(const Model& model, const std::vector<std::string>& patterns) {
    if (patterns.empty()) return default_columns(model);
    const std::vector<Column> all = all_columns(model);
    std::vector<Column> chosen;
    std::vector<bool> taken(all.size(), false);
    Diagnostics unknown;
    for (const std::string& pattern : patterns) {
        bool found = false;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (!covers(pattern, all[i].name)) continue;
            found = true;
            if (!taken[i]) chosen.push_back(all[i]);
            taken[i] = true;
        }
        if (found) continue;
        // What comes before each dot is a name of its own: `whel.at` is near `wheel.at`, not near `wheel.at.x`.
        std::set<std::string_view> names;
        for (const Column& column : all) {
            const std::string_view name = column.name;
            names.insert(name);
            for (std::size_t dot = name.find('.'); dot != name.npos; dot = name.find('.', dot + 1))
                names.insert(name.substr(0, dot));
        }
        unknown.error({}, fmt::format("there is no column '{}'", pattern),
                      did_you_mean(pattern, {names.begin(), names.end()}));
    }
    if (!unknown.empty()) throw InputError(std::move(unknown));
    return chosen;
}

}  // namespace armature
