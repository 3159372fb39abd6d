// MuJoCo: joint coordinates, loops closed by `connect` constraints, which are soft. They are made as hard as it allows
// (time constant of two sub-steps, impedance 0.9999), so that sub-steps turn the gap, too. Knobs: sub-steps, integrator,
// solver of the loops.
#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <cstring>
#include <limits>
#include <stdexcept>

#include "engine.h"
#include "tree.h"

namespace armature::race {
namespace {

enum Method { euler_newton, runge_kutta_newton, euler_cg };

std::string file_name(std::size_t index) {
    return fmt::format("part{}.xml", index);
}
std::string text(const Vec3& v) {
    return fmt::format("{:.17g} {:.17g} {:.17g}", v.x, v.y, v.z);
}

/// The scene in MuJoCo's own language: it has no other door. Its reader refuses elements nested deeper than 100 in one
/// file, so deep trees continue in files of their own, which are included.
class Writer {
  public:
    Writer(const RaceScene& scene, const Tree& tree) : scene_(scene), tree_(tree), children_(scene.bodies.size()) {
        for (const TreeNode& node : tree.nodes)
            (node.parent == world ? roots_ : children_[static_cast<std::size_t>(node.parent)]).push_back(&node);
    }

    /// The files; the first is the scene.
    std::vector<std::string> write(const Setting& setting) {
        const double h = frame / setting.substeps;
        files_.assign(1, "");
        std::string xml = fmt::format(
            "<mujoco><compiler angle=\"radian\" inertiafromgeom=\"false\"/>"
            "<size njmax=\"{}\" nconmax=\"1\"/>"
            "<option timestep=\"{:.17g}\" gravity=\"{}\" iterations=\"{}\" tolerance=\"1e-14\" solver=\"{}\" "
            "integrator=\"{}\"><flag contact=\"disable\"/></option><worldbody>",
            3 * tree_.loops.size() + 10, h, text(scene_.gravity), setting.iterations,
            setting.method == euler_cg ? "CG" : "Newton", setting.method == runge_kutta_newton ? "RK4" : "Euler");
        for (const TreeNode* root : roots_) write_body(*root, 1, xml);
        xml += "</worldbody><equality>";
        for (const int loop : tree_.loops) {
            const RaceJoint& joint = scene_.joints[static_cast<std::size_t>(loop)];
            const bool turned = joint.a == world;
            const int a = turned ? joint.b : joint.a, b = turned ? joint.a : joint.b;
            xml += fmt::format(
                "<connect body1=\"b{}\" {} anchor=\"{}\" solref=\"{:.17g} 1\" "
                "solimp=\"0.9999 0.9999 0.001\"/>",
                a, b == world ? "" : fmt::format("body2=\"b{}\"", b), text(turned ? joint.pb_B : joint.pa_B), 2 * h);
        }
        files_[0] = xml + "</equality></mujoco>";
        return files_;
    }

  private:
    void write_body(const TreeNode& node, int depth, std::string& xml) {
        const RaceBody& body = scene_.bodies[static_cast<std::size_t>(node.body)];
        const Quat& q = node.X_PB.q;
        xml += fmt::format(
            "<body name=\"b{}\" pos=\"{}\" quat=\"{:.17g} {:.17g} {:.17g} {:.17g}\">"
            "<inertial pos=\"0 0 0\" mass=\"{:.17g}\" diaginertia=\"{}\"/>",
            node.body, text(node.X_PB.x), q.w, q.x, q.y, q.z, body.mass, text(body.inertia));
        if (scene_.joints[static_cast<std::size_t>(node.joint)].kind == JointKind::ball)
            xml += fmt::format("<joint type=\"ball\" pos=\"{}\"/>", text(node.point_B));
        else
            xml += fmt::format("<joint name=\"j{}\" type=\"hinge\" pos=\"{}\" axis=\"{}\"/>", node.body,
                               text(node.point_B), text(node.axis_B));
        for (const TreeNode* child : children_[static_cast<std::size_t>(node.body)]) {
            if (depth % 80 != 0) {
                write_body(*child, depth + 1, xml);
            } else {
                std::string part;
                write_body(*child, depth + 1, part);
                xml += fmt::format("<include file=\"{}\"/>", file_name(files_.size()));
                files_.push_back("<mujocoinclude>" + part + "</mujocoinclude>");
            }
        }
        xml += "</body>";
    }

