// Chooses a device. Each reason for a failure names the devices of the machine, what is missing, and the remedy.
#include "core/Tunables.h"
#include "executors/gpu/Gpu.h"
#include "executors/gpu/Suitability.h"
#include "process/Images.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace cilk2gpu::device {

using rt::NameList;

namespace {
/// Returns the architectures that the program was compiled for.
NameList compiledFor() {
  NameList result;
  for (uint64_t i = 0; i < rt::imageCount(); ++i)
    result.add(rt::image(i).arch);
  return result;
}

/// As Driver::failed, for calls that fail if there is no device (error 100 of CUDA and HIP) or no usable device (101).
bool failedToFind(const Driver &driver, Status status, Reason &why) {
  Reason error;
  if (!driver.failed(status, error))
    return false;
  bool isNone = status.code == 100 || status.code == 101;
  if (isNone)
    why.set("%s finds no device (%s)", driver.product, error.text);
  else
    why = error;
  return true;
}

bool runsOn(const Driver &driver, const DeviceFacts &facts) {
  for (uint64_t i = 0; i < rt::imageCount(); ++i)
    if (rt::image(i).kind == driver.images && suitability(driver.images, rt::image(i).arch, facts.arch))
      return true;
  return false;
}

/// Gives a device without a name a name for messages.
void completeName(DeviceFacts &facts) {
  if (!*facts.name)
    snprintf(facts.name, sizeof facts.name, "%s", *facts.arch ? facts.arch : "a device");
}

/// The devices that can run none of the program's images.
class Candidates {
public:
  void add(const Driver &driver, DeviceFacts &device) {
    char item[sizeof device.name + sizeof device.arch + 4];
    bool isSaid = *device.arch && strcmp(device.arch, device.name);
    snprintf(item, sizeof item, isSaid ? "%s (%s)" : "%s", device.name, device.arch);
    there.add(item);
    device.arch[strcspn(device.arch, ":")] = 0;
    isRefused |= rt::refusedArchitectures().has(device.arch);
    Advice advice = adviceFor(driver.images, device.arch);
    if (*advice.arch)
      wanted.add(advice.arch);
    else if (supportOf(device.arch) == Support::TooOld)
      tooOld.add(device.arch);
  }

  /// Sets the reason. The remedy names the architectures to compile for.
  void explain(Reason &why) const {
    NameList images = compiledFor();
    const char *compiled = images.isEmpty() ? "no device" : images.text;
    if (isRefused)
      why.set("the program was compiled for %s, but the machine has %s; its tasks cannot run on %s, as the compiler's "
              "warnings say",
              compiled, there.text, rt::refusedArchitectures().text);
    else if (!wanted.isEmpty())
      why.set("the program was compiled for %s, but the machine has %s; compile it with --offload-arch=%s", compiled,
              there.text, wanted.text);
    else if (!tooOld.isEmpty())
      why.set("the program was compiled for %s, but the machine has %s; tasks cannot run on a GPU as old as %s",
              compiled, there.text, tooOld.text);
    else
      why.set("the program was compiled for %s, but the machine has %s, which this version of cilk2gpu does not know",
              compiled, there.text);
  }

private:
  NameList there, wanted{","}, tooOld;
  bool isRefused = false;
};

/// Returns whether an environment variable makes launches return only when the kernel has ended.
bool launchesBlock(const Driver &driver) {
  for (const BlockingVariable *each = driver.blocking; each->name; ++each)
    if (const char *value = getenv(each->name); value && (strtol(value, nullptr, 0) & each->bits))
      return true;
  return false;
}
} // namespace

bool Gpu::chooseDevice(Reason &why) {
  int count = 0;
  if (failedToFind(driver, driver.countDevices(count), why))
    return false;
  Candidates candidates;
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    if (driver.failed(driver.facts(ordinal, device), why))
      return false;
    completeName(device);
    if (runsOn(driver, device)) {
      chosen = ordinal;
      return true;
    }
    candidates.add(driver, device);
  }
  if (count == 0)
    why.set("%s finds no device", driver.product);
  else
    candidates.explain(why);
  return false;
}

bool Gpu::prepare(uint64_t stack, bool isPersistent, Reason &why) {
  if (!device.managed) {
    why.set("%s has no managed memory, which channels and frames need", device.name);
    return false;
  }
  if (!device.pageable && !device.sameAddress) {
    why.set("tasks have pointers to the host's memory, which has other addresses on %s", device.name);
    return false;
  }
  if (driver.failed(driver.open(chosen), why))
    return false;
  bool unsupported = false;
  LaneResources lanes = {.stackBytes = stack ? stack : rt::tunables::kDeviceStack,
                         .registers = isPersistent ? rt::tunables::kPersistentRegisters : 0};
  Status limit = driver.setStack(lanes.stackBytes, unsupported);
  if ((stack || !unsupported) && driver.failed(limit, why))
    return false;
  own.elides = lanes.isStackLimited = !unsupported;
  isBlocking = launchesBlock(driver);
  if (!images.open(lanes, why))
    return false;
  wave = images.bestWaveSize();
  // This call fails for a device that claims to have managed memory and has none.
  uint64_t total = 0;
  void *memory = nullptr;
  if (driver.failed(driver.memoryInfo(freeBytes, total), why))
    return false;
  this->memory.setFree(freeBytes);
  return !driver.failed(driver.allocate(rt::tunables::kArenaFirstChunk, memory), why) &&
         !driver.failed(driver.release(memory), why);
}

bool Gpu::open(const char *library, uint64_t stackBytes, bool isPersistent, Reason &why) {
  hostMemory.beginOpening();
  bool isOpen = driver.load(library, why) && !failedToFind(driver, driver.initialise(), why) &&
                !driver.failed(driver.version(version), why) && chooseDevice(why) &&
                prepare(stackBytes, isPersistent, why);
  hostMemory.endOpening();
  return isOpen;
}

} // namespace cilk2gpu::device
