// Dispatches and memory of an opened GPU. GpuChoice.cpp chooses the GPU.
#include "executors/gpu/Gpu.h"
#include "core/Tunables.h"
#include "executors/gpu/CheckedCall.h"
#include "executors/gpu/ProgramMemory.h"
#include "process/Message.h"
#include "process/RequestServer.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

namespace cilk2gpu::device {

void Gpu::check(Status status, const char *doing, const char *subject) const {
  device::check(driver, device, status, doing, subject);
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
  return self.memory.allocate(bytes, align);
}

void Gpu::release(void *context, void *block, uint64_t bytes, uint64_t align) {
  Gpu &self = *static_cast<Gpu *>(context);
  self.check(self.driver.makeCurrent(), "using the device", "");
  self.memory.release(block, bytes, align);
}

void Gpu::write(void *context, void *to, const void *from, uint64_t bytes) {
  Gpu &self = *static_cast<Gpu *>(context);
  self.check(self.driver.makeCurrent(), "using the device", "");
  self.check(self.driver.copyToDevice(to, from, bytes), "copying to the device", "");
}

/// Copies and waits, so that the host may use the memory when the function returns.
void Gpu::copy(void *context, void *to, const void *from, uint64_t bytes) {
  Gpu &self = *static_cast<Gpu *>(context);
  self.check(self.driver.makeCurrent(), "using the device", "");
  self.check(self.driver.copyOnDevice(to, from, bytes), "moving elements", "");
  self.check(self.driver.synchronise(), "moving elements", "");
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

/// Writes the launch record, and allocates memory of the device for it.
void Gpu::prepareLaunch(const rt::TaskInfo &task, bool restarts, const abi::Wave &wave) {
  uint64_t bytes = record.reserve(task);
  if (!bytes)
    rt::fatal("out of memory: the launch record of task '%s' could not be allocated", task.name);
  if (bytes > recordBytes) {
    if (recordOnDevice)
      check(driver.release(recordOnDevice), "freeing memory", "");
    if (bytes > kCopyBytes)
      rt::fatal("task '%s' has too many kernels and targets for a GPU", task.name);
    check(driver.allocateDevice(bytes, recordOnDevice), "allocating memory for waves of task", task.name);
    recordBytes = bytes;
  }
  record.build(task, restarts, wave, reinterpret_cast<uint64_t>(recordOnDevice));
}

/// Serves what lanes ask for. Returns the number of lanes that were served.
uint64_t Gpu::serve() {
  if (!images.requests())
    return 0;
  using rt::ReachableMemory;
  bool hasManaged = device.concurrent && rt::hasManagedHeap();
  ReachableMemory memory = device.pageable ? ReachableMemory::Any
                           : hasManaged    ? ReachableMemory::Managed
                                           : ReachableMemory::None;
  return rt::RequestServer(*images.requests(), memory, device.concurrent).serve();
}

/// Launches a kernel. `isServed`: its lanes may ask for something, so that this thread must not wait in the driver.
Status Gpu::begin(const Launch &launch, bool isServed) {
  Status status = {};
  isLaunchedApart = isServed && isBlocking;
  if (isLaunchedApart)
    launcher.begin(launch);
  else
    status = launch();
  __atomic_store_n(&numLaunches, numLaunches + 1, __ATOMIC_RELAXED); // read for statistics only
  return status;
}

/// Returns whether the kernel has ended, or failed. `status` is then the outcome.
bool Gpu::hasEnded(Status &status) {
  if (isLaunchedApart)
    return launcher.hasEnded(status);
  bool ended = false;
  status = driver.poll(ended);
  return ended || status.code;
}

/// Serves what lanes ask for until all that was launched has ended.
Status Gpu::await() {
  if (!images.requests())
    return driver.synchronise();
  Status status = {};
  while (!hasEnded(status))
    if (!serve())
      sched_yield();
  return status;
}

Status Gpu::runKernel(const Launch &launch) {
  Status status = begin(launch, images.requests());
  return status.code ? status : await();
}

/// Runs the lanes of the launch record to their end, and copies the record back. The host waits once, for the copies
/// and the kernel together, unless launches wait for their kernels.
Status Gpu::launch(void *function, uint32_t lanes) {
  uint32_t threads = rt::tunables::kDeviceThreads;
  if (lanes < threads)
    threads = (lanes + wave - 1) / wave * wave;
  const Launch kernel = {driver.launch, function, (lanes + threads - 1) / threads, threads, recordOnDevice};
  void *copied = nullptr;
  Status status = driver.copyMemory(copied);
  if (status.code)
    return status;
  memcpy(copied, record.data(), record.size());
  status = driver.copyToDeviceLater(recordOnDevice, copied, record.size());
  if (!status.code)
    status = isBlocking ? runKernel(kernel) : begin(kernel, images.requests());
  if (!status.code)
    status = driver.copyFromDeviceLater(copied, recordOnDevice, record.size());
  if (!status.code)
    status = isBlocking ? driver.synchronise() : await();
  memcpy(record.data(), copied, record.size());
  return status;
}

void Gpu::dispatch(void *context, const rt::TaskInfo &task, bool restarts, abi::Wave *wave) {
  Gpu &self = *static_cast<Gpu *>(context);
  const rt::KernelInfo &kernel = task.kernels[wave->kernel];
  self.check(self.driver.makeCurrent(), "using the device", "");
  void *function = self.images.entry(kernel, restarts);
  self.prepareLaunch(task, restarts, *wave);
  Status status = self.launch(function, wave->lanes);
  if (status.code)
    self.failKernel(kernel.name, status);
  self.record.settle();
}

const ImageSet::PersistentCode *Gpu::persistentCode() {
  check(driver.makeCurrent(), "using the device", "");
  return images.persistentCode();
}

uint32_t Gpu::residentBlocks(void *kernel, uint32_t threads) {
  uint32_t blocks = 0;
  check(driver.occupancy(kernel, threads, blocks), "asking how many blocks are resident of", abi::kPersistentKernel);
  return blocks;
}

void Gpu::runPersistent(void *kernel, uint32_t blocks, uint32_t threads, void *record) {
  check(driver.makeCurrent(), "using the device", "");
  memory.moveToDevice(); // the host has written to some of it
  if (Status status = runKernel({driver.launchTogether, kernel, blocks, threads, record}); status.code)
    failKernel(abi::kPersistentKernel, status);
}

bool Gpu::find(const char *kernel, const char *variable, ImageSet::KernelCode &code) {
  check(driver.makeCurrent(), "using the device", "");
  return images.find(kernel, variable, code);
}

void *Gpu::findKernel(const char *kernel) {
  check(driver.makeCurrent(), "using the device", "");
  return images.findKernel(kernel);
}

void Gpu::setVariable(const ImageSet::KernelCode &code, void *pointer) {
  check(driver.makeCurrent(), "using the device", "");
  check(driver.copyToDevice(code.variable, &pointer, sizeof pointer), "setting a variable", "");
}

void Gpu::start(const char *name, const Launch &launch) {
  check(driver.makeCurrent(), "using the device", "");
  check(begin(launch, /*isServed=*/true), "launching", name);
}

bool Gpu::attend(const char *name) {
  Status status = {};
  bool isOver = hasEnded(status);
  if (status.code)
    failKernel(name, status);
  if (!isOver && !serve())
    sched_yield();
  return !isOver;
}

void *Gpu::allocateShared(uint64_t bytes, const char *purpose) {
  void *memory = nullptr;
  check(driver.makeCurrent(), "using the device", "");
  check(driver.allocateShared(bytes, memory), "allocating memory for", purpose);
  return memory;
}

void Gpu::beginRun() {
  checkNotLost();
  if (device.pageable)
    return;
  check(driver.makeCurrent(), "using the device", "");
  check(programMemory().moveToDevice(driver), "moving memory to the device", "");
  reachable.clear();
  bool isListed = programMemory().listAll(reachable);
  for (const HostRange &piece : memory.pieces())
    isListed = isListed && reachable.add(piece.address, piece.bytes);
  if (!isListed)
    rt::fatal("out of memory: the list of device memory could not grow");
  Reason why;
  if (!hostMemory.show(driver, reachable.begin(), reachable.size(), why))
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
