// Solids and particles.
#include "armature/scene/build/builder.h"
#include "armature/scene/build/shapes.h"

namespace armature::lang {

namespace {

using A = const Arguments&;

struct Draft {
    Builder& builder;
    const BlockSite& site;
    SolidSpec spec;
    Pose pose;
    bool kernel_given = false;
    bool follows = false;
};

void turn(Draft& d, const std::optional<Quat>& q) {
    if (!q) return;
    // The first turn keeps its bits: what was written by a tool comes back exactly.
    d.pose.q = d.pose.q == Quat{} ? *q : normalized(*q * d.pose.q);
}

void set_kernel(Draft& d, A a, Kernel kernel) {
    if (d.kernel_given && d.spec.kernel != kernel) a.error("the kernel is given twice", "keep one of the statements");
    d.spec.kernel = kernel;
    d.kernel_given = true;
}

void follow(Draft& d, A a) {
    d.follows = true;
    d.builder.refer(Reference::Slot::path, d.builder.scene.spec.solids.size(), d.site, a.text(), a.document(),
                    a.span_of(""));
}

void shape(Draft& d, A a) {
    if (auto s = read_shape(d.builder, d.site, a)) d.spec.shapes.push_back(std::move(*s));
}

Mat3 symmetric(const Vec3& diagonal, const Vec3& off) {
    return {{diagonal.x, off.x, off.y}, {off.x, diagonal.y, off.z}, {off.y, off.z, diagonal.z}};
}

void contact(Draft& d, A a) {
    ContactSpec& c = d.spec.contact.emplace();
    c.friction = a.number_or("friction", c.friction);
    if (const ArgumentList* before = a.option("static")) c.static_friction = before->number();
    c.restitution = a.number_or("restitution", c.restitution);
}

const Setter<Draft> setters[] = {
    {"kernel", [](Draft& d, A a) { set_kernel(d, a, a.choice<Kernel>()); }},
    {"fixed", [](Draft& d, A a) { set_kernel(d, a, Kernel::fixed); }},
    {"follow", follow},
    {"sphere", shape},
    {"box", shape},
    {"cylinder", shape},
    {"capsule", shape},
    {"ellipsoid", shape},
    {"plane", shape},
    {"mesh", shape},
    {"density", [](Draft& d, A a) { d.spec.density = a.number(); }},
    {"mass", [](Draft& d, A a) { d.spec.mass = a.number(); }},
    {"centre", [](Draft& d, A a) { d.spec.centre_B = a.vec(); }},
    {"inertia",
     [](Draft& d, A a) { d.spec.inertia_G = symmetric(a.vec(), a.plain().numbers.size() == 6 ? a.vec(3) : Vec3{}); }},
    {"point_mass",
     [](Draft& d, A a) {
         d.spec.point_masses.push_back({a.number(), a.vec_or("at", {})});
     }},
    {"at", [](Draft& d, A a) { d.pose.x = a.vec(); }},
    {"turn", [](Draft& d, A a) { turn(d, turn_of(a, a.vec(), a.number(3))); }},
    {"quaternion",
     [](Draft& d, A a) {
         turn(d, quaternion_of(a, {a.number(0), a.number(1), a.number(2), a.number(3)}));
     }},
    {"velocity", [](Draft& d, A a) { d.spec.velocity = a.vec(); }},
    {"spin", [](Draft& d, A a) { d.spec.spin = a.vec(); }},
    {"contact", contact},
    {"untouchable", [](Draft& d, A a) { d.spec.untouchable = a.choice<bool>(); }},
    {"ability_to_rotate", [](Draft& d, A a) { d.spec.ability_to_rotate = a.number(); }},
    {"h", [](Draft& d, A a) { d.spec.h = a.number(); }},
    {"root", [](Draft& d, A a) { d.spec.root = a.choice<bool>(); }},
    {"color", [](Draft& d, A a) { d.spec.color = a.vec(); }},
};

void build_solid(Builder& b, const BlockSite& site, bool particle) {
    if (!b.count_object(b.document(site), b.node(site).word)) return;
    if (!b.define(site)) return b.check_only(site);
    Draft d{b, site, {}, {}};
    d.spec.name = site.name;
    d.spec.particle = particle;
    d.spec.origin = b.read_properties(site, [&](A a) { apply_setter(d, setters, a); });
    if (d.follows && !d.kernel_given) d.spec.kernel = Kernel::path;
    if (d.follows && d.spec.kernel != Kernel::path)
        b.report.error(b.document(site), b.node(site).word, "an object that follows a path has kernel path",
                       "leave out 'kernel' and 'fixed', or 'follow'", site.around->notes);
    d.spec.pose_WB = d.pose;
    if (site.around->placed) {
        const Pose& X = site.around->placement;
        d.spec.pose_WB = X * d.pose;
        d.spec.velocity = rotate(X.q, d.spec.velocity);
        d.spec.spin = rotate(X.q, d.spec.spin);
    }
    b.scene.spec.solids.push_back(std::move(d.spec));
}

}  // namespace

void build_object(Builder& builder, const BlockSite& site) {
    build_solid(builder, site, false);
}
void build_particle(Builder& builder, const BlockSite& site) {
    build_solid(builder, site, true);
}

}  // namespace armature::lang
