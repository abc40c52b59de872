// See CountInstructions.h. Instructions are counted after optimisation. Instructions that this file inserts are not
// counted.
#include "CountInstructions.h"

#include "cilk2gpu/Support/LoweredNames.h"
#include "cilk2gpu/abi/Counts.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#include <array>

using namespace llvm;
using namespace cilk2gpu;
using abi::InstructionClass;

using Counts = std::array<uint32_t, abi::kInstructionClasses>;

//===-- What an instruction is ------------------------------------------------------------------------------------===//

static bool isChannelMarker(const Instruction &inst) {
  auto *call = dyn_cast<CallBase>(&inst);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName() == kCountChannelMarker;
}

/// Returns true if a machine would execute no instruction for it.
static bool isFree(const Instruction &inst) {
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&inst))
    return intrinsic->isAssumeLikeIntrinsic() || intrinsic->isLifetimeStartOrEnd();
  if (auto *address = dyn_cast<GetElementPtrInst>(&inst))
    return address->hasAllConstantIndices();
  if (auto *cast = dyn_cast<CastInst>(&inst))
    return cast->isNoopCast(inst.getDataLayout());
  return isa<PHINode, AllocaInst, FreezeInst, ExtractValueInst, InsertValueInst, LandingPadInst, ReturnInst, ResumeInst,
             UnreachableInst>(inst);
}

static void countCall(const CallBase &call, Counts &counts) {
  auto one = [&](InstructionClass kind) { ++counts[unsigned(kind)]; };
  if (auto *memory = dyn_cast<AnyMemIntrinsic>(&call)) {
    if (isa<AnyMemTransferInst>(memory))
      one(InstructionClass::Load);
    return one(InstructionClass::Store);
  }
  if (call.isInlineAsm() || isa<IntrinsicInst>(call))
    return one(InstructionClass::Alu);
  const Function *callee = call.getCalledFunction();
  if (isChannelMarker(call))
    one(InstructionClass::Channel);
  else if (!callee || !callee->getName().starts_with(
                          "__cilk2gpu_")) // a call of the runtime belongs to the operation that makes it
    one(InstructionClass::Call);
}

static void countInstruction(const Instruction &inst, Counts &counts) {
  if (isFree(inst))
    return;
  InstructionClass kind = InstructionClass::Alu;
  if (auto *call = dyn_cast<CallBase>(&inst))
    return countCall(*call, counts);
  if (isa<AtomicRMWInst, AtomicCmpXchgInst, FenceInst>(inst) || (inst.isAtomic()))
    kind = InstructionClass::Atomic;
  else if (isa<LoadInst>(inst))
    kind = InstructionClass::Load;
  else if (isa<StoreInst>(inst))
    kind = InstructionClass::Store;
  else if (inst.isTerminator() && inst.getNumSuccessors() < 2)
    return;
  else if (inst.isTerminator())
    kind = InstructionClass::Branch;
  ++counts[unsigned(kind)];
}

//===-- A function ------------------------------------------------------------------------------------------------===//

namespace {

/// The records and calls of one counted function.
class FunctionCounter {
public:
  explicit FunctionCounter(Function &function)
      : function(function), module(*function.getParent()), context(module.getContext()), dominators(function),
        loops(dominators), i32(Type::getInt32Ty(context)), pointer(PointerType::getUnqual(context)) {}

  void run() {
    number();
    if (blocks.empty())
      return;
    instrument(emitRecords());
    dropPromises();
  }

private:
  struct Loop {
    uint32_t parent, firstBlock, numBlocks;
  };

  void number();
  bool isWorthwhile(BasicBlock &block, const Counts &counts) const;
  Constant *emitRecords();
  Constant *emitTable(Twine name, Type *type, ArrayRef<Constant *> rows);
  Constant *row(StructType *type, ArrayRef<uint32_t> values);
  void instrument(Constant *record);
  void leaveBefore(BasicBlock &block, FunctionCallee leave, Value *entered);
  void dropPromises();

