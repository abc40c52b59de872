// Runs the wavefronts of a hand-written graph on this CPU as GPUs with independent thread scheduling may run them: each
// lane is a fiber. Lanes begin in any order. When a lane asks for elements, it may lose its turn to another lane. The
// seed decides which lane is next.
//
// A lane that waits for room leaves its wavefront, and goes on later in a wavefront of its own. The other lanes go on
// at once:
//
//   wavefront   lane 0   lane 1        lane 2            end
//                        waits for room ........ goes on, end
//
// executors/gpu-host/HostLanes.h runs the lanes of compiled kernels. Those lanes save themselves instead of waiting, so
// a wavefront always runs to its end.
//
// Thread-safety: none; one host thread.
#ifndef CILK2GPU_RUNTIME_GRAPH_LANESGRAPHMACHINE_H
#define CILK2GPU_RUNTIME_GRAPH_LANESGRAPHMACHINE_H

#include "graph/NativeGraphMachine.h"

namespace cilk2gpu::rt {

class LanesGraphMachine : public NativeGraphMachine {
public:
  explicit LanesGraphMachine(const GraphMachineSetup &setup)
      : NativeGraphMachine(setup), random(setup.settings.seed), stackBytes(setup.settings.stackBytes) {}

  void runLanes(GraphWave &wave, LaneBody body) override;
  void beforeTalloc() override;
  Fiber *waitingFiber() const override { return lane ? lane->fiber : GraphMachine::waitingFiber(); }
  bool isLaneApart() const override { return lane != nullptr; }
  void detach() override;
  bool runsLanesInOrder() const override { return false; }
  uint64_t mostWaiting() const override;
  /// Called by a wavefront after each turn of a lane.
  virtual void betweenLanes() {}

private:
  /// A lane whose wavefront runs. The object is on the stack of the wavefront.
  struct Lane {
    LaneBody body;
    GraphWave *wave;
    uint32_t number;
    Fiber *fiber; ///< null until the lane begins
    bool hasLeft; ///< the lane waits in a wavefront of its own, and this object is not used any more
  };

  static void laneMain(void *lane);
  bool enter(Lane &entered);

  Generator random;
  const uint64_t stackBytes;
  Lane *lane = nullptr; ///< the lane that runs in its wavefront; null: none, or the running lane has left its wavefront
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_GRAPH_LANESGRAPHMACHINE_H
