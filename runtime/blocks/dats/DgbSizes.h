// The sizes of the dependency graph buffer (DGB), which CILK2GPU_DGB sets: Wireframe, MICRO 2017, sections 4.2.2 and
// 5.4.
#ifndef CILK2GPU_RUNTIME_BLOCKS_DATS_DGBSIZES_H
#define CILK2GPU_RUNTIME_BLOCKS_DATS_DGBSIZES_H

#include <stdint.h>

namespace cilk2gpu::rt {

struct DgbSizes {
  /// Bytes of one memory request. A chunk is as many nodes as fit in it.
  static constexpr uint32_t kRequestBytes = 128;
  /// Most nodes of a graph, join nodes included: IDs have 16 bits.
  static constexpr uint64_t kMostNodes = 65536;
  /// Most entries of the local edge array that CILK2GPU_DGB allows.
  static constexpr uint64_t kMostEdges = 1048576;

  uint32_t nodes = 128;       ///< entries of the local node array (LNA)
  uint32_t edges = 512;       ///< entries of the local edge array (LEA)
  uint32_t pending = 64;      ///< entries of the pending update buffer (PUB)
  bool spill = true;          ///< updates that do not fit into the PUB go to global memory
  uint32_t chunkNodes = 16;   ///< nodes of a request: 8 bytes each
  uint32_t requestEdges = 64; ///< edges of a request: 2 bytes each

  /// The sizes of section 5.1 for the two policies.
  static constexpr DgbSizes levelBounded() { return {}; }
  static constexpr DgbSizes looseRoundRobin() {
    DgbSizes sizes;
    sizes.nodes = 512;
    sizes.edges = 2048;
    return sizes;
  }

  /// Bits of an entry of the LNA and the node state table: state, global ID, parent count, level, local edge start.
  /// Section 5.4 adds the same fields up to 58 bits; they are 59.
  constexpr uint32_t entryBits() const { return 2 + 16 + 16 + 16 + bitsFor(edges); }
  /// Bytes of an entry: its bits, rounded up to a power of two.
  constexpr uint32_t entryBytes() const {
    uint32_t bytes = 1;
    while (bytes * 8 < entryBits())
      bytes *= 2;
    return bytes;
  }
  /// Bytes of the whole buffer: LNA with the node state table, LEA, PUB, and the node insertion buffer.
  constexpr uint32_t bytes() const { return nodes * entryBytes() + edges * 2 + pending * 2 + kRequestBytes; }

private:
  static constexpr uint32_t bitsFor(uint32_t count) {
    uint32_t bits = 0;
    while ((uint64_t(1) << bits) < count)
      ++bits;
    return bits;
  }
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_DATS_DGBSIZES_H
