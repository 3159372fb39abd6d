#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "armature/doctor/groups.h"
#include "armature/doctor/settle.h"

namespace armature::doctor {

namespace {

constexpr std::size_t most_sets = 60;
constexpr std::size_t most_visits = 400;

JointSet joined(const JointSet& a, const JointSet& b) {
    JointSet out;
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
    return out;
}
JointSet without(JointSet set, JointId joint) {
    std::erase(set, joint);
    return set;
}
bool contains(const JointSet& set, const JointSet& part) {
    return std::includes(set.begin(), set.end(), part.begin(), part.end());
}

class Search {
  public:
    Search(const Mechanism& mechanism, const Placing& start) : mechanism_(mechanism), start_(start) {}

    bool holds(const JointSet& set) {
        const auto [it, fresh] = known_.emplace(set, false);
        if (fresh) it->second = settle(mechanism_, start_, set).holds;
        return it->second;
    }

    /// One minimal contradictory set within `set`, which is contradictory.
    JointSet minimal(const JointSet& set) { return explain({}, set, false); }

    /// All of those within `set`.
    void enumerate(const JointSet& set, Groups& out) {
        if (!visited_.insert(set).second) return;
        if (visited_.size() > most_visits || out.sets.size() >= most_sets) {
            out.complete = false;
            return;
        }
        // One that is known already saves a search.
        auto known = std::find_if(out.sets.begin(), out.sets.end(), [&](const auto& s) { return contains(set, s); });
        JointSet found;
        if (known != out.sets.end()) {
            found = *known;
        } else {
            if (holds(set)) return;
            found = minimal(set);
            out.sets.push_back(found);
        }
        for (const JointId j : found) enumerate(without(set, j), out);
    }

  private:
    /// `known` is taken as given; `added` says that it grew since it was last tried.
    JointSet explain(const JointSet& known, const JointSet& set, bool added) {
        if (added && !holds(known)) return {};
        if (set.size() <= 1) return set;
        const auto half = set.begin() + static_cast<std::ptrdiff_t>(set.size() / 2);
        const JointSet first(set.begin(), half), second(half, set.end());
        const JointSet from_second = explain(joined(known, first), second, !first.empty());
        const JointSet from_first = explain(joined(known, from_second), first, !from_second.empty());
        return joined(from_first, from_second);
    }

    const Mechanism& mechanism_;
    const Placing& start_;
    std::map<JointSet, bool> known_;
    std::set<JointSet> visited_;
};

/// The joint that is in most of the sets; of equals the one written last, as what was added last is most likely wrong.
JointId most_to_blame(const JointSet& candidates, const std::vector<JointSet>& sets) {
    JointId worst = candidates.front();
    std::ptrdiff_t most = -1;
    for (const JointId j : candidates) {
        const auto count =
            std::count_if(sets.begin(), sets.end(), [&](const JointSet& s) { return contains(s, JointSet{j}); });
        if (count >= most) {
            most = count;
            worst = j;
        }
    }
    return worst;
}

}  // namespace

Contradictions contradictory_sets(const Mechanism& mechanism, const Placing& start) {
    Contradictions out;
    out.kept = mechanism.joints();
    Search search(mechanism, start);
    if (search.holds(out.kept)) return out;
    search.enumerate(out.kept, out.groups);
    while (!search.holds(out.kept)) {
        const auto& sets = out.groups.sets;
        auto open = std::find_if(sets.begin(), sets.end(), [&](const auto& s) { return contains(out.kept, s); });
        const JointSet set = open != sets.end() ? *open : search.minimal(out.kept);
        out.kept = without(out.kept, most_to_blame(set, sets));
    }
    std::stable_sort(out.groups.sets.begin(), out.groups.sets.end(), [](const JointSet& a, const JointSet& b) {
        return a.size() != b.size() ? a.size() < b.size() : a < b;
    });
    return out;
}

}  // namespace armature::doctor
