// Block graphs: the verifiers of channel.blocks and of the operations in its functions, and how it is drawn.
#include "ThreadDependence.h"
#include "cilk2gpu/Dialect/Channel/IR/Channel.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace cilk2gpu;
using namespace cilk2gpu::channel;
namespace json = llvm::json;

/// Most threads of a block.
static constexpr int64_t kMostThreads = 1024;

/// "[-1, 0, 0]"
static std::string listed(ArrayRef<int64_t> numbers) {
  return "[" + llvm::join(llvm::map_range(numbers, [](int64_t number) { return std::to_string(number); }), ", ") + "]";
}

//===--------------------------------------------------------------------------------------------------------------===//
// Block graphs by themselves
//===--------------------------------------------------------------------------------------------------------------===//

ArrayAttr BlocksOp::getElementFields() { return getFields(); }

void BlocksOp::build(OpBuilder &builder, OperationState &state, StringRef name, ArrayAttr fields, StringRef body) {
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.sym_name = builder.getStringAttr(name);
  properties.fields = fields;
  properties.body = FlatSymbolRefAttr::get(builder.getContext(), body);
}

static LogicalResult verifyThreads(BlocksOp blocks) {
  if (!blocks.getThreads())
    return success();
  ArrayRef<int64_t> threads = *blocks.getThreads();
  auto isValid = [](int64_t extent) { return extent >= 1 && extent <= kMostThreads; };
  if (threads.size() != 3 || !llvm::all_of(threads, isValid))
    return blocks.emitOpError("'threads' are three extents (x, y, z) from 1 to ")
           << kMostThreads << "; found " << listed(threads);
  if (int64_t product = threads[0] * threads[1] * threads[2]; product > kMostThreads)
    return blocks.emitOpError("a block has at most ")
           << kMostThreads << " threads, but " << listed(threads) << " are " << product << "; make it smaller";
  return success();
}

static LogicalResult verifyPolicy(BlocksOp blocks) {
  bool isLvl = blocks.getPolicy() == BlockPolicy::Lvl;
  std::optional<int64_t> bound = blocks.getBound();
  if (!isLvl && bound)
    return blocks.emitOpError("'bound' belongs to 'policy lvl', but the policy is lrr; remove 'bound'");
  if (isLvl && !bound)
    return blocks.emitOpError("'policy lvl' needs a bound on the distance of levels; add 'bound 3'");
  if (isLvl && (*bound < 1 || *bound > INT32_MAX))
    return blocks.emitOpError("'bound' is from 1 to 2147483647; found ") << *bound;
  return success();
}

/// An offset leads to a smaller block ID: IDs are compared by z, then y, then x.
static LogicalResult verifyOffsets(BlocksOp blocks) {
  if (blocks.getOffsets() && blocks.getOffsets()->size() % 3)
    return blocks.emitOpError("'offsets' are three numbers each (x, y, z); found ")
           << blocks.getOffsets()->size() << " numbers";
  for (size_t number = 0; number < blocks.numOffsets(); ++number) {
    ArrayRef<int64_t> offset = blocks.offset(number);
    if (!llvm::all_of(offset, [](int64_t distance) { return llvm::isInt<32>(distance); }))
      return blocks.emitOpError("an offset is three numbers of 32 bits; found ") << listed(offset);
    int64_t last = offset[2] ? offset[2] : offset[1] ? offset[1] : offset[0];
    if (last >= 0)
      return blocks.emitOpError(
                 "an offset leads to a smaller block ID (its last coordinate that is not 0 is negative), "
                 "but ")
             << listed(offset) << (last ? " leads to a larger one" : " leads to the block itself")
             << "; use 'links' for a graph of another kind";
  }
  return success();
}

//===--------------------------------------------------------------------------------------------------------------===//
// Graphs that are known at compile time
//===--------------------------------------------------------------------------------------------------------------===//

/// The children of node `node`.
static ArrayRef<int64_t> childrenOf(BlocksOp blocks, size_t node) {
  ArrayRef<int64_t> starts = *blocks.getStarts();
  return blocks.getChildren()->slice(starts[node], starts[node + 1] - starts[node]);
}

