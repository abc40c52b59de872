// The nodes of the `channel` dialect: their verifiers, their parts of records, and their drawings.
#include "cilk2gpu/Dialect/Channel/IR/Channel.h"

using namespace mlir;
using namespace cilk2gpu;
using namespace cilk2gpu::channel;
namespace json = llvm::json;

//===--------------------------------------------------------------------------------------------------------------===//
// Graphs
//===--------------------------------------------------------------------------------------------------------------===//

LogicalResult GraphOp::verify() {
  for (Operation &op : getBody().front())
    if (!isa<ChannelNodeOpInterface>(op))
      return op.emitOpError("a channel.graph holds nodes and dependencies only; move it out of the graph");
  return success();
}

LogicalResult GraphOp::verifyRegions() {
  GraphAnalysis analysis(*this);
  for (auto node : getOps<ChannelNodeOpInterface>())
    if (failed(node.verifyInGraph(analysis)))
      return failure();
  return success();
}

//===--------------------------------------------------------------------------------------------------------------===//
// Queues
//===--------------------------------------------------------------------------------------------------------------===//

ArrayAttr QueueOp::getElementFields() { return getFields(); }
StringAttr QueueOp::getRecordName() { return getSymNameAttr(); }
bool QueueOp::takesSpawns() { return true; }

LogicalResult QueueOp::verifyInGraph(const GraphAnalysis &graph) {
  ArrayRef<Operation *> consumers = graph.consumersOf(getSymNameAttr());
  if (consumers.size() > 1)
    return emitOpError("is consumed by one kernel, but ") << consumers.size() << " consume it; give each its own queue";
  for (Operation *consumer : consumers) {
    ArrayAttr spawned = cast<ChannelNodeOpInterface>(consumer).getSpawnedNodes();
    for (Attribute target : spawned)
      if (!SymbolTable::lookupNearestSymbolFrom<QueueOp>(*this, cast<FlatSymbolRefAttr>(target)))
        return consumer->emitOpError("consumes a queue and enqueues to queues only, but ")
               << target << " is none; spawn it from a task";
    if (graph.reach(spawned.getValue()).contains(getSymNameAttr()))
      return emitOpError("a cycle of queues could never be drained, but elements of ")
             << getSymNameAttr() << " lead back to it; break the cycle with a stack";
  }
  return success();
}

void QueueOp::describe(GraphDescription &graph) {
  RecordDescription &record = graph[getSymNameAttr()];
  record.node = *this;
  record.kind = abi::NodeKind::Queue;
  record.fields = getFields();
  record.capacity = getWidth();
}

void QueueOp::draw(NodeDrawing &drawing) {
  std::string fields = fieldList(getFields()), width = std::to_string(getWidth());
  drawing.name = drawing.task = getSymName().str();
  drawing.kind = "channel: one queue";
  drawing.style = "shape=ellipse";
  drawing.label = drawing.name + "\n(" + fields + ") x " + width;
  drawing.list = "queues";
  drawing.object = json::Object{{"name", nameJson(getSymName())},
                                {"fields", fieldsJson(getFields(), *drawing.dataLayout)},
                                {"width", static_cast<int64_t>(getWidth())}};
  drawing.sentence = "channel " + drawing.name + " (" + fields + "), width " + width;
}

//===--------------------------------------------------------------------------------------------------------------===//
// Stacks
//===--------------------------------------------------------------------------------------------------------------===//

ArrayAttr StackOp::getElementFields() { return getFields(); }
StringAttr StackOp::getRecordName() { return getResumes() ? getResumesAttr().getAttr() : getSymNameAttr(); }
bool StackOp::takesSpawns() { return !getResumes(); }

static Type fieldType(StackOp stack, uint64_t index) { return cast<TypeAttr>(stack.getFields()[index]).getValue(); }

bool StackOp::hasNarrowDestination() { return getDestination() && fieldType(*this, *getDestination()).isInteger(32); }

