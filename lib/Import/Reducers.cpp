// Marks the functions that may look up a view of a reducer, for cilk-track-strands. A unit with reducers gets a
// constructor that tells the runtime. In a unit without reducers, calls of other units may look up a view.
#include "Extract.h"
#include "ImportPasses.h"
#include "OrdinaryCode.h"
#include "ReducerFunctions.h"

#include "cilk2gpu/Support/LLVMRemarks.h"
#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/ReducerMarks.h"
#include "cilk2gpu/abi/Records.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace cilk2gpu;

bool cilk2gpu::isReducerFunction(StringRef name) {
  return is_contained({kHyperLookup, kReducerRegister, kReducerUnregister}, name);
}

/// Forgets effects that the source has given to a function of reducers. Two lookups of a reducer have different results
/// if a spawn or sync, or a call of a Cilk function, is between them. Otherwise they have the same result: a lookup
/// reads memory that only the runtime sees, and calls of other functions may change that memory.
static void setEffects(Function &function) {
  auto forget = [](auto &where) {
    for (Attribute::AttrKind kind : {Attribute::Memory, Attribute::WillReturn, Attribute::Speculatable})
      where.removeFnAttr(kind);
    where.removeRetAttr(Attribute::NoAlias);
  };
  forget(function);
  for (User *user : function.users())
    if (auto *call = dyn_cast<CallBase>(user))
      forget(*call);
  if (function.getName() != kHyperLookup)
    return;
  function.setMemoryEffects(MemoryEffects::inaccessibleMemOnly(ModRefInfo::Ref));
  function.addFnAttr(Attribute::WillReturn);
  function.addFnAttr(Attribute::NoUnwind);
}

bool cilk2gpu::mayLookUp(const Instruction &inst, const KnownLibraries &library) {
  auto *call = dyn_cast<CallBase>(&inst);
  if (!call || isa<IntrinsicInst>(call))
    return false;
  auto *callee = dyn_cast<Function>(call->getCalledOperand());
  if (!callee || isReducerFunction(callee->getName()))
    return true;
  return callee->isDeclaration() ? !isHarmless(*callee, library) : callee->isInterposable();
}

/// Marks the functions that call `function`, and their callers.
static void markCallers(Function &function) {
  SmallVector<Function *> work{&function};
  while (!work.empty()) {
    Function *marked = work.pop_back_val();
    if (marked->hasFnAttribute(kLooksUpAttr))
      continue;
    marked->addFnAttr(kLooksUpAttr);
    for (User *user : marked->users())
      if (auto *inst = dyn_cast<Instruction>(user))
        work.push_back(inst->getFunction());
  }
}

static bool hasReducers(Module &module) {
  return any_of(module,
                [](Function &function) { return isReducerFunction(function.getName()) && !function.use_empty(); });
}

/// Marks all functions that may look up a view.
static void markLookingUp(Module &module, const KnownLibraries &library) {
  for (Function &function : module) {
    if (isReducerFunction(function.getName())) {
      setEffects(function);
      markCallers(function);
    } else if (function.isDeclaration()
                   ? !isHarmless(function, library)
                   : any_of(instructions(function), [&](auto &inst) { return mayLookUp(inst, library); })) {
      markCallers(function);
    }
  }
}

/// Returns true for the marker that begins a wave of tiles of a doacross nest.
static bool beginsTiles(const Instruction &inst) {
  if (calleeName(inst) != kForBeginMarker)
    return false;
  auto *comparison = dyn_cast<ConstantInt>(cast<CallBase>(inst).getArgOperand(4));
  return comparison && (comparison->getZExtValue() & abi::kTiles);
}

/// Says how an instruction may look up a view; empty if it does not.
static std::string howItLooksUp(const Instruction &inst, const KnownLibraries &library) {
  auto *call = dyn_cast<CallBase>(&inst);
  auto *callee = call ? dyn_cast<Function>(call->getCalledOperand()) : nullptr;
  if (callee && isReducerFunction(callee->getName()))
    return "uses a reducer";
  if (callee && callee->hasFnAttribute(kLooksUpAttr))
    return "calls " + quotedName(*callee) + ", which may use a reducer";
  return mayLookUp(inst, library) ? "calls a function through a pointer, which may use a reducer" : "";
}

