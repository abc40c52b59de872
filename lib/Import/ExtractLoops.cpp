// Turns the marked body of a cilk_for (Markers.h) into a function of the iteration. The loop becomes a task that halves
// its range until a grain is left:
//
//   f.for0(lo, hi, grain, captured...):
//     if (hi - lo <= grain) f.for0.loop(lo, hi, grain, captured...);
//     else { spawn f.for0(lo, mid, ...); spawn f.for0(mid, hi, ...); sync; }
//
// The iterations are a function of their own, which is also the elision of the task (kSerialLoopAttr):
//
//   f.for0.loop(lo, hi, grain, captured...): for (i = first + lo * step; i < first + hi * step; i += step) body
//
// If an iteration has children, its body is a part of the task, and the loop calls the task for each iteration. If the
// body has variables of variable size, there is no such function. The task calls the body in a loop.
//
// A spawned block becomes a function, too, which is spawned:
//
//   spawn_begin; f.block0(captured...); spawn_end
//
// The pass runs on Clang's unoptimised IR, where every local is a variable in memory. The body's own locals move into
// the new function. Outer locals that the body only reads are passed by value, others by address.
#include "Captures.h"
#include "DeferExceptions.h"
#include "Extract.h"
#include "ImportPasses.h"
#include "LoopValues.h"
#include "Variables.h"

#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/ReducerMarks.h"
#include "cilk2gpu/Support/SerialLoops.h"
#include "cilk2gpu/Vectorise/LaneAttributes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace cilk2gpu;

namespace {

/// One cilk_for or spawned block: the blocks from behind `begin` up to `end` are its body.
struct CilkLoop {
  CallInst *begin, *end = nullptr;
  SmallVector<BasicBlock *> body;

  /// Returns true for a spawned block.
  bool isBlock() const { return begin->getCalledFunction()->getName() == kSpawnedBlockBeginMarker; }
};

/// What is known of the program around a loop.
struct LoopSurroundings {
  SmallPtrSet<Function *, 16> cilkFunctions;
  const Module &unit; ///< has the code of ordinary functions
};

} // namespace

static bool contains(ArrayRef<BasicBlock *> blocks, StringRef marker) {
  return any_of(blocks, [&](BasicBlock *block) {
    return any_of(*block, [&](Instruction &inst) { return isCallOf(inst, marker); });
  });
}

/// Splits blocks so that the body of the loop is a set of whole blocks.
static bool isolate(CilkLoop &loop) {
  loop.body = isolateBody(*loop.begin, loop.isBlock() ? kSpawnedBlockEndMarker : kForEndMarker, loop.end);
  if (!loop.end)
    return reportError(*loop.begin,
                       loop.isBlock()
                           ? "a spawned block must end, but this one never does; end it, or do not spawn it"
                           : "an iteration of a cilk_for must end, but this body never does; end the body, or use an "
                             "ordinary loop"),
           false;
  return true;
}

/// Returns an innermost loop of `function` that is not converted yet, if there is one.
static std::optional<CilkLoop> findInnermost(Function &function) {
  SmallVector<CallInst *> begins;
  for (Instruction &inst : instructions(function))
    if (isCallOf(inst, kForBeginMarker) || isCallOf(inst, kSpawnedBlockBeginMarker))
      begins.push_back(cast<CallInst>(&inst));
  // Loops are nested. The last begin marker in block order need not belong to an innermost loop; a loop is innermost if
  // its body contains no other begin marker.
  for (CallInst *begin : reverse(begins)) {
    CilkLoop loop{begin, nullptr, {}};
    if (!isolate(loop) || (!contains(loop.body, kForBeginMarker) && !contains(loop.body, kSpawnedBlockBeginMarker)))
      return loop;
  }
  return std::nullopt;
}

