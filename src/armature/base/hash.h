// A 64-bit fingerprint of plain data (FNV-1a over 8-byte words, finished with a mixer). Defined by us, so that it is
// the same on every machine and standard library.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace armature {

class Hasher {
  public:
    void add(std::uint64_t word) { h_ = (h_ ^ word) * 0x100000001b3ull + (h_ >> 47); }
    void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
    void add(std::string_view text) {
        add(static_cast<std::uint64_t>(text.size()));
        for (const char c : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
    }
    /// Every double inside `values`, an array of aggregates of doubles.
    template <class T>
    void add_doubles(const T* values, std::size_t count) {
        static_assert(sizeof(T) % sizeof(double) == 0);
        double d[sizeof(T) / sizeof(double)];
        for (std::size_t i = 0; i < count; ++i) {
            std::memcpy(d, &values[i], sizeof(T));
            for (const double v : d) add(v);
        }
    }
    std::uint64_t value() const {
        std::uint64_t z = h_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }

  private:
    std::uint64_t h_ = 0xcbf29ce484222325ull;
};

}  // namespace armature
