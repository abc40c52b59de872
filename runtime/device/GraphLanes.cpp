// Lanes of hand-written graphs (cilk2gpu/abi/GraphLanes.h): the body of their kernel, and the functions of
// <cilk2gpu/Graph.h> that kernels call. For AMD and NVIDIA only.
#include "device/GraphMailbox.h"
#include "device/ImageRequests.h"

using namespace cilk2gpu;
using namespace cilk2gpu::device;

extern "C" {
/// The host sets it for a run of a graph.
__attribute__((visibility("protected"))) abi::GraphLanes *__attribute__((address_space(1))) __cilk2gpu_graph_lanes =
    nullptr;

// Functions that the compiler adds to the image.
void __cilk2gpu_graph_call(void (*invoke)(void *, int, int), void *kernel, int id, int offset);
int32_t __cilk2gpu_knows(const void *function);
}

namespace {

using Lane = Global<abi::GraphLane>;

/// Returns the number of the hardware wavefront in the grid.
uint64_t wavefront() {
  uint64_t thread = uint64_t(__gpu_block_id_x()) * __gpu_num_threads_x() + __gpu_thread_id_x();
  return thread / __gpu_num_lanes();
}

/// Returns the mailbox of the calling lane. Ends the program if no graph runs.
Lane own() {
  if (!__cilk2gpu_graph_lanes) {
    requests().call(abi::HostFunction::NoGraph);
    __builtin_trap();
  }
  return toGlobal(toGlobal(__cilk2gpu_graph_lanes)->lanes) + wavefront();
}

/// Makes a request. Not inlined: a call costs nothing beside the way to the host.
[[gnu::noinline]] void *ask(Lane lane, const abi::GraphRequest &request) {
  askHost<Machine>(lane, request);
  return lane->answer.result;
}

/// Returns whether the image has the device's versions of a kernel's functions. Tells the host if it does not.
bool isKnown(Lane lane) {
  const void *functions[] = {(const void *)lane->answer.work.invoke, lane->answer.work.function};
  for (const void *function : functions)
    if (!__cilk2gpu_knows(function)) {
      ask(lane, {.call = abi::GraphCall::NoVersion, .elements = const_cast<void *>(function)});
      return false;
    }
  return true;
}

bool isOwnElement(Lane lane, int id, int offset) {
  return lane->answer.work.id == id && lane->answer.work.offset == offset;
}

} // namespace

/// The body of the kernel.
extern "C" void __cilk2gpu_device_graph(abi::GraphLanes *graph) {
  if (__gpu_lane_id() || wavefront() >= toGlobal(graph)->count)
    return;
  Lane lane = toGlobal(toGlobal(graph)->lanes) + wavefront();
  for (;;) {
    ask(lane, {.call = abi::GraphCall::Next});
    if (!lane->answer.work.invoke)
      return;
    if (isKnown(lane))
      __cilk2gpu_graph_call(lane->answer.work.invoke, lane->answer.work.kernel, lane->answer.work.id,
                            lane->answer.work.offset);
  }
}

namespace cilk2gpu {

void *talloc(int id, int count) { return ask(own(), {.call = abi::GraphCall::Talloc, .id = id, .count = count}); }
void *talloc(int id, int level, int count) {
  return ask(own(), {.call = abi::GraphCall::TallocOnLevel, .id = id, .number = level, .count = count});
}
void enq(int id, void *elements) { ask(own(), {.call = abi::GraphCall::Enq, .id = id, .elements = elements}); }
void tfree(int id, int offset) { ask(own(), {.call = abi::GraphCall::Tfree, .id = id, .number = offset}); }

// The host says what is wrong if the element is not the lane's.
void *deq(int id, int offset) {
  Lane lane = own();
  return isOwnElement(lane, id, offset) ? lane->answer.work.element
                                        : ask(lane, {.call = abi::GraphCall::Deq, .id = id, .number = offset});
}
int levelOf(int id, int offset) {
  Lane lane = own();
  if (!isOwnElement(lane, id, offset))
    ask(lane, {.call = abi::GraphCall::LevelOf, .id = id, .number = offset});
  return lane->answer.work.level;
}

} // namespace cilk2gpu
