// Marks the local variables of Cilk functions for the race detector:
//
//   call lifetime.start(%x)  ->  call lifetime.start(%x); call @__cilk2gpu_race_local(%x, 4)
//
// The call has two purposes. Earlier accesses of the memory were of other variables, for example of the variable of the
// iteration before. And the variable's address escapes, so that it stays in memory: a local that an iteration changes
// would otherwise be in a register of the elision.
//
// A variable needs no mark if only one task uses it and its address does not escape.
//
// For the same reason, the addresses of new blocks of the heap, and of static variables, escape in all functions.
#include "InstrumentPasses.h"

#include "Import/Extract.h"
#include "Import/SerialLoop.h"
#include "cilk2gpu/Support/Markers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace cilk2gpu;

namespace {

/// A child or an iteration: the instructions between its markers.
struct Region {
  CallInst *begin;
  bool hasStatements; ///< an iteration or a spawned block, not a spawned call
  SmallPtrSet<Instruction *, 32> instructions;
};

/// What uses a local variable.
struct LocalUses {
  SmallPtrSet<Instruction *, 16> users;
  SmallVector<IntrinsicInst *, 2> starts; ///< its lifetime.start
};

class LocalMarker {
public:
  explicit LocalMarker(Function &function) : function(function) {}
  void run();

private:
  void findRegions();
  void findOrdinaryBlocks();
  void mark(AllocaInst &local);
  void markAt(BasicBlock::iterator at, AllocaInst &local);
  bool isConstant(const LocalUses &uses);
  bool isAll(const Region &region, const LocalUses &uses) const {
    // A variable that begins its life in front of the region does not belong to it.
    if (!uses.starts.empty() &&
        none_of(uses.starts, [&](Instruction *start) { return region.instructions.contains(start); }))
      return false;
    return all_of(uses.users, [&](Instruction *user) {
      return region.instructions.contains(user) || !ordinary.contains(user->getParent());
    });
  }

  Function &function;
  std::vector<Region> regions;
  /// Blocks that control reaches without an exception. Destructors that run after an exception do not count as uses.
  SmallPtrSet<BasicBlock *, 32> ordinary;
};

} // namespace

/// Follows control flow from a begin marker to the end marker of the same number.
static void follow(Region &region, StringRef endMarker) {
  SmallSetVector<BasicBlock *, 8> blocks;
  auto scan = [&](BasicBlock::iterator first, BasicBlock *block) {
    for (Instruction &inst : make_range(first, block->end())) {
      auto *call = dyn_cast<CallInst>(&inst);
      if (call && call->getCalledFunction() && call->getCalledFunction()->getName() == endMarker &&
          call->getArgOperand(0) == region.begin->getArgOperand(0))
        return;
      region.instructions.insert(&inst);
    }
    for (BasicBlock *next : successors(block))
      if (region.hasStatements || !next->isLandingPad())
        blocks.insert(next);
  };
  scan(std::next(region.begin->getIterator()), region.begin->getParent());
  for (unsigned i = 0; i < blocks.size(); ++i)
    scan(blocks[i]->begin(), blocks[i]);
}

void LocalMarker::findOrdinaryBlocks() {
  SmallVector<BasicBlock *> work{&function.getEntryBlock()};
  while (!work.empty())
    if (BasicBlock *block = work.pop_back_val(); !block->isLandingPad() && ordinary.insert(block).second)
      append_range(work, successors(block));
}

void LocalMarker::findRegions() {
  for (auto [begin, end] : {std::pair(kForBeginMarker, kForEndMarker), std::pair(kSpawnBeginMarker, kSpawnEndMarker),
                            std::pair(kSpawnedBlockBeginMarker, kSpawnedBlockEndMarker)})
    for (CallInst *marker : markersIn(function, begin)) {
      regions.push_back({marker, begin != kSpawnBeginMarker, {}});
      follow(regions.back(), end);
    }
}

/// Collects the uses of a local, also through addresses of its parts.
static LocalUses usesOf(AllocaInst &local) {
  LocalUses uses;
  SmallVector<Value *> work{&local};
  SmallPtrSet<Value *, 16> seen;
  while (!work.empty())
    for (User *user : work.pop_back_val()->users()) {
      auto *inst = dyn_cast<Instruction>(user);
      if (!inst || !seen.insert(inst).second)
        continue;
      auto *intrinsic = dyn_cast<IntrinsicInst>(inst);
      if (intrinsic && intrinsic->getIntrinsicID() == Intrinsic::lifetime_start)
        uses.starts.push_back(intrinsic);
      if (intrinsic && intrinsic->isLifetimeStartOrEnd())
        continue;
      uses.users.insert(inst);
      if (isa<GetElementPtrInst, CastInst, PHINode, SelectInst>(inst))
        work.push_back(inst);
    }
  return uses;
}

/// Returns true if the variable is written only before the first child and the first iteration, as parameters are.
bool LocalMarker::isConstant(const LocalUses &uses) {
  Instruction *first = nullptr;
  for (Region &region : regions)
    if (region.begin->getParent() == &function.getEntryBlock() && (!first || region.begin->comesBefore(first)))
      first = region.begin;
  return all_of(uses.users, [&](Instruction *user) {
    if (isa<LoadInst, GetElementPtrInst>(user))
      return true;
    return isa<StoreInst>(user) && user->getParent() == &function.getEntryBlock() &&
           (!first || user->comesBefore(first));
  });
}

