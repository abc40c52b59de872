// Plans of doacross nests and sizes of their tiles, for host and devices (__cilk2gpu_doacross_* of
// cilk2gpu/abi/Records.h). Pure functions. Freestanding.
//
// A nest that may adapt its tiles runs its first rows one after the other, until they have taken long enough to tell
// the time of an iteration. Then it has tiles that take some microseconds, and enough of them for all workers:
//
//   Measure -> ... -> Measure -> time | Unsure -> time
//
// If the first eighth of the rows takes no longer than that, the others are not worth tasks either.
#ifndef CILK2GPU_RUNTIME_CORE_DOACROSSSIZES_H
#define CILK2GPU_RUNTIME_CORE_DOACROSSSIZES_H

#include "cilk2gpu/abi/Records.h"
#include "core/Tunables.h"

namespace cilk2gpu::rt::doacross {

/// Returns whether the rows that run next run one after the other.
inline bool isSerial(uint64_t plan) {
  return plan == abi::kDoacrossMeasure || plan == abi::kDoacrossWhole || plan & abi::kDoacrossUnsure;
}

/// Returns whether the rows that run next are measured.
inline bool isMeasured(uint64_t plan) { return plan == abi::kDoacrossMeasure || plan & abi::kDoacrossUnsure; }

/// See __cilk2gpu_doacross_rows. The number of rows doubles until the time is known.
inline uint64_t rows(uint64_t plan, uint64_t low, uint64_t rows) {
  if (!isMeasured(plan))
    return rows;
  uint64_t high = low ? 2 * low : 1;
  return high <= rows / tunables::kMeasuredPart || plan & abi::kDoacrossUnsure ? high : rows;
}

/// See __cilk2gpu_doacross_next. `took` is the time of the rows in nanoseconds. Rows without iterations tell nothing.
inline uint64_t next(uint64_t plan, uint64_t took, uint64_t iterations) {
  if (!isMeasured(plan) || !iterations || (plan == abi::kDoacrossMeasure && took < tunables::kDoacrossMeasureTime))
    return plan;
  uint64_t picoseconds = took < UINT64_MAX / 1000 ? took * 1000 / iterations : took / iterations * 1000;
  uint64_t time = picoseconds < abi::kDoacrossLeastTime ? uint64_t(abi::kDoacrossLeastTime) : picoseconds;
  if (plan == abi::kDoacrossMeasure)
    return time | abi::kDoacrossUnsure;
  uint64_t first = plan & ~uint64_t(abi::kDoacrossUnsure); // something else may have kept the thread busy once
  return time < first ? time : first;
}

/// Returns the size that the compiler has chosen, for a loop with `extent` iterations.
inline uint64_t fixedSize(abi::DoacrossShape shape, uint64_t extent) {
  if (!shape.least)
    return shape.size;
  uint64_t wanted = extent ? (extent - 1) / tunables::kWantedDoacrossTiles + 1 : 1;
  uint64_t size = wanted < shape.size ? wanted : shape.size;
  return size > shape.least ? size : shape.least;
}

/// Returns the largest number whose power is at most `value`, and at most `most`.
inline uint64_t root(double value, unsigned power, uint64_t most) {
  uint64_t result = 1;
  for (; result < most; ++result) {
    double product = 1;
    for (unsigned i = 0; i < power; ++i)
      product *= double(result + 1);
    if (product > value)
      break;
  }
  return result;
}

/// Returns the size for a nest whose iterations take `time` picoseconds. The outermost loop that is cut gives tiles the
/// length that is wanted, and the loops in it give them the number that is wanted.
inline uint64_t adaptedSize(abi::DoacrossShape shape, uint64_t time, uint64_t extent, uint64_t unit,
                            uint64_t iterations, uint64_t workers) {
  double each = double(time) / 1000, all = each * double(iterations);
  uint64_t most = tunables::kDoacrossTilesOfWorker * workers;
  double enough = double(most) * double(most);
  if (all < double(tunables::kSharedWork))
    return extent;
  double tile = all / (4 * enough);
  tile = tile < double(tunables::kLongestDoacrossTile) ? tile : double(tunables::kLongestDoacrossTile);
  tile = tile > double(tunables::kDoacrossTileTime) ? tile : double(tunables::kDoacrossTileTime);
  if (shape.isOuter) {
    double size = tile / (each * double(unit));
    return size >= double(extent) ? extent : size < 1 ? 1 : uint64_t(size);
  }
  if (shape.depth >= 2 && double(iterations) >= enough * double(extent) * double(unit))
    return extent; // the loops around this one make enough tiles
  uint64_t parts = root(all / tile, shape.depth >= 2 ? 3 : 2, most), size = (extent - 1) / parts + 1;
  uint64_t least = shape.least < extent ? shape.least : extent;
  return size > least ? size : least;
}

} // namespace cilk2gpu::rt::doacross

#endif // CILK2GPU_RUNTIME_CORE_DOACROSSSIZES_H
