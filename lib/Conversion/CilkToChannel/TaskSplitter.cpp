// Splits one task at its syncs:
// - A continuation block begins behind each sync.
// - Values and locals that live across a sync move to a frame.
// - Each entry gets a kernel, a clone of the blocks that the entry reaches without crossing another sync.
#include "TaskSplitter.h"

#include "cilk2gpu/Dialect/Analysis/FramePlacement.h"
#include "cilk2gpu/Support/DebugScopes.h"
#include "cilk2gpu/Support/FunctionAttributes.h"
#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/TypeSizes.h"
#include "cilk2gpu/Support/VariableMarks.h"
#include "cilk2gpu/abi/Records.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace cilk2gpu;

/// Returns the type of an argument that is passed by value in memory, or null for other arguments. Some targets also
/// pass vectors and wide integers in this way. For these, returns an array of one element, so that the operand counts
/// as an address.
static Type byValType(LLVM::LLVMFuncOp func, unsigned index) {
  auto attr = func.getArgAttrOfType<TypeAttr>(index, LLVM::LLVMDialect::getByValAttrName());
  if (!attr)
    return Type();
  if (channel::isByAddress(attr.getValue()))
    return withoutPadding(DataLayout::closest(func), attr.getValue());
  return LLVM::LLVMArrayType::get(attr.getValue(), 1);
}

/// Returns true if no other unit can see a function. Such a function stays in the user's module, and may be only
/// declared here.
static bool isLocal(LLVM::LLVMFuncOp func) {
  return func.getLinkage() == LLVM::Linkage::Internal || func.getLinkage() == LLVM::Linkage::Private ||
         hasFunctionAttribute(func, kLocalFunctionAttr);
}

/// Returns the linkage of the descriptor of a Cilk function. A function that may exist in several units has a
/// descriptor in each unit, and the linker takes one of them. This includes inline functions whose code is only here to
/// be inlined.
static LLVM::Linkage recordLinkage(LLVM::LLVMFuncOp func) {
  if (isLocal(func))
    return LLVM::Linkage::Internal;
  return func.getLinkage() == LLVM::Linkage::External ? LLVM::Linkage::External : LLVM::Linkage::WeakODR;
}

/// Returns the linkage of the descriptor of a task with strands, which runs `func` for a parent in any unit. A Cilk
/// function's task takes precedence over those of units that only call it.
static LLVM::Linkage strandsLinkage(LLVM::LLVMFuncOp func) {
  if (!func || isLocal(func))
    return LLVM::Linkage::Internal;
  bool isOrdinary = functionAttribute(func, kOriginAttr).empty();
  return isOrdinary ? LLVM::Linkage::Weak : recordLinkage(func);
}

TaskInfo::TaskInfo(LLVM::LLVMFuncOp func, SymbolTable &symbols)
    : func(func), stack(func.getName()), linkage(recordLinkage(func)) {
  if (auto wrapped = func->getAttrOfType<FlatSymbolRefAttr>(cilk::kWrapsAttr)) {
    // Every unit that spawns an ordinary function may define a task for it. A real Cilk function's task takes
    // precedence.
    auto ordinary = symbols.lookup<LLVM::LLVMFuncOp>(wrapped.getValue());
    stack = ordinary.getName();
    linkage = isLocal(ordinary) ? LLVM::Linkage::Internal : LLVM::Linkage::Weak;
  }
  if (auto run = func->getAttrOfType<FlatSymbolRefAttr>(cilk::kStrandsAttr))
    linkage = strandsLinkage(symbols.lookup<LLVM::LLVMFuncOp>(run.getValue()));
  for (auto [index, type] : llvm::enumerate(func.getFunctionType().getParams())) {
    Type byVal = byValType(func, index);
    bool isBool = type.isInteger(1); // a byte in memory, which vectors can load
    fields.push_back(byVal ? byVal : isBool ? IntegerType::get(type.getContext(), 8) : type);
  }
  hasResult = !isa<LLVM::LLVMVoidType>(func.getFunctionType().getReturnType());
  if (hasResult)
    fields.push_back(LLVM::LLVMPointerType::get(func.getContext()));
  if (hasResult || func->hasAttr(cilk::kAccumulationKindAttr))
    destination = fields.size() - 1;
}

