// Launches of block graphs of compiled programs (cilk2gpu/abi/BlockRecords.h).
//
// Thread-safety: any thread may launch.
#ifndef CILK2GPU_RUNTIME_API_RECORDLAUNCH_H
#define CILK2GPU_RUNTIME_API_RECORDLAUNCH_H

#include "blocks/BlockLaunch.h"
#include "cilk2gpu/abi/BlockRecords.h"

#include <cilk2gpu/Wireframe.h>

namespace cilk2gpu::rt {

/// A launch of a record, which all of its blocks share.
struct RecordLaunch {
  const abi::BlocksRecord &record;
  void *arguments;
  dim3 grid, block;
  // functionOf chooses these.
  abi::RowFormRecord form;      ///< runs the threads of blocks, one block after another
  abi::BlockFn rowLanes, lanes; ///< run blocks in vectors (abi::LanesOf); null: there is no such code
};

/// Chooses the form of the body, and returns the function that runs a block of a launch. `kernel` stands for it in
/// statistics.
wf::detail::BlockFunction functionOf(RecordLaunch &launch, const void *kernel);

/// Returns true for functions that functionOf returns.
bool isOfRecord(const wf::detail::BlockFunction &function);

/// Returns the functions that run several blocks of a launch at a time; none of them for other functions.
BlockForms formsOf(const wf::detail::BlockFunction &function);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_API_RECORDLAUNCH_H
