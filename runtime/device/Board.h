// How the aggregator of a persistent kernel feeds the kernel's other wavefronts, its workers: one board, in memory that
// all of them share. Host (PersistentHost.h) and GPUs (PersistentWavefront.h) have the same.
//
//   aggregator: writes the message, posts its number and      worker: waits for a new number; if the message is for it,
//               for how many workers it is                            runs its share of the lanes, and counts itself
//               done waits until as many are done
//
// A message is for the first so many workers. It stays as it is until these are done; others read no more of it than
// its number, and so may be late. The last message is for all, whenever they come.
//
// Thread-safety and order: `posted` has one writer and is stored with release, which pairs with the workers' acquire;
// `done` is added to with release, which pairs with the aggregator's acquire: what any lane did in one dispatch happens
// before whatever any lane does in the next. The aggregator posts to workers that have said that they run, so nobody
// waits for a wavefront that does not. On a GPU, a worker's functions are called by all lanes of its wavefront
// together.
#ifndef CILK2GPU_RUNTIME_DEVICE_BOARD_H
#define CILK2GPU_RUNTIME_DEVICE_BOARD_H

#pragma GCC visibility push(default)
#include "cilk2gpu/abi/Records.h"
#pragma GCC visibility pop
#include "device/DeviceMachine.h"

namespace cilk2gpu::device {

/// A word that others wait for. Its scope is the device: on a GPU all of it, on the host the system.
template <class Machine> class BasicSignal {
  using Atomics = typename Machine::OnDevice;

public:
  uint64_t read() const { return Atomics::template load<__ATOMIC_ACQUIRE>(word()); } // pairs with set(), add()
  void set(uint64_t next) {
    Atomics::template store<__ATOMIC_RELEASE>(word(), next); // pairs with read()
    Machine::wake(&value);
  }
  void add() {
    Atomics::template add<__ATOMIC_RELEASE>(word(), uint64_t(1)); // pairs with read()
    Machine::wake(&value);
  }
  /// While nobody waits.
  void reset() { Atomics::template store<__ATOMIC_RELAXED>(word(), uint64_t(0)); } // what comes next releases
  /// Returns its value once that is not `old` any more.
  uint64_t awaitOtherThan(uint64_t old) const {
    while (Atomics::template load<__ATOMIC_RELAXED>(word()) == old) // ordered by the read() that follows
      Machine::rest(&value, old);
    return read();
  }

private:
  using Word = typename Machine::template Word<uint64_t>;
  Global<Word> word() const { return toGlobal(const_cast<Word *>(&value)); }

  Word value{};
};

/// The wavefronts that have come. The one with the first ticket, 0, is the aggregator's.
template <class Machine> class BasicTickets {
  using Atomics = typename Machine::OnDevice;

public:
  /// Before any wavefront runs.
  void reset() { Atomics::template store<__ATOMIC_RELAXED>(word(), 0u); }
  uint32_t take() { return Atomics::template add<__ATOMIC_RELAXED>(word(), 1u); } // orders nothing
  /// Aggregator: workers that have come, at least one; waits for that.
  uint32_t awaitWorkers() const {
    uint32_t come; // relaxed: they have written nothing that is read here
    while ((come = Atomics::template load<__ATOMIC_RELAXED>(word())) < 2)
      Machine::pause();
    return come - 1;
  }

private:
  using Word = typename Machine::template Word<uint32_t>;
  Global<Word> word() const { return toGlobal(const_cast<Word *>(&taken)); }

  Word taken{};
};

/// Lanes of a dispatch; `body` is null where the kernel ends.
struct Message {
  abi::LaneFn body;
  abi::Wave *wave;
  uint64_t lanes, share; ///< of the dispatch; of each worker
  bool restarts;

  uint64_t first(uint32_t worker) const { return worker * share; }
  uint64_t count(uint32_t worker) const {
    uint64_t left = lanes - first(worker);
    return left < share ? left : share;
  }
};

template <class Machine> class alignas(Machine::kLine) BasicBoard {
public:
  static constexpr uint32_t kMostWorkers = 0xffff;

  /// Before any wavefront runs.
  void reset() {
    posted.reset();
    done.reset();
  }

  /// Aggregator: runs the lanes on up to `workers` workers, which run, and waits for their ends. Whole wavefronts of
  /// `wave` lanes, as many for each worker as for the others.
  void dispatch(Message next, uint32_t workers, uint32_t wave) {
    uint64_t wavefronts = (next.lanes + wave - 1) / wave, each = (wavefronts + workers - 1) / workers;
    next.share = each * wave;
    uint32_t used = uint32_t((wavefronts + each - 1) / each);
    done.reset();
    Machine::set(&message, next);
    post(used);
    for (uint64_t seen = 0; seen != used;)
      seen = done.awaitOtherThan(seen);
  }

  /// Aggregator: lets every worker return.
  void end() {
    Machine::set(&message, Message{});
    post(kMostWorkers);
  }

  /// Worker number `number`, from 0 on, until the end: calls run(message).
  template <typename Run> void work(uint32_t number, Run run) {
    for (uint64_t seen = 0;;) {
      if (Machine::isLeader())
        seen = posted.awaitOtherThan(seen);
      seen = Machine::fromLeader(seen);
      if (number >= seen >> kUsedShift)
        continue;
      Machine::meet();
      Message mine = Machine::get(&message);
      if (!mine.body)
        return;
      run(mine);
      Machine::meet();
      if (Machine::isLeader())
        done.add();
    }
  }

private:
  static constexpr uint32_t kUsedShift = 48;

  void post(uint32_t used) {
    uint64_t number = (posted.read() + 1) & ((uint64_t(1) << kUsedShift) - 1);
    posted.set(uint64_t(used) << kUsedShift | number);
  }

  // The aggregator's.
  typename Machine::template Plain<Message> message{};
  BasicSignal<Machine> posted; ///< number of the last message; in the high bits, for how many workers it is
  // The workers'.
  alignas(Machine::kLine) BasicSignal<Machine> done; ///< workers that are done with it
};

using Signal = BasicSignal<Machine>;
using Tickets = BasicTickets<Machine>;
using Board = BasicBoard<Machine>;

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_DEVICE_BOARD_H