Value cilk2gpu::fieldOf(OpBuilder &builder, Location loc, Value argument) {
  if (argument.getType().isInteger(1))
    return LLVM::ZExtOp::create(builder, loc, builder.getI8Type(), argument);
  if (!channel::isByAddress(argument.getType()))
    return argument;
  auto function = cast<LLVM::LLVMFuncOp>(builder.getInsertionBlock()->getParentOp());
  Value local = createLocal(function.getBody().front(), argument.getType(), loc);
  LLVM::StoreOp::create(builder, loc, argument, local);
  return local;
}

/// Returns the argument for a parameter of type `type`, made from an element's field.
static Value argumentOf(OpBuilder &builder, Location loc, Type type, Value field) {
  if (type.isInteger(1))
    return LLVM::TruncOp::create(builder, loc, type, field);
  return channel::isByAddress(type) ? LLVM::LoadOp::create(builder, loc, type, field).getResult() : field;
}

SmallVector<Value> cilk2gpu::elementFields(OpBuilder &builder, cilk::SpawnOp spawn, const TaskInfo &callee) {
  SmallVector<Value> fields;
  for (Value arg : spawn.getArgs())
    fields.push_back(fieldOf(builder, spawn.getLoc(), arg));
  if (callee.hasResult)
    fields.push_back(spawn.getDest()
                         ? spawn.getDest()
                         : LLVM::ZeroOp::create(builder, spawn.getLoc(), callee.destinationType()).getResult());
  return fields;
}

SymbolRefAttr TaskSplitter::node(StringRef name) {
  return SymbolRefAttr::get(graph.getSymNameAttr(), FlatSymbolRefAttr::get(graph.getContext(), name));
}

/// Returns the local for the first field of the frame, or null. The field must fit into a column, because the frame's
/// address is the address of its first field (channel-frame-columns).
LLVM::AllocaOp TaskSplitter::firstField(const LocalVariables &locals) {
  auto findIn = [](ArrayRef<LLVM::AllocaOp> fields) {
    auto *found = llvm::find_if(fields, [](LLVM::AllocaOp field) { return storageSize(field) <= abi::kFrameColumn; });
    return found == fields.end() ? LLVM::AllocaOp() : *found;
  };
  LLVM::AllocaOp first = findIn(locals.residents());
  for (auto &[block, segment] : cuts)
    if (!first && segment)
      first = findIn(locals.savedAt(block).getArrayRef());
  return first;
}

bool TaskSplitter::run() {
  LLVM::LLVMFuncOp body = createBody();
  copyByValueArguments(body);
  bool ok = splitAtSyncs(body);
  if (ok) {
    BlockSet cutBlocks;
    for (auto &[block, segment] : cuts)
      cutBlocks.insert(block);
    demoteAcrossCuts(body, cutBlocks);
    LocalVariables locals(body, cutBlocks);
    dropIdleContinuations(locals);

    DataLayout dataLayout = DataLayout::closest(body);
    FrameLayout layout(dataLayout);
    if (LLVM::AllocaOp first = firstField(locals))
      layout.offsetOf(first);
    for (LLVM::AllocaOp local : locals.residents())
      layout.offsetOf(local);
    createKernel(0, &body.getBody().front(), body, locals, layout);
    for (auto &[block, segment] : cuts)
      if (segment)
        createKernel(segment, block, body, locals, layout);
    createNodes(body, layout);
    createElided();
  }
  body.erase();
  return ok;
}

/// Returns the first mark of each run of marks of variables (kVariableMarker). Most code has none.
static SmallVector<LLVM::CallOp> firstMarks(LLVM::LLVMFuncOp func) {
  auto isMark = [](Operation *op) {
    auto call = dyn_cast_or_null<LLVM::CallOp>(op);
    return call && call.getCallee() == kVariableMarker;
  };
  SmallVector<LLVM::CallOp> marks;
  func.walk([&](LLVM::CallOp call) {
    Operation *before = isMark(call) ? call->getPrevNode() : nullptr;
    while (before && !isMark(before) && isMemoryEffectFree(before))
      before = before->getPrevNode();
    if (isMark(call) && !isMark(before))
      marks.push_back(call);
  });
  return marks;
}

