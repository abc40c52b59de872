// All of the device runtime as one unit: what is linked into every image. The scheduler core is for persistent kernels.
#include "Channels.cpp"
#include "Kernels.cpp"
#include "Library.cpp"
#include "Locals.cpp"
#include "System.cpp"
#include "WaveFolds.cpp"

// One lane runs it: what counts is that it is small, for the compilers of images, drivers' ones among them.
#pragma clang attribute push(__attribute__((minsize)), apply_to = function)
#include "PersistentWavefront.cpp"

#include "core/Arena.cpp"
#include "core/DeviceDispatch.cpp"
#include "core/Scheduler.cpp"
#include "core/SchedulerElisions.cpp"
#include "core/SchedulerLevels.cpp"
#pragma clang attribute pop
