#include "armature/studio/places.h"

#include <algorithm>
#include <string_view>
#include <system_error>

#include "armature/scene/files.h"

namespace armature::studio {

namespace fs = std::filesystem;

namespace {

fs::path without_links(const fs::path& path) {
    std::error_code error;
    fs::path c = fs::canonical(path, error);
    return error ? fs::path{} : c;
}

bool is_below(const fs::path& root, const fs::path& path) {
    if (root.empty()) return false;
    auto p = path.begin();
    for (auto r = root.begin(); r != root.end(); ++r, ++p) {
        if (r->empty()) continue;
        if (p == path.end() || *p != *r) return false;
    }
    return p != path.end();
}

/// The text between the quotes of the first line that begins with `title`.
std::string title_of(const std::string& text) {
    for (std::size_t at = text.find("title \""); at != std::string::npos; at = text.find("title \"", at + 1)) {
        if (at > 0 && text[at - 1] != '\n') continue;
        const std::size_t begin = at + 7, end = text.find('"', begin);
        if (end != std::string::npos) return text.substr(begin, end - begin);
    }
    return {};
}

/// "What to see: …" in the comment that every scene of the gallery opens with, on one line; whole sentences, not too many.
std::string what_to_see(const std::string& text) {
    constexpr std::string_view opening = "What to see:";
    const std::size_t begin = text.find(opening);
    if (begin == std::string::npos) return {};
    const std::size_t end = std::min(text.find("*/", begin), text.find("Which numbers:", begin));
    if (end == std::string::npos) return {};
    std::string line;
    for (const char c : text.substr(begin + opening.size(), end - begin - opening.size())) {
        const bool space = c == ' ' || c == '\n' || c == '\r' || c == '\t';
        if (space && (line.empty() || line.back() == ' ')) continue;
        line += space ? ' ' : c;
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    constexpr std::size_t long_enough = 400;
    if (line.size() > long_enough)
        if (const std::size_t stop = line.rfind(". ", long_enough); stop != std::string::npos) line.resize(stop + 1);
    return line;
}

}  // namespace

Places::Places(fs::path folder, fs::path gallery) : folder_(without_links(folder)), gallery_(without_links(gallery)) {
    if (gallery_.empty()) return;
    std::error_code error;
    for (const std::string part : {"", "joints/", "domains/"})
        for (const auto& entry : fs::directory_iterator(gallery_ / part, error)) {
            if (entry.path().extension() != ".arm") continue;
            const std::string name = part + entry.path().stem().string();
            const lang::FileText text = lang::read_text_file(entry.path().string(), 1u << 20);
            std::string title = title_of(text.text);
            scenes_.push_back({name, title.empty() ? name : std::move(title), what_to_see(text.text)});
        }
    std::sort(scenes_.begin(), scenes_.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
}

std::optional<fs::path> Places::gallery_file(const std::string& name) const {
    // By the list that was read at the start, not by a path.
    for (const GalleryScene& s : scenes_)
        if (s.name == name) return gallery_ / (name + ".arm");
    return {};
}

std::optional<fs::path> Places::thumbnail(const std::string& name) const {
    if (!gallery_file(name)) return {};
    fs::path file = gallery_ / "thumbnails" / (name + ".png");
    std::error_code error;
    if (!fs::is_regular_file(file, error)) return {};
    return file;
}

std::optional<fs::path> Places::scene_file(const std::string& name, bool must_exist) const {
    if (folder_.empty() || name.empty() || name.size() > 1000 || name.find('\0') != std::string::npos) return {};
    const fs::path relative(name);
    const std::string last = relative.filename().string();
    if (relative.is_absolute() || relative.extension() != ".arm" || last.front() == '.') return {};
    // Asked before the disk is: whether a file outside of the folder exists is nobody's business.
    if (!is_below(folder_, (folder_ / relative).lexically_normal())) return {};
    std::error_code error;
    const fs::path found = fs::weakly_canonical(folder_ / relative, error);
    if (error || !is_below(folder_, found) || found.extension() != ".arm") return {};
    const fs::file_status status = fs::status(found, error);
    if (fs::exists(status) ? !fs::is_regular_file(status) : must_exist) return {};
    if (!fs::is_directory(found.parent_path(), error)) return {};
    return found;
}

std::string Places::shown(const fs::path& file) const {
    return is_below(folder_, file) ? file.lexically_relative(folder_).string() : file.filename().string();
}

std::optional<std::string> percent_decoded(const std::string& text) {
    const auto digit = [](char c) {
        return c >= '0' && c <= '9'   ? c - '0'
               : c >= 'a' && c <= 'f' ? c - 'a' + 10
               : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                      : -1;
    };
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (c == '%') {
            const int high = i + 2 < text.size() ? digit(text[i + 1]) : -1;
            const int low = i + 2 < text.size() ? digit(text[i + 2]) : -1;
            if (high < 0 || low < 0) return {};
            c = static_cast<char>(16 * high + low);
            i += 2;
        }
        if (c == '\0') return {};
        out += c;
    }
    return out;
}

std::optional<fs::path> file_below(const fs::path& root, const std::string& url_path) {
    const std::optional<std::string> decoded = percent_decoded(url_path);
    if (root.empty() || !decoded || decoded->empty() || decoded->front() != '/' || decoded->size() > 1000) return {};
    // Plain names between slashes and nothing else: what a build of the page makes.
    std::size_t begin = 1;
    while (begin <= decoded->size()) {
        const std::size_t end = std::min(decoded->find('/', begin), decoded->size());
        const std::string part = decoded->substr(begin, end - begin);
        const bool plain = std::all_of(part.begin(), part.end(), [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
                   c == '.' || c == '@' || c == '+';
        });
        if (part.empty() || part.front() == '.' || !plain) return {};
        begin = end + 1;
    }
    std::error_code error;
    const fs::path base = without_links(root);
    const fs::path found = fs::canonical(base / decoded->substr(1), error);
    if (error || !is_below(base, found) || !fs::is_regular_file(found, error)) return {};
    return found;
}

}  // namespace armature::studio
