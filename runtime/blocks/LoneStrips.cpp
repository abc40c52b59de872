// One worker that runs the blocks of a graph of constant offsets in two ways: in the order of their IDs, and in strips
// whose lanes are blocks (BlockStrips.h). It measures both, and goes on with the faster one. See LoneBlocks.h.
#include "blocks/BlockThreads.h"
#include "blocks/LanesMemory.h"
#include "blocks/LoneBlocks.h"
#include "process/HostEnvironment.h"

#include <algorithm>
#include <utility>

namespace cilk2gpu::rt {

namespace {

/// Compares vectors with single blocks, which take `single` nanoseconds.
class LanesTrial {
public:
  LanesTrial(uint64_t single, uint32_t lanes)
      : single(single), fewest(std::min(lanes, kEnoughLanes)),
        steps(single >= tunables::kBlockToMeasure ? 1 : BlockStrips::kSteps) {}

  bool isOver() const { return isKnown; }
  bool paid() const { return isKnown && best < 16 * single; }
  uint64_t cost() const { return isKnown ? std::max<uint64_t>(1, best / 16) : single; }
  uint32_t stepsAtOnce() const { return steps; }

  /// Runs steps of a piece and measures them. Steps with few lanes do not count, and neither do the first ones, which
  /// wait for code and for memory.
  void run(const BlockStrips &strips, uint64_t piece, uint32_t begin) {
    uint64_t start = hostClock(), count = strips.runSteps(piece, begin, steps, /*inLanes=*/true);
    uint64_t taken = hostClock() - start;
    if (count < uint64_t(fewest) * steps || (!std::exchange(isWarm, true) && taken < tunables::kLongTrial))
      return;
    time += taken;
    blocks += count;
    if (time < tunables::kLongTrial && (blocks < tunables::kTrialBlocks / 2 || time < tunables::kTrialTime / 2))
      return;
    isKnown = best != UINT64_MAX || time >= tunables::kLongTrial;
    best = std::min(best, 16 * time / blocks);
    time = blocks = 0;
  }

private:
  static constexpr uint32_t kEnoughLanes = 8;

  const uint64_t single;
  const uint32_t fewest, steps;
  bool isWarm = false, isKnown = false;
  uint64_t time = 0, blocks = 0; ///< of one half of the trial
  uint64_t best = UINT64_MAX;    ///< sixteenths of nanoseconds of a block: the smaller mean, which is no interruption
};

/// Runs strips from the first piece on.
class LoneStrips {
public:
  LoneStrips(const BlockRun &run, const BlockStrips &strips, uint64_t single)
      : run(run), strips(strips), single(single), trial(single, strips.lanes()), piece(strips.firstPiece()) {}

  /// Stops at the end of a strip if vectors do not pay, or are to be compared anew; at the end of a piece if other
  /// workers join.
  BlocksSoFar work();

  bool isDecided() const { return trial.isOver(); }
  bool paid() const { return trial.paid(); }
  /// Returns true if vectors seem to have gained more than they can: single blocks no longer take as long.
  bool isImplausible() const { return trial.isOver() && trial.cost() * 2 * BlockStrips::kRows < single; }

private:
  void runPiece();
  bool isSharing() const;

  const BlockRun &run;
  const BlockStrips &strips;
  const uint64_t single; ///< nanoseconds of a single block
  LanesTrial trial;
  uint64_t piece;
};

} // namespace

void LoneStrips::runPiece() {
  uint32_t step = 0;
  for (; step < BlockStrips::kSteps && !trial.isOver(); step += trial.stepsAtOnce())
    trial.run(strips, piece, step);
  if (step < BlockStrips::kSteps)
    strips.runSteps(piece, step, BlockStrips::kSteps - step, trial.paid());
  ++piece;
}

/// Returns true if other workers join now.
bool LoneStrips::isSharing() const {
  const uint64_t nodes = run.launch.graph.nodes, behind = strips.blockBehind(piece / strips.piecesOfStrip());
  return run.workers > 1 && trial.paid() && (nodes - std::min(nodes, behind)) * trial.cost() > tunables::kSharedWork;
}

BlocksSoFar LoneStrips::work() {
  const uint64_t all = strips.launch().graph.nodes, ofStrip = strips.piecesOfStrip();
  const uint64_t stop = std::min(all, (piece / ofStrip + tunables::kStripsOfChoice) * ofStrip);
  while (piece < stop) {
    runPiece();
    if (isSharing())
      return {.cost = trial.cost(), .pieces = piece};
    if (piece % ofStrip == 0 && trial.isOver() && !trial.paid())
      break;
  }
  return {.ended = strips.blockBehind(piece / ofStrip - 1), .cost = trial.cost()};
}

BlocksSoFar runByIdsAndStrips(const BlockRun &run, BlockStrips &strips) {
  const uint64_t nodes = run.launch.graph.nodes;
  uint64_t apart = tunables::kStripsOfChoice * BlockStrips::kRows * run.launch.graph.offsets->grid.x, next = 0;
  LanesMemory memory(run);
  BlocksSoFar soFar;
  if (!mustShareAtOnce(run))
    soFar.cost = memory.begin();
  while (soFar.ended < nodes) {
    const bool isRemembered = !soFar.ended && soFar.cost;
    if (!isRemembered)
      soFar = runByIds(run, soFar.ended, {.at = next, .shortest = memory.shortest(tunables::kTriedBlock)});
    if (!isRemembered && !soFar.triesLanes)
      return soFar;
    BlockNamesScope names(run.launch.graph.names);
    strips.restart(soFar.ended);
    LoneStrips lone(run, strips, soFar.cost);
    const uint64_t single = soFar.cost;
    soFar = lone.work();
    if (isRemembered && lone.isImplausible())
      memory.forget();
    if (!isRemembered && (lone.paid() || !lone.isDecided()))
      memory.remember(single);
    if (soFar.pieces)
      return soFar;
    next = soFar.ended;
    if (lone.paid())
      continue;
    if (lone.isDecided())
      memory.noteFailure(single);
    next += apart;
    apart *= tunables::kRarerTrials;
  }
  return soFar;
}

} // namespace cilk2gpu::rt
