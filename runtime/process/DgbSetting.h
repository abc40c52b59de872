// The value of CILK2GPU_DGB: the sizes of the modelled dependency graph buffer and of its machine, as in
// "nodes:128,edges:512,pub:64,spill:on,slots:8,launch:21000".
//
// Thread-safety: any thread may call these functions.
#ifndef CILK2GPU_RUNTIME_PROCESS_DGBSETTING_H
#define CILK2GPU_RUNTIME_PROCESS_DGBSETTING_H

#include <stddef.h>
#include <stdint.h>

namespace cilk2gpu::rt {

/// Sizes of 0 are not given: the policy of a launch has sizes of its own.
struct DgbSetting {
  uint32_t nodes = 0;   ///< entries of the local node array
  uint32_t edges = 0;   ///< entries of the local edge array
  uint32_t pending = 0; ///< entries of the pending update buffer
  uint32_t slots = 0;   ///< blocks that a compute unit holds; 0: as many as in the paper
  uint32_t launch = 0;  ///< cycles of a launch by the host; 0: as in the paper
  bool spill = true;    ///< updates that do not fit into that buffer go to global memory
};

/// Reads a list of "name:value" parts, in any order, each name at most once. Names that are not in the list keep their
/// defaults. Returns false after it has written the rule that is broken, the part and the remedy to `message`.
bool parseDgbSetting(const char *text, DgbSetting &result, char *message, size_t size);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_DGBSETTING_H
