#include "armature/scene/functions.h"
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
        Json json = {{"kind", name_of(a.kind)}, {"name", a.name}, {"unit", a.unit}, {"choices", Json::array()}};
        if (!a.choices.empty()) json["choices"] = split_choices(a.choices);
        json["optional"] = a.optional;
        json["repeated"] = a.repeated;
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
    Json calls = Json::array();
    for (const Function& f : functions()) {
        std::string usage_text = std::string(f.name) + "(x";
        for (int i = 1; i < f.most && i < 3; ++i) usage_text += i < f.least ? ", y" : ", …";
        calls.push_back({{"name", f.name}, {"usage", usage_text + ")"}, {"doc", f.doc}});
    }
    return {{"blocks", std::move(blocks)}, {"functions", std::move(calls)}, {"constants", {"pi", "tau", "inf"}}};
}

}  // namespace armature::studio
