// Aligns the lanes of a wavefront after they have run one after the other: which instructions a SIMT machine would have
// issued, and for how many lanes each. Counted code (cilk2gpu/abi/Counts.h) reports every block that it executes.
//
// A block is issued once for all lanes that execute it in the same call, in the same iterations of the loops around it.
// That is what a machine does that brings lanes together again as soon as their ways meet, as compilers for AMD's GPUs
// arrange it. Calls out of one block are aligned in their order, for each callee.
//
//   LaneScope            a call, or an iteration of a loop: how many lanes have executed each of its blocks
//     LaneChain          a loop in it, or a callee of one of its blocks
//       LaneScope ...    first iteration or call, second, ...
//
// Thread-safety: none; one host thread runs the machine. What is counted at the moment is kept for each thread, so that
// others may run counted code meanwhile: theirs is not counted.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_MODEL_LANECOUNTS_H
#define CILK2GPU_RUNTIME_EXECUTORS_MODEL_LANECOUNTS_H

#include "core/Environment.h"
#pragma GCC visibility push(default)
#include "cilk2gpu/abi/Counts.h"
#pragma GCC visibility pop

namespace cilk2gpu::rt {

struct IssueCounts {
  uint64_t issued[abi::kInstructionClasses] = {};
  uint64_t lanes[abi::kInstructionClasses] = {}; ///< that were active in them
  uint64_t byLanes[4] = {}; ///< instructions in which up to a quarter of the wave's lanes were active, up to half, ...
  uint64_t unaligned = 0;   ///< lanes' instructions for which there was no memory to align them
  uint64_t all() const {
    uint64_t result = 0;
    for (uint64_t count : issued)
      result += count;
    return result;
  }
  void add(const IssueCounts &other);
  /// Into counters of these names.
  template <class Counters> void store(Counters &counters) const;
};

struct LaneScope;
struct LaneChunk;
class LaneTree;

struct LaneChain {
  LaneTree *tree;
  LaneChain *sibling; ///< of the same parent
  LaneScope *parent;
  const abi::CountedFunction *function;
  uint32_t loop;  ///< 0: calls
  uint32_t block; ///< of calls: the one that they come from
  LaneScope *first;
  LaneScope *cursor; ///< where lane number `lane` is
  uint32_t lane;
};

struct LaneScope {
  LaneChain *chain;
  LaneScope *next;   ///< in the chain
  LaneScope *others; ///< of the tree
  LaneChain *chains; ///< in it

  struct Entry {
    uint8_t lanes;
    uint8_t last; ///< number of the last of them
  };
  Entry *entries() { return reinterpret_cast<Entry *>(this + 1); }
};

/// Memory for trees, of all wavefronts that run at one time. It is no part of what a graph needs.
class LaneMemory {
public:
  LaneMemory(const Environment &environment, uint64_t limit) : environment(environment), left(limit) {}
  LaneMemory(const LaneMemory &) = delete;
  LaneChunk *take(); ///< null: the limit is reached
  void giveBack(LaneChunk *chunks);
  void destroy();

private:
  const Environment &environment;
  uint64_t left; ///< bytes
  LaneChunk *free = nullptr;
};

/// What one wavefront executes.
class LaneTree {
public:
  /// Counts from here on; blocks that the calling thread executes belong to this tree until its counting state is set
  /// to another one.
  /// `lanesPerWave`: of a full wavefront.
  void begin(LaneMemory &memory, uint32_t lanesPerWave);
  /// The next lane begins.
  void nextLane();
  /// Ends it: what the wavefront would have issued.
  IssueCounts finish();

  // For cilk2gpu/abi/Counts.h.
  LaneScope *enter(LaneScope *from, uint32_t block, const abi::CountedFunction *function);
  LaneScope *visit(LaneScope *scope, const abi::CountedFunction *function, uint32_t block);

private:
  void startChain(LaneChain &chain, LaneScope &scope);
  LaneScope *advance(LaneChain &chain);
  LaneChain *chainIn(LaneScope *scope, const abi::CountedFunction *function, uint32_t loop, uint32_t block);
  LaneScope *moveTo(LaneScope *scope, const abi::CountedFunction *function, const abi::BlockRecord &block);
  void *allocate(uint64_t bytes);
  void count(const abi::BlockRecord &block, uint32_t lanes);

  LaneMemory *memory;
  LaneChunk *chunks;
  uint64_t used; ///< of the first
  LaneScope root, unaligned;
  LaneChain rootChain, unalignedChain;
  LaneScope *scopes;   ///< with entries
  uint32_t wave, lane; ///< the first is number 1
  IssueCounts counts;
};

template <class Counters> void IssueCounts::store(Counters &counters) const {
  uint64_t Counters::*const names[abi::kInstructionClasses][2] = {
      {&Counters::issued_alu, &Counters::issued_alu_lanes},
      {&Counters::issued_load, &Counters::issued_load_lanes},
      {&Counters::issued_store, &Counters::issued_store_lanes},
      {&Counters::issued_atomic, &Counters::issued_atomic_lanes},
      {&Counters::issued_branch, &Counters::issued_branch_lanes},
      {&Counters::issued_call, &Counters::issued_call_lanes},
      {&Counters::issued_channel, &Counters::issued_channel_lanes}};
  for (uint32_t c = 0; c < abi::kInstructionClasses; ++c) {
    counters.*names[c][0] = issued[c];
    counters.*names[c][1] = lanes[c];
  }
  counters.issued_quarter_1 = byLanes[0];
  counters.issued_quarter_2 = byLanes[1];
  counters.issued_quarter_3 = byLanes[2];
  counters.issued_quarter_4 = byLanes[3];
  counters.unaligned_instructions = unaligned;
}

/// What the calling thread counts: to be put aside where a wavefront loses its turn.
struct CountingState {
  LaneTree *tree = nullptr;
  LaneScope *scope = nullptr; ///< that executes
  uint32_t block = 0;         ///< in it
};
CountingState countingState();
void setCountingState(const CountingState &state);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_MODEL_LANECOUNTS_H