  Function &function;
  Module &module;
  LLVMContext &context;
  DominatorTree dominators;
  LoopInfo loops;
  Type *i32;
  PointerType *pointer;
  SmallVector<Loop> loopRows;
  SmallVector<BasicBlock *> blocks; ///< by number
  SmallVector<Counts> counts;       ///< counts of the blocks, by number
};

} // namespace

/// Returns true if a block must report. A block without executed instructions must only report if it shows where a lane
/// is.
bool FunctionCounter::isWorthwhile(BasicBlock &block, const Counts &counted) const {
  return block.isEntryBlock() || block.isLandingPad() || loops.isLoopHeader(&block) ||
         llvm::any_of(counted, [](uint32_t n) { return n != 0; }) ||
         llvm::any_of(block, [](Instruction &inst) { return isa<CallBase>(inst); });
}

void FunctionCounter::number() {
  DenseMap<const llvm::Loop *, uint32_t> ids;
  SmallVector<const llvm::Loop *> order = {nullptr};
  for (const llvm::Loop *loop : loops.getLoopsInPreorder())
    order.push_back(loop);
  for (auto [id, loop] : llvm::enumerate(order))
    ids[loop] = uint32_t(id);
  for (const llvm::Loop *loop : order) {
    loopRows.push_back({loop ? ids[loop->getParentLoop()] : 0, uint32_t(blocks.size()), 0});
    for (BasicBlock &block : function) {
      if (loops.getLoopFor(&block) != loop || !dominators.isReachableFromEntry(&block) ||
          block.getFirstInsertionPt() == block.end())
        continue;
      Counts counted = {};
      for (Instruction &inst : block)
        countInstruction(inst, counted);
      if (!isWorthwhile(block, counted))
        continue;
      blocks.push_back(&block);
      counts.push_back(counted);
      ++loopRows.back().numBlocks;
    }
  }
}

Constant *FunctionCounter::row(StructType *type, ArrayRef<uint32_t> values) {
  SmallVector<Constant *> fields;
  for (uint32_t value : values)
    fields.push_back(ConstantInt::get(i32, value));
  return ConstantStruct::get(type, fields);
}

Constant *FunctionCounter::emitTable(Twine name, Type *type, ArrayRef<Constant *> rows) {
  auto *arrayType = ArrayType::get(type, rows.size());
  return new GlobalVariable(module, arrayType, /*isConstant=*/true, GlobalValue::PrivateLinkage,
                            ConstantArray::get(arrayType, rows), name);
}

/// Emits the function's abi::CountedFunction.
Constant *FunctionCounter::emitRecords() {
  auto *blockType = StructType::get(context, SmallVector<Type *>(sizeof(abi::BlockRecord) / 4, i32));
  auto *loopType = StructType::get(context, SmallVector<Type *>(sizeof(abi::LoopRecord) / 4, i32));
  SmallVector<Constant *> blockTable, loopTable;
  for (auto [id, loop] : llvm::enumerate(loopRows)) {
    loopTable.push_back(row(loopType, {loop.parent, loop.firstBlock, loop.numBlocks, 0}));
    for (uint32_t b = loop.firstBlock; b < loop.firstBlock + loop.numBlocks; ++b) {
      SmallVector<uint32_t> values = {uint32_t(id), loops.isLoopHeader(blocks[b])};
      values.append(counts[b].begin(), counts[b].end());
      values.push_back(0);
      blockTable.push_back(row(blockType, values));
    }
  }
  auto *type = StructType::get(context, {pointer, pointer});
  Constant *record = ConstantStruct::get(type, {emitTable("__cilk2gpu_count.loops", loopType, loopTable),
                                                emitTable("__cilk2gpu_count.blocks", blockType, blockTable)});
  return new GlobalVariable(module, type, /*isConstant=*/true, GlobalValue::PrivateLinkage, record, "__cilk2gpu_count");
}

