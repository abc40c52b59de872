// Changes the code of Cilk functions whose children, or which themselves, may throw (see DeferExceptions.cpp):
// - A spawned call gets a slot of its parent and a number, and the parent throws the exception in the slot behind its
//   syncs. The bodies of cilk_for loops and spawned blocks have handlers, which put their exceptions into slots.
// - A plain call of a throwing function is a task, too. The exception is thrown right behind it.
// - Where an exception of the function itself lands, the function first waits for its children. Then the first
//   exception in serial order goes on.
// - A handler may spawn and sync. Meanwhile the caught exceptions are kept in the frame, not in the thread.
#include "DeferExceptions.h"

#include "Extract.h"
#include "HandlerDepths.h"
#include "OutstandingInvokes.h"
#include "SpawnCode.h"

#include "cilk2gpu/Support/Markers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ValueMap.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <map>
#include <memory>

using namespace llvm;
using namespace cilk2gpu;

namespace {

/// A part of a function that runs as a task: the function itself, the body of a cilk_for, or a spawned block.
struct DeferredPart {
  CallInst *begin = nullptr, *end = nullptr;
  DeferredPart *outer = nullptr;
  SmallPtrSet<BasicBlock *, 16> blocks;
  AllocaInst *slot = nullptr;   ///< for the exceptions of children
  AllocaInst *called = nullptr; ///< for the exception of a plain call
  AllocaInst *loop = nullptr;   ///< of the enclosing part, for the exceptions of iterations
  Value *number = nullptr;      ///< of a spawned block among the children of the outer part
  CallBase *run = nullptr;      ///< a call that runs the part's ordered children
  bool handles = false;         ///< has a handler for all exceptions that leave it
  bool isLoop() const { return begin && isCallOf(*begin, kForBeginMarker); }
};

/// An invoke whose exception must wait for children.
struct Landing {
  InvokeInst *invoke;
  DeferredPart *part;
  bool inHandler;
};

/// Forgets erased instructions, whose addresses new instructions may get.
struct ForgetErased : ValueMapConfig<const Value *> {
  enum { FollowRAUW = false };
};
using InstructionSet = ValueMap<const Value *, bool, ForgetErased>;

using Spawns = SmallVector<std::pair<CallInst *, DeferredPart *>>;

/// The code of a function that is changed.
struct Changes {
  struct Call {
    CallBase *call;
    DeferredPart *part;
    bool flag; ///< the call stands in a handler; a check: an exception is on its way
  };
  Spawns spawns;
  SmallVector<Call> plain, checks;
  SmallVector<CallBase *> unwinding, deadSyncs;
  SmallVector<std::pair<CallInst *, DeferredPart *>> ordered; ///< creations of ordered children that may throw
  SmallVector<Landing> landings;
};

/// Changes one function.
class Deferral {
public:
  Deferral(Function &function, ThrowingForms &forms, const SmallPtrSetImpl<Function *> &cilkFunctions)
      : function(function), forms(forms), cilkFunctions(cilkFunctions), isTask(function.getName() != "main"),
        hasForm(function.getName().ends_with(kThrowingSuffix)) {}

  void run();

private:
  // Parts
  void findParts();
  void addPart(CallInst *begin);
  DeferredPart &partOf(const Instruction &inst);
  AllocaInst *createSlotIn(DeferredPart &part);
  AllocaInst *slotOf(DeferredPart &part);
  AllocaInst *calledOf(DeferredPart &part);
  Value *nextNumber(IRBuilder<> &builder, DeferredPart &part);

  // Changes
  void findSpawnedCode();
  void collect(Changes &changes, HandlerDepths &depths);
  void keepHandlers(HandlerDepths &depths);
  void wrap(Instruction *first, Instruction *last);
  void promotePointer(CallInst *begin, DeferredPart *part, Spawns &spawns);
  void changeSpawn(CallInst *begin, DeferredPart &part);
  CallInst *makeConditional(CallInst *begin, CallInst *end, CallBase &call, DeferredPart &part);
  SmallVector<CallInst *> markersOf(const DeferredPart &part, StringRef name);
  void changeLoop(DeferredPart &part);
  void changeBlock(DeferredPart &part);
  void findOrdered(Changes &changes);
  void changeOrdered(CallInst *add, DeferredPart &part);
  void runOrdered(IRBuilder<> &builder, DeferredPart &part);
  void changePlainCall(CallBase &call, DeferredPart &part, bool inHandler);
  void changeCheck(CallBase &check, DeferredPart &part, bool isUnwinding);
  void throwIf(Value *held, IRBuilder<> &builder, BasicBlock *after, BasicBlock *pad);
  void syncAtReturns();
  void holdAtPads(ArrayRef<Landing> landings);
  BasicBlock *createHoldingPad(BasicBlock *pad, DeferredPart &part, bool inHandler);
  Value *waitAndChoose(IRBuilder<> &builder, Value *held, DeferredPart &part, bool inHandler);
  void catchAll();

