// The atomics policy of shared channels in the modelled machine: each read-modify-write is a modelled point, at which
// the wavefront that makes it may lose its turn. A CAS therefore fails here for the reason for which it fails on a GPU:
// another wavefront was faster between this one's load and its CAS.
//
// Thread-safety: none needed; one host thread runs the machine. The aggregator's operations are not points: it is one
// in-order processor, whose costs are counted for whole actions.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODELLEDATOMICS_H
#define CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODELLEDATOMICS_H

#include "core/Atomics.h"

namespace cilk2gpu::rt {

/// Tells the machine that the wavefront which runs, if one does, does an atomic operation now.
void modelledAtomic();

struct ModelledAtomics {
  static constexpr unsigned kLine = 8; ///< one host thread: nobody else has a line
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
