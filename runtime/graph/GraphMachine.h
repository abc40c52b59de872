// The machine that runs the wavefronts of a hand-written graph. It has contexts with fibers, a clock, and the order of
// turns. The graph's device decides which wavefronts run (GraphDevice.h). The machine decides where and when they run,
// and what their operations cost.
//
//   NativeGraphMachine      this CPU: no costs, nanoseconds
//     LanesGraphMachine     this CPU: every lane on a fiber of its own (CILK2GPU_DEVICE=gpu-host)
//       GpuGraphMachine     a GPU: the fibers serve its lanes (CILK2GPU_DEVICE=hip and cuda)
//     ThreadedGraphMachine  this CPU: several threads, if the program asks for them
//   ModelledGraphMachine    the modelled GPU: costs in cycles
//
//   Context *context = machine.freeContext();
//   machine.occupy(*context, wavefront, time);
//   Machine::Ended over = machine.turn(); // runs one wavefront until it waits, loses its turn, or ends
//
// Thread-safety: none; one host thread, or several under a lock of the machine. No function is pure virtual, and no
// machine is destroyed through this class, because the runtime is linked to C programs (executors/Executor.h).
#ifndef CILK2GPU_RUNTIME_GRAPH_GRAPHMACHINE_H
#define CILK2GPU_RUNTIME_GRAPH_GRAPHMACHINE_H

#include "graph/GraphWave.h"

namespace cilk2gpu::rt {

class GpuForGraphs;

/// The functions of a graph's device that a machine calls.
struct GraphMachineSetup {
  const Environment &environment;
  Arena &arena; ///< memory for contexts
  MachineSettings settings;
  Machine::Body body; ///< runs a wavefront
  Machine::Pressure pressure;
  uint32_t workers;  ///< threads that run kernels, at least 1; other machines than the native one take no notice of it
  GpuForGraphs *gpu; ///< null unless the device is a GPU
};

/// A graph's device, as a machine that runs it sees it.
struct GraphDriver {
  void *device;
  /// Lets the aggregator or a wavefront do something. Returns false if neither has anything to do.
  bool (*step)(void *device);
  /// Returns whether the aggregator may have something to do.
  bool (*isAwake)(void *device);
};

class GraphMachine {
public:
  using LaneBody = void (*)(GraphWave &wave, uint32_t lane);

  explicit GraphMachine(const GraphMachineSetup &setup)
      : machine(setup.arena, setup.settings, setup.body, setup.pressure) {}
  GraphMachine(const GraphMachine &) = delete;

  // Contexts. These functions are like Machine's.
  virtual Context *freeContext() { return machine.freeContext(); }
  Context *freeContext(uint32_t cu) { return machine.freeContext(cu); }
  virtual void occupy(Context &context, GraphWave &wave, uint64_t time) { attach(context, wave, nullptr, time); }
  void attach(Context &context, GraphWave &wave, Fiber *fiber, uint64_t time) {
    machine.attach(context, reinterpret_cast<Wavefront &>(wave), fiber, time);
  }
  Context *running() const { return machine.running(); }
  uint32_t occupied() const { return machine.occupied(); }
  const MachineShape &shape() const { return machine.shape(); }
  Schedule schedule() const { return machine.schedule(); }
  uint64_t fibersCreated() const { return machine.fibersCreated(); }

  // Time, in the unit of the machine.
  uint64_t now() const { return machine.now(); }
  void advanceTo(uint64_t time) { machine.advanceTo(time); }
  void setDeadline(uint64_t time) { machine.setDeadline(time); }
  /// Called around a run of the graph. Time passes only between these two calls.
  virtual void begin() {}
  virtual void end() {}
  /// Returns the time for an operation that takes `cycles` cycles on the modelled GPU.
  virtual uint64_t timeOf(uint64_t cycles) const { return cycles; }
  /// Returns the time for which wavefronts had SIMD units, or the CPU.
  virtual uint64_t busy() const { return machine.issueCycles(); }
  /// Returns the time for which the aggregator ran, on machines where it takes none that is modelled.
  virtual uint64_t acting() const { return now() - busy(); }

  // A run.
  /// Runs the graph until there is nothing left to do.
  virtual void drive(const GraphDriver &driver) {
    while (driver.step(driver.device)) {
    }
  }
  /// Called around the runtime's parts of a kernel's run: the state of the graph's device is guarded between
  /// enterRuntime() and leaveRuntime(). If the calling thread runs no kernel of this machine, enterRuntime() does
  /// nothing and returns false.
  virtual bool enterRuntime() { return false; }
  virtual void leaveRuntime() {}

  /// Returns whether the aggregator acts as long as it can, before any wavefront gets a turn.
  virtual bool prefersAggregator() const { return machine.schedule() != Schedule::RoundRobin; }

  // Turns. These functions are like Machine's.
  virtual uint64_t nextTurn() { return machine.nextTurn(); }
  virtual Machine::Ended turn() { return machine.turn(); }
  virtual void point(Cost cost) { machine.point(cost); }

  // Functions that are called in a wavefront.
  /// Runs all lanes from 0 to wave.lanes - 1, and sets wave.lane. wave.lanes may become smaller while lanes run.
  virtual void runLanes(GraphWave &wave, LaneBody body) {
    for (wave.lane = 0; wave.lane < wave.lanes; ++wave.lane)
      body(wave, wave.lane);
  }
  /// Called when a kernel asks for elements. On some machines, other wavefronts or lanes run before it gets them.
  virtual void beforeTalloc() {}
  /// Returns the fiber that is suspended if the running lane waits.
  virtual Fiber *waitingFiber() const { return machine.running()->fiber; }
  /// Returns whether a lane that waits leaves its wavefront, so that the other lanes go on.
  virtual bool isLaneApart() const { return false; }
  /// Suspends waitingFiber() until attach() has given it a context. If isLaneApart(), the lane leaves the context to
  /// its wavefront.
  virtual void detach() { machine.detach(); }

  /// Returns whether lanes run one after another, so that their instructions can be aligned (LaneCounts.h).
  virtual bool runsLanesInOrder() const { return true; }
  /// Calls a node's kernel for the element of the running lane.
  virtual void call(GraphNode &node, int id, int offset) {
    leaveRuntime();
    node.invoke(node.kernel, id, offset);
    enterRuntime();
  }
  /// Returns whether the functions of kernels may be called now. On a GPU, the host also calls functions that are not
  /// kernels for a lane.
  virtual bool isInKernel() const { return true; }
  /// Returns how many more lanes may be dispatched.
  virtual uint64_t laneRoom() { return ~uint64_t(0); }
  /// Returns the number of waiting wavefronts at which dispatching stops.
  virtual uint64_t mostWaiting() const { return ~uint64_t(0); }
  /// Returns the machine whose clock atomic operations advance; null: they cost no time.
  virtual Machine *model() { return nullptr; }

  void destroy() { machine.destroy(); }

protected:
  Machine machine;
};

/// A call of the runtime by a kernel, or by the host.
class InRuntime {
public:
  explicit InRuntime(GraphMachine &machine) : machine(machine), isEntered(machine.enterRuntime()) {}
  ~InRuntime() {
    if (isEntered)
      machine.leaveRuntime();
  }
  InRuntime(const InRuntime &) = delete;

private:
  GraphMachine &machine;
  const bool isEntered;
};

class ModelledGraphMachine final : public GraphMachine {
public:
  using GraphMachine::GraphMachine;
  Machine *model() override { return &machine; }
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_GRAPH_GRAPHMACHINE_H
