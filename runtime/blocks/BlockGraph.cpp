// Both ways to build a graph take O(nodes + edges) time. A mapping function gives the parents of each block, which are
// counted for each parent, and then distributed. Arrays give the children of each node already.
#include "blocks/BlockGraph.h"
#include "blocks/FindOffsets.h"
#include "blocks/OffsetGraph.h"
#include "core/Tunables.h"
#include "process/Message.h"

#include <algorithm>
#include <stdio.h>

namespace cilk2gpu::rt {

using wf::detail::Arrays;
using wf::detail::Collector;
using wf::detail::MappingFunction;
using wf::detail::PolicyChoice;

static unsigned long long wide(uint64_t value) { return value; }

BlockNames::Text BlockNames::of(uint64_t node) const {
  Text result;
  if (x)
    snprintf(result.text, sizeof result.text, "block (%llu, %llu, %llu)", wide(node % x), wide(node / x % y),
             wide(node / x / y));
  else
    snprintf(result.text, sizeof result.text, "node %llu", wide(node));
  return result;
}

namespace {

/// Finds the elements of a list that occurred in the list before. One object serves one list after another.
class Duplicates {
public:
  Duplicates(BlockMemory &memory, uint64_t nodes) : memory(memory), nodes(nodes) {}
  ~Duplicates() { memory.release(seenIn); }
  Duplicates(const Duplicates &) = delete;

  /// Moves the elements that are there for the first time to the front, in their order; returns how many there are.
  /// `list` is the number of the list, below `nodes`, and another one in each call.
  uint64_t removeFrom(uint32_t *elements, uint64_t count, uint32_t list) {
    if (count < 2 || (count == 2 && elements[0] != elements[1]))
      return count;
    if (!seenIn)
      seenIn = memory.zeroed<uint32_t>(nodes, "marks that find duplicate edges");
    uint64_t kept = 0;
    for (uint64_t i = 0; i < count; ++i)
      if (uint32_t element = elements[i]; seenIn[element] != list + 1) {
        seenIn[element] = list + 1;
        elements[kept++] = element;
      }
    return kept;
  }

  /// Returns whether removeFrom() would remove any.
  bool isAnyIn(const uint32_t *elements, uint64_t count, uint32_t list) {
    if (count < 2 || (count == 2 && elements[0] != elements[1]))
      return false;
    if (!seenIn)
      seenIn = memory.zeroed<uint32_t>(nodes, "marks that find duplicate edges");
    for (uint64_t i = 0; i < count; ++i) {
      if (seenIn[elements[i]] == list + 1)
        return true;
      seenIn[elements[i]] = list + 1;
    }
    return false;
  }

private:
  BlockMemory &memory;
  const uint64_t nodes;
  uint32_t *seenIn = nullptr; ///< the last list that had the element, plus 1
};

//===--------------------------------------------------------------------------------------------------------------===//
// Mapping functions
//===--------------------------------------------------------------------------------------------------------------===//

/// A graph that is being built from a mapping function.
struct LinkedGrid {
  BlockMemory &memory;
  const MappingFunction &links;
  dim3 grid, block;
  uint64_t nodes;
  uint32_t *counts; ///< [nodes]: parents
  PartOfGrid *parts;

