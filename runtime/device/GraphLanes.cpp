// Lanes of hand-written graphs (cilk2gpu/abi/GraphLanes.h): the body of their kernel, and the functions of
// <cilk2gpu/Graph.h> that kernels call. For AMD and NVIDIA only.
#include "cilk2gpu/abi/GraphLanes.h"
#include "core/Tunables.h"
#include "device/DeviceMachine.h"
#include "device/ImageRequests.h"

using namespace cilk2gpu;
using namespace cilk2gpu::device;

extern "C" {
/// The host sets it for a run of a graph.
__attribute__((visibility("protected"))) abi::GraphLanes *__attribute__((address_space(1))) __cilk2gpu_graph_lanes =
    nullptr;

// Functions that the compiler adds to the image.
void __cilk2gpu_graph_call(void (*invoke)(void *, int, int), void *kernel, int id, int offset);
int32_t __cilk2gpu_graph_knows(const void *function);
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

/// Makes a request, and waits for the answer. Not inlined: a call costs nothing beside the way to the host.
[[gnu::noinline]] void *ask(Lane lane, abi::GraphCall call, int id = 0, int number = 0, int count = 0,
                            void *elements = nullptr) {
  lane->call = call;
  lane->id = id;
  lane->number = number;
  lane->count = count;
  lane->elements = elements;
  uint64_t request = lane->asked + 1;
  Machine::WithHost::store<__ATOMIC_RELEASE>(&lane->asked, request); // pairs with the host's load
  for (uint32_t pauses = 1; Machine::WithHost::load<__ATOMIC_ACQUIRE>(&lane->answered) != request;) { // with its store
    for (uint32_t i = 0; i < pauses; ++i)
      pause();
    pauses = pauses < rt::tunables::kMostGraphPauses ? 2 * pauses : pauses;
  }
  return lane->result;
}

/// Returns whether the image has the device's versions of a kernel's functions. Tells the host if it does not.
bool isKnown(Lane lane) {
  const void *functions[] = {(const void *)lane->work.invoke, lane->work.function};
  for (const void *function : functions)
    if (!__cilk2gpu_graph_knows(function)) {
      ask(lane, abi::GraphCall::NoVersion, lane->work.id, 0, 0, const_cast<void *>(function));
      return false;
    }
  return true;
}

bool isOwnElement(Lane lane, int id, int offset) { return lane->work.id == id && lane->work.offset == offset; }

} // namespace

/// The body of the kernel.
extern "C" void __cilk2gpu_device_graph(abi::GraphLanes *graph) {
  if (__gpu_lane_id() || wavefront() >= toGlobal(graph)->count)
    return;
  Lane lane = toGlobal(toGlobal(graph)->lanes) + wavefront();
  for (;;) {
    ask(lane, abi::GraphCall::Next);
    if (!lane->work.invoke)
      return;
    if (isKnown(lane))
      __cilk2gpu_graph_call(lane->work.invoke, lane->work.kernel, lane->work.id, lane->work.offset);
  }
}

namespace cilk2gpu {

void *talloc(int id, int count) { return ask(own(), abi::GraphCall::Talloc, id, 0, count); }
void *talloc(int id, int level, int count) { return ask(own(), abi::GraphCall::TallocOnLevel, id, level, count); }
void enq(int id, void *elements) { ask(own(), abi::GraphCall::Enq, id, 0, 0, elements); }
void tfree(int id, int offset) { ask(own(), abi::GraphCall::Tfree, id, offset); }

// The host says what is wrong if the element is not the lane's.
void *deq(int id, int offset) {
  Lane lane = own();
  return isOwnElement(lane, id, offset) ? lane->work.element : ask(lane, abi::GraphCall::Deq, id, offset);
}
int levelOf(int id, int offset) {
  Lane lane = own();
  if (!isOwnElement(lane, id, offset))
    ask(lane, abi::GraphCall::LevelOf, id, offset);
  return lane->work.level;
}

} // namespace cilk2gpu
