// See WavefrontLaunch.h.
#include "executors/model/WavefrontLaunch.h"

namespace cilk2gpu::rt {

/// Returns a wavefront whose block has room for the arrays of a task.
Wavefront &WavefrontLaunch::take(const TaskInfo &info) {
  Arena &arena = shared.arena;
  Wavefront *wavefront = unused;
  if (wavefront) {
    unused = wavefront->nextFree;
  } else {
    wavefront = static_cast<Wavefront *>(arena.allocate(sizeof(Wavefront), alignof(Wavefront)));
    wavefront->block = nullptr;
    wavefront->blockBytes = 0;
  }
  uint64_t bytes = Wavefront::place(info, shared.settings.limits.wave, nullptr, nullptr);
  if (bytes > wavefront->blockBytes) {
    raise(mostBytes, bytes);
    arena.release(wavefront->block, wavefront->blockBytes, Wavefront::kBlockAlign);
    wavefront->block = static_cast<char *>(arena.allocate(bytes, Wavefront::kBlockAlign));
    wavefront->blockBytes = bytes;
  }
  Wavefront::place(info, shared.settings.limits.wave, wavefront->block, &wavefront->arrays);
  return *wavefront;
}

/// Empties the cursors of all channels that the wavefront may fill.
void WavefrontLaunch::clearCursors(Wavefront &w, const TaskInfo &info, uint64_t lanes) const {
  w.restartColumns[0] = w.frames;
  w.restartColumns[1] = w.sites;
  w.restarts = {.columns = w.restartColumns, .next = 0, .limit = lanes};
  for (uint32_t t = 0; t < info.numTargets; ++t) {
    w.arrays.producers[t] = {};
    w.arrays.spawns[t] = &w.arrays.producers[t].cursor;
  }
  for (uint32_t k = 0; k < info.numKernels; ++k) {
    w.arrays.syncColumns[k] = w.arrays.syncFrames + uint64_t(k) * shared.settings.limits.wave;
    w.arrays.syncCursors[k] = {.columns = &w.arrays.syncColumns[k], .next = 0, .limit = lanes};
    w.arrays.syncs[k] = k ? &w.arrays.syncCursors[k] : nullptr;
  }
}

Wavefront &WavefrontLaunch::prepare(LevelTask &task, WaveKind kind, uint32_t kernel, uint64_t lanes,
                                    abi::KernelFn entry) {
  const TaskInfo &info = *task.task;
  Wavefront &w = take(info);
  w.body = &body;
  w.task = &task;
  w.entry = entry;
  w.kind = kind;
  w.node = nullptr;
  w.restartOf = w.blockedOn = w.producesInto = nullptr;
  w.cas = {};
  w.numRanges = 0;
  w.framesGranted = 0;
  w.store = {.free = w.freeFrames, .count = 0, .taken = 0, .returns = nullptr, .returned = 0};
  clearCursors(w, info, lanes);
  w.wave = {.columns = w.arrays.columns,
            .first = 0,
            .lanes = uint32_t(lanes),
            .kernel = kernel,
            .spawns = w.arrays.spawns,
            .syncs = w.arrays.syncs,
            .restarts = &w.restarts,
            .frames = info.frame ? &w.store : nullptr,
            .hungry = nullptr};
  return w;
}

void WavefrontLaunch::placeElements(Wavefront &wavefront) const {
  const ElementLayout &layout = wavefront.task->task->element;
  char *end = wavefront.arrays.staging;
  for (uint32_t f = 0; f < layout.numFields; ++f) {
    uint64_t align = layout.fields[f].align > kCacheLine ? layout.fields[f].align : kCacheLine;
    end = reinterpret_cast<char *>((reinterpret_cast<uintptr_t>(end) + align - 1) & ~(align - 1));
    wavefront.arrays.columns[f] = end;
    end += uint64_t(layout.fields[f].size) * shared.settings.limits.wave;
  }
}

void WavefrontLaunch::placeFrames(Wavefront &wavefront) const {
  uint64_t frames = shared.settings.limits.wave * sizeof(void *);
  wavefront.arrays.columns[0] = wavefront.arrays.staging;
  wavefront.arrays.columns[1] = wavefront.arrays.staging + (frames + kCacheLine - 1) / kCacheLine * kCacheLine;
}

void WavefrontLaunch::launch(Wavefront &wavefront, Context &context) {
  wavefront.cu = context.cu;
  LevelTask &task = *wavefront.task;
  ++shared.level(task.level).running;
  raise(shared.totals.levels, task.level + 1);
  bool isRestart = wavefront.kind == WaveKind::Restart;
  if (!isRestart)
    count(shared.dispatchedLanes, wavefront.wave.lanes);
  shared.spend(isRestart ? shared.modelTotals.aggregator_restarts : shared.modelTotals.aggregator_dispatches,
               tunables::kAggregatorDispatch);
  shared.start(wavefront, context, shared.freeAt + tunables::kModelDispatchLatency);
}

void WavefrontLaunch::giveBack(Wavefront &wavefront) {
  wavefront.nextFree = unused;
  unused = &wavefront;
}

} // namespace cilk2gpu::rt
