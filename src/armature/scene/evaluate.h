// Gives expressions and names their values at one place of the expansion.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "armature/math/pose.h"
#include "armature/scene/report.h"
#include "armature/scene/scope.h"

namespace armature::lang {

/// Where in the expansion a statement is met.
struct Surroundings {
    const Scope* scope = nullptr;
    std::string prefix;              ///< "doll[3]." inside a placed group
    Pose placement;                  ///< of the group, in the world
    bool placed = false;             ///< false: placement is the identity and leaves every bit alone
    std::vector<std::string> notes;  ///< "placed as doll[3]", …
};

class Evaluator {
  public:
    explicit Evaluator(Report& report) : report_(report) {}

    /// The value of an argument of a numeric kind, checked to be finite or whole as the kind asks.
    std::optional<double> number(const Document& document, const Value& value, const Surroundings& around);
    /// Whether the expression is a word that no parameter has for a name: of a scalar, it is then that of a track.
    bool is_unknown_word(const Document& document, const Value& value, const Surroundings& around) const;
    /// "link[4]", without any prefix.
    std::optional<std::string> name(const Document& document, const Value& value, const Surroundings& around);

    /// Counts work done elsewhere; false when all that is allowed has been used (reported once).
    bool spend(std::uint64_t work, const Document& document, Span span);

  private:
    std::optional<double> run(const Document& document, std::uint32_t begin, std::uint32_t end,
                              const Surroundings& around);
    std::optional<double> unknown(const Document& document, Span span, const Surroundings& around);
    std::nullopt_t fail(const Document& document, Span span, const Surroundings& around, std::string message,
                        std::string hint = {});

    Report& report_;
    std::vector<double> stack_;
    std::uint64_t work_ = 0;
};

}  // namespace armature::lang
