// Loads images. Each step that can fail sets a reason. The first reason ends the process, or rules out the device.
#include "executors/gpu/ImageSet.h"
#include "core/Tunables.h"
#include "executors/gpu/CheckedCall.h"
#include "executors/gpu/Suitability.h"
#include "process/Images.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace cilk2gpu::device {

bool ImageSet::open(const LaneResources &resources, Reason &why) {
  lanes = resources;
  addImages();
  return loadModule(*modules, why);
}

const char *ImageSet::bestArch() const { return modules->image->arch; }

uint32_t ImageSet::bestWaveSize() const { return modules->image->waveSize; }

/// Adds the images that were registered since the last call and that the device can run.
void ImageSet::addImages() {
  for (uint64_t count = rt::imageCount(); seenImages < count; ++seenImages) {
    const abi::ImageRecord &image = rt::image(seenImages);
    uint32_t suits = image.kind == driver.images ? suitability(image.kind, image.arch, device.arch) : 0;
    if (suits)
      addModule(image, suits);
  }
}

ImageSet::~ImageSet() {
  while (Module *module = modules) {
    modules = module->next;
    free(module);
  }
}

/// Adds an image behind the images that suit the device better or as well.
void ImageSet::addModule(const abi::ImageRecord &image, uint32_t suits) {
  Module **at = &modules;
  while (*at && (*at)->suitability >= suits)
    at = &(*at)->next;
  auto *module = static_cast<Module *>(malloc(sizeof(Module)));
  if (!module)
    rt::fatal("out of memory: %zu bytes for a device image could not be allocated", sizeof(Module));
  *module = {&image, suits, nullptr, *at};
  *at = module;
}

/// Returns true if the kernels' code states the size of each lane's stack. Otherwise sets the reason.
bool ImageSet::isShallow(const Module &module, Reason &why) {
  void *mark = nullptr;
  uint64_t bytes = 0;
  if (driver.failed(driver.findGlobal(module.handle, abi::kDeepStack, mark, bytes), why))
    return false;
  if (mark)
    why.set("tasks call functions that are recursive, are called through pointers, or have arrays of variable size; "
            "the size of the lanes' stacks must be set for them, which this version of %s cannot do (ROCm can since "
            "5.3)",
            driver.product);
  return !mark;
}

/// Sets the part of the stack that tasks of an image may use, if they may recurse. The rest is for the functions that
/// they call.
bool ImageSet::boundStack(const Module &module, Reason &why) {
  void *variable = nullptr;
  uint64_t bytes = 0, usable = lanes.stackBytes - lanes.stackBytes / 8 - rt::tunables::kUncheckedStack;
  if (driver.failed(driver.findGlobal(module.handle, abi::kStackBytes, variable, bytes), why))
    return false;
  if (!variable || !lanes.isStackLimited || usable > lanes.stackBytes)
    return true;
  return !driver.failed(driver.copyToDevice(variable, &usable, sizeof usable), why);
}

bool ImageSet::loadModule(Module &module, Reason &why) {
  const abi::ImageRecord &image = *module.image;
  char log[512] = "";
  Reason error;
  if (driver.failed(driver.loadModule(image, lanes.registers, module.handle, log, sizeof log), error)) {
    log[strcspn(log, "\n")] = 0; // one line
    why.set("the image for %s could not be loaded on %s: %s%s%s", image.arch, device.name, error.text, *log ? "; " : "",
            log);
    return false;
  }
  for (uint64_t i = 0; i < image.numAddresses; ++i)
    if (!setAddress(module, image.addresses[i], error)) {
      why.set("the image for %s cannot be used, because the address of '%s' could not be set: %s", image.arch,
              image.addresses[i].symbol, error.text);
      return false;
    }
  if (!hasAddresses(module, error)) {
    why.set("the image for %s cannot be used: %s", image.arch, error.text);
    return false;
  }
  if (!lanes.isStackLimited && !isShallow(module, why))
    return false;
  if (!boundStack(module, error)) {
    why.set("the image for %s cannot be used, because the size of the lanes' stacks could not be set: %s", image.arch,
            error.text);
    return false;
  }
  if (!connectRequests(module, error)) {
    why.set("the image for %s cannot be used, because the address of the request queue could not be set: %s",
            image.arch, error.text);
    return false;
  }
  return true;
}