/// Says how the code behind the begin marker of a loop, up to the end of an iteration, may look up a view; empty if it
/// does not.
static std::string howIterationsLookUp(CallBase &begin, const KnownLibraries &library) {
  SmallSetVector<BasicBlock *, 16> blocks;
  auto scan = [&](BasicBlock::iterator first, BasicBlock *block) -> std::string {
    for (Instruction &inst : make_range(first, block->end())) {
      if (calleeName(inst) == kForEndMarker && cast<CallBase>(inst).getArgOperand(0) == begin.getArgOperand(0))
        return "";
      if (std::string how = howItLooksUp(inst, library); !how.empty())
        return how;
    }
    blocks.insert_range(successors(block));
    return "";
  };
  std::string how = scan(std::next(begin.getIterator()), begin.getParent());
  for (unsigned i = 0; how.empty() && i < blocks.size(); ++i)
    how = scan(blocks[i]->begin(), blocks[i]);
  return how;
}

/// Reports what has no place in the serial order of reducers, in a function that may look up a view.
static bool isInSerialOrder(Function &function, const KnownLibraries &library) {
  for (Instruction &inst : instructions(function)) {
    if (beginsTiles(inst))
      if (std::string how = howIterationsLookUp(cast<CallBase>(inst), library); !how.empty()) {
        reportError(inst, "the iterations of a doacross nest run in tiles, which are not in the serial order of "
                          "reducers, but an iteration " +
                              how + "; write the values to an array, and reduce them behind the nest");
        return false;
      }
    if (function.hasFnAttribute(kBlockBodyAttr) && isReducerFunction(calleeName(inst))) {
      reportError(inst, "a kernel of thread blocks has no place in the serial order, so it cannot use a reducer; write "
                        "its results to an array, and reduce them after the launch");
      return false;
    }
  }
  return true;
}

/// Returns true if a function contains a loop whose iterations are tasks. Code that has been lowered contains none.
static bool hasTaskLoops(Function &function) {
  return any_of(instructions(function), [](Instruction &inst) { return calleeName(inst) == kForBeginMarker; });
}

/// Removes the calls around ordered tasks that use no reducer, where they stand in the loops over these tasks. Lowered
/// code needs the calls that are left.
static void dropOrder(Module &module) {
  for (const char *name : {kDependEnter, kDependLeave})
    if (Function *function = module.getFunction(name))
      for (User *user : make_early_inc_range(function->users()))
        if (auto *call = dyn_cast<CallInst>(user);
            call && !call->getFunction()->hasFnAttribute(kLooksUpAttr) && hasTaskLoops(*call->getFunction()))
          call->eraseFromParent();
}

/// Creates a constructor that tells the runtime that the program has reducers.
static void announceReducers(Module &module) {
  constexpr StringLiteral kName = "__cilk2gpu_has_reducers";
  if (module.getFunction(kName))
    return; // the pass may run twice
  IRBuilder<> builder(module.getContext());
  auto *constructor = Function::createWithDefaultAttr(FunctionType::get(builder.getVoidTy(), false),
                                                      GlobalValue::InternalLinkage, 0, kName, &module);
  builder.SetInsertPoint(BasicBlock::Create(module.getContext(), "", constructor));
  builder.CreateStore(builder.getInt32(1), module.getOrInsertGlobal(kReducersUsedName, builder.getInt32Ty()));
  builder.CreateRetVoid();
  // Before the program's own constructors (65535), which may call Cilk functions.
  appendToGlobalCtors(module, constructor, /*Priority=*/101);
}

/// Marks the Cilk functions whose children may use reducers of other units. Tiles of a doacross nest have no place in
/// the serial order.
static void markForLater(Module &module, const KnownLibraries &library) {
  SmallVector<Function *> tasks = findCilkFunctions(module);
  if (tasks.empty())
    return;
  markLookingUp(module, library);
  for (Function *task : tasks)
    if (none_of(instructions(*task), beginsTiles))
      task->addFnAttr(kTracksIfUsedAttr);
}

bool MarkReducersPass::runOn(Module &module, Module &) {
  bool isSure = hasReducers(module);
  KnownLibraries library{TargetLibraryInfoImpl(module.getTargetTriple()), /*hasCxx=*/!isSure};
  if (!isSure) {
    if (tracksLater)
      markForLater(module, library);
    dropOrder(module);
    return true;
  }
  announceReducers(module);
  markLookingUp(module, library);
  for (Function *task : findCilkFunctions(module))
    task->addFnAttr(kTracksAttr);
  bool ok = true;
  for (Function &function : module)
    ok &= !function.hasFnAttribute(kLooksUpAttr) || isInSerialOrder(function, library);
  dropOrder(module);
  return ok;
}
