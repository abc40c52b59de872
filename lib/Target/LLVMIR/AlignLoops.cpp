// See AlignLoops.h. A loop of 34 bytes that straddles two cache lines took half as much time again as one that does not.
#include "cilk2gpu/Target/LLVMIR/AlignLoops.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace cilk2gpu;

static constexpr StringLiteral kRequest = "cilk2gpu.align.loops", kAlign = "llvm.loop.align";
static constexpr unsigned kCacheLine = 64;

void cilk2gpu::requestAlignedLoops(Module &module) { module.getOrInsertNamedMetadata(kRequest); }

static bool saysHow(MDNode *id) {
  return id && any_of(drop_begin(id->operands()), [](const MDOperand &operand) {
           auto *node = dyn_cast<MDNode>(operand);
           auto *name = node && node->getNumOperands() ? dyn_cast<MDString>(node->getOperand(0)) : nullptr;
           return name && name->getString() == kAlign;
         });
}

static void align(Loop &loop) {
  MDNode *before = loop.getLoopID();
  if (saysHow(before))
    return;
  LLVMContext &context = loop.getHeader()->getContext();
  auto *line = ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), kCacheLine));
  SmallVector<Metadata *> operands{nullptr};
  if (before)
    append_range(operands, drop_begin(before->operands()));
  operands.push_back(MDNode::get(context, {MDString::get(context, kAlign), line}));
  MDNode *id = MDNode::getDistinct(context, operands);
  id->replaceOperandWith(0, id);
  loop.setLoopID(id);
}

PreservedAnalyses AlignLoopsPass::run(Module &module, ModuleAnalysisManager &analyses) {
  NamedMDNode *request = module.getNamedMetadata(kRequest);
  if (!request)
    return PreservedAnalyses::all();
  request->eraseFromParent();
  auto &functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  for (Function &function : module) {
    if (function.isDeclaration() || function.hasOptSize() || function.hasOptNone())
      continue;
    for (Loop *loop : functions.getResult<LoopAnalysis>(function).getLoopsInPreorder())
      align(*loop);
  }
  return PreservedAnalyses::all(); // what loops say of themselves is part of no analysis
}
