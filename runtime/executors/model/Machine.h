// The modelled GPU: compute units with SIMD units and wavefront contexts, a clock, and the order in which wavefronts
// get their turns.
//
//   CU 0                          CU 1 ...
//     SIMD 0: contexts 0, 4, 8 ...
//     SIMD 1: contexts 1, 5, 9 ...
//
// A context holds a wavefront, which runs on a fiber.
//
// A wavefront runs from one modelled point to the next without losing its turn. A point has a cost: cycles in which the
// wavefront occupies its SIMD unit (issue), and cycles in which it waits without the unit (latency). The schedule
// chooses the wavefront that goes on next:
//
// - RoundRobin: the wavefront that was ready first.
// - Random: any wavefront, by the seed.
// - Adversarial: the wavefront with the greatest pressure(), whether it is ready or not. Now and then, the
//   wavefront that has waited longest, so that no wavefront waits for ever.
//
// Thread-safety: none; one host thread runs the machine. A run depends only on the seed, the machine's shape and the
// program.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_MODEL_MACHINE_H
#define CILK2GPU_RUNTIME_EXECUTORS_MODEL_MACHINE_H

#include "core/Arena.h"
#include "core/Generator.h"
#include "process/Fiber.h"
#include "process/Schedules.h"

namespace cilk2gpu::rt {

struct MachineShape {
  uint32_t cus;
  uint32_t simdsPerCu;
  uint32_t contextsPerCu;
  uint32_t contexts() const { return cus * contextsPerCu; }
};

struct MachineSettings {
  MachineShape shape;
  Schedule schedule;
  ProgressModel progress;
  uint64_t seed;
  uint64_t stackBytes; ///< of a fiber
};

/// Cost of a modelled point, in cycles.
struct Cost {
  uint64_t issue;
  uint64_t latency;
};

class Wavefront;

struct Context {
  uint32_t index, cu, simd; ///< simd counts over all CUs
  Wavefront *wavefront;     ///< null: free
  Fiber *fiber;             ///< null until the wavefront starts
  uint64_t readyAt, order;  ///< position in the queue
  uint64_t startedAt;       ///< time at which the wavefront started
  Context *nextWaiting;     ///< next wavefront that waits to start on the SIMD unit (ProgressModel::Occupancy)
};

class Machine {
public:
  static constexpr uint64_t kNever = ~uint64_t(0);
  using Body = void (*)(void *wavefront);
  using Pressure = uint64_t (*)(const Wavefront &wavefront);

  /// Memory for contexts comes from `arena`. `body` runs a wavefront; `ended` is called when it is over.
  Machine(Arena &arena, const MachineSettings &settings, Body body, Pressure pressure);
  Machine(const Machine &) = delete;

  /// Return a free context; null if all are taken. The first function lets CUs take turns, the second looks only on
  /// `cu`.
  Context *freeContext();
  Context *freeContext(uint32_t cu);
  /// Gives a context its wavefront, which may start at `time`.
  void occupy(Context &context, Wavefront &wavefront, uint64_t time);

  /// Returns the time at which the next wavefront goes on; kNever if there is none. If the schedule is not RoundRobin,
  /// returns the present time.
  uint64_t nextTurn();
  /// Gives one wavefront its turn. If the wavefront has ended, returns it; its context is then free.
  struct Ended {
    Wavefront *wavefront = nullptr; ///< null: no wavefront has ended
    Context *context = nullptr;
  };
  Ended turn() { return give(*choose()); }
  /// Likewise, to a wavefront of one CU, which has one whose turn it may be.
  Ended turnOf(uint32_t cu) { return give(*chooseOf(cu)); }
  bool mayTurn(uint32_t cu) const;

  /// Called in a wavefront at a modelled point. Returns when it is the wavefront's turn again.
  void point(Cost cost);
  /// Returns the context whose wavefront runs; null outside of wavefronts.
  Context *running() const { return current; }
  /// Sets the context whose wavefront runs, and returns the one before. Threads that run wavefronts at once hold a lock
  /// while they use the machine, and leave no context behind when they release it.
  Context *exchangeRunning(Context *context) {
    Context *before = current;
    current = context;
    return before;
  }
  /// Called in a wavefront: gives up its context, which another wavefront may take. Returns after attach() has put this
  /// wavefront, with its fiber, into a context again.
  void detach();
  void attach(Context &context, Wavefront &wavefront, Fiber *fiber, uint64_t time);

  uint32_t occupied() const { return numOccupied; }
  uint64_t now() const { return clock; }
  void advanceTo(uint64_t time) { clock = time > clock ? time : clock; }
  /// Sets the earliest time at which the aggregator has to act. A wavefront that runs alone keeps its turn until then.
  void setDeadline(uint64_t time) { deadline = time; }

  Generator &random() { return generator; }
  Schedule schedule() const { return settings.schedule; }
  const MachineShape &shape() const { return settings.shape; }
  const Context &context(uint32_t index) const { return contexts[index]; }
  uint64_t issueCycles() const { return issued; }
  uint64_t fibersCreated() const { return numFibers; }

  /// Returns an idle fiber; null if its stack cannot be mapped. keepFiber() gives it back.
  Fiber *takeFiber();
  void keepFiber(Fiber *fiber) {
    fiber->next = fibers;
    fibers = fiber;
  }

  /// Unmaps all stacks.
  void destroy();

private:
  Context *choose();
  Context *chooseOf(uint32_t cu);
  Ended give(Context &context);
  void enqueue(Context &context);
  Context *dequeue();
  void siftDown(uint32_t at);
  bool isBefore(const Context &a, const Context &b) const {
    return a.readyAt != b.readyAt ? a.readyAt < b.readyAt : a.order < b.order;
  }
  void admit(Context &context);
  void release(Context &context);
  void fail(const char *what, uint64_t bytes);

  Arena &arena;
  const MachineSettings settings;
  const Body body;
  const Pressure pressure;
  Generator generator;
  Context *contexts;
  Context **queue; ///< contexts that wait for their turn: a heap (RoundRobin), or in any order
  uint32_t queued = 0;
  uint64_t *freeBits; ///< free contexts of each CU, wordsPerCu words each
  uint32_t wordsPerCu;
  uint32_t *nextSlot; ///< for each CU: the first place to look for a free context
  uint64_t *simdFreeAt;
  Context **residents; ///< with ProgressModel::Occupancy, for each SIMD unit: the context that has started
  Context **waiting;   ///< with ProgressModel::Occupancy, for each SIMD unit: the first context that has not started
  Fiber *fibers = nullptr;
  Context *current = nullptr;
  uint32_t nextCu = 0, numOccupied = 0;
  uint64_t clock = 0, deadline = kNever, order = 0, issued = 0, numFibers = 0;
  uint64_t choices = 0; ///< turns so far, with Schedule::Adversarial
  bool hasDetached = false;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_MODEL_MACHINE_H
