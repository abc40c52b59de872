// Kernels in C++ that the compiler has turned into the bodies of block graphs. Each unit registers a list of them; a
// launch of <cilk2gpu/Wireframe.h> looks for the kernel's address. Mapping functions whose parents have constant
// distances are registered and found in the same way.
#include "api/OffsetsLaunch.h"
#include "api/RecordLaunch.h"
#include "process/KeepLoaded.h"
#include "process/Message.h"

#include <algorithm>
#include <new>
#include <stdlib.h>

using namespace cilk2gpu;
using namespace cilk2gpu::rt;
using abi::BlockKernelRecord;
using abi::BlockKernelsRecord;
using abi::BlockLinksListRecord;
using abi::BlockLinksRecord;

namespace cilk2gpu::rt {
namespace {

// The lists only grow, at their fronts. They have no mutex: a thread that forks while another one holds it would leave
// the child with a lock that nobody releases.
BlockKernelsRecord *units = nullptr;          ///< atomic
BlockLinksListRecord *unitsOfLinks = nullptr; ///< atomic

/// Adds the record of a unit to a list. `content` says what the unit registers.
template <class Record> void addUnit(Record *&list, Record *unit, const char *content) {
  keepLoaded(unit);
  if (unit->magic != abi::kMagic || unit->version != abi::kAbiVersion)
    fatal("the %s of thread blocks in %s have version %u of the interface, and this library has version %u; "
          "compile the program again",
          content, unit->module, unit->version, abi::kAbiVersion);
  unit->next = __atomic_load_n(&list, __ATOMIC_ACQUIRE);
  while (!__atomic_compare_exchange_n(&list, &unit->next, unit, true, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE)) {
  }
}

/// Memory for the arguments of the launch that begins on this thread.
thread_local void *argumentsOfLaunch = nullptr;

/// A kernel may be in several units, as templates are; their code is the same.
const BlockKernelRecord *findKernel(const void *kernel) {
  const BlockKernelsRecord *first = __atomic_load_n(&units, __ATOMIC_ACQUIRE); // pairs with the registration
  for (const BlockKernelsRecord *unit = first; unit; unit = unit->next)
    for (uint64_t i = 0; i < unit->numKernels; ++i)
      if (unit->kernels[i].kernel == kernel)
        return &unit->kernels[i];
  return nullptr;
}

/// Returns memory for the launch, with the arguments behind it.
void *allocate(const BlockKernelRecord &kernel, void *&arguments) {
  const size_t align = std::max<size_t>({kernel.argumentAlign, alignof(RecordLaunch), sizeof(void *)});
  const size_t begin = (sizeof(RecordLaunch) + align - 1) / align * align;
  void *memory = nullptr;
  if (posix_memalign(&memory, align, begin + kernel.argumentBytes) != 0)
    fatal("out of memory: %zu bytes for the arguments of a kernel could not be allocated",
          size_t(begin + kernel.argumentBytes));
  arguments = static_cast<char *>(memory) + begin;
  return memory;
}

} // namespace
} // namespace cilk2gpu::rt

wf::detail::CompiledLaunch::CompiledLaunch(const void *kernel, dim3 grid, dim3 block)
    : storing(nullptr), blocks(), memory(nullptr) {
  const BlockKernelRecord *known = findKernel(kernel);
  if (!known)
    return;
  void *arguments;
  memory = allocate(*known, arguments);
  auto *launch = new (memory) RecordLaunch{.record = *known->blocks,
                                           .arguments = arguments,
                                           .grid = grid,
                                           .block = block,
                                           .form = {},
                                           .rowLanes = nullptr,
                                           .lanes = nullptr};
  blocks = functionOf(*launch, kernel);
  storing = known->pack;
  argumentsOfLaunch = arguments; // until the kernel's pack, which is called next
}

wf::detail::CompiledLaunch::~CompiledLaunch() { free(memory); }

extern "C" void __cilk2gpu_register_blocks(BlockKernelsRecord *kernels) { addUnit(units, kernels, "kernels"); }

extern "C" void __cilk2gpu_register_block_links(BlockLinksListRecord *links) {
  addUnit(unitsOfLinks, links, "mapping functions");
}

const BlockLinksRecord *cilk2gpu::rt::findLinkDistances(const void *function) {
  const BlockLinksListRecord *first = __atomic_load_n(&unitsOfLinks, __ATOMIC_ACQUIRE); // pairs with the registration
  for (const BlockLinksListRecord *unit = first; unit; unit = unit->next)
    for (uint64_t i = 0; i < unit->numLinks; ++i)
      if (unit->links[i].function == function)
        return &unit->links[i];
  return nullptr;
}

bool cilk2gpu::rt::holdFor(const BlockLinksRecord &links, const dim3 &grid) {
  const uint32_t extents[3] = {grid.x, grid.y, grid.z};
  for (uint32_t d = 0; d < 3; ++d) {
    if (extents[d] > uint32_t(INT32_MAX) || (extents[d] != 1 && links.rows >> d & 1))
      return false;
    // In a grid of extent 1, the coordinate 1 means 0.
    for (uint32_t i = 0; extents[d] == 1 && i < links.numOffsets; ++i)
      if (links.offsets[3 * i + d] == 1)
        return false;
  }
  return true;
}

extern "C" void *__cilk2gpu_block_arguments(void) { return argumentsOfLaunch; }
