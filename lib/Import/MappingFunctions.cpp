// Finds mapping functions of thread blocks whose parents have constant distances, as in a wavefront. The unit gets a
// record of each of them (cilk2gpu/abi/BlockRecords.h), so that a launch neither calls the function nor stores edges.
//
//   void links() { if (blockIdx.x > 0) WF::AddDependency({blockIdx.x - 1, blockIdx.y}); }
//   ->  {@links, distances (-1, 0, 0), for grids of extent 1 along z}
//
// The pass works on a copy of the function, in which all that it calls is inlined. Markers stand for the index
// variables and for calls of the header. The copy is simplified, read (LinkDistances.h), and removed.
#include "ImportPasses.h"
#include "IndexVariables.h"
#include "LinkDistances.h"
#include "OrdinaryCode.h"
#include "cilk2gpu/Support/Analyses.h"
#include "cilk2gpu/Support/Annotations.h"
#include "cilk2gpu/Support/LLVMRemarks.h"
#include "cilk2gpu/abi/BlockRecords.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace cilk2gpu;

/// Most instructions of a mapping function with all that it calls.
static constexpr unsigned kMostInstructions = 5000;

namespace {

/// The functions of <cilk2gpu/Wireframe.h> in a unit, by their annotations.
struct HeaderFunctions {
  explicit HeaderFunctions(const Module &module) {
    forEachAnnotation(module, [&](Function &function, StringRef text) {
      if (text == kBlockLinkAnnotation)
        links.insert(&function);
      else if (text == kBlockPolicyAnnotation)
        policies.insert(&function);
      else if (text == kBlockMappingAnnotation)
        callers.insert(&function);
    });
  }

  bool isCalled(const Function *function) const { return links.contains(function) || policies.contains(function); }

  SmallSetVector<const Function *, 4> links, policies;
  SmallSetVector<Function *, 4> callers; ///< each calls one mapping function that is an object
};

//===-- Copies ----------------------------------------------------------------------------------------------------===//

/// A copy of a mapping function, as LinkDistances reads it.
class MappingCopy {
public:
  MappingCopy(Function &function, const HeaderFunctions &header, Analyses &analyses)
      : function(function), header(header), analyses(analyses), module(*function.getParent()) {}
  ~MappingCopy() {
    if (!copy)
      return;
    analyses.functions.clear(*copy, copy->getName());
    copy->eraseFromParent();
  }
  MappingCopy(const MappingCopy &) = delete;

  /// Returns the reason why there is no copy; empty if there is one.
  std::string make() {
    if (const char *reason = whyNotMoved(function))
      return reason;
    ValueToValueMapTy mapping;
    copy = CloneFunction(&function, mapping);
    copy->setLinkage(GlobalValue::InternalLinkage);
    copy->setComdat(nullptr);
    for (Attribute::AttrKind kind : {Attribute::OptimizeNone, Attribute::NoInline, Attribute::OptimizeForSize})
      copy->removeFnAttr(kind);
    if (!inlineCalls())
      return "it is too large with the functions that it calls";
    stripDebugInfo(*copy);
    // Addresses of index variables are stored in local variables, until here.
    simplify(/*unrolls=*/false);
    for (const IndexVariable &index : kIndexVariables)
      if (!replaceVariable(index))
        return "it may change " + index.name.str();
    simplify(/*unrolls=*/true);
    return "";
  }

  const Function &get() const { return *copy; }

private:
  /// Inlines calls, and puts markers in place of calls of the header. Returns false if the copy becomes too large.
  bool inlineCalls() {
    SmallVector<CallBase *> calls;
    for (Instruction &inst : instructions(*copy))
      if (auto *call = dyn_cast<CallBase>(&inst))
        calls.push_back(call);
    while (!calls.empty() && copy->getInstructionCount() <= kMostInstructions) {
      CallBase *call = calls.pop_back_val();
      const Function *callee = call->getCalledFunction();
      if (callee && header.isCalled(callee))
        replaceByMarker(*call, header.links.contains(callee));
      else if (callee && !callee->isDeclaration() && !whyNotMoved(*callee) && haveSameTarget(*copy, *callee))
        append_range(calls, inlineOrdinary(*call));
    }
    return copy->getInstructionCount() <= kMostInstructions;
  }

  void replaceByMarker(CallBase &call, bool isLink) {
    IRBuilder<> builder(&call);
    SmallVector<Value *> arguments(call.args());
    if (isLink) {
      Value *parent = call.getArgOperand(0);
      arguments.clear();
      for (unsigned dimension = 0; dimension < 3; ++dimension)
        arguments.push_back(builder.CreateLoad(
            builder.getInt64Ty(), builder.CreateConstInBoundsGEP1_32(builder.getInt64Ty(), parent, dimension)));
    }
    SmallVector<Type *> types(map_range(arguments, [](Value *value) { return value->getType(); }));
    builder.CreateCall(marker(isLink ? kBlockLinkMarker : kBlockPolicyMarker, builder.getVoidTy(), types), arguments);
    CallInst *plain = dyn_cast<CallInst>(&call);
    if (auto *invoke = dyn_cast<InvokeInst>(&call))
      plain = changeToCall(invoke);
    plain->eraseFromParent();
  }

