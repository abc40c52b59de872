// The scenarios of the device runtime, with assertions at every step and at the end. They cover the lanes' operations
// on channels, workers at the board of a persistent kernel, folds, requests to the host, and mailboxes of graphs.
#ifndef CILK2GPU_TEST_MODEL_DEVICESCENARIOS_H
#define CILK2GPU_TEST_MODEL_DEVICESCENARIOS_H

#include "RelacyDevice.h"

namespace model {

using Machine = RelacyMachine;
using Ends = device::ChannelEnds<Machine>;
using device::Message;

/// abi::Cursor and abi::FrameStore, with this machine's words.
struct ModelCursor {
  void **columns = nullptr;
  rl::atomic<uint64_t> next;
  rl::var<uint64_t> limit;

  void initialise(uint64_t first, uint64_t end) {
    next.store(first, rl::mo_relaxed, $);
    limit($) = end;
  }
};

struct ModelFrames {
  rl::var<void *> *free = nullptr;
  rl::var<uint64_t> count;
  rl::atomic<uint64_t> taken;
  rl::var<void *> *returns = nullptr;
  rl::atomic<uint64_t> returned;
};

/// Checks that each value comes once.
struct Once {
  unsigned seen = 0;
  void add(uint64_t value) {
    RL_ASSERT(value < 32 && !(seen >> value & 1));
    seen |= 1u << value;
  }
};

//===--------------------------------------------------------------------------------------------------------------===//
// Channels
//===--------------------------------------------------------------------------------------------------------------===//

/// Lanes of `Waves` wavefronts ask for elements of `Targets` channels with room for `Room` elements each. No lane gets
/// an element that another has, and no element is left while a lane is refused.
template <unsigned Waves, unsigned Lanes, unsigned Room, unsigned Targets = 1>
struct Reserve : rl::test_suite<Reserve<Waves, Lanes, Room, Targets>, Waves * Lanes> {
  static constexpr unsigned kThreads = Waves * Lanes, kFirst = 3;
  Wavefronts<Waves, Lanes> waves;
  ModelCursor cursors[Targets];
  rl::var<int> elements[Targets][Room];
  rl::var<bool> refused[kThreads];