LogicalResult StackOp::verify() {
  if (auto destination = getDestination()) {
    if (getResumes() || *destination >= getFields().size())
      return emitOpError("'result' is the index of a field of a pre-sync stack; found ")
             << *destination << " for " << getFields();
    if (Type type = fieldType(*this, *destination); !type.isInteger(32) && !isa<LLVM::LLVMPointerType>(type))
      return emitOpError("'result' names an address (!llvm.ptr) or an offset (i32); found ") << type;
  }
  if (!getResumes())
    return success();
  if (getWidth())
    return emitOpError("a stack that resumes a task is as wide as its frames; remove 'width'");
  if (getFields().size() != 1 || !isa<LLVM::LLVMPointerType>(fieldType(*this, 0)))
    return emitOpError("a stack that resumes a task has one field, the frame (!llvm.ptr); found ") << getFields();
  auto task = SymbolTable::lookupNearestSymbolFrom<StackOp>(*this, getResumesAttr());
  if (!task || task.getResumes())
    return emitOpError("'resumes' must name a pre-sync stack of this graph, but ")
           << getResumesAttr() << (task ? " is a post-sync one" : " names none");
  return success();
}

LogicalResult StackOp::verifyInGraph(const GraphAnalysis &graph) {
  if (getResumes() && !graph.hasEdge(getSymNameAttr()))
    return emitOpError("a post-sync stack needs a dependency; add channel.depend @")
           << getSymName() << " on [...] drained below";
  return success();
}

void StackOp::describe(GraphDescription &graph) {
  if (getResumes())
    return;
  RecordDescription &record = graph[getSymNameAttr()];
  record.node = *this;
  record.fields = getFields();
  record.destination = getDestination();
  record.capacity = getWidth().value_or(0);
  if (getLinkage())
    record.linkage = getLinkageAttr().getLinkage();
}

static NodeDrawing::Scope scopeOf(StackOp stack) {
  if (!stack.getLinkage())
    return NodeDrawing::Scope::Program;
  LLVM::Linkage linkage = stack.getLinkageAttr().getLinkage();
  if (linkage == LLVM::Linkage::Weak)
    return NodeDrawing::Scope::Elsewhere;
  bool isLocal = linkage == LLVM::Linkage::Internal || linkage == LLVM::Linkage::Private;
  return isLocal ? NodeDrawing::Scope::File : NodeDrawing::Scope::Program;
}

/// Returns the line of the sync before a segment, as text. A sync that the compiler has added has the place of its
/// task, which would say nothing.
static std::string syncText(StringRef text, Operation *node, FlatSymbolRefAttr task) {
  Operation *stack = SymbolTable::lookupNearestSymbolFrom(node, task);
  return stack && channel::placeOf(stack->getLoc()) == channel::placeOf(node->getLoc())
             ? ""
             : lineText(text, node->getLoc());
}

void StackOp::draw(NodeDrawing &drawing) {
  std::string fields = fieldList(getFields()), width = getWidth() ? std::to_string(*getWidth()) : "";
  drawing.name = getSymName().str();
  drawing.task = getRecordName().str();
  drawing.kind = "channel stack: one queue for each level of the recursion";
  drawing.style = "shape=ellipse, peripheries=2";
  drawing.scope = scopeOf(*this);
  if (getResumes())
    drawing.label = drawing.name + syncText("sync in", *this, getResumesAttr());
  else
    drawing.label = drawing.name + "\n(" + fields + ")" + (getWidth() ? " x " + width + " per level" : "");
  drawing.list = "stacks";
  drawing.object =
      json::Object{{"name", nameJson(getSymName())}, {"fields", fieldsJson(getFields(), *drawing.dataLayout)}};
  if (getResumes())
    drawing.object["resumes"] = nameJson(*getResumes());
  if (getDestination())
    drawing.object["result"] = static_cast<int64_t>(*getDestination());
  if (getWidth())
    drawing.object["width"] = static_cast<int64_t>(*getWidth());
  drawing.sentence =
      "channel stack " + drawing.name + " (" + fields + ")" + (getWidth() ? ", width " + width + " at each level" : "");
}

//===--------------------------------------------------------------------------------------------------------------===//
// Frames
//===--------------------------------------------------------------------------------------------------------------===//

LogicalResult FrameOp::verifyInGraph(const GraphAnalysis &) {
  auto task = SymbolTable::lookupNearestSymbolFrom<ChannelNodeOpInterface>(*this, getTaskAttr());
  if (task && !task.takesSpawns())
    return emitOpError("'of' must name a task's pre-sync stack or a queue, but ") << getTaskAttr() << " is none";
  return success();
}

