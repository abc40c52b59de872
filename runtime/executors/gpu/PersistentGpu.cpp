// See PersistentGpu.h.
#include "executors/gpu/PersistentGpu.h"
#include "process/HostEnvironment.h"
#include "process/Message.h"

#include <new>
#include <stdlib.h>
#include <string.h>

namespace cilk2gpu::device {

using rt::tunables::kDeviceThreads, rt::tunables::kLeastReserve, rt::tunables::kReservedTurns,
    rt::tunables::kReservePart, rt::tunables::kReserveSlack;

PersistentGpu::PersistentGpu(Gpu &gpu, const rt::Limits &limits, const rt::MemoryBudget &most, uint32_t workers)
    : gpu(gpu), limits(limits), code(gpu.persistentCode()), own(rt::hostEnvironment()) {
  if (!code)
    rt::fatal("CILK2GPU_AGGREGATOR=persistent: the image for %s has no persistent kernel; link the program with "
              "-foffload-persistent, or use CILK2GPU_AGGREGATOR=host",
              gpu.imageArch());
  placeRecord(most);
  chooseGrid(workers);
}

/// Makes the record in managed memory. It is the context of the functions that allocate memory for the host and the
/// kernel.
void PersistentGpu::placeRecord(const rt::MemoryBudget &most) {
  record = new (gpu.allocateManaged(sizeof(PersistentRecord))) PersistentRecord();
  record->wave = gpu.waveSize();
  auto &source = record->budgetSource;
  strncpy(source, most.source, sizeof source - 1);
  record->memory.budget = {0, 0, source};
  record->memory.most = most.cap;
  own.context = record;
  own.allocate = [](void *context, uint64_t bytes, uint64_t align) {
    return static_cast<PersistentRecord *>(context)->memory.pages.allocate(bytes, align);
  };
  own.release = [](void *context, void *memory, uint64_t bytes, uint64_t) {
    static_cast<PersistentRecord *>(context)->memory.pages.release(memory, bytes);
  };
  own.budget = &record->memory.budget;
  own.device = &record->hooks;
  record->hooks = {record,
                   nullptr,
                   own.allocate,
                   own.release,
                   [](void *, void *to, const void *from, uint64_t bytes) { memcpy(to, from, bytes); },
                   nullptr,
                   nullptr,
                   gpu.hooks()->elides};
  reserve();
}

/// Chooses the number of blocks: at most as many as can be resident at one time. The aggregator has a wavefront in
/// addition to the workers.
void PersistentGpu::chooseGrid(uint32_t workers) {
  uint32_t each = kDeviceThreads / gpu.waveSize(), resident = gpu.residentBlocks(code->kernel, kDeviceThreads);
  if (!resident)
    rt::fatal(
        "CILK2GPU_AGGREGATOR=persistent: no block of the persistent kernel fits on %s; use CILK2GPU_AGGREGATOR=host",
        gpu.facts().name);
  uint64_t wavefronts = uint64_t(resident) * each;
  if (wavefronts > Board::kMostWorkers)
    wavefronts = Board::kMostWorkers;
  if (workers && workers + 1 < wavefronts)
    wavefronts = workers + 1;
  blocks = uint32_t((wavefronts + each - 1) / each);
  record->mostWorkers = uint32_t(wavefronts - 1);
}

//===--------------------------------------------------------------------------------------------------------------===//
// Memory
//===--------------------------------------------------------------------------------------------------------------===//

/// Reserves as much memory as the next turn may need, and at first as much as several turns need. Headers of blocks,
/// and gaps that are too small for a block, need additional memory.
void PersistentGpu::reserve() {
  PersistentRecord::Memory &memory = record->memory;
  while (!memory.budget.cap || memory.isShort()) {
    uint64_t before = memory.budget.cap, wanted = before ? 2 * before : kLeastReserve;
    if (wanted < kReservedTurns * memory.turn)
      wanted = kReservedTurns * memory.turn;
    memory.budget.cap = wanted < memory.most ? wanted : memory.most;
    uint64_t added = memory.budget.cap - before;
    added = rt::PageRuns::wholePages(added + added / kReservePart + kReserveSlack);
    memory.pages.add(gpu.allocateManaged(added), added);
  }
}

//===--------------------------------------------------------------------------------------------------------------===//
// Tasks
//===--------------------------------------------------------------------------------------------------------------===//

const char *PersistentGpu::copy(const char *text) {
  return text ? static_cast<const char *>(memcpy(allocate<char>(strlen(text) + 1), text, strlen(text) + 1)) : nullptr;
}

/// Returns the address on the device of the kernel's function for a lane.
abi::LaneFn PersistentGpu::laneOf(const rt::KernelInfo &kernel) const {
  uint64_t number = 0;
  for (const char *name = code->names; name < code->names + code->nameBytes; name += strlen(name) + 1, ++number)
    if (kernel.symbol && !strcmp(name, kernel.symbol))
      return code->lanes[number];
  rt::fatal("CILK2GPU_AGGREGATOR=persistent: the image for %s that has the persistent kernel does not have the kernel "
            "'%s'; link all files with tasks, compiled with --offload-arch=%s, into one program, or use "
            "CILK2GPU_AGGREGATOR=host",
            gpu.imageArch(), kernel.name, gpu.imageArch());
}

rt::TaskInfo *&PersistentGpu::copyOf(const rt::TaskInfo &task) {
  if (task.index >= numCopies) {
    uint64_t size = task.index + 1 > 2 * numCopies ? task.index + 1 : 2 * numCopies;
    copies = static_cast<rt::TaskInfo **>(realloc(copies, size * sizeof(rt::TaskInfo *)));
    if (!copies)
      rt::fatal("out of memory: a list of %llu tasks could not be allocated", static_cast<unsigned long long>(size));
    memset(copies + numCopies, 0, (size - numCopies) * sizeof(rt::TaskInfo *));
    numCopies = size;
  }
  return copies[task.index];
}

rt::TaskInfo *PersistentGpu::copy(const rt::TaskInfo &task) {
  rt::TaskInfo *result = allocate<rt::TaskInfo>(1);
  *result = task;
  result->next = nullptr;
  result->name = copy(task.name);
  result->location = copy(task.location);
  auto *fields = allocate<abi::FieldRecord>(task.element.numFields);
  memcpy(fields, task.element.fields, task.element.numFields * sizeof *fields);
  result->element.fields = fields;
  result->kernels = allocate<rt::KernelInfo>(task.numEntries());
  for (uint32_t k = 0; k < task.numEntries(); ++k) {
    result->kernels[k] = task.kernels[k];
    result->kernels[k].name = copy(task.kernels[k].name);
    result->kernels[k].lane = laneOf(task.kernels[k]);
  }
  result->targets = allocate<rt::TaskInfo *>(task.numTargets);
  auto *awaited = allocate<rt::Closure>(task.numKernels);
  for (uint32_t k = 0; k < task.numKernels; ++k) {
    const rt::Closure &closure = task.awaited[k];
    auto *words = allocate<uint64_t>(closure.numWords);
    if (closure.numWords)
      memcpy(words, closure.words, closure.numWords * sizeof *words);
    awaited[k] = {words, closure.numWords, closure.isEverything};
  }
  result->awaited = awaited;
  record->memory.turn += rt::turnBound(task, limits);
  return result;
}

/// Copies a task before the tasks that it spawns, because they may spawn it. The depth of this recursion is at most the
/// number of tasks.
const rt::TaskInfo *PersistentGpu::find(const rt::TaskInfo *task) {
  rt::TaskInfo *known = copyOf(*task);
  if (!known) {
    known = copyOf(*task) = copy(*task);
    for (uint32_t t = 0; t < task->numTargets; ++t)
      known->targets[t] = const_cast<rt::TaskInfo *>(find(task->targets[t]));
  }
  reserve();
  return known;
}

//===--------------------------------------------------------------------------------------------------------------===//
// Running
//===--------------------------------------------------------------------------------------------------------------===//

void PersistentGpu::run(rt::Scheduler &scheduler, rt::Environment &environment) {
  using Outcome = PersistentRecord::Outcome;
  record->scheduler = &scheduler;
  record->environment = &environment;
  record->goesOn = false;
  do {
    reserve();
    record->board.reset();
    record->tickets.reset();
    record->outcome = Outcome::Running;
    gpu.runPersistent(code->kernel, blocks, kDeviceThreads, record);
    if (record->outcome == Outcome::Failed)
      rt::failOnHost(nullptr, record->failure());
    if (record->outcome == Outcome::Running)
      rt::internalError("a persistent kernel ended without an outcome");
    record->goesOn = true;
  } while (record->outcome == Outcome::Paused);
}

} // namespace cilk2gpu::device