/// Adds a mark with a number of VariableMarks.h before `mark`.
static void addMark(LLVM::CallOp mark, Value address, uint32_t number) {
  OpBuilder builder(mark);
  Value constant = LLVM::ConstantOp::create(builder, mark.getLoc(), builder.getI32Type(),
                                            builder.getI32IntegerAttr(int32_t(number)));
  LLVM::CallOp::create(builder, mark.getLoc(), TypeRange(), mark.getCalleeAttr(), ValueRange{address, constant});
}

/// Keeps the destination of the result in memory, beside the variables, if variables are kept for debuggers.
static void keepDestination(LLVM::LLVMFuncOp body, Value dest) {
  SmallVector<LLVM::CallOp> marks = firstMarks(body);
  if (marks.empty())
    return;
  LLVM::AllocaOp local = createLocal(body.getBody().front(), dest.getType(), dest.getLoc());
  OpBuilder builder(body.getContext());
  builder.setInsertionPointAfter(local);
  LLVM::StoreOp::create(builder, dest.getLoc(), dest, local);
  for (LLVM::CallOp mark : marks)
    addMark(mark, local, kDestinationMark);
}

/// Makes a copy of the task's function that takes the destination of its result and returns nothing.
LLVM::LLVMFuncOp TaskSplitter::createBody() {
  OpBuilder builder(func);
  Location loc = func.getLoc();
  SmallVector<Type> params(func.getFunctionType().getParams());
  if (task.hasResult)
    params.push_back(task.destinationType());
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()), params);
  auto body = LLVM::LLVMFuncOp::create(builder, loc, task.stack + ".body", type, LLVM::Linkage::Internal);
  IRMapping mapping;
  func.getBody().cloneInto(&body.getBody(), mapping);
  Value dest = task.hasResult ? body.getBody().front().addArgument(task.destinationType(), loc) : Value();
  for (Block &block : body.getBody())
    if (auto ret = dyn_cast<LLVM::ReturnOp>(block.getTerminator()); ret && ret.getArg()) {
      builder.setInsertionPoint(ret);
      // The result is evaluated before an implicit sync. Its store is the last operation of the task.
      channel::ResultOp::create(builder, ret.getLoc(), ret.getArg(), dest);
      LLVM::ReturnOp::create(builder, ret.getLoc(), ValueRange());
      ret.erase();
    }
  if (dest)
    keepDestination(body, dest);
  return body;
}

/// Copies aggregates that are passed by value to local variables, which belong to the callee and may live in its frame.
void TaskSplitter::copyByValueArguments(LLVM::LLVMFuncOp body) {
  Block &entry = body.getBody().front();
  DataLayout dataLayout = DataLayout::closest(body);
  for (unsigned index = 0; index < func.getNumArguments(); ++index) {
    Type type = byValType(func, index);
    if (!type)
      continue;
    auto align = func.getArgAttrOfType<IntegerAttr>(index, LLVM::LLVMDialect::getAlignAttrName());
    Value argument = entry.getArgument(index);
    LLVM::AllocaOp local = createLocal(entry, type, argument.getLoc(), align ? align.getInt() : 0);
    argument.replaceAllUsesWith(local);
    OpBuilder builder(body.getContext());
    builder.setInsertionPointAfter(local);
    Value size = LLVM::ConstantOp::create(builder, argument.getLoc(), builder.getI64Type(),
                                          builder.getI64IntegerAttr(storeSize(dataLayout, type)));
    argumentCopies.push_back(
        LLVM::MemcpyOp::create(builder, argument.getLoc(), local, argument, size, /*isVolatile=*/false));
  }
}

