// See DebuggerFacts.h.
#include "executors/native/DebuggerFacts.h"

#include "executors/native/Workers.h"

// The types have no virtual functions and no virtual bases, so every compiler gives their members constant offsets.
#pragma GCC diagnostic ignored "-Winvalid-offsetof"

namespace cilk2gpu::rt {

static_assert(sizeof(Scheduler) > sizeof(SchedulerState)); // the state is the scheduler's first part

#define CILK2GPU_SIZE(type) {#type, sizeof(type)}
#define CILK2GPU_MEMBER(type, member) {#type "." #member, offsetof(type, member)}

static constexpr DebuggerFact kFacts[] = {CILK2GPU_SIZE(Worker),
                                          CILK2GPU_MEMBER(Worker, scheduler),
                                          CILK2GPU_MEMBER(Worker, thread),
                                          CILK2GPU_MEMBER(SchedulerState, levels),
                                          CILK2GPU_MEMBER(SchedulerState, numLevels),
                                          CILK2GPU_MEMBER(SchedulerState, current),
                                          CILK2GPU_MEMBER(SchedulerState, running),
                                          CILK2GPU_MEMBER(SchedulerState, kernelName),
                                          CILK2GPU_MEMBER(SchedulerState, dispatched),
                                          CILK2GPU_MEMBER(SchedulerState, dispatchedTask),
                                          CILK2GPU_MEMBER(RunningWave, wave),
                                          CILK2GPU_MEMBER(abi::Wave, columns),
                                          CILK2GPU_MEMBER(abi::Wave, first),
                                          CILK2GPU_MEMBER(abi::Wave, lanes),
                                          CILK2GPU_MEMBER(abi::Wave, kernel),
                                          CILK2GPU_SIZE(Level),
                                          CILK2GPU_MEMBER(Level, tasks),
                                          CILK2GPU_MEMBER(TaskLevel, pre),
                                          CILK2GPU_MEMBER(TaskLevel, next),
                                          CILK2GPU_MEMBER(TaskLevel, task),
                                          CILK2GPU_MEMBER(TaskLevel, active),
                                          CILK2GPU_MEMBER(TaskLevel, width),
                                          CILK2GPU_SIZE(ActiveState),
                                          CILK2GPU_MEMBER(ActiveState, frames),
                                          CILK2GPU_MEMBER(ActiveState, restarts),
                                          CILK2GPU_MEMBER(FramePool, store),
                                          CILK2GPU_MEMBER(FramePool, total),
                                          CILK2GPU_MEMBER(abi::FrameStore, count),
                                          CILK2GPU_MEMBER(OwnedChannel, cursor),
                                          CILK2GPU_MEMBER(OwnedChannel, head),
                                          CILK2GPU_MEMBER(abi::Cursor, columns),
                                          CILK2GPU_MEMBER(abi::Cursor, next),
                                          CILK2GPU_SIZE(FrameChannel),
                                          CILK2GPU_MEMBER(FrameChannel, channel),
                                          CILK2GPU_MEMBER(TaskInfo, name),
                                          CILK2GPU_MEMBER(TaskInfo, location),
                                          CILK2GPU_MEMBER(TaskInfo, element),
                                          CILK2GPU_MEMBER(TaskInfo, kernels),
                                          CILK2GPU_MEMBER(TaskInfo, numKernels),
                                          CILK2GPU_MEMBER(TaskInfo, targets),
                                          CILK2GPU_MEMBER(TaskInfo, numTargets),
                                          CILK2GPU_MEMBER(TaskInfo, frame),
                                          CILK2GPU_MEMBER(FrameShape, size),
                                          CILK2GPU_MEMBER(FrameShape, inColumns),
                                          CILK2GPU_MEMBER(ElementLayout, fields),
                                          CILK2GPU_MEMBER(ElementLayout, numFields),
                                          CILK2GPU_SIZE(abi::FieldRecord),
                                          CILK2GPU_MEMBER(abi::FieldRecord, size),
                                          CILK2GPU_SIZE(KernelInfo),
                                          CILK2GPU_MEMBER(KernelInfo, run),
                                          CILK2GPU_MEMBER(KernelInfo, resume),
                                          CILK2GPU_MEMBER(KernelInfo, each),
                                          CILK2GPU_MEMBER(KernelInfo, name),
                                          CILK2GPU_MEMBER(KernelInfo, sync),
                                          {"kFrameUnit", abi::kFrameUnit},
                                          {nullptr, 0}};

DebuggedWorkers __cilk2gpu_debugged_workers = {kFacts, nullptr, 0};

} // namespace cilk2gpu::rt
