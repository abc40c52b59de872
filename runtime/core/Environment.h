// The functions that the scheduler core needs from the machine that it runs on, and the core's settings. The core is
// freestanding: it includes only freestanding headers. It calls only these functions and the compiler's own memcpy,
// memmove and memset.
//
// Thread-safety: one Environment belongs to one scheduler. That scheduler's thread calls its functions; so does a
// thread that hands a block of elements to the scheduler while the scheduler waits.
#ifndef CILK2GPU_RUNTIME_CORE_ENVIRONMENT_H
#define CILK2GPU_RUNTIME_CORE_ENVIRONMENT_H

#include "core/Policies.h"

namespace cilk2gpu::rt {

class Scheduler;
class Steps;

/// Reason why the core cannot go on. The names in backquotes are members of Failure.
enum class FailureKind {
  OutOfMemory,   ///< `value` bytes for `what` could not be allocated; `subject`: the task that they are for, or null
  OverBudget,    ///< the channel or the frames of `subject` need `value` bytes more than the cap that `what` sets
  BadRecord,     ///< the descriptor of `subject` breaks the rule `what`; `value` was found
  NoDeviceForm,  ///< kernel number `value` of `subject` was compiled for no device
  BadVersion,    ///< `subject` has ABI version `value` instead of abi::kAbiVersion
  InternalError, ///< the invariant `what` does not hold for `subject` at level `value`
};

struct Failure {
  FailureKind kind;
  const char *what;
  const char *subject; ///< task or kernel name, or null
  uint64_t value;
};

/// The order in which a scheduler that runs kernels itself takes the elements of a level. A program without races gives
/// the same result in any order; orders other than Given show races.
enum class TaskOrder : uint8_t {
  Given,    ///< the order in which elements were spawned, levels as the policy says
  Shuffled, ///< an order that Limits::seed decides: wavefronts of any size, now and then deeper levels first
  Reversed, ///< the last element first, alone; its descendants run before the next element
  Stepped,  ///< one element at a time, which Environment::steps chooses; in serial order when no steps are left
};

/// Choice of the pre-sync lanes that run, with their descendants, as serial elisions.
enum class Elide : uint8_t {
  Cheaper, ///< lanes of levels where trials show that elisions take less time
  Never,
  Always, ///< all lanes except roots
};

/// The settings of a scheduler. `wave` and `width` are at least 1; `wave` is at most abi::kMaxWave.
struct Limits {
  uint32_t wave;  ///< lanes of a full wavefront
  uint64_t width; ///< elements that a channel holds, and frames of one task at one level
  /// Bytes that the frames, or the elements, of one task at one level may take; 0: any number. Tasks with large frames
  /// or elements get a smaller width, at least 1.
  uint64_t levelBytes = 0;
  /// Policy that decides what runs next. If the scheduler runs kernels itself, an `order` other than Given replaces it.
  PolicyKind policy = PolicyKind::Levelized;
  /// The most lanes of one dispatch to a device, several wavefronts together.
  uint64_t block = abi::kMaxLanes;
  TaskOrder order = TaskOrder::Given;
  Elide elide = Elide::Cheaper;
  uint64_t seed = 1;

  bool isWidthGiven = false; ///< the user gave `width`, so widths that graphs suggest are ignored

  /// Returns the width of a task whose frames or elements take `bytesEach` bytes each.
  uint64_t widthFor(uint64_t bytesEach) const {
    uint64_t fit = levelBytes && bytesEach ? levelBytes / bytesEach : width;
    return fit < 1 ? 1 : fit < width ? fit : width;
  }
};

/// A wave as a kernel sees it, and the function of the dispatching device that serves its tallocs.
struct RunningWave {
  abi::Wave wave;
  /// Makes room for up to `wanted` elements. Returns the number of elements that there is room for.
  uint64_t (*talloc)(abi::Wave *wave, uint32_t target, uint64_t wanted);
};

struct TaskInfo;
struct FrameShape;

/// A device that runs kernels. Its lanes cannot call the scheduler, so room for them is made before a dispatch
/// (cilk2gpu/abi/Device.h).
struct DeviceHooks {
  void *context;
  /// Runs all lanes of `wave`, which are fresh or restarted lanes of a kernel of `task`, to their end.
  void (*dispatch)(void *context, const TaskInfo &task, bool restarts, abi::Wave *wave);

