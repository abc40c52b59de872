// The machine that runs a hand-written graph's wavefronts: contexts on fibers, whose turn comes next, and the time. The
// graph's device decides what runs (GraphDevice.h). A machine decides where and when, and what it costs.
//
//   NativeGraphMachine      this CPU: no costs, nanoseconds
//     LanesGraphMachine     this CPU: every lane on a fiber of its own (CILK2GPU_DEVICE=gpu-host)
//     ThreadedGraphMachine  this CPU: several threads, if the program asks for them
//   ModelledGraphMachine    the modelled GPU: costs in cycles
//
//   Context *context = machine.freeContext();
//   machine.occupy(*context, wavefront, time);
//   Machine::Ended over = machine.turn(); // runs one wavefront until it waits, loses its turn, or ends
//
// Thread-safety: none; one host thread, or several under a lock of the machine. No function is pure virtual and no machine is destroyed through this class,
// because the runtime is linked to C programs (executors/Executor.h).
#ifndef CILK2GPU_RUNTIME_GRAPH_GRAPHMACHINE_H
#define CILK2GPU_RUNTIME_GRAPH_GRAPHMACHINE_H

#include "graph/GraphWave.h"

namespace cilk2gpu::rt {

/// The functions of a graph's device that a machine calls.
struct GraphMachineSetup {
  const Environment &environment;
  Arena &arena; ///< memory for contexts
  MachineSettings settings;
  Machine::Body body; ///< runs a wavefront
  Machine::Pressure pressure;
  uint32_t workers; ///< threads that run kernels, at least 1; other machines than the native one take no notice of it
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

  // Contexts, as Machine has them.
  virtual Context *freeContext() { return machine.freeContext(); }
  Context *freeContext(uint32_t cu) { return machine.freeContext(cu); }
  void occupy(Context &context, GraphWave &wave, uint64_t time) { attach(context, wave, nullptr, time); }
  void attach(Context &context, GraphWave &wave, Fiber *fiber, uint64_t time) {
    machine.attach(context, reinterpret_cast<Wavefront &>(wave), fiber, time);
  }
  Context *running() const { return machine.running(); }
  uint32_t occupied() const { return machine.occupied(); }
  const MachineShape &shape() const { return machine.shape(); }
  Schedule schedule() const { return machine.schedule(); }
  uint64_t fibersCreated() const { return machine.fibersCreated(); }

  // Time. Its unit is that of the machine.
  uint64_t now() const { return machine.now(); }
  void advanceTo(uint64_t time) { machine.advanceTo(time); }
  void setDeadline(uint64_t time) { machine.setDeadline(time); }
  /// Called around a run of the graph. Time passes between these two calls only.
  virtual void begin() {}
  virtual void end() {}
  /// Returns the time that something takes which the modelled GPU does in so many cycles.
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
  /// Around the code of a kernel, and around each call of the runtime that the kernel makes: what the graph's device
  /// has is guarded between enterRuntime() and leaveRuntime(). enterRuntime() returns false, and does nothing, where the
  /// calling thread runs no kernel of this machine.
  virtual bool enterRuntime() { return false; }
  virtual void leaveRuntime() {}

  /// Returns whether the aggregator acts as long as it can, before any wavefront gets a turn.
  virtual bool prefersAggregator() const { return machine.schedule() != Schedule::RoundRobin; }

  // Turns, as Machine has them.
  virtual uint64_t nextTurn() { return machine.nextTurn(); }
  virtual Machine::Ended turn() { return machine.turn(); }
  virtual void point(Cost cost) { machine.point(cost); }

  // In a wavefront.
  /// Runs all lanes: those from 0 to below wave.lanes, which may become fewer meanwhile. Sets wave.lane.
  virtual void runLanes(GraphWave &wave, LaneBody body) {
    for (wave.lane = 0; wave.lane < wave.lanes; ++wave.lane)
      body(wave, wave.lane);
  }
  /// A kernel asks for elements: on some machines, others run before it gets them.
  virtual void beforeTalloc() {}
  /// Returns the fiber that waits if the running lane waits.
  virtual Fiber *waitingFiber() const { return machine.running()->fiber; }
  /// Returns whether a lane that waits leaves its wavefront, whose other lanes go on.
  virtual bool isLaneApart() const { return false; }
  /// Suspends waitingFiber() until attach() has given it a context. A lane that is apart leaves the context to its
  /// wavefront.
  virtual void detach() { machine.detach(); }

  /// Returns whether lanes run one after another, so that their instructions can be aligned (LaneCounts.h).
  virtual bool runsLanesInOrder() const { return true; }
  /// Returns how many wavefronts may wait for room before no more are dispatched.
  virtual uint64_t mostWaiting() const { return ~uint64_t(0); }
  /// Returns the machine whose clock atomic operations move on; null: they cost nothing.
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