/// Ends a block after each sync. The rest of the block is a continuation; continuations are numbered in source order.
bool TaskSplitter::splitAtSyncs(LLVM::LLVMFuncOp body) {
  SmallVector<cilk::SyncOp> syncs;
  bool ok = true;
  body.walk([&](Operation *op) {
    hasFrame |= isa<cilk::SpawnOp, cilk::SyncOp>(op);
    if (auto sync = dyn_cast<cilk::SyncOp>(op))
      syncs.push_back(sync);
    auto local = dyn_cast<LLVM::AllocaOp>(op);
    if (local && !llvm::is_contained(staticAllocas(body), local))
      ok = false,
      local.emitError("a Cilk function's local variables have a fixed size, found a variable-length array or "
                      "alloca; allocate it with malloc, or in a function that does not spawn");
    if (isa<LLVM::IndirectBrOp>(op))
      ok = false, op->emitError("a Cilk function has no computed goto, found '")
                      << op->getName() << "'; move it into a function that does not spawn";
  });
  for (cilk::SyncOp sync : syncs) {
    Block *continuation = sync->getBlock()->splitBlock(std::next(sync->getIterator()));
    OpBuilder builder = OpBuilder::atBlockEnd(sync->getBlock());
    LLVM::BrOp::create(builder, sync.getLoc(), continuation);
    cuts[continuation] = 0;
    syncLocations.try_emplace(continuation, sync.getLoc());
  }
  // Numbers are given in block order, so that kernels come in the order of the source.
  SmallVector<Block *> ordered;
  for (Block &block : body.getBody())
    if (cuts.contains(&block))
      ordered.push_back(&block);
  cuts.clear();
  for (Block *block : ordered)
    cuts[block] = cuts.size() + 1;
  return ok;
}

/// Returns true if no operation has an effect from `block` to the function's return.
static bool isIdle(Block *block) {
  for (BlockSet seen; seen.insert(block).second;) {
    if (!llvm::all_of(block->without_terminator(), [](Operation &op) { return isMemoryEffectFree(&op); }))
      return false;
    Operation *terminator = block->getTerminator();
    if (isa<LLVM::ReturnOp>(terminator))
      return true;
    if (!isa<LLVM::BrOp>(terminator))
      return false;
    block = terminator->getSuccessor(0);
  }
  return false;
}

/// Drops continuations that do nothing, because they need no kernel. If children may still point into the frame, keeps
/// all, because a continuation must free the frame after the children. Numbers the remaining segments again.
void TaskSplitter::dropIdleContinuations(const LocalVariables &locals) {
  unsigned next = 1;
  for (auto &[block, segment] : cuts)
    segment = locals.residents().empty() && isIdle(block) ? 0 : next++;
}

/// Returns the place of the sync before a segment, or of the function for segment 0.
Location TaskSplitter::locationOf(unsigned segment) {
  for (auto &[block, number] : cuts)
    if (segment && number == segment)
      return syncLocations.at(block);
  return func.getLoc();
}

//===-- Kernels ---------------------------------------------------------------------------------------------------===//

/// Clones `blocks` in body order. Operands are mapped when all blocks are cloned.
static void cloneBlocks(LLVM::LLVMFuncOp body, const BlockSet &blocks, Block *start, LLVM::LLVMFuncOp kernel,
                        IRMapping &mapping) {
  SmallVector<Operation *> clones;
  for (Block &block : body.getBody()) {
    if (!blocks.contains(&block))
      continue;
    Block *clone = new Block();
    kernel.getBody().push_back(clone);
    mapping.map(&block, clone);
    if (&block != start)
      for (BlockArgument arg : block.getArguments())
        mapping.map(arg, clone->addArgument(arg.getType(), arg.getLoc()));
  }
  for (Block &block : body.getBody())
    if (blocks.contains(&block))
      for (Operation &op : block)
        if (!op.getNumResults() || !mapping.contains(op.getResult(0))) {
          Operation *clone = op.cloneWithoutRegions(mapping);
          mapping.lookup(&block)->push_back(clone);
          mapping.map(&op, clone);
          clones.push_back(clone);
        }
  for (Operation *clone : clones)
    for (OpOperand &operand : clone->getOpOperands())
      operand.set(mapping.lookupOrDefault(operand.get()));
}

