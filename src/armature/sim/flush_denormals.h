// Numbers below 1e-308 are flushed to zero while this lives: they carry no information here and halve the speed of the
// processor. The setting is the thread's own and is put back.
#pragma once

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace armature {

class FlushDenormals {
  public:
#if defined(__SSE2__)
    FlushDenormals() : saved_(_mm_getcsr()) {
        _mm_setcsr(saved_ | 0x8040u);
    }
    ~FlushDenormals() {
        _mm_setcsr(saved_);
    }
    FlushDenormals(const FlushDenormals&) = delete;
    FlushDenormals& operator=(const FlushDenormals&) = delete;

  private:
    unsigned saved_;
#else
    FlushDenormals() {}
#endif
};

}  // namespace armature
