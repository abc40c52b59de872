// Dispatches, memory and images of a GPU that was opened; choosing one is in GpuChoice.cpp.
#include "executors/gpu/Gpu.h"
#include "core/Tunables.h"
#include "executors/gpu/Architectures.h"
#include "process/Images.h"
#include "process/Message.h"
#include "process/RequestServer.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace cilk2gpu::device {

/// What drivers align memory to at least (CUDA says 256 bytes, HIP returns whole pages).
static constexpr uint64_t kDriversAlign = 256;

void Gpu::check(Status status, const char *doing, const char *subject) {
  Reason why;
  if (driver.failed(status, why))
    rt::fatal("%s%s%s%s on %s failed: %s", doing, *subject ? " '" : "", subject, *subject ? "'" : "", device.name,
              why.text);
}

void Gpu::checkNotLost() const {
  if (lost)
    rt::fatal(
        "this process was forked from one that uses %s, which a child cannot; set CILK2GPU_DEVICE=native, or fork "
        "before the first task",
        device.name);
}

//===--------------------------------------------------------------------------------------------------------------===//
// Memory
//===--------------------------------------------------------------------------------------------------------------===//

void *Gpu::allocate(void *context, uint64_t bytes, uint64_t align) {
  Gpu &self = *static_cast<Gpu *>(context);
  self.check(self.driver.makeCurrent(), "using the device", "");
  uint64_t total = bytes;
  if (align > kDriversAlign && __builtin_add_overflow(bytes, align, &total))
    return nullptr;
  void *start = nullptr;
  Reason why;
  if (self.driver.failed(self.driver.allocate(total, start), why))
    rt::fatal(
        "%llu bytes for channels and frames could not be allocated on %s: %s; a smaller CILK2GPU_WIDTH needs less",
        static_cast<unsigned long long>(bytes), self.device.name, why.text);
  if (!self.blocks.add(start, total))
    rt::fatal("out of memory: the list of %llu blocks of device memory could not grow",
              static_cast<unsigned long long>(self.blocks.size()));
  return reinterpret_cast<void *>((reinterpret_cast<uint64_t>(start) + align - 1) & ~(align - 1));
}

void Gpu::release(void *context, void *memory, uint64_t, uint64_t) {
  Gpu &self = *static_cast<Gpu *>(context);
  self.check(self.driver.makeCurrent(), "using the device", "");
  self.check(self.driver.release(self.blocks.remove(memory)), "giving memory back", "");
}

/// The host may use the memory right afterwards.
void Gpu::copy(void *context, void *to, const void *from, uint64_t bytes) {
  Gpu &self = *static_cast<Gpu *>(context);
  self.check(self.driver.makeCurrent(), "using the device", "");
  self.check(self.driver.copyOnDevice(to, from, bytes), "moving elements", "");
  self.check(self.driver.synchronise(), "moving elements", "");
}

//===--------------------------------------------------------------------------------------------------------------===//
// Images
//===--------------------------------------------------------------------------------------------------------------===//

/// Those that the process has registered since the last call, and that run here.
void Gpu::addImages() {
  for (uint64_t count = rt::imageCount(); seenImages < count; ++seenImages) {
    const abi::ImageRecord &image = rt::image(seenImages);
    uint32_t suits = image.kind == driver.images ? suitability(image.kind, image.arch, device.arch) : 0;
    if (suits)
      addModule(image, suits);
  }
}

Gpu::~Gpu() {
  while (Module *module = modules) {
    modules = module->next;
    free(module);
  }
}

/// The best ones come first; of equal ones, those that came first.
void Gpu::addModule(const abi::ImageRecord &image, uint32_t suits) {
  Module **at = &modules;
  while (*at && (*at)->suitability >= suits)
    at = &(*at)->next;
  auto *module = static_cast<Module *>(malloc(sizeof(Module)));
  if (!module)
    rt::fatal("out of memory: %zu bytes for a device image could not be allocated", sizeof(Module));
  *module = {&image, suits, nullptr, *at};
  *at = module;
}

const char *Gpu::imageArch() const { return modules->image->arch; }

/// Whether lanes need no stack but what their kernels' code says.
bool Gpu::isShallow(const Module &module, Reason &why) {
  void *mark = nullptr;
  uint64_t bytes = 0;
  if (driver.failed(driver.findGlobal(module.handle, abi::kDeepStack, mark, bytes), why))
    return false;
  if (mark)
    why.set("tasks call functions that recurse, that pointers lead to, or that have arrays of variable size: lanes "
            "need a stack of a "
            "size that is set, which this version of %s cannot do (ROCm can since 5.3)",
            driver.product);
  return !mark;
}