void FrameOp::describe(GraphDescription &graph) { graph[getTaskAttr().getAttr()].frame = *this; }

void FrameOp::draw(NodeDrawing &drawing) {
  std::string size = std::to_string(getSize());
  drawing.name = getSymName().str();
  drawing.task = getTask().str();
  drawing.kind = "frame: memory that a task keeps across its syncs";
  drawing.style = "shape=note";
  drawing.label = drawing.name + "\n" + size + " bytes";
  drawing.arrows.push_back({drawing.name, getTask().str(), "style=dashed, arrowhead=none"});
  drawing.list = "frames";
  drawing.object = json::Object{{"name", nameJson(getSymName())},
                                {"task", nameJson(getTask())},
                                {"size", static_cast<int64_t>(getSize())},
                                {"align", static_cast<int64_t>(getAlign())}};
  drawing.sentence = "frame " + drawing.name + " of " + getTask().str() + ": " + size + " bytes";
}

//===--------------------------------------------------------------------------------------------------------------===//
// Kernels
//===--------------------------------------------------------------------------------------------------------------===//

FlatSymbolRefAttr KernelOp::getConsumedNode() { return getConsumesAttr(); }
ArrayAttr KernelOp::getSpawnedNodes() { return getSpawns(); }

LogicalResult KernelOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto nodeNamed = [&](Attribute ref) {
    return symbols.lookupNearestSymbolFrom<ChannelNodeOpInterface>(*this, cast<FlatSymbolRefAttr>(ref));
  };
  if (ChannelNodeOpInterface task = nodeNamed(getTaskAttr()); !task || !task.takesSpawns())
    return emitOpError("'of' must name a task's pre-sync stack or a queue, but ") << getTaskAttr() << " is none";
  ChannelNodeOpInterface consumed = nodeNamed(getConsumesAttr());
  if (!consumed || !consumed.getRecordName())
    return emitOpError("'consumes' must name a stack or queue of this graph, but ") << getConsumesAttr() << " is none";
  if (consumed.getRecordName() != getTaskAttr().getAttr() || consumed.takesSpawns() != (getSegment() == 0))
    return emitOpError(
               "segment 0 consumes its task's own stack or queue, and the others a stack that resumes the task; "
               "segment ")
           << getSegment() << " of " << getTaskAttr() << " consumes " << getConsumesAttr();
  for (Attribute ref : getSpawns())
    if (ChannelNodeOpInterface node = nodeNamed(ref); !node || !node.takesSpawns())
      return emitOpError("'spawns' names pre-sync stacks and queues, but ") << ref << " is none";
  for (Attribute ref : getPublishes()) {
    auto stack = symbols.lookupNearestSymbolFrom<StackOp>(*this, cast<FlatSymbolRefAttr>(ref));
    if (!stack || stack.getResumesAttr() != getTaskAttr())
      return emitOpError("'publishes' names stacks that resume ") << getTaskAttr() << ", but " << ref << " does not";
  }
  // The body stands beside the graph, so its symbol is in the table around the graph.
  Operation *outer = (*this)->getParentOp()->getParentOp();
  if (outer && !symbols.lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(outer, getBodyAttr()))
    return emitOpError("'body' must name an llvm.func beside the graph, but ") << getBodyAttr() << " is none";
  return success();
}

/// Verifies that children spawned before a sync are awaited there.
LogicalResult KernelOp::verifyInGraph(const GraphAnalysis &graph) {
  for (Attribute published : getPublishes()) {
    StringAttr stack = cast<FlatSymbolRefAttr>(published).getAttr();
    // Most dependencies name all children themselves.
    llvm::DenseSet<StringAttr> named;
    for (Attribute node : graph.awaited(stack))
      named.insert(graph.recordOf(node));
    auto isNamed = [&](Attribute child) { return named.contains(graph.recordOf(child)); };
    if (llvm::all_of(getSpawns(), isNamed))
      continue;
    llvm::SetVector<StringAttr> awaited = graph.reach(graph.awaited(stack));
    for (Attribute child : getSpawns())
      if (!awaited.contains(graph.recordOf(child)))
        return emitOpError("all work that is spawned before a sync is awaited there, but the dependency of ")
               << published << " does not cover " << child << "; add it to 'on'";
  }
  return success();
}

