// A GPU for tests, behind the entry points of CUDA's driver (FakeCuda.cpp) and of HIP (FakeHip.cpp). It runs kernels on
// the CPU when the host waits for them. It also notices errors that a real device could not see. Lanes fault on memory
// that is neither the device's, managed nor registered. The host cannot touch memory of the device alone. Environment
// variables describe the machine:
//
//   FAKE_GPUS          devices, "name=arch" with ';' between; arch is 9.0 for CUDA, gfx90a:xnack- for HIP; default: one
//   FAKE_GPU_PAGEABLE  1: they reach all memory            FAKE_GPU_MANAGED  0: they have no managed memory
//   FAKE_GPU_MEMORY    bytes of memory                     FAKE_GPU_READ_ONLY  0: CUDA's register no read-only memory
//   FAKE_GPU_SHIFTED   1: registered memory has another address; 2: only the driver's own data has
//   FAKE_GPU_CONCURRENT    0: CUDA's do not let the host touch managed memory while a kernel runs
//   FAKE_GPU_SAME_ADDRESS  0: CUDA's say that registered memory has another address
//   FAKE_GPU_FAIL      CALL:N:CODE, the Nth call of CALL (any, if N is *) returns CODE, and does nothing
//   FAKE_GPU_IMAGE     library with an image (FakeImage.h) that is run instead of what is loaded
//   FAKE_GPU_LOG       file to which calls and launches are appended, one a line
//   FAKE_GPU_BLOCKS    blocks of a persistent or a graph kernel that the driver reports as resident; default: 2
//   FAKE_GPU_RESIDENT  blocks that are really resident; others start when a block has ended; default: 0, as reported
//   FAKE_GPU_TOGETHER  0: it has no cooperative launch
//   FAKE_GPU_FORKS     1: the driver forks when it is initialised, as NVIDIA's does under a debugger
//
// CUDA_LAUNCH_BLOCKING, HIP_LAUNCH_BLOCKING and AMD_SERIALIZE_KERNEL make a launch return when its kernel has ended.
//
// A persistent kernel's wavefronts are threads, which start in any order.
//
// Thread-safety: none; only the runtime's current turn may call.
#ifndef CILK2GPU_TEST_UNIT_FAKE_DRIVERS_FAKEGPU_H
#define CILK2GPU_TEST_UNIT_FAKE_DRIVERS_FAKEGPU_H

#include "FakeImage.h"

#include <stddef.h>

namespace cilk2gpu::test::fake {

enum Code {
  Success = 0,
  InvalidValue = 1,
  OutOfMemory = 2,
  NotInitialised = 3,
  NoDevice = 100,
  InvalidContext = 201,
  InvalidImage = 200,
  NotFound = 500,
  NotReady = 600,
  IllegalAddress = 700,
  TooLarge = 720,
  AlreadyRegistered = 712,
  NotRegistered = 713,
};

/// Forks a process that ends, and waits for it, if the driver is one that forks.
void forkIfAsked();

/// Begins an entry point: logs the call, and returns the code with which it is to fail, or Success.
int enter(const char *call);

/// Reads a device's name and architecture; null if no device has this number. `defaultDevices` replaces FAKE_GPUS.
bool readDevice(const char *defaultDevices, int ordinal, char *name, size_t nameBytes, char *arch, size_t archBytes);
int countDevices(const char *defaultDevices);
int flag(const char *variable, int otherwise);

/// Loads a module. `read`, if not null, makes an image of the program's data, unless another image runs in its place.
int loadModule(void **module, const void *data, const FakeImage *(*read)(const char *data) = nullptr);
int findFunction(void **function, void *module, const char *name);
int findGlobal(void **address, size_t *bytes, void *module, const char *name);
/// `wave` is the number of lanes of a wavefront.
int launch(void *function, unsigned blocks, unsigned threads, unsigned wave, void **parameters);
int launchTogether(void *function, unsigned blocks, unsigned threads, unsigned wave, void **parameters);
/// Returns the status of an entry point that has launched something with `code`. If launches block, waits until the
/// kernel has ended.
int launched(int code, bool blocks);
int occupancy(int *blocks, void *function);
int synchronise();
int query();
int allocate(void **memory, size_t bytes);
int allocateDevice(void **memory, size_t bytes);
int allocateHost(void **memory, size_t bytes);
int prefetch(void *memory, size_t bytes);
int release(void *memory);
int copyToDevice(void *to, const void *from, size_t bytes);
int copyFromDevice(void *to, const void *from, size_t bytes);
int copyFromDeviceLater(void *to, const void *from, size_t bytes);
int copyOnDevice(void *to, const void *from, size_t bytes);
int memoryInfo(size_t *free, size_t *total);
int registerHost(void *memory, size_t bytes, bool readOnly);
int devicePointer(void **address, void *memory);
int unregisterHost(void *memory);
const char *errorName(int code);

} // namespace cilk2gpu::test::fake

#endif // CILK2GPU_TEST_UNIT_FAKE_DRIVERS_FAKEGPU_H
