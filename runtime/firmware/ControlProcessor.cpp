// The processor stops when the firmware waits for work, or for an action of the host, and continues after that point.
// Instructions are counted by blocks of translated code. A block always runs as a whole, because no interrupt occurs,
// and no store writes to a page with code.
#include "firmware/ControlProcessor.h"
#include "core/Tunables.h"
#include "process/Message.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace cilk2gpu::rt {

/// Index of a task of the firmware that the program does not have.
static constexpr uint64_t kUnbound = ~uint64_t(0);

ControlProcessor::ControlProcessor(const char *file, const char *libraryPath, Environment &environment)
    : file(file), library(libraryPath), memory(tunables::kFirmwareMemory, tunables::kFirmwareMemory >> 10) {
  ImageFile contents(file);
  imageBytes = contents.bytes();
  image = memory.base() ? static_cast<char *>(memory.allocate(imageBytes, SharedMemory::kPage)) : nullptr;
  blocks = static_cast<Block *>(calloc(imageBytes / 2 + 1, sizeof(Block)));
  if (!image || !blocks)
    fatal("out of memory: the control processor's memory for CILK2GPU_FIRMWARE could not be reserved");
  check(library.uc_open(unicorn::kArchRiscv, unicorn::kModeRiscv64, &engine), "uc_open");
  uint64_t base = reinterpret_cast<uint64_t>(memory.base()), start = reinterpret_cast<uint64_t>(image);
  map(base, start + contents.codeBegin(), unicorn::kReadWrite);
  map(start + contents.codeBegin(), start + contents.codeEnd(), unicorn::kReadExecute);
  map(start + contents.codeEnd(), base + memory.bytes(), unicorn::kReadWrite);
  unicorn::Hook hook;
  auto *block = reinterpret_cast<void *>(onBlock), *interrupt = reinterpret_cast<void *>(onInterrupt);
  check(library.uc_hook_add(engine, &hook, unicorn::kHookBlock, block, this, 1, 0), "uc_hook_add");
  check(library.uc_hook_add(engine, &hook, unicorn::kHookInterrupt, interrupt, this, 1, 0), "uc_hook_add");
  set(unicorn::kProgramCounter, contents.load(image));
  environment.context = &memory;
  environment.allocate = [](void *context, uint64_t bytes, uint64_t align) {
    return static_cast<SharedMemory *>(context)->allocate(bytes, align);
  };
  environment.release = [](void *context, void *block, uint64_t bytes, uint64_t) {
    static_cast<SharedMemory *>(context)->release(block, bytes);
  };
  environment.allocateFrames = nullptr; // frames are in the shared memory
  environment.releaseFrames = nullptr;
}

void ControlProcessor::check(int error, const char *call) {
  if (error)
    fatal("CILK2GPU_FIRMWARE: libunicorn's %s failed: error %d, %s", call, error, library.uc_strerror(error));
}

void ControlProcessor::faulted(const char *what) {
  fatal("the firmware %s (CILK2GPU_FIRMWARE) stopped at address %#llx: %s", file,
        (unsigned long long)(get(unicorn::kProgramCounter) - reinterpret_cast<uint64_t>(image) + abi::kFirmwareBase),
        what);
}

uint64_t ControlProcessor::get(int number) {
  uint64_t value = 0;
  check(library.uc_reg_read(engine, number, &value), "uc_reg_read");
  return value;
}

void ControlProcessor::share(const void *object, uint64_t bytes) {
  uint64_t page = uint64_t(sysconf(_SC_PAGESIZE)), address = reinterpret_cast<uint64_t>(object);
  uint64_t first = address & ~(page - 1), end = (address + bytes + page - 1) & ~(page - 1);
  map(first, end, unicorn::kReadWrite);
}

void ControlProcessor::map(uint64_t first, uint64_t end, uint32_t protection) {
  if (first < end)
    check(library.uc_mem_map_ptr(engine, first, end - first, protection, reinterpret_cast<void *>(first)),
          "uc_mem_map_ptr");
}

//===--------------------------------------------------------------------------------------------------------------===//
// Running
//===--------------------------------------------------------------------------------------------------------------===//

/// Counts instructions. An instruction takes two bytes, or four if the two lowest bits of its first byte are ones.
uint64_t ControlProcessor::countInstructions(uint64_t address, uint64_t bytes) const {
  uint64_t count = 0;
  for (const unsigned char *at = reinterpret_cast<unsigned char *>(address), *end = at + bytes; at < end; ++count)
    at += (*at & 3) == 3 ? 4 : 2;
  return count;
}

void ControlProcessor::onBlock(unicorn::Engine *, uint64_t address, uint32_t bytes, void *context) {
  ControlProcessor &self = *static_cast<ControlProcessor *>(context);
  uint64_t offset = address - reinterpret_cast<uint64_t>(self.image);
  if (offset >= self.imageBytes || bytes > self.imageBytes - offset)
    return; // a fault follows
  Block &block = self.blocks[offset / 2];
  if (block.bytes != bytes)
    block = {uint16_t(bytes), uint16_t(self.countInstructions(address, bytes))};
  self.asked.instructions += block.instructions;
}

void ControlProcessor::onInterrupt(unicorn::Engine *engine, uint32_t exception, void *context) {
  ControlProcessor &self = *static_cast<ControlProcessor *>(context);
  if (unicorn::isEcall(exception))
    return self.serve();
  self.library.uc_emu_stop(engine); // `stopped` stays false
}

