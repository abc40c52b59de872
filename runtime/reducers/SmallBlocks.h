// Memory for slots and small views. Tasks make and end them in great numbers, and breadth first: more of them live at a
// time than malloc keeps at hand for a thread. A thread keeps the blocks that it gives back.
//
//   void *block = takeBlock(48);
//   giveBlock(block, 48);         // the same number of bytes; also on another thread
//
// Thread-safety: any thread may call these functions. Blocks of a thread that ends go back to malloc.
#ifndef CILK2GPU_RUNTIME_REDUCERS_SMALLBLOCKS_H
#define CILK2GPU_RUNTIME_REDUCERS_SMALLBLOCKS_H

#include <stddef.h>

namespace cilk2gpu::rt::reducers {

/// Returns memory with the alignment of malloc, or null.
void *takeBlock(size_t bytes);
void giveBlock(void *block, size_t bytes);

} // namespace cilk2gpu::rt::reducers

#endif // CILK2GPU_RUNTIME_REDUCERS_SMALLBLOCKS_H
