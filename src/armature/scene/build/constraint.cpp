#include "armature/base/number_text.h"
#include "armature/scene/build/holding.h"
#include "armature/scene/build/shapes.h"

namespace armature::lang {

namespace {

using A = const Arguments&;

struct Draft {
    Builder& builder;
    const BlockSite& site;
    ConstraintSpec spec{};
    std::optional<Domain> domain{};
    std::string keyword{};  ///< that gave the domain
};

void domain(Draft& d, A a, Domain value) {
    if (d.domain)
        a.error(quoted(d.keyword) + " and " + quoted(a.keyword()) + " exclude each other", "keep one of them");
    d.domain = std::move(value);
    d.keyword = a.keyword();
}

void sphere(Draft& d, A a) {
    SphereDomain s{a.number_or("min", 0), a.number_or("max", infinity)};
    if (const ArgumentList* radius = a.option("radius")) {
        if (a.option("min") != nullptr || a.option("max") != nullptr)
            a.error("'radius' gives 'min' and 'max' already", "keep 'radius', or the two of them");
        s.min = s.max = radius->number();
    }
    domain(d, a, s);
}

void curve(Draft& d, A a) {
    CurveDomain c;
    c.kind = a.choice<CurveKind>();
    c.closed = a.option("closed") != nullptr;
    for (std::size_t i = 1; i + 2 < a.plain().numbers.size(); i += 3) c.points_2.push_back(a.vec(i));
    domain(d, a, std::move(c));
}

void box(Draft& d, A a) {
    const std::optional<Quat> q = orientation_of(a);
    domain(d, a, BoxDomain{a.vec_or("size", {}), q.value_or(Quat{}), a.option("surface") != nullptr});
}

void mesh(Draft& d, A a) {
    const std::optional<Quat> q = orientation_of(a);
    MeshDomain m{a.text(), read_mesh(d.builder, d.site, a), q.value_or(Quat{}), a.option("inside") != nullptr};
    // What is wrong with the file was said; the constraint itself is then held to be fine.
    if (m.mesh == nullptr) return domain(d, a, PointDomain{});
    domain(d, a, std::move(m));
}

// A limit beyond half a turn cannot be meant: angles lie in [0, π], twists in [-π, π]. The file of GG's appendix has
// one, so it loads, and the limit counts as none.
double angle_limit(A a, std::string_view option, double fallback) {
    const double x = a.number_or(option, fallback);
    if (!(std::fabs(x) > pi) || a.option(option) == nullptr) return x;
    const bool above = (option == "max") == (x > 0);
    if (!above) return x;  // an empty interval: the model says what is wrong with it
    if (std::fabs(x) != infinity) {
        std::string hint = "angles are in radians";
        if (std::fabs(x) > 6.3) hint += "; did you mean " + to_text(x) + " deg?";
        a.warning(a.span_of(option),
                  quoted(option) + " " + to_text(x) + " is beyond half a turn and counts as no limit", std::move(hint));
    }
    return x > 0 ? pi : -pi;
}

const Setter<Draft> setters[] = {
    {"hinge",
     [](Draft& d, A a) {
         d.spec.hinge = HingeSpec{a.vec(), a.vec(3), PointDomain{}};
     }},
    {"axial",
     [](Draft& d, A a) {
         domain(d, a, SegmentDomain{a.vec(), a.number_or("min", -infinity), a.number_or("max", infinity)});
     }},
    {"planar",
     [](Draft& d, A a) {
         domain(d, a, RingDomain{a.vec(), a.number_or("min", 0), a.number_or("max", infinity)});
     }},
    {"sphere", sphere},
    {"box", box},
    {"curve", curve},
    {"mesh", mesh},
    {"angle",
     [](Draft& d, A a) {
         d.spec.angle = AngleSpec{a.vec(), a.vec(3), a.number_or("min", 0), angle_limit(a, "max", pi)};
     }},
    {"twist",
     [](Draft& d, A a) {
         d.spec.twist = TwistSpec{a.vec(), a.vec(3), angle_limit(a, "min", -pi), angle_limit(a, "max", pi)};
     }},
};

// What is fixed to the world moves along with the group.
void place_world_side(ConstraintSpec& c, const Pose& X) {
    if (c.solid1 == "world") {
        if (c.hinge) c.hinge->p1_B = X * c.hinge->p1_B;
        if (c.angle) c.angle->a1_B = rotate(X.q, c.angle->a1_B);
        if (c.twist) c.twist->b1_B = rotate(X.q, c.twist->b1_B);
    }
    if (c.solid2 == "world") {
        if (c.hinge) {
            c.hinge->p2_B = X * c.hinge->p2_B;
            if (auto* s = std::get_if<SegmentDomain>(&c.hinge->domain)) s->axis_2 = rotate(X.q, s->axis_2);
            if (auto* r = std::get_if<RingDomain>(&c.hinge->domain)) r->normal_2 = rotate(X.q, r->normal_2);
            if (auto* b = std::get_if<BoxDomain>(&c.hinge->domain)) b->q_2 = normalized(X.q * b->q_2);
            if (auto* m = std::get_if<MeshDomain>(&c.hinge->domain)) m->q_2 = normalized(X.q * m->q_2);
            if (auto* curve = std::get_if<CurveDomain>(&c.hinge->domain))
                for (Vec3& p : curve->points_2) p = rotate(X.q, p);
        }
        if (c.angle) c.angle->a2_B = rotate(X.q, c.angle->a2_B);
        if (c.twist) c.twist->b2_B = rotate(X.q, c.twist->b2_B);
    }
}

}  // namespace

void build_constraint(Builder& b, const BlockSite& written) {
    if (!b.define(written)) return b.check_only(written);
    const std::size_t index = b.scene.spec.constraints.size();
    // Without a name it can still be addressed, by the name an earlier pass found it to have.
    BlockSite site = written;
    if (site.name.empty() && index < b.automatic_names.size()) site.name = b.automatic_names[index];
    Draft d{b, site};
    d.spec.name = written.name;
    d.spec.origin = b.read_properties(site, [&](A a) {
        if (!set_holding(b, site, d.spec, a)) apply_setter(d, setters, a);
    });
    if (d.domain) {
        if (d.spec.hinge)
            d.spec.hinge->domain = std::move(*d.domain);
        else
            b.report.error(b.document(site), b.node(site).word, quoted(d.keyword) + " needs a 'hinge'",
                           "hinge P1 P2 says which points it is about", site.around->notes);
    }
    if (site.around->placed) place_world_side(d.spec, site.around->placement);
    b.scene.spec.constraints.push_back(std::move(d.spec));
}

}  // namespace armature::lang