/// Ends the count before the block's terminator. A call that must be a tail call may be followed only by the return, so
/// the count ends before the call.
void FunctionCounter::leaveBefore(BasicBlock &block, FunctionCallee leave, Value *entered) {
  Instruction *end = block.getTerminator();
  if (!isa<ReturnInst, ResumeInst>(end))
    return;
  if (CallInst *last = block.getTerminatingMustTailCall())
    end = last;
  IRBuilder<>(end).CreateCall(leave, entered);
}

void FunctionCounter::instrument(Constant *record) {
  FunctionCallee enter = module.getOrInsertFunction("__cilk2gpu_count_enter", pointer, pointer);
  FunctionCallee visit = module.getOrInsertFunction("__cilk2gpu_count_block", pointer, pointer, pointer, i32);
  FunctionCallee leave = module.getOrInsertFunction("__cilk2gpu_count_leave", Type::getVoidTy(context), pointer);
  for (FunctionCallee each : {enter, visit, leave})
    cast<Function>(each.getCallee())->setDoesNotThrow();
  BasicBlock &first = function.getEntryBlock();
  IRBuilder<> builder(&first, first.getFirstNonPHIOrDbgOrAlloca());
  AllocaInst *place = builder.CreateAlloca(pointer);
  CallInst *entered = builder.CreateCall(enter, record);
  builder.CreateStore(entered, place);
  for (auto [id, block] : llvm::enumerate(blocks)) {
    if (!block->isEntryBlock())
      builder.SetInsertPoint(block, block->getFirstInsertionPt());
    Value *before = builder.CreateLoad(pointer, place);
    builder.CreateStore(builder.CreateCall(visit, {before, record, builder.getInt32(uint32_t(id))}), place);
  }
  for (BasicBlock &block : function)
    if (dominators.isReachableFromEntry(&block))
      leaveBefore(block, leave, entered);
  PromoteMemToReg(place, dominators);
}

/// Drops attributes that no longer hold, because the function now accesses memory.
void FunctionCounter::dropPromises() {
  for (Attribute::AttrKind kind : {Attribute::Memory, Attribute::Speculatable})
    function.removeFnAttr(kind);
  for (User *user : function.users())
    if (auto *call = dyn_cast<CallBase>(user))
      call->removeFnAttr(Attribute::Memory);
}

//===-- A module --------------------------------------------------------------------------------------------------===//

PreservedAnalyses DescribeChannelMarkerPass::run(Module &module, ModuleAnalysisManager &) {
  Function *marker = module.getFunction(kCountChannelMarker);
  if (!marker)
    return PreservedAnalyses::all();
  marker->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  marker->setDoesNotThrow();
  for (Attribute::AttrKind kind : {Attribute::WillReturn, Attribute::NoSync, Attribute::NoCallback, Attribute::NoFree})
    marker->addFnAttr(kind);
  return PreservedAnalyses::none();
}

/// Returns true if the function is counted. The loops over lanes are not, because the machine would execute them, not
/// the program.
static bool isCounted(Function &function) {
  if (function.isDeclaration() || function.hasAvailableExternallyLinkage() ||
      function.hasFnAttribute(Attribute::Naked) || function.getName().starts_with("__cilk2gpu_"))
    return false;
  return llvm::none_of(instructions(function), [](Instruction &inst) {
    auto *call = dyn_cast<CallBase>(&inst);
    return call && call->getCalledFunction() && call->getCalledFunction()->getName() == kCountLane;
  });
}

PreservedAnalyses CountInstructionsPass::run(Module &module, ModuleAnalysisManager &) {
  constexpr StringLiteral done = "cilk2gpu.counted";
  if (module.getNamedMetadata(done)) // the Clang plugin and the pass plugin both run this pass
    return PreservedAnalyses::all();
  module.getOrInsertNamedMetadata(done);
  for (Function &function : module)
    if (isCounted(function))
      FunctionCounter(function).run();
  if (Function *marker = module.getFunction(kCountChannelMarker)) {
    for (User *user : make_early_inc_range(marker->users()))
      cast<Instruction>(user)->eraseFromParent();
    marker->eraseFromParent();
  }
  return PreservedAnalyses::none();
}
