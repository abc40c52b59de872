// Finds the first step after which a run differs. Pure function.
#ifndef CILK2GPU_RUNTIME_CHECK_BISECTION_H
#define CILK2GPU_RUNTIME_CHECK_BISECTION_H

#include <stdint.h>

namespace cilk2gpu::rt {

/// Returns a number of steps with which a run differs, while it does not differ with one step less. `differs(n)` runs
/// with n steps. It is known to be false for `same` and true for `different`, and `same` is less. Where differs()
/// changes more than once, the result is one of the changes. Calls differs() about log2(different - same) times.
template <typename Differs> uint64_t firstDifferent(uint64_t same, uint64_t different, Differs differs) {
  while (different - same > 1) {
    uint64_t middle = same + (different - same) / 2;
    if (differs(middle))
      different = middle;
    else
      same = middle;
  }
  return different;
}

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CHECK_BISECTION_H