/// Sorts references to symbols by name.
static ArrayAttr sortedRefs(Builder &builder, llvm::SetVector<Attribute> set) {
  SmallVector<Attribute> refs = set.takeVector();
  llvm::sort(refs, [](Attribute a, Attribute b) {
    return cast<FlatSymbolRefAttr>(a).getValue() < cast<FlatSymbolRefAttr>(b).getValue();
  });
  return builder.getArrayAttr(refs);
}

namespace {
/// A local variable of the task's body, and its copy in a kernel.
struct LocalCopy {
  LLVM::AllocaOp local, copy;
};
} // namespace

/// Copies the local variables of the body, and the types of its exception handlers, to the builder's insertion point.
static SmallVector<LocalCopy> copyLocals(OpBuilder &builder, LLVM::LLVMFuncOp body, IRMapping &mapping) {
  SmallVector<LocalCopy> copies;
  for (LLVM::AllocaOp local : staticAllocas(body)) {
    IRMapping sizeMapping;
    sizeMapping.map(local.getArraySize(), builder.clone(*local.getArraySize().getDefiningOp())->getResult(0));
    auto copy = cast<LLVM::AllocaOp>(builder.clone(*local, sizeMapping));
    mapping.map(local.getResult(), copy.getResult());
    copies.push_back({local, copy});
  }
  for (Operation *type : handlerTypes(body))
    mapping.map(type->getResult(0), builder.clone(*type)->getResult(0));
  return copies;
}

/// Erases the copies that the kernel does not use. Moves copies of residents to the frame.
static void placeLocals(ArrayRef<LocalCopy> copies, Value frame, const LocalVariables &locals, FrameLayout &layout) {
  for (auto [local, copy] : copies) {
    if (copy->use_empty())
      copy.erase();
    else if (llvm::is_contained(locals.residents(), local))
      moveToFrame(copy, frame, layout.offsetOf(local));
  }
}

/// Declares the kernel of a segment, with the attributes of the task's function.
LLVM::LLVMFuncOp TaskSplitter::declareKernel(unsigned segment) {
  OpBuilder builder(func);
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()), {});
  auto kernel = LLVM::LLVMFuncOp::create(builder, func.getLoc(), name(".k", segment), type, LLVM::Linkage::Internal);
  kernel.setPassthroughAttr(func.getPassthroughAttr());
  kernel.setPersonalityAttr(func.getPersonalityAttr());
  symbols.insert(kernel);
  kernel->setAttr(channel::kKernelAttr, node(name(".k", segment)));
  ++numKernels;
  return kernel;
}

/// Frees the task's element once its by-value fields have been copied.
void TaskSplitter::freeElement(Block *prologue, IRMapping &mapping) {
  OpBuilder builder(func);
  auto deq = *prologue->getOps<channel::DeqOp>().begin();
  Operation *after = argumentCopies.empty() ? nullptr : mapping.lookupOrNull(argumentCopies.front());
  after ? builder.setInsertionPointAfter(after) : builder.setInsertionPoint(prologue->getTerminator());
  channel::TfreeOp::create(builder, deq.getLoc(), deq.getChannel(), deq.getElement());
}

/// Ends the kernel at each of its syncs. `cutOf` maps each block that ends with a sync to its continuation. Returns the
/// channels to which the kernel publishes continuations.
llvm::SetVector<Attribute> TaskSplitter::endAtSyncs(LLVM::LLVMFuncOp kernel,
                                                    const llvm::SmallDenseMap<Block *, Block *> &cutOf, Value frame,
                                                    IRMapping &mapping, const LocalVariables &locals,
                                                    FrameLayout &layout) {
  SmallVector<cilk::SyncOp> ends;
  kernel.walk([&](cilk::SyncOp sync) { ends.push_back(sync); });
  llvm::SetVector<Attribute> publishes;
  for (cilk::SyncOp sync : ends) {
    Block *cut = cutOf.lookup(sync->getBlock());
    if (unsigned target = cuts.lookup(cut))
      publishes.insert(FlatSymbolRefAttr::get(kernel.getContext(), name(".", target)));
    endSegment(sync, cut, frame, mapping, locals, layout);
  }
  return publishes;
}

