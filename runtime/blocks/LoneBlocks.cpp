// See LoneBlocks.h.
#include "blocks/LoneBlocks.h"
#include "blocks/BlockPace.h"
#include "blocks/BlockThreads.h"
#include "blocks/BlockVector.h"
#include "blocks/LanesMemory.h"

#include <utility>

namespace cilk2gpu::rt {

namespace {

/// Decides whether other workers join.
class Joining {
public:
  /// `isWatching`: the time of blocks is wanted in any case.
  Joining(const BlockRun &run, uint64_t begin, bool isWatching)
      : run(run), begin(begin), isPossible(run.workers > 1), isWatching(isWatching || isPossible),
        isNow(mustShareAtOnce(run)), row(rowOf(run)), pace(isPossible ? 1 : tunables::kFirstUnwatched) {}

  /// Returns the number of ended blocks at which look() is to be called.
  uint64_t nextLook() const { return isNow ? 0 : isWatching ? begin + pace.nextLook() : run.launch.graph.nodes; }

  /// `isHeld`: others do not join yet.
  void look(uint64_t ended, bool isHeld) {
    uint64_t left = run.launch.graph.nodes - ended;
    if (!isWatching || !left)
      return;
    pace.look(ended - begin);
    isNow = isPossible && !isHeld && pace.isKnown() && pace.cost() * piece() > worthSharing() &&
            pace.cost() * left > tunables::kSharedWork;
  }

  bool isDecided() const { return isNow; }
  uint64_t cost() const { return pace.cost(); }
  BlockPace &getPace() { return pace; }

  /// Returns how many blocks run as a piece.
  uint32_t piece() const {
    uint32_t most = row / (tunables::kPiecesOfRow * run.workers);
    if (run.sharing.piece || most < 2)
      return std::clamp(run.sharing.piece, uint32_t(1), row);
    return pace.cost() ? uint32_t(std::clamp<uint64_t>(tunables::kPieceTime / pace.cost(), 1, most)) : 1;
  }

private:
  /// Nanoseconds of a block, or of a piece, above which others join.
  uint64_t worthSharing() const {
    if (run.launch.policy.kind == WF::LVL && run.sharing.above)
      return std::max(run.sharing.above, tunables::kSharedBoundedBlock);
    return piece() > 1 && run.sharing.above ? tunables::kSharedPiece : run.sharing.above;
  }
  /// Blocks of a row that may be cut into pieces.
  static uint32_t rowOf(const BlockRun &run) {
    const GridOffsets *offsets = run.launch.graph.offsets;
    return offsets && run.launch.policy.kind == WF::LRR && !run.isCounting ? offsets->grid.x : 1;
  }

  const BlockRun &run;
  const uint64_t begin;
  const bool isPossible, isWatching;
  bool isNow;
  const uint32_t row;
  BlockPace pace;
};

/// Chooses between single blocks and vectors of blocks. Each is tried for some blocks, and the faster one
/// then runs until 64 times the time of a trial has passed.
class LanesChoice {
public:
  /// `single`: vectors have paid in an earlier launch, whose single blocks took so many nanoseconds. So the first
  /// blocks run in vectors. 0: there was none.
  LanesChoice(const BlockRun &run, bool isPossible, uint64_t single = 0)
      : isPossible(isPossible), isFixed(run.sharing.inLanes), inLanes(isPossible && (isFixed || single)),
        costs{16 * single, 0}, trialTime(single ? tunables::kTrialTime : 0) {}

  bool isWatching() const { return isPossible && !isFixed; }
  bool areInLanes() const { return inLanes; }
  /// Returns true before the first choice, and during a trial. Then the time of a block tells little about later ones.
  bool isPending() const { return isWatching() && (!hasChosen || stage != Stage::Choice); }
  /// Returns true if both ways have been compared.
  bool isDecided() const { return hasChosen; }
  /// Returns true if vectors have been faster so far. A trial at hand may run single blocks all the same.
  bool areFaster() const { return costs[true] < costs[false]; }
  /// Returns the nanoseconds of a single block.
  uint64_t single() const { return std::max<uint64_t>(1, costs[false] / 16); }

