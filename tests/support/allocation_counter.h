// Counts what this test program takes from the heap.
#pragma once

namespace armature::test {

/// Calls of operator new so far, on all threads.
long allocation_count();

}  // namespace armature::test
