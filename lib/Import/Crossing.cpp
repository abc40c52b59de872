// Parts of LLVM IR that MLIR has no words for. They are said in another way before a module goes into MLIR, and as they
// were when it has come out.
#include "ImportPasses.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace cilk2gpu;

static InlineAsm *calledAssembly(Instruction &inst) {
  auto *call = dyn_cast<CallBase>(&inst);
  return call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
}

/// Assembly that is not volatile may write memory all the same, unless its call says that it does not. In MLIR it has
/// effects, and is then volatile, or has none.
static void declareEffects(CallBase &call, InlineAsm &code) {
  if (code.hasSideEffects() || (call.doesNotAccessMemory() && call.doesNotThrow()))
    return;
  call.setCalledOperand(InlineAsm::get(code.getFunctionType(), code.getAsmString(), code.getConstraintString(),
                                       /*hasSideEffects=*/true, code.isAlignStack(), code.getDialect(),
                                       code.canThrow()));
}

/// A call through another type than its callee's: MLIR makes it indirect, and forgets how arguments are passed. What is
/// said of a call that comes indirect it keeps.
static void hideCallee(CallBase &call) {
  auto *callee = dyn_cast<Function>(call.getCalledOperand());
  if (callee && callee->getFunctionType() != call.getFunctionType())
    call.setCalledOperand(new FreezeInst(callee, "", call.getIterator()));
}

/// The way back: what calls by name is seen to.
static void showCallee(CallBase &call) {
  auto *hidden = dyn_cast<FreezeInst>(call.getCalledOperand());
  auto *callee = hidden ? dyn_cast<Function>(hidden->getOperand(0)) : nullptr;
  if (!callee)
    return;
  call.setCalledOperand(callee);
  if (hidden->use_empty())
    hidden->eraseFromParent();
}

bool PrepareImportPass::runOn(Module &module, Module &) {
  for (Function &function : module)
    for (Instruction &inst : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&inst);
      if (!call)
        continue;
      hideCallee(*call);
      if (InlineAsm *code = calledAssembly(inst))
        declareEffects(*call, *code);
    }
  return true;
}

/// Assembly without effects stays as free as it was, to be moved, merged and dropped. None throws.
static void declareFreedom(CallBase &call, InlineAsm &code) {
  call.setDoesNotThrow();
  if (!code.hasSideEffects())
    call.setDoesNotAccessMemory();
}

namespace {

/// Finds the source location of assembly, which the messages of the assembler name. The same text may stand in several
/// places; occurrences in one line come from one macro.
class AssemblyLocations {
public:
  explicit AssemblyLocations(Module &module) {
    for (Function &function : module)
      for (Instruction &inst : instructions(function))
        if (InlineAsm *code = calledAssembly(inst); code && inst.hasMetadata("srcloc"))
          places[code->getAsmString()].push_back(&inst);
  }

  void attach(Instruction &inst, InlineAsm &code) const {
    auto found = places.find(code.getAsmString());
    if (found == places.end())
      return;
    const Instruction *place = found->second.front();
    for (const Instruction *candidate : found->second)
      if (lineOf(*candidate) == lineOf(inst)) {
        place = candidate;
        break;
      }
    inst.setMetadata("srcloc", place->getMetadata("srcloc"));
  }

private:
  static std::pair<unsigned, unsigned> lineOf(const Instruction &inst) {
    const DebugLoc &location = inst.getDebugLoc();
    return location ? std::pair(location.getLine(), location.getCol()) : std::pair(0u, 0u);
  }

  StringMap<SmallVector<Instruction *, 1>> places;
};

} // namespace

bool FinishExportPass::runOn(Module &translated, Module &original) {
  std::optional<AssemblyLocations> places;
  for (Function &function : translated)
    for (Instruction &inst : instructions(function)) {
      if (auto *call = dyn_cast<CallBase>(&inst))
        showCallee(*call);
      if (InlineAsm *code = calledAssembly(inst)) {
        declareFreedom(cast<CallBase>(inst), *code);
        if (!places)
          places.emplace(original);
        places->attach(inst, *code);
      }
    }
  return true;
}