  NamedParents named() const {
    return {.grid = grid, .nodes = nodes, .blocksOfPart = tunables::kLinkedBlocks, .counts = counts, .parts = parts};
  }
  uint64_t numParts() const { return named().numParts(); }
  uint64_t begin(uint64_t part) const { return named().begin(part); }
  uint64_t end(uint64_t part) const { return named().end(part); }
};

void collectParents(void *context, uint64_t part) {
  LinkedGrid &linked = *static_cast<LinkedGrid *>(context);
  uint64_t begin = linked.begin(part), end = linked.end(part), room = 2 * (end - begin);
  auto *array = linked.memory.array<uint32_t>(room, "parents of blocks");
  Collector collector = {.next = array,
                         .end = array + room,
                         .first = array,
                         .counts = linked.counts + begin,
                         .extents = {linked.grid.x, linked.grid.y, linked.grid.z},
                         .grid = linked.grid,
                         .block = linked.block,
                         .policy = {},
                         .array = array,
                         .memory = &linked.memory};
  linked.links.run(linked.links.links, collector, begin, end);
  linked.parts[part] = {.parents = collector.array, .end = collector.next, .policy = collector.policy};
}

/// Takes the policies of all parts together.
void unitePolicies(const LinkedGrid &linked, PolicyChoice &policy) {
  for (uint64_t part = 0; part < linked.numParts(); ++part)
    if (linked.parts[part].policy.isGiven) {
      Collector collector = {};
      collector.policy = policy;
      wf::detail::setPolicy(&collector, linked.parts[part].policy);
      policy = collector.policy;
    }
}

/// Counts the children of each block into starts[block + 1], and removes parents that are named twice.
void countChildren(LinkedGrid &linked, uint64_t *starts, BlockGraph &graph) {
  Duplicates duplicates(linked.memory, linked.nodes);
  for (uint64_t part = 0; part < linked.numParts(); ++part) {
    uint32_t *parents = linked.parts[part].parents, *kept = parents;
    for (uint64_t node = linked.begin(part); node < linked.end(part); ++node) {
      uint64_t named = linked.counts[node], count = duplicates.removeFrom(parents, named, uint32_t(node));
      for (uint64_t i = 0; i < count; ++i) {
        uint32_t parent = parents[i];
        ++starts[parent + 1];
        graph.isAscending &= parent < node;
        *kept++ = parent;
      }
      linked.counts[node] = uint32_t(count);
      graph.edges += count;
      parents += named;
    }
  }
}

/// Writes each block into the lists of its parents. starts[v + 1] is where the list of v begins, and then where it
/// ends.
void distribute(LinkedGrid &linked, uint64_t *starts, uint32_t *children) {
  for (uint64_t part = 0; part < linked.numParts(); ++part) {
    const uint32_t *parent = linked.parts[part].parents;
    for (uint64_t node = linked.begin(part); node < linked.end(part); ++node)
      for (const uint32_t *end = parent + linked.counts[node]; parent != end; ++parent)
        children[starts[uint64_t(*parent) + 1]++] = uint32_t(node);
    linked.memory.release(linked.parts[part].parents);
  }
}

} // namespace

/// Makes each starts[v + 1] the number of all elements before those of v.
static void sumUp(uint64_t *starts, uint64_t nodes) {
  uint64_t sum = 0;
  for (uint64_t node = 0; node < nodes; ++node) {
    uint64_t count = starts[node + 1];
    starts[node + 1] = sum;
    sum += count;
  }
}

/// Returns the most memory that the parents of all blocks have taken. An array grows to twice its size while the old
/// one is still there.
static uint64_t boundOfParents(const LinkedGrid &linked) {
  uint64_t bytes = BlockMemory::boundOf<uint32_t>(linked.nodes) + BlockMemory::boundOf<PartOfGrid>(linked.numParts());
  for (uint64_t part = 0; part < linked.numParts(); ++part) {
    uint64_t room = 2 * (linked.end(part) - linked.begin(part));
    auto named = uint64_t(linked.parts[part].end - linked.parts[part].parents);
    bytes += BlockMemory::boundOf<uint32_t>(room);
    if (named > room)
      bytes += BlockMemory::boundOf<uint32_t>(3 * named + 1024);
  }
  return bytes;
}

/// Builds rows of children from the parents of each block.
static BlockGraph buildRows(LinkedGrid &linked) {
  BlockGraph graph = {.nodes = linked.nodes, .names = {.x = linked.grid.x, .y = linked.grid.y}};
  auto *starts = linked.memory.zeroed<uint64_t>(graph.nodes + 1, "starts of children");
  countChildren(linked, starts, graph);
  sumUp(starts, graph.nodes);
  auto *children = linked.memory.array<uint32_t>(graph.edges, "children");
  graph.bytes = BlockMemory::boundOf<uint64_t>(graph.nodes + 1) + BlockMemory::boundOf<uint32_t>(graph.edges) +
                BlockMemory::boundOf<uint32_t>(graph.nodes);
  graph.bytesToBuild = boundOfParents(linked) + BlockMemory::boundOf<uint64_t>(graph.nodes + 1) +
                       BlockMemory::boundOf<uint32_t>(std::max(graph.nodes, graph.edges)); // marks, then children
  distribute(linked, starts, children);
  graph.starts = starts;
  graph.children = children;
  graph.parents = linked.counts;
  return graph;
}

/// Releases the parents of all blocks.
static void releaseParents(const LinkedGrid &linked) {
  for (uint64_t part = 0; part < linked.numParts(); ++part)
    linked.memory.release(linked.parts[part].parents);
  linked.memory.release(linked.counts);
}

BlockGraph buildFromLinks(BlockMemory &memory, dim3 grid, dim3 block, const MappingFunction &links,
                          PolicyChoice &policy, RunParts runParts, void *runner, bool takesOffsets) {
  uint64_t nodes = uint64_t(grid.x) * grid.y * grid.z;
  LinkedGrid linked = {.memory = memory,
                       .links = links,
                       .grid = grid,
                       .block = block,
                       .nodes = nodes,
                       .counts = memory.array<uint32_t>(nodes, "counts of parents"),
                       .parts = nullptr};
  linked.parts = memory.array<PartOfGrid>(linked.numParts(), "parts of a grid");
  runParts(runner, collectParents, &linked, linked.numParts());
  if (links.thrown && links.thrown->isAny())
    return {};
  unitePolicies(linked, policy);
  ConstantOffsets found;
  BlockGraph graph;
  if (takesOffsets && findConstantOffsets(linked.named(), found, runParts, runner)) {
    uint64_t bytes = boundOfParents(linked);
    releaseParents(linked);
    graph = buildFromOffsets(memory, grid, found.offsets, found.count);
    graph.bytesToBuild = std::max(bytes, graph.bytesToBuild);
  } else {
    graph = buildRows(linked);
  }
  memory.release(linked.parts);
  return graph;
}

//===--------------------------------------------------------------------------------------------------------------===//
// Arrays
//===--------------------------------------------------------------------------------------------------------------===//

namespace {

/// An array of integers of one of four types.
struct Integers {
  const void *data;
  uint8_t bytes;
  bool isSigned;