/// Returns true if the region is a spawned block that only reads the variable as a whole. Such a block gets a copy of
/// the value (ExtractLoops.cpp), if the variable's address does not escape.
static bool copies(const Region &block, const AllocaInst &local, const LocalUses &uses) {
  return block.begin->getCalledFunction()->getName() == kSpawnedBlockBeginMarker &&
         local.getAllocatedType()->isSingleValueType() && all_of(uses.users, [&](Instruction *user) {
           auto *load = dyn_cast<LoadInst>(user);
           return !block.instructions.contains(user) ||
                  (load && load->isSimple() && load->getPointerOperand() == &local &&
                   load->getType() == local.getAllocatedType());
         });
}

void LocalMarker::markAt(BasicBlock::iterator at, AllocaInst &local) {
  IRBuilder<> builder(&*at);
  if (!builder.getCurrentDebugLocation() && function.getSubprogram())
    builder.SetCurrentDebugLocation(DILocation::get(function.getContext(), 0, 0, function.getSubprogram()));
  Module &module = *function.getParent();
  TypeSize element = module.getDataLayout().getTypeAllocSize(local.getAllocatedType());
  if (element.isScalable())
    return;
  Value *count = builder.CreateZExtOrTrunc(local.getArraySize(), builder.getInt64Ty());
  Value *size = builder.CreateMul(count, builder.getInt64(element.getFixedValue()));
  FunctionCallee hook = module.getOrInsertFunction("__cilk2gpu_race_local", builder.getVoidTy(), builder.getPtrTy(),
                                                   builder.getInt64Ty());
  cast<Function>(hook.getCallee())->setDoesNotThrow();
  builder.CreateCall(hook, {&local, size});
}

/// Returns true for variables of the program, and false for memory that only the compiler uses.
static bool isVariable(AllocaInst &local) {
  // With debug information, Clang declares a variable, or LLVM has replaced the declaration by its assignments.
  DILocalVariable *variable = nullptr;
  for (DbgVariableRecord *declare : findDVRDeclares(&local))
    variable = declare->getVariable();
  for (DbgVariableRecord *assignment : at::getDVRAssignmentMarkers(&local))
    variable = assignment->getVariable();
  return variable && !variable->getName().contains('.');
}

void LocalMarker::mark(AllocaInst &local) {
  LocalUses uses = usesOf(local);
  if (uses.users.empty() || local.isSwiftError() || local.isUsedWithInAlloca())
    return;
  // The innermost region that has all uses is the one to which the variable belongs.
  Region *home = nullptr;
  for (Region &region : regions)
    if (isAll(region, uses) && (!home || region.instructions.size() < home->instructions.size()))
      home = &region;
  bool escapes = PointerMayBeCaptured(&local, /*ReturnCaptures=*/true);
  bool isShared = any_of(regions, [&](Region &region) {
    return &region != home && !isAll(region, uses) && (escapes || !copies(region, local, uses)) &&
           any_of(uses.users, [&](Instruction *user) { return region.instructions.contains(user); });
  });
  if (!escapes && (!isShared || isConstant(uses) || !isVariable(local)))
    return;
  if (!local.isStaticAlloca())
    return markAt(std::next(local.getIterator()), local);
  if (home && !home->hasStatements)
    return markAt(std::next(home->begin->getIterator()), local);
  for (IntrinsicInst *start : uses.starts)
    markAt(std::next(start->getIterator()), local);
  if (!uses.starts.empty())
    return;
  if (home)
    markAt(std::next(home->begin->getIterator()), local);
  else
    markAt(function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca(), local);
}

void LocalMarker::run() {
  findRegions();
  findOrdinaryBlocks();
  SmallVector<AllocaInst *> locals;
  for (Instruction &inst : instructions(function))
    if (auto *local = dyn_cast<AllocaInst>(&inst))
      locals.push_back(local);
  for (AllocaInst *local : locals)
    mark(*local);
}

/// Lets the address of a new block of the heap escape, by an instruction without code.
static void letBlockEscape(CallBase &call) {
  auto *invoke = dyn_cast<InvokeInst>(&call);
  BasicBlock *next = invoke ? SplitEdge(invoke->getParent(), invoke->getNormalDest()) : nullptr;
  IRBuilder<> builder(next ? &*next->getFirstInsertionPt() : call.getNextNode());
  builder.SetCurrentDebugLocation(call.getDebugLoc());
  auto *type = FunctionType::get(builder.getVoidTy(), builder.getPtrTy(), false);
  builder.CreateCall(InlineAsm::get(type, "", "r,~{memory}", /*hasSideEffects=*/true), &call);
}

/// Lets memory escape that LLVM would otherwise keep in registers across the hooks of strands.
static void letMemoryEscape(Module &module) {
  SmallVector<GlobalValue *> statics;
  for (GlobalVariable &variable : module.globals())
    if (variable.hasLocalLinkage() && !variable.isConstant() && !variable.getName().starts_with("llvm."))
      statics.push_back(&variable);
  appendToCompilerUsed(module, statics);
  SmallVector<CallBase *> calls;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&inst); call && call->returnDoesNotAlias())
        calls.push_back(call);
  for (CallBase *call : calls)
    letBlockEscape(*call);
}

PreservedAnalyses MarkLocalsPass::run(Module &module, ModuleAnalysisManager &) {
  letMemoryEscape(module);
  for (Function *function : findCilkFunctions(module))
    LocalMarker(*function).run();
  // With this attribute, LLVM adds no write to a path that had none.
  for (Function &function : module)
    if (!function.isDeclaration())
      function.addFnAttr(Attribute::SanitizeThread);
  return PreservedAnalyses::none();
}