/// Returns true if an operation reads a local as a whole and does nothing else with it.
static bool onlyReads(Operation *op, Value local) {
  if (auto copy = dyn_cast<LLVM::MemcpyOp>(op))
    return copy.getSrc() == local && copy.getDst() != local;
  return isa<LLVM::LoadOp>(op);
}

/// Finds the locals that the kernel of the segment at `start` restores and does not change. The frame still has their
/// values.
void TaskSplitter::findUnchanged(Block *start, Block *prologue, IRMapping &mapping, const LocalVariables &locals) {
  unchanged.clear();
  if (!cuts.contains(start))
    return;
  for (LLVM::AllocaOp local : locals.savedAt(start)) {
    Value copy = mapping.lookup(local.getResult());
    if (llvm::all_of(copy.getUsers(),
                     [&](Operation *user) { return user->getBlock() == prologue || onlyReads(user, copy); }))
      unchanged.insert(local);
  }
}

void TaskSplitter::createKernel(unsigned segment, Block *start, LLVM::LLVMFuncOp body, const LocalVariables &locals,
                                FrameLayout &layout) {
  LLVM::LLVMFuncOp kernel = declareKernel(segment);
  // The blocks that this segment reaches. A sync ends the segment.
  BlockSet syncBlocks;
  body.walk([&](cilk::SyncOp sync) { syncBlocks.insert(sync->getBlock()); });
  BlockSet blocks = reachableFrom(start, syncBlocks);

  OpBuilder builder(func);
  Block *prologue = kernel.addEntryBlock(builder);
  builder.setInsertionPointToStart(prologue);
  IRMapping mapping;
  SmallVector<LocalCopy> copies = copyLocals(builder, body, mapping);
  Value frame = createPrologue(builder, segment, start, mapping, locals, layout);
  cloneBlocks(body, blocks, start, kernel, mapping);
  LLVM::BrOp::create(builder, func.getLoc(), mapping.lookup(start));
  if (segment == 0)
    freeElement(prologue, mapping);
  findUnchanged(start, prologue, mapping, locals);

  llvm::SmallDenseMap<Block *, Block *> cutOf;
  for (Block *block : blocks)
    if (syncBlocks.contains(block))
      cutOf[mapping.lookup(block)] = block->getTerminator()->getSuccessor(0);
  llvm::SetVector<Attribute> publishes = endAtSyncs(kernel, cutOf, frame, mapping, locals, layout), spawns;
  enqueueSpawns(kernel, spawns);
  placeLocals(copies, frame, locals, layout);
  if (frame)
    for (LLVM::CallOp mark : firstMarks(kernel))
      addMark(mark, frame, kFrameMark);
  if (frame)
    placeFrame(kernel, frame, node(task.stack + ".frame"));
  makeOwnDebugScope(kernel);

  builder.setInsertionPointToEnd(&graph.getBody().front());
  channel::KernelOp::create(builder, locationOf(segment), name(".k", segment), segment, task.stack, kernel.getName(),
                            segment ? name(".", segment) : task.stack, sortedRefs(builder, spawns),
                            sortedRefs(builder, publishes));
}

/// Dequeues the element and maps arguments, or restores saved locals. Returns the frame (null if the task has none).
Value TaskSplitter::createPrologue(OpBuilder &builder, unsigned segment, Block *start, IRMapping &mapping,
                                   const LocalVariables &locals, FrameLayout &layout) {
  Location loc = func.getLoc();
  Type element = channel::ElementType::get(builder.getContext());
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  if (segment == 0) {
    SmallVector<Type> types{element};
    for (Type type : task.fields)
      types.push_back(channel::operandType(type));
    auto deq = channel::DeqOp::create(builder, loc, types, node(task.stack), /*followed=*/nullptr);
    for (auto [argument, field] : llvm::zip_equal(start->getArguments(), deq.getFields()))
      mapping.map(argument, argumentOf(builder, loc, argument.getType(), field));
    if (!hasFrame)
      return {};
    return channel::TallocOp::create(builder, loc, pointer, node(task.stack + ".frame"));
  }
  auto deq = channel::DeqOp::create(builder, loc, {element, pointer}, node(name(".", segment)), /*followed=*/nullptr);
  channel::TfreeOp::create(builder, loc, deq.getChannel(), deq.getElement());
  Value frame = deq.getFields().front();
  for (LLVM::AllocaOp local : locals.savedAt(start)) {
    Value address = frameAddress(builder, loc, frame, layout.offsetOf(local));
    Operation *copy = copyLocal(builder, loc, local, address, mapping.lookup(local.getResult()));
    if (auto store = dyn_cast<LLVM::StoreOp>(copy))
      store.getValue().getDefiningOp()->setAttr(channel::kRestoresAttr, builder.getUnitAttr());
  }
  return frame;
}

