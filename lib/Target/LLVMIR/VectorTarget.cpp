// See VectorTarget.h. A target is the function attributes target-cpu and target-features, as Clang writes them: all
// features by name, the disabled ones, too.
#include "VectorTarget.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace cilk2gpu;

static bool hasFeature(const Function &function, StringRef feature) {
  SmallVector<StringRef> features;
  function.getFnAttribute("target-features").getValueAsString().split(features, ',');
  return is_contained(features, feature);
}

SmallVector<const VectorIsaInfo *> cilk2gpu::vectorTargets(const Function &form, const LoweringOptions &options) {
  SmallVector<const VectorIsaInfo *> targets;
  for (const VectorIsaInfo &info : kVectorIsas) {
    if (hasFeature(form, info.disabled) || (options.isas && !is_contained(*options.isas, info.isa)))
      continue;
    targets.push_back(&info);
    // Every machine that the program runs on has it.
    if (!options.isas && hasFeature(form, info.feature))
      break;
  }
  return targets;
}

/// Whether a function's own target has something that no machine needs to have for `info`.
static bool exceeds(const Function &function, const VectorIsaInfo &info) {
  return any_of(kVectorIsas, [&](const VectorIsaInfo &wider) {
    return wider.isa < info.isa && hasFeature(function, wider.feature);
  });
}

void cilk2gpu::setVectorTarget(Function &function, const VectorIsaInfo &info) {
  function.addFnAttr("prefer-vector-width", info.width);
  function.removeFnAttr("min-legal-vector-width");
  bool tooWide = exceeds(function, info);
  if (hasFeature(function, info.feature) && hasFeature(function, "+bmi2") && hasFeature(function, "+fma") && !tooWide)
    return;
  // Without the attribute, LLVM would take the features of the command line.
  if (tooWide || !function.hasFnAttribute("target-features"))
    function.addFnAttr("target-features", "+cx8,+mmx,+sse,+sse2,+x87");
  function.addFnAttr("target-cpu", info.cpu);
  function.removeFnAttr("tune-cpu");
}

void cilk2gpu::splitMulAdds(Function &function) {
  if (hasFeature(function, "+fma") || hasFeature(function, "+fma4"))
    return;
  for (Instruction &inst : make_early_inc_range(instructions(function)))
    if (auto *call = dyn_cast<IntrinsicInst>(&inst); call && call->getIntrinsicID() == Intrinsic::fmuladd) {
      IRBuilder<> builder(call);
      builder.setFastMathFlags(call->getFastMathFlags());
      Value *product = builder.CreateFMul(call->getArgOperand(0), call->getArgOperand(1));
      call->replaceAllUsesWith(builder.CreateFAdd(product, call->getArgOperand(2)));
      call->eraseFromParent();
    }
}
