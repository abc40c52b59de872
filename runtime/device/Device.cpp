// All of the device runtime as one unit: what is linked into every image. The scheduler core is for persistent kernels.
#include "Channels.cpp"
#include "Folds.cpp"
#include "Kernels.cpp"
#include "Library.cpp"
#include "Locals.cpp"
#include "System.cpp"

// One lane runs it: what counts is that it is small, for the compilers of images, drivers' ones among them.
#pragma clang attribute push(__attribute__((minsize)), apply_to = function)
#include "PersistentKernel.cpp"

#include "core/Arena.cpp"
#include "core/DeviceDispatch.cpp"
#include "core/Elision.cpp"
#include "core/ElisionTrials.cpp"
#include "core/MemoryBound.cpp"
#include "core/Pacing.cpp"
#include "core/PickElements.cpp"
#include "core/Scheduler.cpp"
#include "core/SchedulerState.cpp"
#include "core/Stealing.cpp"
#include "core/TaskCounters.cpp"
#pragma clang attribute pop
