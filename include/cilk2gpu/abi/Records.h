// Records that compiled programs, the compiler and every runtime share. Graph descriptors are a program's channel-flow
// graph as data. The wave interface is the data that a kernel accesses while it runs. All of it is plain C data with
// fixed layout; static_asserts below pin sizes and offsets. A change here changes kAbiVersion.
//
//   GraphRecord --> TaskRecord* --> fields[]   columns of the task's element (structure of arrays)
//   (one per TU)    (one per       kernels[]   kernels[0] runs pre-sync elements, kernels[k] post-sync ones
//                   Cilk function  targets[]   tasks whose channels the kernels spawn into
//                   or queue)      edges[]     tasks that the post-sync elements wait for
//
// The fields of graph descriptors are listed in cilk2gpu/abi/Records.def. Initialise descriptors by name: fields that
// are not named have the defaults of that list.
//
// Thread-safety: records are constant once registered, except TaskRecord::state, which belongs to the runtime.
#ifndef CILK2GPU_ABI_RECORDS_H
#define CILK2GPU_ABI_RECORDS_H

#include <stddef.h>
#include <stdint.h>

namespace cilk2gpu::abi {

inline constexpr uint32_t kMagic = 0x47324b43; // "CK2G", little endian
inline constexpr uint32_t kAbiVersion = 17;
inline constexpr uint32_t kMaxWave = 64;
inline constexpr uint32_t kMaxLanes = 1024; ///< most lanes of a block, which a kernel runs in one call

struct Wave;

/// Runs one wavefront (all lanes of `wave`). Returns when each lane has finished, reached a sync or yielded.
using KernelFn = void (*)(Wave *wave);

/// Runs one lane of a device: element `first + lane` of the wave, from the start (site 0) or from restart site `site`
/// on. It calls the channel operations of cilk2gpu/abi/Device.h.
using LaneFn = void (*)(Wave *wave, uint64_t lane, uint32_t site);

/// Bytes in a frame for the task's variables of variable size. With them, a frame stays within 512 bytes, so that a
/// level has 4,096 frames. Most tasks need no more bytes. In nqueens, chunks outside the frame cost a tenth of the
/// time.
inline constexpr uint64_t kFrameLocals = 384;

/// A stack for a task's variables of variable size. The stack is itself a local of the task. Kernels start it as
/// {first, first + kFrameLocals, null} and take storage by moving `top`. The runtime handles all other cases. `top` and
/// `end` are multiples of 16.
struct TaskLocals {
  char *top, *end; ///< bounds of the free bytes, in `first` or in the newest chunk
  void *newest;    ///< newest chunk; null: all storage is in `first`
  uint64_t reserved;
  alignas(16) char first[kFrameLocals];
};
static_assert(offsetof(TaskLocals, end) == 8 && offsetof(TaskLocals, newest) == 16 &&
              offsetof(TaskLocals, first) == 32 && sizeof(TaskLocals) == 32 + kFrameLocals);

/// Conditions under which a node of a graph may run. Edges of a graph name the kind, and policies may replace
/// DrainedBelow by ChildCount.
enum class ReadinessKind : uint32_t {
  DrainedBelow = 0, ///< no element is left at deeper levels: reserved, ready, running, yielded or stolen
  ChildCount = 1,   ///< the count of children that are not done is zero
  ParentCount = 2,  ///< the count of parents that are not done is zero: nodes of dependency graphs
  Event = 3,        ///< a message from another node, or from the host, has arrived
};

/// Instruction sets that a vectorised kernel may need.
enum class Isa : uint32_t {
  Any = 0,          ///< only instructions that the whole program needs
  X86_64_V4 = 1,    ///< AVX-512 F, BW, CD, DQ, VL
  X86_64_V3 = 2,    ///< AVX2, BMI, FMA
  X86_64_V2 = 3,    ///< SSE4.2, POPCNT
  AArch64_Neon = 4, ///< Advanced SIMD
};

/// An instruction set and its name in CILK2GPU_KERNELS and in the statistics.
struct IsaName {
  Isa isa;
  const char *name;
};
inline constexpr IsaName kIsaNames[] = {
    {Isa::X86_64_V4, "avx512"}, {Isa::X86_64_V3, "avx2"}, {Isa::X86_64_V2, "sse"}, {Isa::AArch64_Neon, "neon"}};

/// Kinds of nodes of a graph.
enum class NodeKind : uint32_t {
  Task = 0,  ///< a channel stack: one bounded channel per level
  Queue = 1, ///< a channel whose capacity bounds all levels together; its consumer has no post-sync kernels
};

/// Value of TaskRecord::destination for a task without a result.
inline constexpr uint32_t kNoDestination = ~uint32_t(0);

struct TaskRecord;
#define CILK2GPU_RECORD_FIELD(type, name, value) type name = value;
#define CILK2GPU_ELEMENT_FIELD CILK2GPU_RECORD_FIELD
struct FieldRecord {
#include "cilk2gpu/abi/Records.def"
};
#define CILK2GPU_FORM_FIELD CILK2GPU_RECORD_FIELD
struct VectorForm {
#include "cilk2gpu/abi/Records.def"
};
#define CILK2GPU_KERNEL_FIELD CILK2GPU_RECORD_FIELD
struct KernelRecord {
#include "cilk2gpu/abi/Records.def"
};
#define CILK2GPU_EDGE_FIELD CILK2GPU_RECORD_FIELD
struct EdgeRecord {
#include "cilk2gpu/abi/Records.def"
};
#define CILK2GPU_TASK_FIELD CILK2GPU_RECORD_FIELD
struct TaskRecord {
#include "cilk2gpu/abi/Records.def"

