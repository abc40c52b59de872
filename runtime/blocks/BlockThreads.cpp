// See BlockThreads.h.
#include "blocks/BlockThreads.h"
#include "core/Tunables.h"
#include "process/Message.h"
#include "process/TaskScope.h"

#include <pthread.h>
#include <stdlib.h>

namespace cilk2gpu::rt {

static thread_local BlockThreads *current = nullptr; ///< the block whose threads run here
static thread_local const BlockNames *names = nullptr;

static thread_local BarrierScope *barrier = nullptr;

BarrierScope::BarrierScope(void (*sync)(void *), void *group) : sync(sync), group(group), outer(barrier) {
  barrier = this;
}
BarrierScope::~BarrierScope() { barrier = outer; }

BlockNamesScope::BlockNamesScope(const BlockNames &own) : outer(names) { names = &own; }
BlockNamesScope::~BlockNamesScope() { names = outer; }

//===--------------------------------------------------------------------------------------------------------------===//
// Fibers
//===--------------------------------------------------------------------------------------------------------------===//

struct BlockFibers {
  struct Lane {
    BlockThreads *block;
    uint32_t thread;
    Fiber *fiber; ///< null: not created yet
  };
  BlockFibers *next;
  Lane lanes[tunables::kMaxBlockThreads];
};

/// Fibers that no block uses. A block that launches blocks needs more than one set.
static thread_local BlockFibers *unused = nullptr;
static pthread_key_t endOfThread;

static void destroyFibers(void *) {
  while (BlockFibers *fibers = unused) {
    unused = fibers->next;
    for (BlockFibers::Lane &lane : fibers->lanes)
      if (lane.fiber)
        lane.fiber->destroy();
    free(fibers);
  }
}

static BlockFibers *takeFibers() {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, [] {
    if (pthread_key_create(&endOfThread, destroyFibers) != 0)
      fatal("out of memory: a block calls SyncThreads, but a key of pthreads could not be created");
  });
  BlockFibers *fibers = unused;
  if (fibers)
    unused = fibers->next;
  else
    fibers = static_cast<BlockFibers *>(calloc(1, sizeof(BlockFibers)));
  if (!fibers)
    fatal("out of memory: %zu bytes for the threads of a block could not be allocated", sizeof(BlockFibers));
  pthread_setspecific(endOfThread, fibers); // any value but null has destroyFibers() called
  return fibers;
}

static Fiber &fiberOf(BlockFibers::Lane &lane) {
  if (!lane.fiber)
    lane.fiber = Fiber::create(tunables::kBlockThreadStack);
  if (!lane.fiber)
    fatal("out of memory: the stack of thread %u of a block that calls SyncThreads could not be mapped; launch blocks "
          "of fewer threads, or use fewer workers (see CILK2GPU_WORKERS)",
          lane.thread);
  return *lane.fiber;
}

void BlockThreads::runFiber(void *argument) {
  auto &lane = *static_cast<BlockFibers::Lane *>(argument);
  lane.block->body(lane.block->context, lane.thread);
}

//===--------------------------------------------------------------------------------------------------------------===//
// Barriers
//===--------------------------------------------------------------------------------------------------------------===//

void BlockThreads::failOfDivergence(uint64_t node, uint32_t waiting, uint32_t absent, uint32_t threads) {
  fatal("all threads of a block call SyncThreads, or none; in %s, thread %u waits and thread %u has ended without that "
        "call; let a condition around the call have the same value in all %u threads of the block",
        names ? names->of(node).text : "a block", waiting, absent, threads);
}

void BlockThreads::failOfGroups(uint32_t waiting, uint32_t ended) const {
  failOfDivergence(node, groups.firstThread(waiting), groups.firstThread(ended), groups.threads);
}

/// Group 0 is at a barrier: lets all others come to it.
void BlockThreads::step() {
  bool areNew = !fibers;
  if (areNew)
    fibers = takeFibers();
  for (running = 1; running < count; ++running) {
    BlockFibers::Lane &lane = fibers->lanes[running];
    lane.block = this;
    lane.thread = running;
    Fiber &fiber = fiberOf(lane);
    if (areNew ? fiber.run(runFiber, &lane) : fiber.resume())
      failOfGroups(0, running);
  }
  running = 0;
}

/// Group 0 has ended: lets all others go on to their end.
void BlockThreads::finish() {
  for (running = 1; running < count; ++running) {
    if (!fibers)
      body(context, running);
    else if (!fibers->lanes[running].fiber->resume())
      failOfGroups(running, 0);
  }
  if (!fibers)
    return;
  fibers->next = unused;
  unused = fibers;
}

void BlockThreads::sync() {
  if (stage == Stage::Rest)
    failOfGroups(running, 0);
  if (running == 0)
    step();
  else
    fibers->lanes[running].fiber->suspend();
}

void BlockThreads::run() {
  BlockThreads *outer = current;
  current = this;
  body(context, 0);
  stage = Stage::Rest;
  finish();
  current = outer;
}

} // namespace cilk2gpu::rt

using namespace cilk2gpu::rt;

void wf::detail::syncThreads() {
  if (current)
    current->sync();
  else if (barrier)
    barrier->wait();
  else if (!insideTask())
    fatal("wf::SyncThreads is for kernels, and none runs on this thread");
}

void wf::detail::runThreads(void (*thread)(void *, uint32_t), void *context, uint64_t block, uint32_t threads) {
  BlockThreads(thread, context, block, {.threads = threads}).run();
}
