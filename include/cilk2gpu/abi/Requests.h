// Requests of tasks on a GPU to the host's system while they run (Orr's thesis, chapter 3): memory, output, the end of
// the process. Lanes of a wavefront that ask together share a slot. The host thread that waits for the launch serves
// the slot.
//
//   slot:  | posted, lanes                   |  written by lanes, which hold the slot's lock (device memory)
//          | calls[lane], arguments[k][lane] |  written by these lanes; their requests may differ
//          | served                          |  written by the host, when it is done
//          | results[lane], seconds[lane]    |  written by the host
//
// A slot has a request while posted != served. Each word has one writer, because read-modify-writes of host and device
// are not atomic to one another. Release and acquire are at system scope. The store of `posted` pairs with the host's
// load, and the store of `served` with the load of the lane that leads the request.
//
// Thread-safety: any lanes may post requests at once; a single host thread serves a queue.
#ifndef CILK2GPU_ABI_REQUESTS_H
#define CILK2GPU_ABI_REQUESTS_H

#include "cilk2gpu/abi/Records.h"

namespace cilk2gpu::abi {

inline constexpr uint32_t kRequestSlots = 64;     ///< more than the usual number of wavefronts that ask at a time
inline constexpr uint32_t kRequestArguments = 16; ///< argument words of one lane

/// Symbol, in images, of the pointer that the host sets to the queue.
#define CILK2GPU_REQUESTS_SYMBOL "__cilk2gpu_requests"

/// Functions of the host's C library that a lane may call by name. All take and return integers and pointers. None
/// accesses memory that a lane points at, because that memory might be the lane's own. The device runtime has a version
/// of each. Other functions are called through thunks that the compiler makes.
#define CILK2GPU_HOST_FUNCTIONS(X)                                                                                     \
  X(malloc)                                                                                                            \
  X(calloc) X(realloc) X(aligned_alloc) X(free) X(putchar) X(fputc) X(fflush) X(exit) X(_exit) X(abort) X(time) X(clock)

enum class HostFunction : uint16_t {
  Endless = 1, ///< first, last, step, comparison, whether it wraps: reports an endless cilk_for; does not return
  NoFunction,  ///< address: reports a call of a function without a version for GPUs; does not return
  Thunk,       ///< address of a void (*)(uint64_t *words), then the words; the first two get the result
  Share,       ///< alignment, bytes: allocates memory, or null, for a lane's local that the host may see
  OutOfMemory, ///< bytes: reports that there is no memory for a task's own storage; does not return
#define CILK2GPU_HOST_FUNCTION(name) Call_##name,
  CILK2GPU_HOST_FUNCTIONS(CILK2GPU_HOST_FUNCTION)
#undef CILK2GPU_HOST_FUNCTION
      New,        ///< as Thunk, for an operator new, also the program's own: an exception means that no memory is left
  Delete,         ///< as Thunk, for an operator delete
  Objects,        ///< bytes, alignment: storage for a spawn's arguments (__cilk2gpu_objects), which the host releases
  ReleaseObjects, ///< block: releases such storage
  StackFull,      ///< reports that a lane's stack is full; does not return
  NoGraph,        ///< reports a call of talloc and the like outside a kernel of a graph; does not return
};

/// Function that a lane asks for, and its number of arguments.
struct RequestCall {
  HostFunction function;
  uint16_t count;
};

/// Types and sizes of a queue. A model checker has its own words and memory, and smaller sizes.
struct RequestShape {
  template <class T> using Word = T;
  template <class T> using Plain = T;
  static constexpr uint32_t kLine = 64, kSlots = kRequestSlots, kArguments = kRequestArguments, kLanes = kMaxWave;
};

template <class Shape> struct alignas(Shape::kLine) BasicRequestSlot {
  template <class T> using Word = typename Shape::template Word<T>;
  template <class T> using Plain = typename Shape::template Plain<T>;

  Word<uint64_t> posted;                       ///< number of the slot's last request
  Plain<uint64_t> lanes;                       ///< lanes that ask
  alignas(Shape::kLine) Word<uint64_t> served; ///< number of the last request that is done
  alignas(Shape::kLine) Plain<uint64_t> results[Shape::kLanes];
  Plain<uint64_t> seconds[Shape::kLanes]; ///< second results, of calls that have two
  Plain<RequestCall> calls[Shape::kLanes];
  Plain<uint64_t> arguments[Shape::kArguments][Shape::kLanes];
};

template <class Shape> struct BasicRequestQueue {
  static constexpr uint32_t kSlots = Shape::kSlots;
  BasicRequestSlot<Shape> slots[kSlots];
};

using RequestSlot = BasicRequestSlot<RequestShape>;
using RequestQueue = BasicRequestQueue<RequestShape>;

static_assert(sizeof(RequestSlot) == 128 + kMaxWave * (20 + 8 * kRequestArguments) &&
              offsetof(RequestSlot, served) == 64);

} // namespace cilk2gpu::abi

#endif // CILK2GPU_ABI_REQUESTS_H