/// Replaces a sync and the branch behind it. Saves the locals that the continuation needs and the frame does not have
/// yet, and publishes the frame to it.
void TaskSplitter::endSegment(Operation *sync, Block *cut, Value frame, IRMapping &mapping,
                              const LocalVariables &locals, FrameLayout &layout) {
  OpBuilder builder(sync);
  Location loc = sync->getLoc();
  unsigned segment = cuts.lookup(cut);
  if (segment) {
    for (LLVM::AllocaOp local : locals.savedAt(cut)) {
      if (unchanged.contains(local))
        continue;
      Value address = frameAddress(builder, loc, frame, layout.offsetOf(local));
      copyLocal(builder, loc, local, mapping.lookup(local.getResult()), address);
    }
    SymbolRefAttr stack = node(name(".", segment));
    Value element = channel::TallocOp::create(builder, loc, channel::ElementType::get(builder.getContext()), stack);
    channel::EnqOp::create(builder, loc, stack, element, frame);
  }
  auto ret = LLVM::ReturnOp::create(builder, loc, ValueRange());
  if (segment)
    ret->setAttr(kHandsOverAttr, builder.getUnitAttr());
  sync->getBlock()->getTerminator()->erase();
  sync->erase();
}

void TaskSplitter::enqueueSpawns(LLVM::LLVMFuncOp kernel, llvm::SetVector<Attribute> &targets) {
  SmallVector<cilk::SpawnOp> spawns;
  kernel.walk([&](cilk::SpawnOp spawn) { spawns.push_back(spawn); });
  for (cilk::SpawnOp spawn : spawns) {
    const TaskInfo &callee = tasks.find(symbols.lookup(spawn.getCallee()))->second;
    OpBuilder builder(spawn);
    SmallVector<Value> fields = elementFields(builder, spawn, callee);
    SymbolRefAttr stack = node(callee.stack);
    targets.insert(FlatSymbolRefAttr::get(stack.getLeafReference()));
    Value element =
        channel::TallocOp::create(builder, spawn.getLoc(), channel::ElementType::get(builder.getContext()), stack);
    channel::EnqOp::create(builder, spawn.getLoc(), stack, element, fields);
    spawn.erase();
  }
}

/// Makes the nodes of the task's frame and stacks. The nodes of its kernels are there already.
void TaskSplitter::createNodes(LLVM::LLVMFuncOp body, const FrameLayout &layout) {
  OpBuilder builder = OpBuilder::atBlockEnd(&graph.getBody().front());
  Location loc = func.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto fieldsOf = [&](ArrayRef<Type> types) {
    return builder.getArrayAttr(llvm::map_to_vector(types, [](Type type) -> Attribute { return TypeAttr::get(type); }));
  };
  auto linkage = LLVM::LinkageAttr::get(builder.getContext(), task.linkage);
  IntegerAttr destination = task.destination ? builder.getI64IntegerAttr(*task.destination) : IntegerAttr();
  auto stack = channel::StackOp::create(builder, loc, task.stack, fieldsOf(task.fields),
                                        /*resumes=*/FlatSymbolRefAttr(), linkage, destination, /*width=*/IntegerAttr());
  if (Attribute starts = func->getAttr(cilk::kStartsAccumulationAttr))
    stack->setAttr(cilk::kStartsAccumulationAttr, starts);
  frameSize = layout.getSize();
  if (hasFrame)
    channel::FrameOp::create(builder, loc, task.stack + ".frame", task.stack, layout.getSize(), layout.getAlign(),
                             builder.getDenseI64ArrayAttr(layout.getFields()), /*columns=*/nullptr);
  for (auto &[block, segment] : cuts)
    if (segment)
      channel::StackOp::create(builder, locationOf(segment), name(".", segment), fieldsOf({pointer}),
                               FlatSymbolRefAttr::get(builder.getContext(), task.stack), LLVM::LinkageAttr(),
                               /*destination=*/IntegerAttr(), /*width=*/IntegerAttr());
}

