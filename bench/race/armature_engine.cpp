// Armature with each solver of the registry, and with the scheme that keeps energy; a solver that is added to the registry takes
// part without a word here.
#include <fmt/format.h>

#include <stdexcept>

#include "armature/model/compile.h"
#include "armature/model/joint_library.h"
#include "armature/sim/step.h"
#include "armature/solvers/registry.h"
#include "engine.h"

namespace armature::race {
namespace {

std::string body_name(int body) {
    return body == world ? "world" : fmt::format("b{}", body);
}

Spec make_spec(const RaceScene& scene, const std::string& solver, const Setting& setting) {
    Spec spec;
    spec.title = scene.title;
    spec.simulation.gravity = scene.gravity;
    spec.simulation.dt = frame;
    spec.simulation.solver = solver;
    spec.simulation.tolerance = setting.tolerance;
    spec.simulation.iterations = setting.iterations;
    if (setting.max_rotation > 0) spec.simulation.max_rotation = setting.max_rotation;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const RaceBody& body = scene.bodies[i];
        SolidSpec& solid = spec.add_solid(body_name(static_cast<int>(i)));
        solid.pose_WB = body.pose_WB;
        solid.velocity = body.velocity;
        solid.spin = body.spin;
        solid.shapes.push_back({"", Box{2 * body.half}, {}, {}});
        solid.mass = body.mass;
        solid.centre_B = Vec3{};
        solid.inertia_G = Mat3::diagonal(body.inertia);
    }
    for (const RaceJoint& joint : scene.joints) {
        const JointFrame a{joint.pa_B, joint.axis_a_B, any_perpendicular(joint.axis_a_B)};
        const JointFrame b{joint.pb_B, joint.axis_b_B, any_perpendicular(joint.axis_b_B)};
        if (joint.kind == JointKind::hinge) {
            // No freedoms: nothing acts along them, and counting turns would cost time.
            ConstraintSpec pin = make_joint(JointType::pin, body_name(joint.a), a, body_name(joint.b), b);
            pin.freedoms.clear();
            spec.constraints.push_back(pin);
        } else {
            spec.add_constraint(body_name(joint.a), body_name(joint.b)).hinge =
                HingeSpec{joint.pa_B, joint.pb_B, PointDomain{}};
        }
    }
    return spec;
}

Solver solver_of(const Model& model) {
    Diagnostics diagnostics;
    Solver solver = make_solver(model, diagnostics);
    if (diagnostics.has_errors()) throw InputError(diagnostics);
    return solver;
}

/// The scene turned as a whole.
RaceScene turned(RaceScene scene, const Quat& turn) {
    scene.gravity = rotate(turn, scene.gravity);
    for (RaceBody& body : scene.bodies) {
        body.pose_WB = Pose{{}, turn} * body.pose_WB;
        body.velocity = rotate(turn, body.velocity);
        body.spin = rotate(turn, body.spin);
    }
    for (RaceJoint& joint : scene.joints) {
        if (joint.a == world) {
            joint.pa_B = rotate(turn, joint.pa_B);
            joint.axis_a_B = rotate(turn, joint.axis_a_B);
        }
        if (joint.b == world) {
            joint.pb_B = rotate(turn, joint.pb_B);
            joint.axis_b_B = rotate(turn, joint.axis_b_B);
        }
    }
    return scene;
}

class ArmatureWorld : public World {
  public:
    /// `turn`: how the scene was turned; poses are read as if it had not been.
    explicit ArmatureWorld(const Spec& spec, const Quat& turn)
        : model_(compile(spec)), state_(initial_state(model_)), workspace_(solver_of(model_)), back_(conjugate(turn)) {}

    // The bare step: a Simulator would also measure and report every frame, which no other engine is asked to do.
    void step() override { advance_frame(model_, state_, workspace_); }
    void read(std::vector<Pose>& poses_WB) override {
        for (std::size_t i = 0; i < poses_WB.size(); ++i)
            poses_WB[i] = Pose{{}, back_} * state_.pose_WB(model_, static_cast<BodyId>(i) + 1);  // body 0 is the world
    }

  private:
    Model model_;
    State state_;
    StepWorkspace workspace_;
    Quat back_;
};

}  // namespace

namespace {

Engine make_engine(const std::string& name, const std::string& solver, Scheme scheme, const std::string& knob,
                   const Quat& turn = {}) {
    Engine engine;
    engine.name = fmt::format("Armature {}", name);
    engine.version = ARMATURE_VERSION;
    engine.knob = knob;
    engine.build = [solver, scheme, turn](const RaceScene& scene, const Setting& setting) {
        Spec spec = make_spec(turned(scene, turn), solver, setting);
        spec.simulation.scheme = scheme;
        return std::make_unique<ArmatureWorld>(spec, turn);
    };
    return engine;
}

/// Gauss–Seidel and the like come closer the longer they are left to sweep.
void add_tolerances(Engine& engine) {
    for (const double tolerance : {1e-2, 3e-3, 9e-4, 3e-4, 1e-4, 1e-5, 9e-7, 1e-7, 1e-8, 9e-10}) {
        Setting setting;
        setting.label = fmt::format("tolerance {:g}", tolerance);
        setting.tolerance = tolerance;
        setting.iterations = 200'000;
        setting.quick = tolerance == 9e-4 || tolerance == 9e-7;
        engine.settings.push_back(setting);
    }
}

/// Newton's method doubles its digits: the dial is the number of its iterations.
void add_counts(Engine& engine) {
    engine.try_all = true;
    for (const int count : {1, 2, 3, 4, 1000}) {
        Setting setting;
        setting.label = count == 1     ? "1 iteration"
                        : count < 1000 ? fmt::format("{} iterations", count)
                                       : "to round-off";
        setting.tolerance = 1e-3;
        setting.iterations = count;
        setting.quick = count == 2 || count == 1000;
        engine.settings.push_back(setting);
    }
    // Light parts that spin fast make it halve its steps, by default from half a radian on.
    Setting longer = engine.settings.back();
    longer.label = "to round-off, 1 rad a step";
    longer.max_rotation = 1;
    longer.quick = false;
    engine.settings.push_back(longer);
}

}  // namespace

std::vector<Engine> armature_engines() {
    std::vector<Engine> engines;
    for (const SolverInfo& info : solver_list()) {
        const bool newton = info.name == LinearizedSolver::name;
        if (info.name == ProceduralSolver::name) continue;  // for dragging: it has no energy to keep
        Engine engine = make_engine(std::string(info.name), std::string(info.name), Scheme::newton,
                                    newton ? "Newton iterations at most" : "tolerance (m and rad)");
        if (newton)
            add_counts(engine);
        else
            add_tolerances(engine);
        engines.push_back(std::move(engine));
    }
    Engine exact = make_engine("linearized, exact", LinearizedSolver::name, Scheme::exact, "Newton iterations at most");
    add_counts(exact);
    engines.push_back(std::move(exact));
    Engine tilted = make_engine("linearized, tilted", LinearizedSolver::name, Scheme::newton,
                                "Newton iterations at most", from_axis_angle(normalized(Vec3{1, 2, 3}), 1));
    add_counts(tilted);
    engines.push_back(std::move(tilted));
    return engines;
}

}  // namespace armature::race