  uint64_t operator[](uint64_t i) const {
    if (bytes == 8)
      return static_cast<const uint64_t *>(data)[i];
    uint32_t value = static_cast<const uint32_t *>(data)[i];
    return isSigned ? uint64_t(int64_t(int32_t(value))) : value;
  }
};

/// An integer of an array, as the program sees it.
struct Shown {
  char text[24];
};
Shown shown(const Integers &array, uint64_t value) {
  Shown result;
  snprintf(result.text, sizeof result.text, array.isSigned ? "%lld" : "%llu", wide(value));
  return result;
}

void checkSizes(uint64_t nodes, const Arrays &arrays) {
  if (!arrays.starts)
    fatal("the array of starts of a graph is a null pointer; it has one element more than the graph has nodes, which "
          "are %llu",
          wide(nodes));
  if (arrays.numStarts != Arrays::kUnknown && arrays.numStarts != nodes + 1)
    fatal("the array of starts of a graph has one element more than the graph has nodes; %llu nodes and %llu elements "
          "were given",
          wide(nodes), wide(arrays.numStarts));
}

/// Calls work(data) with a pointer to the array's own type.
template <class Work> auto withType(const Integers &array, Work work) {
  if (array.bytes == 8)
    return array.isSigned ? work(static_cast<const int64_t *>(array.data))
                          : work(static_cast<const uint64_t *>(array.data));
  return array.isSigned ? work(static_cast<const int32_t *>(array.data))
                        : work(static_cast<const uint32_t *>(array.data));
}

/// Returns whether starts do not descend. Each mistake is found by a loop without branches, which compilers vectorise.
bool ascends(const Integers &starts, uint64_t nodes) {
  return withType(starts, [nodes](auto *data) {
    bool descends = false;
    for (uint64_t node = 0; node < nodes; ++node)
      descends |= data[node + 1] < data[node];
    return !descends;
  });
}

/// Ends the process unless starts begin with 0 and do not descend.
void checkStarts(uint64_t nodes, const Integers &starts, const Arrays &arrays) {
  if (starts[0] != 0)
    fatal("the first element of the array of starts of a graph is 0; %s was found", shown(starts, starts[0]).text);
  bool isGood = ascends(starts, nodes) && starts[nodes] <= uint64_t(INT64_MAX);
  for (uint64_t node = 0; node < nodes && !isGood; ++node)
    if (starts[node + 1] < starts[node] || starts[node + 1] > uint64_t(INT64_MAX))
      fatal("the children of a node end where those of the next one begin; those of node %llu begin at %s and end at "
            "%s; check starts[%llu]",
            wide(node), shown(starts, starts[node]).text, shown(starts, starts[node + 1]).text, wide(node + 1));
  if (starts[nodes] && !arrays.children)
    fatal("the array of children of a graph is a null pointer, but the graph has %llu edges", wide(starts[nodes]));
  if (starts[nodes] > arrays.numChildren)
    fatal("the last element of the array of starts of a graph is the number of children; %llu and an array of %llu "
          "children were given",
          wide(starts[nodes]), wide(arrays.numChildren));
}

/// Returns whether all children are nodes.
bool areNodes(const Integers &children, const BlockGraph &graph) {
  return withType(children, [&graph](auto *data) {
    auto largest = *data, smallest = *data;
    for (uint64_t edge = 1; edge < graph.edges; ++edge) {
      largest = std::max(largest, data[edge]);
      smallest = std::min(smallest, data[edge]);
    }
    return smallest >= 0 && uint64_t(largest) < graph.nodes;
  });
}

/// Ends the process unless all children are nodes.
void checkChildren(const BlockGraph &graph, const Integers &children) {
  bool isGood = !graph.edges || areNodes(children, graph);
  for (uint64_t node = 0; node < graph.nodes && !isGood; ++node)
    for (uint64_t edge = graph.starts[node]; edge < graph.starts[node + 1]; ++edge)
      if (uint64_t child = children[edge]; child >= graph.nodes)
        fatal("a child of node %llu is %s, but the nodes of the graph are 0 to %llu; check children[%llu]", wide(node),
              shown(children, child).text, wide(graph.nodes - 1), wide(edge));
}

/// Copies arrays that do not have the types of the graph's own ones, and checks the children.
void copyArrays(BlockMemory &memory, BlockGraph &graph, const Integers &starts, const Integers &children) {
  if (starts.bytes == 4) {
    auto *copy = memory.array<uint64_t>(graph.nodes + 1, "starts of children");
    for (uint64_t node = 0; node <= graph.nodes; ++node)
      copy[node] = starts[node];
    graph.starts = copy;
    graph.bytes += BlockMemory::boundOf<uint64_t>(graph.nodes + 1);
  }
  checkChildren(graph, children);
  if (children.bytes == 8) {
    auto *copy = memory.array<uint32_t>(graph.edges, "children");
    for (uint64_t edge = 0; edge < graph.edges; ++edge)
      copy[edge] = uint32_t(children[edge]);
    graph.children = copy;
    graph.bytes += BlockMemory::boundOf<uint32_t>(graph.edges);
  }
}

bool hasDuplicates(BlockMemory &memory, const BlockGraph &graph) {
  Duplicates duplicates(memory, graph.nodes);
  for (uint64_t node = 0; node < graph.nodes; ++node) {
    uint64_t first = graph.starts[node];
    if (duplicates.isAnyIn(graph.children + first, graph.starts[node + 1] - first, uint32_t(node)))
      return true;
  }
  return false;
}

/// Replaces the rows by copies in which each edge is there once.
void removeDuplicates(BlockMemory &memory, BlockGraph &graph) {
  auto *starts = memory.array<uint64_t>(graph.nodes + 1, "starts of children");
  auto *children = memory.array<uint32_t>(graph.edges, "children");
  graph.bytes += BlockMemory::boundOf<uint64_t>(graph.nodes + 1) + BlockMemory::boundOf<uint32_t>(graph.edges);
  Duplicates duplicates(memory, graph.nodes);
  starts[0] = 0;
  for (uint64_t node = 0; node < graph.nodes; ++node) {
    uint64_t count = graph.starts[node + 1] - graph.starts[node];
    uint32_t *list = children + starts[node];
    __builtin_memcpy(list, graph.children + graph.starts[node], count * sizeof *list);
    starts[node + 1] = starts[node] + duplicates.removeFrom(list, count, uint32_t(node));
  }
  graph.starts = starts;
  graph.children = children;
  graph.edges = starts[graph.nodes];
}

/// Counts the parents of each node. Returns whether an edge may be there twice: the children of a node do not ascend.
bool countParentsOfRows(BlockMemory &memory, BlockGraph &graph) {
  graph.parents = memory.zeroed<uint32_t>(graph.nodes, "counts of parents");
  uint32_t *const parents = graph.parents;
  bool isAscending = true, mayRepeat = false;
  uint64_t edge = 0;
  for (uint64_t node = 0; node < graph.nodes; ++node) {
    const uint64_t first = edge, end = graph.starts[node + 1];
    uint32_t before = 0;
    bool ascends = true;
    for (; edge < end; ++edge) {
      uint32_t child = graph.children[edge];
      ++parents[child];
      isAscending &= child > node;
      ascends &= edge == first || child > before;
      before = child;
    }
    mayRepeat |= !ascends && (end - first != 2 || graph.children[first] == before);
  }
  graph.isAscending = isAscending;
  return mayRepeat;
}

/// Checks the rows of a graph whose arrays have 64 and 32 bits in one pass. It is fast for the graphs that are most
/// frequent: all edges lead to larger IDs, and most nodes have two children.
class AscendingRows {
public:
  AscendingRows(const uint64_t *starts, const uint32_t *children, uint64_t nodes)
      : starts(starts), children(children), nodes(nodes), edges(starts[nodes]) {}

