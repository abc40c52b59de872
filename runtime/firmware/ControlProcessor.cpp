// The processor stops when the firmware waits for work, or for an action of the host, and continues after that point.
// Instructions are counted by blocks of translated code. A block always runs as a whole, because no interrupt occurs,
// and no store writes to a page with code.
#include "firmware/ControlProcessor.h"
#include "core/Tunables.h"
#include "process/Message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

namespace cilk2gpu::rt {

/// Index of a task of the firmware that the program does not have.
static constexpr uint64_t kUnbound = ~uint64_t(0);

/// More than any image has: tasks, and characters of a name.
static constexpr uint64_t kMostTasks = uint64_t(1) << 20, kMostText = uint64_t(1) << 20;

/// Bytes of a mapping for the descriptors, which are allocated first, beside the mapping of all other memory.
static constexpr uint64_t kDescriptorsMapping = uint64_t(1) << 20;

/// Most blocks of code that firmware runs before it makes a call that stops it. A copy of a channel with 268 MB takes
/// as many. An image that runs longer has an endless loop.
static constexpr uint64_t kMostBlocks = uint64_t(1) << 25;

/// Blocks of code for which a call counts that does not stop the firmware. The host takes longer for it.
static constexpr uint64_t kBlocksOfCall = 64;

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
  // Descriptors become read-only. The emulator then splits their mapping, and visits all of its pages: so they have a
  // small one.
  uint64_t data = start + contents.codeEnd(), end = base + memory.bytes();
  uint64_t rest = end - data > kDescriptorsMapping ? data + kDescriptorsMapping : end;
  map(data, rest, unicorn::kReadWrite);
  map(rest, end, unicorn::kReadWrite);
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
    if (!static_cast<SharedMemory *>(context)->release(block, bytes))
      fatal("the firmware of CILK2GPU_FIRMWARE has damaged the machine's data: a block of memory that is released was "
            "never allocated; make the image with cilk2gpu --emit=firmware");
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
  sharedBegin = address & ~(page - 1);
  sharedEnd = (address + bytes + page - 1) & ~(page - 1);
  map(sharedBegin, sharedEnd, unicorn::kReadWrite);
}

void ControlProcessor::map(uint64_t first, uint64_t end, uint32_t protection) {
  if (first < end)
    check(library.uc_mem_map_ptr(engine, first, end - first, protection, reinterpret_cast<void *>(first)),
          "uc_mem_map_ptr");
}

//===--------------------------------------------------------------------------------------------------------------===//
// Values of the firmware
//===--------------------------------------------------------------------------------------------------------------===//

bool ControlProcessor::isInGuest(uint64_t address, uint64_t bytes, uint64_t align) const {
  auto isIn = [&](uint64_t begin, uint64_t end) {
    return address >= begin && address <= end && bytes <= end - address;
  };
  uint64_t base = reinterpret_cast<uint64_t>(memory.base());
  return address % align == 0 && (isIn(base, base + memory.bytes()) || isIn(sharedBegin, sharedEnd));
}

void ControlProcessor::refuse(const char *rule) { faulted(rule); }

void ControlProcessor::badAddress(const char *name) {
  char text[120];
  snprintf(text, sizeof text, "it passed an address of %s that is not in its memory", name);
  faulted(text);
}

/// Checks a text that may be null.
void ControlProcessor::checkText(const char *text) {
  if (!text)
    return;
  uint64_t length = 0;
  for (; length < kMostText && isInGuest(reinterpret_cast<uint64_t>(text) + length, 1, 1); ++length)
    if (!text[length])
      return;
  badAddress("a name");
}

/// Checks the addresses in a descriptor, except for those of other tasks.
void ControlProcessor::checkTask(const TaskInfo &task) {
  checkText(task.name);
  checkText(task.location);
  guest(task.element.fields, task.element.numFields, "fields");
  guest(task.targets, task.numTargets, "targets");
  const KernelInfo *kernels = guest(task.kernels, task.numEntries(), "kernels");
  for (uint32_t k = 0; k < task.numEntries(); ++k) {
    checkText(kernels[k].name);
    checkText(kernels[k].symbol);
  }
  uint32_t numAwaited = task.numKernels ? task.numKernels : 1;
  const Closure *awaited = guest(task.awaited, numAwaited, "edges");
  for (uint32_t k = 0; k < numAwaited; ++k)
    checkOptional(awaited[k].words, awaited[k].words ? awaited[k].numWords : 0, "edges");
}

void ControlProcessor::readTasks(TaskInfo *first) {
  for (TaskInfo *task = first; task; task = task->next) {
    guest(task, 1, "a task");
    if (numTasks >= kMostTasks)
      refuse("its list of tasks has no end");
    checkTask(*task);
    if ((numTasks & (numTasks + 1)) == 0) { // 0, 1, 3, 7 ...
      void *larger = realloc(tasks, (2 * numTasks + 2) * sizeof(Task));
      if (!larger)
        fatal("out of memory: the tasks of CILK2GPU_FIRMWARE need more memory");
      tasks = static_cast<Task *>(larger);
    }
    tasks[numTasks++] = {task, nullptr};
  }
  if (!numTasks)
    return;
  qsort(tasks, numTasks, sizeof(Task), [](const void *a, const void *b) {
    const TaskInfo *first = static_cast<const Task *>(a)->own, *second = static_cast<const Task *>(b)->own;
    return first < second ? -1 : first > second;
  });
  for (uint64_t i = 0; i < numTasks; ++i) {
    for (uint32_t t = 0; t < tasks[i].own->numTargets; ++t)
      if (!taskAt(tasks[i].own->targets[t]))
        badAddress("a target");
    tasks[i].own->index = kUnbound;
  }
}

