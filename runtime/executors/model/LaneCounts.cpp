// A tree is in chunks of memory that are freed together. A lane goes along each chain once. The chain's cursor is the
// lane's position, so the cost of an iteration does not depend on the number of earlier iterations.
#include "executors/model/LaneCounts.h"
#include "core/InstructionSink.h"
#include "core/Tunables.h"

namespace cilk2gpu::rt {

void IssueCounts::add(const IssueCounts &other) {
  for (uint32_t c = 0; c < abi::kInstructionClasses; ++c) {
    issued[c] += other.issued[c];
    lanes[c] += other.lanes[c];
  }
  for (uint32_t q = 0; q < 4; ++q)
    byLanes[q] += other.byLanes[q];
  unaligned += other.unaligned;
}

//===--------------------------------------------------------------------------------------------------------------===//
// Memory
//===--------------------------------------------------------------------------------------------------------------===//

struct LaneChunk {
  LaneChunk *next;
};

using tunables::kLaneChunk;

LaneChunk *LaneMemory::take() {
  if (LaneChunk *chunk = free) {
    free = chunk->next;
    return chunk;
  }
  if (left < kLaneChunk)
    return nullptr;
  auto *chunk = static_cast<LaneChunk *>(environment.allocate(environment.context, kLaneChunk, alignof(LaneScope)));
  if (!chunk) {
    environment.fail(
        environment.context,
        {.kind = FailureKind::OutOfMemory, .what = "counts of instructions", .subject = nullptr, .value = kLaneChunk});
    __builtin_unreachable();
  }
  left -= kLaneChunk;
  return chunk;
}

void LaneMemory::giveBack(LaneChunk *chunks) {
  while (LaneChunk *chunk = chunks) {
    chunks = chunk->next;
    chunk->next = free;
    free = chunk;
  }
}

void LaneMemory::destroy() {
  while (LaneChunk *chunk = free) {
    free = chunk->next;
    environment.release(environment.context, chunk, kLaneChunk, alignof(LaneScope));
  }
}

void *LaneTree::allocate(uint64_t bytes) {
  bytes = (bytes + 7) & ~uint64_t(7);
  if (bytes > kLaneChunk - sizeof(LaneChunk))
    return nullptr;
  if (!chunks || used + bytes > kLaneChunk) {
    LaneChunk *fresh = memory->take();
    if (!fresh)
      return nullptr;
    fresh->next = chunks;
    chunks = fresh;
    used = sizeof(LaneChunk);
  }
  void *result = reinterpret_cast<char *>(chunks) + used;
  used += bytes;
  return result;
}

//===--------------------------------------------------------------------------------------------------------------===//
// The tree
//===--------------------------------------------------------------------------------------------------------------===//

static thread_local CountingState counting;

CountingState countingState() { return counting; }
void setCountingState(const CountingState &state) { counting = state; }

/// Makes a chain whose only scope is `scope`, without a parent.
void LaneTree::startChain(LaneChain &chain, LaneScope &scope) {
  chain = {.tree = this,
           .sibling = nullptr,
           .parent = nullptr,
           .function = nullptr,
           .loop = 0,
           .block = 0,
           .first = &scope,
           .cursor = &scope,
           .lane = 0};
  scope = {.chain = &chain, .next = nullptr, .others = nullptr, .chains = nullptr};
}

void LaneTree::begin(LaneMemory &from, uint32_t lanesPerWave) {
  memory = &from;
  chunks = nullptr;
  used = 0;
  startChain(rootChain, root);
  startChain(unalignedChain, unaligned);
  scopes = nullptr;
  wave = lanesPerWave;
  lane = 0;
  counts = {};
  counting = {.tree = this, .scope = nullptr, .block = 0};
}

void LaneTree::nextLane() {
  ++lane;
  counting = {.tree = this, .scope = &root, .block = 0};
}

/// Returns the chain's next scope for the lane that runs; null: there is no memory for it.
LaneScope *LaneTree::advance(LaneChain &chain) {
  LaneScope **link = chain.lane == lane ? &chain.cursor->next : &chain.first;
  if (!*link) {
    const abi::LoopRecord &loop = chain.function->loops[chain.loop];
    uint64_t bytes = sizeof(LaneScope) + loop.numBlocks * sizeof(LaneScope::Entry);
    auto *fresh = static_cast<LaneScope *>(allocate(bytes));
    if (!fresh)
      return nullptr;
    __builtin_memset(static_cast<void *>(fresh), 0, bytes);
    fresh->chain = &chain;
    fresh->others = scopes;
    scopes = fresh;
    *link = fresh;
  }
  chain.cursor = *link;
  chain.lane = lane;
  return chain.cursor;
}

LaneChain *LaneTree::chainIn(LaneScope *scope, const abi::CountedFunction *function, uint32_t loop, uint32_t block) {
  for (LaneChain *chain = scope->chains; chain; chain = chain->sibling)
    if (chain->function == function && chain->loop == loop && chain->block == block)
      return chain;
  auto *chain = static_cast<LaneChain *>(allocate(sizeof(LaneChain)));
  if (!chain)
    return nullptr;
  *chain = {.tree = this,
            .sibling = scope->chains,
            .parent = scope,
            .function = function,
            .loop = loop,
            .block = block,
            .first = nullptr,
            .cursor = nullptr,
            .lane = 0};
  scope->chains = chain;
  return chain;
}

LaneScope *LaneTree::enter(LaneScope *from, uint32_t block, const abi::CountedFunction *function) {
  LaneChain *chain = from == &unaligned ? nullptr : chainIn(from, function, 0, block);
  LaneScope *scope = chain ? advance(*chain) : nullptr;
  return scope ? scope : &unaligned;
}

/// Returns whether loop `inner` is loop `outer` or is inside it.
static bool isWithin(const abi::CountedFunction &function, uint32_t inner, uint32_t outer) {
  while (inner && inner != outer)
    inner = function.loops[inner].parent;
  return inner == outer;
}

/// Moves from an iteration of a loop, or a call, to the scope that `block` belongs to: out of loops that do not contain
/// the block, into loops that do, or to the next iteration.
LaneScope *LaneTree::moveTo(LaneScope *scope, const abi::CountedFunction *function, const abi::BlockRecord &block) {
  while (!isWithin(*function, block.loop, scope->chain->loop))
    scope = scope->chain->parent;
  if (scope->chain->loop == block.loop)
    return block.isHeader ? advance(*scope->chain) : scope;
  // There is one level, unless the loop was entered without its header.
  uint32_t path[64], depth = 0;
  for (uint32_t loop = block.loop; loop != scope->chain->loop && depth < 64; loop = function->loops[loop].parent)
    path[depth++] = loop;
  while (scope && depth) {
    LaneChain *chain = chainIn(scope, function, path[--depth], 0);
    scope = chain ? advance(*chain) : nullptr;
  }
  return scope;
}

void LaneTree::count(const abi::BlockRecord &block, uint32_t active) {
  uint32_t quarter = (active * 4 - 1) / wave;
  for (uint32_t c = 0; c < abi::kInstructionClasses; ++c) {
    counts.issued[c] += block.counts[c];
    counts.lanes[c] += uint64_t(block.counts[c]) * active;
    counts.byLanes[quarter < 4 ? quarter : 3] += block.counts[c];
  }
}

LaneScope *LaneTree::visit(LaneScope *scope, const abi::CountedFunction *function, uint32_t number) {
  const abi::BlockRecord &block = function->blocks[number];
  if (scope != &unaligned && (block.isHeader || scope->chain->loop != block.loop)) {
    LaneScope *moved = moveTo(scope, function, block);
    scope = moved ? moved : &unaligned;
  }
  if (scope == &unaligned) {
    for (uint32_t each : block.counts)
      counts.unaligned += each;
    return scope;
  }
  LaneScope::Entry &entry = scope->entries()[number - function->loops[block.loop].firstBlock];
  if (entry.last == lane) { // the lane came again, but not in a known loop: the block counts for this lane alone
    count(block, 1);
    return scope;
  }
  entry.last = uint8_t(lane);
  ++entry.lanes;
  return scope;
}

IssueCounts LaneTree::finish() {
  counting = {};
  for (LaneScope *scope = scopes; scope; scope = scope->others) {
    const abi::LoopRecord &loop = scope->chain->function->loops[scope->chain->loop];
    for (uint32_t i = 0; i < loop.numBlocks; ++i)
      if (uint32_t active = scope->entries()[i].lanes)
        count(scope->chain->function->blocks[loop.firstBlock + i], active);
  }
  memory->giveBack(chunks);
  return counts;
}

} // namespace cilk2gpu::rt

