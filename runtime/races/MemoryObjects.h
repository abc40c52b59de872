// The variables and blocks of the heap that memory consists of, so that each one has a report of its own. The program's
// global variables are read from the symbol tables of its files when the first address is looked up.
//
//   address:  1000      1010   1018          add(1000, 16), add(1018, 4)
//   mark:     |         |      |   |         a mark at each start, and at each end
//   start:    1000      1010   1018          memory between two objects counts as an object
#ifndef CILK2GPU_RUNTIME_RACES_MEMORYOBJECTS_H
#define CILK2GPU_RUNTIME_RACES_MEMORYOBJECTS_H

#include "AddressBits.h"

namespace cilk2gpu::races {

class MemoryObjects {
public:
  void open() { marks.open(); }
  /// A variable or block begins its life. All objects that had its bytes have ended.
  void add(uintptr_t at, size_t size);
  /// Returns the start of the object at `at`, or `at` itself if no mark is in front of it.
  uintptr_t startOf(uintptr_t at);

private:
  AddressBits marks;
  bool hasGlobals = false;
  uintptr_t lastStart = 0, lastEnd = 0; ///< a part of an object, from its start: the one that was looked up last
};

/// Adds the global variables of the program and its libraries, as far as their files have symbol tables.
void addGlobals(MemoryObjects &objects);

} // namespace cilk2gpu::races

#endif // CILK2GPU_RUNTIME_RACES_MEMORYOBJECTS_H
