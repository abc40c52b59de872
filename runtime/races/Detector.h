// Everything that the detector knows about the program. One object serves the hooks, and the functions of the C library
// that the detector replaces.
#ifndef CILK2GPU_RUNTIME_RACES_DETECTOR_H
#define CILK2GPU_RUNTIME_RACES_DETECTOR_H

#include "LockSets.h"
#include "MainStack.h"
#include "MemoryObjects.h"
#include "Options.h"
#include "ReducerUses.h"
#include "Reports.h"
#include "Shadow.h"
#include "TaskBags.h"

/// A function that stands for one of the C library, also for the program's libraries.
#define CILK2GPU_REPLACES extern "C" __attribute__((visibility("default")))

namespace cilk2gpu::races {

struct Detector {
  Options options;
  TaskBags strands;
  LockSets locks;
  MemoryObjects objects;
  AddressBits blocks; ///< starts of the heap's blocks: of all that the thread has allocated and nobody has freed
  Reports reports{strands, options, objects};
  Shadow shadow;
  ReducerUses reducers;
  MainStack stack;
  uintptr_t threadLocals = 0, threadLocalBytes = 0; ///< the variables of the thread: each thread has its own
  bool isOpen = false, isFinished = false;

  constexpr Detector();
  void open();
  int finish(int status);
  void access(const void *at, size_t size, LockSet properties, Cilk2gpuAccess *access);
  void clearDeadFrames(uintptr_t live);
  /// A variable or block begins its life: earlier accesses of its memory were of other ones.
  void begin(const void *at, size_t size) {
    shadow.clear(uintptr_t(at), size);
    objects.add(uintptr_t(at), size);
  }
};

extern constinit Detector detector;
extern constinit thread_local bool isChecked; ///< this is the thread that started the program

} // namespace cilk2gpu::races

#endif // CILK2GPU_RUNTIME_RACES_DETECTOR_H