/// For each node that lies on a cycle or behind one, a parent of this kind; -1 for the other nodes.
static SmallVector<int64_t> parentsOnCycles(BlocksOp blocks) {
  size_t numNodes = blocks.getStarts()->size() - 1;
  SmallVector<size_t> waiting(numNodes), done;
  for (int64_t child : ArrayRef<int64_t>(*blocks.getChildren()))
    ++waiting[child];
  for (size_t node = 0; node < numNodes; ++node)
    if (!waiting[node])
      done.push_back(node);
  for (size_t i = 0; i < done.size(); ++i)
    for (int64_t child : childrenOf(blocks, done[i]))
      if (!--waiting[child])
        done.push_back(child);
  SmallVector<int64_t> parents(numNodes, -1);
  for (size_t node = 0; node < numNodes; ++node)
    for (int64_t child : childrenOf(blocks, node))
      if (waiting[node])
        parents[child] = node;
  return parents;
}

/// The nodes of a cycle, each followed by a child, the first node again at the end; empty if there is no cycle.
static SmallVector<int64_t> findCycle(BlocksOp blocks) {
  SmallVector<int64_t> parents = parentsOnCycles(blocks), cycle;
  auto *found = llvm::find_if(parents, [](int64_t parent) { return parent >= 0; });
  if (found == parents.end())
    return cycle;
  // Whoever goes from parent to parent comes back to a node in the end.
  llvm::DenseSet<int64_t> met;
  int64_t node = found - parents.begin();
  while (met.insert(node).second)
    node = parents[node];
  cycle.push_back(node);
  for (int64_t next = parents[node]; next != node; next = parents[next])
    cycle.push_back(next);
  cycle.push_back(node);
  std::reverse(cycle.begin(), cycle.end());
  return cycle;
}

/// "0 -> 2 -> 0"; of a long cycle, the nodes at both ends.
static std::string cycleText(ArrayRef<int64_t> cycle) {
  constexpr size_t kShown = 8;
  auto text = [](ArrayRef<int64_t> nodes) {
    return llvm::join(llvm::map_range(nodes, [](int64_t node) { return std::to_string(node); }), " -> ");
  };
  if (cycle.size() <= 2 * kShown)
    return text(cycle);
  return text(cycle.take_front(kShown)) + " -> ... -> " + text(cycle.take_back(kShown)) + " (" +
         std::to_string(cycle.size() - 1) + " nodes)";
}

static LogicalResult verifyStarts(BlocksOp blocks) {
  ArrayRef<int64_t> starts = *blocks.getStarts();
  int64_t numChildren = blocks.getChildren()->size();
  if (starts.empty())
    return blocks.emitOpError("'starts' has one entry more than there are nodes, and at least one; found none");
  if (starts.front() != 0)
    return blocks.emitOpError("'starts' begins with 0; found ") << starts.front();
  for (size_t node = 0; node + 1 < starts.size(); ++node)
    if (starts[node + 1] < starts[node])
      return blocks.emitOpError("'starts' never decreases, but the children of node ")
             << node << " begin at " << starts[node] << " and end at " << starts[node + 1];
  if (starts.back() != numChildren)
    return blocks.emitOpError("'starts' ends with the number of children, ")
           << numChildren << "; found " << starts.back();
  return success();
}

static LogicalResult verifyStaticGraph(BlocksOp blocks) {
  if (blocks.getStarts().has_value() != blocks.getChildren().has_value())
    return blocks.emitOpError("'starts' and 'children' are a graph together; add ")
           << (blocks.getStarts() ? "'children'" : "'starts'");
  if (!blocks.isStatic())
    return success();
  if (failed(verifyStarts(blocks)))
    return failure();
  int64_t numNodes = blocks.getStarts()->size() - 1;
  for (auto [number, child] : llvm::enumerate(*blocks.getChildren()))
    if (child < 0 || child >= numNodes)
      return blocks.emitOpError("'children' are numbers of nodes, below ")
             << numNodes << ", but entry " << number << " is " << child;
  if (SmallVector<int64_t> cycle = findCycle(blocks); !cycle.empty())
    return blocks.emitOpError("blocks on a cycle would wait for one another forever: ")
           << cycleText(cycle) << "; remove a child";
  return success();
}

