// The threads of a block. They run one after another on one thread of the host. A barrier makes them take turns:
//
//   thread 0   | before ............... SyncThreads | after
//   thread 1             before, on a fiber |                after
//
// Thread 0 stays on the caller's stack. Its first barrier starts the other threads on fibers, each up to its own first
// barrier. Each further barrier of thread 0 lets them go on to the next one. So a kernel without barriers has no
// fibers.
//
// Thread-safety: any thread, for its own block.
#ifndef CILK2GPU_RUNTIME_BLOCKS_BLOCKTHREADS_H
#define CILK2GPU_RUNTIME_BLOCKS_BLOCKTHREADS_H

#include "blocks/BlockGraph.h"
#include "process/Fiber.h"

namespace cilk2gpu::rt {

/// Fibers of a block's threads, which serve one block after another.
struct BlockFibers;

class BlockThreads {
public:
  using Body = void (*)(void *context, uint32_t thread);

  BlockThreads(Body body, void *context, uint64_t node, uint32_t threads)
      : body(body), context(context), node(node), threads(threads) {}
  BlockThreads(const BlockThreads &) = delete;

  /// Calls body(context, t) for each thread t.
  void run();
  /// The thread that runs waits for all others.
  void sync();

private:
  enum class Stage {
    First, ///< thread 0 runs, or waits at a barrier while others run
    Rest,  ///< thread 0 has ended
  };

  static void runFiber(void *lane);
  void step();
  void finish();
  [[noreturn]] void failOfDivergence(uint32_t waiting, uint32_t ended) const;

  const Body body;
  void *const context;
  const uint64_t node;
  const uint32_t threads;
  Stage stage = Stage::First;
  uint32_t running = 0;
  BlockFibers *fibers = nullptr; ///< null: there was no barrier
};

/// For its lifetime, messages about blocks of this thread use these names.
class BlockNamesScope {
public:
  explicit BlockNamesScope(const BlockNames &names);
  ~BlockNamesScope();
  BlockNamesScope(const BlockNamesScope &) = delete;

private:
  const BlockNames *outer;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_BLOCKTHREADS_H
