// The aggregator's table of blocked wavefronts. A wavefront is blocked if it found a channel full and gave up its
// context. It is restarted, on the same CU, when there is room in that channel.
//
//   blocked.take();         // an action of the aggregator: enters a wavefront that yielded
//   blocked.restart(task);  // another action: restarts a wavefront of that task
//
// Thread-safety: one host thread. Freestanding: also compiled for a control processor (firmware/Firmware.cpp).
#ifndef CILK2GPU_RUNTIME_EXECUTORS_MODEL_BLOCKEDWAVEFRONTS_H
#define CILK2GPU_RUNTIME_EXECUTORS_MODEL_BLOCKEDWAVEFRONTS_H

#include "executors/model/LevelMoves.h"
#include "executors/model/WavefrontLaunch.h"

namespace cilk2gpu::rt {

class BlockedWavefronts {
public:
  BlockedWavefronts(ModelState &shared, LevelMoves &moves, WavefrontLaunch &launches)
      : shared(shared), moves(moves), launches(launches) {}
  BlockedWavefronts(const BlockedWavefronts &) = delete;

  /// Enters the oldest wavefront of the restart channel in the table. Returns false if that channel is empty.
  bool take();
  /// Restarts the first blocked wavefront of a task at a level that finds room and a context.
  DispatchOutcome restart(LevelTask &task);

private:
  bool hasRoom(const SavedWave &saved);
  void restart(SavedWave &saved, Context &context);

  ModelState &shared;
  LevelMoves &moves;
  WavefrontLaunch &launches;
  uint64_t size = 0; ///< wavefronts in the table
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_MODEL_BLOCKEDWAVEFRONTS_H
