// Takes the Cilk functions out of a module that Clang generated. Only these go through MLIR, so that code without Cilk
// keeps every attribute and piece of metadata. Nothing is optimised here beyond SSA form: LLVM's passes do not know
// what a marker means and would move loads across a sync.
#include "Extract.h"

#include "Borrows.h"
#include "DistinctCaptures.h"
#include "OrdinaryCode.h"
#include "cilk2gpu/Frontend/Markers.h"
#include "cilk2gpu/Support/Analyses.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"

using namespace llvm;
using namespace cilk2gpu;

void cilk2gpu::reportError(Instruction &where, const Twine &message) {
  Function &function = *where.getFunction();
  DiagnosticLocation location =
      where.getDebugLoc() ? DiagnosticLocation(where.getDebugLoc()) : DiagnosticLocation(function.getSubprogram());
  function.getContext().diagnose(DiagnosticInfoUnsupported(function, message, location));
}

SmallVector<Function *> cilk2gpu::findCilkFunctions(Module &module) {
  SmallPtrSet<Function *, 16> found;
  for (const char *marker : {kSpawnBeginMarker, kSyncMarker, kForBeginMarker})
    if (Function *declaration = module.getFunction(marker))
      for (User *user : declaration->users())
        if (auto *call = dyn_cast<CallBase>(user))
          found.insert(call->getFunction());
  SmallVector<Function *> ordered;
  for (Function &function : module)
    if (found.contains(&function) || (function.hasFnAttribute(kTaskFunctionAttr) && !function.isDeclaration()))
      ordered.push_back(&function);
  return ordered;
}

/// Removes marks of locals' lifetimes and names: locals may become frames, which are not allocas and end later.
static void dropLocalMarks(Function &function) {
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    inst.dropDbgRecords();
    if (auto *intrinsic = dyn_cast<IntrinsicInst>(&inst))
      if (intrinsic->isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(intrinsic))
        inst.eraseFromParent();
  }
}

static void strip(Function &function) {
  dropLocalMarks(function);
  function.removeFnAttr(Attribute::OptimizeNone);
  function.removeFnAttr(Attribute::NoInline);
  function.removeFnAttr(Attribute::AlwaysInline);
  function.setComdat(nullptr);
}

/// What is known about the effects of what a spawn calls: any function whose address is taken, if that is a pointer.
static void forgetEffects(CallBase &call) {
  auto forget = [](auto &where) {
    where.removeFnAttr(Attribute::Memory);
    where.removeFnAttr(Attribute::WillReturn);
  };
  forget(call);
  if (Function *callee = call.getCalledFunction())
    return forget(*callee);
  for (Function &function : *call.getModule())
    if (function.hasAddressTaken())
      forget(function);
}

/// A spawned call stays one call, whatever is known about its callee: nothing computes it beforehand, drops it, or
/// makes two of it for the paths that lead there. Returns the calls of the spawns.
static SmallVector<CallBase *> keepSpawnedCalls(Function &function) {
  SmallVector<CallBase *> kept;
  bool isChild = false;
  for (Instruction &inst : instructions(function)) {
    auto *call = dyn_cast<CallBase>(&inst);
    if (!call || isa<IntrinsicInst>(call))
      continue;
    Function *callee = call->getCalledFunction();
    if (callee && (callee->getName() == kSpawnBeginMarker || callee->getName() == kSpawnEndMarker)) {
      isChild = callee->getName() == kSpawnBeginMarker;
    } else if (isChild) {
      call->addFnAttr(Attribute::NoBuiltin);
      if (!call->hasFnAttr(Attribute::NoDuplicate)) {
        call->addFnAttr(Attribute::NoDuplicate);
        kept.push_back(call);
      }
      forgetEffects(*call);
    }
  }
  return kept;
}

static void run(Module &module, function_ref<void(FunctionPassManager &)> build) {
  Analyses analyses;
  FunctionPassManager passes;
  build(passes);
  for (Function &function : module)
    if (!function.isDeclaration())
      passes.run(function, analyses.functions);
}

static void toSSA(Module &module) {
  run(module, [](FunctionPassManager &passes) {
    passes.addPass(SROAPass(SROAOptions::ModifyCFG));
    passes.addPass(InstSimplifyPass());
    passes.addPass(SimplifyCFGPass());
  });
}

