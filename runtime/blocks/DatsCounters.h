// The counters of the modelled machine for thread blocks (blocks/dats). Other machines leave them at 0.
#ifndef CILK2GPU_RUNTIME_BLOCKS_DATSCOUNTERS_H
#define CILK2GPU_RUNTIME_BLOCKS_DATSCOUNTERS_H

#include <stdint.h>

namespace cilk2gpu::rt {

struct DatsCounters {
#define CILK2GPU_DATS_COUNTER(name, combine, unit, description) uint64_t name = 0;
#include "blocks/DatsCounters.def"
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_DATSCOUNTERS_H