/// Returns true if a path from `inst` leads to a load of `variable` without a store to it in between.
static bool isReadAfter(AllocaInst *variable, Instruction *inst) {
  SmallSetVector<BasicBlock *, 16> blocks;
  auto scan = [&](BasicBlock::iterator first, BasicBlock *block) {
    for (Instruction &each : make_range(first, block->end()))
      if (is_contained(each.operands(), variable) && !isVariableMark(each))
        return isa<LoadInst>(each);
    blocks.insert_range(successors(block));
    return false;
  };
  if (scan(std::next(inst->getIterator()), inst->getParent()))
    return true;
  for (unsigned i = 0; i < blocks.size(); ++i)
    if (scan(blocks[i]->begin(), blocks[i]))
      return true;
  return false;
}

/// Returns true if `user` loads or stores the whole variable. An access to a union may touch only a part.
static bool isWholeAccess(const User *user, const AllocaInst &variable) {
  auto *store = dyn_cast<StoreInst>(user);
  if (!isa<LoadInst>(user) &&
      !(store && store->getPointerOperand() == &variable && store->getValueOperand() != &variable))
    return false;
  return getLoadStoreType(user) == variable.getAllocatedType();
}

/// Gives the body its own copies of variables that carry no value into it or out of it. For example, Clang makes one
/// variable for cleanups and exceptions in each function.
static void separateScratch(CilkLoop &loop) {
  SmallPtrSet<BasicBlock *, 16> inside(loop.body.begin(), loop.body.end());
  for (Instruction &inst : make_early_inc_range(loop.begin->getFunction()->getEntryBlock())) {
    auto *alloca = dyn_cast<AllocaInst>(&inst);
    bool isScalar = alloca && alloca->isStaticAlloca() && all_of(alloca->users(), [&](User *user) {
                      return isWholeAccess(user, *alloca) || isVariableMark(*cast<Instruction>(user));
                    });
    auto isInside = [&](User *user) { return inside.contains(cast<Instruction>(user)->getParent()); };
    if (!isScalar || none_of(alloca->users(), isInside) || all_of(alloca->users(), isInside) ||
        isReadAfter(alloca, loop.begin) || isReadAfter(alloca, loop.end))
      continue;
    auto *own = cast<AllocaInst>(alloca->clone());
    own->insertAfter(alloca->getIterator());
    alloca->replaceUsesWithIf(own, [&](Use &use) { return isInside(use.getUser()); });
  }
}

/// Extracts the body. Returns the call of the extracted function, which stands at the body's place, or null after an
/// error.
static CallInst *extractBody(CilkLoop &loop, const std::string &name, const Module &unit) {
  dropCrossingMarks(loop.body);
  separateScratch(loop);
  SmallVector<AllocaInst *> own = passReadsByValue(*loop.begin, loop.body, unit, loop.isBlock());
  append_range(own, sinkPrivates(loop.body));
  SetVector<Value *> outputs;
  Function *body = extractPart(loop.body, outputs);
  if (!body || !outputs.empty()) {
    reportError(*loop.begin,
                Twine(loop.isBlock() ? "a spawned block" : "the body of a cilk_for") +
                    " must be entered at its start and left at its end, but there is another way in or out; move the "
                    "code into a function");
    return nullptr;
  }
  body->setName(name);
  giveLine(*body, loop.begin->getDebugLoc());
  dropTaskMarks(*body); // attributes that were inherited from the function around it
  body->removeFnAttr(Attribute::OptimizeNone);
  body->removeFnAttr(Attribute::NoInline);
  for (AllocaInst *alloca : own)
    alloca->moveBefore(body->getEntryBlock().getFirstInsertionPt());
  return cast<CallInst>(*body->user_begin());
}

namespace {

/// Builds the task that runs a range of iterations, and the serial loop that is its elision.
class RangeTask {
public:
  RangeTask(CallInst *bodyCall, CallInst *begin, bool isCilk)
      : call(bodyCall), body(bodyCall->getCalledFunction()), line(begin->getDebugLoc()), context(body->getContext()),
        outerValues(*begin), isCilk(isCilk) {
    for (Value *value : {outerValues.first, outerValues.step})
      if (!isa<Constant>(value))
        bounds.push_back(value);
    for (unsigned index = 0; index < call->arg_size(); ++index)
      (call->getArgOperand(index) == begin ? iterationArgs : captured).push_back(index);
  }