/// Tells an image whose tasks may recurse how much of the stack they may use: what others call then finds some room.
bool Gpu::boundStack(const Module &module, Reason &why) {
  void *variable = nullptr;
  uint64_t bytes = 0, usable = stackBytes - stackBytes / 8 - rt::tunables::kLeafStack;
  if (driver.failed(driver.findGlobal(module.handle, abi::kStackBytes, variable, bytes), why))
    return false;
  if (!variable || !limitsStack || usable > stackBytes)
    return true;
  return !driver.failed(driver.copyToDevice(variable, &usable, sizeof usable), why);
}

bool Gpu::loadModule(Module &module, Reason &why) {
  const abi::ImageRecord &image = *module.image;
  char log[512] = "";
  Reason error;
  if (driver.failed(driver.loadModule(image, module.handle, log, sizeof log), error)) {
    log[strcspn(log, "\n")] = 0; // one line
    why.set("the image for %s could not be loaded on %s: %s%s%s", image.arch, device.name, error.text, *log ? "; " : "",
            log);
    return false;
  }
  for (uint64_t i = 0; i < image.numAddresses; ++i)
    if (!setAddress(module, image.addresses[i], error)) {
      why.set("the image for %s could not be told where '%s' is: %s", image.arch, image.addresses[i].symbol,
              error.text);
      return false;
    }
  if (!hasAddresses(module, error)) {
    why.set("the image for %s cannot be used: %s", image.arch, error.text);
    return false;
  }
  if (!limitsStack && !isShallow(module, why))
    return false;
  if (!boundStack(module, error)) {
    why.set("the image for %s could not be told how large a lane's stack is: %s", image.arch, error.text);
    return false;
  }
  if (!connectRequests(module, error)) {
    why.set("the image for %s could not be told where its requests go: %s", image.arch, error.text);
    return false;
  }
  return true;
}

/// Whether the user has launches return only when the kernel has ended.
bool Gpu::launchesBlock() const {
  for (const BlockingVariable *each = driver.blocking; each->name; ++each)
    if (const char *value = getenv(each->name); value && (strtol(value, nullptr, 0) & each->bits))
      return true;
  return false;
}

/// Images whose tasks ask the host's system for something are told where.
bool Gpu::connectRequests(const Module &module, Reason &why) {
  void *variable = nullptr;
  uint64_t bytes = 0;
  if (driver.failed(driver.findGlobal(module.handle, CILK2GPU_REQUESTS_SYMBOL, variable, bytes), why))
    return false;
  if (!variable)
    return true;
  if (!requests) {
    isBlocking = launchesBlock();
    void *memory = nullptr;
    if (driver.failed(driver.allocateShared(sizeof(abi::RequestQueue), memory), why))
      return false;
    requests = static_cast<abi::RequestQueue *>(memory);
    memset(requests, 0, sizeof *requests);
  }
  return !driver.failed(driver.copyToDevice(variable, &requests, sizeof requests), why);
}

/// Tells the image where an object of the host's is. A variable that its kernels do not use may be missing.
bool Gpu::setAddress(const Module &module, const abi::AddressRecord &record, Reason &why) {
  void *variable = nullptr;
  uint64_t bytes = 0;
  if (driver.failed(driver.findGlobal(module.handle, record.symbol, variable, bytes), why))
    return false;
  if (!variable)
    return true;
  if (bytes == sizeof record.address)
    return !driver.failed(driver.copyToDevice(variable, &record.address, bytes), why);
  why.set("its variable has %llu bytes instead of a pointer's; compile the program again",
          static_cast<unsigned long long>(bytes));
  return false;
}

/// Whether kernels find the address of `name` in the slot.
bool Gpu::isFilled(const Module &module, const char *slot, const char *name, Reason &why) {
  void *variable = nullptr, *address = nullptr;
  uint64_t bytes = 0;
  if (driver.failed(driver.findGlobal(module.handle, slot, variable, bytes), why))
    return false;
  if (variable && driver.failed(driver.copyFromDevice(&address, variable, sizeof address), why))
    return false;
  if (!address)
    why.set(
        "its kernels need the address of '%s', which no file of the program lists; compile the program's files again "
        "with --offload-arch, and have the linker keep their section cilk2gpu_addresses",
        name);
  return address;
}