/// Serves a call. Memory is allocated and released while the processor runs; other calls stop it.
void ControlProcessor::serve() {
  auto number = abi::FirmwareCall(get(unicorn::kA7));
  uint64_t first = get(unicorn::kA0), second = get(unicorn::kA1), third = get(unicorn::kA2);
  switch (number) {
  case abi::FirmwareCall::Allocate:
    return set(unicorn::kA0, reinterpret_cast<uint64_t>(memory.allocate(first, second)));
  case abi::FirmwareCall::Release:
    return memory.release(reinterpret_cast<void *>(first), second);
  case abi::FirmwareCall::Fail:
    failOnHost(nullptr, *reinterpret_cast<Failure *>(first));
    return;
  default:
    asked = {number, {first, second, third}, asked.instructions};
    stopped = true;
    library.uc_emu_stop(engine);
  }
}

void ControlProcessor::refuseCall() { faulted("an exception, or a call that does not exist"); }

/// Runs until the firmware makes a call that stops the processor.
ControlProcessor::Call ControlProcessor::run() {
  stopped = false;
  asked.instructions = 0;
  int error = library.uc_emu_start(engine, get(unicorn::kProgramCounter), 0, 0, 0);
  if (error)
    faulted(library.uc_strerror(error));
  if (!stopped)
    refuseCall();
  instructions.firmware_instructions += asked.instructions;
  return asked;
}

void ControlProcessor::give(abi::FirmwareWork kind, const void *first, const void *second) {
  set(unicorn::kA0, uint64_t(kind));
  set(unicorn::kA1, reinterpret_cast<uint64_t>(first));
  set(unicorn::kA2, reinterpret_cast<uint64_t>(second));
}

ControlProcessor::Call ControlProcessor::resume(Environment &environment) {
  const Environment host = environment;
  environment.allocate = own->allocate;
  environment.release = own->release;
  environment.fail = own->fail;
  environment.device = host.device ? own->device : nullptr;
  Call call = run();
  environment = host;
  return call;
}

//===--------------------------------------------------------------------------------------------------------------===//
// Tasks
//===--------------------------------------------------------------------------------------------------------------===//

void ControlProcessor::boot(const TaskTable &table) {
  Call call = run();
  if (call.number != abi::FirmwareCall::Ready)
    refuseCall();
  instructions.firmware_boot = call.instructions;
  const auto &ready = *reinterpret_cast<const abi::FirmwareReady *>(call.arguments[0]);
  tasks = static_cast<TaskInfo *>(ready.tasks);
  own = static_cast<const Environment *>(ready.environment);
  for (TaskInfo *task = tasks; task; task = task->next)
    task->index = kUnbound;
  for (const TaskInfo *task = table.first(); task; task = task->next)
    bind(*task);
  for (const TaskInfo *task = table.first(); task; task = task->next)
    checkTargets(*task);
}

static bool equal(const char *a, const char *b) { return a && b ? !strcmp(a, b) : a == b; }

/// Returns whether both descriptors are equal except for the addresses of kernels.
static bool isSame(const TaskInfo &a, const TaskInfo &b) {
  if (!equal(a.name, b.name) || !equal(a.location, b.location) || a.element.numFields != b.element.numFields ||
      a.numKernels != b.numKernels || a.hasElision != b.hasElision || a.kind != b.kind || a.capacity != b.capacity ||
      a.numTargets != b.numTargets || a.frame.size != b.frame.size || a.frame.align != b.frame.align ||
      a.frame.inColumns != b.frame.inColumns)
    return false;
  for (uint32_t f = 0; f < a.element.numFields; ++f)
    if (a.element.fields[f].size != b.element.fields[f].size || a.element.fields[f].align != b.element.fields[f].align)
      return false;
  for (uint32_t k = 0; k < a.numKernels; ++k)
    if (!equal(a.kernels[k].name, b.kernels[k].name) || !a.kernels[k].resume != !b.kernels[k].resume)
      return false;
  for (uint32_t t = 0; t < a.numTargets; ++t)
    if (!equal(a.targets[t]->name, b.targets[t]->name))
      return false;
  return true;
}

TaskInfo *ControlProcessor::match(const TaskInfo &task) const {
  for (TaskInfo *own = tasks; own; own = own->next)
    if (own->index == task.index)
      return own;
  return nullptr;
}

/// Gives a task of the firmware the index and the kernels that it has in the program. Statistics use this index.
void ControlProcessor::bind(const TaskInfo &task) {
  for (TaskInfo *own = tasks; own; own = own->next) {
    if (own->index != kUnbound || !isSame(*own, task))
      continue;
    own->index = task.index;
    for (uint32_t k = 0; k < task.numEntries(); ++k)
      own->kernels[k] = task.kernels[k];
    return;
  }
  fatal("CILK2GPU_FIRMWARE=%s has no task '%s' that equals this program's; make it with cilk2gpu --emit=firmware from "
        "all "
        "of the program's source files, with the options that the program was compiled with",
        file, task.name);
}

/// Refuses tasks that cannot be distinguished: tasks with one name in several units may have equal descriptors.
void ControlProcessor::checkTargets(const TaskInfo &task) {
  const TaskInfo *own = match(task);
  for (uint32_t t = 0; t < task.numTargets; ++t)
    if (own->targets[t]->index != task.targets[t]->index)
      fatal("CILK2GPU_FIRMWARE=%s: several tasks '%s' of the program cannot be told apart; give them different names, "
            "or name the source files in the order in which they are linked",
            file, task.targets[t]->name);
}

const TaskInfo *ControlProcessor::find(const TaskInfo *task) {
  if (const TaskInfo *found = match(*task))
    return found;
  // A library that the program opened registered the task after the start, together with other tasks.
  for (const TaskInfo *late = task; late; late = late->next)
    if (!match(*late))
      bind(*late);
  for (const TaskInfo *late = task; late; late = late->next)
    checkTargets(*late);
  return match(*task);
}

} // namespace cilk2gpu::rt