  /// Makes the task, and the serial loop unless the body has variables of variable size, which belong to a task.
  Function *build(const std::string &name);
  /// Returns the values that the task needs beside its range.
  SmallVector<Value *> ownArguments() const {
    SmallVector<Value *> values(bounds);
    append_range(values, map_range(captured, [&](unsigned index) { return call->getArgOperand(index); }));
    return values;
  }

private:
  Function *declare(const std::string &name);
  void buildSerialLoop();
  DebugLoc giveScope(Function &function);
  LoopValues valuesIn(Function &function) const;
  CallInst *callBody(IRBuilder<> &builder, Value *value);
  void callFor(IRBuilder<> &builder, Function &callee, Value *low, Value *high, Value *grain);
  void spawnHalf(IRBuilder<> &builder, unsigned id, Value *low, Value *high);
  CallInst *runIterations(IRBuilder<> &builder, BasicBlock *exit);
  void runOne(IRBuilder<> &builder, BasicBlock *exit);
  FunctionCallee marker(StringRef name, ArrayRef<Type *> params) {
    return task->getParent()->getOrInsertFunction(name, FunctionType::get(Type::getVoidTy(context), params, false));
  }

  CallInst *call;
  Function *body, *task = nullptr, *loop = nullptr;
  DebugLoc line; ///< line of the loop
  LLVMContext &context;
  LoopValues outerValues; ///< in the function around the loop
  bool isCilk;            ///< an iteration has children
  SmallVector<Value *> bounds;
  SmallVector<unsigned> iterationArgs, captured;
};

} // namespace

/// Gives the task a debug scope of its own, at the loop's line. Without it, debuggers would not find the iterations
/// that are inlined into the task. Returns the location for the task's instructions.
DebugLoc RangeTask::giveScope(Function &function) {
  DISubprogram *like = body->getSubprogram();
  if (!like || !line)
    return {};
  StringRef part = task->getName().rsplit('.').second;
  std::string name = (line->getScope()->getSubprogram()->getName() + "." + part).str();
  DISubprogram *own = DISubprogram::getDistinct(context, like->getScope(), name, function.getName(), like->getFile(),
                                                line.getLine(), like->getType(), line.getLine(), nullptr, 0, 0,
                                                like->getFlags(), like->getSPFlags(), like->getUnit());
  function.setSubprogram(own);
  return DILocation::get(context, line.getLine(), line.getCol(), own);
}

/// Returns the values with the bounds that `function` receives.
LoopValues RangeTask::valuesIn(Function &function) const {
  LoopValues values = outerValues;
  unsigned next = 3;
  for (Value **value : {&values.first, &values.step})
    if (!isa<Constant>(*value))
      *value = function.getArg(next++);
  return values;
}

CallInst *RangeTask::callBody(IRBuilder<> &builder, Value *value) {
  Function *caller = builder.GetInsertBlock()->getParent();
  SmallVector<Value *> args(call->arg_size(), value);
  for (auto [number, index] : enumerate(captured))
    args[index] = caller->getArg(3 + bounds.size() + number);
  return builder.CreateCall(body, args);
}

/// Calls the task or the serial loop for a range of the caller's iterations.
void RangeTask::callFor(IRBuilder<> &builder, Function &callee, Value *low, Value *high, Value *grain) {
  SmallVector<Value *> args{low, high, grain};
  for (Argument &own : drop_begin(builder.GetInsertBlock()->getParent()->args(), 3))
    args.push_back(&own);
  builder.CreateCall(&callee, args);
}

