// Registration walks the graph of targets with the table itself as its worklist: records that other translation units
// have not registered yet are entered when they are reached.
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

void TaskTable::check(const abi::TaskRecord &record) {
  const char *rule = nullptr;
  uint64_t found = 0;
  auto require = [&](bool holds, const char *text, uint64_t value) {
    if (!holds && !rule) {
      rule = text;
      found = value;
    }
  };
  require(record.magic == abi::kMagic, "its magic number is wrong", record.magic);
  if (!rule && record.version != abi::kAbiVersion) {
    environment.fail(environment.context, {FailureKind::BadVersion, "task", record.name, record.version});
    __builtin_unreachable();
  }
  require(record.numKernels >= 1 && record.kernels, "a task has at least one kernel", record.numKernels);
  require(record.frameAlign && !(record.frameAlign & (record.frameAlign - 1)), "a frame's alignment is a power of two",
          record.frameAlign);
  for (uint32_t f = 0; !rule && f < record.numFields; ++f)
    require(record.fields[f].align && !(record.fields[f].align & (record.fields[f].align - 1)),
            "a field's alignment is a power of two", record.fields[f].align);
  uint32_t numEntries = record.numKernels + (record.hasElision != 0);
  for (uint32_t k = 0; !rule && k < numEntries; ++k)
    require(record.kernels[k].run != nullptr, "a kernel has an entry", k);
  for (uint32_t k = 0; !rule && environment.needsLanes && k < numEntries; ++k)
    if (!record.kernels[k].lane) {
      environment.fail(environment.context, {FailureKind::NoDeviceForm, nullptr, record.name, k});
      __builtin_unreachable();
    }
  require(rule || record.numKernels == 1 || record.frameSize, "a task with post-sync kernels has a frame",
          record.frameSize);
  require(!record.frameColumns || record.frameSize == record.frameColumns * abi::kFrameColumn,
          "a frame's size is that of its columns", record.frameSize);
  if (rule) {
    const char *name = record.magic == abi::kMagic ? record.name : nullptr;
    environment.fail(environment.context, {FailureKind::BadRecord, rule, name, found});
    __builtin_unreachable();
  }
}

/// The kernel's best form that this machine can run, else the one whose lanes run one after the other.
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

TaskInfo *TaskTable::create(abi::TaskRecord *record) {
  check(*record);
  TaskInfo *info = allocate<TaskInfo>(1);
  abi::FieldRecord *fields = allocate<abi::FieldRecord>(record->numFields);
  for (uint32_t f = 0; f < record->numFields; ++f)
    fields[f] = record->fields[f];
  uint32_t numEntries = record->numKernels + (record->hasElision != 0);
  KernelInfo *kernels = allocate<KernelInfo>(numEntries);
  for (uint32_t k = 0; k < numEntries; ++k) {
    const abi::KernelRecord &kernel = record->kernels[k];
    const abi::VectorForm chosen = choose(kernel, environment.isas);
    kernels[k] = {chosen.run, kernel.resume, kernel.run,          copy(kernel.name),
                  chosen.isa, kernel.lane,   copy(kernel.symbol), {nullptr, nullptr}};
  }
  *info = {numTasks++,
           nullptr,
           copy(record->name),
           copy(record->location),
           {fields, record->numFields},
           kernels,
           allocate<TaskInfo *>(record->numTargets),
           record->numKernels,
           record->numTargets,
           {record->frameSize, record->frameAlign, record->frameColumns != 0},
           record->frameSize,
           record->isPlain ? nullptr : record->function,
           record->hasElision != 0,
           spawnOne(*record)};
  uint64_t elementBytes = 0;
  for (uint32_t f = 0; f < record->numFields; ++f)
    elementBytes += fields[f].size;
  if (info->bytes < elementBytes)
    info->bytes = elementBytes;
  (tail ? tail->next : head) = info;
  tail = info;
  record->state = info;
  // Targets hold records until add() has entered them too.
  for (uint32_t t = 0; t < record->numTargets; ++t)
    info->targets[t] = reinterpret_cast<TaskInfo *>(record->targets[t]);
  return info;
}

void TaskTable::unify(abi::TaskRecord *record) {
  if (record->state || record->magic != abi::kMagic || record->version != abi::kAbiVersion || !record->isPlain ||
      !record->function)
    return;
  for (TaskInfo *info = head; info; info = info->next) {
    bool fits = info->function == record->function && info->element.numFields == record->numFields;
    for (uint32_t f = 0; fits && f < record->numFields; ++f)
      fits = info->element.fields[f].size == record->fields[f].size;
    if (fits)
      record->state = info;
  }
}

/// Of the tasks from `first` on, those whose lanes spawn one task at a time are chains as far as what they spawn is.
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

TaskInfo *TaskTable::add(abi::TaskRecord *record) {
  if (record->state)
    return static_cast<TaskInfo *>(record->state);
  TaskInfo *result = create(record);
  for (TaskInfo *info = result; info; info = info->next)
    for (uint32_t t = 0; t < info->numTargets; ++t) {
      auto *target = reinterpret_cast<abi::TaskRecord *>(info->targets[t]);
      info->targets[t] = target->state ? static_cast<TaskInfo *>(target->state) : create(target);
    }
  findChains(result);
  return result;
}

} // namespace cilk2gpu::rt