  void before() {
    waves.initialise();
    for (ModelCursor &cursor : cursors)
      cursor.initialise(kFirst, kFirst + Room);
    for (auto &channel : elements)
      for (auto &element : channel)
        element($) = -1;
  }
  void thread(unsigned self) {
    uint64_t index = Ends::talloc(&cursors[self % Targets]);
    refused[self]($) = index == abi::kRefused;
    if (index != abi::kRefused) {
      RL_ASSERT(index >= kFirst && index < kFirst + Room);
      elements[self % Targets][index - kFirst]($) = int(self); // another lane's would be a data race
    }
    Machine::own().leave();
  }
  void after() {
    for (unsigned target = 0; target < Targets; ++target) {
      unsigned asked = 0, granted = 0;
      Once lanes;
      for (unsigned i = target; i < kThreads; i += Targets) {
        ++asked;
        granted += !refused[i]($);
      }
      RL_ASSERT(granted == (asked < Room ? asked : Room));
      for (unsigned i = 0; i < granted; ++i)
        lanes.add(uint64_t(int(elements[target][i]($))));
      RL_ASSERT(Machine::own(&cursors[target].next) == kFirst + asked);
    }
  }
};

/// Lanes take frames, and give them back, publish them, or yield with them. Each frame goes one way, once.
template <unsigned Waves, unsigned Lanes> struct Frames : rl::test_suite<Frames<Waves, Lanes>, Waves * Lanes> {
  static constexpr unsigned kLanes = Waves * Lanes;
  Wavefronts<Waves, Lanes> waves;
  ModelFrames store;
  ModelCursor syncs, restarts;
  rl::var<int> memory[kLanes]; // the frames
  rl::var<void *> free[kLanes], returns[kLanes], published[kLanes], yielded[kLanes];
  rl::var<uint32_t> sites[kLanes];
  void *syncColumns[1], *restartColumns[2];

  void before() {
    waves.initialise();
    for (unsigned i = 0; i < kLanes; ++i)
      free[i]($) = &memory[i];
    store.free = free;
    store.returns = returns;
    store.count($) = kLanes;
    store.taken.store(0, rl::mo_relaxed, $);
    store.returned.store(0, rl::mo_relaxed, $);
    syncColumns[0] = published;
    restartColumns[0] = yielded;
    restartColumns[1] = sites;
    syncs.columns = syncColumns;
    restarts.columns = restartColumns;
    syncs.initialise(0, kLanes);
    restarts.initialise(0, kLanes);
  }
  void thread(unsigned self) {
    void *frame = Ends::frame(&store);
    (*static_cast<rl::var<int> *>(frame))($) = int(self); // another lane's would be a data race
    if (self % 3 == 0)
      Ends::tfree(&store, frame);
    else if (self % 3 == 1)
      Ends::publish(&syncs, frame);
    else
      Ends::yield(&restarts, frame, 100 + self);
    Machine::own().leave();
  }
  void after() {
    Once frames;
    unsigned ways[3] = {};
    for (unsigned i = 0; i < kLanes; ++i)
      ++ways[i % 3];
    RL_ASSERT(Machine::own(&store.taken) == kLanes && Machine::own(&store.returned) == ways[0]);
    RL_ASSERT(Machine::own(&syncs.next) == ways[1] && Machine::own(&restarts.next) == ways[2]);
    for (unsigned i = 0; i < ways[0]; ++i)
      frames.add(laneOf(returns[i]($), 0));
    for (unsigned i = 0; i < ways[1]; ++i)
      frames.add(laneOf(published[i]($), 1));
    for (unsigned i = 0; i < ways[2]; ++i) {
      unsigned lane = laneOf(yielded[i]($), 2);
      frames.add(lane);
      RL_ASSERT(sites[i]($) == 100 + lane);
    }
  }
  /// Returns the lane that had the frame. The frame must have gone the given way.
  unsigned laneOf(void *frame, unsigned way) {
    int lane = (*static_cast<rl::var<int> *>(frame))($);
    RL_ASSERT(unsigned(lane) % 3 == way);
    return unsigned(lane);
  }
};

//===--------------------------------------------------------------------------------------------------------------===//
// The persistent kernel
//===--------------------------------------------------------------------------------------------------------------===//

/// Data that dispatches of `Most` lanes read and write. In each dispatch, a lane reads data that the aggregator has
/// written for it, and data that another lane has written in the dispatch before. Then it writes.
template <unsigned Dispatches, unsigned Most> struct Work {
  abi::Wave waves[Dispatches];
  unsigned lanes[Dispatches];
  rl::var<int> input[Dispatches][Most], output[Dispatches][Most];

  void initialise(unsigned count) {
    for (unsigned d = 0; d < Dispatches; ++d) {
      lanes[d] = count;
      for (unsigned lane = 0; lane < Most; ++lane)
        output[d][lane]($) = 0;
    }
  }

  static void body(abi::Wave *, uint64_t, uint32_t) {}

  /// Aggregator: prepares the next message.
  Message prepare(unsigned dispatch) {
    for (unsigned lane = 0; lane < lanes[dispatch]; ++lane)
      input[dispatch][lane]($) = int(10 * dispatch + lane);
    return {body, &waves[dispatch], lanes[dispatch], 0, false};
  }

  /// A lane of a worker, which runs every `step`th of its share.
  void run(const Message &message, uint32_t worker, unsigned ownLane, unsigned step) {
    unsigned dispatch = unsigned(message.wave - waves);
    uint64_t first = message.first(worker), end = first + message.count(worker);
    RL_ASSERT(dispatch < Dispatches && end <= lanes[dispatch]);
    for (uint64_t lane = first + ownLane; lane < end; lane += step) {
      RL_ASSERT(input[dispatch][lane]($) == int(10 * dispatch + lane));
      RL_ASSERT(output[dispatch][lane]($) == 0); // this lane has not run yet
      if (dispatch && lane < lanes[dispatch - 1])
        RL_ASSERT(output[dispatch - 1][lanes[dispatch - 1] - 1 - lane]($) == 1);
      output[dispatch][lane]($) = 1;
    }
  }

  /// Aggregator, when a dispatch has ended: every lane has run.
  void check(unsigned dispatch) {
    for (unsigned lane = 0; lane < lanes[dispatch]; ++lane)
      RL_ASSERT(output[dispatch][lane]($) == 1);
  }
};

/// An aggregator, thread 0, and workers at a board. `Used` says for how many workers each dispatch is, in turn.
template <unsigned Workers, unsigned Lanes, unsigned... Used>
struct Dispatches : rl::test_suite<Dispatches<Workers, Lanes, Used...>, 1 + Workers * Lanes> {
  static constexpr unsigned kDispatches = sizeof...(Used);
  Wavefronts<Workers, Lanes, 1> waves;
  device::BasicBoard<Machine> board;
  Work<kDispatches, Workers * Lanes> work;

