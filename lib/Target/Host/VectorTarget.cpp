// See VectorTarget.h. The function attributes target-cpu and target-features, as Clang writes them, make up a target.
#include "VectorTarget.h"

#include "cilk2gpu/Support/SourceTarget.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace cilk2gpu;

static bool isWanted(const VectorIsaInfo &info, const Module &module, const LoweringOptions &options) {
  bool isAsked = options.isas ? is_contained(*options.isas, info.isa) : info.isDefault;
  return isAsked && module.getTargetTriple().getArch() == info.arch;
}

std::string cilk2gpu::vectorTargetNames(const Module &module, const LoweringOptions &options) {
  std::string names;
  for (const VectorIsaInfo &info : kVectorIsas)
    if (options.lanes != Lanes::Scalar && isWanted(info, module, options))
      names += (names.empty() ? "" : "+") + info.name.str();
  return names;
}

StringRef cilk2gpu::whyNoVectors(const Module &module, const LoweringOptions &options) {
  if (options.lanes == Lanes::Scalar)
    return options.byLevel ? "vectors are for -O2 and -O3, or -fcilk-lanes=simd" : "-fcilk-lanes=scalar says so";
  LoweringOptions defaults = options;
  defaults.isas.reset();
  return vectorTargetNames(module, defaults).empty() ? "there are no vectors for its target"
                                                     : "-fcilk-vector-isa leaves no vectors for its target";
}

SmallVector<const VectorIsaInfo *> cilk2gpu::vectorTargets(const Function &form, const LoweringOptions &options) {
  SmallVector<const VectorIsaInfo *> targets;
  for (const VectorIsaInfo &info : kVectorIsas) {
    if (hasFeature(form, info.disabled) || !isWanted(info, *form.getParent(), options))
      continue;
    targets.push_back(&info);
    // Every machine that the program runs on has the set.
    if (!options.isas && hasFeature(form, info.feature))
      break;
  }
  return targets;
}

/// Returns true if a function's own target has features that a machine for `info` need not have.
static bool exceeds(const Function &function, const VectorIsaInfo &info) {
  return any_of(kVectorIsas, [&](const VectorIsaInfo &wider) {
    return wider.arch == info.arch && wider.isa < info.isa && hasFeature(function, wider.feature);
  });
}

/// Returns true if the function's target has the whole instruction set.
static bool hasWhole(const Function &function, const VectorIsaInfo &info) {
  SmallVector<StringRef> others;
  info.others.split(others, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  return hasFeature(function, info.feature) &&
         all_of(others, [&](StringRef feature) { return hasFeature(function, feature); });
}

/// Widens compressions of vectors of 8 bytes to 8 words. LLVM 22 has code for AVX-512 only for words.
static void widenCompressions(Function &function) {
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<IntrinsicInst>(&inst);
    auto *type = call && call->getIntrinsicID() == Intrinsic::experimental_vector_compress
                     ? dyn_cast<FixedVectorType>(call->getType())
                     : nullptr;
    if (!type || type->getNumElements() != 8 || !type->getElementType()->isIntegerTy(8))
      continue;
    IRBuilder<> builder(call);
    auto *words = FixedVectorType::get(builder.getInt16Ty(), 8);
    auto widened = [&](unsigned index) { return builder.CreateZExt(call->getArgOperand(index), words); };
    Value *compressed =
        builder.CreateIntrinsic(words, call->getIntrinsicID(), {widened(0), call->getArgOperand(1), widened(2)});
    call->replaceAllUsesWith(builder.CreateTrunc(compressed, type));
    call->eraseFromParent();
  }
}

void cilk2gpu::setVectorTarget(Function &function, const VectorIsaInfo &info) {
  widenCompressions(function);
  function.addFnAttr("prefer-vector-width", std::to_string(info.bits));
  function.removeFnAttr("min-legal-vector-width");
  bool tooWide = exceeds(function, info);
  if (hasWhole(function, info) && !tooWide)
    return;
  if (tooWide && fusesMulAdds(function) && !info.others.contains("+fma"))
    fuseMulAdds(function);
  // Without the attribute, LLVM would use the features of the command line.
  if (tooWide || !function.hasFnAttribute("target-features"))
    function.addFnAttr("target-features", "+cx8,+mmx,+sse,+sse2,+x87");
  function.addFnAttr("target-cpu", info.cpu);
  function.removeFnAttr("tune-cpu");
}
