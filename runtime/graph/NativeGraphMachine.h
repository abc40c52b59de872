// Runs the wavefronts of a hand-written graph on this CPU. Operations have no modelled cost. The clock counts the
// nanoseconds for which the graph runs, and is updated at each turn.
//
// The schedule RoundRobin runs a wavefront until it ends or waits, and only then asks for the next dispatch. With
// Random and Adversarial, wavefronts lose their turns when they begin, when they ask for elements, and when their lanes
// are done.
//
// Thread-safety: none; one host thread.
#ifndef CILK2GPU_RUNTIME_GRAPH_NATIVEGRAPHMACHINE_H
#define CILK2GPU_RUNTIME_GRAPH_NATIVEGRAPHMACHINE_H

#include "graph/GraphMachine.h"

namespace cilk2gpu::rt {

class NativeGraphMachine : public GraphMachine {
public:
  explicit NativeGraphMachine(const GraphMachineSetup &setup) : NativeGraphMachine(setup, 1) {}

  void begin() override;
  void end() override { readClock(); }
  uint64_t timeOf(uint64_t) const override { return 0; }
  uint64_t busy() const override { return busyTime; }
  uint64_t nextTurn() override;
  Machine::Ended turn() override;
  void point(Cost cost) override;
  void beforeTalloc() override;

protected:
  /// A machine with a compute unit for each worker.
  NativeGraphMachine(const GraphMachineSetup &setup, uint32_t workers);

  /// Gives a wavefront its turn.
  virtual Machine::Ended giveTurn() { return machine.turn(); }
  /// Moves this machine's clock on, and returns its time.
  uint64_t readClock();

  const Environment &environment;

private:
  uint64_t startedAt = 0; ///< time of the environment's clock when this machine's clock was 0
  uint64_t busyTime = 0;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_GRAPH_NATIVEGRAPHMACHINE_H
