// Registration walks the graph of targets, with the table itself as the worklist. A record that its translation unit
// has not registered yet is entered when the walk reaches it.
#include "core/TaskTable.h"

namespace cilk2gpu::rt {

const char *TaskTable::copy(const char *text) {
  if (!text)
    return nullptr;
  uint64_t length = 0;
  while (text[length])
    ++length;
  char *result = allocate<char>(length + 1);
  for (uint64_t i = 0; i <= length; ++i)
    result[i] = text[i];
  return result;
}

/// Returns whether elements of a channel of the host wait for other elements of it, whose ends are counted.
static bool countsParents(const abi::TaskRecord &record) {
  return !record.numKernels && record.numEdges == 1 && record.edges[0].from == &record &&
         record.edges[0].to == &record && record.edges[0].readiness == abi::ReadinessKind::ParentCount;
}

/// Returns the rule that the layout of a node breaks, and sets `found` to the value that breaks it. Returns null if the
/// layout is valid.
static const char *brokenNodeRule(const abi::TaskRecord &record, uint64_t &found) {
  auto isPower = [](uint64_t value) { return value && !(value & (value - 1)); };
  if (found = record.frameAlign; !isPower(record.frameAlign))
    return "a frame's alignment is a power of two";
  for (uint32_t f = 0; f < record.numFields; ++f)
    if (found = record.fields[f].align; !isPower(record.fields[f].align))
      return "a field's alignment is a power of two";
  if (found = record.destination; record.destination != abi::kNoDestination && record.destination >= record.numFields)
    return "the destination of a result is a field";
  for (uint32_t e = 0; e < record.numEdges; ++e)
    if (found = uint64_t(record.edges[e].readiness);
        record.edges[e].readiness != abi::ReadinessKind::DrainedBelow && !countsParents(record))
      return "an edge between channel stacks is of the kind 'drained below'";
  if (found = uint64_t(record.kind); record.kind > abi::NodeKind::Queue)
    return "the kind of a node is known";
  return nullptr;
}

/// Likewise, the rule that the kernels of a task break, their frames, and the edges that lead to them.
static const char *brokenKernelRule(const abi::TaskRecord &record, uint64_t &found) {
  if (found = record.numKernels; !record.numKernels || !record.kernels)
    return "a task has at least one kernel";
  for (uint32_t k = 0; k < record.numKernels + (record.hasElision != 0); ++k)
    if (found = k; !record.kernels[k].run)
      return "a kernel has an entry";
  if (found = record.frameSize; record.numKernels > 1 && !record.frameSize)
    return "a task with post-sync kernels has a frame";
  if (record.frameColumns && record.frameSize != record.frameColumns * abi::kFrameColumn)
    return "a frame's size is that of its columns";
  for (uint32_t e = 0; e < record.numEdges; ++e)
    if (found = record.edges[e].kernel;
        record.edges[e].to != &record || !record.edges[e].kernel || record.edges[e].kernel >= record.numKernels)
      return "an edge leads to a post-sync kernel of its task";
  if (found = record.numKernels; record.kind == abi::NodeKind::Queue && (record.numKernels != 1 || !record.capacity))
    return "a queue has one kernel and a capacity";
  return nullptr;
}

/// Likewise, the rule that a channel without kernels breaks.
static const char *brokenChannelRule(const abi::TaskRecord &record, uint64_t &found) {
  if (found = record.numKernels; record.numKernels || record.numTargets || record.frameSize)
    return "a channel that a function of the host consumes has no kernels, targets and frames";
  if (found = record.capacity; !record.capacity)
    return "a channel that a function of the host consumes has a capacity";
  for (uint32_t e = 0; e < record.numEdges; ++e)
    if (found = record.edges[e].kernel; record.edges[e].to != &record || record.edges[e].kernel)
      return "an edge leads to the elements of its channel";
  return nullptr;
}

void TaskTable::check(const abi::TaskRecord &record, bool hasKernels) {
  auto fail = [&](const Failure &failure) {
    environment.fail(environment.context, failure);
    __builtin_unreachable();
  };
  if (record.magic != abi::kMagic)
    fail({FailureKind::BadRecord, "its magic number is wrong", nullptr, record.magic});
  if (record.version != abi::kAbiVersion)
    fail({FailureKind::BadVersion, "task", record.name, record.version});
  uint64_t found = 0;
  const char *rule = brokenNodeRule(record, found);
  if (!rule)
    rule = hasKernels ? brokenKernelRule(record, found) : brokenChannelRule(record, found);
  if (rule)
    fail({FailureKind::BadRecord, rule, record.name, found});
  for (uint32_t k = 0; environment.needsLanes && k < record.numKernels + (record.hasElision != 0); ++k)
    if (!record.kernels[k].lane)
      fail({FailureKind::NoDeviceForm, nullptr, record.name, k});
}

/// Returns the kernel's best vector form that this machine can run, else the form whose lanes run one after the other.
static abi::VectorForm choose(const abi::KernelRecord &kernel, uint32_t isas) {
  for (uint32_t f = 0; f < kernel.numForms; ++f)
    if (kernel.forms[f].run && isas >> uint32_t(kernel.forms[f].isa) & 1)
      return kernel.forms[f];
  return {kernel.run, abi::Isa::Any, 0};
}

static bool spawnOne(const abi::TaskRecord &record) {
  for (uint32_t k = 0; k < record.numKernels; ++k)
    if (!record.kernels[k].spawnsOne)
      return false;
  return true;
}

static bool isRange(const abi::TaskRecord &record) {
  if (!record.isRange || record.numFields < 3)
    return false;
  for (uint32_t f = 0; f < 3; ++f)
    if (record.fields[f].size != sizeof(uint64_t))
      return false;
  return true;
}

/// Returns the bytes of an element or a frame of a task, whichever is larger.
static uint64_t bytesOf(const abi::TaskRecord &record) {
  uint64_t elementBytes = 0;
  for (uint32_t f = 0; f < record.numFields; ++f)
    elementBytes += record.fields[f].size;
  return record.frameSize < elementBytes ? elementBytes : record.frameSize;
}

TaskTable::Entry *TaskTable::create(abi::TaskRecord *record, bool hasKernels) {
  check(*record, hasKernels);
  Entry *info = allocate<Entry>(1);
  abi::FieldRecord *fields = allocate<abi::FieldRecord>(record->numFields);
  for (uint32_t f = 0; f < record->numFields; ++f)
    fields[f] = record->fields[f];
  uint32_t numEntries = record->numKernels + (record->hasElision != 0);
  KernelInfo *kernels = allocate<KernelInfo>(numEntries);
  for (uint32_t k = 0; k < numEntries; ++k) {
    const abi::KernelRecord &kernel = record->kernels[k];
    const abi::VectorForm chosen = choose(kernel, environment.isas);
    kernels[k] = KernelInfo{.run = chosen.run,
                            .resume = kernel.resume,
                            .each = kernel.run,
                            .name = copy(kernel.name),
                            .isa = chosen.isa,
                            .mayBeLong = kernel.mayBeLong != 0,
                            .lane = kernel.lane,
                            .symbol = copy(kernel.symbol),
                            .sync = copy(kernel.sync),
                            .forms = {},
                            .entries = {nullptr, nullptr}};
  }
  static_cast<TaskInfo &>(*info) = {.index = numTasks,
                                    .next = nullptr,
                                    .name = copy(record->name),
                                    .location = copy(record->location),
                                    .element = {fields, record->numFields},
                                    .kernels = kernels,
                                    .targets = allocate<TaskInfo *>(record->numTargets),
                                    .numKernels = record->numKernels,
                                    .numTargets = record->numTargets,
                                    .frame = {record->frameSize, record->frameAlign, record->frameColumns != 0},
                                    .bytes = bytesOf(*record),
                                    .function = record->isPlain ? nullptr : record->function,
                                    .hasElision = record->hasElision != 0,
                                    .isRange = isRange(*record),
                                    .isChain = spawnOne(*record),
                                    .kind = record->kind,
                                    .capacity = record->capacity,
                                    .node = numTasks,
                                    .rank = 0,
                                    .countsParents = countsParents(*record),
                                    .times = {},
                                    .upper = {},
                                    .iteration = {},
                                    .contention = {},
                                    .awaited = nullptr};
  info->record = record;
  info->twin = nullptr;
  info->original = info;
  ++numTasks;
  (tail ? tail->next : head) = info;
  tail = info;
  return info;
}

TaskInfo *TaskTable::infoOf(abi::TaskRecord *record) {
  if (!record->state)
    record->state = create(record, /*hasKernels=*/true);
  return static_cast<TaskInfo *>(record->state);
}

/// Returns the task behind target `t` of a task. A kernel keeps a cursor for each target, so its targets differ: if two
/// records stand for one task, the second one gets a twin of the task, with channels of its own.
TaskInfo *TaskTable::targetOf(const Entry &task, uint32_t t) {
  Entry *target = entry(infoOf(task.record->targets[t]));
  for (uint32_t earlier = 0; earlier < t; ++earlier)
    if (task.targets[earlier] == target) {
      if (!target->twin) {
        target->twin = create(target->record, /*hasKernels=*/true);
        target->twin->original = target->original;
      }
      target = target->twin;
      earlier = uint32_t(-1);
    }
  return target;
}

/// Returns the task of the Cilk function that a plain record calls, or null.
TaskInfo *TaskTable::taskOf(const abi::TaskRecord &record) const {
  if (!record.isPlain || !record.function)
    return nullptr;
  for (TaskInfo *info = head; info; info = info->next) {
    bool fits = info->function == record.function && info->element.numFields == record.numFields;
    for (uint32_t f = 0; fits && f < record.numFields; ++f)
      fits = info->element.fields[f].size == record.fields[f].size;
    if (fits)
      return info;
  }
  return nullptr;
}

void TaskTable::unify(abi::TaskRecord *record) {
  if (!record->state && record->magic == abi::kMagic && record->version == abi::kAbiVersion)
    record->state = taskOf(*record);
}

void TaskTable::unifyEarlier() {
  bool changes = false;
  for (TaskInfo *plain = head; plain; plain = plain->next) {
    abi::TaskRecord &record = *entry(plain)->record;
    TaskInfo *task = taskOf(record);
    if (!task || record.state == task)
      continue;
    record.state = task;
    changes = true;
  }
  if (!changes)
    return;
  enterReachable(head);
  findChains(head);
  findRanks(head);
  closeEdges(head, nullptr);
}

/// Finds the chains among the tasks from `first` on: tasks that spawn one task at a time and whose targets are chains.
void TaskTable::findChains(TaskInfo *first) {
  for (bool changes = true; changes;) {
    changes = false;
    for (TaskInfo *info = first; info; info = info->next)
      for (uint32_t t = 0; info->isChain && t < info->numTargets; ++t)
        if (!info->targets[t]->isChain) {
          info->isChain = false;
          changes = true;
        }
  }
}

/// Numbers queues so that elements pass from higher to lower ranks. Queues are drained in the order of their ranks. A
/// cycle of queues, possibly through several units, is refused.
void TaskTable::findRanks(TaskInfo *first) {
  auto fail = [&](const TaskInfo &queue, const char *rule) {
    environment.fail(environment.context, {FailureKind::BadRecord, rule, queue.name, queue.rank});
    __builtin_unreachable();
  };
  for (bool changes = true; changes;) {
    changes = false;
    for (TaskInfo *info = first; info; info = info->next)
      for (uint32_t t = 0; info->isQueue() && t < info->numTargets; ++t) {
        const TaskInfo &target = *info->targets[t];
        if (!target.isQueue())
          fail(*info, "the consumer of a queue enqueues to queues only");
        if (info->rank > target.rank)
          continue;
        info->rank = target.rank + 1;
        changes = true;
        if (info->rank > numTasks)
          fail(*info, "elements of a queue do not lead back to it");
      }
  }
}

/// Enters the tasks that `first`, and the tasks after it in the table, spawn or wait for.
void TaskTable::enterReachable(TaskInfo *first) {
  for (TaskInfo *info = first; info; info = info->next) {
    const abi::TaskRecord &record = *entry(info)->record;
    for (uint32_t t = 0; t < info->numTargets; ++t)
      info->targets[t] = targetOf(*entry(info), t);
    for (uint32_t e = 0; e < record.numEdges; ++e)
      if (record.edges[e].from)
        infoOf(record.edges[e].from);
  }
}

/// Marks a task and all that it can reach. The worklist has room for every task.
void TaskTable::reach(uint64_t *words, TaskInfo *from, TaskInfo **worklist) {
  uint64_t count = 0;
  auto mark = [&](TaskInfo *task) {
    for (Entry *twin = entry(task)->original; twin; twin = twin->twin) {
      uint64_t &word = words[twin->node / 64], bit = uint64_t(1) << twin->node % 64;
      if (!(word & bit))
        worklist[count++] = twin;
      word |= bit;
    }
  };
  mark(from);
  while (count) {
    const TaskInfo &reached = *worklist[--count];
    for (uint32_t t = 0; t < reached.numTargets; ++t)
      mark(reached.targets[t]);
  }
}

/// Returns the tasks that elements wait for, before a post-sync kernel or in a channel without kernels. Without an
/// edge, post-sync elements wait for all tasks, and elements of a channel for none.
Closure TaskTable::close(const Entry &task, uint32_t kernel, TaskInfo **worklist) {
  if (task.countsParents)
    return {nullptr, 0, false};
  bool isResolved = false, isUnresolved = false;
  for (uint32_t e = 0; e < task.record->numEdges; ++e)
    if (task.record->edges[e].kernel == kernel)
      (task.record->edges[e].from ? isResolved : isUnresolved) = true;
  if (isUnresolved || !isResolved)
    return {nullptr, 0, isUnresolved || kernel != 0};
  uint64_t numWords = (numTasks + 63) / 64;
  uint64_t *words = arena.allocateArray<uint64_t>(numWords);
  for (uint32_t e = 0; e < task.record->numEdges; ++e)
    if (task.record->edges[e].kernel == kernel)
      reach(words, static_cast<TaskInfo *>(task.record->edges[e].from->state), worklist);
  return {words, numWords, false};
}

void TaskTable::closeEdges(TaskInfo *first, const TaskInfo *end) {
  uint64_t bytes = numTasks * sizeof(TaskInfo *);
  auto **worklist = allocate<TaskInfo *>(numTasks);
  for (TaskInfo *info = first; info != end; info = info->next) {
    auto *awaited = allocate<Closure>(info->numKernels ? info->numKernels : 1);
    for (uint32_t k = 0; k == 0 || k < info->numKernels; ++k)
      awaited[k] = close(*entry(info), k, worklist);
    info->awaited = awaited;
  }
  arena.release(worklist, bytes, alignof(TaskInfo *));
}

TaskInfo *TaskTable::addChannel(abi::TaskRecord *record) {
  TaskInfo *result = create(record, /*hasKernels=*/false);
  record->state = result;
  enterReachable(result);
  closeEdges(result, nullptr);
  return result;
}

void TaskTable::closeAgain(TaskInfo *channel) {
  check(*entry(channel)->record, /*hasKernels=*/false);
  closeEdges(channel, channel->next);
}

TaskInfo *TaskTable::add(abi::TaskRecord *record) {
  if (record->state)
    return static_cast<TaskInfo *>(record->state);
  TaskInfo *result = infoOf(record);
  enterReachable(result);
  findChains(result);
  findRanks(result);
  closeEdges(result, nullptr);
  return result;
}

} // namespace cilk2gpu::rt
