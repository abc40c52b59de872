// See LevelTable.h.
#include "scale/LevelTable.h"

namespace cilk2gpu::rt::scale {

void Elements::add(uint64_t count) {
  elements += count;
  ++dispatches;
  widest = count > widest ? count : widest;
  for (uint32_t i = 0; i < kWaves; ++i)
    wavefronts[i] += (count + i) / (i + 1);
}

static Elements empty(uint32_t kernel, uint32_t level, bool isPostSync) {
  Elements result;
  memset(&result, 0, sizeof result);
  result.kernel = kernel;
  result.level = level;
  result.isPostSync = isPostSync;
  return result;
}

LevelTable::LevelTable(const Recorder &recorder) : whole(empty(0, 0, false)) {
  const Growing<KernelName> &names = recorder.names.kernels;
  for (uint32_t i = 0; i < names.size(); ++i)
    kernels.add(empty(i, 0, names[i].after || names[i].call));
  IndexTable places;
  for (const ElementCount &count : recorder.batches.counts()) {
    uint32_t level = recorder.batches.level(count.batch);
    levels = level >= levels ? level + 1 : levels;
    uint32_t index = places.find(count.kernel, level, 0, rows.size());
    if (index == rows.size())
      rows.add(empty(count.kernel, level, kernels[count.kernel].isPostSync));
    rows[index].add(count.elements);
    kernels[count.kernel].add(count.elements);
    whole.add(count.elements);
  }
}

} // namespace cilk2gpu::rt::scale
