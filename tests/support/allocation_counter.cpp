// In a file of its own: where the compiler sees these beside their callers it warns, wrongly, that free()
// does not match new.
#include "support/allocation_counter.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace armature::test {
namespace {
std::atomic<long> count{0};
}  // namespace

long allocation_count() {
    return count;
}

}  // namespace armature::test

void* operator new(std::size_t size) {
    ++armature::test::count;
    if (void* p = std::malloc(size > 0 ? size : 1)) return p;
    throw std::bad_alloc();
}
// std::stable_sort asks this way; left to the runtime, its memory would come back to our delete.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    ++armature::test::count;
    return std::malloc(size > 0 ? size : 1);
}
void operator delete(void* p, const std::nothrow_t&) noexcept {
    std::free(p);
}
void operator delete(void* p) noexcept {
    std::free(p);
}
void operator delete(void* p, std::size_t) noexcept {
    std::free(p);
}