using namespace cilk2gpu;
using namespace cilk2gpu::rt;

extern "C" void __cilk2gpu_count_lane(abi::Wave *) {
  if (counting.tree)
    counting.tree->nextLane();
}

extern "C" void *__cilk2gpu_count_enter(const abi::CountedFunction *function) {
  return counting.scope ? counting.tree->enter(counting.scope, counting.block, function)
                        : static_cast<void *>(instructionSink);
}

extern "C" void *__cilk2gpu_count_block(void *place, const abi::CountedFunction *function, uint32_t block) {
  if (!place)
    return nullptr;
  if (place == instructionSink) {
    uint32_t instructions = 0;
    for (uint32_t each : function->blocks[block].counts)
      instructions += each;
    instructionSink->add(*instructionSink, instructions);
    return place;
  }
  auto *scope = static_cast<LaneScope *>(place);
  LaneTree *tree = scope->chain->tree;
  scope = tree->visit(scope, function, block);
  counting = {.tree = tree, .scope = scope, .block = block};
  return scope;
}

extern "C" void __cilk2gpu_count_leave(void *entered) {
  if (!entered || entered == instructionSink)
    return;
  LaneChain &chain = *static_cast<LaneScope *>(entered)->chain;
  if (chain.parent)
    counting = {.tree = chain.tree, .scope = chain.parent, .block = chain.block};
}
