// Reads the arguments of one keyword as the schema describes them: plain arguments, then options in any order.
#pragma once

#include "armature/scene/cursor.h"
#include "armature/scene/report.h"

namespace armature::lang {

class ArgumentParser {
  public:
    ArgumentParser(Cursor& cursor, Document& document, Report& report)
        : cursor_(cursor), document_(document), report_(report) {}

    /// Appends groups to the tree and counts them in `node`. False after an error was reported.
    bool parse(Node& node, const KeywordSpec& keyword);
    /// As parse(), without the plain arguments: for a block whose optional name was left out.
    bool parse_options(Node& node, const KeywordSpec& keyword);

  private:
    bool plain_arguments(Node& node, const KeywordSpec& keyword);
    bool option(Node& node, const KeywordSpec& keyword, const OptionSpec& option);
    bool values(Group& group, const std::vector<ArgSpec>& args, const KeywordSpec* ends_at_option_of,
                std::string_view owner);
    bool value(Group& group, const ArgSpec& arg);
    bool expression(Group& group, ArgKind kind);
    bool name(Group& group, ArgKind kind);
    bool choice(Group& group, const ArgSpec& arg);
    bool starts(ArgKind kind) const;
    bool names_a_track() const;
    bool missing(const std::vector<ArgSpec>& args, std::string_view owner, std::size_t found);
    bool fail(Span span, std::string message, std::string hint = {});

    Cursor& cursor_;
    Document& document_;
    Report& report_;
};

}  // namespace armature::lang
