// The entry points of HIP that the runtime uses, over FakeGpu. FAKE_HIP_VERSION is 5 or 6. Version 5 reads device
// properties in another way, and has no stack limit. With FAKE_HIP_ISA, the driver runs code objects (amd/Image.h).
#include "FakeGpu.h"
#ifdef FAKE_HIP_ISA
#include "amd/Image.h"
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace fake = cilk2gpu::test::fake;

#define ENTER()                                                                                                        \
  if (int code = fake::enter(__func__))                                                                                \
  return code

static const char devices[] = "Fake MI250=gfx90a:sramecc+:xnack-";

static int fillProperties(void *memory, int device, uint64_t archOffset) {
  char *properties = static_cast<char *>(memory);
  char name[256], arch[64];
  if (!fake::readDevice(devices, device, name, sizeof name, arch, sizeof arch))
    return fake::InvalidValue;
  strcpy(properties, name);
  strcpy(properties + archOffset, arch);
  return 0;
}

/// Returns the lanes of a wavefront.
static unsigned waveOf(int device) {
  char name[256], arch[64];
  bool isKnown = fake::readDevice(devices, device, name, sizeof name, arch, sizeof arch);
  return isKnown && !strncmp(arch, "gfx1", 4) ? 32 : 64;
}

extern "C" {

int hipInit(unsigned) {
  ENTER();
  fake::forkIfAsked();
  return 0;
}

int hipRuntimeGetVersion(int *version) {
  ENTER();
  *version = FAKE_HIP_VERSION * 10000000;
  return 0;
}

int hipGetDeviceCount(int *count) {
  ENTER();
  *count = fake::countDevices(devices);
  return *count ? 0 : fake::NoDevice;
}

int hipDeviceGetName(char *name, int bytes, int device) {
  ENTER();
  char text[64];
  return fake::readDevice(devices, device, name, size_t(bytes), text, sizeof text) ? 0 : fake::InvalidValue;
}

#if FAKE_HIP_VERSION >= 6
int hipGetDevicePropertiesR0600(void *properties, int device) {
  ENTER();
  return fillProperties(properties, device, 1160);
}

int hipDeviceSetLimit(int limit, [[maybe_unused]] size_t value) {
  ENTER();
#ifdef FAKE_HIP_ISA
  if (!limit)
    cilk2gpu::test::amd::setPrivateBytes(value);
#endif
  return limit == 0 ? 0 : fake::InvalidValue;
}
#endif

int hipGetDeviceProperties(void *properties, int device) {
  ENTER();
  return fillProperties(properties, device, 396);
}

int hipDeviceGetAttribute(int *value, int attribute, int device) {
  ENTER();
  switch (attribute) {
  case 87:
    *value = int(waveOf(device));
    return 0;
  case 63:
    *value = 1; // multiprocessors
    return 0;
  case 10:
    *value = fake::flag("FAKE_GPU_TOGETHER", 1);
    return 0;
  case 24:
    *value = fake::flag("FAKE_GPU_MANAGED", 1);
    return 0;
  case 65:
    *value = fake::flag("FAKE_GPU_PAGEABLE", 0);
    return 0;
  }
  return fake::InvalidValue;
}

int hipSetDevice(int device) {
  ENTER();
  return device < fake::countDevices(devices) ? 0 : fake::InvalidValue;
}

int hipDeviceSynchronize() {
  ENTER();
  return fake::synchronise();
}

int hipModuleLoadData(void **module, const void *data) {
  ENTER();
#ifdef FAKE_HIP_ISA
  return fake::loadModule(module, data, cilk2gpu::test::amd::loadImage);
#else
  return fake::loadModule(module, data);
#endif
}

int hipModuleGetFunction(void **function, void *module, const char *name) {
  ENTER();
  return fake::findFunction(function, module, name);
}

int hipModuleGetGlobal(void **address, size_t *bytes, void *module, const char *name) {
  ENTER();
  return fake::findGlobal(address, bytes, module, name);
}

static bool blocks() { return fake::flag("HIP_LAUNCH_BLOCKING", 0) || fake::flag("AMD_SERIALIZE_KERNEL", 0) & 2; }

int hipModuleLaunchKernel(void *function, unsigned gridX, unsigned, unsigned, unsigned blockX, unsigned, unsigned,
                          unsigned, void *, void **parameters, void **) {
  ENTER();
  return fake::launched(fake::launch(function, gridX, blockX, waveOf(0), parameters), blocks());
}

#if FAKE_HIP_VERSION >= 6
int hipModuleLaunchCooperativeKernel(void *function, unsigned gridX, unsigned, unsigned, unsigned blockX, unsigned,
                                     unsigned, unsigned, void *, void **parameters) {
  ENTER();
  return fake::launched(fake::launchTogether(function, gridX, blockX, waveOf(0), parameters), blocks());
}
#endif

int hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int, size_t) {
  ENTER();
  return fake::occupancy(blocks, function);
}

int hipMemGetInfo(size_t *free, size_t *total) {
  ENTER();
  return fake::memoryInfo(free, total);
}

int hipMallocManaged(void **address, size_t bytes, unsigned flags) {
  ENTER();
  return flags == 1 ? fake::allocate(address, bytes) : int(fake::InvalidValue);
}

int hipMalloc(void **address, size_t bytes) {
  ENTER();
  return fake::allocateDevice(address, bytes);
}

int hipFree(void *address) {
  ENTER();
  return fake::release(address);
}

int hipMemcpyHtoD(void *to, const void *from, size_t bytes) {
  ENTER();
  return fake::copyToDevice(to, from, bytes);
}

int hipMemcpyDtoH(void *to, const void *from, size_t bytes) {
  ENTER();
  return fake::copyFromDevice(to, from, bytes);
}

int hipMemcpyHtoDAsync(void *to, const void *from, size_t bytes, void *) {
  ENTER();
  return fake::copyToDevice(to, from, bytes);
}

int hipMemcpyDtoHAsync(void *to, const void *from, size_t bytes, void *) {
  ENTER();
  return fake::copyFromDeviceLater(to, from, bytes);
}

int hipMemcpyDtoD(void *to, const void *from, size_t bytes) {
  ENTER();
  return fake::copyOnDevice(to, from, bytes);
}

int hipHostRegister(void *memory, size_t bytes, unsigned) {
  ENTER();
  return fake::registerHost(memory, bytes, false);
}

int hipHostGetDevicePointer(void **address, void *memory, unsigned) {
  ENTER();
  return fake::devicePointer(address, memory);
}

int hipStreamQuery(void *) {
  ENTER();
  return fake::query();
}

int hipHostMalloc(void **memory, size_t bytes, unsigned) {
  ENTER();
  return fake::allocateHost(memory, bytes);
}

int hipHostUnregister(void *memory) {
  ENTER();
  return fake::unregisterHost(memory);
}

const char *hipGetErrorName(int code) {
  const char *name = fake::errorName(code);
  return name ? name : "hipErrorUnknown";
}

const char *hipGetErrorString(int code) { return code == 999 ? "as the test wanted" : ""; }
}
