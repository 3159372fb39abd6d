#include "armature/solvers/linearized/dissection.h"

#include <algorithm>
#include <cstddef>

namespace armature {

namespace {

constexpr std::size_t small_enough = 32;  // for minimum degree

class Dissection {
  public:
    explicit Dissection(const std::vector<std::vector<int>>& next)
        : next_(next), stage_(next.size(), 0), part_(next.size(), 0), level_(next.size(), -1) {
        std::vector<int> all(next.size());
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
        cut(std::move(all));
    }
    std::vector<int> stages() && { return std::move(stage_); }

  private:
    static std::size_t idx(int i) { return static_cast<std::size_t>(i); }

    /// The nodes of the part in the order in which a search from `start` comes to them, with their levels.
    std::vector<int> search(int start, int part) {
        std::vector<int> met{start};
        level_[idx(start)] = 0;
        for (std::size_t k = 0; k < met.size(); ++k)
            for (const int n : next_[idx(met[k])]) {
                if (part_[idx(n)] != part || level_[idx(n)] >= 0) continue;
                level_[idx(n)] = level_[idx(met[k])] + 1;
                met.push_back(n);
            }
        return met;
    }
    void forget(const std::vector<int>& met) {
        for (const int n : met) level_[idx(n)] = -1;
    }

    void cut(std::vector<int> nodes) {
        const int part = ++parts_;
        for (const int n : nodes) part_[idx(n)] = part;
        for (const int n : nodes) {
            if (part_[idx(n)] != part) continue;  // in a piece that was dealt with
            std::vector<int> met = search(n, part);
            for (int k = 0; k < 2; ++k) {  // from a corner
                const int far = met.back();
                forget(met);
                met = search(far, part);
            }
            cut_piece(met);
        }
    }

    /// A connected piece in the order of its levels.
    void cut_piece(const std::vector<int>& met) {
        const int levels = level_[idx(met.back())] + 1;
        if (met.size() <= small_enough || levels < 5) {
            leave(met);
            return;
        }
        std::vector<std::size_t> ends(idx(levels), 0);  // of the levels
        for (std::size_t k = 0; k < met.size(); ++k) ends[idx(level_[idx(met[k])])] = k + 1;
        // The thinnest level of those that leave a third on either side.
        int middle = levels / 2;
        std::size_t thinnest = met.size();
        for (int l = 1; l + 1 < levels; ++l) {
            const std::size_t before = ends[idx(l - 1)], size = ends[idx(l)] - before;
            const bool fair = 3 * before >= met.size() && 3 * (met.size() - ends[idx(l)]) >= met.size();
            if (!fair || size >= thinnest) continue;
            thinnest = size;
            middle = l;
        }
        std::vector<int> near, far, separator;
        for (const int n : met) {
            const int l = level_[idx(n)];
            const bool touches = l == middle && std::any_of(next_[idx(n)].begin(), next_[idx(n)].end(),
                                                            [&](int m) { return level_[idx(m)] == middle + 1; });
            (l > middle ? far : touches ? separator : near).push_back(n);
        }
        forget(met);
        cut(std::move(near));
        cut(std::move(far));
        leave(separator);
    }

    void leave(const std::vector<int>& nodes) {
        const int stage = stages_++;
        for (const int n : nodes) {
            stage_[idx(n)] = stage;
            part_[idx(n)] = 0;
            level_[idx(n)] = -1;
        }
    }

    const std::vector<std::vector<int>>& next_;
    std::vector<int> stage_, part_, level_;
    int parts_ = 0, stages_ = 0;
};

}  // namespace

std::vector<int> dissect(const std::vector<std::vector<int>>& next) {
    return Dissection(next).stages();
}

}  // namespace armature
