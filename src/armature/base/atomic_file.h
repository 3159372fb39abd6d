// A file that is there whole or not at all: it is written under a temporary name in the directory of its target,
// synced, and renamed over the target by commit(). Whoever reads the target sees the old content or the new one, also
// when this process is killed or the machine loses power in between.
//
// The temporary is named `.NAME.armature-tmp-PID-N` and locked (flock) while it is being written. What a killed process
// left is therefore recognised by its name and by the lock that nobody holds any more; process ids alone would not do,
// as they are reused and mean nothing across containers. Opening a target removes such leftovers of the same target.
//
// A target that is a symbolic link is followed. One that is neither a regular file nor missing (a terminal, a pipe,
// /dev/null) cannot be replaced; it is written to directly.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace armature {

/// A file could not be read or written. what() says what was tried, on which file and the system's reason:
/// "cannot write out/a.csv: No space left on device".
class FileError : public std::runtime_error {
  public:
    /// `doing` completes "cannot …", e.g. "write"; `error_number` is an errno.
    FileError(const std::string& doing, std::filesystem::path path, int error_number);
    /// With our own reason in place of the system's.
    FileError(const std::string& doing, std::filesystem::path path, int error_number, const std::string& reason);
    const std::filesystem::path& path() const { return path_; }
    int error_number() const { return error_number_; }

  private:
    std::filesystem::path path_;
    int error_number_;
};

class AtomicFile {
  public:
    /// Opens the temporary. Throws FileError when `target` cannot be written: its directory is missing or refuses, it
    /// is itself a directory, or it is write-protected.
    explicit AtomicFile(std::filesystem::path target);
    /// Removes the temporary when commit() was not reached; the target is then as it was.
    ~AtomicFile();
    AtomicFile(AtomicFile&& other) noexcept;
    AtomicFile& operator=(AtomicFile&& other) noexcept;
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    /// Appends. Buffered: a full disk may be noticed (FileError) only by a later write or by commit().
    void write(std::string_view text);
    /// Puts the file in its place, on the disk and not only in memory. To be called once; nothing can be written after
    /// it.
    void commit();

    bool committed() const { return committed_; }
    /// As given to the constructor.
    const std::filesystem::path& path() const { return path_; }
    /// Where the bytes go until commit(); empty for a target that is written to directly.
    const std::filesystem::path& temporary() const { return temporary_; }

  private:
    void open_directly();
    void open_temporary();
    void flush();
    void abandon() noexcept;

    std::filesystem::path path_;
    std::filesystem::path target_;  ///< path_ with links followed
    std::filesystem::path temporary_;
    std::string buffer_;
    int fd_ = -1;
    bool committed_ = false;
};

/// Removes what killed processes left beside `target` on their way to writing it; returns how many files that were.
/// Never throws: a leftover that cannot be removed is left.
int remove_stale_temporaries(const std::filesystem::path& target) noexcept;

/// The whole of `text` as the new content of `target`, or FileError and the old content.
void write_file(const std::filesystem::path& target, std::string_view text);

}  // namespace armature