  /// `blocks` have run in `time` nanoseconds.
  void note(uint64_t blocks, uint64_t time, BlockPace &pace) {
    if (!isWatching() || !pace.isKnown())
      return;
    elapsed += time;
    const uint64_t cost = std::max<uint64_t>(1, 16 * time / blocks);
    const uint64_t smaller = std::min(cost, std::exchange(before, cost));
    switch (stage) {
    case Stage::Choice:
      costs[inLanes] = smaller;
      if (elapsed < kTrialsApart * trialTime)
        return;
      stage = Stage::Begin;
      inLanes = !inLanes;
      break;
    case Stage::Begin:
      stage = Stage::Trial;
      if (time < tunables::kLongTrial)
        break;
      [[fallthrough]];
    case Stage::Trial:
      costs[inLanes] = smaller;
      trialTime = smaller * blocks / 16;
      inLanes = costs[true] < costs[false];
      stage = Stage::Choice;
      hasChosen = true;
      before = UINT64_MAX;
      elapsed = 0;
      return;
    }
    before = stage == Stage::Begin ? UINT64_MAX : before;
    pace.lookSoon(inLanes ? tunables::kTrialBlocks
                          : std::clamp<uint64_t>(16 * tunables::kTrialTime / costs[false], 1, 256));
  }

private:
  static constexpr uint64_t kTrialsApart = 64;
  enum class Stage {
    Choice,
    Begin, ///< of a trial: blocks may wait for memory and for code
    Trial,
  };

