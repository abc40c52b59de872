// The scope in which the kernel of the calling thread may make plain calls in place (cilk2gpu/abi/PlainCalls.h).
#ifndef CILK2GPU_RUNTIME_PROCESS_INPLACE_H
#define CILK2GPU_RUNTIME_PROCESS_INPLACE_H

#include "core/Environment.h"

namespace cilk2gpu::rt {

class InPlaceScope {
public:
  /// A call is long from `longTicks` on (process/Ticks.h).
  explicit InPlaceScope(uint64_t longTicks);
  ~InPlaceScope();
  InPlaceScope(const InPlaceScope &) = delete;
  InPlaceCalls calls() const;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_INPLACE_H