/// Results that are loaded twice, to be compared and taken, are loaded once: `x > y ? x : y` is a selection then. Every
/// marker and every spawned call may write memory, as far as these passes know, so that no load moves across one. Not
/// before spawns are in normal form: what the child computes must not be used by its parent.
static void joinLoads(Module &module) {
  run(module, [](FunctionPassManager &passes) {
    passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/false));
    passes.addPass(SimplifyCFGPass());
  });
}

static bool isSupported(Function &function) {
  // Its kernels, its elision and its descriptor are made of this body, and would stay when a linker takes another's.
  if (GlobalValue::isInterposableLinkage(function.getLinkage()))
    return reportError(function.getEntryBlock().front(),
                       "a function that spawns is not weak: its tasks would not be those of the one that the linker "
                       "takes; remove the attribute, or spawn in a function that a weak one calls"),
           false;
  if (function.isInterposable())
    return reportError(function.getEntryBlock().front(),
                       "under -fsemantic-interposition a function that spawns cannot be replaced by another library's, "
                       "whose tasks it would not have; leave the flag out, make the function static or hidden, "
                       "or compile a program's with -fPIE"),
           false;
  for (Instruction &inst : instructions(function)) {
    if (isa<IndirectBrInst, CallBrInst>(inst))
      return reportError(inst, "a function that spawns has no computed goto; use a switch"), false;
    if (auto *call = dyn_cast<CallInst>(&inst); call && call->isMustTailCall())
      return reportError(inst, "a function that spawns has no mandatory tail call; remove the attribute"), false;
    if (isa<ConstrainedFPIntrinsic>(inst))
      return reportError(inst, "a task may run in a thread with another rounding mode and other exceptions, so that a "
                               "function that spawns has no arithmetic under -frounding-math, "
                               "-ffp-exception-behavior= or FENV_ACCESS; move it to a function without spawn and sync"),
             false;
  }
  return true;
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
  DISubprogram *own = DISubprogram::getDistinct(context, old->getScope(), old->getName(), old->getLinkageName(),
                                                old->getFile(), line.getLine(), old->getType(), line.getLine(), nullptr,
                                                0, 0, old->getFlags(), old->getSPFlags(), old->getUnit());
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

void cilk2gpu::dropUnused(Module &module) {
  auto drop = [](GlobalValue &value) {
    if (!value.isDeclaration() || !(value.use_empty() || value.getName().starts_with("llvm.global_")))
      return false;
    value.eraseFromParent();
    return true;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (GlobalVariable &value : make_early_inc_range(module.globals()))
      changed |= drop(value);
    for (Function &value : make_early_inc_range(module.functions()))
      changed |= drop(value);
    for (GlobalAlias &value : make_early_inc_range(module.aliases()))
      changed |= drop(value);
  }
}

void cilk2gpu::declareIndirectFunctions(Module &module) {
  for (GlobalIFunc &indirect : make_early_inc_range(module.ifuncs())) {
    auto *type = cast<FunctionType>(indirect.getValueType());
    auto *declaration = Function::Create(type, GlobalValue::ExternalLinkage, indirect.getAddressSpace(), "", &module);
    declaration->takeName(&indirect);
    indirect.replaceAllUsesWith(declaration);
    indirect.eraseFromParent();
  }
}

/// The records that compiler and runtime share have 64-bit pointers.
static bool hasWidePointers(Module &module) {
  if (module.getDataLayout().getPointerSizeInBits() == 64)
    return true;
  module.getContext().emitError(
      "a program with spawn or sync is for a processor with 64-bit pointers; found the target '" +
      module.getTargetTriple().str() + "'; choose another, or remove -m32");
  return false;
}

/// MLIR has no such update of an integer of this size.
static bool isUncommonUpdate(const AtomicRMWInst &update) {
  auto *type = dyn_cast<IntegerType>(update.getType());
  return type && !is_contained({8u, 16u, 32u, 64u}, type->getBitWidth());
}

/// It names a register, or a type that calls through pointers are checked for; MLIR has no such operand.
static bool hasMetadataOperand(const Instruction &inst) {
  return isa<IntrinsicInst>(inst) && !isa<DbgInfoIntrinsic, ConstrainedFPIntrinsic>(inst) &&
         any_of(inst.operands(), [](const Use &operand) { return isa<MetadataAsValue>(operand); });
}

static bool isUnknownToMLIR(const Instruction &inst) {
  auto *update = dyn_cast<AtomicRMWInst>(&inst);
  return update ? isUncommonUpdate(*update) : hasMetadataOperand(inst);
}

/// Moves an instruction into a function of its own, which is inlined where it was. Its constants move along.
static void outline(Instruction &inst) {
  Function &function = *inst.getFunction();
  SmallVector<Use *> inputs;
  SmallVector<Value *> arguments;
  SmallVector<Type *> types;
  for (Use &operand : inst.operands())
    if (isa<Instruction, Argument>(operand)) {
      inputs.push_back(&operand);
      arguments.push_back(operand);
      types.push_back(operand->getType());
    }
  auto *type = FunctionType::get(inst.getType(), types, false);
  auto *outlined = Function::Create(type, GlobalValue::InternalLinkage, kOutlinedPrefix, function.getParent());
  for (StringRef attribute : {"target-cpu", "target-features", "tune-cpu"})
    if (function.hasFnAttribute(attribute))
      outlined->addFnAttr(function.getFnAttribute(attribute));
  outlined->addFnAttr(Attribute::AlwaysInline);
  outlined->addFnAttr(Attribute::NoUnwind);
  auto *call = CallInst::Create(outlined, arguments, "", inst.getIterator());
  call->setDebugLoc(inst.getDebugLoc());
  inst.replaceAllUsesWith(call);
  inst.removeFromParent();
  inst.setDebugLoc({});
  for (auto [input, argument] : zip(inputs, outlined->args()))
    input->set(&argument);
  auto *block = BasicBlock::Create(function.getContext(), "", outlined);
  inst.insertInto(block, block->end());
  ReturnInst::Create(function.getContext(), inst.getType()->isVoidTy() ? nullptr : &inst, block);
}

/// What MLIR does not have becomes calls of functions that do it, which are inlined after it.
static void outlineUnknown(Function &function) {
  for (Instruction &inst : make_early_inc_range(instructions(function)))
    if (isUnknownToMLIR(inst))
      outline(inst);
}

/// MLIR has cases of 64 bits at most when it makes LLVM IR of a switch. This compares with them one by one:
///   switch i128 v, default, [c1: a, c2: b]  ->  v == c1 ? a : v == c2 ? b : default
static void lowerSwitch(SwitchInst &inst) {
  BasicBlock *block = inst.getParent(), *otherwise = inst.getDefaultDest();
  IRBuilder<> builder(&inst);
  // A block may be that of several cases. Each edge of the switch has an entry in its phis, and so has each new one.
  auto redirect = [&](BasicBlock *target, BasicBlock *from) {
    for (PHINode &phi : target->phis())
      phi.setIncomingBlock(phi.getBasicBlockIndex(block), from);
  };
  for (auto &each : inst.cases()) {
    BasicBlock *from = builder.GetInsertBlock();
    auto *next = BasicBlock::Create(inst.getContext(), "", block->getParent(), otherwise);
    builder.CreateCondBr(builder.CreateICmpEQ(inst.getCondition(), each.getCaseValue()), each.getCaseSuccessor(), next);
    if (from != block)
      redirect(each.getCaseSuccessor(), from);
    builder.SetInsertPoint(next);
    builder.SetCurrentDebugLocation(inst.getDebugLoc());
  }
  builder.CreateBr(otherwise);
  if (builder.GetInsertBlock() != block)
    redirect(otherwise, builder.GetInsertBlock());
  inst.eraseFromParent();
}

static void lowerWideSwitches(Module &module) {
  for (Function &function : module)
    for (BasicBlock &block : make_early_inc_range(function))
      if (auto *inst = dyn_cast<SwitchInst>(block.getTerminator());
          inst && inst->getCondition()->getType()->getIntegerBitWidth() > 64)
        lowerSwitch(*inst);
}

/// Declares the elision that `function` names. Tasks' entries will call it; a host calls it here.
static void declareElision(Module &original, Function &function) {
  StringRef name = function.getFnAttribute(kElisionFunctionAttr).getValueAsString();
  if (name.empty())
    return;
  Function *elision = original.getFunction(name);
  auto *declaration =
      Function::Create(elision->getFunctionType(), GlobalValue::ExternalLinkage, name, function.getParent());
  declaration->copyAttributesFrom(elision);
  declaration->setPersonalityFn(nullptr);
  if (function.getName() == "main")
    callElision(function, *declaration);
}

std::unique_ptr<Module> cilk2gpu::extractCilk(Module &module, ArrayRef<Function *> functions) {
  if (!hasWidePointers(module))
    return nullptr;
  inlineShortCalls(functions);
  markUnthrowing(functions);
  cloneElisions(functions);
  for (Function *function : functions)
    outlineUnknown(*function);
  ValueToValueMapTy mapping;
  SmallPtrSet<const GlobalValue *, 16> wanted(functions.begin(), functions.end());
  std::unique_ptr<Module> extracted =
      CloneModule(module, mapping, [&](const GlobalValue *value) { return wanted.contains(value); });
  extracted->setModuleInlineAsm(""); // the file's own, once
  declareIndirectFunctions(*extracted);
  for (Function &declared : *extracted)
    if (Function *own = module.getFunction(declared.getName()); own && declared.isDeclaration()) {
      if (own->hasLocalLinkage())
        declared.addFnAttr(kLocalFunctionAttr);
      else if (own->isDeclaration() && !own->isIntrinsic())
        declared.addFnAttr(kForeignFunctionAttr);
    }
  bool ok = true;
  for (Function *original : functions) {
    auto *function = cast<Function>(mapping[original]);
    ok &= isSupported(*function);
    strip(*function);
    function->addFnAttr(kOriginAttr, original->getName());
    function->addFnAttr(kTaskFunctionAttr);
    // Whoever sees an external function's name may pass its address on, but then the call is in another module, too.
    if (original->hasAddressTaken() && original->getName() != "main")
      function->addFnAttr(kAddressTakenAttr);
  }
  SmallPtrSet<Function *, 16> copies;
  for (Function *original : functions)
    copies.insert(cast<Function>(mapping[original]));
  for (Function *original : functions)
    ok = ok && prepareUnwinding(*cast<Function>(mapping[original]), copies);
  if (!ok)
    return nullptr;
  dropUnused(*extracted);
  for (Function *original : functions)
    declareElision(module, *cast<Function>(mapping[original]));
  // Loops before SSA form, where what an iteration shares with the function around it is still a variable.
  for (Function *original : functions)
    ok &= extractLoops(*cast<Function>(mapping[original]), copies);
  if (!ok)
    return nullptr;
  for (Function &function : *extracted)
    if (function.hasFnAttribute(kTaskFunctionAttr) && function.getName() != "main")
      replaceDynamicLocals(function);
  // Inlining the iterations marked lifetimes anew: uses of a spawn's objects that are not of the spawn.
  for (Function &function : *extracted)
    dropLocalMarks(function);
  SmallVector<WeakVH> kept;
  for (Function &function : *extracted)
    append_range(kept, keepSpawnedCalls(function));
  toSSA(*extracted);
  for (const WeakVH &call : kept) // from here on they may be inlined
    if (call)
      cast<CallBase>(call)->removeFnAttr(Attribute::NoDuplicate);
  for (Function &function : *extracted)
    if (!function.isDeclaration())
      ok &= normalizeSpawns(function);
  for (Function *original : functions)
    if (ok && !original->hasOptNone() && original->getName() != "main")
      extractLeaves(*cast<Function>(mapping[original]), module);
  for (Function &function : *extracted)
    dropLocalMarks(function); // outlining made new ones
  if (ok)
    joinLoads(*extracted);
  if (ok)
    markBorrows(*extracted, module);
  if (ok)
    markDistinctCaptures(*extracted);
  // Last, because passes make switches of comparisons.
  if (ok)
    lowerWideSwitches(*extracted);
  return ok ? std::move(extracted) : nullptr;
}