void RangeTask::spawnHalf(IRBuilder<> &builder, unsigned id, Value *low, Value *high) {
  Type *i32 = builder.getInt32Ty(), *pointer = builder.getPtrTy();
  builder.CreateCall(marker(kSpawnBeginMarker, {i32, pointer}),
                     {builder.getInt32(id), ConstantPointerNull::get(builder.getPtrTy())});
  callFor(builder, *task, low, high, task->getArg(2));
  builder.CreateCall(marker(kSpawnEndMarker, {i32}), {builder.getInt32(id)});
}

/// Declares a function of a range, a grain, the bounds and the captured values.
Function *RangeTask::declare(const std::string &name) {
  Type *i64 = Type::getInt64Ty(context);
  SmallVector<Type *> params{i64, i64, i64};
  for (Value *value : ownArguments())
    params.push_back(value->getType());
  Function *function = Function::Create(FunctionType::get(Type::getVoidTy(context), params, false),
                                        GlobalValue::InternalLinkage, name, body->getParent());
  function->setAttributes(AttributeList::get(context, AttributeList::FunctionIndex,
                                             AttrBuilder(context, body->getAttributes().getFnAttrs())));
  function->addFnAttr(kTaskFunctionAttr);
  return function;
}

/// Runs the iterations of the function's range one after the other. Returns the call of the body.
CallInst *RangeTask::runIterations(IRBuilder<> &builder, BasicBlock *exit) {
  BasicBlock *before = builder.GetInsertBlock();
  Function *function = before->getParent();
  BasicBlock *head = BasicBlock::Create(context, "head", function, exit);
  BasicBlock *run = BasicBlock::Create(context, "run", function, exit);
  LoopValues values = valuesIn(*function);
  ValueLoop counter(builder, values, function->getArg(0), function->getArg(1));
  builder.CreateBr(head);
  builder.SetInsertPoint(head);
  builder.CreateCondBr(counter.makeHead(builder, before), run, exit);
  builder.SetInsertPoint(run);
  CallInst *bodyCall = nullptr;
  if (isCilk)
    callFor(builder, *task, counter.index, builder.CreateAdd(counter.index, builder.getInt64(1)), builder.getInt64(1));
  else
    bodyCall = callBody(builder, counter.value);
  counter.makeNext(builder);
  builder.CreateBr(head);
  return bodyCall;
}

/// Runs the iteration of a range that is one iteration or none.
void RangeTask::runOne(IRBuilder<> &builder, BasicBlock *exit) {
  BasicBlock *run = BasicBlock::Create(context, "run", task, exit);
  builder.CreateCondBr(builder.CreateICmpULT(task->getArg(0), task->getArg(1)), run, exit);
  builder.SetInsertPoint(run);
  LoopValues values = valuesIn(*task);
  callBody(builder, values.extend(builder, values.at(builder, task->getArg(0))));
  builder.CreateBr(exit);
}

Function *RangeTask::build(const std::string &name) {
  task = declare(name);
  task->addFnAttr(lane::kLoopTaskAttr, isCilk ? lane::kOneIteration : "");
  if (!hasDynamicLocals(*body))
    buildSerialLoop();
  Value *low = task->getArg(0), *high = task->getArg(1);
  auto block = [&](const char *label) { return BasicBlock::Create(context, label, task); };
  BasicBlock *entry = block("entry"), *split = block("split"), *few = block("few"), *exit = block("exit");

  IRBuilder<> builder(entry);
  builder.SetCurrentDebugLocation(giveScope(*task));
  Value *count = builder.CreateSub(high, low);
  builder.CreateCondBr(builder.CreateICmpULE(count, task->getArg(2)), few, split);
  builder.SetInsertPoint(split);
  Value *middle = builder.CreateAdd(low, builder.CreateLShr(count, 1));
  spawnHalf(builder, 0, low, middle);
  spawnHalf(builder, 1, middle, high);
  createSync(builder);
  builder.CreateBr(exit);
  builder.SetInsertPoint(few);
  if (isCilk) { // An iteration with children is a task of its own.
    runOne(builder, exit);
  } else if (loop) {
    callFor(builder, *loop, low, high, task->getArg(2));
    builder.CreateBr(exit);
  } else {
    runIterations(builder, exit);
  }
  builder.SetInsertPoint(exit);
  builder.CreateRetVoid();
  return task;
}

