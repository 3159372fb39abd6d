// Where the parts of a structure are strands (strand.h).
#include <algorithm>
#include <cstring>

#include "armature/solvers/linearized/lockstep/planner.h"

namespace armature::lockstep {

namespace {

constexpr int fewest_links = 2;               // that are worth loops of their own
constexpr std::size_t far_bytes = 16u << 20;  // of numbers, that are not in the caches when it is their turn again

}  // namespace

int Planner::link_at(int part, int place, bool mirrored) const {
    const BilateralPlan::Node &here = node(cut_.begin(part) + place), &next = node(cut_.begin(part) + place + 1);
    const int body = mirrored ? here.body1 : here.body2;
    if (here.axis || next.axis || body != (mirrored ? next.body2 : next.body1)) return -1;
    const bool fits = moves(body) && sides_at_[idx(body)] == 2 && !plan_.bodies[idx(body)].particle;
    return fits ? body : -1;
}

Planner::Stretch Planner::longest_from(int place, bool mirrored) const {
    const int body0 = link_at(0, place, mirrored), joint0 = node(cut_.begin(0) + place).joint;
    const int joints_apart = node(cut_.begin(1) + place).joint - joint0;
    Stretch found{place, place, mirrored};
    const int most = cut_.cut == 1 && place == 0 && cut_.begin(cut_.parts) < node_count() ? cut_.size : cut_.size - 1;
    for (; found.end < most; ++found.end) {
        const int along = found.end - place;
        for (int part = 0; part < cut_.parts; ++part) {
            // Numbers of bodies and joints follow from those of the first: nothing is looked up on the way.
            const int body = link_at(part, found.end, mirrored), k = cut_.begin(part) + found.end;
            if (body < 0 || body != body0 + part * cut_.bodies + along) return found;
            for (const int at : {0, 1})
                if (node(k + at).joint != joint0 + part * joints_apart + along + at) return found;
        }
    }
    return found;
}

void Planner::find_strands() {
    stretches_.clear();
    sides_at_.assign(idx(dynamic_count_), 0);
    within_a_strand_.assign(idx(dynamic_count_), 0);
    if (cut_.parts != eight) return;
    for (const BilateralPlan::Node& n : plan_.nodes)
        for (const int body : {n.body1, n.body2})
            if (moves(body)) sides_at_[idx(body)] = static_cast<char>(std::min(sides_at_[idx(body)] + 1, 3));
    if (whole_parts()) return;
    for (int place = cut_.cut; place < cut_.size;) {
        const Stretch one = longest_from(place, false), other = longest_from(place, true);
        const Stretch& longer = one.end >= other.end ? one : other;
        if (longer.end - longer.begin < fewest_links) {
            ++place;
            continue;
        }
        add_stretch(longer);
        place = longer.end;
    }
}

bool Planner::whole_parts() {
    // A strand ends at a node: where the last part has none after it, each is cut a link shorter.
    const Cutting before = cut_;
    if (cut_.cut == 1 && cut_.bodies == cut_.size && cut_.begin(cut_.parts) == node_count()) {
        --cut_.size;
        --cut_.bodies;
    }
    for (const bool mirrored : {false, true})
        if (const Stretch all = longest_from(0, mirrored); all.end == cut_.size && all.end >= fewest_links) {
            add_stretch(all);
            return true;
        }
    cut_ = before;
    return false;
}

void Planner::add_stretch(const Stretch& stretch) {
    stretches_.push_back(stretch);
    for (int part = 0; part < cut_.parts; ++part)
        for (int place = stretch.begin; place < stretch.end; ++place)
            within_a_strand_[idx(link_at(part, place, stretch.mirrored))] = 1;
}

void Planner::add_strands() {
    for (const Stretch& stretch : stretches_) {
        Strand s;
        const int k0 = cut_.begin(0) + stretch.begin, k1 = cut_.begin(1) + stretch.begin;
        s.mirrored = stretch.mirrored;
        s.first_body = link_at(0, stretch.begin, s.mirrored);
        s.bodies_apart = cut_.bodies;
        s.first_node = k0;
        s.nodes_apart = cut_.size;
        s.first_joint = node(k0).joint;
        s.joints_apart = node(k1).joint - node(k0).joint;
        s.first_side = out_->sides.size();
        s.link.resize(idx(stretch.end - stretch.begin));
        s.far = s.link.size() * sizeof(LinkGroup) > far_bytes;
        s.shapes.resize(s.link.size());
        for (std::size_t i = 0; i < s.link.size(); ++i)
            for (std::size_t lane = 0; lane < eight; ++lane) {
                const int k = s.first_node + static_cast<int>(lane) * s.nodes_apart + static_cast<int>(i);
                const int b = s.first_body + static_cast<int>(lane) * s.bodies_apart + static_cast<int>(i);
                const BilateralPlan::BodyConstants& body = plan_.bodies[idx(b)];
                const BilateralPlan::Shape &here = plan_.shapes[idx(k)], &next = plan_.shapes[idx(k + 1)];
                const four::V arms[2] = {s.mirrored ? here.p1 : here.p2, s.mirrored ? next.p2 : next.p1};
                const four::M& J = body.inertia;
                const double rows[6] = {J.c0[0], J.c1[1], J.c2[2], J.c1[0], J.c2[0], J.c2[1]};
                for (int r = 0; r < 6; ++r) {
                    s.shapes[i].arm[r].v[lane] = arms[r / 3][r % 3];
                    s.shapes[i].inertia[r].v[lane] = rows[r];
                }
                s.link[i].r[link_inv_mass].v[lane] = body.inv_mass;
                s.link[i].r[link_most_turn2].v[lane] = body.most_turn2;
            }
        const auto like_the_first = [&](const LinkShape& a) { return std::memcmp(&a, &s.shapes[0], sizeof a) == 0; };
        if (std::all_of(s.shapes.begin(), s.shapes.end(), like_the_first)) {
            s.shapes.resize(1);
            s.shapes.shrink_to_fit();
        }
        std::array<BodyOf, eight> group;
        for (int part = 0; part < eight; ++part) {
            const int at = cut_.begin(part);
            group[idx(part)].sides = {{stretch.begin, at + stretch.begin, s.mirrored ? 0 : 1},
                                      {stretch.end, at + stretch.end, s.mirrored ? 1 : 0}};
        }
        add_group(group, Role::strand);
        out_->bodies.back().strand = out_->strands.size();
        out_->strands.push_back(std::move(s));
    }
}

}  // namespace armature::lockstep