void KernelOp::describe(GraphDescription &graph) {
  RecordDescription &record = graph[getTaskAttr().getAttr()];
  record.kernels.push_back(*this);
  record.targets.insert(getSpawns().begin(), getSpawns().end());
  record.postSync.resize(std::max<size_t>(record.postSync.size(), getSegment() + 1));
  if (getSegment())
    record.postSync[getSegment()] = getConsumesAttr().getAttr();
}

void KernelOp::draw(NodeDrawing &drawing) {
  drawing.name = getSymName().str();
  drawing.task = getTask().str();
  drawing.kind = getSegment() ? "kernel: code of a task after a sync" : "kernel: code of a task before its first sync";
  drawing.style = std::string("shape=box, style=filled, fillcolor=") + (getSegment() ? "white" : "lightgrey");
  drawing.label = drawing.name + (getSegment() ? syncText("goes on after", *this, getTaskAttr()) : "");
  drawing.arrows.push_back({getConsumes().str(), drawing.name, ""});
  auto arrows = [&](ArrayAttr targets, StringRef style) {
    for (Attribute target : targets)
      drawing.arrows.push_back({drawing.name, cast<FlatSymbolRefAttr>(target).getValue().str(), style.str()});
  };
  arrows(getSpawns(), "label=\"spawn\"");
  arrows(getPublishes(), "label=\"sync\"");
  drawing.list = "kernels";
  drawing.object = json::Object{{"name", nameJson(getSymName())},
                                {"task", nameJson(getTask())},
                                {"segment", static_cast<int64_t>(getSegment())},
                                {"consumes", nameJson(getConsumes())},
                                {"spawns", namesJson(getSpawns())},
                                {"publishes", namesJson(getPublishes())}};
  drawing.sentence = "kernel " + drawing.name + " consumes " + getConsumes().str();
  if (!getSpawns().empty())
    drawing.sentence += ", spawns " + nameList(getSpawns());
  if (!getPublishes().empty())
    drawing.sentence += ", at its sync goes on in " + nameList(getPublishes());
}

//===--------------------------------------------------------------------------------------------------------------===//
// Dependencies
//===--------------------------------------------------------------------------------------------------------------===//

ArrayAttr DependOp::getAwaitedNodes() { return getOn(); }
FlatSymbolRefAttr DependOp::getWaitingNode() { return getStackAttr(); }

LogicalResult DependOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto stack = symbols.lookupNearestSymbolFrom<StackOp>(*this, getStackAttr());
  if (!stack)
    return emitOpError("a dependency is between stacks of this graph, but ") << getStackAttr() << " is none";
  if (!stack.getResumes())
    return emitOpError("elements of a post-sync stack wait, but ")
           << getStackAttr() << " is a pre-sync one, whose elements are always ready";
  for (Attribute ref : getOn()) {
    auto node = symbols.lookupNearestSymbolFrom<ChannelNodeOpInterface>(*this, cast<FlatSymbolRefAttr>(ref));
    if (!node || !node.getRecordName())
      return emitOpError("a dependency is between stacks of this graph, but ") << ref << " is none";
  }
  return success();
}

void DependOp::describe(GraphDescription &graph) {
  auto recordOf = [&](FlatSymbolRefAttr ref) {
    return cast<ChannelNodeOpInterface>(graph.node(ref.getAttr())).getRecordName();
  };
  RecordDescription &record = graph[recordOf(getStackAttr())];
  for (Attribute awaited : getOn())
    record.edges.push_back({.from = recordOf(cast<FlatSymbolRefAttr>(awaited)), .waiting = getStackAttr().getAttr()});
}

void DependOp::draw(NodeDrawing &drawing) {
  drawing.waiting = getStack().str();
  for (Attribute on : getOn())
    drawing.awaited.push_back(cast<FlatSymbolRefAttr>(on).getValue().str());
  drawing.list = "dependencies";
  drawing.object = json::Object{
      {"stack", nameJson(getStack())}, {"readiness", "drained below"}, {"drained_below", namesJson(getOn())}};
  drawing.sentence =
      "channel stack " + getStack().str() + " is ready when deeper levels are drained of " + nameList(getOn());
}
