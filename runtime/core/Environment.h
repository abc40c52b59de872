// What the scheduler core asks of the machine it runs on. The core is freestanding: it includes only freestanding
// headers, and apart from the compiler's own memcpy, memmove and memset it calls nothing but these functions.
//
// Thread-safety: one Environment belongs to one scheduler; its functions are called by that scheduler's thread, and
// by a thread that hands a block of elements to it while it waits.
#ifndef CILK2GPU_RUNTIME_CORE_ENVIRONMENT_H
#define CILK2GPU_RUNTIME_CORE_ENVIRONMENT_H

#include "core/Policies.h"

namespace cilk2gpu::rt {

class Scheduler;

/// Why the core cannot go on.
enum class FailureKind {
  OutOfMemory,  ///< `value` bytes were asked for, for `what`, of `subject` if that is not null
  OverBudget,   ///< `subject`'s channel or frames need `value` bytes more than MemoryBudget::cap allows; `what` sets it
  BadRecord,    ///< `subject`'s descriptor breaks rule `what`; `value` is what was found
  NoDeviceForm, ///< `subject`'s kernel number `value` was compiled for no device
  BadVersion,   ///< `subject` has ABI version `value` instead of abi::kAbiVersion
  InternalError, ///< an invariant does not hold: `what`, for `subject`, at level `value`
};

struct Failure {
  FailureKind kind;
  const char *what;
  const char *subject; ///< task or kernel name, or null
  uint64_t value;
};

/// In which order a scheduler that runs kernels itself takes the elements of a level. Any order is right for a program
/// without races; the orders other than Given show races.
enum class TaskOrder : uint8_t {
  Given,    ///< the order in which elements were spawned, levels as the policy says
  Shuffled, ///< any, in wavefronts of any size, now and then deeper ones first: by Limits::seed
  Reversed, ///< the last one first, alone, and what it spawned before the one before it
};

/// Which pre-sync lanes run as their serial elisions, with all that they would spawn.
enum class Elide : uint8_t {
  Cheaper, ///< those of levels where that takes less time
  Never,
  Always, ///< all but roots
};

/// How wide a scheduler works. Both are at least 1; `wave` is at most abi::kMaxWave.
struct Limits {
  uint32_t wave;  ///< lanes of a full wavefront
  uint64_t width; ///< elements a channel holds, and frames of one task at one level
  /// If not 0: bytes that the frames, or the elements, of one task at one level may take; tasks with large ones get a
  /// smaller width, at least 1.
  uint64_t levelBytes = 0;
  /// Where `order` is another one than that of a policy, and the scheduler runs kernels itself, it replaces the policy.
  PolicyKind policy = PolicyKind::Levelized;
  /// Of a device: the most lanes of one dispatch, which are several wavefronts.
  uint64_t block = abi::kMaxLanes;
  TaskOrder order = TaskOrder::Given;
  Elide elide = Elide::Cheaper;
  uint64_t seed = 1;

  uint64_t widthFor(uint64_t bytesEach) const {
    uint64_t fit = levelBytes && bytesEach ? levelBytes / bytesEach : width;
    return fit < 1 ? 1 : fit < width ? fit : width;
  }
};

/// What follows a wave that a kernel sees: the device that dispatched it serves
/// its tallocs.
struct RunningWave {
  abi::Wave wave;
  /// Makes room for up to `wanted` elements; returns for how many.
  uint64_t (*talloc)(abi::Wave *wave, uint32_t target, uint64_t wanted);
};

struct TaskInfo;

/// A device that runs kernels. Its lanes cannot call the scheduler: room for them is made before a dispatch
/// (cilk2gpu/abi/Device.h).
struct DeviceHooks {
  void *context;
  /// Runs all lanes of `wave`, fresh or restarted ones of a kernel of `task`, to their end.
  void (*dispatch)(void *context, const TaskInfo &task, bool restarts, abi::Wave *wave);

  // Null, all three, if lanes use any memory of the host's. Else elements, frames and lists of frames are in this
  // memory, which the host can use, too, between dispatches. What refers to it (a wave, its cursors, their columns'
  // addresses) is in the host's own, and dispatch() sees to it that lanes find it.
  void *(*allocate)(void *context, uint64_t bytes, uint64_t align); ///< as Environment::allocate
  void (*release)(void *context, void *memory, uint64_t bytes, uint64_t align);
  /// Copies between two places in it that do not overlap.
  void (*copy)(void *context, void *to, const void *from, uint64_t bytes);

  /// Whether lanes have stacks on which serial elisions may recurse.
  bool elides;
};

/// Memory that all schedulers of a device may use together.
struct MemoryBudget {
  uint64_t cap;                            ///< bytes
  uint64_t used = 0;                       ///< atomic
  const char *source = "CILK2GPU_MEM_CAP"; ///< what sets the cap, for messages
  bool isDevices = false;                  ///< it is about a device's memory, not the host's
};

struct Environment {
  void *context; ///< first argument of every function below

  /// Returns `bytes` bytes aligned to `align` (a power of two), or null.
  void *(*allocate)(void *context, uint64_t bytes, uint64_t align);
  /// Gives back what allocate returned for the same `bytes` and `align`.
  void (*release)(void *context, void *memory, uint64_t bytes, uint64_t align);
  /// The same for memory that frames are in; null, both: they are in memory like any other.
  void *(*allocateFrames)(void *context, uint64_t bytes, uint64_t align);
  void (*releaseFrames)(void *context, void *memory, uint64_t bytes, uint64_t align);
  /// Reports a failure; does not return.
  void (*fail)(void *context, const Failure &failure);
  /// Nanoseconds of a steady clock.
  uint64_t (*clock)(void *context);
  /// Nanoseconds that the calling thread has run: not those in which it waited for a processor. Dearer than `clock`.
  uint64_t (*ownClock)(void *context);
  /// Null: the core calls kernels itself.
  const DeviceHooks *device;
  /// Of a table of tasks: every kernel must have a device form (abi::KernelRecord::lane).
  bool needsLanes;

  /// Vectorised forms of kernels are used if the bit with their abi::Isa's number is set.
  uint32_t isas;

  /// Number of schedulers that wait for work, read between dispatches (relaxed: a stale value only delays sharing).
  const uint32_t *hungry;
  /// Called between dispatches while *hungry is not zero; may move elements away with Stealing::give.
  void (*share)(void *context, Scheduler &scheduler);
  /// Called when `level` is empty but elements stolen from it are not done. Returns when they are, or after another
  /// scheduler gave a block of a deeper level.
  void (*await)(void *context, Scheduler &scheduler, uint64_t level);
  /// Called when the block that was given at some level is done with all its descendants. `stolen` is the counter of
  /// the scheduler `creditor` to decrement.
  void (*repay)(void *context, Scheduler &creditor, uint32_t *stolen);

  /// Null, or whether a run should be left before it is done, to go on later (Scheduler::goOn). Asked between levels'
  /// dispatches.
  bool (*pause)(void *context);

  /// Null, or writes a line of a report that explains the failure to come.
  void (*report)(void *context, const char *text);

  /// Null, or calls `run`, lanes' serial elisions, with more stack than the scheduler has itself: recursion that is
  /// deep takes memory in the graph only. False if there is no such stack, and nothing ran.
  bool (*callElided)(void *context, abi::KernelFn run, abi::Wave *wave);

  /// Null: memory is not limited.
  MemoryBudget *budget;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_ENVIRONMENT_H