  FunctionCallee marker(const char *name, Type *result, ArrayRef<Type *> params) {
    FunctionCallee callee = module.getOrInsertFunction(name, FunctionType::get(result, params, false));
    auto &marker = *cast<Function>(callee.getCallee());
    marker.setDoesNotThrow();
    marker.addFnAttr(Attribute::WillReturn);
    if (result->isVoidTy())
      marker.setOnlyAccessesInaccessibleMemory();
    else
      marker.setDoesNotAccessMemory();
    return callee;
  }

  /// Puts a local variable in place of an index variable. Returns false if the function may change a variable that
  /// keeps its value from block to block.
  bool replaceVariable(const IndexVariable &index) {
    SmallVector<IntrinsicInst *> addresses = addressesOf(findVariable(module, index), *copy);
    bool isBlock = index.name == "blockIdx";
    if (!isBlock && !all_of(addresses, [](IntrinsicInst *address) { return isOnlyRead(*address); }))
      return false;
    if (addresses.empty())
      return true;
    IRBuilder<> builder(&*copy->getEntryBlock().getFirstInsertionPt());
    Type *number = builder.getInt32Ty();
    AllocaInst *local = builder.CreateAlloca(ArrayType::get(number, 3));
    FunctionCallee read = marker(index.marker, number, {number});
    for (unsigned dimension = 0; dimension < 3; ++dimension) {
      bool isZero = index.name == "threadIdx"; // a mapping function runs for no thread
      Value *value = isZero ? cast<Value>(builder.getInt32(0)) : builder.CreateCall(read, builder.getInt32(dimension));
      builder.CreateStore(value, builder.CreateConstInBoundsGEP1_32(number, local, dimension));
    }
    for (IntrinsicInst *address : addresses) {
      address->replaceAllUsesWith(local);
      address->eraseFromParent();
    }
    return true;
  }

  static bool isOnlyRead(const Value &address) {
    return all_of(address.uses(), [](const Use &use) {
      const User *user = use.getUser();
      if (isa<GetElementPtrInst>(user))
        return isOnlyRead(*user);
      auto *copied = dyn_cast<MemTransferInst>(user);
      return isa<LoadInst>(user) || (copied && use.getOperandNo() == 1);
    });
  }

  void simplify(bool unrolls) {
    FunctionPassManager passes;
    addSimplification(passes);
    if (unrolls) {
      LoopPassManager loops;
      loops.addPass(LoopRotatePass());
      loops.addPass(IndVarSimplifyPass());
      loops.addPass(LoopFullUnrollPass(/*OptLevel=*/2, /*OnlyWhenForced=*/false, /*ForgetSCEV=*/true));
      passes.addPass(createFunctionToLoopPassAdaptor(std::move(loops)));
      addSimplification(passes);
    }
    analyses.functions.invalidate(*copy, PreservedAnalyses::none());
    passes.run(*copy, analyses.functions);
    removeUnreachableBlocks(*copy);
  }

  static void addSimplification(FunctionPassManager &passes) {
    passes.addPass(SROAPass(SROAOptions::ModifyCFG));
    passes.addPass(EarlyCSEPass());
    passes.addPass(InstSimplifyPass());
    passes.addPass(SimplifyCFGPass());
    passes.addPass(ADCEPass());
  }

  Function &function;
  const HeaderFunctions &header;
  Analyses &analyses;
  Module &module;
  Function *copy = nullptr;
};

//===-- Records ---------------------------------------------------------------------------------------------------===//

/// Writes the records of a unit. The order of fields is that of cilk2gpu/abi/BlockRecords.def.
class LinkRecords {
public:
  explicit LinkRecords(Module &module) : module(module), builder(module.getContext()) {}

  void add(Function &function, const LinkDistances &distances) {
    SmallVector<uint32_t> numbers;
    for (const BlockOffset &offset : distances.offsets())
      for (int64_t distance : offset)
        numbers.push_back(static_cast<uint32_t>(distance));
    Constant *offsets = ConstantPointerNull::get(builder.getPtrTy());
    if (!numbers.empty())
      offsets = variable(ConstantDataArray::get(module.getContext(), numbers), "__cilk2gpu_block_links.offsets");
    const LinkPolicy &policy = distances.policy();
    records.push_back(ConstantStruct::getAnon(
        {&function, offsets, builder.getInt32(static_cast<uint32_t>(distances.offsets().size())),
         builder.getInt32(distances.rows()), builder.getInt32(policy.isGiven), builder.getInt32(policy.kind),
         builder.getInt64(static_cast<uint64_t>(policy.bound))}));
  }