  /// Returns true if the destination is an offset of 32 bits.
  bool hasNarrowDestination() const { return destination < numFields && fields[destination].size == sizeof(uint32_t); }
};
#define CILK2GPU_GRAPH_FIELD CILK2GPU_RECORD_FIELD
struct GraphRecord {
#include "cilk2gpu/abi/Records.def"
};
#undef CILK2GPU_RECORD_FIELD

/// Number of frames in a group. The frames of a task with columns lie in groups, column by column. The address of a
/// frame is the address of its part in column 0. Its part in column c is c * kFrameGroup * kFrameColumn bytes further.
/// Groups begin at multiples of kFrameGroup * kFrameColumn bytes, a cache line, and follow one another in a chunk.
/// Lanes with neighbouring frames thus find the same field side by side. A field of w words takes w columns, from c on.
/// The words of each frame are contiguous. They begin (address & (kFrameGroup - 1) * kFrameColumn) * (w - 1) bytes
/// behind the frame's part in column c.
inline constexpr uint64_t kFrameGroup = 8, kFrameColumn = 8 /* bytes */;

/// Unit of the 32-bit offsets that name destinations in frames and slots. All frames and slots stand in one window of
/// addresses that is 2^32 units long (__cilk2gpu_frames), so the low 32 bits of an address in units are unique.
inline constexpr uint64_t kFrameUnit = 4 /* bytes */;
inline constexpr uint64_t kFrameWindow = kFrameUnit << 32;

/// Producer's end of a channel: elements [next, limit) are granted to the wave that runs. A kernel fills element
/// `next` (columns[f] + next * fields[f].size for each field f) and then increments `next`: the wave's elements are
/// published together when it returns. `columns` may change at every talloc.
struct Cursor {
  void **columns;
  uint64_t next;
  uint64_t limit;
};

/// Free frames of one task at one level: free[0 .. count). Before the scheduler dispatches kernel 0 of a task that has
/// frames, it grants the wave one frame per lane. A lane takes free[--count] and gives back free[count++]. On devices,
/// where lanes run at the same time, taken and returned frames are counted separately, and a frame that is given back
/// goes to `returns`.
struct FrameStore {
  void **free;
  uint64_t count;
  // The following fields are used on devices only.
  uint64_t taken;    ///< frames taken from the end of `free`; `count` does not change while lanes run
  void **returns;    ///< frames given back, with room for one per lane
  uint64_t returned; ///< frames in `returns`
};

/// A dispatched block, which is one wavefront or several, as its kernel sees it. Lane i consumes element `first + i` of
/// `columns`.
struct Wave {
  void *const *columns;  ///< consumed channel's columns
  uint64_t first;        ///< element of lane 0
  uint32_t lanes;        ///< 1 .. kMaxLanes
  uint32_t kernel;       ///< index in the task's kernels; numKernels: its serial elision
  Cursor *const *spawns; ///< [numTargets], channels one level deeper; full ones are extended by __cilk2gpu_talloc
  Cursor *const *syncs;  ///< [numKernels]; syncs[k] feeds kernel k at this level, always has room; syncs[0] is null
  Cursor *restarts;   ///< lanes of this kernel to restart: columns are frame pointer and uint32_t site; always has room
  FrameStore *frames; ///< null if the task has no frames
  const uint32_t *hungry; ///< number of workers that wait for work; null: no worker ever does
};

static_assert(sizeof(FieldRecord) == 8 && sizeof(VectorForm) == 16 && sizeof(KernelRecord) == 64 &&
              sizeof(EdgeRecord) == 24 && sizeof(TaskRecord) == 128);
static_assert(sizeof(GraphRecord) == 40 && sizeof(Cursor) == 24 && sizeof(FrameStore) == 40 && sizeof(Wave) == 64);
static_assert(offsetof(TaskRecord, frameSize) == 48 && offsetof(TaskRecord, state) == 72 &&
              offsetof(TaskRecord, frameColumns) == 80 && offsetof(TaskRecord, function) == 88 &&
              offsetof(TaskRecord, hasElision) == 96 && offsetof(TaskRecord, edges) == 104 &&
              offsetof(TaskRecord, capacity) == 120 && offsetof(GraphRecord, policy) == 32);
static_assert(offsetof(Wave, first) == 8 && offsetof(Wave, lanes) == 16 && offsetof(Wave, spawns) == 24 &&
              offsetof(Wave, syncs) == 32 && offsetof(Wave, restarts) == 40 && offsetof(Wave, frames) == 48 &&
              offsetof(Wave, hungry) == 56);

/// Comparison of the loop variable with its bound, in a cilk_for's condition: one of the first five values, with flags
/// and the number of the variable's bits. A variable of 0 bits is a pointer or an iterator, which does not wrap around.
enum LoopComparison : int32_t {
  kLess = 0,
  kLessEqual = 1,
  kGreater = 2,
  kGreaterEqual = 3,
  kNotEqual = 4,
  kComparisonKind = 7,    ///< mask of the values above
  kUnsigned = 8,          ///< flag: the values are compared as unsigned numbers
  kFromZero = 16,         ///< flag: as compared, the variable's values begin with 0
  kTiles = 32,            ///< flag: the iterations are the tiles of a wave of a doacross nest
  kVariableBitsShift = 8, ///< position of the number of bits, which is at most 64
};

/// Returns whether a loop of `count` iterations gives its variable a value that its type cannot hold, which wraps
/// around. The value after the last iteration counts, too. `stride` is the size of a step.
constexpr bool wrapsAround(int64_t first, uint64_t count, uint64_t stride, bool isUp, int32_t comparison) {
  uint32_t bits = uint32_t(comparison) >> kVariableBitsShift;
  if (!bits || !stride)
    return false;
  bool isUnsigned = comparison & kUnsigned, isFromZero = comparison & kFromZero;
  uint64_t all = ~uint64_t(0) >> (64 - bits);
  uint64_t most = isFromZero ? all : all >> 1, least = isFromZero || isUnsigned ? 0 : ~most;
  // A signed variable that is narrower than its unsigned bound: negative values are compared as large numbers.
  if (isUnsigned && uint64_t(first) > most)
    return false;
  uint64_t room = isUp ? most - uint64_t(first) : uint64_t(first) - least;
  return count > room / stride;
}

/// How a doacross nest runs. Any other number is the measured time of an iteration in picoseconds. With the bit
/// kDoacrossUnsure, it has been measured once, and is measured once more.
enum DoacrossPlan : uint64_t {
  kDoacrossMeasure = 0, ///< the first rows run one after the other, and are measured
  kDoacrossWhole = 1,   ///< the nest is one tile
  kDoacrossFixed = 2,   ///< tiles have the sizes that the compiler has chosen
  kDoacrossLeastTime = 3,
  kDoacrossUnsure = uint64_t(1) << 63
};

/// What the compiler knows about a loop of a doacross nest.
struct DoacrossShape {
  uint32_t size;  ///< size of a tile, for kDoacrossFixed; smaller if the loop has few iterations, but at least `least`
  uint16_t least; ///< 0 if other plans have tiles of `size`, too
  uint8_t depth;  ///< number of loops around this one
  bool isOuter;   ///< no loop around this one is cut into tiles

