// The direction in which a convex body and a box are farthest apart, or least deep in each other.
//
//   gap(n) = n·c − e(n) − Σ h_i |n_i|,        e(n) = max n·x over the body, about its centre c
// is the room between the two planes with the unit normal n that touch box and body; wanted is n = argmax gap(n).
//   apart:    there is only one maximum; it is the distance, and n the line between the nearest points.
//   overlap:  every n is a way out of length −gap(n), and the highest of several maxima the shortest.
// n is where box and body both have a feature that carries it, so that every feature of the box has its candidates:
//   face      n = ±e_i
//   edge      n = (1−w) A + w B, between the normals A and B of its faces, where the gap stops to rise with w. With x
//             the point of the body farthest along −n, the rate is  (1−w)(B·x − h_B) − w(A·x − h_A)  times something
//             positive. Its change of sign is found by halving, to the last digit and across kinks.
//   corner v  n = the normal of the body at the point of its surface nearest to v
// The body adds directions of its own: caps, crossings of its edges with those of the box. For two boxes all candidates
// together contain the 15 axes of [Gottschalk, Lin, Manocha 1996], which is all there is when they overlap.
//
// This is exact for bodies apart and for polytopes. For overlapping round bodies an edge is searched in eight pieces;
// that it has never missed the maximum in random trials (tests/contact) is no proof. A missed one costs a longer way
// out.
//
// All bodies here are symmetric about their centre, so that of n and −n the one with n·c ≥ 0 is the better.
#pragma once

#include <concepts>
#include <limits>

#include "armature/contact/box_face.h"
#include "armature/contact/contact_sink.h"

namespace armature::detail {

struct Separation {
    Vec3 n;  ///< unit, out of the box
    double gap = -std::numeric_limits<double>::infinity();
};

/// What is asked of a body, with everything about its centre and in axes of the box. Directions that it visits may have
/// any length and either sign, and zero is none.
template <class B>
concept SymmetricBody = requires(const B& body, const Vec3& n, void visit(const Vec3&)) {
    /// The point farthest along n, which need not be a unit vector; of several the middle one.
    { body.support(n) } -> std::same_as<Vec3>;
    /// Visits the directions it adds itself.
    body.own(visit);
    /// Visits the normals of its surface at the points that are nearer to n (a point here) than all points around them;
    /// the nearest of all is enough for bodies whose e(n) is that of a polytope.
    body.normals(n, visit);
    { B::polytope } -> std::convertible_to<bool>;
};

template <SymmetricBody Body>
class SeparationSearch {
  public:
    SeparationSearch(const Body& body, const Vec3& c, const Vec3& h) : body_(body), c_(c), h_(h) {}

    Separation find(double margin) {
        for (int i = 0; i < 3; ++i) {
            Vec3 n;
            n[i] = c_[i] < 0 ? -1 : 1;
            try_direction(n);
        }
        if (best_.gap > margin || face_is_certain()) return best_;
        const auto visit = [&](const Vec3& n) { try_direction(normalized(n, {})); };
        body_.own(visit);
        if (best_.gap > margin || (Body::polytope && best_.gap < 0)) return best_;
        for (int k = 0; k < 3; ++k) try_edges(k);
        for (int corner = 0; corner < 8; ++corner) body_.normals(box_corner(h_, corner) - c_, visit);
        return best_;
    }

  private:
    /// Earlier candidates win ties.
    void try_direction(Vec3 n) {
        if (n == Vec3{}) return;
        if (dot(n, c_) < 0) n = -n;
        const double gap =
            dot(n, c_) - dot(n, body_.support(n)) - dot(h_, {std::fabs(n.x), std::fabs(n.y), std::fabs(n.z)});
        if (gap > best_.gap) best_ = {n, gap};
    }

    /// The best face is the answer when the point of the body that is nearest to it is over it, and no other way out of
    /// the box is shorter for that point alone.
    bool face_is_certain() const {
        const Vec3 x = c_ - body_.support(best_.n);
        const double depth = std::fmax(0, -best_.gap);
        for (int j = 0; j < 3; ++j) {
            const double other_sides = best_.n[j] == 0 ? h_[j] - std::fabs(x[j]) : 2 * h_[j] - depth;
            if (!(other_sides >= depth)) return false;
        }
        return true;
    }

    void try_edges(int k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        for (int signs = 0; signs < 4; ++signs) {
            const double A = (signs & 1) != 0 ? 1 : -1, B = (signs & 2) != 0 ? 1 : -1;
            if (A * c_[i] < 0 && B * c_[j] < 0) continue;  // n·c < 0
            Vec3 n;
            const auto rate = [&](double w) {
                n[i] = A * (1 - w);
                n[j] = B * w;
                const Vec3 x = c_ - body_.support(n);
                return (1 - w) * (B * x[j] - h_[j]) - w * (A * x[i] - h_[i]);
            };
            // Apart, the rate falls from one face to the other and one look at either end tells. Overlapping, it may
            // turn several times.
            const int pieces = best_.gap < 0 ? 8 : 1;
            double from = 0, rate_from = rate(0);
            for (int piece = 1; piece <= pieces; ++piece) {
                const double to = static_cast<double>(piece) / pieces, rate_to = rate(to);
                if (rate_from > 0 && !(rate_to > 0)) {  // it is zero for a while where they touch exactly
                    const double w = sign_change(rate, from, to);
                    n[i] = A * (1 - w);
                    n[j] = B * w;
                    try_direction(normalized(n));
                }
                from = to;
                rate_from = rate_to;
            }
        }
    }

    template <class Rate>
    static double sign_change(const Rate& rate, double low, double high) {
        for (int step = 0; step < 64; ++step) {
            const double middle = 0.5 * (low + high);
            if (middle == low || middle == high) break;
            (rate(middle) > 0 ? low : high) = middle;
        }
        return low;
    }

    const Body& body_;
    Vec3 c_, h_;
    Separation best_;
};

/// Once a direction shows a gap above the margin it is returned, whether or not it is the best.
template <SymmetricBody Body>
Separation separation(const Body& body, const Vec3& c, const Vec3& h, double margin) {
    return SeparationSearch<Body>(body, c, h).find(margin);
}

}  // namespace armature::detail
