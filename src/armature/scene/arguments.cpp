#include "armature/scene/arguments.h"

namespace armature::lang {

bool Arguments::read(const Document& document, const Node& statement, const Surroundings& around, Evaluator& evaluator,
                     Report& report) {
    document_ = &document;
    node_ = &statement;
    notes_ = &around.notes;
    report_ = &report;
    if (lists_.empty()) lists_.resize(1);
    lists_[0] = {};
    count_ = 1;
    bool good = true;
    for (std::uint32_t g = 0; g < statement.group_count; ++g) {
        const Group& group = document.tree.groups[statement.first_group + g];
        std::size_t target = 0;
        if (group.option != nullptr) {
            target = count_++;
            if (lists_.size() < count_) lists_.resize(count_);
            lists_[target].option = group.option;
            lists_[target].numbers.clear();
            lists_[target].texts.clear();
        }
        for (std::uint32_t v = 0; v < group.count; ++v)
            good &= read_value(lists_[target], document.tree.values[group.first + v], around, evaluator);
    }
    return good;
}

bool Arguments::read_value(ArgumentList& list, const Value& value, const Surroundings& around, Evaluator& evaluator) {
    if (value.kind == ArgKind::scalar && evaluator.is_unknown_word(*document_, value, around)) {
        list.numbers.push_back(0);
        list.texts.emplace_back(document_->slice(value.span));
        return true;
    }
    if (is_numeric(value.kind)) {
        const std::optional<double> x = evaluator.number(*document_, value, around);
        list.numbers.push_back(x.value_or(0));
        return x.has_value();
    }
    if (is_name(value.kind)) {
        std::optional<std::string> name = evaluator.name(*document_, value, around);
        list.texts.push_back(name.value_or(""));
        return name.has_value();
    }
    if (value.kind == ArgKind::choice) {
        list.numbers.push_back(value.begin);
    } else {
        const std::string_view text = document_->slice(value.span);
        const bool string = value.kind == ArgKind::text || value.kind == ArgKind::file;
        list.texts.push_back(string ? unquoted(text) : std::string(text));
    }
    return true;
}

const ArgumentList* Arguments::option(std::string_view name) const {
    for (std::size_t i = 1; i < count_; ++i)
        if (lists_[i].option->name == name) return &lists_[i];
    return nullptr;
}

double Arguments::number_or(std::string_view name, double fallback) const {
    const ArgumentList* list = option(name);
    return list != nullptr ? list->number() : fallback;
}

Vec3 Arguments::vec_or(std::string_view name, const Vec3& fallback) const {
    const ArgumentList* list = option(name);
    return list != nullptr ? list->vec() : fallback;
}

Span Arguments::span_of(std::string_view option) const {
    for (std::uint32_t g = 0; g < node_->group_count; ++g) {
        const Group& group = document_->tree.groups[node_->first_group + g];
        if (group.option == nullptr ? option.empty() : group.option->name == option)
            return arguments_span(document_->tree, group);
    }
    return node_->word;
}

void Arguments::error(std::string message, std::string hint) const {
    report_->error(*document_, node_->span, std::move(message), std::move(hint), *notes_);
}

void Arguments::error(Span span, std::string message, std::string hint) const {
    report_->error(*document_, span, std::move(message), std::move(hint), *notes_);
}

void Arguments::warning(Span span, std::string message, std::string hint) const {
    report_->warning(*document_, span, std::move(message), std::move(hint), *notes_);
}

std::optional<Quat> turn_of(const Arguments& a, const Vec3& axis, double angle) {
    if (angle == 0) return Quat{};
    if (axis == Vec3{}) {
        a.error("the axis of this turn is 0 0 0", "an axis needs a direction, for example 0 1 0");
        return {};
    }
    return normalized(from_axis_angle(axis, angle));
}

std::optional<Quat> quaternion_of(const Arguments& a, const Quat& q) {
    const double n2 = norm2(q);
    if (std::fabs(n2 - 1) <= 1e-14) return q;
    if (n2 > 1e-200 && n2 < 1e200) return normalized(q);
    a.error("this quaternion has no direction", "no turn is 1 0 0 0");
    return {};
}

std::optional<Quat> orientation_of(const Arguments& a) {
    const ArgumentList* turn = a.option("turn");
    const ArgumentList* quaternion = a.option("quaternion");
    if (turn != nullptr && quaternion != nullptr) {
        a.error("'turn' and 'quaternion' both give the orientation", "keep one of them");
        return {};
    }
    if (turn != nullptr) return turn_of(a, turn->vec(), turn->number(3));
    if (quaternion == nullptr) return Quat{};
    const Vec3 v = quaternion->vec(1);
    return quaternion_of(a, {quaternion->number(), v.x, v.y, v.z});
}

}  // namespace armature::lang
