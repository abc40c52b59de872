// Handles LLVM IR that MLIR cannot represent: moves instructions around MLIR in functions of their own, and lowers wide
// switches.
#include "Extract.h"
#include "ImportPasses.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace cilk2gpu;

/// Returns true for an atomic update of an integer size for which MLIR has no operation.
static bool isUncommonUpdate(const AtomicRMWInst &update) {
  auto *type = dyn_cast<IntegerType>(update.getType());
  return type && !is_contained({8u, 16u, 32u, 64u}, type->getBitWidth());
}

/// Returns true if the intrinsic has an operand that MLIR lacks: it names a register, or a type that checks of indirect
/// calls compare.
static bool hasMetadataOperand(const Instruction &inst) {
  return isa<IntrinsicInst>(inst) && !isa<DbgInfoIntrinsic, ConstrainedFPIntrinsic>(inst) &&
         any_of(inst.operands(), [](const Use &operand) { return isa<MetadataAsValue>(operand); });
}

static bool isUnknownToMLIR(const Instruction &inst) {
  auto *update = dyn_cast<AtomicRMWInst>(&inst);
  return update ? isUncommonUpdate(*update) : hasMetadataOperand(inst);
}

/// Moves an instruction into a function of its own, which is inlined after the export. Its constants move along.
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

bool OutlineUnknownPass::runOn(Module &module, Module &) {
  for (Function *function : findGraphFunctions(module))
    for (Instruction &inst : make_early_inc_range(instructions(*function)))
      if (isUnknownToMLIR(inst))
        outline(inst);
  return true;
}

/// Replaces a switch by comparisons, because MLIR's export supports only switches on at most 64 bits:
///   switch i128 v, default, [c1: a, c2: b]  ->  v == c1 ? a : v == c2 ? b : default
static void lowerSwitch(SwitchInst &inst) {
  BasicBlock *block = inst.getParent(), *otherwise = inst.getDefaultDest();
  IRBuilder<> builder(&inst);
  // A block may be the target of several cases. Its phis have an entry for each edge of the switch, and need one for
  // each new edge.
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

bool LowerWideSwitchesPass::runOn(Module &module, Module &) {
  for (Function &function : module)
    for (BasicBlock &block : make_early_inc_range(function))
      if (auto *inst = dyn_cast<SwitchInst>(block.getTerminator());
          inst && inst->getCondition()->getType()->getIntegerBitWidth() > 64)
        lowerSwitch(*inst);
  return true;
}
