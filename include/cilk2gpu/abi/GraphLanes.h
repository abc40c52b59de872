// Lanes of a hand-written graph (cilk2gpu/Graph.h) on a GPU. The host decides what runs. One kernel stays resident for
// a run of the graph. Each of its lanes has a mailbox, asks the host for an element, and calls the element's kernel.
// The kernel's calls of talloc, enq and tfree are requests to the host.
//
//   mailbox:  | asked, request    |  written by the lane
//             | answered, answer  |  written by the host
//
// A mailbox has a request while asked != answered. The host may answer late: a lane whose talloc finds no room waits on
// the device. Each word has one writer, because read-modify-writes of host and device are not atomic to one another.
// Release and acquire are at system scope. `asked` pairs with the host's load, `answered` with the lane's.
//
// Thread-safety: as above; a single host thread answers.
#ifndef CILK2GPU_ABI_GRAPHLANES_H
#define CILK2GPU_ABI_GRAPHLANES_H

#include "cilk2gpu/abi/Records.h"

namespace cilk2gpu::abi {

/// Symbol, in images, of the kernel. Its entry takes one parameter, a pointer to the GraphLanes. It serves any
/// one-dimensional grid of blocks of whole wavefronts. The first lane of each hardware wavefront is a lane of the
/// graph; the other lanes end at once. A lane that waits therefore holds up no other lane.
inline constexpr char kGraphKernel[] = "__cilk2gpu_graph_kernel";

/// Symbol, in images, of the pointer to the GraphLanes. The host sets it for a run of a graph. It is null between runs.
#define CILK2GPU_GRAPH_LANES_SYMBOL "__cilk2gpu_graph_lanes"

enum class GraphCall : uint32_t {
  Next = 1,      ///< the lane's call of a kernel has ended, or it has had none: asks for the next element
  Talloc,        ///< id, count
  TallocOnLevel, ///< id, number: the level, count
  Enq,           ///< id, elements
  Tfree,         ///< id, number: the offset
  Deq,           ///< id, number: an offset that is not the lane's
  LevelOf,       ///< id, number: an offset that is not the lane's
  NoVersion,     ///< elements: the host's address of a function that the image has no version of
};

/// A call of a kernel for one element. Pointers to functions are the host's.
struct GraphWork {
  void (*invoke)(void *kernel, int id, int offset); ///< null: the run has ended
  void *kernel;
  const void *function; ///< the kernel's function, which `invoke` calls
  void *element;
  int32_t id, offset, level;
};

struct GraphRequest {
  GraphCall call;
  int32_t id = 0, number = 0, count = 0;
  void *elements = nullptr;
};

struct GraphAnswer {
  void *result;
  GraphWork work; ///< after Next; later answers repeat it
};

/// Types of a mailbox. A model checker has its own words and memory.
struct GraphShape {
  template <class T> using Word = T;
  template <class T> using Plain = T;
  static constexpr uint32_t kLine = 64;
};

template <class Shape> struct alignas(Shape::kLine) BasicGraphLane {
  template <class T> using Word = typename Shape::template Word<T>;
  template <class T> using Plain = typename Shape::template Plain<T>;

  Word<uint64_t> asked; ///< number of the lane's last request
  Plain<GraphRequest> request;
  alignas(Shape::kLine) Word<uint64_t> answered; ///< number of the last request that is done
  Plain<GraphAnswer> answer;
};

using GraphLane = BasicGraphLane<GraphShape>;

struct alignas(64) GraphLanes {
  uint64_t count;
  GraphLane *lanes;
};

static_assert(sizeof(GraphWork) == 48 && sizeof(GraphLane) == 128 && offsetof(GraphLane, answered) == 64);

} // namespace cilk2gpu::abi

#endif // CILK2GPU_ABI_GRAPHLANES_H
