// Where the parts of a structure are strands (strand.h).
#include <algorithm>
#include <cstring>

#include "armature/solvers/linearized/lockstep/planner.h"

namespace armature::lockstep {

namespace {

constexpr int fewest_links = 2;               // that are worth loops of their own
constexpr int fewest_links_of_equals = 7;     // where ends of them are loose, and are eliminated first otherwise
constexpr std::size_t near_bytes = 1u << 20;  // of numbers, that are in the second cache when it is their turn again
constexpr std::size_t far_bytes = 16u << 20;  // that are in no cache then
constexpr int links_at_hand = 64;             // of eight parts, that are in the second

std::size_t bytes(int links) {
    return static_cast<std::size_t>(links) * sizeof(LinkGroup);
}

}  // namespace

int Planner::link_at(int part, int place, const Stretch& kind) const {
    const int k = cut_.begin(part) + place, next = k + kind.per_joint;
    const int body = kind.mirrored ? node(k).body1 : node(k).body2;
    if (body != (kind.mirrored ? node(next).body2 : node(next).body1)) return -1;
    for (const int joint : {k, next}) {
        if (node(joint).axis) return -1;
        if (kind.per_joint == 1) continue;
        const BilateralPlan::Node &point = node(joint), &axis = node(joint + 1);
        if (!axis.axis || axis.joint != point.joint) return -1;
    }
    const bool fits = moves(body) && sides_at_[idx(body)] == 2 * kind.per_joint && !plan_.bodies[idx(body)].particle;
    return fits ? body : -1;
}

Planner::Stretch Planner::longest(Stretch kind) const {
    kind.end = kind.begin;
    const bool whole = kind.begin == 0 && cut_.cut == kind.per_joint && cut_.size % kind.per_joint == 0 &&
                       cut_.begin(cut_.parts) + kind.per_joint <= node_count();
    const int most = whole ? cut_.size : cut_.size - kind.per_joint;
    int body0 = 0, joint0 = 0, joints_apart = 0;
    for (; kind.end + kind.per_joint <= most; kind.end += kind.per_joint) {
        if (kind.links() == 0) {
            body0 = link_at(0, kind.begin, kind);
            joint0 = node(cut_.begin(0) + kind.begin).joint;
            joints_apart = node(cut_.begin(1) + kind.begin).joint - joint0;
        }
        for (int part = 0; part < cut_.parts; ++part) {
            // Numbers of bodies and joints follow from those of the first: nothing is looked up on the way.
            const int body = link_at(part, kind.end, kind), k = cut_.begin(part) + kind.end, along = kind.links();
            if (body < 0 || body != body0 + part * cut_.bodies + along) return kind;
            for (const int at : {0, 1})
                if (node(k + at * kind.per_joint).joint != joint0 + part * joints_apart + along + at) return kind;
        }
    }
    return kind;
}

void Planner::find_strands() {
    stretches_.clear();
    sides_at_.assign(idx(dynamic_count_), 0);
    within_a_strand_.assign(idx(dynamic_count_), 0);
    if (cut_.parts != eight) return;
    for (const BilateralPlan::Node& n : plan_.nodes)
        for (const int body : {n.body1, n.body2})
            if (moves(body)) sides_at_[idx(body)] = static_cast<char>(std::min(sides_at_[idx(body)] + 1, 5));
    if (whole_parts()) return;
    for (int place = cut_.cut; place < cut_.size;) {
        Stretch best{place, place, 1, false};
        for (const auto& [per_joint, mirrored] : kinds)
            if (const Stretch other = longest({place, place, per_joint, mirrored}); other.links() > best.links())
                best = other;
        if (best.links() < (constants_vary_ ? fewest_links_of_equals : fewest_links)) {
            ++place;
            continue;
        }
        add_stretch(best);
        place = best.end;
    }
}

bool Planner::whole_parts() {
    const Cutting before = cut_;
    for (const auto& [per_joint, mirrored] : kinds) {
        cut_ = before;
        // A strand ends at a joint: where the last part has none after it, each is cut a link shorter.
        if (cut_.cut == per_joint && cut_.bodies * per_joint == cut_.size && cut_.begin(cut_.parts) == node_count()) {
            cut_.size -= per_joint;
            --cut_.bodies;
        }
        const Stretch all = longest({0, 0, per_joint, mirrored});
        if (all.end != cut_.size || all.links() < fewest_links) continue;
        add_stretch(all);
        return true;
    }
    cut_ = before;
    return false;
}

void Planner::add_stretch(const Stretch& stretch) {
    // What is long is gone through in pieces that stay in the second cache for two sweeps. Pins are not: what is left to balance of the
    // links at their ends is known only when all have moved.
    const bool long_one = stretch.per_joint == 1 && bytes(stretch.links()) > near_bytes;
    const int pieces = long_one ? (stretch.links() + links_at_hand - 1) / links_at_hand : 1;
    Stretch piece = stretch;
    for (int k = 0; k < pieces; ++k) {
        piece.end = stretch.begin + stretch.links() * (k + 1) / pieces * stretch.per_joint;
        stretches_.push_back(piece);
        piece.begin = piece.end;
    }
    for (int part = 0; part < cut_.parts; ++part)
        for (int place = stretch.begin; place < stretch.end; place += stretch.per_joint)
            within_a_strand_[idx(link_at(part, place, stretch))] = 1;
}

void Planner::add_strands() {
    int links_of_strands = 0;
    for (const Stretch& stretch : stretches_) links_of_strands += stretch.links();
    for (const Stretch& stretch : stretches_) {
        Strand s;
        const int k0 = cut_.begin(0) + stretch.begin, k1 = cut_.begin(1) + stretch.begin;
        s.mirrored = stretch.mirrored;
        s.pins = stretch.per_joint == 2;
        s.first_body = link_at(0, stretch.begin, stretch);
        s.bodies_apart = cut_.bodies;
        s.first_node = k0;
        s.nodes_apart = cut_.size;
        s.first_joint = node(k0).joint;
        s.joints_apart = node(k1).joint - node(k0).joint;
        s.first_side = out_->sides.size();
        s.link.resize(idx(stretch.links()));
        s.pin.resize(s.pins ? s.link.size() : 0);
        s.piece = !s.pins && bytes(links_of_strands) > near_bytes;
        s.far = bytes(links_of_strands) > far_bytes;
        s.shapes.resize(s.link.size());
        for (std::size_t i = 0; i < s.link.size(); ++i)
            for (std::size_t lane = 0; lane < eight; ++lane) {
                const int k =
                    s.first_node + static_cast<int>(lane) * s.nodes_apart + static_cast<int>(i) * stretch.per_joint;
                const int b = s.first_body + static_cast<int>(lane) * s.bodies_apart + static_cast<int>(i);
                const BilateralPlan::BodyConstants& body = plan_.bodies[idx(b)];
                const BilateralPlan::Shape &here = plan_.shapes[idx(k)],
                                           &next = plan_.shapes[idx(k + stretch.per_joint)];
                const four::V arms[2] = {s.mirrored ? here.p1 : here.p2, s.mirrored ? next.p2 : next.p1};
                const four::M& J = body.inertia;
                const double rows[6] = {J.c0[0], J.c1[1], J.c2[2], J.c1[0], J.c2[0], J.c2[1]};
                for (int r = 0; r < 6; ++r) {
                    s.shapes[i].arm[r].v[lane] = arms[r / 3][r % 3];
                    s.shapes[i].inertia[r].v[lane] = rows[r];
                }
                if (s.pins) {
                    const four::V axes[3] = {plan_.shapes[idx(k + 1)].t, plan_.shapes[idx(k + 1)].s,
                                             plan_.shapes[idx(k + 3)].a};
                    for (int r = 0; r < 9; ++r) s.shapes[i].axes[r].v[lane] = axes[r / 3][r % 3];
                }
                s.link[i].r[link_inv_mass].v[lane] = body.inv_mass;
                s.link[i].r[link_most_turn2].v[lane] = body.most_turn2;
            }
        const auto like_the_first = [&](const LinkShape& a) { return std::memcmp(&a, &s.shapes[0], sizeof a) == 0; };
        if (!constants_vary_ && std::all_of(s.shapes.begin(), s.shapes.end(), like_the_first)) {
            s.shapes.resize(1);
            s.shapes.shrink_to_fit();
        }
        std::array<BodyOf, eight> group;
        for (int part = 0; part < eight; ++part) {
            const int at = cut_.begin(part);
            for (int n = 0; n < stretch.per_joint; ++n) {
                group[idx(part)].sides.push_back({stretch.begin + n, at + stretch.begin + n, s.mirrored ? 0 : 1});
                group[idx(part)].sides.push_back({stretch.end + n, at + stretch.end + n, s.mirrored ? 1 : 0});
            }
        }
        add_group(group, Role::strand);
        out_->bodies.back().strand = out_->strands.size();
        out_->strands.push_back(std::move(s));
    }
}

}  // namespace armature::lockstep
