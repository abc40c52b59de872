// See Extract.h.
#include "Extract.h"

#include "cilk2gpu/Support/Markers.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"

using namespace llvm;
using namespace cilk2gpu;

void cilk2gpu::reportError(Instruction &where, const Twine &message) {
  Function &function = *where.getFunction();
  DiagnosticLocation location =
      where.getDebugLoc() ? DiagnosticLocation(where.getDebugLoc()) : DiagnosticLocation(function.getSubprogram());
  function.getContext().diagnose(DiagnosticInfoUnsupported(function, message, location));
}

/// Adds the functions that have ordered children, and no marker if no path leads to their syncs. They call one of the
/// functions that have been found.
static void addOrdering(Module &module, SmallPtrSetImpl<Function *> &found) {
  SmallVector<Function *> runs;
  for (Function *function : found)
    if (function->getName().contains(kDependRun))
      runs.push_back(function);
  for (Function *run : runs)
    for (User *user : run->users())
      if (auto *call = dyn_cast<CallBase>(user); call && call->getCalledOperand() == run)
        found.insert(call->getFunction());
}

SmallVector<Function *> cilk2gpu::findCilkFunctions(Module &module) {
  SmallPtrSet<Function *, 16> found;
  for (const char *marker : {kSpawnBeginMarker, kSyncMarker, kForBeginMarker, kSpawnedBlockBeginMarker})
    if (Function *declaration = module.getFunction(marker))
      for (User *user : declaration->users())
        if (auto *call = dyn_cast<CallBase>(user))
          found.insert(call->getFunction());
  addOrdering(module, found);
  SmallVector<Function *> ordered;
  for (Function &function : module)
    if (found.contains(&function) || (function.hasFnAttribute(kTaskFunctionAttr) && !function.isDeclaration()))
      ordered.push_back(&function);
  return ordered;
}

SmallVector<Function *> cilk2gpu::findBlockBodies(Module &module) {
  SmallVector<Function *> bodies;
  for (Function &function : module)
    if (function.hasFnAttribute(kBlockBodyAttr) && !function.isDeclaration())
      bodies.push_back(&function);
  return bodies;
}

SmallVector<Function *> cilk2gpu::findGraphFunctions(Module &module) {
  SmallVector<Function *> functions = findCilkFunctions(module);
  append_range(functions, findBlockBodies(module));
  return functions;
}

bool cilk2gpu::isUserFunction(const Function &function) {
  Attribute origin = function.getFnAttribute(kOriginAttr);
  return !origin.isValid() || origin.getValueAsString() == function.getName();
}

SmallVector<BasicBlock *> cilk2gpu::isolateBody(CallInst &begin, StringRef endMarker, CallInst *&end) {
  end = nullptr;
  SmallSetVector<BasicBlock *, 16> blocks;
  blocks.insert(SplitBlock(begin.getParent(), std::next(begin.getIterator())));
  for (unsigned i = 0; i < blocks.size(); ++i) {
    for (Instruction &inst : *blocks[i])
      if (isCallOf(inst, endMarker) && cast<CallInst>(inst).getArgOperand(0) == begin.getArgOperand(0)) {
        end = cast<CallInst>(&inst);
        break;
      }
    if (end && end->getParent() == blocks[i])
      SplitBlock(blocks[i], end->getIterator());
    else
      blocks.insert_range(successors(blocks[i]));
  }
  return blocks.takeVector();
}

Function *cilk2gpu::extractPart(ArrayRef<BasicBlock *> part, SetVector<Value *> &outputs) {
  CodeExtractorAnalysisCache cache(*part.front()->getParent());
  CodeExtractor extractor(part, /*DT=*/nullptr, /*AggregateArgs=*/false, /*BFI=*/nullptr, /*BPI=*/nullptr,
                          /*AC=*/nullptr, /*AllowVarArgs=*/false, /*AllowAlloca=*/true);
  SetVector<Value *> inputs;
  Function *function = extractor.isEligible() ? extractor.extractCodeRegion(cache, inputs, outputs) : nullptr;
  if (function)
    function->setLinkage(GlobalValue::InternalLinkage);
  return function;
}

void cilk2gpu::dropTaskMarks(Function &function) {
  for (const char *attribute : {kTaskFunctionAttr, kElisionFunctionAttr, kAddressTakenAttr})
    function.removeFnAttr(attribute);
}

void cilk2gpu::giveLine(Function &part, const DebugLoc &line) {
  DISubprogram *old = part.getSubprogram();
  if (!old || !line)
    return;
  LLVMContext &context = part.getContext();
  StringRef symbol = part.getName(), name = symbol;
  name.consume_back(".body"); // of a loop
  DISubprogram *own =
      DISubprogram::getDistinct(context, old->getScope(), name, symbol, old->getFile(), line.getLine(), old->getType(),
                                line.getLine(), nullptr, 0, 0, old->getFlags(), old->getSPFlags(), old->getUnit());
  part.setSubprogram(own);
  DenseMap<const MDNode *, MDNode *> scopes;
  auto replace = [&](const DebugLoc &location) {
    return DebugLoc::replaceInlinedAtSubprogram(location, *own, context, scopes);
  };
  for (Instruction &inst : instructions(part)) {
    if (inst.getDebugLoc())
      inst.setDebugLoc(replace(inst.getDebugLoc()));
    updateLoopMetadataDebugLocations(inst, [&](Metadata *node) -> Metadata * {
      auto *location = dyn_cast_or_null<DILocation>(node);
      return location ? replace(location).get() : node;
    });
  }
}
