// What tasks on a GPU ask the host's system for while they run (Orr's thesis, chapter 3): memory, output, the end of
// the process. A wavefront's lanes that ask together share a slot; a host thread that waits for the launch serves it.
//
//   slot:  | posted, lanes                   |  written by lanes, which hold the slot's lock (device memory)
//          | calls[lane], arguments[k][lane] |  likewise; lanes may ask for different things
//          | served                          |  written by the host, when it is done
//          | results[lane], seconds[lane]    |  likewise
//
// A request is there while posted != served. Each word has one writer: read-modify-writes of host and device would not
// be atomic to one another. Release and acquire at system scope: posted pairs with the host's load, served with the
// leader's.
//
// Thread-safety: see above; one host thread serves a queue.
#ifndef CILK2GPU_ABI_REQUESTS_H
#define CILK2GPU_ABI_REQUESTS_H

#include "cilk2gpu/abi/Records.h"

namespace cilk2gpu::abi {

inline constexpr uint32_t kRequestSlots = 64;     ///< more than wavefronts that usually ask at a time
inline constexpr uint32_t kRequestArguments = 16; ///< of one lane

/// The pointer in images that the host sets to the queue.
#define CILK2GPU_REQUESTS_SYMBOL "__cilk2gpu_requests"

/// Functions of the host's C library that a lane may call, by name. All take and return integers and pointers, and none
/// looks at what a lane points at: that might be in its own memory. The device runtime has a version of each; other
/// functions are called through thunks that the compiler makes.
#define CILK2GPU_HOST_FUNCTIONS(X)                                                                                     \
  X(malloc)                                                                                                            \
  X(calloc) X(realloc) X(aligned_alloc) X(free) X(putchar) X(fputc) X(fflush) X(exit) X(_exit) X(abort) X(time) X(clock)

enum class HostFunction : uint16_t {
  Endless = 1, ///< first, last, step: a cilk_for that does not end; does not return
  NoFunction,  ///< address: a call through a pointer to what has no version for GPUs; does not return
  Thunk, ///< address of a void (*)(uint64_t *words), then the words: what it leaves in the first two is the result
  Share, ///< alignment, bytes: memory, or null, for a lane's local that the host is shown
  OutOfMemory, ///< bytes: there is no memory for a task's own storage; does not return
#define CILK2GPU_HOST_FUNCTION(name) Call_##name,
  CILK2GPU_HOST_FUNCTIONS(CILK2GPU_HOST_FUNCTION)
#undef CILK2GPU_HOST_FUNCTION
      New, ///< as Thunk, of an operator new, which may be the program's: an exception means that there is no memory
  Delete,  ///< as Thunk, of an operator delete
  Objects, ///< bytes, alignment: storage for a spawn's arguments (__cilk2gpu_objects), which the host releases, too
  ReleaseObjects, ///< block
  StackFull,      ///< a lane's; does not return
};

/// What a lane asks for, with how many arguments.
struct RequestCall {
  HostFunction function;
  uint16_t count;
};

/// What a queue is made of. A model checker has words and memory of its own, and smaller sizes.
struct RequestShape {
  template <class T> using Word = T;
  template <class T> using Plain = T;
  static constexpr uint32_t kLine = 64, kSlots = kRequestSlots, kArguments = kRequestArguments, kLanes = kMaxWave;
};

template <class Shape> struct alignas(Shape::kLine) BasicRequestSlot {
  template <class T> using Word = typename Shape::template Word<T>;
  template <class T> using Plain = typename Shape::template Plain<T>;

  Word<uint64_t> posted;                       ///< number of the slot's last request
  Plain<uint64_t> lanes;                       ///< who asks
  alignas(Shape::kLine) Word<uint64_t> served; ///< number of the last request that is done
  alignas(Shape::kLine) Plain<uint64_t> results[Shape::kLanes];
  Plain<uint64_t> seconds[Shape::kLanes]; ///< of calls with two results
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
