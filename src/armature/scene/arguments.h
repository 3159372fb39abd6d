// The evaluated arguments of one statement, as setters see them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "armature/math/pose.h"
#include "armature/scene/evaluate.h"

namespace armature::lang {

/// The plain arguments of a keyword, or those of an option. Numbers are counted one by one: of `hinge P1 P2`, P1 is
/// vec(0) and P2 is vec(3).
struct ArgumentList {
    const OptionSpec* option = nullptr;
    std::vector<double> numbers;     ///< also the numbers of choices
    std::vector<std::string> texts;  ///< names, words, texts, file names

    double number(std::size_t i = 0) const { return numbers[i]; }
    /// Of an option that takes one scalar: whether it is a track, named by text().
    bool is_track() const { return !texts.empty() && !texts[0].empty(); }
    int integer(std::size_t i = 0) const { return static_cast<int>(numbers[i]); }
    Vec3 vec(std::size_t i = 0) const { return {numbers[i], numbers[i + 1], numbers[i + 2]}; }
    const std::string& text(std::size_t i = 0) const { return texts[i]; }
};

class Arguments {
  public:
    /// False after an error was reported.
    bool read(const Document& document, const Node& statement, const Surroundings& around, Evaluator& evaluator,
              Report& report);

    std::string_view keyword() const { return node_->keyword->name; }
    const Document& document() const { return *document_; }
    const Node& statement() const { return *node_; }
    SourcePlace place() const { return document_->place(node_->span); }
    const std::vector<std::string>& notes() const { return *notes_; }

    const ArgumentList& plain() const { return lists_[0]; }
    double number(std::size_t i = 0) const { return plain().number(i); }
    int integer(std::size_t i = 0) const { return plain().integer(i); }
    Vec3 vec(std::size_t i = 0) const { return plain().vec(i); }
    const std::string& text(std::size_t i = 0) const { return plain().text(i); }
    /// The enumerator whose place in its enum is that of the word in the schema's list.
    template <class Enum>
    Enum choice() const {
        return static_cast<Enum>(plain().integer());
    }

    const ArgumentList* option(std::string_view name) const;
    double number_or(std::string_view name, double fallback) const;
    Vec3 vec_or(std::string_view name, const Vec3& fallback) const;
    /// The characters of an option's arguments, or of the plain ones for an empty name.
    Span span_of(std::string_view option) const;

    void error(std::string message, std::string hint = {}) const;
    void error(Span span, std::string message, std::string hint = {}) const;
    void warning(Span span, std::string message, std::string hint = {}) const;

  private:
    bool read_value(ArgumentList& list, const Value& value, const Surroundings& around, Evaluator& evaluator);

    const Document* document_ = nullptr;
    const Node* node_ = nullptr;
    const std::vector<std::string>* notes_ = nullptr;
    Report* report_ = nullptr;
    std::vector<ArgumentList> lists_;  ///< [0] the plain ones; kept between reads to save allocations
    std::size_t count_ = 0;
};

/// `turn axis angle` as a quaternion; nothing after an error when the axis has no direction.
std::optional<Quat> turn_of(const Arguments& a, const Vec3& axis, double angle);
/// `quaternion w x y z`. One of unit length to within round-off keeps its bits.
std::optional<Quat> quaternion_of(const Arguments& a, const Quat& q);
/// From the options `turn` and `quaternion`, of which one may be given.
std::optional<Quat> orientation_of(const Arguments& a);

}  // namespace armature::lang