  /// Returns true if starts ascend from 0, and all children are nodes of larger IDs than their parents. The array of
  /// children has `numChildren` elements.
  bool areGood(uint64_t numChildren) const {
    if (starts[0] != 0 || edges > std::min(numChildren, uint64_t(INT64_MAX)) || (edges && !children))
      return false;
    uint64_t node = 0;
    for (; node + kGroup < nodes; node += kGroup)
      if (!hasPairs(node) ? !areRowsGood(node, node + kGroup) : !arePairsGood(node))
        return false;
    return areRowsGood(node, nodes);
  }

private:
  static constexpr uint32_t kGroup = 8; ///< nodes that loops without branches compare, which compilers vectorise

  /// Returns whether each node of a group has two children.
  bool hasPairs(uint64_t node) const {
    uint64_t difference = 0;
    for (uint32_t i = 0; i < kGroup; ++i)
      difference |= (starts[node + i + 1] - starts[node + i]) ^ 2;
    return difference == 0;
  }

  /// The start of the group is good.
  bool arePairsGood(uint64_t node) const {
    if (edges - starts[node] < 2 * kGroup || nodes > uint64_t(INT32_MAX))
      return areRowsGood(node, node + kGroup);
    const uint32_t *child = children + starts[node];
    const uint32_t first = uint32_t(node) + 1, last = uint32_t(nodes) - 1;
    uint32_t signs = 0; // of differences. If a child has more than 31 bits, one of its two is negative.
    for (uint32_t i = 0; i < 2 * kGroup; ++i)
      signs |= (child[i] - first - i / 2) | (last - child[i]);
    return !(signs >> 31);
  }