  Function &function;
  ThrowingForms &forms;
  const SmallPtrSetImpl<Function *> &cilkFunctions;
  bool isTask, hasForm;
  unsigned nextId = 0;                              ///< for the markers of new spawns
  std::vector<std::unique_ptr<DeferredPart>> parts; ///< the first one is the function
  InstructionSet spawnedCode, innerCode;
  SmallVector<std::pair<Instruction *, Instruction *>> waits; ///< code in handlers that spawns or waits
};

//===-- Parts of the function -------------------------------------------------------------------------------------===//

void Deferral::addPart(CallInst *begin) {
  auto part = std::make_unique<DeferredPart>();
  part->begin = begin;
  bool isLoop = isCallOf(*begin, kForBeginMarker);
  for (Instruction &inst : instructions(function))
    if (isCallOf(inst, isLoop ? kForEndMarker : kSpawnedBlockEndMarker) && idOf(cast<CallBase>(inst)) == idOf(*begin))
      part->end = cast<CallInst>(&inst);
  if (!part->end)
    return; // reported by cilk-extract-loops
  SplitBlock(begin->getParent(), std::next(begin->getIterator()));
  if (part->end != &part->end->getParent()->front())
    SplitBlock(part->end->getParent(), part->end->getIterator());
  parts.push_back(std::move(part));
}

void Deferral::findParts() {
  SmallVector<CallInst *> begins;
  for (Instruction &inst : instructions(function))
    if (isCallOf(inst, kForBeginMarker) || isCallOf(inst, kSpawnedBlockBeginMarker))
      begins.push_back(cast<CallInst>(&inst));
  parts.push_back(std::make_unique<DeferredPart>());
  for (CallInst *begin : begins)
    addPart(begin);
  for (auto &part : drop_begin(parts)) {
    SmallSetVector<BasicBlock *, 16> blocks;
    blocks.insert(part->begin->getParent()->getSingleSuccessor());
    for (unsigned i = 0; i < blocks.size(); ++i)
      for (BasicBlock *next : successors(blocks[i]))
        if (next != part->end->getParent())
          blocks.insert(next);
    part->blocks.insert_range(blocks);
  }
  for (auto &part : drop_begin(parts))
    part->outer = &partOf(*part->begin);
}

/// Returns the innermost part around an instruction.
DeferredPart &Deferral::partOf(const Instruction &inst) {
  DeferredPart *found = parts.front().get();
  for (auto &part : drop_begin(parts))
    if (part->blocks.contains(inst.getParent()) && (!found->begin || part->blocks.size() < found->blocks.size()))
      found = part.get();
  return *found;
}

/// Makes a slot that is empty where the part begins.
AllocaInst *Deferral::createSlotIn(DeferredPart &part) {
  AllocaInst *slot = forms.createSlot(function);
  BasicBlock *first = part.begin ? part.begin->getParent()->getSingleSuccessor() : nullptr;
  IRBuilder<> builder(first ? &*first->getFirstInsertionPt() : slot->getNextNode());
  forms.initialise(builder, slot);
  return slot;
}

AllocaInst *Deferral::slotOf(DeferredPart &part) {
  if (!part.slot)
    part.slot = createSlotIn(part);
  return part.slot;
}

AllocaInst *Deferral::calledOf(DeferredPart &part) {
  if (!part.called)
    part.called = forms.createSlot(function);
  return part.called;
}

/// Returns the number of a spawn that is about to happen.
Value *Deferral::nextNumber(IRBuilder<> &builder, DeferredPart &part) {
  Value *place = builder.CreateConstInBoundsGEP2_64(forms.slotType, slotOf(part), 0, 2);
  Value *number = builder.CreateLoad(forms.i64, place);
  builder.CreateStore(builder.CreateAdd(number, builder.getInt64(1)), place);
  return number;
}

/// Gives each invoke whose exception ends the program a landing pad of its own. Clang makes one for each function. It
/// would connect the parts.
void separateTerminations(Function &function) {
  SmallVector<InvokeInst *> invokes;
  for (BasicBlock &block : function)
    if (auto *invoke = dyn_cast<InvokeInst>(block.getTerminator()))
      if (any_of(*invoke->getUnwindDest(), [](auto &inst) { return isCallOf(inst, "__clang_call_terminate"); }))
        invokes.push_back(invoke);
  for (InvokeInst *invoke : invokes) {
    ValueToValueMapTy mapping;
    BasicBlock *own = CloneBasicBlock(invoke->getUnwindDest(), mapping, "", &function);
    remapInstructionsInBlocks({own}, mapping);
    invoke->setUnwindDest(own);
  }
}

/// Finds the code between the markers of spawns, and the code of inner parts. The calls there are not the function's.
void Deferral::findSpawnedCode() {
  for (Instruction &inst : instructions(function))
    if (isCallOf(inst, kSpawnBeginMarker))
      visitSpawn(cast<CallInst>(&inst), [&](Instruction &spawned) { spawnedCode.insert({&spawned, true}); });
  for (Instruction &inst : instructions(function))
    if (partOf(inst).begin)
      innerCode.insert({&inst, true});
}

//===-- Handlers --------------------------------------------------------------------------------------------------===//

/// Keeps the caught exceptions in the frame while the code from `first` to `last` runs.
void Deferral::wrap(Instruction *first, Instruction *last) {
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  AllocaInst *handlers = builder.CreateAlloca(ArrayType::get(forms.i64, 2), nullptr, "handlers");
  builder.SetInsertPoint(first);
  forms.call(builder, "__cilk2gpu_leave_handlers", {handlers});
  builder.SetInsertPoint(last->getNextNode());
  forms.call(builder, "__cilk2gpu_enter_handlers", {handlers});
}

void Deferral::keepHandlers(HandlerDepths &depths) {
  for (Instruction &inst : instructions(function)) {
    auto *call = dyn_cast<CallInst>(&inst);
    if (!call || depths.depthAt(*call) == 0 || depths.isUnwinding(*call))
      continue;
    if (isCallOf(*call, kSyncMarker) || isCallOf(*call, kReturnSyncMarker))
      waits.emplace_back(call, call);
    else if (isCallOf(*call, kSpawnBeginMarker))
      waits.emplace_back(call, endOfSpawn(call));
    else if (cilkFunctions.contains(call->getCalledFunction()) && !spawnedCode.count(call) &&
             !forms.formOf(call->getCalledFunction()))
      waits.emplace_back(call, call);
  }
  for (auto &part : drop_begin(parts))
    if (depths.depthAt(*part->begin))
      waits.emplace_back(part->begin, part->end);
}

//===-- Children --------------------------------------------------------------------------------------------------===//

/// Lets the child skip the code behind `call` after an exception, and put the exception into the parent's slot.
///
///   open_slot(own); call f.throwing(args, own, 0, null); held = own
///   if (!held) { rest } else defer(slot, number, held);
CallInst *Deferral::makeConditional(CallInst *begin, CallInst *end, CallBase &call, DeferredPart &part) {
  IRBuilder<> builder(begin);
  Value *number = nextNumber(builder, part);
  AllocaInst *own = forms.createSlot(function);
  if (end != &end->getParent()->front())
    SplitBlock(end->getParent(), end->getIterator());
  CallInst *made = forms.replaceCall(call, {own, builder.getInt64(0), nullptr});
  builder.SetInsertPoint(made);
  forms.call(builder, kOpenSlot, {own});
  BasicBlock *rest = SplitBlock(made->getParent(), std::next(made->getIterator()));
  BasicBlock *thrown = BasicBlock::Create(function.getContext(), "", &function, rest);
  builder.SetInsertPoint(thrown);
  builder.SetCurrentDebugLocation(made->getDebugLoc());
  Value *held = builder.CreateLoad(forms.pointer, own);
  forms.call(builder, kDeferException, {slotOf(part), number, held});
  builder.CreateBr(end->getParent());
  Instruction *branch = made->getParent()->getTerminator();
  builder.SetInsertPoint(branch);
  builder.CreateCondBr(builder.CreateIsNull(builder.CreateLoad(forms.pointer, own)), rest, thrown);
  branch->eraseFromParent();
  return made;
}

/// spawn p(x) -> if (p == f) spawn f(x) else spawn p(x), for all Cilk functions f that may be meant. A Cilk function
/// that is called through a pointer would run as its elision. Adds the new spawns to `spawns`.
void Deferral::promotePointer(CallInst *begin, DeferredPart *part, Spawns &spawns) {
  CallInst *end = endOfSpawn(begin), *call = spawnedPointer(begin, end);
  if (!call)
    return;
  for (Function &each : forms.module) {
    Function *task = &each;
    if (!cilkFunctions.contains(task) || !task->hasAddressTaken() ||
        task->getFunctionType() != call->getFunctionType() || task->getCallingConv() != call->getCallingConv())
      continue;
    begin->moveBefore(call->getIterator()); // behind the loads of the pointer
    IRBuilder<> builder(begin);
    Value *isTask = builder.CreateICmpEQ(call->getCalledOperand(), task);
    Instruction *then, *otherwise;
    SplitBlockAndInsertIfThenElse(isTask, begin->getIterator(), &then, &otherwise);
    ValueToValueMapTy mapping;
    for (Instruction *inst = begin, *next; inst; inst = inst == end ? nullptr : next) {
      next = inst->getNextNode();
      inst->moveBefore(otherwise->getIterator());
      Instruction *copy = inst->clone();
      copy->insertBefore(then->getIterator());
      mapping[inst] = copy;
      RemapInstruction(copy, mapping, RF_IgnoreMissingLocals | RF_NoModuleLevelChanges);
    }
    auto *copy = cast<CallInst>(mapping[begin]);
    cast<CallInst>(mapping[call])->setCalledFunction(task);
    for (Value *marker : {(Value *)copy, (Value *)mapping[end]})
      cast<CallInst>(marker)->setArgOperand(0, builder.getInt32(nextId));
    ++nextId;
    spawns.emplace_back(copy, part);
  }
}

void Deferral::changeSpawn(CallInst *begin, DeferredPart &part) {
  CallInst *end = endOfSpawn(begin), *marker = nullptr;
  visitSpawn(begin, [&](Instruction &inst) {
    if (isCallOf(inst, kSpawnCalleeMarker))
      marker = cast<CallInst>(&inst);
  });
  SmallVector<CallBase *> calls = callsOf(begin);
  CallBase *call = !end || calls.empty() ? nullptr : spawnedCall(calls, marker);
  if (!call || call->doesNotThrow() || call->isInlineAsm())
    return;
  IRBuilder<> builder(begin);
  CallInst *made = nullptr;
  if (!call->hasStructRetAttr() && (call->use_empty() || isAssigned(*call, begin))) {
    // The code behind the call destroys the objects that the parent has made for the child.
    Value *number = nextNumber(builder, part), *old = call->use_empty() ? nullptr : begin->getArgOperand(1);
    made = forms.replaceCall(*call, {slotOf(part), number, old});
  } else if (constructs(*call, begin) || calls.front() != call) // the child must not destroy the result
    made = forms.replaceCall(*call, {ConstantPointerNull::get(forms.pointer), builder.getInt64(0), nullptr});
  else
    made = makeConditional(begin, end, *call, part);
  if (marker)
    marker->setArgOperand(0, made->getCalledFunction());
}

/// Returns the part's markers with this name.
SmallVector<CallInst *> Deferral::markersOf(const DeferredPart &part, StringRef name) {
  SmallVector<CallInst *> markers;
  for (Instruction &inst : instructions(function))
    if (isCallOf(inst, name) && idOf(cast<CallBase>(inst)) == idOf(*part.begin))
      markers.push_back(cast<CallInst>(&inst));
  return markers;
}

/// Gives a loop a slot for the exceptions of its iterations, and each iteration's handler its number. The slot of a
/// doacross nest keeps the exception until all waves have run.
void Deferral::changeLoop(DeferredPart &part) {
  SmallVector<CallInst *> caught = markersOf(part, kCaughtMarker), thrown = markersOf(part, kThrownMarker);
  if (caught.empty()) {
    for_each(thrown, dropThrown);
    return;
  }
  part.handles = true;
  part.begin->addFnAttr(Attribute::get(function.getContext(), kHandlesAttr));
  if (function.getName().contains(kDependRun)) { // the exception goes to the slot of the frame (DependFrame.h)
    for (CallInst *marker : caught)
      marker->eraseFromParent();
    return;
  }
  part.loop = thrown.empty() ? forms.createSlot(function) : createSlotIn(*part.outer);
  IRBuilder<> builder(part.begin);
  if (thrown.empty())
    forms.initialise(builder, part.loop);
  for (CallInst *marker : thrown) {
    builder.SetInsertPoint(marker);
    Value *held = builder.CreateLoad(forms.pointer, part.loop);
    Value *number = builder.CreateLoad(forms.i64, builder.CreateConstInBoundsGEP2_64(forms.slotType, part.loop, 0, 1));
    marker->replaceAllUsesWith(builder.CreateSelect(builder.CreateIsNull(held), builder.getInt64(-1), number));
    marker->eraseFromParent();
  }
  for (CallInst *marker : caught) {
    builder.SetInsertPoint(marker);
    forms.call(builder, kDeferCaught, {part.loop, marker->getArgOperand(1)});
    marker->eraseFromParent();
  }
}

void Deferral::changeBlock(DeferredPart &part) {
  SmallVector<CallInst *> caught = markersOf(part, kCaughtMarker);
  if (caught.empty())
    return;
  part.handles = true;
  part.begin->addFnAttr(Attribute::get(function.getContext(), kHandlesAttr));
  IRBuilder<> builder(part.begin);
  Value *number = nextNumber(builder, *part.outer);
  for (CallInst *marker : caught) {
    builder.SetInsertPoint(marker);
    forms.call(builder, kDeferCaught, {slotOf(*part.outer), number});
    marker->eraseFromParent();
  }
}

/// Finds the ordered children, and for each part the call that runs them.
void Deferral::findOrdered(Changes &changes) {
  SmallVector<std::pair<CallInst *, DeferredPart *>> adds;
  for (Instruction &inst : instructions(function))
    if (isCallOf(inst, kDependAdd))
      adds.emplace_back(cast<CallInst>(&inst), &partOf(inst));
    else if (calledRun(inst))
      partOf(inst).run = cast<CallBase>(&inst);
  for (auto [add, part] : adds)
    if (part->run && hasThrowingChildren(*part->run->getCalledFunction(), throwsNothing))
      changes.ordered.emplace_back(add, part);
  CallBase *run = parts.front()->run;
  if (auto *table = run ? dyn_cast<AllocaInst>(run->getArgOperand(0)) : nullptr) // an exception may land in front of it
    new StoreInst(ConstantPointerNull::get(forms.pointer), table, std::next(table->getIterator()));
}

/// Gives an ordered child the slot of its parent and a number.
void Deferral::changeOrdered(CallInst *add, DeferredPart &part) {
  IRBuilder<> builder(add);
  Value *number = nextNumber(builder, part);
  forms.call(builder, "__cilk2gpu_depend_throws", {add->getArgOperand(0), slotOf(part), number});
}

/// Runs the ordered children that have not started: they stand before the exception that has landed.
void Deferral::runOrdered(IRBuilder<> &builder, DeferredPart &part) {
  if (!part.run)
    return;
  Value *table = part.run->getArgOperand(0);
  forms.call(builder, "__cilk2gpu_depend_pending", {table}, builder.getInt32Ty());
  builder.CreateCall(part.run->getCalledFunction(), {table})->setDoesNotThrow();
}

//===-- Where exceptions are thrown -------------------------------------------------------------------------------===//

/// Throws `held` if it is an exception. Control goes on at `after`. `builder` stands at the end of a block.
void Deferral::throwIf(Value *held, IRBuilder<> &builder, BasicBlock *after, BasicBlock *pad) {
  BasicBlock *thrown = BasicBlock::Create(function.getContext(), "", &function, after);
  builder.CreateCondBr(builder.CreateIsNull(held), after, thrown);
  builder.SetInsertPoint(thrown);
  if (pad) {
    BasicBlock *never = BasicBlock::Create(function.getContext(), "", &function);
    new UnreachableInst(function.getContext(), never);
    builder.CreateInvoke(forms.throwHeld(), never, pad, {held})->setDoesNotReturn();
    return;
  }
  if (function.doesNotThrow() && !hasForm)
    forms.call(builder, "_ZSt9terminatev", {})->setDoesNotReturn();
  else
    builder.CreateCall(forms.throwHeld(), {held})->setDoesNotReturn();
  builder.CreateUnreachable();
}

/// call f(x) -> f.throwing(x, slot, 0, null); if (slot) throw
void Deferral::changePlainCall(CallBase &call, DeferredPart &part, bool inHandler) {
  IRBuilder<> builder(&call);
  if (part.begin && !part.handles) { // the program ends
    forms.replaceCall(call, {ConstantPointerNull::get(forms.pointer), builder.getInt64(0), nullptr});
    return;
  }
  AllocaInst *slot = calledOf(part);
  auto *invoke = dyn_cast<InvokeInst>(&call);
  BasicBlock *pad = invoke ? invoke->getUnwindDest() : nullptr;
  forms.initialise(builder, slot);
  CallInst *made = forms.replaceCall(call, {slot, builder.getInt64(0), nullptr});
  made->addFnAttr(Attribute::get(function.getContext(), kPlainCallAttr));
  if (inHandler)
    waits.emplace_back(made, made);
  BasicBlock *after = SplitBlock(made->getParent(), std::next(made->getIterator()));
  Instruction *branch = made->getParent()->getTerminator();
  builder.SetInsertPoint(branch);
  builder.SetCurrentDebugLocation(made->getDebugLoc());
  throwIf(forms.take(builder, slot), builder, after, pad);
  branch->eraseFromParent();
}

/// A check marker throws the exception of a slot.
void Deferral::changeCheck(CallBase &check, DeferredPart &part, bool isUnwinding) {
  auto *invoke = dyn_cast<InvokeInst>(&check);
  BasicBlock *pad = invoke ? invoke->getUnwindDest() : nullptr;
  AllocaInst *slot = part.slot;
  if (isCallOf(check, kCheckMarker) && !cast<ConstantInt>(check.getArgOperand(0))->isMinusOne()) {
    slot = nullptr;
    for (auto &loop : drop_begin(parts))
      if (loop->isLoop() && idOf(*loop->begin) == idOf(check))
        slot = loop->loop;
  }
  CallBase *marker = &check;
  if (invoke)
    marker = changeToCall(invoke);
  if (slot && !isUnwinding) {
    BasicBlock *after = SplitBlock(marker->getParent(), marker->getIterator());
    Instruction *branch = after->getSinglePredecessor()->getTerminator();
    IRBuilder<> builder(branch); // at the marker's place in the source
    throwIf(forms.take(builder, slot), builder, after, pad);
    branch->eraseFromParent();
  }
  marker->eraseFromParent();
}

/// Syncs and throws in front of the returns of a function with children that may throw.
void Deferral::syncAtReturns() {
  DeferredPart &part = *parts.front();
  if (!part.slot)
    return;
  SmallVector<ReturnInst *> returns;
  for (BasicBlock &block : function)
    if (auto *result = dyn_cast<ReturnInst>(block.getTerminator()))
      returns.push_back(result);
  for (ReturnInst *result : returns) {
    createSync(result);
    BasicBlock *after = SplitBlock(result->getParent(), result->getIterator());
    Instruction *branch = after->getSinglePredecessor()->getTerminator();
    IRBuilder<> builder(branch);
    throwIf(forms.take(builder, part.slot), builder, after, nullptr);
    branch->eraseFromParent();
  }
}

//===-- Where exceptions land -------------------------------------------------------------------------------------===//

/// Waits for the children of `part`. Returns the exception that goes on: `held`, or the first one of a child.
Value *Deferral::waitAndChoose(IRBuilder<> &builder, Value *held, DeferredPart &part, bool inHandler) {
  AllocaInst *handlers = nullptr;
  if (inHandler) {
    IRBuilder<> entry(&*function.getEntryBlock().getFirstInsertionPt());
    handlers = entry.CreateAlloca(ArrayType::get(forms.i64, 2), nullptr, "handlers");
    forms.call(builder, "__cilk2gpu_leave_handlers", {handlers});
  }
  runOrdered(builder, part);
  forms.call(builder, kSyncMarker, {});
  if (inHandler)
    forms.call(builder, "__cilk2gpu_enter_handlers", {handlers});
  if (!part.slot)
    return held;
  return forms.call(builder, kFirstException, {held, part.slot}, forms.pointer);
}

BasicBlock *Deferral::createHoldingPad(BasicBlock *pad, DeferredPart &part, bool inHandler) {
  BasicBlock *holding = BasicBlock::Create(function.getContext(), "", &function, pad);
  BasicBlock *never = BasicBlock::Create(function.getContext(), "", &function);
  new UnreachableInst(function.getContext(), never);
  Instruction *landing = pad->getLandingPadInst()->clone();
  landing->insertInto(holding, holding->end());
  IRBuilder<> builder(holding);
  builder.SetCurrentDebugLocation(landing->getDebugLoc());
  Value *held = forms.call(builder, kHoldException, {builder.CreateExtractValue(landing, 0)}, forms.pointer);
  held = waitAndChoose(builder, held, part, inHandler);
  builder.CreateInvoke(forms.throwHeld(), never, pad, {held})->setDoesNotReturn();
  return holding;
}

void Deferral::holdAtPads(ArrayRef<Landing> landings) {
  std::map<std::tuple<BasicBlock *, DeferredPart *, bool>, BasicBlock *> holding;
  for (auto [invoke, part, inHandler] : landings) {
    BasicBlock *pad = invoke->getUnwindDest();
    BasicBlock *&made = holding[{pad, part, inHandler}];
    if (!made)
      made = createHoldingPad(pad, *part, inHandler);
    invoke->setUnwindDest(made);
  }
}

/// Makes a landing pad land all exceptions.
void addCatchAll(LandingPadInst *pad) {
  bool hasAll = any_of(seq(pad->getNumClauses()),
                       [&](unsigned i) { return pad->isCatch(i) && isa<ConstantPointerNull>(pad->getClause(i)); });
  if (!hasAll)
    pad->addClause(ConstantPointerNull::get(PointerType::getUnqual(pad->getContext())));
}

/// Lets no exception leave the function: the exception goes to the slot of the parent.
void Deferral::catchAll() {
  LLVMContext &context = function.getContext();
  SmallVector<CallInst *> calls;
  SmallVector<ResumeInst *> resumes;
  SmallVector<LandingPadInst *> pads;
  for (Instruction &inst : instructions(function)) {
    auto *call = dyn_cast<CallInst>(&inst);
    if (call && !call->doesNotThrow() && !isa<IntrinsicInst>(call) && !call->isInlineAsm() &&
        !spawnedCode.count(call) && !isCallOf(*call, "__cxa_end_catch") && !innerCode.count(call))
      calls.push_back(call);
    if (auto *resume = dyn_cast<ResumeInst>(&inst))
      resumes.push_back(resume);
    if (auto *pad = dyn_cast<LandingPadInst>(&inst))
      pads.push_back(pad);
  }
  forms.setPersonality(function);
  for (LandingPadInst *pad : pads)
    addCatchAll(pad);
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  AllocaInst *thrown = builder.CreateAlloca(forms.pointer, nullptr, "thrown");
  BasicBlock *landing = BasicBlock::Create(context, "", &function), *end = BasicBlock::Create(context, "", &function);
  builder.SetInsertPoint(landing);
  LandingPadInst *pad = builder.CreateLandingPad(StructType::get(forms.pointer, builder.getInt32Ty()), 1);
  addCatchAll(pad);
  builder.CreateStore(builder.CreateExtractValue(pad, 0), thrown);
  builder.CreateBr(end);
  builder.SetInsertPoint(end);
  Value *held = forms.call(builder, kHoldException, {builder.CreateLoad(forms.pointer, thrown)}, forms.pointer);
  if (any_of(instructions(function),
             [](auto &inst) { return isCallOf(inst, kSpawnBeginMarker) || isCallOf(inst, kSpawnedBlockBeginMarker); }))
    held = waitAndChoose(builder, held, *parts.front(), /*inHandler=*/false);
  unsigned hidden = function.arg_size() - kHidden;
  forms.call(builder, kDeferException, {function.getArg(hidden), function.getArg(hidden + 1), held});
  Type *result = function.getReturnType();
  bool isScalar = result->isIntOrIntVectorTy() || result->isFPOrFPVectorTy() || result->isPointerTy();
  returnOld(builder, isScalar ? function.getArg(hidden + 2) : nullptr);
  for (CallInst *call : calls)
    changeToInvokeAndSplitBasicBlock(call, landing);
  for (ResumeInst *resume : resumes) {
    builder.SetInsertPoint(resume);
    builder.CreateStore(builder.CreateExtractValue(resume->getValue(), 0), thrown);
    builder.CreateBr(end);
    resume->eraseFromParent();
  }
}

//===-- Order -----------------------------------------------------------------------------------------------------===//

/// Finds what is to be changed, while the parts and the handlers are still as Clang made them.
void Deferral::collect(Changes &changes, HandlerDepths &depths) {
  for (Instruction &inst : instructions(function)) {
    auto *call = dyn_cast<CallBase>(&inst);
    if (!call)
      continue;
    bool isUnwinding = depths.isUnwinding(*call), inHandler = depths.depthAt(*call) != 0;
    DeferredPart *part = &partOf(inst);
    if (isCallOf(inst, kSpawnBeginMarker)) {
      changes.spawns.emplace_back(cast<CallInst>(call), part);
      nextId = std::max<unsigned>(nextId, idOf(*call) + 1);
    } else if (isCallOf(inst, kCheckMarker) || isCallOf(inst, kReturnCheckMarker))
      changes.checks.push_back({call, part, isUnwinding});
    else if (isUnwinding && (isCallOf(inst, kSyncMarker) || isCallOf(inst, kReturnSyncMarker)))
      changes.deadSyncs.push_back(call);
    else if (cilkFunctions.contains(call->getCalledFunction()) && !spawnedCode.count(call) && isUnwinding)
      changes.unwinding.push_back(call);
    else if (forms.formOf(call->getCalledFunction()) && !spawnedCode.count(call) && (isTask || part->begin))
      changes.plain.push_back({call, part, inHandler});
  }
  for (InvokeInst *invoke : OutstandingInvokes(function).found)
    if (!depths.isUnwinding(*invoke) && !spawnedCode.count(invoke) && invoke->getUnwindDest()->phis().empty())
      changes.landings.push_back({invoke, &partOf(*invoke), depths.depthAt(*invoke) != 0});
  findOrdered(changes);
  keepHandlers(depths);
}

void Deferral::run() {
  function.addFnAttr(kDefersAttr);
  for (BasicBlock &block : function) {
    // The handlers around iterations and spawned blocks end in the code of these.
    bool isOuter = any_of(block, [](Instruction &inst) { return isCallOf(inst, kCaughtMarker); });
    if (auto *invoke = dyn_cast<InvokeInst>(block.getTerminator()); invoke && (invoke->doesNotThrow() || isOuter))
      changeToCall(invoke);
  }
  removeUnreachableBlocks(function);
  separateTerminations(function);
  findParts();
  findSpawnedCode();
  HandlerDepths depths(function);
  Changes changes;
  collect(changes, depths);
  // Slots are made first, because landing pads look for them.
  for (auto &part : drop_begin(parts))
    part->isLoop() ? changeLoop(*part) : changeBlock(*part);
  for (auto [begin, part] : Spawns(changes.spawns))
    if (none_of(waits, [&](auto &wait) { return wait.first == begin; }))
      promotePointer(begin, part, changes.spawns);
  for (auto [begin, part] : changes.spawns)
    changeSpawn(begin, *part);
  for (auto [add, part] : changes.ordered)
    changeOrdered(add, *part);
  holdAtPads(changes.landings);
  for (CallBase *call : changes.unwinding)
    call->setCalledFunction(forms.ordinaryForm(*call->getCalledFunction()));
  for (auto [call, part, inHandler] : changes.plain)
    changePlainCall(*call, *part, inHandler);
  for (auto [check, part, isUnwinding] : changes.checks)
    changeCheck(*check, *part, isUnwinding);
  for (CallBase *sync : changes.deadSyncs)
    sync->eraseFromParent();
  for (auto [first, last] : waits)
    if (last)
      wrap(first, last);
  syncAtReturns();
  if (hasForm)
    catchAll();
  removeUnreachableBlocks(function);
}

} // namespace

void cilk2gpu::deferExceptions(Function &function, ThrowingForms &forms,
                               const SmallPtrSetImpl<Function *> &cilkFunctions) {
  Deferral(function, forms, cilkFunctions).run();
}