void RangeTask::buildSerialLoop() {
  loop = declare((task->getName() + ".loop").str());
  loop->addFnAttr(kSerialLoopAttr, task->getName());
  IRBuilder<> builder(BasicBlock::Create(context, "entry", loop));
  builder.SetCurrentDebugLocation(giveScope(*loop));
  BasicBlock *exit = BasicBlock::Create(context, "exit", loop);
  ReturnInst::Create(context, exit)->setDebugLoc(builder.getCurrentDebugLocation());
  InlineFunctionInfo info;
  if (CallInst *bodyCall = runIterations(builder, exit))
    InlineFunction(*bodyCall, info);
}

/// Returns the least number of iterations that one task should run. It follows from a lower bound of an iteration's
/// work: straight-line code before optimisation takes less than the tens of nanoseconds that a task costs. A lookup
/// of a reducer is no work, because the task does it once (cilk-hoist-lookups). But a task with a view costs several
/// times as much as another.
static int64_t leastGrain(Function &body) {
  constexpr int64_t kWork = 4096;   // instructions before optimisation, some hundred nanoseconds after it
  constexpr int64_t kViewCost = 16; // a task's slot and view take some hundred nanoseconds
  // An iteration of so few instructions may run in vectors, which a multiple of their longest length fills.
  constexpr int64_t kShortWork = 512, kVectorLanes = 64;
  int64_t work = 1, cost = 1;
  for (const Instruction &inst : instructions(body)) {
    auto *call = dyn_cast<CallBase>(&inst);
    if (call && call->getCalledFunction() && call->getCalledFunction()->getName() == kHyperLookup) {
      cost = kViewCost;
      continue;
    }
    if (isVariableMark(inst))
      continue;
    if (call && !isa<IntrinsicInst>(call))
      return 1;
    work += !isa<AllocaInst, IntrinsicInst>(inst);
  }
  DominatorTree dominators(body);
  if (!LoopInfo(dominators).empty())
    return 1;
  int64_t least = std::max<int64_t>(1, cost * kWork / work);
  return work <= kShortWork ? alignTo(least, kVectorLanes) : least;
}

/// Returns true if an iteration spawns, waits, or calls a task.
static bool hasChildren(const CilkLoop &loop, const SmallPtrSetImpl<Function *> &cilkFunctions) {
  auto isTask = [&](Instruction &inst) {
    auto *call = dyn_cast<CallBase>(&inst);
    Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && (cilkFunctions.contains(callee) || callee->hasFnAttribute(kTaskFunctionAttr));
  };
  return contains(loop.body, kSpawnBeginMarker) || contains(loop.body, kSyncMarker) ||
         any_of(loop.body, [&](BasicBlock *block) { return any_of(*block, isTask); });
}

/// Inlines the body into the range task, so that the task itself makes the iteration's spawns. A body with variables of
/// variable size is not inlined, because they would outlive its children.
static void inlineIntoTask(Function &body, const CallInst *bodyCall) {
  if (hasDynamicLocals(body))
    for (BasicBlock &block : body)
      if (auto *result = dyn_cast<ReturnInst>(block.getTerminator()))
        createSync(result);
  InlineFunctionInfo info;
  InlineFunction(*cast<CallInst>(*find_if(body.users(), [&](User *user) { return user != bodyCall; })), info);
}

/// Declares the runtime's function that chooses the number of iterations of one task. Nothing depends on its call but
/// its result, which an elision does not use.
static FunctionCallee getGrain(Module &module) {
  LLVMContext &context = module.getContext();
  Type *i64 = Type::getInt64Ty(context);
  AttrBuilder attributes(context);
  attributes.addAttribute(Attribute::NoUnwind).addAttribute(Attribute::WillReturn);
  attributes.addMemoryAttr(MemoryEffects::inaccessibleMemOnly(ModRefInfo::Ref));
  return module.getOrInsertFunction("__cilk2gpu_grain", FunctionType::get(i64, {i64, i64}, false),
                                    AttributeList::get(context, AttributeList::FunctionIndex, attributes));
}

