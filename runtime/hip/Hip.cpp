// HIP, as the rest of the host's side uses it: every call of the HIP runtime that the program makes is in this file.
// Part of programs written by --emit=hip, which link HIP; other programs load it when they run
// (runtime/executors/gpu/HipDriver.cpp).
//
// Each function returns the call that it made and its code; Driver::failed() makes a line of text of it.
#include "executors/gpu/Driver.h"

#include <hip/hip_runtime_api.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

namespace cilk2gpu::device {
namespace {

int opened = 0; ///< device
int multiprocessors = 0;
int launchesTogether = 0; ///< not 0: it can

/// A call of HIP, by name, with its arguments.
#define HIP(call, ...) (Status{#call, int(call(__VA_ARGS__))})

/// Goes on if the call did what it should, else returns its status.
#define TRY(...)                                                                                                       \
  if (Status status = (__VA_ARGS__); status.code)                                                                      \
  return status

void describe(int code, const char *&name, const char *&meaning) {
  const char *text = hipGetErrorName(hipError_t(code));
  name = text ? text : name;
  text = hipGetErrorString(hipError_t(code));
  meaning = text ? text : meaning;
}

//===--------------------------------------------------------------------------------------------------------------===//
// Devices
//===--------------------------------------------------------------------------------------------------------------===//

Status initialise() { return HIP(hipInit, 0); }
Status version(int &version) { return HIP(hipRuntimeGetVersion, &version); }
Status countDevices(int &count) { return HIP(hipGetDeviceCount, &count); }

Status readFacts(int device, DeviceFacts &facts) {
  hipDeviceProp_t properties;
  int wave = 0, managed = 0, pageable = 0;
  TRY(HIP(hipDeviceGetName, facts.name, sizeof facts.name, device));
  TRY(HIP(hipGetDeviceProperties, &properties, device));
  TRY(HIP(hipDeviceGetAttribute, &wave, hipDeviceAttributeWarpSize, device));
  TRY(HIP(hipDeviceGetAttribute, &managed, hipDeviceAttributeManagedMemory, device));
  TRY(HIP(hipDeviceGetAttribute, &pageable, hipDeviceAttributePageableMemoryAccess, device));
  snprintf(facts.arch, sizeof facts.arch, "%.*s", int(sizeof facts.arch - 1), properties.gcnArchName);
  facts.waveSize = uint32_t(wave);
  facts.managed = managed != 0;
  facts.pageable = pageable != 0;
  facts.concurrent = true;  // managed memory whose pages cannot move is the host's
  facts.sameAddress = true; // of each range it is asked
  return {"hipDeviceGetAttribute", 0};
}

Status makeCurrent() { return HIP(hipSetDevice, opened); }

Status open(int ordinal) {
  opened = ordinal;
  TRY(HIP(hipDeviceGetAttribute, &multiprocessors, hipDeviceAttributeMultiprocessorCount, opened));
  TRY(HIP(hipDeviceGetAttribute, &launchesTogether, hipDeviceAttributeCooperativeLaunch, opened));
  return makeCurrent();
}

Status setStack(uint64_t bytes, bool &unsupported) {
#if HIP_VERSION >= 50300000
  Status status = HIP(hipDeviceSetLimit, hipLimitStackSize, bytes);
#else
  (void)bytes;
  Status status = {"hipDeviceSetLimit", int(hipErrorNotSupported)};
#endif
  unsupported = status.code == hipErrorUnsupportedLimit || status.code == hipErrorNotSupported ||
                status.code == hipErrorInvalidValue;
  return status;
}

Status memoryInfo(uint64_t &free, uint64_t &total) {
  size_t freeBytes = 0, totalBytes = 0;
  Status status = HIP(hipMemGetInfo, &freeBytes, &totalBytes);
  free = freeBytes;
  total = totalBytes;
  return status;
}

//===--------------------------------------------------------------------------------------------------------------===//
// Kernels
//===--------------------------------------------------------------------------------------------------------------===//

Status loadModule(const abi::ImageRecord &image, void *&module, char *log, uint64_t) {
  *log = 0;
  hipModule_t loaded = nullptr;
  Status status = HIP(hipModuleLoadData, &loaded, image.data);
  module = loaded;
  return status;
}

/// A name that the module does not have is no failure: another image may have it.
Status unlessMissing(Status status) { return {status.call, status.code == hipErrorNotFound ? 0 : status.code}; }

Status findFunction(void *module, const char *symbol, void *&function) {
  hipFunction_t found = nullptr;
  Status status = HIP(hipModuleGetFunction, &found, static_cast<hipModule_t>(module), symbol);
  function = status.code ? nullptr : found;
  return unlessMissing(status);
}

Status findGlobal(void *module, const char *symbol, void *&address, uint64_t &bytes) {
  hipDeviceptr_t found = nullptr;
  size_t size = 0;
  Status status = HIP(hipModuleGetGlobal, &found, &size, static_cast<hipModule_t>(module), symbol);
  address = status.code ? nullptr : found;
  bytes = size;
  return unlessMissing(status);
}

/// Every kernel has one argument; that of one that runs a dispatch is where its wave (abi::Wave) is on the device.
Status launch(void *function, uint32_t blocks, uint32_t threads, void *wave) {
  void *arguments[] = {&wave};
  return HIP(hipModuleLaunchKernel, static_cast<hipFunction_t>(function), blocks, 1, 1, threads, 1, 1, 0, nullptr,
             arguments, nullptr);
}

/// Blocks of a persistent kernel that all compute units together run at one time.
Status occupancy(void *function, uint32_t threads, uint32_t &blocks) {
  int each = 0;
  Status status = HIP(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor, &each, static_cast<hipFunction_t>(function),
                      int(threads), 0);
  blocks = uint32_t(each) * uint32_t(multiprocessors);
  return status;
}

/// A persistent kernel, whose one argument is its record (device/PersistentRecord.h). Fails where not all of its blocks
/// can be resident; launched as others are where HIP or the device has no such launch, which is right as well: nobody
/// waits for a block that has not come.
Status launchTogether(void *function, uint32_t blocks, uint32_t threads, void *record) {
#if HIP_VERSION >= 60000000
  if (launchesTogether) {
    void *arguments[] = {&record};
    return HIP(hipModuleLaunchCooperativeKernel, static_cast<hipFunction_t>(function), blocks, 1, 1, threads, 1, 1, 0,
               nullptr, arguments);
  }
#endif
  return launch(function, blocks, threads, record);
}

Status synchronise() { return HIP(hipDeviceSynchronize); }

Status poll(bool &ended) {
  Status status = HIP(hipStreamQuery, nullptr);
  ended = status.code != hipErrorNotReady;
  return {status.call, ended ? status.code : 0};
}

//===--------------------------------------------------------------------------------------------------------------===//
// Memory
//===--------------------------------------------------------------------------------------------------------------===//

/// Elements and frames: one address on both sides.
Status allocate(uint64_t bytes, void *&memory) { return HIP(hipMallocManaged, &memory, bytes, hipMemAttachGlobal); }

/// Records of launches: the device's alone.
Status allocateDevice(uint64_t bytes, void *&memory) { return HIP(hipMalloc, &memory, bytes); }
Status release(void *memory) { return HIP(hipFree, memory); }

/// The queue of requests. Coherent: each side sees what the other writes while a kernel runs.
Status allocateShared(uint64_t bytes, void *&memory) {
  return HIP(hipHostMalloc, &memory, bytes, hipHostMallocPortable | hipHostMallocMapped | hipHostMallocCoherent);
}

Status copyToDevice(void *to, const void *from, uint64_t bytes) {
  return HIP(hipMemcpyHtoD, to, const_cast<void *>(from), bytes);
}
Status copyFromDevice(void *to, const void *from, uint64_t bytes) {
  return HIP(hipMemcpyDtoH, to, const_cast<void *>(from), bytes);
}
Status copyOnDevice(void *to, const void *from, uint64_t bytes) {
  return HIP(hipMemcpyDtoD, to, const_cast<void *>(from), bytes);
}

/// The program's own memory, where the device does not reach all of it anyway.
Status registerHost(const HostRange &range, void *&seenAt, bool &already) {
  Status status = HIP(hipHostRegister, range.address, range.bytes, hipHostRegisterPortable | hipHostRegisterMapped);
  already = status.code == hipErrorHostMemoryAlreadyRegistered;
  if (status.code && !already)
    return status;
  Status seen = HIP(hipHostGetDevicePointer, &seenAt, range.address, 0);
  if (seen.code && !already)
    (void)hipHostUnregister(range.address);
  return seen;
}

Status unregisterHost(void *address) { return HIP(hipHostUnregister, address); }

/// Read-only memory cannot be registered.
bool registersReadOnly() { return false; }

/// With these, a launch returns when its kernel has ended; of the second one, this bit says so.
constexpr BlockingVariable blocking[] = {{"HIP_LAUNCH_BLOCKING", ~0l}, {"AMD_SERIALIZE_KERNEL", 2}, {}};

constexpr Driver driver = {"hip",
                           "AMD's ROCm",
                           abi::ImageKind::Amdgcn,
                           nullptr,
                           nullptr,
                           blocking,
                           nullptr,
                           describe,
                           initialise,
                           version,
                           countDevices,
                           readFacts,
                           open,
                           makeCurrent,
                           setStack,
                           memoryInfo,
                           loadModule,
                           findFunction,
                           findGlobal,
                           launch,
                           occupancy,
                           launchTogether,
                           synchronise,
                           poll,
                           allocate,
                           allocateDevice,
                           release,
                           allocateShared,
                           copyToDevice,
                           copyFromDevice,
                           copyOnDevice,
                           registersReadOnly,
                           registerHost,
                           unregisterHost};

} // namespace

const Driver &hipDriver() { return driver; }

/// The program is linked with it.
bool Driver::load(const char *, Reason &) const { return true; }

bool Driver::failed(Status status, Reason &why) const {
  if (!status.code)
    return false;
  const char *name = "unknown error", *meaning = "";
  describe(status.code, name, meaning);
  if (!strcmp(name, meaning))
    meaning = ""; // older versions of HIP repeat the name
  why.set("%s: error %d, %s%s%s%s", status.call, status.code, name, *meaning ? " (" : "", meaning, *meaning ? ")" : "");
  return true;
}

void Reason::set(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
}

} // namespace cilk2gpu::device
