// See Placement.h. Measurements:
// - A loop of 34 bytes across two cache lines took half as much time again as a loop within one.
// - In memory from malloc, every vector of 64 bytes crosses a cache line. Products of matrices in such memory took a
//   third more time than products of aligned matrices.
#include "cilk2gpu/Target/Host/Placement.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace cilk2gpu;

static constexpr StringLiteral kRequest = "cilk2gpu.placement", kAlign = "llvm.loop.align",
                               kMalloc = "__cilk2gpu_malloc";
static constexpr unsigned kCacheLine = 64;
static constexpr uint64_t kSmallArray = 4096; // below this, the runtime calls malloc anyway (core/Tunables.h)

void cilk2gpu::requestPlacement(Module &module) { module.getOrInsertNamedMetadata(kRequest); }

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

/// Returns true if a call is the C library's malloc, and its size may be large.
static bool allocatesArray(Instruction &inst, const TargetLibraryInfo &library) {
  auto *call = dyn_cast<CallInst>(&inst);
  LibFunc known;
  if (!call || call->isMustTailCall() || !library.getLibFunc(*call, known) || known != LibFunc_malloc ||
      !library.has(known) || !call->getCalledFunction()->isDeclaration())
    return false;
  auto *bytes = dyn_cast<ConstantInt>(call->getArgOperand(0));
  return !bytes || bytes->getValue().uge(kSmallArray);
}

static void placeArrays(Function &function, const TargetLibraryInfo &library) {
  for (Instruction &inst : instructions(function)) {
    if (!allocatesArray(inst, library))
      continue;
    auto &call = cast<CallInst>(inst);
    Function *plain = call.getCalledFunction();
    FunctionCallee placed =
        function.getParent()->getOrInsertFunction(kMalloc, plain->getFunctionType(), plain->getAttributes());
    call.setCalledFunction(placed);
  }
}

PreservedAnalyses PlacementPass::run(Module &module, ModuleAnalysisManager &analyses) {
  NamedMDNode *request = module.getNamedMetadata(kRequest);
  if (!request)
    return PreservedAnalyses::all();
  request->eraseFromParent();
  auto &functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  for (Function &function : module) {
    if (!forSpeed || function.isDeclaration() || function.hasOptSize() || function.hasOptNone())
      continue;
    for (Loop *loop : functions.getResult<LoopAnalysis>(function).getLoopsInPreorder())
      align(*loop);
    placeArrays(function, functions.getResult<TargetLibraryAnalysis>(function));
  }
  return PreservedAnalyses::none();
}