/// Sets the address of the request queue in an image whose lanes make requests.
bool ImageSet::connectRequests(const Module &module, Reason &why) {
  void *variable = nullptr;
  uint64_t bytes = 0;
  if (driver.failed(driver.findGlobal(module.handle, CILK2GPU_REQUESTS_SYMBOL, variable, bytes), why))
    return false;
  if (!variable)
    return true;
  if (!queue) {
    void *memory = nullptr;
    if (driver.failed(driver.allocateShared(sizeof(abi::RequestQueue), memory), why))
      return false;
    queue = static_cast<abi::RequestQueue *>(memory);
    memset(queue, 0, sizeof *queue);
  }
  return !driver.failed(driver.copyToDevice(variable, &queue, sizeof queue), why);
}

/// Sets the host's address of an object in an image. The image may lack the slot of a variable that its kernels do not
/// use.
bool ImageSet::setAddress(const Module &module, const abi::AddressRecord &record, Reason &why) {
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

/// Returns whether a slot has the address of `name`.
bool ImageSet::isFilled(const Module &module, const char *slot, const char *name, Reason &why) {
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

/// Returns whether all slots that kernels read were filled. A kernel would use null as an address otherwise.
bool ImageSet::hasAddresses(const Module &module, Reason &why) {
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

/// Looks for the kernel in the loaded images, then in the others. Returns null if no image has it.
void *ImageSet::findEntry(const char *symbol, const Module **in) {
  addImages();
  for (Module *module = modules; module; module = module->next) {
    if (Reason why; !module->handle && !loadModule(*module, why))
      rt::fatal("%s", why.text);
    void *function = nullptr;
    check(driver, device, driver.findFunction(module->handle, symbol, function), "looking for the kernel", symbol);
    if (function && in)
      *in = module;
    if (function)
      return function;
  }
  return nullptr;
}

bool ImageSet::find(const char *kernel, const char *variable, KernelCode &code) {
  const Module *module = nullptr;
  uint64_t bytes = 0;
  code.kernel = findEntry(kernel, &module);
  if (!code.kernel)
    return false;
  check(driver, device, driver.findGlobal(module->handle, variable, code.variable, bytes), "looking for the variable",
        variable);
  if (!code.variable)
    rt::fatal("the image for %s has the kernel '%s' but no variable '%s'; link the program again", module->image->arch,
              kernel, variable);
  return true;
}

void *ImageSet::entry(const rt::KernelInfo &kernel, bool restarts) {
  void *&known = kernel.entries[restarts];
  if (known)
    return known;
  if (!kernel.symbol)
    rt::fatal("the kernel '%s' was compiled for no device; compile its source with --offload-arch=%s, or use "
              "CILK2GPU_DEVICE=native",
              kernel.name, bestArch());
  char symbol[4096];
  int length = snprintf(symbol, sizeof symbol, "%s%s", kernel.symbol, restarts ? abi::kRestartSuffix : "");
  known = size_t(length) < sizeof symbol ? findEntry(symbol) : nullptr;
  if (!known)
    rt::fatal("no image that runs on %s (%s) has the kernel '%s' (%s); compile its source with --offload-arch=%s",
              device.name, device.arch, kernel.name, symbol, bestArch());
  return known;
}

/// Copies a constant of an image to the host.
bool ImageSet::readConstant(const Module &module, const char *symbol, void *&copy, uint64_t &bytes, Reason &why) {
  void *variable = nullptr;
  if (driver.failed(driver.findGlobal(module.handle, symbol, variable, bytes), why))
    return false;
  copy = variable ? malloc(bytes) : nullptr;
  if (!copy) {
    why.set(variable ? "out of memory: '%s' could not be copied" : "it does not define '%s'; link the program again",
            symbol);
    return false;
  }
  return !driver.failed(driver.copyFromDevice(copy, variable, bytes), why);
}

bool ImageSet::readPersistentCode(const Module &module, Reason &why) {
  void *names = nullptr, *table = nullptr;
  uint64_t bytes = 0;
  if (!readConstant(module, abi::kLaneNames, names, persistent.nameBytes, why) ||
      !readConstant(module, abi::kLaneTable, table, bytes, why))
    return false;
  persistent.names = static_cast<const char *>(names);
  persistent.lanes = static_cast<const abi::LaneFn *>(table);
  return true;
}

const ImageSet::PersistentCode *ImageSet::persistentCode() {
  addImages();
  for (Module *module = modules; module && !persistent.kernel; module = module->next) {
    Reason why;
    if (!module->handle && !loadModule(*module, why))
      rt::fatal("%s", why.text);
    check(driver, device, driver.findFunction(module->handle, abi::kPersistentKernel, persistent.kernel),
          "looking for the kernel", abi::kPersistentKernel);
    if (persistent.kernel && !readPersistentCode(*module, why))
      rt::fatal("the persistent kernel of the image for %s cannot be used: %s", module->image->arch, why.text);
  }
  return persistent.kernel ? &persistent : nullptr;
}

} // namespace cilk2gpu::device