LogicalResult BlocksOp::verify() {
  if (failed(verifyThreads(*this)) || failed(verifyPolicy(*this)))
    return failure();
  SmallVector<StringRef> sources;
  if (getLinks())
    sources.push_back("'links'");
  if (getOffsets())
    sources.push_back("'offsets'");
  if (getStarts() || getChildren())
    sources.push_back("'starts'");
  if (sources.size() > 1)
    return emitOpError("at most one of 'links', 'offsets' and 'starts' says which blocks are parents; found ")
           << llvm::join(sources, " and ");
  return failure(failed(verifyOffsets(*this)) || failed(verifyStaticGraph(*this)));
}

//===--------------------------------------------------------------------------------------------------------------===//
// The functions of block graphs
//===--------------------------------------------------------------------------------------------------------------===//

/// Returns whether launches of the node's kernel, a function of type `wanted`, can be launches of `blocks`.
static LogicalResult verifyKernel(BlocksOp blocks, LLVM::LLVMFunctionType wanted, SymbolTableCollection &symbols) {
  if (blocks.getLinks() || blocks.getOffsets() || blocks.getStarts() || blocks.getThreads() || blocks.getPolicy())
    return blocks.emitOpError("launches of 'kernel' give the parents, the policy and the threads, so a node with a "
                              "kernel has none of them; remove them, or remove 'kernel'");
  Operation *outer = blocks->getParentOp()->getParentOp();
  if (!outer)
    return success();
  auto kernel = symbols.lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(outer, blocks.getKernelAttr());
  if (kernel && kernel.getFunctionType() == wanted)
    return success();
  InFlightDiagnostic diag = blocks.emitOpError()
                            << "'kernel' must name an llvm.func beside the graph that has the type of the body, "
                            << wanted << ", but " << blocks.getKernelAttr()
                            << (kernel ? " has another type" : " is none");
  return diag;
}

/// Returns whether `ref` names a function of type `wanted` that belongs to `blocks`. `role` is "body" or "links".
static LogicalResult verifyFunction(BlocksOp blocks, FlatSymbolRefAttr ref, StringRef role,
                                    LLVM::LLVMFunctionType wanted, SymbolTableCollection &symbols) {
  // The function stands beside the graph, one symbol table further out.
  Operation *outer = blocks->getParentOp()->getParentOp();
  if (!outer)
    return success();
  auto function = symbols.lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(outer, ref);
  if (!function)
    return blocks.emitOpError() << "'" << role << "' must name an llvm.func beside the graph, but " << ref
                                << " is none";
  if (function.getFunctionType() != wanted) {
    InFlightDiagnostic diag = blocks.emitOpError() << "'" << role << "' has "
                                                   << (role == "body" ? "the fields as parameters" : "no parameters")
                                                   << " and no result: " << wanted << " is wanted";
    diag.attachNote(function.getLoc()) << ref << " is of type " << function.getFunctionType();
    return diag;
  }
  auto owner = function->getAttrOfType<SymbolRefAttr>(kBlocksAttr);
  if (owner && symbols.lookupNearestSymbolFrom(function, owner) == blocks)
    return success();
  InFlightDiagnostic diag = blocks.emitOpError()
                            << "'" << role << "' must belong to this node; add the attribute " << kBlocksAttr << " = @"
                            << blocks->getParentOfType<GraphOp>().getSymName() << "::@" << blocks.getSymName() << " to "
                            << ref;
  if (owner)
    diag.attachNote(function.getLoc()) << ref << " belongs to " << owner;
  return diag;
}

LogicalResult BlocksOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Type none = LLVM::LLVMVoidType::get(getContext());
  SmallVector<Type> params;
  for (Type type : getFields().getAsValueRange<TypeAttr>())
    params.push_back(operandType(type));
  if (getLinksAttr() == getBodyAttr())
    return emitOpError("'body' and 'links' are two functions, but both are ") << getBodyAttr();
  auto type = LLVM::LLVMFunctionType::get(none, params);
  if (failed(verifyFunction(*this, getBodyAttr(), "body", type, symbols)) ||
      (getKernel() && failed(verifyKernel(*this, type, symbols))))
    return failure();
  return getLinks() ? verifyFunction(*this, getLinksAttr(), "links", LLVM::LLVMFunctionType::get(none, {}), symbols)
                    : success();
}