/// Makes all memory that was allocated so far, except for the image, read-only for the firmware. That is the memory of
/// its descriptors.
void ControlProcessor::protectDescriptors() {
  memory.eachBlock([&](uint64_t address, uint64_t bytes) {
    if (address != reinterpret_cast<uint64_t>(image))
      check(library.uc_mem_protect(engine, address, bytes, unicorn::kRead), "uc_mem_protect");
  });
}

const ControlProcessor::Task *ControlProcessor::taskAt(const TaskInfo *own) const {
  uint64_t low = 0, high = numTasks;
  while (low < high) {
    uint64_t middle = (low + high) / 2;
    if (tasks[middle].own == own)
      return &tasks[middle];
    if (tasks[middle].own < own)
      low = middle + 1;
    else
      high = middle;
  }
  return nullptr;
}

const TaskInfo &ControlProcessor::programTask(uint64_t address) {
  const Task *task = taskAt(reinterpret_cast<const TaskInfo *>(address));
  if (!task || !task->program)
    badAddress("a task");
  return *task->program;
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

void ControlProcessor::onBlock(unicorn::Engine *engine, uint64_t address, uint32_t bytes, void *context) {
  ControlProcessor &self = *static_cast<ControlProcessor *>(context);
  uint64_t offset = address - reinterpret_cast<uint64_t>(self.image);
  if (offset >= self.imageBytes || bytes > self.imageBytes - offset)
    return; // a fault follows
  Block &block = self.blocks[offset / 2];
  if (block.bytes != bytes)
    block = {uint16_t(bytes), uint16_t(self.countInstructions(address, bytes))};
  self.asked.instructions += block.instructions;
  if (++self.blocksRun > kMostBlocks)
    self.library.uc_emu_stop(engine); // run() sees the number
}

void ControlProcessor::onInterrupt(unicorn::Engine *engine, uint32_t exception, void *context) {
  ControlProcessor &self = *static_cast<ControlProcessor *>(context);
  if (unicorn::isEcall(exception))
    return self.serve();
  self.library.uc_emu_stop(engine); // `stopped` stays false
}

namespace {

/// A copy of a text at any address. The texts of failures may be constants of the host, which the machine's data name.
struct Text {
  char characters[256] = "";

  /// Copies a text, or its beginning. Returns null for null, and a text of no characters where memory cannot be read.
  const char *copy(const char *text) {
    for (size_t i = 0; text && i + 1 < sizeof characters; ++i) {
      iovec to = {&characters[i], 1}, from = {const_cast<char *>(text + i), 1};
      if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != 1 || !characters[i])
        break;
    }
    characters[sizeof characters - 1] = 0;
    return text ? characters : nullptr;
  }
};

} // namespace

/// Serves a call. Memory is allocated and released while the processor runs; other calls stop it.
void ControlProcessor::serve() {
  blocksRun += kBlocksOfCall;
  auto number = abi::FirmwareCall(get(unicorn::kA7));
  uint64_t first = get(unicorn::kA0), second = get(unicorn::kA1), third = get(unicorn::kA2);
  switch (number) {
  case abi::FirmwareCall::Allocate:
    return set(unicorn::kA0, reinterpret_cast<uint64_t>(memory.allocate(first, second)));
  case abi::FirmwareCall::Release:
    if (first == reinterpret_cast<uint64_t>(image) || !memory.release(reinterpret_cast<void *>(first), second))
      refuse("it released memory that was not allocated");
    return;
  case abi::FirmwareCall::Fail: {
    Failure failure = *guest<Failure>(first, 1, "a failure");
    if (failure.kind > FailureKind::InternalError)
      refuse("it reported a failure that does not exist");
    Text what, subject;
    failure.what = what.copy(failure.what);
    failure.subject = subject.copy(failure.subject);
    return failOnHost(nullptr, failure);
  }
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
  asked.instructions = blocksRun = 0;
  int error = library.uc_emu_start(engine, get(unicorn::kProgramCounter), 0, 0, 0);
  if (error)
    faulted(library.uc_strerror(error));
  if (!stopped && blocksRun > kMostBlocks)
    refuse("it runs without an end");
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
  environment.allocate = own.allocate;
  environment.release = own.release;
  environment.fail = own.fail;
  environment.device = host.device ? own.device : nullptr;
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
  const abi::FirmwareReady ready = *guest<abi::FirmwareReady>(call.arguments[0], 1, "its tasks");
  own = *guest(static_cast<const Environment *>(ready.environment), 1, "its environment");
  readTasks(static_cast<TaskInfo *>(ready.tasks));
  protectDescriptors();
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
      a.numTargets != b.numTargets || a.bytes != b.bytes || a.frame.size != b.frame.size ||
      a.frame.align != b.frame.align || a.frame.inColumns != b.frame.inColumns)
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
  for (uint64_t i = 0; i < numTasks; ++i)
    if (tasks[i].program == &task)
      return tasks[i].own;
  return nullptr;
}

/// Gives a task of the firmware the index and the kernels that it has in the program. Statistics use this index.
void ControlProcessor::bind(const TaskInfo &task) {
  for (uint64_t i = 0; i < numTasks; ++i) {
    TaskInfo *own = tasks[i].own;
    if (tasks[i].program || !isSame(*own, task))
      continue;
    tasks[i].program = &task;
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
