// Scene: what was read, whole: the texts with their trees, the Spec built from them, and which text each value of the
// Spec came from.
//
// Every value has a path, the same in `--set`, in C++ and in the tools:
//
//   size                  a parameter                     doll[2].size        of a placed group
//   wheel.mass            block . keyword                 doll[2].head.mass   of an object of a placed group
//   knee.angle.max        block . keyword . option        simulation.dt
//   wheel.at.y            … . component                   knee.hinge.P1       … . argument
//   wheel.sphere#2.radius the second `sphere` of wheel    body~wheel.angle    an unnamed constraint, by its solids;
//                                                         body~wheel#2        is the second one between the two
//
// Where one text serves several values (in a repeat or a group) they share its characters.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "armature/model/spec.h"
#include "armature/scene/span.h"

namespace armature {

struct Document;  // document.h: one text with its tree

struct LoadOptions {
    /// `path = value` pairs that take the place of what the text says. The value is an expression of the language and
    /// sees the parameters that are visible where it is put.
    std::vector<std::pair<std::string, std::string>> overrides;
};

/// The characters a value was read from.
struct ValueRef {
    std::size_t document = 0;  ///< index into Scene::documents
    Span span;
    std::string text;
};

/// A block that can be named in a path. Blocks of a repeat or a group share document and node.
struct Element {
    std::string name;  ///< "doll[2].head"; an unnamed constraint has its automatic name here
    std::uint32_t document = 0;
    std::uint32_t node = 0;
};

/// A single statement that can be named in a path: a parameter, wherever its value was given, or the title.
struct NamedStatement {
    std::string path;
    std::uint32_t document = 0;
    std::uint32_t node = 0;
};

struct Scene {
    Spec spec;
    /// The root text first, then the included ones as they were met, then the texts of overrides.
    std::vector<std::shared_ptr<const Document>> documents;
    std::vector<Element> elements;
    std::vector<NamedStatement> statements;
    std::unordered_map<std::string, std::uint32_t> element_index;    ///< name → elements
    std::unordered_map<std::string, std::uint32_t> statement_index;  ///< path → statements
    std::string folder;  ///< that includes and meshes must lie in; empty: there is none
    LoadOptions options;

    /// Where the value of that path is written. Nothing when the text does not say it (a default) or has no such name.
    std::optional<ValueRef> find_value(std::string_view path) const;
};

}  // namespace armature