  constexpr uint64_t bits() const {
    return size | uint64_t(least) << 32 | uint64_t(depth) << 48 | uint64_t(isOuter) << 56;
  }
  static constexpr DoacrossShape of(uint64_t bits) {
    return {uint32_t(bits), uint16_t(bits >> 32), uint8_t(bits >> 48), bool(bits >> 56)};
  }
};

} // namespace cilk2gpu::abi

extern "C" {

/// Does nothing. The constructor of each object file with tasks calls it first, so that the message of a linker that
/// does not get the runtime has the remedy.
void __cilk2gpu_link_this_program_with_the_command_cilk2gpu();
/// Merges the graph of a translation unit into the process's graph. Constructors call it, before main or at dlopen. A
/// wrong magic or version ends the process with a message that names both versions. Repeated calls with one record have
/// no effect.
void __cilk2gpu_register(const cilk2gpu::abi::GraphRecord *graph);

/// Does the same for the graph of a unit with pedigrees (-fcilk-pedigrees). Either all units of a program have them or
/// none has: otherwise, both functions end the process with a message that names two units.
void __cilk2gpu_register_with_pedigrees(const cilk2gpu::abi::GraphRecord *graph);

/// Says that the unit `module` has pedigrees. Constructors call it, also in units without a graph.
void __cilk2gpu_has_pedigrees(const char *module);

/// Makes more space in wave->spawns[target]. Returns 1 if at least one element is granted (next < limit) afterwards,
/// and 0 if the channel is full. Then the lane must save itself in its frame, put (frame, site) into wave->restarts and
/// end.
int32_t __cilk2gpu_talloc(cilk2gpu::abi::Wave *wave, uint32_t target);

/// Makes room in wave->spawns[target] for as many of the lanes in the bit mask `lanes` as possible. Returns the mask of
/// the lanes that have room, which are the first lanes of `lanes`. The others are refused: each saves itself as after a
/// __cilk2gpu_talloc that returned 0.
uint64_t __cilk2gpu_talloc_lanes(cilk2gpu::abi::Wave *wave, uint32_t target, uint64_t lanes);

/// Offers the elements that the lanes of a wave have spawned to workers that wait for work. Kernels call it where
/// *wave->hungry is not zero. Counts of spawned elements are in their cursors before and after the call.
void __cilk2gpu_offer(cilk2gpu::abi::Wave *wave);

/// Returns nonzero if an ordinary entry must run its serial elision: inside a task, or if CILK2GPU_DEVICE=serial.
int32_t __cilk2gpu_serial(void);

/// Takes the host's turn, and returns a cursor with room for one root element of `task`. Runs the graph first if the
/// task's root channel is full. The caller fills the element, increments next and calls __cilk2gpu_publish.
cilk2gpu::abi::Cursor *__cilk2gpu_root(cilk2gpu::abi::TaskRecord *task);

/// Start of the window that contains all frames and slots. It has kFrameWindow bytes and begins at a multiple of
/// kFrameWindow.
extern char *__cilk2gpu_frames;

/// Returns memory for a root's result among the frames, aligned to 16 bytes; never null.
void *__cilk2gpu_slot(uint64_t bytes);
void __cilk2gpu_free_slot(void *slot, uint64_t bytes);

/// Publishes the root element of the cursor and gives up the host's turn.
void __cilk2gpu_publish(cilk2gpu::abi::Cursor *root);

/// Runs the graph until no element, frame or restart is left. Every root that was published before the call is done
/// afterwards.
void __cilk2gpu_execute(void);

/// Ends the process with a message: an exception was about to leave a task, and the graph would have been left half
/// run.
[[noreturn]] void __cilk2gpu_exception(void);

/// Personality routine of the loops that call tasks. It ends the process with the message of __cilk2gpu_exception as
/// soon as an exception finds no handler inside the task; handlers further up are not asked. (C++ modules use the
/// language's own personality routine, with a handler for all exceptions.)
int32_t __cilk2gpu_personality(int32_t version, int32_t actions, uint64_t exceptionClass, void *exception,
                               void *context);

/// Returns memory for a task's variable of variable size: `bytes` bytes aligned to `align` (a power of two), on top of
/// the task's stack. Kernels take memory above `top` themselves, and call this function if it does not suffice. The
/// task's kernels call it, on one worker. Never null.
void *__cilk2gpu_local(cilk2gpu::abi::TaskLocals *locals, uint64_t bytes, uint64_t align);

/// Frees the storage that was put on a task's stack since its top was `mark`; null frees all.
void __cilk2gpu_release(cilk2gpu::abi::TaskLocals *locals, void *mark);

/// Returns storage for objects that the parent constructs as arguments of one spawn, aligned to `align` (a power of
/// two). Never null. The child may run on another worker.
void *__cilk2gpu_objects(uint64_t bytes, uint64_t align);

/// Frees storage of __cilk2gpu_objects. The child has destroyed the objects before.
void __cilk2gpu_release_objects(void *block);

/// Takes a caught exception out of its thread, and returns an object that holds it. For C++ programs.
void *__cilk2gpu_hold_exception(void *exception);

/// Throws a held exception again, in the thread in which the task goes on.
[[noreturn]] void __cilk2gpu_throw_held(void *held);

/// Replaces malloc in programs whose arrays are to start at cache lines. Large blocks start at cache lines if malloc
/// and free are the C library's own; another allocator decides for itself. free() accepts all these blocks.
void *__cilk2gpu_malloc(size_t bytes);

/// Returns the number of iterations of `for (i = first; i <comparison> last; i += step)`, computed without overflow for
/// any bounds. If the condition is false at first, there are no iterations, even for a step of 0 or in the wrong
/// direction. With such a step and a true condition, the loop would not end, or only by overflow. A loop whose variable
/// wraps around before the condition is false does not end either. For both, the function ends the process with a
/// message and exit status 1. `comparison` is a LoopComparison.
uint64_t __cilk2gpu_trip_count(int64_t first, int64_t last, int64_t step, int32_t comparison);

/// Returns the number of iterations that one task of a cilk_for runs. This is `wanted` if `wanted` is positive, else a
/// default for `count` iterations that is at least -`wanted`.
uint64_t __cilk2gpu_grain(uint64_t count, int64_t wanted);

/// Returns how a doacross nest runs whose outer loop has `rows` iterations: a DoacrossPlan. `isAdaptable`: the sizes of
/// its tiles may follow the time of an iteration.
uint64_t __cilk2gpu_doacross_plan(uint64_t rows, int32_t isAdaptable);

/// Returns the end of the rows that run next, of `rows` rows in all. They begin with the row `low`.
uint64_t __cilk2gpu_doacross_rows(uint64_t plan, uint64_t low, uint64_t rows);

/// Returns the time at which these rows begin, in nanoseconds. 0 if the plan does not need it.
uint64_t __cilk2gpu_doacross_clock(uint64_t plan);

/// Returns the plan for the rows behind these rows. They began at `begun`, and had `iterations` iterations of the nest.
uint64_t __cilk2gpu_doacross_next(uint64_t plan, uint64_t begun, uint64_t iterations);

/// Returns the size of a tile along a loop with `extent` iterations. Tiles have `unit` iterations of the nest for each
/// iteration of this loop, and the nest has `iterations` iterations. `shape` is a DoacrossShape.
uint64_t __cilk2gpu_doacross_size(uint64_t plan, uint64_t extent, uint64_t unit, uint64_t iterations, uint64_t shape);
}

#endif // CILK2GPU_ABI_RECORDS_H
