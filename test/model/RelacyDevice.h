// The machine that runs the device runtime's templates under Relacy. Words are Relacy's atomics, and memory that they
// order is its plain variables: it reports two accesses without an order as a data race. Each lane is a thread.
//
// Lanes of a wavefront that act together form a group. The model checker chooses its members. Messages within a group
// order nothing; synchronise() and meet() order lanes, and nothing else does.
#ifndef CILK2GPU_TEST_MODEL_RELACYDEVICE_H
#define CILK2GPU_TEST_MODEL_RELACYDEVICE_H

// Before Relacy, which redefines keywords.
#include "device/Board.h"
#include "device/ChannelEnds.h"
#include "device/GraphMailbox.h"
#include "device/RequestClient.h"
#include "device/WaveFolds.h"
#include "process/ServeRequests.h"

#include "RelacyOrder.h"
#include <ostream>

namespace model {

using namespace cilk2gpu;

/// A struct for Relacy's variables, which begin as 0 and whose histories print their values.
template <class T> struct Record {
  T value{};
  Record() = default;
  Record(int) {}
  Record(const T &value) : value(value) {}
  friend std::ostream &operator<<(std::ostream &to, const Record &) { return to << "a record"; }
};

template <class T> struct Holder {
  using Type = T;
};
template <> struct Holder<device::Message> {
  using Type = Record<device::Message>;
};
template <> struct Holder<abi::RequestCall> {
  using Type = Record<abi::RequestCall>;
};
template <> struct Holder<abi::GraphRequest> {
  using Type = Record<abi::GraphRequest>;
};
template <> struct Holder<abi::GraphAnswer> {
  using Type = Record<abi::GraphAnswer>;
};
/// Memory that needs an order with other threads' accesses.
template <class T> using Variable = rl::var<typename Holder<T>::Type>;

struct RelacyWords {
  template <int Order, class T> static T load(const rl::atomic<T> *word) { return word->load(orderOf(Order), $); }
  template <int Order, class T> static void store(rl::atomic<T> *word, T value) {
    word->store(value, orderOf(Order), $);
  }
  template <int Order, class T> static T add(rl::atomic<T> *word, T value) {
    return word->fetch_add(value, orderOf(Order), $);
  }
  template <int Order, class T> static bool exchange(rl::atomic<T> *word, T expected, T desired) {
    return word->compare_exchange_strong(expected, desired, orderOf(Order), $, rl::mo_relaxed, $);
  }
};

/// Lanes that are threads. Only the member `barrier` is part of the model.
class Wavefront {
public:
  static constexpr unsigned kMost = 4;
  static constexpr unsigned kMostExchanges = 4000; ///< more than any scenario has, unless a loop does not end

  void initialise(unsigned firstThread, unsigned count) {
    first = firstThread;
    live = all = (1u << count) - 1;
    barrier.store(0, rl::mo_relaxed, $);
  }

  unsigned ownLane() const { return rl::thread_index() - first; }
  unsigned whole() const { return all; }

  /// Returns the group that this lane acts with next. Waits for others if they may come and the search says so.
  unsigned group() {
    unsigned lane = ownLane();
    waiting |= 1u << lane;
    if (!mayCome() || rl::rand(2))
      closeGroup();
    while (!company[lane])
      park();
    unsigned lanes = company[lane];
    company[lane] = 0;
    return lanes;
  }

  /// This lane does nothing more.
  void leave() {
    live &= ~(1u << ownLane());
    if (waiting && !mayCome())
      closeGroup();
  }

  /// All of `lanes` exchange a value. Returns the values by lane.
  const uint64_t *exchange(unsigned lanes, uint64_t value) {
    unsigned lane = ownLane();
    RL_ASSERT(++exchanges < kMostExchanges);
    values[lane] = value;
    meeting[lane] = lanes;
    if (allMeet(lanes))
      for (unsigned each = 0; each < kMost; ++each)
        if (lanes >> each & 1)
          release(each);
    if (waiting && !mayCome())
      closeGroup();
    while (meeting[lane])
      park();
    return told[lane];
  }

  /// Orders: each action of any of `lanes` before the call happens before each action of any of them after it.
  void synchronise(unsigned lanes) {
    barrier.fetch_add(1, rl::mo_acq_rel, $);
    exchange(lanes, 0);
    barrier.fetch_add(1, rl::mo_acq_rel, $);
  }

private:
  static void park() { rl::ctx().park_current_thread(false, false, false, $); }
  void unpark(unsigned lane) {
    if (lane != ownLane())
      rl::ctx().unpark_thread(first + lane, false, $);
  }

  /// Returns whether a lane may join the lanes that wait to form a group: it is not among them, and waits for none of
  /// them.
  bool mayCome() const {
    unsigned others = live & ~waiting;
    for (unsigned lane = 0; lane < kMost; ++lane)
      if (meeting[lane])
        others &= ~(1u << lane);
    return others;
  }

