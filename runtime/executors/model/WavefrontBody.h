// The code of a wavefront in its fiber. It loads the elements, runs the kernel, and hands over the elements and frames
// that the kernel leaves. The kernel asks for channel space while it runs.
//
// A wavefront may lose its turn at every modelled point: at atomic operations, and after stretches of work between
// them. To the other wavefronts, the work between two points appears to happen at once.
//
//   Machine machine(arena, settings, WavefrontBody::main, WavefrontBody::pressure);
//   wavefront.body = &body;                    // before its first turn
//
// Thread-safety: one host thread, except for hold() and letGo().
#ifndef CILK2GPU_RUNTIME_EXECUTORS_MODEL_WAVEFRONTBODY_H
#define CILK2GPU_RUNTIME_EXECUTORS_MODEL_WAVEFRONTBODY_H

#include "executors/model/ChildCounts.h"

namespace cilk2gpu::rt {

class WavefrontBody {
public:
  WavefrontBody(ModelState &shared, ChildCounts &nodes);
  WavefrontBody(const WavefrontBody &) = delete;

  /// The Machine::Body of wavefronts.
  static void main(void *wavefront);
  /// The Machine::Pressure of wavefronts: greater if the channel that the wavefront produces into is fuller.
  static uint64_t pressure(const Wavefront &wavefront);

  /// Returns the instructions that the wavefronts have issued.
  const IssueCounts &issued() const { return issues; }
  /// Returns whether the machine's thread runs the code of a kernel, which does not change the machine's data. Then
  /// this thread sees that data, and the machine's thread waits at the end of the kernel until letGo(). One other
  /// thread at a time may call this.
  bool hold();
  void letGo() { __atomic_store_n(&isHeld, false, __ATOMIC_RELEASE); }
  /// Releases the memory for counting instructions.
  void destroy() { laneMemory.destroy(); }

private:
  static uint64_t tallocInWave(abi::Wave *wave, uint32_t target, uint64_t wanted);

  void loadElements(Wavefront &wavefront);
  void runKernel(Wavefront &wavefront);
  /// Called before and after the code of a kernel runs. Either this thread sees hold(), or hold() sees that no kernel
  /// runs: both sides write first and then read, in sequentially consistent order.
  void enterKernel() { __atomic_store_n(&isInKernel, true, __ATOMIC_SEQ_CST); }
  void leaveKernel();
  uint64_t reservationSize(const Wavefront &wavefront, const LevelTask &target);
  Reservation reserve(Wavefront &wavefront, LevelTask &target);
  bool talloc(Wavefront &wavefront, uint32_t target);
  void publish(Wavefront &wavefront, Producer &producer, LevelTask &target);
  void finish(Wavefront &wavefront);
  uint32_t handOverPosts(Wavefront &wavefront);
  void saveYielded(Wavefront &wavefront);
  void freeConsumed(Wavefront &wavefront);
  void returnFrames(Wavefront &wavefront);
  void countDivergence(Wavefront &wavefront, uint64_t continued);

  ModelState &shared;
  ChildCounts &nodes;
  LaneMemory laneMemory;
  IssueCounts issues;
  uint64_t framesInUse = 0;
  bool isInKernel = false, isHeld = false; ///< atomic
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_MODEL_WAVEFRONTBODY_H