  void before() {
    waves.initialise();
    board.reset();
    work.initialise(Workers * Lanes);
    unsigned i = 0;
    ((work.lanes[i++] = Used * Lanes), ...);
  }
  void thread(unsigned self) {
    if (self) {
      unsigned worker = (self - 1) / Lanes;
      board.work(worker, [&](const Message &message) { work.run(message, worker, Machine::ownLane(), Lanes); });
      return;
    }
    const unsigned used[] = {Used...};
    for (unsigned i = 0; i < kDispatches; ++i) {
      board.dispatch(work.prepare(i), used[i], Lanes);
      work.check(i);
    }
    board.end();
  }
};

/// A kernel of `Waves` wavefronts, which come in any order. The first is the aggregator's, and dispatches to the
/// wavefronts that have come by then. Late wavefronts find the end.
template <unsigned Waves, unsigned Lanes> struct Kernel : rl::test_suite<Kernel<Waves, Lanes>, Waves * Lanes> {
  Wavefronts<Waves, Lanes> waves;
  device::BasicBoard<Machine> board;
  device::BasicTickets<Machine> tickets;
  Work<2, 2> work;
  rl::var<int> ended[Waves * Lanes];

  void before() {
    waves.initialise();
    board.reset();
    tickets.reset();
    work.initialise(2);
    for (auto &lane : ended)
      lane($) = 0;
  }
  void thread(unsigned self) {
    uint64_t ticket = 0;
    if (Machine::isLeader())
      ticket = tickets.take();
    ticket = Machine::fromLeader(ticket);
    if (ticket)
      board.work(uint32_t(ticket - 1),
                 [&](const Message &message) { work.run(message, uint32_t(ticket - 1), Machine::ownLane(), Lanes); });
    else if (Machine::isLeader())
      aggregate();
    ended[self]($) = 1;
  }
  void aggregate() {
    for (unsigned i = 0; i < 2; ++i) {
      uint32_t workers = tickets.awaitWorkers();
      RL_ASSERT(workers >= 1 && workers < Waves);
      board.dispatch(work.prepare(i), workers, Lanes);
      work.check(i);
    }
    board.end();
  }
  void after() {
    for (auto &lane : ended)
      RL_ASSERT(lane($) == 1);
  }
};

/// Workers fill a channel in one dispatch and consume it in the next. When a dispatch has ended, the aggregator and
/// every worker find the elements that lanes reserved.
template <unsigned Workers> struct ProduceAndConsume : rl::test_suite<ProduceAndConsume<Workers>, 1 + Workers> {
  static constexpr unsigned kRoom = 3;
  Wavefronts<Workers, 1, 1> waves;
  device::BasicBoard<Machine> board;
  ModelCursor cursor;
  rl::var<int> elements[kRoom], consumed[kRoom];
  abi::Wave dispatched[2];

  static void body(abi::Wave *, uint64_t, uint32_t) {}
  void before() {
    waves.initialise();
    board.reset();
    for (auto &each : consumed)
      each($) = 0;
  }
  void thread(unsigned self) {
    if (self)
      board.work(self - 1, [&](const Message &message) { run(message, self - 1); });
    else
      aggregate();
  }
  void run(const Message &message, uint32_t worker) {
    for (uint64_t i = 0; i < message.count(worker); ++i) {
      uint64_t lane = message.first(worker) + i;
      if (message.wave == &dispatched[1]) {
        int producer = elements[lane]($);
        consumed[producer]($) = consumed[producer]($) + 1;
      } else if (uint64_t index = Ends::talloc(&cursor); index != abi::kRefused) {
        elements[index]($) = int(lane);
      }
    }
  }
  /// One lane more asks than there is room. As many lanes as there is room are granted.
  void aggregate() {
    cursor.initialise(0, kRoom - 1);
    board.dispatch({body, &dispatched[0], kRoom, 0, false}, Workers, 1);
    RL_ASSERT(Machine::own(&cursor.next) == kRoom);
    board.dispatch({body, &dispatched[1], kRoom - 1, 0, false}, Workers, 1);
    unsigned all = 0;
    for (auto &each : consumed) {
      RL_ASSERT(each($) <= 1);
      all += unsigned(each($));
    }
    RL_ASSERT(all == kRoom - 1);
    board.end();
  }
};

//===--------------------------------------------------------------------------------------------------------------===//
// Folds
//===--------------------------------------------------------------------------------------------------------------===//

/// Value, kind and target of the fold of lane `number`. `Each` lanes in turn have the same of `Targets` targets.
template <class T, unsigned Targets, unsigned Each, abi::Fold... Kinds> struct Folding {
  static constexpr abi::Fold kinds[] = {Kinds...};
  static constexpr unsigned kKinds = sizeof...(Kinds);
  rl::atomic<T> accumulators[Targets];

  void initialise() {
    for (auto &accumulator : accumulators)
      accumulator.store(0, rl::mo_relaxed, $);
  }
  static abi::Fold kindOf(unsigned number) { return kinds[number % kKinds]; }
  static unsigned targetOf(unsigned number) { return number / Each % Targets; }
  /// Each lane's sum has four bits of its own, and leaves four bits to other folds into the same target.
  static T valueOf(unsigned number) {
    return kindOf(number) == abi::Fold::Add ? T(T(1) << 4 * (number + 1)) : T(number % 3 + 1);
  }
  void fold(unsigned number) {
    device::Folds<Machine>::fold(kindOf(number), &accumulators[targetOf(number)], valueOf(number));
  }
  /// Checks that the result equals folding lane by lane.
  void check(unsigned lanes) {
    T expected[Targets] = {};
    for (unsigned number = 0; number < lanes; ++number) {
      T &to = expected[targetOf(number)];
      to = device::combine(kindOf(number), to, valueOf(number));
    }
    for (unsigned target = 0; target < Targets; ++target)
      RL_ASSERT(Machine::own(&accumulators[target]) == expected[target]);
  }
};

/// Lanes of `Waves` wavefronts fold at the same time. Nothing is lost, and nothing is counted twice.
template <unsigned Waves, unsigned Lanes, class Accumulators>
struct Folded : rl::test_suite<Folded<Waves, Lanes, Accumulators>, Waves * Lanes> {
  Wavefronts<Waves, Lanes> waves;
  Accumulators folding;

