// The record that the host and a persistent kernel on a GPU share. It is in managed memory, and the two sides use it in
// turns. Only `board` and `tickets` differ: they belong to the wavefronts while the kernel runs.
//
//   host                                              kernel (PersistentWavefront.h)
//   fills in the record, roots in the scheduler   ->  the first wavefront sets the scheduler's functions, runs it,
//                                                     and ends the kernel with an `outcome`:
//   ends the run                                  <-  Done
//   adds memory, and launches again               <-  Paused
//   writes the reason, and ends the process       <-  Failed
//
// The scheduler, its levels and the tables of tasks are in managed memory, too, allocated from `memory`. The kernel
// cannot reserve more memory. So before each turn of the scheduler's loop, it checks whether the free memory suffices
// for the worst case of this turn.
#ifndef CILK2GPU_RUNTIME_DEVICE_PERSISTENTRECORD_H
#define CILK2GPU_RUNTIME_DEVICE_PERSISTENTRECORD_H

#include "core/PageRuns.h"
#include "core/Scheduler.h"
#include "device/Board.h"

namespace cilk2gpu::device {

struct PersistentRecord {
  enum class Outcome : uint32_t { Running, Done, Paused, Failed };

  /// Memory from which host and kernel allocate.
  struct Memory {
    rt::PageRuns pages;
    rt::MemoryBudget budget; ///< `cap` is the memory that has been reserved so far
    uint64_t most;           ///< bytes that may be reserved
    uint64_t turn;           ///< bytes that a turn of the scheduler's loop may take

    /// Returns whether a turn might need more memory than is reserved, and more can be reserved. A new level may need a
    /// longer list of levels, which takes less than an eighth of the memory in use.
    bool isShort() const { return budget.cap < most && budget.used + budget.used / 8 + turn > budget.cap; }
  };

  // Filled in by the host.
  rt::Scheduler *scheduler;
  rt::Environment *environment; ///< environment of the scheduler, with the functions of the side whose turn it is
  rt::DeviceHooks hooks;        ///< device of the environment, with the functions of the side whose turn it is
  Memory memory;
  uint32_t wave;         ///< lanes of a wavefront
  uint32_t mostWorkers;  ///< at least 1
  bool goesOn;           ///< continues after a pause
  char budgetSource[64]; ///< source of `memory.budget`, for messages

  // Filled in by the kernel.
  alignas(64) Tickets tickets;
  Board board;
  abi::Wave copied; ///< the wave of lanes that copy memory or list frames
  void *copiedColumns[2];
  rt::FrameList listed; ///< frames that lanes list
  Outcome outcome;
  rt::FailureKind kind;
  bool hasSubject;
  uint64_t value;
  char what[128], subject[256];

  rt::Failure failure() const { return {kind, what, hasSubject ? subject : nullptr, value}; }
};

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_DEVICE_PERSISTENTRECORD_H
