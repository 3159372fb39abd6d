#include "armature/scene/files.h"

#include <filesystem>
#include <fstream>
#include <system_error>

namespace armature::lang {

namespace fs = std::filesystem;

namespace {

bool is_below(const fs::path& folder, const fs::path& path) {
    auto p = path.begin();
    for (auto f = folder.begin(); f != folder.end(); ++f, ++p) {
        if (f->empty()) continue;
        if (p == path.end() || *p != *f) return false;
    }
    return p != path.end();
}

}  // namespace

FoundFile find_inside(const std::string& folder, const std::string& beside, const std::string& name) {
    if (folder.empty()) return {{}, "a text without a folder cannot name files"};
    if (name.empty()) return {{}, "the file name is empty"};
    if (name.find('\0') != std::string::npos) return {{}, "the file name is not valid"};
    const fs::path relative(name);
    if (relative.is_absolute()) return {{}, "the file must be given relative to this one, not from the root"};
    std::error_code error;
    const fs::path wanted = fs::path(beside).parent_path() / relative;
    // Asked before the disk is: whether a file outside of the folder exists is nobody's business.
    if (!is_below(folder, wanted.lexically_normal())) return {{}, "the file lies outside of the folder of the scene"};
    const fs::path found = fs::canonical(wanted, error);
    if (error) return {{}, "cannot find the file " + name};
    if (!is_below(folder, found)) return {{}, "the file lies outside of the folder of the scene"};
    return {found.string(), {}};
}

std::string canonical_path(const std::string& path) {
    std::error_code error;
    const fs::path p = fs::weakly_canonical(fs::absolute(path, error), error);
    return error ? std::string{} : p.string();
}

std::string folder_of(const std::string& path) {
    std::error_code error;
    fs::path folder = fs::path(path).parent_path();
    if (folder.empty()) folder = ".";
    folder = fs::canonical(folder, error);
    return error ? std::string{} : folder.string();
}

std::string shown_beside(const std::string& shown, const std::string& name) {
    return (fs::path(shown).parent_path() / name).lexically_normal().string();
}

FileText read_text_file(const std::string& path, std::size_t most) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (error || status.type() == fs::file_type::not_found) return {{}, "cannot find this file"};
    if (status.type() == fs::file_type::directory) return {{}, "this is a folder, not a file"};
    if (status.type() != fs::file_type::regular) return {{}, "this is not an ordinary file"};
    const auto size = fs::file_size(path, error);
    if (error) return {{}, "cannot read this file"};
    if (size > most) return {{}, "this file is larger than " + std::to_string(most >> 20) + " MiB"};
    std::ifstream in(path, std::ios::binary);
    FileText result;
    result.text.resize(static_cast<std::size_t>(size));
    if (!in || !in.read(result.text.data(), static_cast<std::streamsize>(size))) return {{}, "cannot read this file"};
    return result;
}

}  // namespace armature::lang