  void before() {
    waves.initialise();
    folding.initialise();
  }
  void thread(unsigned self) {
    folding.fold(self);
    Machine::own().leave();
  }
  void after() { folding.check(Waves * Lanes); }
};

/// Workers fold in one dispatch. The aggregator finds the result when it has ended, and every lane finds it in the next
/// dispatch.
template <unsigned Workers, unsigned Lanes>
struct FoldInDispatch : rl::test_suite<FoldInDispatch<Workers, Lanes>, 1 + Workers * Lanes> {
  Wavefronts<Workers, Lanes, 1> waves;
  device::BasicBoard<Machine> board;
  Folding<uint64_t, 1, 1, abi::Fold::Add> folding;
  abi::Wave dispatched[2];

  static void body(abi::Wave *, uint64_t, uint32_t) {}
  void before() {
    waves.initialise();
    board.reset();
    folding.initialise();
  }
  void thread(unsigned self) {
    if (!self)
      return aggregate();
    board.work((self - 1) / Lanes, [&](const Message &message) {
      if (message.wave == &dispatched[0])
        folding.fold(self - 1);
      else
        folding.check(Workers * Lanes);
    });
  }
  void aggregate() {
    for (abi::Wave &wave : dispatched) {
      board.dispatch({body, &wave, Workers * Lanes, 0, false}, Workers, Lanes);
      folding.check(Workers * Lanes);
    }
    board.end();
  }
};

//===--------------------------------------------------------------------------------------------------------------===//
// Requests
//===--------------------------------------------------------------------------------------------------------------===//

template <unsigned Slots, unsigned Lanes> struct ModelShape {
  template <class T> using Word = rl::atomic<T>;
  template <class T> using Plain = Variable<T>;
  static constexpr uint32_t kLine = 8, kSlots = Slots, kArguments = 2, kLanes = Lanes;
};

/// Each lane asks `Each` times; the last thread is the host's. Each request is answered once, with its own answer.
/// Either side sees earlier writes of the other.
template <unsigned Waves, unsigned Lanes, unsigned Slots, unsigned Each>
struct Requests : rl::test_suite<Requests<Waves, Lanes, Slots, Each>, Waves * Lanes + 1> {
  static constexpr unsigned kThreads = Waves * Lanes, kAll = kThreads * Each;
  using Queue = abi::BasicRequestQueue<ModelShape<Slots, Lanes>>;
  Wavefronts<Waves, Lanes> waves;
  Queue queue;
  rl::atomic<uint32_t> locks[Slots];
  rl::var<int> question[kAll], answer[kAll];
  rl::var<int> performed[kAll]; // the host's

