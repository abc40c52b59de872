// Questions to registries: constant tables with a row for each implementation of an interface.
#ifndef CILK2GPU_RUNTIME_PROCESS_REGISTRY_H
#define CILK2GPU_RUNTIME_PROCESS_REGISTRY_H

#include <stdint.h>

namespace cilk2gpu::rt {

/// Returns the greatest value of a column: bytes, or alignment, that is enough for any implementation.
template <class Row, uint64_t N> constexpr uint64_t mostOf(const Row (&rows)[N], uint64_t Row::*column) {
  uint64_t most = 0;
  for (const Row &row : rows)
    most = row.*column > most ? row.*column : most;
  return most;
}

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_REGISTRY_H
