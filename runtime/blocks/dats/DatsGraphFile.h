// The file of CILK2GPU_BLOCK_GRAPHS: the graphs that a program launched on the modelled machine, and the instructions
// of their blocks. bench/wireframe/model.cpp reads it.
//
//   launch 9 nodes 12 edges        for each launch
//   0 85 1 2                       a node: its block, the instructions of the block, the virtual IDs of its children
//   ...                            nodes are in the order of their virtual IDs
//
// Thread-safety: one launch at a time.
#ifndef CILK2GPU_RUNTIME_BLOCKS_DATS_DATSGRAPHFILE_H
#define CILK2GPU_RUNTIME_BLOCKS_DATS_DATSGRAPHFILE_H

#include "blocks/dats/DatsGraph.h"

namespace cilk2gpu::rt {

/// Writes a graph behind those of the earlier launches of this process. "-" is the standard error. The first launch
/// replaces a file that exists, as writeOutput() does. A file that cannot be written ends the process with a message.
/// `instructions` has those of each block.
void appendGraph(const char *path, const DatsGraph &graph, const DatsArray<uint64_t> &instructions);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_DATS_DATSGRAPHFILE_H