  void before() {
    waves.initialise();
    for (unsigned i = 0; i < Slots; ++i) {
      locks[i].store(0, rl::mo_relaxed, $);
      queue.slots[i].posted.store(0, rl::mo_relaxed, $);
      queue.slots[i].served.store(0, rl::mo_relaxed, $);
    }
    for (auto &each : performed)
      each($) = 0;
  }
  void thread(unsigned self) {
    if (self == kThreads)
      return serve();
    device::BasicRequestClient<Machine, Queue> client(&queue, locks);
    for (unsigned i = 0; i < Each; ++i)
      ask(client, self * Each + i);
    Machine::own().leave();
  }
  template <class Client> void ask(Client &client, unsigned number) {
    question[number]($) = int(2 * number);
    uint64_t words[] = {number, 7 + number}, second = 0;
    uint64_t result = client.ask(functionOf(number), words, 2, &second);
    RL_ASSERT(result == 3 * number && second == 4 * number);
    RL_ASSERT(answer[number]($) == int(5 * number));
  }
  static abi::HostFunction functionOf(uint64_t number) {
    return number % 2 ? abi::HostFunction::Call_time : abi::HostFunction::Thunk;
  }
  uint64_t look() {
    return rt::serveRequests<RelacyHost>(
        queue, [&](abi::HostFunction function, const uint64_t *words, uint32_t count, uint64_t &second) {
          uint64_t number = words[0];
          RL_ASSERT(count == 2 && number < kAll && words[1] == 7 + number && function == functionOf(number));
          RL_ASSERT(performed[number]($) == 0 && question[number]($) == int(2 * number));
          performed[number]($) = 1;
          answer[number]($) = int(5 * number);
          second = 4 * number;
          return 3 * number;
        });
  }
  void serve() {
    for (uint64_t served = 0; served < kAll;)
      if (uint64_t lanes = look())
        served += lanes;
      else
        Machine::pause();
  }
  void after() {
    RL_ASSERT(look() == 0);
    for (auto &lock : locks)
      RL_ASSERT(Machine::own(&lock) == 0);
  }
};

//===--------------------------------------------------------------------------------------------------------------===//
// Mailboxes of hand-written graphs
//===--------------------------------------------------------------------------------------------------------------===//

struct ModelMailbox {
  template <class T> using Word = rl::atomic<T>;
  template <class T> using Plain = Variable<T>;
  static constexpr uint32_t kLine = 8;
};

/// Each lane gets an element `Each` times; the last thread is the host's. Where `isLate`, the host answers a lane when
/// another one has asked, too. Each request gets its own answer. A lane sees what the lane before it has written to the
/// element.
template <unsigned Lanes, unsigned Each, bool isLate>
struct Mailboxes : rl::test_suite<Mailboxes<Lanes, Each, isLate>, Lanes + 1> {
  static constexpr unsigned kAll = Lanes * Each;
  abi::BasicGraphLane<ModelMailbox> boxes[Lanes];
  rl::var<int> element; // passed on from lane to lane

