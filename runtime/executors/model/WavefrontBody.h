// What a wavefront does in its fiber: it loads its elements, runs its kernel, and hands over what the kernel leaves. The
// kernel asks for channel space as it goes.
//
// A wavefront may lose its turn at every modelled point: at atomic operations, and at stretches of work between them.
// For all other wavefronts, the work between two points is done at once.
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

  /// Machine::Body of a Wavefront.
  static void main(void *wavefront);
  /// Machine::Pressure: the fuller the channel that the wavefront produces into, the greater.
  static uint64_t pressure(const Wavefront &wavefront);

  /// Instructions that the wavefronts have issued.
  const IssueCounts &issued() const { return issues; }
  /// Makes all writes of the machine's thread visible that came before the kernel's code that runs. Any thread.
  void synchronise() const { (void)__atomic_load_n(&kernelEntries, __ATOMIC_ACQUIRE); } // pairs with leaveToKernel()
  /// Releases its memory.
  void destroy() { laneMemory.destroy(); }

private:
  static uint64_t tallocInWave(abi::Wave *wave, uint32_t target, uint64_t wanted);

  void loadElements(Wavefront &wavefront);
  void runKernel(Wavefront &wavefront);
  /// A kernel's own code is next: pairs with synchronise() in another thread.
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
