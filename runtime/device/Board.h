// The board through which the aggregator of a persistent kernel gives lanes to the kernel's other wavefronts, its
// workers. It is in memory that all wavefronts share. The host (PersistentHost.h) and GPUs (PersistentWavefront.h) use
// the same code.
//
//   aggregator                                              worker
//   writes the message, and posts its number and      -->   waits for a new number; if the message is for this worker,
//   the number of workers that the message is for           runs its share of the lanes
//   waits until `done` counts as many workers         <--   adds itself to `done`
//
// A message is for the workers with the lowest numbers. It stays unchanged until they are done. The other workers read
// only its number, so they may be late. The last message is for all workers, including those that come later.
//
// Thread-safety and order:
// - `posted` has one writer and is stored with release, which pairs with the workers' acquire;
// - `done` is added to with release, which pairs with the aggregator's acquire.
//
// So each action of a lane in one dispatch happens before each action of a lane in the next dispatch. The aggregator
// posts only to workers that have reported that they run, so no wavefront waits for a wavefront that does not run. On a
// GPU, all lanes of a worker's wavefront call its functions together.
#ifndef CILK2GPU_RUNTIME_DEVICE_BOARD_H
#define CILK2GPU_RUNTIME_DEVICE_BOARD_H

#pragma GCC visibility push(default)
#include "cilk2gpu/abi/Records.h"
#pragma GCC visibility pop
#include "device/DeviceMachine.h"

namespace cilk2gpu::device {

/// A word whose changes other wavefronts wait for. Its scope is the device on a GPU, and the system on the host.
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
  /// Must not be called while a wavefront waits.
  void reset() { Atomics::template store<__ATOMIC_RELAXED>(word(), uint64_t(0)); } // the next set() releases
  /// Waits until the value differs from `old`, and returns it.
  uint64_t awaitOtherThan(uint64_t old) const {
    while (Atomics::template load<__ATOMIC_RELAXED>(word()) == old) // relaxed: the read() below acquires
      Machine::rest(&value, old);
    return read();
  }

private:
  using Word = typename Machine::template Word<uint64_t>;
  Global<Word> word() const { return toGlobal(const_cast<Word *>(&value)); }

  Word value{};
};

/// Tickets of the wavefronts that have arrived. The wavefront with the first ticket, 0, is the aggregator.
template <class Machine> class BasicTickets {
  using Atomics = typename Machine::OnDevice;

public:
  /// Must be called before any wavefront runs.
  void reset() { Atomics::template store<__ATOMIC_RELAXED>(word(), 0u); }
  uint32_t take() { return Atomics::template add<__ATOMIC_RELAXED>(word(), 1u); } // relaxed: a ticket orders no other
                                                                                  // memory
  /// Called by the aggregator: waits for the first worker, and returns the number of workers that have arrived.
  uint32_t awaitWorkers() const {
    uint32_t come; // relaxed: no data that workers have written is read here
    while ((come = Atomics::template load<__ATOMIC_RELAXED>(word())) < 2)
      Machine::pause();
    return come - 1;
  }

private:
  using Word = typename Machine::template Word<uint32_t>;
  Global<Word> word() const { return toGlobal(const_cast<Word *>(&taken)); }

  Word taken{};
};

/// Lanes of a dispatch. `body` is null in the last message, which ends the kernel.
struct Message {
  abi::LaneFn body;
  abi::Wave *wave;
  uint64_t lanes, share; ///< lanes of the dispatch, and of each worker
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

  /// Must be called before any wavefront runs.
  void reset() {
    posted.reset();
    done.reset();
  }

  /// Called by the aggregator: runs the lanes on up to `workers` running workers, and waits until they are done. Each
  /// worker gets an equal number of whole wavefronts of `wave` lanes; the last worker may get fewer.
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

  /// Called by the aggregator: lets every worker return.
  void end() {
    Machine::set(&message, Message{});
    post(kMostWorkers);
  }

  /// Called by worker `number`, from 0 on: calls run(message) for each of its messages, until the last message.
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

  // Written by the aggregator.
  typename Machine::template Plain<Message> message{};
  BasicSignal<Machine> posted; ///< number of the last message; the high bits count the workers that the message is for
                               ///< Written by the workers.
  alignas(Machine::kLine) BasicSignal<Machine> done; ///< workers that are done with the message
};

using Signal = BasicSignal<Machine>;
using Tickets = BasicTickets<Machine>;
using Board = BasicBoard<Machine>;

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_DEVICE_BOARD_H
