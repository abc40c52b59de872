// Marks the functions that may look up a view of a reducer, for cilk-track-strands. A unit without reducers gets no
// mark.
#include "Extract.h"
#include "ImportPasses.h"
#include "OrdinaryCode.h"

#include "cilk2gpu/Support/LLVMRemarks.h"
#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/ReducerMarks.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace cilk2gpu;

static bool isReducerFunction(StringRef name) {
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

/// Returns true if a function without a body calls no code of the program.
static bool isHarmless(const Function &function, const TargetLibraryInfoImpl &library) {
  LibFunc known;
  bool takesFunctions = function.getName() == "qsort" || function.getName() == "bsearch";
  return function.isIntrinsic() || function.hasFnAttribute(Attribute::NoCallback) || function.doesNotAccessMemory() ||
         function.getName().starts_with("__cilk2gpu_") || (!takesFunctions && library.getLibFunc(function, known));
}

/// Returns true if the instruction may look up a view itself.
static bool mayLookUp(const Instruction &inst, const TargetLibraryInfoImpl &library) {
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

/// Returns true if a function contains a loop whose iterations are tasks. Code that has been lowered contains none.
static bool hasTaskLoops(Function &function) {
  return any_of(instructions(function), [](Instruction &inst) { return calleeName(inst) == kForBeginMarker; });
}

/// Says how a function may come to look up a view.
static std::string howItLooksUp(Function &function) {
  for (Instruction &inst : instructions(function)) {
    auto *call = dyn_cast<CallBase>(&inst);
    auto *callee = call ? dyn_cast<Function>(call->getCalledOperand()) : nullptr;
    if (callee && isReducerFunction(callee->getName()))
      return "uses a reducer";
    if (callee && callee->hasFnAttribute(kLooksUpAttr))
      return callee->getName().contains(kDependRun) ? howItLooksUp(*callee)
                                                    : "calls " + quotedName(*callee) + ", which may use a reducer";
  }
  return "calls a function through a pointer, which may use a reducer";
}

/// Returns what an instruction starts that is not executed in serial order, or null. The frontend counts the iterations
/// of a doacross nest where the nest stands.
static const char *outOfSerialOrder(Instruction &inst) {
  StringRef callee = calleeName(inst);
  if (callee == kDependAdd)
    return "ordered tasks";
  if (callee == "__cilk2gpu_trip_count" && hasTaskLoops(*inst.getFunction()))
    return "the iterations of a doacross nest";
  return nullptr;
}

/// Reports what has no place in the serial order of reducers, in a function that may look up a view.
static bool isInSerialOrder(Function &function) {
  for (Instruction &inst : instructions(function)) {
    if (const char *what = outOfSerialOrder(inst)) {
      reportError(inst, Twine(what) + " have no place in the serial order of reducers, but " + quotedName(function) +
                            " " + howItLooksUp(function) +
                            "; move them to a function that uses no reducer and calls none that may");
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

bool MarkReducersPass::runOn(Module &module, Module &) {
  if (!hasReducers(module))
    return true;
  TargetLibraryInfoImpl library(module.getTargetTriple());
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
  for (Function *task : findCilkFunctions(module))
    task->addFnAttr(kTracksAttr);
  bool ok = true;
  for (Function &function : module)
    ok &= !function.hasFnAttribute(kLooksUpAttr) || isInSerialOrder(function);
  return ok;
}
