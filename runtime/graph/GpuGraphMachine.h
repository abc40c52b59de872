// Runs kernels of a hand-written graph on a GPU. A wavefront's lanes are fibers on the host, as LanesGraphMachine has
// them. The fiber of a lane hands its element to a lane of the GPU (executors/gpu/GraphLaunch.h). It makes the calls of
// talloc, enq and tfree that the kernel asks for, until the kernel has ended:
//
//   host     lane's fiber:  assign ......... talloc, waits for room .... answer ...... end
//   GPU      GPU's lane:    runs the kernel, waits for the answer ............ goes on
//
// So everything that is decided, and each message, is the same as on the host. Other lanes, and other wavefronts, run
// meanwhile. There are never more lanes under way than lanes of the GPU have come.
//
// Thread-safety: none; one host thread.
#ifndef CILK2GPU_RUNTIME_GRAPH_GPUGRAPHMACHINE_H
#define CILK2GPU_RUNTIME_GRAPH_GPUGRAPHMACHINE_H

#include "graph/GpuForGraphs.h"
#include "graph/LanesGraphMachine.h"

namespace cilk2gpu::rt {

class GpuGraphMachine final : public LanesGraphMachine {
public:
  explicit GpuGraphMachine(const GraphMachineSetup &setup);

  void begin() override;
  void end() override;
  uint64_t nextTurn() override { return machine.nextTurn(); }
  void occupy(Context &context, GraphWave &wave, uint64_t time) override;
  void betweenLanes() override;
  bool isInKernel() const override { return !isAttending; }
  uint64_t laneRoom() override;
  void call(GraphNode &node, int id, int offset) override;

private:
  void passTurn();
  void *serve(const abi::GraphRequest &request, const GraphNode &node);

  GpuForGraphs &gpu;
  uint64_t underWay = 0;    ///< lanes that were dispatched and have not ended
  bool isAttending = false; ///< the host calls functions that are not kernels
  uint64_t turnsInVain = 0; ///< of lanes that found no request, since the last request
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_GRAPH_GPUGRAPHMACHINE_H
