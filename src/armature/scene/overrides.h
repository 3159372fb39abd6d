// Values that the caller puts in the place of what the text says (`--set path=value`).
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "armature/scene/report.h"
#include "armature/scene/scene.h"
#include "armature/scene/value_path.h"

namespace armature::lang {

class Overrides {
  public:
    explicit Overrides(const LoadOptions& options);

    struct Entry {
        std::size_t index = 0;  ///< of the override
        ValuePath path;         ///< inside the block; empty keyword: the path is that of a whole statement
    };
    /// Those that address something in the block, or the statement, of that name. nullptr: none.
    const std::vector<Entry>* of(const std::string& name) const;
    /// Whether some path means a constraint without a name, by its solids.
    bool names_automatic_constraints() const { return automatic_; }

    /// The statement with the part replaced, as a text of its own that takes the place of `statement`. nullptr when the
    /// override cannot be applied; then it was reported, or it stays unused and is reported at the end.
    std::shared_ptr<const Document> change(const Entry& entry, const Document& document, const Node& statement,
                                           BlockId inside, Report& report);
    /// The same for a statement that is not written.
    std::shared_ptr<const Document> add(const Entry& entry, const KeywordSpec& keyword, BlockId inside, Report& report);

    /// Errors for what was not used.
    void report_unused(const Scene& scene, Report& report) const;

  private:
    struct Override {
        std::string path;
        std::string value;
        bool used = false;
    };
    std::shared_ptr<const Document> parsed(std::size_t index, std::string text, BlockId inside, Report& report);

    std::vector<Override> list_;
    std::unordered_map<std::string, std::vector<Entry>> by_name_;
    bool automatic_ = false;
};

}  // namespace armature::lang
