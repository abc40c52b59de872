// See SmallBlocks.h.
#include "reducers/SmallBlocks.h"
#include "core/Tunables.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

namespace cilk2gpu::rt::reducers {

namespace {
struct FreeBlock {
  FreeBlock *next;
};

/// The free blocks of one size.
struct FreeList {
  FreeBlock *first;
  uint32_t count;
};

/// Sizes of blocks differ by the alignment of malloc.
constexpr size_t kStep = alignof(max_align_t), kSizes = tunables::kSmallBlock / kStep;
} // namespace

static constinit thread_local FreeList lists[kSizes] = {}; ///< blocks of kStep bytes, of 2 * kStep, and so on
static constinit thread_local bool isThreadKnown = false;
static pthread_key_t endOfThread;
static bool canEnd = false; ///< the function for the end of a thread is known

static FreeList &listOf(size_t bytes) { return lists[bytes ? (bytes - 1) / kStep : 0]; }

static void freeLists(void *) {
  for (FreeList &list : lists)
    while (FreeBlock *block = list.first) {
      list.first = block->next;
      free(block);
    }
  for (FreeList &list : lists)
    list.count = tunables::kKeptSmallBlocks; // it keeps no more
}

/// Lets the end of the thread free its blocks. Called once for each thread.
[[gnu::cold, gnu::noinline]] static void knowThread() {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, [] { canEnd = pthread_key_create(&endOfThread, freeLists) == 0; });
  isThreadKnown = true;
  if (!canEnd || pthread_setspecific(endOfThread, lists) != 0)
    freeLists(nullptr);
}

void *takeBlock(size_t bytes) {
  if (bytes > tunables::kSmallBlock)
    return malloc(bytes);
  FreeList &list = listOf(bytes);
  FreeBlock *block = list.first;
  if (!block)
    return malloc(size_t(&list - lists + 1) * kStep);
  list.first = block->next;
  --list.count;
  return block;
}

void giveBlock(void *block, size_t bytes) {
  if (!isThreadKnown)
    knowThread();
  if (bytes > tunables::kSmallBlock)
    return free(block);
  FreeList &list = listOf(bytes);
  if (list.count >= tunables::kKeptSmallBlocks)
    return free(block);
  auto *kept = static_cast<FreeBlock *>(block);
  kept->next = list.first;
  list.first = kept;
  ++list.count;
}

} // namespace cilk2gpu::rt::reducers