  void before() {
    for (auto &box : boxes) {
      box.asked.store(0, rl::mo_relaxed, $);
      box.answered.store(0, rl::mo_relaxed, $);
    }
    element($) = 0;
  }
  void thread(unsigned self) {
    if (self == Lanes)
      return serve();
    for (unsigned i = 0; i < Each; ++i)
      use(self, int(i));
  }
  /// Asks for the element, has it alone until the second request, and counts in it.
  void use(unsigned self, int number) {
    device::askHost<Machine>(&boxes[self], {.call = abi::GraphCall::Next, .id = int(self), .number = number});
    abi::GraphAnswer answer = Machine::get(&boxes[self].answer);
    RL_ASSERT(answer.work.id == int(self) && answer.work.offset == number);
    int before = element($);
    RL_ASSERT(before == answer.work.level);
    element($) = before + 1;
    device::askHost<Machine>(&boxes[self], {.call = abi::GraphCall::Tfree, .id = int(self), .number = number});
  }
  void answer(unsigned lane, abi::GraphCall call, int level) {
    abi::GraphRequest request = Machine::get(&boxes[lane].request);
    RL_ASSERT(request.call == call && request.id == int(lane));
    abi::GraphAnswer answer = {};
    answer.work.id = request.id;
    answer.work.offset = request.number;
    answer.work.level = level;
    device::answerLane<Machine>(&boxes[lane], answer);
  }
  bool hasAsked(unsigned lane) { return device::hasAsked<Machine>(&boxes[lane]); }
  bool hasOtherAsked(unsigned lane) {
    for (unsigned other = 0; other < Lanes; ++other)
      if (other != lane && hasAsked(other))
        return true;
    return false;
  }
  void serve() {
    unsigned left[Lanes], lane = 0;
    for (unsigned &each : left)
      each = Each;
    for (unsigned served = 0; served < kAll; lane = (lane + 1) % Lanes) {
      bool waits = isLate && kAll - served > left[lane]; // another lane will ask
      if (!left[lane] || !hasAsked(lane) || (waits && !hasOtherAsked(lane))) {
        Machine::pause();
        continue;
      }
      answer(lane, abi::GraphCall::Next, int(served));
      while (!hasAsked(lane))
        Machine::pause();
      answer(lane, abi::GraphCall::Tfree, 0);
      --left[lane];
      ++served;
    }
  }
  void after() {
    for (unsigned lane = 0; lane < Lanes; ++lane)
      RL_ASSERT(!hasAsked(lane));
    RL_ASSERT(int(element($)) == int(kAll));
  }
};

} // namespace model

#endif // CILK2GPU_TEST_MODEL_DEVICESCENARIOS_H
