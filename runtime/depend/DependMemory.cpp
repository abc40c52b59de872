// See DependMemory.h. All operations are relaxed: each number is counted by itself, and orders nothing.
#include "depend/DependMemory.h"

namespace cilk2gpu::rt {

namespace {

/// Numbers of the process. All are atomic.
uint64_t numTasks, numLevels, mostWaiting, frames, mostFrames, bytesNow, mostBytes, mostOfFrame;

uint64_t add(uint64_t &number, uint64_t value) { return __atomic_add_fetch(&number, value, __ATOMIC_RELAXED); }

void raise(uint64_t &most, uint64_t value) {
  uint64_t old = __atomic_load_n(&most, __ATOMIC_RELAXED);
  while (old < value && !__atomic_compare_exchange_n(&most, &old, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

uint64_t read(const uint64_t &number) { return __atomic_load_n(&number, __ATOMIC_RELAXED); }

} // namespace

DependMemory::DependMemory() { raise(mostFrames, add(frames, 1)); }

DependMemory::~DependMemory() {
  give(bytes);
  add(numTasks, tasks);
  add(numLevels, levels);
  raise(mostWaiting, waiting);
  add(frames, -uint64_t(1));
}

void DependMemory::take(uint64_t taken) {
  bytes += taken;
  raise(mostOfFrame, bytes);
  raise(mostBytes, add(bytesNow, taken));
}

void DependMemory::give(uint64_t given) {
  bytes -= given;
  add(bytesNow, -given);
}

void DependMemory::countTasks(uint32_t number, uint32_t numLevels) {
  tasks += number;
  levels += numLevels;
  waiting = number > waiting ? number : waiting;
}

DependCounters dependCounters() {
  return {.ordered_tasks = read(numTasks),
          .ordered_levels = read(numLevels),
          .ordered_waiting = read(mostWaiting),
          .ordered_frames = read(mostFrames),
          .ordered_memory = read(mostBytes),
          .ordered_memory_bound = read(mostFrames) * read(mostOfFrame)};
}

} // namespace cilk2gpu::rt