  /// Writes the list, and a constructor that registers it.
  void finish() {
    if (records.empty())
      return;
    Constant *table = variable(ConstantArray::get(ArrayType::get(records.front()->getType(), records.size()), records),
                               "__cilk2gpu_block_links.table");
    Constant *name = variable(ConstantDataArray::getString(module.getContext(), module.getSourceFileName()),
                              "__cilk2gpu_block_links.module");
    GlobalVariable *list = variable(
        ConstantStruct::getAnon({builder.getInt32(abi::kMagic), builder.getInt32(abi::kAbiVersion), name, table,
                                 builder.getInt64(records.size()), ConstantPointerNull::get(builder.getPtrTy())}),
        "__cilk2gpu_block_links");
    list->setConstant(false); // the runtime owns the last field
    createConstructor(*list);
  }

private:
  GlobalVariable *variable(Constant *value, const Twine &name) {
    return new GlobalVariable(module, value->getType(), /*isConstant=*/true, GlobalValue::InternalLinkage, value, name);
  }

  void createConstructor(GlobalVariable &list) {
    auto *constructor = Function::createWithDefaultAttr(FunctionType::get(builder.getVoidTy(), false),
                                                        GlobalValue::InternalLinkage, 0, kRegisterLinks, &module);
    FunctionCallee callee = module.getOrInsertFunction(
        "__cilk2gpu_register_block_links", FunctionType::get(builder.getVoidTy(), builder.getPtrTy(), false));
    builder.SetInsertPoint(BasicBlock::Create(module.getContext(), "", constructor));
    builder.CreateCall(callee, &list);
    builder.CreateRetVoid();
    // Before the program's own constructors (65535), which may launch.
    appendToGlobalCtors(module, constructor, /*Priority=*/101);
  }

  Module &module;
  IRBuilder<> builder;
  SmallVector<Constant *> records;
};

//===-- Mapping functions -----------------------------------------------------------------------------------------===//

/// Returns the functions that may be mapping functions: without parameters, and leading to a call of the header.
SmallVector<Function *> findMappings(Module &module, const HeaderFunctions &header) {
  SmallSetVector<const Function *, 16> users;
  users.insert_range(header.links);
  users.insert_range(header.policies);
  for (unsigned i = 0; i < users.size(); ++i)
    for (const Use &use : users[i]->uses())
      if (auto *call = dyn_cast<CallBase>(use.getUser()); call && call->isCallee(&use))
        users.insert(call->getFunction());
  SmallVector<Function *> mappings(header.callers.begin(), header.callers.end());
  for (Function &function : module) {
    bool mayBePassed = function.hasAddressTaken() || !function.isDiscardableIfUnused();
    if (users.contains(&function) && function.arg_empty() && mayBePassed && !function.isDeclaration() &&
        !header.isCalled(&function) && !is_contained(mappings, &function))
      mappings.push_back(&function);
  }
  return mappings;
}

/// Returns the function whose line and name the user knows: of a caller, the object's operator ().
const Function &namedFunction(const Function &mapping, const HeaderFunctions &header) {
  for (const Instruction &inst : instructions(mapping))
    if (auto *call = dyn_cast<CallBase>(&inst);
        call && call->getCalledFunction() && header.callers.contains(const_cast<Function *>(&mapping)))
      return *call->getCalledFunction();
  return mapping;
}

/// "(-1, 0, 0), (0, -1, 0)"
std::string listed(ArrayRef<BlockOffset> offsets) {
  std::string text;
  for (const BlockOffset &offset : offsets)
    text += (text.empty() ? "(" : ", (") + std::to_string(offset[0]) + ", " + std::to_string(offset[1]) + ", " +
            std::to_string(offset[2]) + ")";
  return text;
}

} // namespace

static void readMapping(Function &mapping, const HeaderFunctions &header, Analyses &analyses, LinkRecords &records) {
  MappingCopy copy(mapping, header, analyses);
  std::string reason = copy.make();
  const Function &named = namedFunction(mapping, header);
  if (reason.empty()) {
    LinkDistances distances(copy.get());
    reason = distances.run();
    if (reason.empty()) {
      records.add(mapping, distances);
      std::string parents = distances.offsets().empty() ? "no parents" : "parents at " + listed(distances.offsets());
      emitRemark(named, "BlockOffsets", lineOf(named),
                 "mapping function " + quotedName(named) + " gives " + parents +
                     ": launches do not call it, and store no edges",
                 /*missed=*/false);
    }
  }
  bool isPassed = &named != &mapping || mapping.hasAddressTaken();
  if (!reason.empty() && isPassed)
    emitRemark(named, "BlockLinks", lineOf(named),
               "mapping function " + quotedName(named) + " is called for each block: " + reason, /*missed=*/true);
}

bool FindLinkDistancesPass::runOn(Module &module, Module &) {
  // The pass may run twice on a unit.
  if (module.getFunction(kRegisterLinks) || module.getDataLayout().getPointerSizeInBits() != 64)
    return true;
  HeaderFunctions header(module);
  SmallVector<Function *> mappings = findMappings(module, header);
  if (mappings.empty())
    return true;
  Analyses analyses;
  LinkRecords records(module);
  for (Function *mapping : mappings)
    readMapping(*mapping, header, analyses, records);
  for (const char *name : {kBlockLinkMarker, kBlockPolicyMarker, kBlockIdMarker, kGridDimMarker, kBlockDimMarker})
    if (Function *marker = module.getFunction(name); marker && marker->use_empty())
      marker->eraseFromParent();
  records.finish();
  return true;
}