  const bool isPossible, isFixed;
  bool inLanes, hasChosen = false;
  Stage stage = Stage::Choice;
  uint64_t costs[2];            ///< sixteenths of nanoseconds of a single block, and of a block in a vector
  uint64_t before = UINT64_MAX; ///< the same for the blocks before; the smaller of two means is not an interruption
  uint64_t elapsed = 0, trialTime;
};

/// Remembers the choice of a launch. `single` is what the launch has known before; `isWhole`: no other worker joined.
void remember(LanesMemory &memory, const LanesChoice &choice, uint64_t single, bool isWhole) {
  if (single && !choice.areFaster())
    memory.forget();
  if (single || !choice.isDecided())
    return;
  if (!choice.areFaster())
    memory.noteFailure(choice.single());
  else if (isWhole)
    memory.remember(choice.single());
}

} // namespace

bool mustShareAtOnce(const BlockRun &run) {
  return run.workers > 1 && (!run.sharing.above || run.launch.graph.nodes < tunables::kBlocksToLearn * run.workers);
}

bool canRowsRunInLanes(const BlockLaunch &launch) {
  const GridOffsets *offsets = launch.graph.offsets;
  if (!offsets || !launch.forms.rowLanes || offsets->grid.x < 2 * tunables::kFewestLanes)
    return false;
  for (uint32_t i = 0; i < offsets->count; ++i)
    if (!offsets->offsets[i].y && !offsets->offsets[i].z)
      return false;
  return true;
}

BlocksSoFar runByIds(const BlockRun &run, uint64_t begin, const TryLanes &tryLanes) {
  const BlockLaunch &launch = run.launch;
  const uint64_t nodes = launch.graph.nodes;
  BlockNamesScope names(launch.graph.names);
  LanesChoice choice(run, launch.policy.kind == WF::LRR && canRowsRunInLanes(launch));
  Joining joining(run, begin, choice.isWatching() || tryLanes.at < nodes);
  BlockLaunch inLanes = launch;
  inLanes.forms.row = launch.forms.rowLanes;
  BlocksSoFar soFar;
  uint64_t node = begin;
  auto runUntil = [&](uint64_t end) {
    (choice.areInLanes() ? inLanes : launch).runRange(node, end);
    node = end;
  };
  while (!joining.isDecided() && !soFar.triesLanes && node < nodes) {
    uint64_t from = node;
    runUntil(std::min(nodes, joining.nextLook()));
    joining.look(node, choice.isPending());
    choice.note(node - from, joining.getPace().sinceLastLook(), joining.getPace());
    soFar.triesLanes =
        node >= tryLanes.at && node < nodes && joining.getPace().isKnown() && joining.cost() >= tryLanes.shortest;
  }
  soFar.cost = joining.cost();
  soFar.piece = joining.piece();
  soFar.inLanes = choice.areInLanes();
  if (node < nodes && launch.graph.offsets && !soFar.triesLanes) { // on to the begin of a piece
    const uint64_t row = launch.graph.offsets->grid.x, rowBegin = node / row * row;
    runUntil(std::min(rowBegin + row, rowBegin + (node % row + soFar.piece - 1) / soFar.piece * soFar.piece));
  }
  soFar.ended = node;
  return soFar;
}

/// Writes the blocks that are ready when the first `ended` ones have ended to a queue, behind as many slots. Returns
/// the number of slots.
static uint64_t fillQueue(const BlockGraph &graph, uint64_t ended, uint32_t *queue) {
  for (uint64_t node = 0; node < ended; ++node)
    eachChild(graph, node, [&](uint32_t child) { --graph.parents[child]; });
  uint64_t tail = ended;
  for (uint64_t node = ended; node < graph.nodes; ++node)
    if (!graph.parents[node])
      queue[tail++] = uint32_t(node + 1);
  return tail;
}

/// Returns how many of the first `ready` blocks of a queue run together. With LVL, their levels differ by no more than
/// the bound. The queue has them in the order of their levels.
static uint32_t countTogether(const BlockRun &run, const uint32_t *queue, uint64_t ready) {
  uint32_t count = uint32_t(std::min<uint64_t>(ready, BlockVector::kMost));
  if (run.launch.policy.kind != WF::LVL)
    return count;
  const uint32_t *levels = run.levels.of;
  while (levels[queue[count - 1] - 1] - levels[queue[0] - 1] > run.launch.policy.bound)
    --count;
  return count;
}

BlocksSoFar runBeforeVectors(const BlockRun &run, uint64_t shortest, uint64_t &single) {
  const bool hasLanes = run.launch.forms.lanes;
  LanesMemory memory(run);
  single = hasLanes && !mustShareAtOnce(run) ? memory.begin() : 0;
  const bool isShort = run.launch.graph.nodes * single < tunables::kLongLaunch;
  if ((single && isShort) || !run.launch.graph.isAscending)
    return {.triesLanes = true};
  const BlocksSoFar soFar = runByIds(run, 0, {.at = hasLanes ? 0 : UINT64_MAX, .shortest = memory.shortest(shortest)});
  if (single && 2 * soFar.cost < single) { // single blocks have had another reason to be slow
    memory.forget();
    single = 0;
  }
  return soFar;
}

BlocksSoFar runByQueue(BlockRun &run, uint64_t ended, uint64_t single) {
  const BlockLaunch &launch = run.launch;
  const BlockGraph &graph = launch.graph;
  BlockNamesScope names(graph.names);
  auto *queue = run.memory.zeroed<uint32_t>(graph.nodes, "the queue of ready blocks");
  uint64_t head = ended, tail = fillQueue(graph, ended, queue), most = 0;
  LanesMemory memory(run);
  LanesChoice choice(run, launch.forms.lanes && !run.isCounting, single);
  Joining joining(run, ended, choice.isWatching());
  while (!joining.isDecided() && head < graph.nodes) {
    uint64_t from = head;
    for (uint64_t end = std::min(graph.nodes, joining.nextLook()); head < end;) {
      most = std::max(most, tail - head);
      const uint32_t *taken = queue + head;
      uint32_t count = choice.areInLanes() ? countTogether(run, taken, tail - head) : 1;
      if (count == 1)
        launch.run(launch.context, taken[0] - 1);
      else
        BlockVector(launch, count, [&](uint32_t i) { return taken[i] - 1; }).run();
      head += count;
      for (uint32_t i = 0; i < count; ++i)
        eachChild(graph, taken[i] - 1, [&](uint32_t child) {
          if (--graph.parents[child] == 0)
            queue[tail++] = child + 1;
        });
    }
    joining.look(head, choice.isPending());
    choice.note(head - from, joining.getPace().sinceLastLook(), joining.getPace());
  }
  remember(memory, choice, single, head == graph.nodes);
  run.counters.mostReady = std::max(most, run.counters.mostReady);
  return {.ended = head, .queued = tail, .queue = queue, .cost = joining.cost(), .inLanes = choice.areInLanes()};
}

namespace {

/// Blocks level by level, from an array.
class OrderedBlocks {
public:
  OrderedBlocks(const BlockLaunch &launch, const BlockOrder &order) : launch(launch), order(order) {}

