// Plain calls that kernels make in place: a kernel calls the serial elision of a Cilk function and goes on, instead of
// spawning the task and waiting for it.
//
//   kernel:  if (__cilk2gpu_call_in_place()) elision; else spawn the task and leave
#ifndef CILK2GPU_ABI_PLAINCALLS_H
#define CILK2GPU_ABI_PLAINCALLS_H

#include <stdint.h>

#pragma GCC visibility push(default)
extern "C" {

/// Returns 1 if the calling kernel makes its next plain call in place. Only a kernel with one lane may, while the
/// scheduler lets it (runtime/core/CallsInPlace.h).
uint32_t __cilk2gpu_call_in_place(void);
}
#pragma GCC visibility pop

#endif // CILK2GPU_ABI_PLAINCALLS_H
