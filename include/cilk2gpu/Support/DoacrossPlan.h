// Names of the functions of the runtime that plan a doacross nest (cilk2gpu/abi/Records.h).
#ifndef CILK2GPU_SUPPORT_DOACROSSPLAN_H
#define CILK2GPU_SUPPORT_DOACROSSPLAN_H

#include "cilk2gpu/abi/Records.h"

namespace cilk2gpu {

/// How the names of the functions of the runtime begin that plan a doacross nest, and the function that begins a plan.
inline constexpr const char kDoacrossPrefix[] = "__cilk2gpu_doacross_";
inline constexpr const char kDoacrossPlan[] = "__cilk2gpu_doacross_plan";

/// What these functions return in serial elisions, where a nest is one tile: an operand, or a constant.
struct DoacrossResult {
  const char *function;
  int operand; ///< -1: a constant
  uint64_t constant;
};
inline constexpr DoacrossResult kDoacrossInElisions[] = {{kDoacrossPlan, -1, abi::kDoacrossWhole},
                                                         {"__cilk2gpu_doacross_rows", 2, 0},
                                                         {"__cilk2gpu_doacross_clock", -1, 0},
                                                         {"__cilk2gpu_doacross_next", 0, 0},
                                                         {"__cilk2gpu_doacross_size", 1, 0}};

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_DOACROSSPLAN_H