    const RaceScene& scene_;
    const Tree& tree_;
    std::vector<const TreeNode*> roots_;
    std::vector<std::vector<const TreeNode*>> children_;
    std::vector<std::string> files_;
};

[[noreturn]] void fail(const char* message) {
    throw std::runtime_error(message);
}
void ignore(const char*) {}

mjModel* load(const std::vector<std::string>& files) {
    mju_user_error = fail;  // the default ends the process
    mju_user_warning = ignore;
    const auto vfs = std::make_unique<mjVFS>();
    mj_defaultVFS(vfs.get());
    for (std::size_t i = 0; i < files.size(); ++i) {
        const std::string name = file_name(i);
        if (mj_makeEmptyFileVFS(vfs.get(), name.c_str(), static_cast<int>(files[i].size())) != 0)
            throw std::runtime_error("MuJoCo takes no more files");
        std::memcpy(vfs->filedata[mj_findFileVFS(vfs.get(), name.c_str())], files[i].data(), files[i].size());
    }
    char error[500] = "";
    mjModel* model = mj_loadXML(file_name(0).c_str(), vfs.get(), error, sizeof error);
    mj_deleteVFS(vfs.get());
    if (!model) throw std::runtime_error(error);
    return model;
}

class MujocoWorld : public World {
  public:
    MujocoWorld(const RaceScene& scene, const Setting& setting) : substeps_(setting.substeps) {
        const Tree tree = make_tree(scene);
        model_.reset(load(Writer(scene, tree).write(setting)));
        data_.reset(mj_makeData(model_.get()));
        if (!data_) throw std::runtime_error("MuJoCo cannot allocate the scene");
        for (std::size_t i = 0; i < scene.bodies.size(); ++i)
            ids_.push_back(mj_name2id(model_.get(), mjOBJ_BODY, fmt::format("b{}", i).c_str()));
        for (const TreeNode& node : tree.nodes) {
            if (node.rate == 0) continue;
            const int joint = mj_name2id(model_.get(), mjOBJ_JOINT, fmt::format("j{}", node.body).c_str());
            data_->qvel[model_->jnt_dofadr[joint]] = node.rate;
        }
        mj_forward(model_.get(), data_.get());
    }

    void step() override {
        for (int i = 0; i < substeps_; ++i) mj_step(model_.get(), data_.get());
    }
    void read(std::vector<Pose>& poses_WB) override {
        mj_kinematics(model_.get(), data_.get());  // mj_step leaves the poses of the start of its last step
        // When numbers go out of hand MuJoCo warns and begins again from the start, which must not pass for success.
        bool failed = false;
        for (const int warning : {mjWARN_BADQPOS, mjWARN_BADQVEL, mjWARN_BADQACC})
            failed = failed || data_->warning[warning].number > 0;
        for (std::size_t i = 0; i < ids_.size(); ++i) {
            const mjtNum *x = data_->xpos + 3 * ids_[i], *q = data_->xquat + 4 * ids_[i];
            poses_WB[i] = {{x[0], x[1], x[2]}, normalized(Quat{q[0], q[1], q[2], q[3]})};
            if (failed) poses_WB[i].x.x = std::numeric_limits<double>::quiet_NaN();
        }
    }

  private:
    struct Delete {
        void operator()(mjModel* model) const { mj_deleteModel(model); }
        void operator()(mjData* data) const { mj_deleteData(data); }
    };
    int substeps_;
    std::unique_ptr<mjModel, Delete> model_;
    std::unique_ptr<mjData, Delete> data_;
    std::vector<int> ids_;  ///< per body of the scene
};

}  // namespace

std::vector<Engine> mujoco_engines() {
    Engine engine;
    engine.name = "MuJoCo";
    engine.version = mj_versionString();
    engine.knob = "sub-steps, integrator, solver of the loops";
    const auto add = [&](int substeps, int method, const char* name) {
        Setting setting = substep_setting(substeps, method == euler_newton && (substeps == 4 || substeps == 32));
        setting.label += name;
        setting.method = method;
        setting.iterations = 100;
        setting.for_loops = method == euler_cg;
        engine.settings.push_back(setting);
    };
    for (const int substeps : {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}) {
        add(substeps, euler_newton, ", Euler");
        if (substeps == 1 || substeps == 8) add(substeps, euler_cg, ", Euler, CG");
        if (substeps <= 16 && substeps > 1)
            add(substeps / 2, runge_kutta_newton, ", RK4");  // four times the work of Euler
    }
    engine.build = [](const RaceScene& scene, const Setting& setting) {
        return std::make_unique<MujocoWorld>(scene, setting);
    };
    return {engine};
}

}  // namespace armature::race
