// The atomics policy of shared channels in the modelled machine: each read-modify-write is a modelled point, where the
// wavefront may lose its turn. So a CAS fails for the same reason as on a GPU: another wavefront wrote the word between
// the load and the CAS.
//
// The operations of the aggregator are not modelled points. The aggregator is one in-order processor, and the model has
// a cost for each of its actions as a whole.
//
// Thread-safety: none needed; one host thread runs the machine.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODELLEDATOMICS_H
#define CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODELLEDATOMICS_H

#include "core/Atomics.h"

namespace cilk2gpu::rt {

class Machine;

/// Tells the machine that the running wavefront does an atomic operation now. Does nothing if no wavefront runs.
void modelledAtomic();

/// Makes the atomic operations of wavefronts points of `machine`; null: of no machine. Returns the machine that was set
/// before, because a task on a machine may run another machine.
Machine *enterMachine(Machine *machine);

struct ModelledAtomics {
  static constexpr unsigned kLine = 8; ///< one host thread, so there is no false sharing
  template <class T> struct Cell {
    T value;
  };
  template <class T> static T load(const Cell<T> &cell, Order) { return cell.value; }
  template <class T> static void store(Cell<T> &cell, T value, Order) { cell.value = value; }
  template <class T> static bool compareExchange(Cell<T> &cell, T &expected, T desired, Order) {
    modelledAtomic();
    if (cell.value == expected) {
      cell.value = desired;
      return true;
    }
    expected = cell.value;
    return false;
  }
  template <class T> static void add(Cell<T> &cell, T value, Order) {
    modelledAtomic();
    cell.value += value;
  }
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODELLEDATOMICS_H
