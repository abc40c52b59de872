// Collects a graph's records from its nodes, and computes reachability in the graph. See GraphDescription.h.
#include "cilk2gpu/Dialect/Channel/IR/Channel.h"

using namespace mlir;
using namespace cilk2gpu::channel;

GraphDescription::GraphDescription(GraphOp graph) : nodes(graph) {
  // Records are numbered in the order of the nodes that take new work, so these nodes are collected first.
  for (auto node : graph.getOps<ChannelNodeOpInterface>())
    if (node.takesSpawns())
      records[node.getRecordName()];
  for (auto node : graph.getOps<ChannelNodeOpInterface>())
    node.describe(*this);
}

GraphAnalysis::GraphAnalysis(GraphOp graph) {
  for (auto node : graph.getOps<ChannelNodeOpInterface>())
    if (StringAttr record = node.getRecordName())
      recordOfNode[SymbolTable::getSymbolName(node)] = record;
  for (auto node : graph.getOps<ChannelNodeOpInterface>()) {
    if (FlatSymbolRefAttr consumed = node.getConsumedNode()) {
      consumers[consumed.getAttr()].push_back(node);
      if (ArrayAttr spawned = node.getSpawnedNodes())
        spawnedBy[recordOf(consumed)].insert(spawned.begin(), spawned.end());
    }
    if (FlatSymbolRefAttr waiting = node.getWaitingNode())
      llvm::append_range(awaitedBy[waiting.getAttr()], node.getAwaitedNodes());
  }
}

llvm::SetVector<StringAttr> GraphAnalysis::reach(ArrayRef<Attribute> from) const {
  llvm::SetVector<StringAttr> reached;
  auto add = [&](ArrayRef<Attribute> nodes) {
    for (Attribute node : nodes)
      if (StringAttr record = recordOf(node))
        reached.insert(record);
  };
  add(from);
  for (size_t i = 0; i < reached.size(); ++i)
    if (auto spawned = spawnedBy.find(reached[i]); spawned != spawnedBy.end())
      add(spawned->second.getArrayRef());
  return reached;
}

ArrayRef<Operation *> GraphAnalysis::consumersOf(StringAttr node) const {
  auto found = consumers.find(node);
  return found == consumers.end() ? ArrayRef<Operation *>() : ArrayRef<Operation *>(found->second);
}

ArrayRef<Attribute> GraphAnalysis::awaited(StringAttr node) const {
  auto found = awaitedBy.find(node);
  return found == awaitedBy.end() ? ArrayRef<Attribute>() : ArrayRef<Attribute>(found->second);
}
