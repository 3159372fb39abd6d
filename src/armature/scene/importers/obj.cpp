#include "armature/scene/importers/obj.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "armature/scene/importers/mesh_builder.h"
#include "armature/scene/importers/word_scanner.h"

namespace armature {

namespace {

class ObjParser {
  public:
    explicit ObjParser(std::string_view text) : scan_(text) {}

    ParsedMesh parse() {
        while (result_.error.empty() && !scan_.at_end()) {
            const std::string_view keyword = scan_.next_on_line();
            if (keyword == "v")
                vertex();
            else if (keyword == "f")
                face();
            else if (!keyword.starts_with('#'))  // a comment may end in a backslash without going on
                while (!scan_.next_on_line().empty()) {
                }
            scan_.skip_line();
        }
        if (!result_.error.empty()) return std::move(result_);
        if (largest_ >= count())
            fail(fmt::format("the face uses vertex {}, but there are {} vertices", largest_ + 1, count()),
                 largest_line_);
        else if (result_.mesh.triangles.empty())
            fail("there are no faces in it ('f' statements)", 0);
        return std::move(result_);
    }

  private:
    long long count() const { return static_cast<long long>(result_.mesh.vertices.size()); }

    void fail(std::string message, int line) {
        result_.error = std::move(message);
        result_.line = line;
    }

    void vertex() {
        Vec3 p;
        for (int k = 0; k < 3; ++k) {
            const std::string_view word = scan_.next_on_line();
            if (word.empty()) return fail(fmt::format("a vertex needs 3 coordinates and has {}", k), scan_.line());
            if (!parse_number(word, p[k])) return fail(quoted(word) + " is not a finite number", scan_.line());
        }
        result_.mesh.vertices.push_back(p);
    }

    void face() {
        int corners = 0, first = 0, previous = 0;
        for (;; ++corners) {
            const std::string_view word = scan_.next_on_line();
            if (word.empty() || word.starts_with('#')) break;
            int i = 0;
            if (!corner(word, i)) return;
            if (corners == 0) first = i;
            if (corners >= 2) add_unless_collapsed(result_.mesh, first, previous, i);
            previous = i;
        }
        if (corners < 3) fail(fmt::format("a face needs at least 3 corners and has {}", corners), scan_.line());
    }

    /// The vertex index (from 0) of "i", "i/t", "i//n" or "i/t/n"; t and n are not used.
    bool corner(std::string_view word, int& index) {
        long long i = 0;
        const char* const stop = word.data() + word.size();
        const auto [end, code] = std::from_chars(word.data(), stop, i);
        const std::string_view rest(end, static_cast<std::size_t>(stop - end));
        const bool readable = code == std::errc{} && (rest.empty() || rest[0] == '/') &&
                              rest.find_first_not_of("/-0123456789") == std::string_view::npos;
        if (!readable) {
            fail(quoted(word) + " is not a corner of a face (like 3, 3/1, 3//2 or 3/1/2)", scan_.line());
            return false;
        }
        if (i == 0 || i < -count() || i > std::numeric_limits<int>::max()) {
            fail(i == 0 ? std::string("vertices are counted from 1, so 0 is none of them")
                        : fmt::format("the face uses vertex {}, but there are {} vertices so far", i, count()),
                 scan_.line());
            return false;
        }
        const long long from_zero = i > 0 ? i - 1 : count() + i;
        // A face may come before its vertices, so that the upper end is checked when all are known.
        if (from_zero > largest_) {
            largest_ = from_zero;
            largest_line_ = scan_.line();
        }
        index = static_cast<int>(from_zero);
        return true;
    }

    WordScanner scan_;
    ParsedMesh result_;
    long long largest_ = -1;  ///< index used by a face
    int largest_line_ = 0;
};

}  // namespace

ParsedMesh parse_obj(std::string_view text) {
    return ObjParser(text).parse();
}

}  // namespace armature
