// Changes of single statements that scene/edit.h, which gives values other texts, does not make: taking one away, and making
// one that needs several values at once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "armature/scene/edit.h"

namespace armature::studio {

/// A value by its path; without a text it is to be taken away.
struct ValueEdit {
    std::string path;
    std::optional<std::string> value;
};

/// Takes the statement that a path names (`plate.density`, `plate.box#2`, `size` of a parameter) out of its text, with its
/// line when it is alone on it, or one option of a statement (`plate.contact.friction`). Nothing, and the reason in
/// `diagnostics`, when it is not written or must be there.
std::optional<Edit> plan_removal(const Scene& scene, const std::string& path, Diagnostics& diagnostics);

/// The same edits, those together that go into one statement which is not written yet: `b.cylinder.radius` alone could not be
/// read, with `b.cylinder.length` it can.
std::vector<ValueEdit> gathered(const Scene& scene, std::vector<ValueEdit> edits);

}  // namespace armature::studio
