// See LaunchRecord.h. All parts of a record are aligned to 8 bytes.
#include "executors/gpu/LaunchRecord.h"

#include <stdlib.h>
#include <string.h>

namespace cilk2gpu::device {

static constexpr uint64_t kRestartColumns = 2;

/// Returns the bytes of a cursor with its columns, and of a pointer to the cursor.
static uint64_t cursorBytes(uint64_t columns) {
  return sizeof(abi::Cursor *) + sizeof(abi::Cursor) + columns * sizeof(void *);
}

LaunchRecord::~LaunchRecord() {
  free(buffer);
  free(copies);
}

uint64_t LaunchRecord::reserve(const rt::TaskInfo &task) {
  uint64_t columns = task.element.numFields > kRestartColumns ? task.element.numFields : kRestartColumns;
  uint64_t bytes = sizeof(abi::Wave) + columns * sizeof(void *) + sizeof(abi::FrameStore);
  for (uint32_t t = 0; t < task.numTargets; ++t)
    bytes += cursorBytes(task.targets[t]->element.numFields);
  bytes += task.numKernels * cursorBytes(1) + cursorBytes(kRestartColumns);
  uint64_t cursors = task.numTargets + task.numKernels + 1;
  if (bytes > capacity) {
    free(buffer);
    buffer = static_cast<char *>(malloc(bytes));
    capacity = buffer ? bytes : 0;
  }
  if (cursors > copyCapacity) {
    free(copies);
    copies = static_cast<Copy *>(malloc(cursors * sizeof(Copy)));
    copyCapacity = copies ? cursors : 0;
  }
  return buffer && copies ? bytes : 0;
}

template <typename T> uint64_t LaunchRecord::take(uint64_t count) {
  static_assert(alignof(T) <= 8 && sizeof(T) % 8 == 0);
  uint64_t offset = used;
  used += count * sizeof(T);
  return offset;
}

void **LaunchRecord::addColumns(void *const *columns, uint64_t count) {
  uint64_t offset = take<void *>(count);
  memcpy(at<void *>(offset), columns, count * sizeof(void *));
  return onDevice<void *>(offset);
}

/// Adds a cursor to the record, unless it is there already: a wave may refer to a cursor several times.
abi::Cursor *LaunchRecord::addCursor(abi::Cursor *original, uint64_t columns) {
  for (uint64_t i = 0; i < numCopies; ++i)
    if (copies[i].original == original)
      return onDevice<abi::Cursor>(copies[i].offset);
  uint64_t offset = take<abi::Cursor>(1);
  copies[numCopies++] = {original, offset};
  *at<abi::Cursor>(offset) = {addColumns(original->columns, columns), original->next, original->limit};
  return onDevice<abi::Cursor>(offset);
}

abi::Cursor **LaunchRecord::addSpawns(const rt::TaskInfo &task, const abi::Wave &wave) {
  uint64_t offset = take<abi::Cursor *>(task.numTargets);
  for (uint32_t t = 0; t < task.numTargets; ++t) {
    abi::Cursor *copy = addCursor(wave.spawns[t], task.targets[t]->element.numFields);
    at<abi::Cursor *>(offset)[t] = copy;
  }
  return onDevice<abi::Cursor *>(offset);
}

abi::Cursor **LaunchRecord::addSyncs(const rt::TaskInfo &task, const abi::Wave &wave) {
  uint64_t offset = take<abi::Cursor *>(task.numKernels);
  at<abi::Cursor *>(offset)[0] = nullptr;
  for (uint32_t k = 1; k < task.numKernels; ++k) {
    abi::Cursor *copy = addCursor(wave.syncs[k], 1);
    at<abi::Cursor *>(offset)[k] = copy;
  }
  return onDevice<abi::Cursor *>(offset);
}

void LaunchRecord::build(const rt::TaskInfo &task, bool restarts, const abi::Wave &wave, uint64_t address) {
  base = address;
  used = numCopies = 0;
  abi::Wave copy = wave;
  take<abi::Wave>(1);
  bool isElision = wave.kernel == task.numKernels, isFresh = !wave.kernel || isElision;
  copy.columns = addColumns(wave.columns, restarts ? kRestartColumns : isFresh ? task.element.numFields : 1);
  copy.spawns = isElision ? nullptr : addSpawns(task, wave);
  copy.syncs = isElision ? nullptr : addSyncs(task, wave);
  copy.restarts = wave.restarts ? addCursor(wave.restarts, kRestartColumns) : nullptr;
  frames = wave.frames;
  if (frames) {
    framesOffset = take<abi::FrameStore>(1);
    *at<abi::FrameStore>(framesOffset) = *frames;
    copy.frames = onDevice<abi::FrameStore>(framesOffset);
  }
  *at<abi::Wave>(0) = copy;
}

void LaunchRecord::settle() {
  for (uint64_t i = 0; i < numCopies; ++i)
    copies[i].original->next = at<abi::Cursor>(copies[i].offset)->next;
  if (!frames)
    return;
  frames->taken = at<abi::FrameStore>(framesOffset)->taken;
  frames->returned = at<abi::FrameStore>(framesOffset)->returned;
}

} // namespace cilk2gpu::device
