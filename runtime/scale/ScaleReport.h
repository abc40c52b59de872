// Writes what cilk-scale has found, at the end of the program: JSON if CILKSCALE_OUT ends in .json, else the columns of
// OpenCilk's Cilkscale as CSV.
#ifndef CILK2GPU_RUNTIME_SCALE_SCALEREPORT_H
#define CILK2GPU_RUNTIME_SCALE_SCALEREPORT_H

#include "scale/Recorder.h"

namespace cilk2gpu::rt::scale {

/// A region that the program has measured with wsp_dump. Owns the tag.
struct Region {
  const char *tag;
  int64_t work, span, burdened;
};

void addRegion(const Region &region);

/// Writes the report of a recorder that has finished. `libraryWork`: the estimated part of the work. `isIncomplete`: a
/// signal has ended the program.
void report(const Recorder &recorder, uint64_t libraryWork, bool isIncomplete);

} // namespace cilk2gpu::rt::scale

#endif // CILK2GPU_RUNTIME_SCALE_SCALEREPORT_H
