// What the machine's and the firmware's compilers have to lay out alike: the modelled machine's data, and a scheduler's
// of a device. Both are 64-bit and little-endian and follow the same C++ ABI; the sums below, which the image carries,
// show where that does not hold, or where an image is from another version of cilk2gpu.
#ifndef CILK2GPU_RUNTIME_FIRMWARE_SHARED_H
#define CILK2GPU_RUNTIME_FIRMWARE_SHARED_H

#include "core/Scheduler.h"
#include "executors/model/Model.h"

// Clang and GCC know the places of members in every class without virtual bases.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"

namespace cilk2gpu::rt {

/// What a control processor and its machine may do with a model, and know of a scheduler.
struct ControlAccess {
  static bool aggregate(Model &model) { return model.aggregate(); }
  static void retire(Model &model, Wavefront &wavefront) { model.retire(wavefront); }
  static void start(Model &model, Wavefront &wavefront, Context &context, uint64_t time) {
    model.start(wavefront, context, time);
  }
  static const ModelCounters &counters(const Model &model) { return model.modelTotals; }

  /// Places of members that both sides use, and sizes of all structures.
  static constexpr uint64_t places[] = {sizeof(Model),
                                        __builtin_offsetof(Model, arena),
                                        __builtin_offsetof(Model, machine),
                                        sizeof(ModelSettings),
                                        __builtin_offsetof(Model, levels),
                                        __builtin_offsetof(Model, restartChannel),
                                        sizeof(Machine),
                                        __builtin_offsetof(Model, reclaims),
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
                                        sizeof(PostQueue),
                                        sizeof(ModelLevel),
                                        sizeof(LevelChannel),
                                        sizeof(ChannelSegment),
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
                                        __builtin_offsetof(Scheduler, returns),
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

/// FNV-1a, of the places and of the policies, whose numbers both sides know.
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
