// See GpuGraphMachine.h.
#include "graph/GpuGraphMachine.h"
#include "process/Message.h"

#include <dlfcn.h>

namespace cilk2gpu::rt {

GpuGraphMachine::GpuGraphMachine(const GraphMachineSetup &setup) : LanesGraphMachine(setup), gpu(*setup.gpu) {}

void GpuGraphMachine::begin() {
  LanesGraphMachine::begin();
  gpu.begin();
}

void GpuGraphMachine::end() {
  gpu.end();
  LanesGraphMachine::end();
}

void GpuGraphMachine::occupy(Context &context, GraphWave &wave, uint64_t time) {
  underWay += wave.lanes;
  LanesGraphMachine::occupy(context, wave, time);
}

uint64_t GpuGraphMachine::laneRoom() { return gpu.kernel.numCome() - underWay; }

/// Lets other wavefronts and the aggregator act. If no lane has asked for anything, looks after the GPU.
void GpuGraphMachine::betweenLanes() {
  if (turnsInVain >= underWay) {
    turnsInVain = 0;
    isAttending = true;
    bool isRunning = gpu.kernel.attend();
    isAttending = false;
    if (!isRunning)
      internalError("the kernel of a graph ended on the GPU before the run did");
  }
  machine.point({0, 0});
}

/// Waits for the lane's request.
void GpuGraphMachine::passTurn() {
  ++turnsInVain;
  if (isLaneApart())
    LanesGraphMachine::beforeTalloc(); // other lanes of the wavefront
  else
    betweenLanes();
}

[[noreturn]] static void failVersion(const GraphNode &node, const device::Gpu &gpu) {
  Dl_info info = {};
  bool isNamed = dladdr(node.function, &info) && info.dli_sname;
  fatal(
      "the kernel of channel %d%s%s%s cannot run on %s: no image has a version of it; compile its file with cilk2gpu++ "
      "--offload-arch=%s, without what a GPU cannot do (docs/gpu.md), or use CILK2GPU_DEVICE=native",
      node.id, isNamed ? " (" : "", isNamed ? info.dli_sname : "", isNamed ? ")" : "", gpu.facts().name,
      gpu.imageArch());
}

/// Makes a call for a kernel. The wavefront of the calling fiber is the kernel's.
void *GpuGraphMachine::serve(const abi::GraphRequest &request, const GraphNode &node) {
  switch (request.call) {
  case abi::GraphCall::Talloc:
    return talloc(request.id, request.count);
  case abi::GraphCall::TallocOnLevel:
    return talloc(request.id, request.number, request.count);
  case abi::GraphCall::Enq:
    enq(request.id, request.elements);
    return nullptr;
  case abi::GraphCall::Tfree:
    tfree(request.id, request.number);
    return nullptr;
  case abi::GraphCall::Deq:
    return deq(request.id, request.number);
  case abi::GraphCall::LevelOf:
    levelOf(request.id, request.number);
    return nullptr;
  case abi::GraphCall::NoVersion:
    failVersion(node, gpu.kernel.device());
  case abi::GraphCall::Next:
    break;
  }
  internalError("a lane of a graph on the GPU asks for call %u, which there is not", unsigned(request.call));
}

void GpuGraphMachine::call(GraphNode &node, int id, int offset) {
  uint32_t own = gpu.kernel.take();
  gpu.kernel.assign(own, {.invoke = node.invoke,
                          .kernel = node.kernel,
                          .function = node.function,
                          .element = deq(id, offset),
                          .id = id,
                          .offset = offset,
                          .level = levelOf(id, offset)});
  const abi::GraphRequest &request = gpu.kernel.request(own);
  for (;;) {
    while (!gpu.kernel.hasAsked(own))
      passTurn();
    turnsInVain = 0;
    if (request.call == abi::GraphCall::Next)
      break;
    gpu.kernel.answer(own, serve(request, node));
  }
  gpu.kernel.give(own);
  --underWay;
}

} // namespace cilk2gpu::rt
