#include "scene_test.h"

#include <atomic>
#include <filesystem>
#include <fstream>

#include "armature/base/number_text.h"

namespace armature::testing_scene {

namespace fs = std::filesystem;

namespace {

class Dump {
  public:
    Dump& operator<<(double x) { return text_ += ' ' + to_text(x), *this; }
    Dump& operator<<(int x) { return text_ += ' ' + std::to_string(x), *this; }
    Dump& operator<<(bool x) { return text_ += x ? " yes" : " no", *this; }
    Dump& operator<<(const Vec3& v) { return *this << v.x << v.y << v.z; }
    Dump& operator<<(const Quat& q) { return *this << q.w << q.x << q.y << q.z; }
    Dump& operator<<(const Pose& p) { return *this << p.x << p.q; }
    Dump& operator<<(const Mat3& m) { return *this << m.row0 << m.row1 << m.row2; }
    Dump& operator<<(const std::string& s) { return text_ += " '" + s + "'", *this; }
    Dump& operator<<(const char* s) { return text_ += ' ', text_ += s, *this; }
    template <class T>
    Dump& operator<<(const std::optional<T>& x) {
        return x ? *this << *x : *this << "-";
    }
    std::string text_;
};

void dump(Dump& d, const VectorTrack& t) {
    d << static_cast<int>(t.interpolation);
    for (const VectorKey& k : t.keys) d << k.t << k.value;
}

void dump(Dump& d, const char* name, const ScalarTrack& t) {
    if (!t.given()) return;
    d << name << static_cast<int>(t.interpolation);
    for (const ScalarKey& k : t.keys) d << k.t << k.value;
}

void dump(Dump& d, const FreedomSpec& f) {
    d << "\n  freedom" << f.name << static_cast<int>(f.kind) << f.p1_B << f.p2_B << f.axis1_B << f.axis2_B
      << f.across1_B << f.across2_B << f.restitution;
    dump(d, "min", f.min);
    dump(d, "max", f.max);
    dump(d, "stiffness", f.stiffness);
    dump(d, "rest", f.rest);
    dump(d, "damping", f.damping);
    dump(d, "force", f.force);
    dump(d, "speed", f.speed);
    dump(d, "max_force", f.max_force);
}

void dump(Dump& d, const Shape& s) {
    d << "\n  shape" << s.name << static_cast<int>(s.geometry.index()) << s.X_BS << s.density;
    if (const auto* g = std::get_if<Sphere>(&s.geometry)) d << g->radius;
    if (const auto* g = std::get_if<Box>(&s.geometry)) d << g->size;
    if (const auto* g = std::get_if<Cylinder>(&s.geometry)) d << g->radius << g->length;
    if (const auto* g = std::get_if<Capsule>(&s.geometry)) d << g->radius << g->length;
    if (const auto* g = std::get_if<Ellipsoid>(&s.geometry)) d << g->radii;
    if (const auto* g = std::get_if<MeshShape>(&s.geometry)) d << g->file;
}

void dump(Dump& d, const ConstraintSpec& c) {
    d << "\nconstraint" << c.name << c.solid1 << c.solid2 << c.from << c.until << c.alpha << c.mobility << c.closing;
    if (c.soft)
        d << "soft" << c.soft->stiffness << c.soft->damping << c.soft->angular_stiffness << c.soft->angular_damping;
    if (c.screw)
        d << "screw" << c.screw->p1_B << c.screw->p2_B << c.screw->axis1_B << c.screw->axis2_B << c.screw->pitch;
    for (const FreedomSpec& f : c.freedoms) dump(d, f);
    if (c.hinge) {
        d << "hinge" << c.hinge->p1_B << c.hinge->p2_B << static_cast<int>(c.hinge->domain.index());
        if (const auto* s = std::get_if<SegmentDomain>(&c.hinge->domain)) d << s->axis_2 << s->min << s->max;
        if (const auto* r = std::get_if<RingDomain>(&c.hinge->domain)) d << r->normal_2 << r->min << r->max;
        if (const auto* s = std::get_if<SphereDomain>(&c.hinge->domain)) d << s->min << s->max;
        if (const auto* b = std::get_if<BoxDomain>(&c.hinge->domain))
            d << b->size << b->q_2.w << b->q_2.vec() << static_cast<int>(b->surface);
        if (const auto* m = std::get_if<MeshDomain>(&c.hinge->domain))
            d << m->file << m->q_2.w << m->q_2.vec() << static_cast<int>(m->inside);
        if (const auto* curve = std::get_if<CurveDomain>(&c.hinge->domain)) {
            d << static_cast<int>(curve->kind) << static_cast<int>(curve->closed);
            for (const Vec3& p : curve->points_2) d << p;
        }
    }
    if (c.angle) d << "angle" << c.angle->a1_B << c.angle->a2_B << c.angle->min << c.angle->max;
    if (c.twist) d << "twist" << c.twist->b1_B << c.twist->b2_B << c.twist->min << c.twist->max;
}

void dump(Dump& d, const ForceSpec& f) {
    d << "\nforce" << f.name << static_cast<int>(f.law.index());
    if (const auto* p = std::get_if<PointForceSpec>(&f.law)) {
        d << p->solid << p->at_B << static_cast<int>(p->frame);
        dump(d, p->force);
    }
    if (const auto* t = std::get_if<TorqueSpec>(&f.law)) {
        d << t->solid << static_cast<int>(t->frame);
        dump(d, t->torque);
    }
    if (const auto* s = std::get_if<SpringSpec>(&f.law))
        d << s->solid1 << s->solid2 << s->p1_B << s->p2_B << s->stiffness << s->rest << s->damping;
    if (const auto* g = std::get_if<DragSpec>(&f.law)) d << g->solid << g->linear << g->angular;
}

}  // namespace

std::string describe(const Spec& spec) {
    Dump d;
    const SimulationSpec& s = spec.simulation;
    d << spec.title << s.gravity << s.duration << s.dt << static_cast<int>(s.scheme) << s.verlet_keep << s.settle
      << s.solver << s.tolerance << s.iterations << static_cast<int>(s.on_failure) << s.max_gap << s.assemble
      << s.assembly_iterations << s.max_rotation << s.max_correction << s.min_dt << s.displacement.variant
      << static_cast<int>(s.displacement.alpha) << static_cast<int>(s.displacement.order) << s.displacement.physics
      << s.displacement.accelerate << s.displacement.relaxation;
    for (const SolidSpec& b : spec.solids) {
        d << "\nsolid" << b.name << static_cast<int>(b.kernel) << b.pose_WB << b.velocity << b.spin << b.density
          << b.mass << b.centre_B << b.inertia_G << b.ability_to_rotate << b.color << b.particle << b.untouchable;
        if (b.contact) d << "contact" << b.contact->friction << b.contact->static_friction << b.contact->restitution;
        for (const PoseKey& k : b.path.keys) d << "key" << k.t << k.pose;
        for (const PointMass& p : b.point_masses) d << "point" << p.mass << p.at_B;
        for (const Shape& shape : b.shapes) dump(d, shape);
    }
    for (const ConstraintSpec& c : spec.constraints) dump(d, c);
    for (const ForceSpec& f : spec.forces) dump(d, f);
    return d.text_;
}

Folder::Folder() {
    static std::atomic<int> next{0};
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    const fs::path root = fs::path(ARMATURE_BINARY_DIR) / "scene_test" /
                          (std::string(info->test_suite_name()) + "." + info->name() + std::to_string(next++));
    fs::remove_all(root);
    fs::create_directories(root);
    root_ = fs::canonical(root).string();
}

Folder::~Folder() {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
}

void Folder::write(const std::string& name, const std::string& text) const {
    const fs::path p = path(name);
    fs::create_directories(p.parent_path());
    std::ofstream(p, std::ios::binary) << text;
}

}  // namespace armature::testing_scene