  // The next four functions are null if lanes can use all of the host's memory. Otherwise elements, frames and lists
  // of frames are in the device's memory, which the host can use, too, between dispatches. Waves, cursors and the
  // addresses of columns are in the host's memory, and dispatch() passes them to the lanes.
  void *(*allocate)(void *context, uint64_t bytes, uint64_t align); ///< as Environment::allocate
  void (*release)(void *context, void *memory, uint64_t bytes, uint64_t align);
  /// Copies between two places in the device's memory that do not overlap.
  void (*copy)(void *context, void *to, const void *from, uint64_t bytes);
  /// Copies from the host's memory to the device's. Pages of the device's memory that the host touches itself move to
  /// the host, and back when a lane touches them, which takes longer than a small dispatch. Null: the caller writes
  /// there itself.
  void (*write)(void *context, void *to, const void *from, uint64_t bytes);

  /// Sets list[i] to the address of frame number `count` - 1 - i of a chunk. Null, or if it returns false: the caller
  /// does so itself.
  bool (*listFrames)(void *context, void **list, char *chunk, uint64_t count, const FrameShape &shape);

  /// True if lanes have stacks on which serial elisions may recurse.
  bool elides;
};

/// Memory that all schedulers of a device may use together.
struct MemoryBudget {
  uint64_t cap;                            ///< bytes
  uint64_t used = 0;                       ///< atomic
  const char *source = "CILK2GPU_MEM_CAP"; ///< the setting that gives the cap, for messages
  bool isDevices = false;                  ///< the budget limits a device's memory, not the host's
};

/// Plain calls that a kernel has made in place.
struct InPlaceCalls {
  uint64_t made = 0;
  bool wasLong = false; ///< one of them took so long that the next ones are tasks
};

/// The functions of a scheduler's environment. They are never null unless their comment says so.
struct Environment {
  void *context; ///< first argument of every function below

  /// Returns `bytes` bytes aligned to `align` (a power of two), or null.
  void *(*allocate)(void *context, uint64_t bytes, uint64_t align);
  /// Gives back memory that allocate returned for the same `bytes` and `align`.
  void (*release)(void *context, void *memory, uint64_t bytes, uint64_t align);
  /// The same two functions for the memory of frames. If both are null, frames are in ordinary memory.
  void *(*allocateFrames)(void *context, uint64_t bytes, uint64_t align);
  void (*releaseFrames)(void *context, void *memory, uint64_t bytes, uint64_t align);
  /// Reports a failure; does not return.
  void (*fail)(void *context, const Failure &failure);
  /// Returns the nanoseconds of a steady clock.
  uint64_t (*clock)(void *context);
  /// Returns the nanoseconds that the calling thread has run, without the time in which it waited for a processor. This
  /// takes longer than `clock`.
  uint64_t (*ownClock)(void *context);
  /// The device that runs kernels. Null: the core calls kernels itself.
  const DeviceHooks *device;
  /// For a table of tasks: says that every kernel must have a device form (abi::KernelRecord::lane).
  bool needsLanes;

  /// Instruction sets of the machine: bit i is set if kernels for abi::Isa number i may run.
  uint32_t isas;

  /// Address of the number of schedulers that wait for work, or null. The core reads it between dispatches, in relaxed
  /// order, because an old value only delays sharing.
  const uint32_t *hungry;
  /// Called between dispatches while *hungry is not zero; may move elements away with Stealing::give.
  void (*share)(void *context, Scheduler &scheduler);
  /// Called when `level` is empty but elements stolen from it are not done. Returns when they are done, or after
  /// another scheduler gave a block of a deeper level.
  void (*await)(void *context, Scheduler &scheduler, uint64_t level);
  /// Called when a block that `creditor` gave is done with all its descendants. Decrements `stolen`, a counter of
  /// `creditor`.
  void (*repay)(void *context, Scheduler &creditor, uint32_t *stolen);

  /// Sleeps for some nanoseconds. Null if `hungry` is.
  void (*nap)(void *context, uint64_t nanoseconds);

  /// Returns whether the scheduler must leave a run before it is done, to go on later (Scheduler::goOn). Called before
  /// each turn of the scheduler's loop. May be null.
  bool (*pause)(void *context);

  /// Writes a line of a report that explains the failure to come. May be null.
  void (*report)(void *context, const char *text);

  /// Calls `run`, the serial elisions of lanes, on a larger stack than the scheduler's own, because elisions recurse
  /// deeply on it. Returns false, without a call, if there is no such stack. May be null.
  bool (*callElided)(void *context, abi::KernelFn run, abi::Wave *wave);

  /// Calls `run` like callElided, and lets it make plain calls in place. Says in `calls` which it made. Returns false,
  /// without a call, if there is no stack. May be null.
  bool (*runInPlace)(void *context, abi::KernelFn run, abi::Wave *wave, InPlaceCalls &calls);

  /// The limit of memory; null: memory is not limited.
  MemoryBudget *budget;

  /// The choices of TaskOrder::Stepped; null with other orders. One scheduler has them, without a device.
  Steps *steps;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_ENVIRONMENT_H
