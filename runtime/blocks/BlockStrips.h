// Strips of the rows of a grid whose blocks wait for blocks at constant distances. The blocks of a strip run in
// vectors: a lane has a row, and each row is some columns behind the row above it. With a skew of 1 and strips of 3
// rows, the numbers of the steps in which blocks run are
//
//   strip 0   0 1 2 3 4 5       piece (0, 0) has steps 0 to 1, piece (1, 0) has steps 2 to 3, ...
//             1 2 3 4 5 6
//             2 3 4 5 6 7
//   strip 1   0 1 2 3 4 5       piece (0, 1) has steps 0 to 1, ...
//
// Blocks of one step do not wait for one another: the skew is large enough for that. A piece is some steps of a strip.
// Pieces are a graph of constant offsets, too, whose IDs ascend. So one worker may run them in the order of their IDs,
// and several may share them.
//
// Memory: 96 bytes for each offset of the blocks; 4 bytes for each piece if they are shared.
//
// Thread-safety: constant, but for the counts of parents.
#ifndef CILK2GPU_RUNTIME_BLOCKS_BLOCKSTRIPS_H
#define CILK2GPU_RUNTIME_BLOCKS_BLOCKSTRIPS_H

#include "blocks/BlockLaunch.h"
#include "blocks/OffsetGraph.h"
#include "core/Tunables.h"

namespace cilk2gpu::rt {

class BlockStrips {
public:
  static constexpr uint32_t kRows = tunables::kRowsOfStrip, kSteps = tunables::kStepsOfPiece;

  /// The blocks of a step are at x, x - skew, x - 2 skew and so on, in rows that follow one another.
  struct Shape {
    uint32_t skew = 0;
    uint32_t lanes = 0; ///< most blocks of a step
  };

  /// Returns the shape of the strips of a graph. Few lanes mean that strips do not pay.
  static Shape shapeOf(const GridOffsets &offsets);

  /// `launch` has offsets, and a form whose lanes are blocks. The blocks with the first `ended` IDs have ended.
  BlockStrips(BlockMemory &memory, const BlockLaunch &launch, const Shape &shape, uint64_t ended);
  BlockStrips(const BlockStrips &) = delete;

  /// Returns the most memory that a graph of pieces takes, without its counts of parents.
  static uint64_t boundOfGraph(const GridOffsets &offsets);

  /// The launch whose blocks are the pieces. It has no counts of parents before countParents().
  const BlockLaunch &launch() const { return ofPieces; }
  void countParents(BlockMemory &memory) { rt::countParents(memory, graph); }

  /// The blocks with the first `ended` IDs have ended by now.
  void restart(uint64_t ended);

  uint32_t lanes() const { return shape.lanes; }
  uint64_t piecesOfStrip() const { return numPieces; }
  /// Returns the first piece of a strip that has a block which has not ended.
  uint64_t firstPiece() const { return first; }
  /// Returns the ID of the first block behind a strip.
  uint64_t blockBehind(uint64_t strip) const;

  /// Runs `count` steps of a piece, from `begin` on. `inLanes`: in vectors; else block by block. Returns the number of
  /// blocks.
  uint64_t runSteps(uint64_t piece, uint32_t begin, uint32_t count, bool inLanes) const;

private:
  struct Rows {
    uint32_t y = 0, z = 0;       ///< of the first row
    uint32_t begin = 0, end = 0; ///< rows of the strip that have blocks which have not ended
    uint32_t ended = 0;          ///< blocks of row `begin` that have ended
  };

  struct Step;

  Rows rowsOf(uint64_t strip) const;
  void runStep(const Step &step, uint32_t begin, uint32_t end, bool inLanes) const;
  static void runPiece(void *context, uint64_t piece);

  const BlockLaunch &blocks;
  const dim3 grid;
  const Shape shape;
  const uint64_t numPieces, stripsOfPlane; ///< pieces of a strip; strips of a plane
  dim3 firstBlock;                         ///< that has not ended
  uint64_t first;
  BlockGraph graph;
  const BlockLaunch ofPieces;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_BLOCKSTRIPS_H