/// Calls `task` for all iterations of the loop, at the place of its begin marker.
static void callRange(const CilkLoop &loop, Function &task, Function &body, bool isCilk, ArrayRef<Value *> captured) {
  IRBuilder<> builder(loop.begin);
  FunctionCallee grain = getGrain(*task.getParent());
  Value *count = countIterations(*loop.begin);
  builder.SetInsertPoint(loop.begin);
  Value *wanted = loop.begin->getArgOperand(5);
  if (auto *constant = dyn_cast<ConstantInt>(wanted); constant && constant->isZero())
    wanted = builder.getInt64(-leastGrain(body));
  Value *size = isCilk ? cast<Value>(builder.getInt64(1)) : builder.CreateCall(grain, {count, wanted});
  SmallVector<Value *> args{builder.getInt64(0), count, size};
  append_range(args, captured);
  builder.CreateCall(task.getFunctionType(), &task, args);
}

/// Replaces a spawned block by the spawn of a function. Returns false after an error.
static bool convertBlock(CilkLoop &block, const std::string &name, const Module &unit) {
  CallInst *call = extractBody(block, name, unit);
  if (!call)
    return false;
  call->getCalledFunction()->addFnAttr(kTaskFunctionAttr);
  Module &module = *call->getModule();
  Value *id = block.begin->getArgOperand(0);
  IRBuilder<> builder(call);
  auto mark = [&](StringRef marker, ArrayRef<Value *> args) {
    SmallVector<Type *> types = map_to_vector(args, [](Value *arg) { return arg->getType(); });
    builder.CreateCall(module.getOrInsertFunction(marker, FunctionType::get(builder.getVoidTy(), types, false)), args);
  };
  mark(kSpawnBeginMarker, {id, ConstantPointerNull::get(builder.getPtrTy())});
  builder.SetInsertPoint(call->getNextNode());
  mark(kSpawnEndMarker, {id});
  block.begin->eraseFromParent();
  block.end->eraseFromParent();
  return true;
}

/// Replaces one loop by a call of its range task, or a spawned block by its spawn. Returns false after an error.
static bool convert(CilkLoop &loop, const std::string &name, const LoopSurroundings &around) {
  if (loop.isBlock())
    return convertBlock(loop, name, around.unit);
  bool isCilk = hasChildren(loop, around.cilkFunctions);
  CallInst *bodyCall = extractBody(loop, name + ".body", around.unit);
  if (!bodyCall)
    return false;
  Function *body = bodyCall->getCalledFunction();
  // An iteration may throw nothing in a function that throws, such as main. Only such loops get direct entries.
  if (none_of(instructions(*body), [](const Instruction &inst) { return inst.mayThrow(); }))
    body->setDoesNotThrow();
  RangeTask range(bodyCall, loop.begin, isCilk);
  Function *task = range.build(name);
  body->addFnAttr(lane::kLoopBodyAttr);
  if (isCilk)
    inlineIntoTask(*body, bodyCall);
  callRange(loop, *task, *body, isCilk, range.ownArguments());
  bodyCall->eraseFromParent();
  if (body->use_empty()) // it was inlined
    body->eraseFromParent();
  loop.begin->replaceAllUsesWith(PoisonValue::get(loop.begin->getType()));
  loop.begin->eraseFromParent();
  loop.end->eraseFromParent();
  return true;
}

FunctionCallee cilk2gpu::getTripCount(Module &module) {
  Type *i64 = Type::getInt64Ty(module.getContext()), *i32 = Type::getInt32Ty(module.getContext());
  return module.getOrInsertFunction("__cilk2gpu_trip_count", FunctionType::get(i64, {i64, i64, i64, i32}, false));
}