namespace {
enum class Place { Body, Links, Both };
} // namespace

/// Returns whether an operation stands in a function of a block graph where it may stand.
static LogicalResult verifyPlace(Operation *op, Place place, SymbolTableCollection &symbols) {
  auto function = cast<LLVM::LLVMFuncOp>(op->getParentOp());
  StringRef wanted = place == Place::Body ? "the body" : place == Place::Links ? "the links" : "the body or the links";
  auto owner = function->getAttrOfType<SymbolRefAttr>(kBlocksAttr);
  auto blocks = owner ? symbols.lookupNearestSymbolFrom<BlocksOp>(function, owner) : BlocksOp();
  bool isBody = blocks && blocks.getBody() == function.getName();
  bool isLinks = blocks && blocks.getLinks() == function.getName();
  if ((isBody && place != Place::Links) || (isLinks && place != Place::Body))
    return success();
  InFlightDiagnostic diag = op->emitOpError("stands in ")
                            << wanted << " of a block graph, but @" << function.getName() << " is ";
  if (isBody || isLinks)
    return diag << (isBody ? "the body" : "the links") << " of " << owner;
  return diag << "neither; name it in a channel.blocks, and that node in the function's attribute " << kBlocksAttr;
}

LogicalResult BlockIdOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyPlace(*this, Place::Both, symbols);
}
LogicalResult GridDimOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyPlace(*this, Place::Both, symbols);
}
LogicalResult BlockDimOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyPlace(*this, Place::Both, symbols);
}
LogicalResult ThreadIdOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyPlace(*this, Place::Body, symbols);
}
LogicalResult LinkOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyPlace(*this, Place::Links, symbols);
}

Operation *channel::findDivergence(BlockSyncOp sync, std::optional<ArrayRef<int64_t>> threads) {
  // Where the launch gives the extents, each of them may be larger than 1.
  constexpr int64_t kAny[] = {kMostThreads, kMostThreads, kMostThreads};
  ThreadDependence dependence(cast<LLVM::LLVMFuncOp>(sync->getParentOp()), threads.value_or(kAny));
  return dependence.divergenceAt(sync->getBlock());
}

/// Here and not in verify(): branches of the whole function are verified by now.
LogicalResult BlockSyncOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (failed(verifyPlace(*this, Place::Body, symbols)))
    return failure();
  auto body = cast<LLVM::LLVMFuncOp>((*this)->getParentOp());
  auto blocks = symbols.lookupNearestSymbolFrom<BlocksOp>(body, body->getAttrOfType<SymbolRefAttr>(kBlocksAttr));
  Operation *branch = findDivergence(*this, blocks.getThreads());
  if (!branch)
    return success();
  InFlightDiagnostic diag =
      emitOpError("either all threads of a block come here or none, but lanes diverge at a branch before it; move it "
                  "behind the place where the paths of that branch meet");
  diag.attachNote(branch->getLoc()) << "this branch depends on channel.thread_id";
  return diag;
}

LogicalResult LaunchBlocksOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto blocks = symbols.lookupNearestSymbolFrom<BlocksOp>(*this, getBlocks());
  if (!blocks)
    return emitOpError("launches a block graph (channel.blocks), but ") << getBlocks() << " is none";
  if (blocks.isStatic() && !getGrid().empty())
    return emitOpError("the graph has its grid itself, a row of ")
           << blocks.getStarts()->size() - 1 << " nodes; remove 'grid'";
  if (!blocks.isStatic() && (getGrid().empty() || getGrid().size() > 3))
    return emitOpError("'grid' has one to three extents (x, y, z); found ") << getGrid().size();
  if (blocks.getThreads() && !getThreads().empty())
    return emitOpError("the node has the threads of its blocks itself, ")
           << listed(*blocks.getThreads()) << "; remove 'threads'";
  if (!blocks.getThreads() && (getThreads().empty() || getThreads().size() > 3))
    return emitOpError("'threads' has one to three extents (x, y, z), because the node has none; found ")
           << getThreads().size();
  SmallVector<Type> wanted;
  for (Type type : blocks.getFields().getAsValueRange<TypeAttr>())
    wanted.push_back(operandType(type));
  if (llvm::equal(getFields().getTypes(), wanted))
    return success();
  InFlightDiagnostic diag = emitOpError("fields must match the parameters of the body of ")
                            << getBlocks() << ": (" << getFields().getTypes() << ") given";
  diag.attachNote(blocks.getLoc()) << "a block has (" << wanted << ")";
  return diag;
}

