// The whole device runtime as one unit, which is linked into every image. Persistent kernels use its scheduler core.
#include "Blocks.cpp"
#include "Channels.cpp"
#include "GraphLanes.cpp"
#include "Kernels.cpp"
#include "Library.cpp"
#include "Locals.cpp"
#include "System.cpp"
#include "WaveFolds.cpp"

// One lane runs the scheduler, so the code is made small: compilers of images, among them drivers, then take less time.
#pragma clang attribute push(__attribute__((minsize)), apply_to = function)
#include "PersistentWavefront.cpp"

#include "core/Arena.cpp"
#include "core/DeviceDispatch.cpp"
#include "core/Elision.cpp"
#include "core/ElisionTrials.cpp"
#include "core/LaneEstimates.cpp"
#include "core/MemoryBound.cpp"
#include "core/Pacing.cpp"
#include "core/PickElements.cpp"
#include "core/Scheduler.cpp"
#include "core/SchedulerState.cpp"
#include "core/Stealing.cpp"
#include "core/TaskCounters.cpp"
#pragma clang attribute pop
