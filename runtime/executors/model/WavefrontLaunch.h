// Prepares wavefronts, and starts them in contexts of the machine. When a wavefront ends, its object is kept for
// another launch.
//
//   Wavefront &wavefront = launches.prepare(task, WaveKind::Fresh, 0, lanes, entry);
//   launches.placeElements(wavefront);      // or placeFrames(); then fill in the columns
//   launches.launch(wavefront, context);
//
// Thread-safety: one host thread. Freestanding: also compiled for a control processor (firmware/Firmware.cpp).
#ifndef CILK2GPU_RUNTIME_EXECUTORS_MODEL_WAVEFRONTLAUNCH_H
#define CILK2GPU_RUNTIME_EXECUTORS_MODEL_WAVEFRONTLAUNCH_H

#include "executors/model/ModelState.h"

namespace cilk2gpu::rt {

/// The result of an attempt to dispatch from a task's channels. A greater value is more urgent.
enum class DispatchOutcome : uint8_t {
  Nothing,    ///< no element can be dispatched until the channels change
  Waits,      ///< waits for a context, or for more elements
  Dispatched, ///< dispatched one wavefront
};

class WavefrontLaunch {
public:
  /// `body`: the code that wavefronts run.
  WavefrontLaunch(ModelState &shared, WavefrontBody &body) : shared(shared), body(body) {}
  WavefrontLaunch(const WavefrontLaunch &) = delete;

  /// Returns a wavefront of `lanes` lanes that will call `entry`, without elements and frames.
  Wavefront &prepare(LevelTask &task, WaveKind kind, uint32_t kernel, uint64_t lanes, abi::KernelFn entry);
  /// Makes columns for copies of the elements that a fresh wavefront consumes.
  void placeElements(Wavefront &wavefront) const;
  /// Makes columns of frames and sites.
  void placeFrames(Wavefront &wavefront) const;
  /// Starts a wavefront in a free context.
  void launch(Wavefront &wavefront, Context &context);
  /// Takes back a wavefront that has ended.
  void giveBack(Wavefront &wavefront);

  /// Returns the bytes of the largest Wavefront::block.
  uint64_t largestBlock() const { return mostBytes; }

private:
  Wavefront &take(const TaskInfo &info);
  void clearCursors(Wavefront &wavefront, const TaskInfo &info, uint64_t lanes) const;

  ModelState &shared;
  WavefrontBody &body;
  Wavefront *unused = nullptr;
  uint64_t mostBytes = 0;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_MODEL_WAVEFRONTLAUNCH_H
