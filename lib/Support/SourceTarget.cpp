// See SourceTarget.h.
#include "cilk2gpu/Support/SourceTarget.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace cilk2gpu;

bool cilk2gpu::hasFeature(const Function &function, StringRef feature) {
  SmallVector<StringRef> features;
  function.getFnAttribute("target-features").getValueAsString().split(features, ',');
  return is_contained(features, feature);
}

/// Returns true if the function's target fuses: it rounds `a * b + c` once for numbers of the type.
static bool fusesNumbers(const Function &function, const Type &type) {
  bool isArm = function.getParent()->getTargetTriple().isAArch64();
  if (type.isHalfTy())
    return hasFeature(function, isArm ? "+fullfp16" : "+avx512fp16");
  return (type.isFloatTy() || type.isDoubleTy()) &&
         (isArm || hasFeature(function, "+fma") || hasFeature(function, "+fma4"));
}

bool cilk2gpu::fusesMulAdds(const Function &function) {
  return fusesNumbers(function, *Type::getFloatTy(function.getContext()));
}

static void fuseMulAdd(IntrinsicInst &call) {
  IRBuilder<> builder(&call);
  SmallVector<Value *> operands(call.args());
  call.replaceAllUsesWith(builder.CreateIntrinsic(call.getType(), Intrinsic::fma, operands, &call));
  call.eraseFromParent();
}

static void splitMulAdd(IntrinsicInst &call) {
  IRBuilder<> builder(&call);
  builder.setFastMathFlags(call.getFastMathFlags());
  Value *product = builder.CreateFMul(call.getArgOperand(0), call.getArgOperand(1));
  call.replaceAllUsesWith(builder.CreateFAdd(product, call.getArgOperand(2)));
  call.eraseFromParent();
}

void cilk2gpu::fuseMulAdds(Function &function) {
  for (Instruction &inst : make_early_inc_range(instructions(function)))
    if (auto *call = dyn_cast<IntrinsicInst>(&inst); call && call->getIntrinsicID() == Intrinsic::fmuladd)
      fuseMulAdd(*call);
}

void cilk2gpu::splitMulAdds(Function &function) {
  if (!fusesMulAdds(function))
    settleMulAdds(function);
}

void cilk2gpu::settleMulAdds(Function &function) {
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    bool fuses = fusesNumbers(function, *inst.getType()->getScalarType());
    if (isa<FPMathOperator>(inst) && !fuses)
      inst.setHasAllowContract(false);
    auto *call = dyn_cast<IntrinsicInst>(&inst);
    if (call && call->getIntrinsicID() == Intrinsic::fmuladd)
      fuses ? fuseMulAdd(*call) : splitMulAdd(*call);
  }
}