  bool areRowsGood(uint64_t node, uint64_t end) const {
    for (; node < end; ++node) {
      if (starts[node + 1] < starts[node] || starts[node + 1] > edges)
        return false;
      for (uint64_t edge = starts[node]; edge < starts[node + 1]; ++edge)
        if (children[edge] <= node || children[edge] >= nodes)
          return false;
    }
    return true;
  }

  const uint64_t *const starts;
  const uint32_t *const children;
  const uint64_t nodes, edges;
};

} // namespace

void countRows(BlockMemory &memory, BlockGraph &graph) {
  if (!countParentsOfRows(memory, graph))
    return;
  memory.release(graph.parents); // marks take its place
  if (hasDuplicates(memory, graph))
    removeDuplicates(memory, graph);
  countParentsOfRows(memory, graph);
}

BlockGraph buildFromArrays(BlockMemory &memory, uint64_t nodes, const Arrays &arrays, bool countsLater) {
  checkSizes(nodes, arrays);
  const Integers starts = {arrays.starts, arrays.startBytes, arrays.areStartsSigned};
  const Integers children = {arrays.children, arrays.childBytes, arrays.areChildrenSigned};
  BlockGraph graph;
  graph.nodes = nodes;
  graph.edges = starts[nodes];
  graph.starts = static_cast<const uint64_t *>(arrays.starts);
  graph.children = static_cast<const uint32_t *>(arrays.children);
  const bool isShared = starts.bytes == 8 && children.bytes == 4; // otherwise it is copied
  if (!isShared || !countsLater || !AscendingRows(graph.starts, graph.children, nodes).areGood(arrays.numChildren)) {
    checkStarts(nodes, starts, arrays);
    copyArrays(memory, graph, starts, children);
    if (isShared || !countsLater || !AscendingRows(graph.starts, graph.children, nodes).areGood(graph.edges))
      countRows(memory, graph);
  }
  graph.bytes += BlockMemory::boundOf<uint32_t>(nodes); // counts, or marks
  graph.bytesToBuild = graph.bytes;
  return graph;
}

} // namespace cilk2gpu::rt