/// Makes a function that runs a task together with all tasks that it would spawn: a lane calls the serial elision and
/// stores the result.
void TaskSplitter::createElided() {
  auto accumulated = func->getAttrOfType<FlatSymbolRefAttr>(cilk::kAccumulatedElisionAttr);
  auto own = func->getAttrOfType<FlatSymbolRefAttr>(cilk::kElisionAttr);
  if (!own && !accumulated)
    return;
  auto elision = symbols.lookup<LLVM::LLVMFuncOp>((own ? own : accumulated).getValue());
  OpBuilder builder(func);
  Location loc = func.getLoc();
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()), {});
  auto elided = LLVM::LLVMFuncOp::create(builder, loc, task.stack + ".elided", type, LLVM::Linkage::Internal);
  elided.setPassthroughAttr(func.getPassthroughAttr());
  elided->setAttr(channel::kElidedAttr, node(task.stack));
  symbols.insert(elided);

  builder.setInsertionPointToEnd(elided.addEntryBlock(builder));
  SmallVector<Type> types{channel::ElementType::get(builder.getContext())};
  for (Type field : task.fields)
    types.push_back(channel::operandType(field));
  auto deq = channel::DeqOp::create(builder, loc, types, node(task.stack), /*followed=*/nullptr);
  SmallVector<Value> args;
  DataLayout dataLayout = DataLayout::closest(func);
  for (auto [index, parameter] : llvm::enumerate(elision.getFunctionType().getParams())) {
    Value argument = argumentOf(builder, loc, parameter, deq.getFields()[index]);
    // A field of an element may be less aligned than an argument that is passed by value.
    auto align = elision.getArgAttrOfType<IntegerAttr>(index, LLVM::LLVMDialect::getAlignAttrName());
    Type type = byValType(elision, index);
    if (type && align && uint64_t(align.getInt()) > dataLayout.getTypeABIAlignment(type)) {
      Value copy = createLocal(elided.getBody().front(), type, loc, align.getInt());
      Value size = LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                            builder.getI64IntegerAttr(storeSize(dataLayout, type)));
      LLVM::MemcpyOp::create(builder, loc, copy, argument, size, /*isVolatile=*/false);
      argument = copy;
    }
    args.push_back(argument);
  }
  auto call = LLVM::CallOp::create(builder, loc, elision, args);
  call.setCConv(elision.getCConv());
  call.setArgAttrsAttr(elision.getArgAttrsAttr());
  call.setResAttrsAttr(elision.getResAttrsAttr());
  call.setNoInline(true); // inlining would only make the function larger
  channel::TfreeOp::create(builder, loc, deq.getChannel(), deq.getElement());
  if (accumulated) {
    auto kind = LLVM::AtomicBinOp(func->getAttrOfType<IntegerAttr>(cilk::kAccumulationKindAttr).getInt());
    Value result = call.getResult();
    if (result.getType().isInteger(1)) // a bool is accumulated as the byte that holds it
      result = LLVM::ZExtOp::create(builder, loc, builder.getI8Type(), result);
    auto update = LLVM::AtomicRMWOp::create(builder, loc, kind, deq.getFields()[*task.destination], result,
                                            LLVM::AtomicOrdering::monotonic);
    update->setAttr(cilk::kAccumulateAttr, builder.getUnitAttr());
  } else if (task.hasResult) {
    channel::ResultOp::create(builder, loc, call.getResult(), deq.getFields()[*task.destination]);
  }
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  makeOwnDebugScope(elided);
}