  void closeGroup() {
    unsigned lanes = waiting;
    waiting = 0;
    for (unsigned lane = 0; lane < kMost; ++lane)
      if (lanes >> lane & 1) {
        company[lane] = lanes;
        unpark(lane);
      }
  }

  bool allMeet(unsigned lanes) const {
    for (unsigned lane = 0; lane < kMost; ++lane)
      if (lanes >> lane & 1 && meeting[lane] != lanes)
        return false;
    return true;
  }

  void release(unsigned lane) {
    for (unsigned each = 0; each < kMost; ++each)
      told[lane][each] = values[each];
    meeting[lane] = 0;
    unpark(lane);
  }

  unsigned first = 0, all = 0;
  unsigned live = 0, waiting = 0;
  unsigned exchanges = 0;
  unsigned company[kMost] = {}, meeting[kMost] = {};
  uint64_t values[kMost] = {}, told[kMost][kMost] = {};
  rl::atomic<unsigned> barrier;
};

/// A scenario's wavefronts: threads First to First + Count * Lanes - 1.
template <unsigned Count, unsigned Lanes, unsigned First = 0> struct Wavefronts;

struct RelacyMachine {
  template <class T> using Word = rl::atomic<T>;
  template <class T> using Plain = Variable<T>;
  /// Relacy places objects itself, without regard to larger alignments.
  static constexpr unsigned kLine = 8;
  using OnDevice = RelacyWords;
  using WithHost = RelacyWords;

  template <class T> static T get(const rl::var<T> *place) { return (*place)($); }
  template <class T> static T get(const rl::var<Record<T>> *place) { return Record<T>((*place)($)).value; }
  template <class T, class Value> static void set(rl::var<T> *place, Value value) { (*place)($) = T(value); }
  template <class T> static T own(const rl::atomic<T> *word) { return word->load(rl::mo_relaxed, $); }

  static uint64_t activeLanes(device::Purpose) { return own().group(); }
  static uint32_t ownLane() { return own().ownLane(); }
  static uint64_t broadcast(uint64_t lanes, uint64_t value, uint32_t from) {
    return own().exchange(unsigned(lanes), value)[from];
  }
  static uint64_t broadcastAmong(uint64_t, uint64_t lanes, uint64_t value, uint32_t from) {
    return broadcast(lanes, value, from);
  }
  template <class T> static T shuffle(uint64_t lanes, T value, uint32_t from) {
    return T(broadcast(lanes, value, from));
  }
  static uint64_t ballot(uint64_t lanes, bool flag) {
    const uint64_t *flags = own().exchange(unsigned(lanes), flag);
    uint64_t set = 0;
    for (unsigned lane = 0; lane < Wavefront::kMost; ++lane)
      if (lanes >> lane & 1 && flags[lane])
        set |= uint64_t(1) << lane;
    return set;
  }
  /// Folds in one operation: no other update comes between its read and its write.
  template <class T> static void update(abi::Fold fold, rl::atomic<T> *to, T value) {
    T old = to->load(rl::mo_relaxed, $);
    while (!to->compare_exchange_strong(old, device::combine(fold, old, value), rl::mo_relaxed, $, rl::mo_relaxed, $))
      ;
  }
  static void synchronise(uint64_t lanes) { own().synchronise(unsigned(lanes)); }
  static bool isLeader() { return ownLane() == 0; }
  static uint64_t fromLeader(uint64_t value) { return broadcast(own().whole(), value, 0); }
  static void meet() { synchronise(own().whole()); }
  static void pause() { rl::yield(1, $); }
  static void rest(const rl::atomic<uint64_t> *, uint64_t) { pause(); }
  static void wake(const rl::atomic<uint64_t> *) {}

  // Wavefronts of the running scenario.
  static inline Wavefront *wavefronts = nullptr;
  static inline unsigned firstThread = 0, lanesOfEach = 1;
  static Wavefront &own() { return wavefronts[(rl::thread_index() - firstThread) / lanesOfEach]; }
};

template <unsigned Count, unsigned Lanes, unsigned First> struct Wavefronts {
  static constexpr unsigned kThreads = Count * Lanes;
  Wavefront all[Count];

  void initialise() {
    RelacyMachine::wavefronts = all;
    RelacyMachine::firstThread = First;
    RelacyMachine::lanesOfEach = Lanes;
    for (unsigned i = 0; i < Count; ++i)
      all[i].initialise(First + i * Lanes, Lanes);
  }
};

/// The host's side of requests.
struct RelacyHost : RelacyMachine, RelacyWords {
  using RelacyMachine::get, RelacyMachine::own, RelacyMachine::set;
};

} // namespace model

#endif // CILK2GPU_TEST_MODEL_RELACYDEVICE_H
