// Subsets of a few joints as bits, for tests that go through all of them.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "armature/doctor/report.h"

namespace armature::test {

using Sets = std::set<std::vector<std::string>>;

inline std::vector<std::string> names_in(unsigned subset, const std::vector<std::string>& names) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < names.size(); ++i)
        if (subset >> i & 1u) out.push_back(names[i]);
    std::sort(out.begin(), out.end());
    return out;
}

/// Those of the subsets that have no smaller one among them.
inline std::vector<unsigned> minimal(const std::vector<unsigned>& subsets) {
    std::vector<unsigned> out;
    for (const unsigned s : subsets)
        if (std::none_of(subsets.begin(), subsets.end(), [&](unsigned t) { return t != s && (t & s) == t; }))
            out.push_back(s);
    return out;
}

inline Sets found(const DoctorReport& report, FindingKind kind) {
    Sets out;
    for (const Finding& f : report.findings) {
        if (f.kind != kind) continue;
        std::vector<std::string> names = f.joints;
        std::sort(names.begin(), names.end());
        out.insert(names);
    }
    return out;
}

}  // namespace armature::test