/// Whether all slots have been filled that kernels read: they would take null for an address.
bool Gpu::hasAddresses(const Module &module, Reason &why) {
  void *variable = nullptr, *names = nullptr;
  uint64_t bytes = 0;
  if (driver.failed(driver.findGlobal(module.handle, abi::kAddressNames, variable, bytes), why))
    return false;
  if (!variable)
    return true;
  if (!readConstant(module, abi::kAddressNames, names, bytes, why))
    return false;
  bool all = true;
  auto *slot = static_cast<const char *>(names), *end = slot + bytes;
  while (all && slot < end) {
    const char *name = slot + strlen(slot) + 1;
    all = isFilled(module, slot, name, why);
    slot = name + strlen(name) + 1;
  }
  free(names);
  return all;
}

/// In the images that are loaded, or else in the next one that runs here; null if none has it.
void *Gpu::findEntry(const char *symbol) {
  addImages();
  for (Module *module = modules; module; module = module->next) {
    if (Reason why; !module->handle && !loadModule(*module, why))
      rt::fatal("%s", why.text);
    void *function = nullptr;
    check(driver.findFunction(module->handle, symbol, function), "looking for the kernel", symbol);
    if (function)
      return function;
  }
  return nullptr;
}

void *Gpu::entry(const rt::KernelInfo &kernel, bool restarts) {
  void *&known = kernel.entries[restarts];
  if (known)
    return known;
  if (!kernel.symbol)
    rt::fatal("the kernel '%s' was compiled for no device; compile its source with --offload-arch=%s, or use "
              "CILK2GPU_DEVICE=native",
              kernel.name, imageArch());
  char symbol[4096];
  int length = snprintf(symbol, sizeof symbol, "%s%s", kernel.symbol, restarts ? abi::kRestartSuffix : "");
  known = size_t(length) < sizeof symbol ? findEntry(symbol) : nullptr;
  if (!known)
    rt::fatal("no image that runs on %s (%s) has the kernel '%s' (%s); compile its source with --offload-arch=%s",
              device.name, device.arch, kernel.name, symbol, imageArch());
  return known;
}

/// A constant of an image's, copied to the host.
bool Gpu::readConstant(const Module &module, const char *symbol, void *&copy, uint64_t &bytes, Reason &why) {
  void *variable = nullptr;
  if (driver.failed(driver.findGlobal(module.handle, symbol, variable, bytes), why))
    return false;
  copy = variable ? malloc(bytes) : nullptr;
  if (!copy) {
    why.set(variable ? "out of memory: '%s' could not be copied" : "it has no '%s'; link the program again", symbol);
    return false;
  }
  return !driver.failed(driver.copyFromDevice(copy, variable, bytes), why);
}

bool Gpu::readPersistentCode(const Module &module, Reason &why) {
  void *names = nullptr, *lanes = nullptr;
  uint64_t bytes = 0;
  if (!readConstant(module, abi::kLaneNames, names, persistent.nameBytes, why) ||
      !readConstant(module, abi::kLaneTable, lanes, bytes, why))
    return false;
  persistent.names = static_cast<const char *>(names);
  persistent.lanes = static_cast<const abi::LaneFn *>(lanes);
  return true;
}

const Gpu::PersistentCode *Gpu::persistentCode() {
  check(driver.makeCurrent(), "using the device", "");
  addImages();
  for (Module *module = modules; module && !persistent.kernel; module = module->next) {
    Reason why;
    if (!module->handle && !loadModule(*module, why))
      rt::fatal("%s", why.text);
    check(driver.findFunction(module->handle, abi::kPersistentKernel, persistent.kernel), "looking for the kernel",
          abi::kPersistentKernel);
    if (persistent.kernel && !readPersistentCode(*module, why))
      rt::fatal("the persistent kernel of the image for %s cannot be used: %s", module->image->arch, why.text);
  }
  return persistent.kernel ? &persistent : nullptr;
}

//===--------------------------------------------------------------------------------------------------------------===//
// Dispatches
//===--------------------------------------------------------------------------------------------------------------===//

void Gpu::failKernel(const char *kernel, Status status) {
  Reason why;
  driver.failed(status, why);
  if (!hostMemory.numFailures())
    rt::fatal("the kernel '%s' failed on %s: %s", kernel, device.name, why.text);
  rt::fatal("the kernel '%s' failed on %s: %s; of the process's memory, %llu ranges are not visible there (the first: "
            "%s)",
            kernel, device.name, why.text, static_cast<unsigned long long>(hostMemory.numFailures()),
            hostMemory.firstFailure().text);
}

