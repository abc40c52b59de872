// The code of a wavefront in its fiber. It loads the elements, runs the kernel, and hands over the elements and frames
// that the kernel leaves. The kernel asks for channel space while it runs.
//
// A wavefront may lose its turn at every modelled point: at atomic operations, and after stretches of work between
// them. To the other wavefronts, the work between two points appears to happen at once.
//
//   Machine machine(arena, settings, WavefrontBody::main, WavefrontBody::pressure);
//   wavefront.body = &body;                    // before its first turn
//
// Thread-safety: one host thread, except for synchronise().
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
  /// Makes all writes visible that the machine's thread made before the running code of a kernel. Any thread may call
  /// this.
  void synchronise() const { (void)__atomic_load_n(&kernelEntries, __ATOMIC_ACQUIRE); } // pairs with leaveToKernel()
  /// Releases the memory for counting instructions.
  void destroy() { laneMemory.destroy(); }

private:
  static uint64_t tallocInWave(abi::Wave *wave, uint32_t target, uint64_t wanted);

  void loadElements(Wavefront &wavefront);
  void runKernel(Wavefront &wavefront);
  /// Called before the code of a kernel runs. Pairs with synchronise() in another thread.
  void leaveToKernel() { __atomic_store_n(&kernelEntries, kernelEntries + 1, __ATOMIC_RELEASE); }
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
  uint64_t kernelEntries = 0; ///< atomic
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_MODEL_WAVEFRONTBODY_H
