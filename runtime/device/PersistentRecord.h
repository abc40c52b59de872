// What the host and a persistent kernel on a GPU have between them: one record in managed memory, which they use in
// turns; but for `board` and `tickets`, which are the wavefronts' while the kernel runs.
//
//   host                                              kernel (PersistentWavefront.h)
//   fills everything in, roots in the scheduler   ->  first wavefront: the scheduler's functions become its own, it
//   runs Done: the run is over                         <-  `outcome`, and the kernel ends Paused: more memory, and
//   launches again Failed: says why, and ends the process
//
// The scheduler, its levels and the tables of tasks are in managed memory, too, out of `memory`. The kernel cannot have
// more: before each turn of the scheduler's loop it looks whether what is left suffices for that turn at its worst.
#ifndef CILK2GPU_RUNTIME_DEVICE_PERSISTENTRECORD_H
#define CILK2GPU_RUNTIME_DEVICE_PERSISTENTRECORD_H

#include "core/PageRuns.h"
#include "core/Scheduler.h"
#include "device/Board.h"

namespace cilk2gpu::device {

struct PersistentRecord {
  enum class Outcome : uint32_t { Running, Done, Paused, Failed };

  /// What both allocate from.
  struct Memory {
    rt::PageRuns pages;
    rt::MemoryBudget budget; ///< `cap`: of what has been reserved so far
    uint64_t most;           ///< bytes that may be reserved
    uint64_t turn;           ///< bytes that a turn of the scheduler's loop may take

    /// Whether a turn might need more than is reserved, and more can be. A level deeper may need a longer list of
    /// levels: less than an eighth of what those take.
    bool isShort() const { return budget.cap < most && budget.used + budget.used / 8 + turn > budget.cap; }
  };

  // The host's.
  rt::Scheduler *scheduler;
  rt::Environment *environment; ///< the scheduler's; its functions are those of whoever has the turn
  rt::DeviceHooks hooks;        ///< the environment's device, likewise
  Memory memory;
  uint32_t wave;         ///< lanes of a wavefront
  uint32_t mostWorkers;  ///< at least 1
  bool goesOn;           ///< after a pause
  char budgetSource[64]; ///< what `memory.budget` says

  // The kernel's.
  alignas(64) Tickets tickets;
  Board board;
  abi::Wave copied; ///< what a copy's lanes see
  void *copiedColumns[2];
  Outcome outcome;
  rt::FailureKind kind;
  bool hasSubject;
  uint64_t value;
  char what[128], subject[256];

  rt::Failure failure() const { return {kind, what, hasSubject ? subject : nullptr, value}; }
};

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_DEVICE_PERSISTENTRECORD_H
