// A wavefront of the modelled machine: the data that its kernel sees (abi::Wave and the cursors in it), and further
// data of the model. While the wavefront runs, all data belong to it alone, because other wavefronts run between its
// points:
//
// - Consumed elements are copied in when it starts, as lanes load them into registers.
// - Frames are granted to it as a whole.
// - Post-sync elements and restarts are handed over when it ends.
//
// Thread-safety: one host thread. When a wavefront ends, its object is kept for another wavefront.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_MODEL_WAVEFRONT_H
#define CILK2GPU_RUNTIME_EXECUTORS_MODEL_WAVEFRONT_H

#include "executors/model/LaneCounts.h"
#include "executors/model/Machine.h"
#include "executors/model/ModelLevels.h"

namespace cilk2gpu::rt {

class WavefrontBody;

enum class WaveKind : uint8_t { Fresh, PostSync, Restart };

/// The wavefront's end of a channel one level deeper. Elements [start, cursor.next) are filled and not published.
struct Producer {
  abi::Cursor cursor; ///< the part that the kernel sees; the first member
  Reservation granted;
  uint64_t start;
};

class Wavefront : public RunningWave {
public:
  WavefrontBody *body;
  Wavefront *nextFree;
  LevelTask *task;
  abi::KernelFn entry;
  WaveKind kind;
  uint32_t cu;
  WaveNode *node;
  LevelTask *restartOf;    ///< for a restart: the task whose channel was full
  LevelTask *blockedOn;    ///< the task whose channel was full when a lane last asked for room
  LevelTask *producesInto; ///< the task in whose channel it reserves elements, or last did
  CasCounts cas;
  LaneTree executed;

  DispatchedRange ranges[abi::kMaxWave];
  uint32_t numRanges;
  HostWave::PerLane<uint64_t> slots;
  WaveNode *parents[abi::kMaxWave];

  abi::Cursor restarts;
  void *restartColumns[2];
  void *frames[abi::kMaxWave];
  uint32_t sites[abi::kMaxWave];
  abi::FrameStore store;
  void *freeFrames[abi::kMaxWave];
  uint64_t framesGranted;

  /// The arrays for the task that the wavefront runs, in one block.
  struct Arrays {
    void **columns;                    ///< [fields, at least 2] of `staging`
    char *staging;                     ///< consumed elements, a structure of arrays of wave size
    Producer *producers;               ///< [numTargets]
    abi::Cursor **spawns;              ///< [numTargets]
    abi::Cursor *syncCursors, **syncs; ///< [numKernels]
    void **syncColumns;                ///< [numKernels]
    void **syncFrames;                 ///< [numKernels x wave]
  } arrays;
  char *block;
  uint64_t blockBytes;

  /// Returns the bytes of the block that a task needs. If `base` is not null, fills in `arrays` for a block at `base`.
  static uint64_t place(const TaskInfo &task, uint32_t wave, char *base, Arrays *arrays);
  static constexpr uint64_t kBlockAlign = 64;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_MODEL_WAVEFRONT_H
