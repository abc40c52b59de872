// The choices of CILK2GPU_SCHEDULE and CILK2GPU_PROGRESS: the order in which a machine's wavefronts get their turns.
#ifndef CILK2GPU_RUNTIME_PROCESS_SCHEDULES_H
#define CILK2GPU_RUNTIME_PROCESS_SCHEDULES_H

#include <stdint.h>

namespace cilk2gpu::rt {

/// Choice of the next turn: the modelled machine chooses a wavefront (executors/model/Machine.h), the native device an
/// element (TaskOrder in core/Environment.h).
enum class Schedule : uint8_t { RoundRobin, Random, Adversarial };

/// The dispatched wavefronts that are guaranteed to go on.
enum class ProgressModel : uint8_t {
  Fair,      ///< all of them
  Occupancy, ///< the wavefronts that have started, one for each SIMD unit; the next one starts when one of these ends
             ///< or gives up its context
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_SCHEDULES_H