//===--------------------------------------------------------------------------------------------------------------===//
// Records and drawings
//===--------------------------------------------------------------------------------------------------------------===//

/// A launch hands everything to the runtime: there is no record that a constructor registers.
void BlocksOp::describe(GraphDescription &) {}

/// "threads [16, 1, 1]"
static std::string threadsText(BlocksOp blocks) {
  return blocks.getThreads() ? "threads " + listed(*blocks.getThreads()) : "threads of the launch";
}

/// "policy lvl, bound 3"
static std::string policyText(BlocksOp blocks) {
  std::string text = "policy " + stringifyBlockPolicy(blocks.getPolicy().value_or(BlockPolicy::Lrr)).str();
  return blocks.getBound() ? text + ", bound " + std::to_string(*blocks.getBound()) : text;
}

/// How the parents of a block are found.
static std::string parentsText(BlocksOp blocks) {
  if (blocks.getKernel())
    return "launches of " + blocks.getKernel()->str();
  if (blocks.getLinks())
    return "parents by " + blocks.getLinks()->str();
  if (blocks.isStatic())
    return std::to_string(blocks.getStarts()->size() - 1) + " nodes, " + std::to_string(blocks.getChildren()->size()) +
           " edges";
  if (!blocks.numOffsets())
    return "no parents";
  std::string text = "parents at";
  for (size_t number = 0; number < blocks.numOffsets(); ++number)
    text += (number ? ", " : " ") + listed(blocks.offset(number));
  return text;
}

static json::Object blocksJson(BlocksOp blocks, const DataLayout &dataLayout) {
  json::Object object{{"name", nameJson(blocks.getSymName())},
                      {"fields", fieldsJson(blocks.getFields(), dataLayout)},
                      {"body", nameJson(blocks.getBody())},
                      {"policy", stringifyBlockPolicy(blocks.getPolicy().value_or(BlockPolicy::Lrr))}};
  if (blocks.getThreads())
    object["threads"] = json::Array(*blocks.getThreads());
  if (blocks.getBound())
    object["bound"] = static_cast<int64_t>(*blocks.getBound());
  if (blocks.getKernel())
    object["kernel"] = nameJson(*blocks.getKernel());
  if (blocks.getLinks())
    object["links"] = nameJson(*blocks.getLinks());
  if (blocks.getOffsets()) {
    json::Array offsets;
    for (size_t number = 0; number < blocks.numOffsets(); ++number)
      offsets.push_back(json::Array(blocks.offset(number)));
    object["offsets"] = std::move(offsets);
  }
  if (blocks.isStatic()) {
    object["starts"] = json::Array(*blocks.getStarts());
    object["children"] = json::Array(*blocks.getChildren());
  }
  return object;
}

void BlocksOp::draw(NodeDrawing &drawing) {
  std::string name = getSymName().str(), fields = fieldList(getFields()), threads = threadsText(*this);
  drawing.name = name;
  drawing.kind = "blocks: code of a thread block";
  drawing.style = "shape=box3d";
  drawing.label = name + "\n(" + fields + ")\n" + threads + "\n" + policyText(*this) + "\n" + parentsText(*this);
  // One arrow stands for all edges between blocks.
  if (getLinks() || numOffsets() || (getChildren() && !getChildren()->empty()))
    drawing.arrows.push_back({name, name, "style=dotted, label=\"parents done\""});
  drawing.list = "blocks";
  drawing.object = blocksJson(*this, *drawing.dataLayout);
  drawing.sentence =
      "block graph " + name + " (" + fields + "), " + threads + ", " + policyText(*this) + ", " + parentsText(*this);
}
