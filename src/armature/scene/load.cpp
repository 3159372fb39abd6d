#include "armature/scene/load.h"

#include "armature/model/compile.h"
#include "armature/scene/document.h"
#include "armature/scene/expand.h"
#include "armature/scene/files.h"
#include "armature/scene/limits.h"
#include "armature/scene/parser.h"

namespace armature {

namespace {

using namespace lang;

// Unnamed constraints can be named in paths as the model will name them.
void name_unnamed_constraints(Scene& scene) {
    const std::vector<std::string> names = constraint_names(scene.spec);
    std::size_t next = 0;
    for (std::uint32_t i = 0; i < scene.elements.size(); ++i) {
        Element& e = scene.elements[i];
        const BlockId block = scene.documents[e.document]->node(e.node).block->id;
        if (block != BlockId::constraint && block != BlockId::joint) continue;
        if (e.name.empty() && next < names.size()) {
            e.name = names[next];
            scene.element_index.emplace(e.name, i);
        }
        ++next;
    }
}

Scene build(std::shared_ptr<const Document> root, const std::string& folder, const LoadOptions& options,
            const HeldTexts& held, const std::vector<std::string>& automatic_names, Report& report) {
    Scene scene;
    scene.folder = folder;
    scene.options = options;
    scene.documents.push_back(std::move(root));
    Overrides overrides(options);
    Builder builder(scene, report, overrides);
    builder.automatic_names = automatic_names;
    Expander(builder, held).run();
    name_unnamed_constraints(scene);
    const bool all_known = !overrides.names_automatic_constraints() || !automatic_names.empty();
    if (all_known && !report.full()) overrides.report_unused(scene, report);
    return scene;
}

Scene load(std::string text, const std::string& name, const std::string& path, const std::string& folder,
           const LoadOptions& options, const HeldTexts& held, Diagnostics& diagnostics) {
    Report report;
    auto root = std::make_shared<Document>();
    if (text.size() > limits::file_bytes) {
        Diagnostic finding;
        finding.place.file = name;
        finding.message = "this text is larger than " + std::to_string(limits::file_bytes >> 20) + " MiB";
        report.add(std::move(finding));
        text.clear();
    }
    *root = parse(name, std::move(text), report);
    root->path = path;
    Scene scene;
    if (!Overrides(options).names_automatic_constraints()) {
        scene = build(root, folder, options, held, {}, report);
    } else {
        // An override that names a constraint by its solids: what it is called is known only after a first pass.
        Report silent;
        const Scene first = build(root, folder, options, held, {}, silent);
        std::vector<std::string> names = constraint_names(first.spec);
        if (names.empty()) names.emplace_back();
        scene = build(root, folder, options, held, names, report);
    }
    report.deliver(diagnostics);
    return scene;
}

}  // namespace

Scene load_file(const std::string& path, const LoadOptions& options, Diagnostics& diagnostics) {
    FileText file = read_text_file(path, limits::file_bytes);
    if (!file.error.empty()) {
        diagnostics.error({path, 0, 0, 1}, file.error);
        Scene scene;
        Report unused;
        scene.options = options;
        scene.documents.push_back(std::make_shared<Document>(parse(path, {}, unused)));
        return scene;
    }
    return load(std::move(file.text), path, canonical_path(path), folder_of(path), options, {}, diagnostics);
}

Scene load_text(std::string text, const std::string& name, const LoadOptions& options, Diagnostics& diagnostics) {
    return load(std::move(text), name, canonical_path(name), folder_of(name), options, {}, diagnostics);
}

Scene rebuild(const Scene& scene, Diagnostics& diagnostics) {
    HeldTexts held;
    for (const auto& d : scene.documents)
        if (!d->path.empty()) held[d->path] = d->text;
    const Document& root = *scene.documents[0];
    return load(root.text, root.name, root.path, scene.folder, scene.options, held, diagnostics);
}

std::string source_line(const Scene& scene, const SourcePlace& place) {
    constexpr std::size_t longest = 2000;  // nobody finds a caret in a longer one
    if (!place.known()) return {};
    for (const auto& d : scene.documents) {
        if (d->name != place.file) continue;
        const std::string_view line = d->line(place.line);
        return line.size() <= longest ? std::string(line) : std::string{};
    }
    return {};
}

}  // namespace armature
