// Aligns the lanes of a wavefront after they have run one after the other. The result is the instructions that a SIMT
// machine would have issued, and the number of active lanes of each. Counted code (cilk2gpu/abi/Counts.h) reports every
// block that it executes.
//
// A block is issued once for all lanes that execute it in the same call, in the same iterations of the loops around it.
// A machine does so if its lanes converge again as soon as their paths meet, as code for AMD's GPUs does. Calls from
// one block are aligned in their order, for each callee.
//
//   LaneScope            a call, or an iteration of a loop: the number of lanes that executed each of its blocks
//     LaneChain          a loop in it, or a callee of one of its blocks
//       LaneScope ...    first iteration or call, second, ...
//
// Thread-safety: none; one host thread runs the machine. The tree that is counted is thread-local, so other threads may
// run counted code at the same time, which is not counted.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_MODEL_LANECOUNTS_H
#define CILK2GPU_RUNTIME_EXECUTORS_MODEL_LANECOUNTS_H

#include "core/Environment.h"
#pragma GCC visibility push(default)
#include "cilk2gpu/abi/Counts.h"
#pragma GCC visibility pop

namespace cilk2gpu::rt {

struct IssueCounts {
  uint64_t issued[abi::kInstructionClasses] = {};
  uint64_t lanes[abi::kInstructionClasses] = {}; ///< lanes that were active in them
  uint64_t byLanes[4] = {}; ///< instructions in which up to a quarter of the wave's lanes were active, up to half, ...
  uint64_t unaligned = 0;   ///< instructions of lanes that were not aligned, because there was no memory
  uint64_t all() const {
    uint64_t result = 0;
    for (uint64_t count : issued)
      result += count;
    return result;
  }
  void add(const IssueCounts &other);
  /// Copies the counts into the counters with the same names.
  template <class Counters> void store(Counters &counters) const;
};

struct LaneScope;
struct LaneChunk;
class LaneTree;

struct LaneChain {
  LaneTree *tree;
  LaneChain *sibling; ///< next chain of the same parent
  LaneScope *parent;
  const abi::CountedFunction *function;
  uint32_t loop;  ///< 0: calls
  uint32_t block; ///< block that the calls come from
  LaneScope *first;
  LaneScope *cursor; ///< position of lane number `lane`
  uint32_t lane;
};

struct LaneScope {
  LaneChain *chain;
  LaneScope *next;   ///< next scope in the chain
  LaneScope *others; ///< next scope of the tree
  LaneChain *chains; ///< chains in this scope

  struct Entry {
    uint8_t lanes;
    uint8_t last; ///< number of the last lane
  };
  Entry *entries() { return reinterpret_cast<Entry *>(this + 1); }
};

/// Memory for the trees of all running wavefronts. It does not belong to the memory of the graph.
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

/// The blocks that one wavefront executes.
class LaneTree {
public:
  /// Starts to count. Blocks that the calling thread executes belong to this tree until the thread gets another
  /// counting state. `lanesPerWave`: lanes of a full wavefront.
  void begin(LaneMemory &memory, uint32_t lanesPerWave);
  /// Called when the next lane begins.
  void nextLane();
  /// Ends counting. Returns the instructions that the wavefront would have issued.
  IssueCounts finish();

  // Functions for the reports of cilk2gpu/abi/Counts.h.
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
  uint64_t used; ///< bytes of the first chunk
  LaneScope root, unaligned;
  LaneChain rootChain, unalignedChain;
  LaneScope *scopes;   ///< scopes with entries
  uint32_t wave, lane; ///< lanes of a full wavefront; number of the lane that runs, from 1
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

/// The position of the calling thread in a tree. It is saved while a wavefront has lost its turn.
struct CountingState {
  LaneTree *tree = nullptr;
  LaneScope *scope = nullptr; ///< that executes
  uint32_t block = 0;         ///< in it
};
CountingState countingState();
void setCountingState(const CountingState &state);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_MODEL_LANECOUNTS_H