/// Writes the launch's record, for memory of the device that has room for it.
void Gpu::prepareLaunch(const rt::TaskInfo &task, bool restarts, const abi::Wave &wave) {
  uint64_t bytes = record.reserve(task);
  if (!bytes)
    rt::fatal("out of memory: a wave of task '%s' could not be written down", task.name);
  if (bytes > recordBytes) {
    if (recordOnDevice)
      check(driver.release(recordOnDevice), "giving memory back", "");
    check(driver.allocateDevice(bytes, recordOnDevice), "allocating memory for waves of task", task.name);
    recordBytes = bytes;
  }
  record.build(task, restarts, wave, reinterpret_cast<uint64_t>(recordOnDevice));
}

/// Does what lanes ask for until `hasEnded(status)` says that all of them have ended, or failed.
template <typename HasEnded> Status Gpu::serveUntil(HasEnded hasEnded) {
  rt::RequestServer server(*requests, device.pageable, device.concurrent);
  for (Status status = {};;) {
    if (hasEnded(status))
      return status;
    if (!server.serve())
      sched_yield();
  }
}

/// Launches a kernel and serves what its lanes ask for until it has ended.
Status Gpu::runKernel(const Launch &launch) {
  bool waits = requests && isBlocking;
  Status status = {};
  if (waits)
    launcher.begin(launch);
  else
    status = launch();
  __atomic_store_n(&numLaunches, numLaunches + 1, __ATOMIC_RELAXED); // read for statistics only
  if (status.code)
    return status;
  if (waits)
    return serveUntil([&](Status &end) { return launcher.hasEnded(end); });
  if (!requests)
    return driver.synchronise();
  return serveUntil([&](Status &end) {
    bool ended = false;
    end = driver.poll(ended);
    return ended || end.code;
  });
}

/// Runs the lanes of the record to their end, and brings it back.
Status Gpu::launch(void *function, uint32_t lanes) {
  uint32_t threads = rt::tunables::kDeviceThreads;
  if (lanes < threads)
    threads = (lanes + wave - 1) / wave * wave;
  Status status = driver.copyToDevice(recordOnDevice, record.data(), record.size());
  if (!status.code)
    status = runKernel({driver.launch, function, (lanes + threads - 1) / threads, threads, recordOnDevice});
  return status.code ? status : driver.copyFromDevice(record.data(), recordOnDevice, record.size());
}

void Gpu::dispatch(void *context, const rt::TaskInfo &task, bool restarts, abi::Wave *wave) {
  Gpu &self = *static_cast<Gpu *>(context);
  const rt::KernelInfo &kernel = task.kernels[wave->kernel];
  self.check(self.driver.makeCurrent(), "using the device", "");
  void *function = self.entry(kernel, restarts);
  self.prepareLaunch(task, restarts, *wave);
  Status status = self.launch(function, wave->lanes);
  if (status.code)
    self.failKernel(kernel.name, status);
  self.record.settle();
}

uint32_t Gpu::residentBlocks(void *kernel, uint32_t threads) {
  uint32_t blocks = 0;
  check(driver.occupancy(kernel, threads, blocks), "asking how many blocks are resident of", abi::kPersistentKernel);
  return blocks;
}

void Gpu::runPersistent(void *kernel, uint32_t blocks, uint32_t threads, void *record) {
  check(driver.makeCurrent(), "using the device", "");
  if (Status status = runKernel({driver.launchTogether, kernel, blocks, threads, record}); status.code)
    failKernel(abi::kPersistentKernel, status);
}

void Gpu::beginRun() {
  checkNotLost();
  if (device.pageable)
    return;
  check(driver.makeCurrent(), "using the device", "");
  Reason why;
  if (!hostMemory.show(driver, blocks.begin(), blocks.size(), why))
    rt::fatal("the program's memory cannot be made visible to %s: %s; use CILK2GPU_DEVICE=native", device.name,
              why.text);
}

void Gpu::endRun() {
  if (device.pageable)
    return;
  check(driver.makeCurrent(), "using the device", "");
  Reason why;
  if (!hostMemory.hide(driver, why))
    rt::fatal("the program's memory could not be taken back from %s: %s", device.name, why.text);
}

} // namespace cilk2gpu::device