  /// Runs `count` blocks, one after another.
  void runSingly(uint64_t count) {
    for (const uint64_t end = head + count; head < end; ++head)
      launch.run(launch.context, order.nodes[head]);
  }
  /// Runs blocks of a level in a vector. Returns their number.
  uint64_t runTogether() {
    while (order.firstOfLevel[level + 1] <= head)
      ++level;
    const uint32_t *taken = order.nodes + head;
    const uint64_t together = std::min<uint64_t>(order.firstOfLevel[level + 1] - head, BlockVector::kMost);
    BlockVector(launch, uint32_t(together), [&](uint32_t i) { return taken[i]; }).run();
    head += together;
    return together;
  }

private:
  const BlockLaunch &launch;
  const BlockOrder &order;
  uint64_t head = 0, level = 0;
};

/// Blocks level by level, where levels need no array.
class BlocksOfWaves {
public:
  BlocksOfWaves(const BlockLaunch &launch, const GridWaves &waves) : launch(launch), waves(waves) {}

  void runSingly(uint64_t count) {
    const dim3 &grid = launch.graph.offsets->grid;
    while (count) {
      const BlockLine line = waves.take(uint32_t(std::min<uint64_t>(count, UINT32_MAX)));
      for (uint32_t i = 0; i < line.count; ++i)
        launch.run(launch.context, line.xOf(i) + uint64_t(grid.x) * (line.yOf(i) + uint64_t(grid.y) * line.z));
      count -= line.count;
    }
  }
  uint64_t runTogether() {
    const BlockLine line = waves.take(BlockVector::kMost);
    BlockVector(launch, line).run();
    return line.count;
  }

private:
  const BlockLaunch &launch;
  GridWaves waves;
};

template <class Blocks>
BlocksSoFar runLevelByLevel(const BlockRun &run, Blocks blocks, uint64_t ended, uint64_t single) {
  const BlockLaunch &launch = run.launch;
  const uint64_t nodes = launch.graph.nodes;
  BlockNamesScope names(launch.graph.names);
  LanesMemory memory(run);
  LanesChoice choice(run, launch.forms.lanes, single);
  Joining joining(run, ended, choice.isWatching());
  uint64_t head = ended;
  while (!joining.isDecided() && head < nodes) {
    const uint64_t from = head, end = std::min(nodes, joining.nextLook());
    if (!choice.areInLanes()) {
      blocks.runSingly(end - head);
      head = end;
    }
    while (head < end)
      head += blocks.runTogether();
    joining.look(head, choice.isPending());
    choice.note(head - from, joining.getPace().sinceLastLook(), joining.getPace());
  }
  remember(memory, choice, single, head == nodes);
  return {.ended = head, .cost = joining.cost(), .inLanes = choice.areInLanes()};
}

} // namespace

BlocksSoFar runByLevels(const BlockRun &run, const BlockOrder &order, uint64_t ended, uint64_t single) {
  return runLevelByLevel(run, OrderedBlocks(run.launch, order), ended, single);
}

BlocksSoFar runByLevels(const BlockRun &run, GridWaves waves, uint64_t ended, uint64_t single) {
  return runLevelByLevel(run, BlocksOfWaves(run.launch, waves), ended, single);
}

void fillQueue(BlockRun &run, const BlockOrder &order, uint64_t ids, BlocksSoFar &soFar) {
  const BlockGraph &graph = run.launch.graph;
  soFar.queue = run.memory.array<uint32_t>(graph.nodes, "the queue of ready blocks");
  auto countDown = [&](uint64_t node) { eachChild(graph, node, [&](uint32_t child) { --graph.parents[child]; }); };
  for (uint64_t node = 0; node < ids; ++node)
    countDown(node);
  const uint64_t ended = soFar.ended - ids, all = graph.nodes - ids; // of the order
  for (uint64_t i = 0; i < ended; ++i)
    countDown(order.nodes[i]);
  soFar.queued = soFar.ended;
  for (uint64_t i = ended; i < all; ++i)
    if (!graph.parents[order.nodes[i]])
      soFar.queue[soFar.queued++] = order.nodes[i] + 1;
}

} // namespace cilk2gpu::rt
