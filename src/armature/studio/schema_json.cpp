#include "armature/scene/schema.h"
#include "armature/studio/scene_event.h"

namespace armature::studio {

namespace {

using namespace lang;

const char* name_of(ArgKind kind) {
    static constexpr const char* names[] = {"number",   "limit",  "integer", "scalar", "vector", "choice", "word",
                                            "new_name", "object", "path",    "track",  "text",   "file"};
    return names[static_cast<std::size_t>(kind)];
}

Json args_json(const std::vector<ArgSpec>& args) {
    Json list = Json::array();
    for (const ArgSpec& a : args) {
        Json json = {{"kind", name_of(a.kind)}, {"name", a.name}};
        if (!a.unit.empty()) json["unit"] = a.unit;
        if (!a.choices.empty()) json["choices"] = split_choices(a.choices);
        if (a.optional) json["optional"] = true;
        if (a.repeated) json["repeated"] = true;
        list.push_back(std::move(json));
    }
    return list;
}

Json keyword_json(const KeywordSpec& k) {
    Json options = Json::array();
    for (const OptionSpec& o : k.options)
        options.push_back({{"name", o.name},
                           {"args", args_json(o.args)},
                           {"default", o.fallback},
                           {"doc", o.doc},
                           {"required", o.required}});
    return {{"name", k.name}, {"args", args_json(k.args)}, {"options", std::move(options)}, {"default", k.fallback},
            {"doc", k.doc},   {"usage", usage(k)},         {"repeatable", k.repeatable},    {"required", k.required}};
}

}  // namespace

Json schema_json() {
    Json blocks = Json::array();
    for (const BlockSpec& b : schema()) {
        Json keywords = Json::array(), contents = Json::array();
        for (const KeywordSpec& k : b.keywords) keywords.push_back(keyword_json(k));
        for (const BlockId id : b.contents) contents.push_back(block_spec(id).name);
        blocks.push_back({{"name", b.name},
                          {"header", keyword_json(b.header)},
                          {"keywords", std::move(keywords)},
                          {"contents", std::move(contents)},
                          {"doc", b.doc},
                          {"example", b.example}});
    }
    return {{"blocks", std::move(blocks)}};
}

}  // namespace armature::studio
