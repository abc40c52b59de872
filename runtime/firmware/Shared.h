// Data that must have the same layout on the host and in the firmware: the data of the modelled machine, and of a
// device's scheduler. Both sides are 64-bit and little-endian, and follow the same C++ ABI. The image contains the
// checksum below. It differs if the layouts differ, or if another version of cilk2gpu made the image.
#ifndef CILK2GPU_RUNTIME_FIRMWARE_SHARED_H
#define CILK2GPU_RUNTIME_FIRMWARE_SHARED_H

#include "core/Scheduler.h"
#include "executors/model/Model.h"

// Clang and GCC know the offsets of members in every class without virtual bases.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"

namespace cilk2gpu::rt {

/// Gives a control processor and its machine access to private parts of a model and of a scheduler.
struct ControlAccess {
  static bool aggregate(Model &model) { return model.aggregator.aggregate(); }
  static void retire(Model &model, Wavefront &wavefront) { model.aggregator.retire(wavefront); }
  static void start(Model &model, Wavefront &wavefront, Context &context, uint64_t time) {
    model.start(wavefront, context, time);
  }
  static const Machine &machine(const Model &model) { return model.machine; }
  static const WavefrontBody &body(const Model &model) { return model.body; }
  static const ModelCounters &counters(const Model &model) { return model.modelTotals; }

  /// Offsets of members that both sides use, and sizes of all structures.
  static constexpr uint64_t places[] = {sizeof(Model),
                                        __builtin_offsetof(Model, arena),
                                        __builtin_offsetof(Model, machine),
                                        sizeof(ModelSettings),
                                        __builtin_offsetof(Model, levels),
                                        __builtin_offsetof(Model, restarts),
                                        sizeof(Machine),
                                        __builtin_offsetof(Model, nodes),
                                        __builtin_offsetof(Model, body),
                                        __builtin_offsetof(Model, aggregator),
                                        sizeof(ChildCounts),
                                        sizeof(WavefrontBody),
                                        sizeof(ModelAggregator),
                                        sizeof(BlockedWavefronts),
                                        sizeof(LevelMoves),
                                        sizeof(ModelReclaim),
                                        sizeof(WavefrontLaunch),
                                        __builtin_offsetof(Model, modelTotals),
                                        sizeof(Wavefront),
                                        __builtin_offsetof(Wavefront, ranges),
                                        __builtin_offsetof(Wavefront, arrays),
                                        sizeof(LevelTask),
                                        __builtin_offsetof(LevelTask, pre),
                                        __builtin_offsetof(LevelTask, active),
                                        sizeof(Environment),
                                        __builtin_offsetof(Environment, budget),
                                        sizeof(Arena),
                                        sizeof(ActiveTask),
                                        sizeof(WaveNode),
                                        sizeof(SavedWave),
                                        sizeof(ModelLevel),
                                        sizeof(LevelChannel),
                                        sizeof(ChannelBuffer),
                                        sizeof(LevelSet),
                                        sizeof(TaskInfo),
                                        sizeof(KernelInfo),
                                        sizeof(KernelCounters),
                                        sizeof(Counters),
                                        sizeof(ModelCounters),
                                        sizeof(Context),
                                        sizeof(Producer),
                                        sizeof(FramePool),
                                        sizeof(OwnedChannel),
                                        sizeof(MemoryBudget),
                                        sizeof(Failure),
                                        sizeof(Trace),
                                        sizeof(Limits),
                                        sizeof(Scheduler),
                                        __builtin_offsetof(Scheduler, arena),
                                        __builtin_offsetof(Scheduler, data),
                                        __builtin_offsetof(Scheduler, frameData),
                                        __builtin_offsetof(Scheduler, levels),
                                        __builtin_offsetof(Scheduler, random),
                                        __builtin_offsetof(Scheduler, dispatched),
                                        __builtin_offsetof(Scheduler, yieldFrames),
                                        __builtin_offsetof(Scheduler, device),
                                        __builtin_offsetof(DeviceDispatch, returns),
                                        sizeof(ElisionTrials),
                                        sizeof(Pacing),
                                        sizeof(Stealing),
                                        __builtin_offsetof(Scheduler, totals),
                                        sizeof(Level),
                                        sizeof(StealState),
                                        sizeof(TaskLevel),
                                        __builtin_offsetof(TaskLevel, active),
                                        sizeof(ActiveState),
                                        __builtin_offsetof(ActiveState, pace),
                                        sizeof(FrameChannel),
                                        sizeof(DeviceHooks),
                                        sizeof(RunningWave),
                                        sizeof(abi::FrameStore)};
};

/// Returns the FNV-1a checksum of these numbers and of the list of policies, because both sides use the numbers of
/// policies.
constexpr uint64_t sharedLayout() {
  uint64_t hash = 0xcbf29ce484222325;
  for (uint64_t place : ControlAccess::places)
    for (int byte = 0; byte < 8; ++byte)
      hash = (hash ^ (place >> (8 * byte) & 0xff)) * 0x100000001b3;
  for (const Policy &policy : kPolicies)
    for (const char *name = policy.name; *name; ++name)
      hash = (hash ^ uint64_t(*name)) * 0x100000001b3;
  return hash;
}

} // namespace cilk2gpu::rt

#pragma GCC diagnostic pop

#endif // CILK2GPU_RUNTIME_FIRMWARE_SHARED_H