/// Returns true if a block only ends the program, by a trap or by being unreachable.
static bool onlyTraps(BasicBlock &block) {
  for (Instruction &inst : block) {
    auto *call = dyn_cast<IntrinsicInst>(&inst);
    bool traps =
        call && is_contained({Intrinsic::trap, Intrinsic::ubsantrap, Intrinsic::debugtrap}, call->getIntrinsicID());
    if (!traps)
      return isa<UnreachableInst>(inst);
  }
  return false;
}

/// Gives each branch to an unreachable block its own copy of the block. Clang makes one such block for all cleanups of
/// a function, and one for all checks of a kind that trap. A shared block would connect loop bodies.
static void separateUnreachable(Function &function) {
  for (BasicBlock &block : make_early_inc_range(function)) {
    if (!onlyTraps(block))
      continue;
    SmallSetVector<BasicBlock *, 8> before;
    before.insert_range(predecessors(&block));
    for (BasicBlock *from : before) {
      BasicBlock *own = BasicBlock::Create(function.getContext(), "", &function, &block);
      for (Instruction &inst : block)
        inst.clone()->insertInto(own, own->end());
      from->getTerminator()->replaceSuccessorWith(&block, own);
    }
    if (!before.empty())
      block.eraseFromParent();
  }
}

/// Replaces calls of `from` by calls of another function. The code extractor refuses regions that ask for a type's
/// number in a landing pad, because it might separate them from the pad. The body of a loop contains both.
static void replaceCallee(Function *from, FunctionCallee to) {
  for (User *user : make_early_inc_range(from->users()))
    if (auto *call = dyn_cast<CallBase>(user))
      call->setCalledFunction(to);
}

/// Returns a new name for what is made from a loop or a spawned block: that of the function in the source, and a
/// number.
static std::string nameFor(const CilkLoop &loop, StringMap<unsigned> &numbers) {
  const Module &module = *loop.begin->getModule();
  const MDNode *inlined = loop.begin->getMetadata(kLoopOriginMetadata);
  StringRef origin =
      inlined ? cast<MDString>(inlined->getOperand(0))->getString() : loop.begin->getFunction()->getName();
  std::string name;
  do
    name = (origin + (loop.isBlock() ? ".block" : ".for") + Twine(numbers[origin]++)).str();
  while (module.getFunction(name));
  return name;
}

static bool convertAll(Function &function, const LoopSurroundings &around) {
  StringMap<unsigned> numbers;
  while (std::optional<CilkLoop> loop = findInnermost(function))
    if (!loop->end || !convert(*loop, nameFor(*loop, numbers), around))
      return false;
  return true;
}

static bool extractLoops(Function &function, const LoopSurroundings &around) {
  separateUnreachable(function);
  Module &module = *function.getParent();
  Function *typeId = Intrinsic::getDeclarationIfExists(&module, Intrinsic::eh_typeid_for,
                                                       {PointerType::getUnqual(module.getContext())});
  if (!typeId)
    return convertAll(function, around);
  Function *substitute = Function::Create(typeId->getFunctionType(), GlobalValue::ExternalLinkage, "", module);
  replaceCallee(typeId, substitute);
  bool ok = convertAll(function, around);
  replaceCallee(substitute, typeId);
  substitute->eraseFromParent();
  return ok;
}

bool ExtractLoopsPass::runOn(Module &module, Module &unit) {
  SmallVector<Function *> functions = findCilkFunctions(module);
  LoopSurroundings around{{functions.begin(), functions.end()}, unit};
  // The frontend counts the iterations of doacross nests by calls of the runtime.
  SmallVector<CallInst *> counts;
  for (User *user : getTripCount(module).getCallee()->users())
    if (auto *call = dyn_cast<CallInst>(user))
      counts.push_back(call);
  for_each(counts, [](CallInst *count) { expandTripCount(*count); });
  bool ok = true;
  for (Function *function : functions)
    ok &= extractLoops(*function, around);
  return ok;
}
