#include "armature/base/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <system_error>
#include <utility>

#include "armature/base/hash.h"

namespace armature {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t buffer_size = 1 << 16;

/// The temporaries of one target all start with this.
std::string temporary_prefix(const fs::path& target) {
    std::string name = target.filename().string();
    // With what is added, a name near the limit of 255 bytes would pass it.
    if (name.size() > 180) {
        Hasher hasher;
        hasher.add(std::string_view(name));
        name = fmt::format("{}~{:016x}", name.substr(0, 150), hasher.value());
    }
    return fmt::format(".{}.armature-tmp-", name);
}

/// prefix PID - N
bool is_temporary_of(const std::string& prefix, const std::string& name) {
    if (!name.starts_with(prefix)) return false;
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto pid = name.begin() + static_cast<std::ptrdiff_t>(prefix.size());
    const auto dash = std::find_if_not(pid, name.end(), is_digit);
    return dash != pid && dash != name.end() && *dash == '-' && dash + 1 != name.end() &&
           std::all_of(dash + 1, name.end(), is_digit);
}

fs::path directory_of(const fs::path& file) {
    fs::path parent = file.parent_path();
    return parent.empty() ? fs::path(".") : parent;
}

/// Where the chain of symbolic links at `path` ends, whether or not something is there.
fs::path follow_links(fs::path path) {
    std::error_code none;
    for (int i = 0; i < 40 && fs::is_symlink(path, none); ++i) path = directory_of(path) / fs::read_symlink(path, none);
    return path;
}

/// Whether `path` is the open file `fd`, and not another one of the same name.
bool is_still_named(int fd, const fs::path& path) {
    struct stat opened = {}, named = {};
    return ::fstat(fd, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

int remove_temporaries_nobody_holds(const fs::path& target) {
    int removed = 0;
    const std::string prefix = temporary_prefix(target);
    std::error_code failure;
    for (fs::directory_iterator entry(directory_of(target), failure), end; !failure && entry != end;
         entry.increment(failure)) {
        if (!is_temporary_of(prefix, entry->path().filename().string())) continue;
        const int fd = ::open(entry->path().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (fd < 0) continue;
        // Unlinked with the lock held, so that a writer which has just created it and is about to lock it notices. A
        // writer that was done between our open and our lock may have used the name for its next file, which is alive;
        // while we hold the lock of the file that the name stands for, nobody gives the name away.
        if (::flock(fd, LOCK_EX | LOCK_NB) == 0 && is_still_named(fd, entry->path()) &&
            ::unlink(entry->path().c_str()) == 0)
            ++removed;
        ::close(fd);
    }
    return removed;
}

/// False when a process that clears leftovers took the file away between its creation and its locking. On a file system
/// without locks nobody can take it away, so that counts as locked.
bool lock_new_file(int fd) {
    if (::flock(fd, LOCK_EX | LOCK_NB) != 0) return errno != EWOULDBLOCK;
    struct stat info = {};
    return ::fstat(fd, &info) == 0 && info.st_nlink > 0;
}

}  // namespace

FileError::FileError(const std::string& doing, fs::path path, int error_number)
    : FileError(doing, std::move(path), error_number, std::generic_category().message(error_number)) {}

FileError::FileError(const std::string& doing, fs::path path, int error_number, const std::string& reason)
    : std::runtime_error(fmt::format("cannot {} {}: {}", doing, path.string(), reason)),
      path_(std::move(path)),
      error_number_(error_number) {}

AtomicFile::AtomicFile(fs::path target) : path_(std::move(target)) {
    if (!path_.has_filename()) throw FileError("write", path_, path_.empty() ? ENOENT : EISDIR);
    struct stat info = {};
    const bool exists = ::stat(path_.c_str(), &info) == 0;
    if (!exists && errno != ENOENT) throw FileError("write", path_, errno);
    if (exists && S_ISDIR(info.st_mode)) throw FileError("write", path_, EISDIR);
    buffer_.reserve(2 * buffer_size);
    if (exists && !S_ISREG(info.st_mode)) {
        open_directly();
        return;
    }
    // Renaming would replace a write-protected file without asking.
    if (exists && ::access(path_.c_str(), W_OK) != 0) throw FileError("write", path_, errno);
    target_ = follow_links(path_);
    remove_temporaries_nobody_holds(target_);
    open_temporary();
    if (exists) (void)::fchmod(fd_, info.st_mode & 07777);
}

AtomicFile::~AtomicFile() {
    abandon();
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      buffer_(std::move(other.buffer_)),
      fd_(std::exchange(other.fd_, -1)),
      committed_(other.committed_) {}

AtomicFile& AtomicFile::operator=(AtomicFile&& other) noexcept {
    if (this != &other) {
        abandon();
        path_ = std::move(other.path_);
        target_ = std::move(other.target_);
        temporary_ = std::exchange(other.temporary_, {});
        buffer_ = std::move(other.buffer_);
        fd_ = std::exchange(other.fd_, -1);
        committed_ = other.committed_;
    }
    return *this;
}

void AtomicFile::open_directly() {
    fd_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (fd_ < 0) throw FileError("write", path_, errno);
}

void AtomicFile::open_temporary() {
    const std::string prefix = temporary_prefix(target_);
    for (int n = 0; n < 10000; ++n) {
        temporary_ = directory_of(target_) / fmt::format("{}{}-{}", prefix, ::getpid(), n);
        fd_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd_ >= 0 && lock_new_file(fd_)) return;
        const int error = errno;
        if (fd_ >= 0)
            ::close(std::exchange(fd_, -1));
        else if (error != EEXIST)
            throw FileError("write", path_, error);
    }
    throw FileError("write", path_, EEXIST);
}

void AtomicFile::write(std::string_view text) {
    assert(fd_ >= 0 && !committed_);
    buffer_ += text;
    if (buffer_.size() >= buffer_size) flush();
}

void AtomicFile::flush() {
    std::size_t done = 0;
    while (done < buffer_.size()) {
        const ssize_t n = ::write(fd_, buffer_.data() + done, buffer_.size() - done);
        if (n >= 0)
            done += static_cast<std::size_t>(n);
        else if (errno != EINTR)
            throw FileError("write", path_, errno);
    }
    buffer_.clear();
}

void AtomicFile::commit() {
    assert(fd_ >= 0 && !committed_);
    flush();
    if (temporary_.empty()) {
        if (::close(std::exchange(fd_, -1)) != 0 && errno != EINTR) throw FileError("write", path_, errno);
        committed_ = true;
        return;
    }
    if (::fsync(fd_) != 0) throw FileError("write", path_, errno);
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) throw FileError("write", path_, errno);
    committed_ = true;
    temporary_.clear();
    ::close(std::exchange(fd_, -1));
    // The content is in its place already; a directory that cannot be synced only makes it less safe against a power
    // cut.
    const int directory = ::open(directory_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory >= 0) {
        (void)::fsync(directory);
        ::close(directory);
    }
}

void AtomicFile::abandon() noexcept {
    if (fd_ < 0) return;
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
    ::close(std::exchange(fd_, -1));
}

int remove_stale_temporaries(const fs::path& target) noexcept {
    try {
        return remove_temporaries_nobody_holds(follow_links(target));
    } catch (const std::exception&) {  // out of memory
        return 0;
    }
}

void write_file(const fs::path& target, std::string_view text) {
    AtomicFile file(target);
    file.write(text);
    file.commit();
}

}  // namespace armature