//===--------------------------------------------------------------------------------------------------------------===//
// Functions that a mapping function calls
//===--------------------------------------------------------------------------------------------------------------===//

using namespace cilk2gpu::rt;

void wf::detail::growCollector(Collector &collector) {
  BlockMemory &memory = *static_cast<BlockMemory *>(collector.memory);
  uint64_t used = uint64_t(collector.next - collector.array), room = used < 512 ? 1024 : 2 * used;
  auto *array = memory.array<uint32_t>(room, "parents of blocks");
  __builtin_memcpy(array, collector.array, used * sizeof *array);
  memory.release(collector.array);
  collector.first = array + (collector.first - collector.array);
  collector.array = array;
  collector.next = array + used;
  collector.end = array + room;
}

void wf::detail::outsideOfMappingFunction(const char *function) {
  fatal("%s is for mapping functions, and none runs on this thread; call it in the function that wf::launch gets "
        "between the extents and the kernel",
        function);
}

namespace {
struct PolicyText {
  char text[40];
};
PolicyText textOf(const wf::detail::PolicyChoice &choice) {
  PolicyText result;
  if (choice.policy == WF::LVL)
    snprintf(result.text, sizeof result.text, "LVL with the bound %lld", static_cast<long long>(choice.bound));
  else
    snprintf(result.text, sizeof result.text, "LRR");
  return result;
}
} // namespace

void wf::detail::setPolicy(Collector *collector, const PolicyChoice &choice) {
  if (!collector)
    outsideOfMappingFunction("WF::SetPolicy");
  checkPolicy(choice);
  PolicyChoice &policy = collector->policy;
  if (policy.isGiven && (policy.policy != choice.policy || policy.bound != choice.bound))
    fatal("WF::SetPolicy holds for a whole launch, but blocks of this launch ask for %s and %s; ask for one of them in "
          "all blocks",
          textOf(policy).text, textOf(choice).text);
  policy = choice;
}

void cilk2gpu::rt::checkPolicy(const wf::detail::PolicyChoice &choice) {
  bool hasBound = choice.bound != wf::detail::PolicyChoice::kNoBound;
  if (choice.policy == WF::LVL ? hasBound && choice.bound >= 0 : choice.policy == WF::LRR && !hasBound)
    return;
  if (choice.policy == WF::LVL)
    fatal("the policy LVL takes a bound of 0 or more: how many levels blocks that run at the same time may be apart; "
          "%s was given, so ask for (WF::LVL, 3), for example",
          hasBound ? "a negative number" : "none");
  if (choice.policy == WF::LRR)
    fatal("the policy LRR takes no bound, and %lld was given; ask for (WF::LRR), or for (WF::LVL, %lld)",
          static_cast<long long>(choice.bound), static_cast<long long>(choice.bound));
  fatal("a policy of blocks is WF::LRR or WF::LVL; %d was given", int(choice.policy));
}
