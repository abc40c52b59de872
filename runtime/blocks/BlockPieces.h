// Pieces of the rows of a grid whose blocks wait for blocks at constant distances. A piece is a run of blocks along x.
// One worker runs it as a whole, so that small blocks share the cost of counts and queues:
//
//   blocks    0  1  2  3  4 | 5 ...     with pieces of 2 blocks, a row of 5 blocks has 3 pieces
//   pieces    0     1     2 | 3 ...
//
// Pieces are a graph of constant offsets, too. A piece waits for all pieces with parents of its blocks. The blocks of a
// piece run in the order of their IDs, and that is an order in which parents come first.
//
// Memory: 4 bytes for each piece, and 48 for each offset of the blocks.
//
// Thread-safety: constant, but for the counts of parents.
#ifndef CILK2GPU_RUNTIME_BLOCKS_BLOCKPIECES_H
#define CILK2GPU_RUNTIME_BLOCKS_BLOCKPIECES_H

#include "blocks/BlockLaunch.h"

namespace cilk2gpu::rt {

class BlockPieces {
public:
  /// `width` blocks are a piece. The graph of `launch` has offsets.
  BlockPieces(BlockMemory &memory, const BlockLaunch &launch, uint32_t width);
  BlockPieces(const BlockPieces &) = delete;

  /// Returns the most memory that offsets of pieces take. Counts of parents are not in it.
  static uint64_t boundOfGraph(const GridOffsets &offsets);

  /// The launch whose blocks are the pieces. It has counts of parents.
  const BlockLaunch &launch() const { return ofPieces; }

  /// Returns the piece that begins with a block. The block stands at a begin.
  uint64_t pieceAt(uint64_t node) const { return node / row * piecesOfRow + node % row / width; }

private:
  static void runPiece(void *context, uint64_t piece);

  const BlockLaunch &blocks;
  const uint32_t row, width, piecesOfRow;
  BlockGraph graph;
  const BlockLaunch ofPieces;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_BLOCKPIECES_H
