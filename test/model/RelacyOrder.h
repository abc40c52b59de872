// Memory orders of GCC's builtins as Relacy's.
#ifndef CILK2GPU_TEST_MODEL_RELACYORDER_H
#define CILK2GPU_TEST_MODEL_RELACYORDER_H

#include <relacy/relacy.hpp>

namespace model {

constexpr rl::memory_order orderOf(int order) {
  switch (order) {
  case __ATOMIC_RELAXED:
    return rl::mo_relaxed;
  case __ATOMIC_ACQUIRE:
    return rl::mo_acquire;
  case __ATOMIC_RELEASE:
    return rl::mo_release;
  case __ATOMIC_ACQ_REL:
    return rl::mo_acq_rel;
  }
  return rl::mo_seq_cst;
}

} // namespace model

#endif // CILK2GPU_TEST_MODEL_RELACYORDER_H
