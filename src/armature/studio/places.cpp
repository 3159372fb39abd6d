#include "armature/studio/places.h"

#include <algorithm>
#include <fstream>
#include <map>
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

/// "| picture | [name](name.arm) | what | parameters |" of the gallery's page.
std::map<std::string, std::string> described(const fs::path& page) {
    std::map<std::string, std::string> what;
    std::ifstream in(page);
    for (std::string line; std::getline(in, line);) {
        std::vector<std::string> cells;
        for (std::size_t at = 0; at != std::string::npos && at < line.size();) {
            const std::size_t next = line.find('|', at);
            cells.push_back(line.substr(at, next - at));
            at = next == std::string::npos ? next : next + 1;
        }
        if (cells.size() < 4) continue;
        const std::size_t open = cells[2].find("]("), close = cells[2].find(".arm)");
        if (open == std::string::npos || close == std::string::npos || close < open) continue;
        std::string text = cells[3];
        const std::size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
        if (first != std::string::npos)
            what[cells[2].substr(open + 2, close - open - 2)] = text.substr(first, last - first + 1);
    }
    return what;
}

}  // namespace

Places::Places(fs::path folder, fs::path gallery) : folder_(without_links(folder)), gallery_(without_links(gallery)) {
    if (gallery_.empty()) return;
    const auto what = described(gallery_ / "README.md");
    std::error_code error;
    for (const std::string part : {"", "joints/", "domains/"})
        for (const auto& entry : fs::directory_iterator(gallery_ / part, error)) {
            if (entry.path().extension() != ".arm") continue;
            const std::string name = part + entry.path().stem().string();
            const auto it = what.find(name);
            const lang::FileText text = lang::read_text_file(entry.path().string(), 1u << 20);
            std::string title = title_of(text.text);
            scenes_.push_back({name, title.empty() ? name : std::move(title), it != what.end() ? it->second : ""});
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
