// The threads of a block. They run one after another on one thread of the host. A barrier makes them take turns:
//
//   thread 0   | before ............... SyncThreads | after
//   thread 1             before, on a fiber |                after
//
// Thread 0 stays on the caller's stack. Its first barrier starts the other threads on fibers, each up to its own first
// barrier. Each further barrier of thread 0 lets them go on to the next one. So a kernel without barriers has no
// fibers.
//
// If the body runs several threads at once, in the lanes of a vector, the same holds for groups of threads. A fiber
// then serves a group.
//
// Thread-safety: any thread, for its own block.
#ifndef CILK2GPU_RUNTIME_BLOCKS_BLOCKTHREADS_H
#define CILK2GPU_RUNTIME_BLOCKS_BLOCKTHREADS_H

#include "blocks/BlockGraph.h"
#include "process/Fiber.h"

namespace cilk2gpu::rt {

/// Fibers of a block's threads, which serve one block after another.
struct BlockFibers;

/// Groups of threads: up to `lanes` neighbours along x.
struct ThreadGroups {
  uint32_t threads;   ///< of the block
  uint32_t lanes = 1; ///< most threads of a group
  uint32_t row = 1;   ///< threads of the block along x

  uint32_t inRow() const { return (row + lanes - 1) / lanes; }
  uint32_t count() const { return threads / row * inRow(); }
  uint32_t firstThread(uint32_t group) const { return group / inRow() * row + group % inRow() * lanes; }
};

class BlockThreads {
public:
  using Body = void (*)(void *context, uint32_t group);

  BlockThreads(Body body, void *context, uint64_t node, const ThreadGroups &groups)
      : body(body), context(context), node(node), groups(groups), count(groups.count()) {}
  BlockThreads(const BlockThreads &) = delete;

  /// Calls body(context, g) for each group g.
  void run();
  /// The group that runs waits for all others.
  void sync();

  /// Ends the process with a message: thread number `waiting` of a block waits for thread number `absent`.
  [[noreturn]] static void failOfDivergence(uint64_t node, uint32_t waiting, uint32_t absent, uint32_t threads);

private:
  enum class Stage {
    First, ///< group 0 runs, or waits at a barrier while others run
    Rest,  ///< group 0 has ended
  };

  static void runFiber(void *lane);
  void step();
  void finish();
  [[noreturn]] void failOfGroups(uint32_t waiting, uint32_t ended) const;

  const Body body;
  void *const context;
  const uint64_t node;
  const ThreadGroups groups;
  const uint32_t count; ///< of groups
  Stage stage = Stage::First;
  uint32_t running = 0;
  BlockFibers *fibers = nullptr; ///< null: there was no barrier
};

/// For its lifetime, threads of blocks on this thread of the host wait for one another with sync(group), unless a
/// BlockThreads runs them.
class BarrierScope {
public:
  BarrierScope(void (*sync)(void *), void *group);
  ~BarrierScope();
  BarrierScope(const BarrierScope &) = delete;

  void wait() const { sync(group); }

private:
  void (*const sync)(void *);
  void *const group;
  BarrierScope *const outer;
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
