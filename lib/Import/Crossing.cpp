// Rewrites parts of LLVM IR that MLIR cannot represent, before a module is imported. After the export, restores their
// original form.
#include "ImportPasses.h"
#include "Variables.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace cilk2gpu;

static InlineAsm *calledAssembly(Instruction &inst) {
  auto *call = dyn_cast<CallBase>(&inst);
  return call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
}

/// Marks assembly as having side effects if it may have some. In LLVM IR, assembly that is not volatile may still write
/// memory, unless its call has an attribute that excludes it. In MLIR, assembly without side effects does not.
static void declareEffects(CallBase &call, InlineAsm &code) {
  if (code.hasSideEffects() || (call.doesNotAccessMemory() && call.doesNotThrow()))
    return;
  call.setCalledOperand(InlineAsm::get(code.getFunctionType(), code.getAsmString(), code.getConstraintString(),
                                       /*hasSideEffects=*/true, code.isAlignStack(), code.getDialect(),
                                       code.canThrow()));
}

/// Makes a call indirect if its type differs from the callee's type. MLIR would make the call indirect, too, but would
/// drop the attributes of arguments, which it keeps if the call is indirect from the start.
static void hideCallee(CallBase &call) {
  auto *callee = dyn_cast<Function>(call.getCalledOperand());
  if (callee && callee->getFunctionType() != call.getFunctionType())
    call.setCalledOperand(new FreezeInst(callee, "", call.getIterator()));
}

/// Undoes hideCallee, so that passes see the callee.
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

/// Marks assembly without side effects, so that LLVM may move, merge and drop it, as before the import. No assembly
/// throws.
static void declareFreedom(CallBase &call, InlineAsm &code) {
  call.setDoesNotThrow();
  if (!code.hasSideEffects())
    call.setDoesNotAccessMemory();
}

namespace {

/// Finds the source location of assembly, which messages of the assembler contain. The same text may stand at several
/// places. Texts in one line come from one macro, so they have one location.
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
  recordVariables(translated, original);
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
