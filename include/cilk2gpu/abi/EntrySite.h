// The record beside an ordinary entry of a Cilk function. It says whether calls from ordinary code go straight to the
// serial elision, because sampled calls took so little time that a run of the graph would take more.
//
//   entry:   if (__cilk2gpu_inside_tasks) elision
//            else if ((site.open & __cilk2gpu_direct_calls) > 0) { --__cilk2gpu_direct_calls; elision }
//            else token = __cilk2gpu_enter(&site);
//                 if (token & kEntersElision) elision; else the graph
//                 if (token > kEntersElision) __cilk2gpu_left(&site, token);
//
// Thread-safety: host threads share a record. All accesses are relaxed, because the record holds only estimates.
#ifndef CILK2GPU_ABI_ENTRYSITE_H
#define CILK2GPU_ABI_ENTRYSITE_H

#include <stddef.h>
#include <stdint.h>

namespace cilk2gpu::abi {

/// Zeros, except `isRecursive`, until the runtime writes it.
struct EntrySite {
  int32_t open;         ///< 0, or INT32_MAX: calls go straight to the elision
  uint32_t isRecursive; ///< the elision may call itself, so its depth is not known
  uint32_t needed;      ///< short runs after which elisions are tried; 0: not known yet
  uint32_t shortRuns;   ///< short runs since the last long one
  uint32_t trial;       ///< elisions that are still to be timed before the site stays open
  uint32_t samples;     ///< timed elisions since the site opened
  uint64_t run;         ///< ticks that a short run takes
  uint64_t elided;      ///< ticks that an elision takes
  uint64_t reserved[2];
};

static_assert(sizeof(EntrySite) == 56 && offsetof(EntrySite, isRecursive) == 4);

/// Bits of a token: the call runs the elision; the call is timed.
inline constexpr uint64_t kEntersElision = 1, kIsTimed = 2;

} // namespace cilk2gpu::abi

// The runtime is compiled with hidden visibility. Functions that compiled programs call are not hidden.
#pragma GCC visibility push(default)
extern "C" {

/// Number of calls of the thread that may still go straight to the elision before one is timed.
extern constinit thread_local int32_t __cilk2gpu_direct_calls;

/// Number of scopes around the calling code in which the thread runs tasks. A call inside a task is the elision.
extern constinit thread_local uint32_t __cilk2gpu_inside_tasks;

/// Decides how a call runs. Returns a token.
uint64_t __cilk2gpu_enter(cilk2gpu::abi::EntrySite *site);

/// Ends a call.
void __cilk2gpu_left(cilk2gpu::abi::EntrySite *site, uint64_t token);

/// Calls the elision of a recursive function: elision(arguments). In a thread with open sites, it runs on a stack of
/// the thread's own that may become as large as the stack of a worker's elisions.
void __cilk2gpu_call_elision(void (*elision)(void *arguments), void *arguments);
}
#pragma GCC visibility pop

#endif // CILK2GPU_ABI_ENTRYSITE_H
