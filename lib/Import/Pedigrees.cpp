// Keeps pedigrees. The pedigree of a strand is the list of ranks on the path from the root of the tree of spawns. A
// spawn, a sync, a cilk_for and a plain call of a Cilk function raise the rank of their strand. A child begins with
// rank 0 below the rank of its spawn, and an iteration below its number and the rank of its loop.
//
//   x = cilk_spawn f(n);  ->  x = cilk_spawn f.pedigree(n, strand, strand->rank++);
//   y = f(n);             ->  y = f.pedigree(n, strand, kSharedRecord); strand->rank++;
//   z = __cilk2gpu_strand()->rank;  ->  z = strand->rank;
//
// A strand's record is a local of its task, and begins with the task's place: a rank, and the address of the place
// above it. Children end before their parents, so these addresses stay valid. Parents change only the rank of their own
// strand, which no child reads. So pedigrees are ordinary data of the program, and depend on no schedule.
//
// Ordinary functions that lead to a use of pedigrees get the record as an argument, too. Code that cannot get it, such
// as a function of another unit that may call back, finds it in its thread (PedigreeForms.cpp).
#include "DeferExceptions.h"
#include "Extract.h"
#include "ImportPasses.h"
#include "KnownLibraries.h"
#include "OrdinaryCode.h"
#include "PedigreeForms.h"
#include "SerialLoop.h"
#include "SpawnCode.h"

#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/PedigreeMarks.h"
#include "cilk2gpu/abi/Records.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <array>

using namespace llvm;
using namespace cilk2gpu;

//===-- Which functions know their strand -------------------------------------------------------------------------===//

/// Metadata of a module whose pedigrees are kept already.
static constexpr const char kDoneMetadata[] = "cilk2gpu.pedigrees";

namespace {

/// The functions that have to know their strand, and the functions that may lead to them in unknown ways.
struct StrandUsers {
  explicit StrandUsers(Module &module);

  /// Returns true if a call may lead to code that asks its thread for the strand.
  bool isUnknown(const CallBase &call) const;

  SmallPtrSet<const Function *, 16> tasks;  ///< Cilk functions
  SmallSetVector<Function *, 16> functions; ///< functions that call others of them, or ask for the strand themselves
  SmallPtrSet<const Function *, 16> unknown;

private:
  void findFunctions(Module &module);
  void findUnknown(Module &module);
};

} // namespace

/// Returns true for a function of a library that calls no code of the program, or that returns twice, as setjmp does.
/// Another function cannot call such a function in the program's place.
static bool isOfLibrary(const Function &function, const KnownLibraries &library) {
  StringRef name = function.getName();
  return isHarmless(function, library) || function.hasFnAttribute(Attribute::ReturnsTwice) || name == "getcontext" ||
         (name != "pthread_once" &&
          any_of(std::array{"pthread_", "__cilkrts_", "__hyper_", "__clang_", "__ubsan_", "__asan_", "__hwasan_",
                            "__tsan_", "__sanitizer_", "__llvm_", "llvm_gcov_"},
                 [&](const char *prefix) { return name.starts_with(prefix); }));
}

StrandUsers::StrandUsers(Module &module) {
  for (Function *task : findCilkFunctions(module))
    tasks.insert(task);
  findFunctions(module);
  findUnknown(module);
}

void StrandUsers::findFunctions(Module &module) {
  SmallVector<Function *> work;
  auto addCallers = [&](Function &callee) {
    for (User *user : callee.users())
      if (auto *call = dyn_cast<CallBase>(user); call && call->getCalledOperand() == &callee)
        work.push_back(call->getFunction());
  };
  if (Function *strand = module.getFunction(kStrandFunction))
    addCallers(*strand);
  for (Function &function : module)
    if (tasks.contains(&function))
      work.push_back(&function);
  while (!work.empty())
    if (Function *function = work.pop_back_val(); functions.insert(function))
      addCallers(*function);
}

bool StrandUsers::isUnknown(const CallBase &call) const {
  if (isa<IntrinsicInst>(call) || call.isInlineAsm() || call.hasFnAttr(Attribute::ReturnsTwice))
    return false;
  auto *callee = dyn_cast<Function>(call.getCalledOperand());
  bool isMismatched = callee && !call.getCalledFunction() && functions.contains(callee);
  return !callee || isMismatched || unknown.contains(callee);
}

void StrandUsers::findUnknown(Module &module) {
  KnownLibraries library{TargetLibraryInfoImpl(module.getTargetTriple()), /*hasCxx=*/true};
  SmallVector<Function *> work;
  for (Function &function : module) {
    bool isOpaque = function.isDeclaration() ? !isOfLibrary(function, library) : function.isInterposable();
    auto isIndirect = [&](const Instruction &inst) {
      auto *call = dyn_cast<CallBase>(&inst);
      return call && !call->isInlineAsm() && !isa<Function>(call->getCalledOperand());
    };
    if (isOpaque || (!functions.contains(&function) && any_of(instructions(function), isIndirect)))
      work.push_back(&function);
  }
  while (!work.empty()) {
    Function *function = work.pop_back_val();
    if (!unknown.insert(function).second)
      continue;
    for (User *user : function->users())
      if (auto *call = dyn_cast<CallBase>(user); call && !functions.contains(call->getFunction()))
        work.push_back(call->getFunction());
  }
}

/// Returns true if a function can get more parameters. Others ask their thread for the strand.
static bool canHaveForm(Function &function) {
  if (function.isVarArg() || function.getName() == "main" || function.isInterposable() ||
      function.hasFnAttribute(Attribute::Naked) || function.isPresplitCoroutine())
    return false;
  return none_of(function,
                 [](BasicBlock &block) { return block.hasAddressTaken() || block.getTerminatingMustTailCall(); });
}

//===-- The code of one function ----------------------------------------------------------------------------------===//

namespace {

/// A cilk_for or a spawned block: code that has a record of its own.
struct StrandRegion {
  CallInst *begin;
  BasicBlock *end; ///< the block that begins with the end marker; null if no path leads there
  SmallPtrSet<BasicBlock *, 16> blocks;
  Value *parent = nullptr, *rank = nullptr; ///< record around the region, and its rank at the begin marker
  AllocaInst *record = nullptr;             ///< made if the code uses it

  bool isLoop() const { return begin->getCalledFunction()->getName() == kForBeginMarker; }
};

/// A spawn of a call.
struct StrandSpawn {
  Value *parent, *rank;
  CallInst *calleeMarker = nullptr;
};

/// Makes a function keep the pedigree of its strand.
class StrandKeeper {
public:
  StrandKeeper(Function &function, StrandForms &forms, const StrandUsers &users)
      : function(function), forms(forms), users(users) {}
  void run();

private:
  void findStrand();
  void findRegions();
  void beginRegions();
  void beginSpawns();
  void replaceRaises();
  void replaceCalls();
  void replaceCall(CallBase &call);
  void redirect(CallBase &call, Function &target, ArrayRef<Value *> more);
  void raiseBehind(CallBase &call);
  Value *strandAt(Instruction &inst);
  void createRecord(StrandRegion &region);
  AllocaInst *createLocal(Type *type, const Twine &name);

  Function &function;
  StrandForms &forms;
  const StrandUsers &users;
  AllocaInst *variable = nullptr;                     ///< holds the address of the strand's record
  std::vector<std::unique_ptr<StrandRegion>> regions; ///< outer ones first
  DenseMap<const BasicBlock *, StrandRegion *> innermost;
  DenseMap<const CallBase *, StrandSpawn> spawns; ///< calls of children
};

} // namespace

AllocaInst *StrandKeeper::createLocal(Type *type, const Twine &name) {
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  builder.SetCurrentDebugLocation(DebugLoc());
  return builder.CreateAlloca(type, nullptr, name);
}

/// Finds the record at the begin of the function.
void StrandKeeper::findStrand() {
  bool isForm = forms.isForm(function);
  variable = createLocal(forms.pointer, "strand");
  AllocaInst *own = isForm && forms.isTask(function) ? createLocal(forms.record, "record") : nullptr;
  IRBuilder<> builder(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  if (DISubprogram *program = function.getSubprogram())
    builder.SetCurrentDebugLocation(DILocation::get(function.getContext(), program->getScopeLine(), 0, program));
  unsigned count = function.arg_size();
  if (own) {
    Value *rank = function.getArg(count - 1), *outer = function.getArg(count - 2);
    forms.initialise(builder, own, rank, outer);
    Value *isShared = builder.CreateICmpEQ(rank, builder.getInt64(kSharedRecord));
    builder.CreateStore(builder.CreateSelect(isShared, outer, own), variable);
  } else if (isForm) {
    builder.CreateStore(function.getArg(count - 1), variable);
  } else {
    builder.CreateStore(forms.strandOfThread(builder), variable);
    for (BasicBlock &block : function)
      if (isa<ReturnInst>(block.getTerminator()) && !block.getTerminatingMustTailCall()) {
        builder.SetInsertPoint(block.getTerminator());
        forms.enter(builder, builder.CreateLoad(forms.pointer, variable));
      }
  }
}

/// Finds the blocks of a region. An exception that leaves the region leads to other blocks, from which no path comes
/// back to the region's end. Blocks that end the program belong to the region.
static void findBlocks(StrandRegion &region) {
  SmallSetVector<BasicBlock *, 16> ahead;
  ahead.insert(region.begin->getParent()->getSingleSuccessor());
  for (unsigned i = 0; i < ahead.size(); ++i)
    for (BasicBlock *next : successors(ahead[i]))
      if (next != region.end)
        ahead.insert(next);
  auto reach = [&](auto isGoal) {
    SmallPtrSet<BasicBlock *, 16> found;
    SmallVector<BasicBlock *> work;
    for (BasicBlock *block : ahead)
      if (isGoal(block))
        work.push_back(block);
    while (!work.empty())
      if (BasicBlock *block = work.pop_back_val(); ahead.contains(block) && found.insert(block).second)
        if (block != ahead.front())
          append_range(work, predecessors(block));
    return found;
  };
  auto toEnd = reach([&](BasicBlock *block) { return is_contained(successors(block), region.end); });
  auto toExit = reach([](BasicBlock *block) { return isa<ReturnInst, ResumeInst>(block->getTerminator()); });
  for (BasicBlock *block : ahead)
    if (toEnd.contains(block) || !toExit.contains(block))
      region.blocks.insert(block);
}

void StrandKeeper::findRegions() {
  for (auto [beginName, endName] :
       {std::pair(kForBeginMarker, kForEndMarker), std::pair(kSpawnedBlockBeginMarker, kSpawnedBlockEndMarker)})
    for (CallInst *begin : markersIn(function, beginName)) {
      CallInst *end = nullptr;
      isolateBody(*begin, endName, end);
      regions.push_back(std::make_unique<StrandRegion>(begin, end ? end->getParent() : nullptr));
    }
  for (auto &region : regions) // blocks are final now
    findBlocks(*region);
  llvm::sort(regions, [](auto &left, auto &right) { return left->blocks.size() > right->blocks.size(); });
  for (auto &region : regions)
    for (BasicBlock *block : region->blocks)
      innermost[block] = region.get();
}

/// Returns the address of the record at an instruction.
Value *StrandKeeper::strandAt(Instruction &inst) {
  if (StrandRegion *region = innermost.lookup(inst.getParent())) {
    if (!region->record)
      createRecord(*region);
    return region->record;
  }
  return IRBuilder<>(&inst).CreateLoad(forms.pointer, variable);
}

/// Returns the number of the iteration, from the value of the loop's variable.
static Value *numberOf(IRBuilder<> &builder, CallInst &begin) {
  Value *first = begin.getArgOperand(1), *step = begin.getArgOperand(3);
  Value *up = builder.CreateSub(&begin, first), *down = builder.CreateSub(first, &begin);
  Value *isDown = builder.CreateICmpSLT(step, builder.getInt64(0)), *back = builder.CreateNeg(step);
  auto *constant = dyn_cast<ConstantInt>(step);
  Value *way = constant ? (constant->isNegative() ? down : up) : builder.CreateSelect(isDown, down, up);
  Value *stride = constant ? (constant->isNegative() ? back : step) : builder.CreateSelect(isDown, back, step);
  return match(stride, PatternMatch::m_One()) ? way : builder.CreateUDiv(way, stride);
}

/// Makes the record of a region's code. The place of a loop is a local of the function around it.
void StrandKeeper::createRecord(StrandRegion &region) {
  region.record = createLocal(forms.record, "record");
  Value *rank = region.rank, *parent = region.parent;
  if (region.isLoop()) {
    AllocaInst *place = createLocal(forms.place, "place");
    IRBuilder<> before(region.begin);
    before.CreateStore(region.rank, place);
    before.CreateStore(region.parent, before.CreateConstInBoundsGEP2_32(forms.place, place, 0, 1));
    parent = place;
  }
  IRBuilder<> builder(&*region.begin->getParent()->getSingleSuccessor()->getFirstInsertionPt());
  builder.SetCurrentDebugLocation(region.begin->getDebugLoc());
  if (region.isLoop())
    rank = numberOf(builder, *region.begin);
  forms.initialise(builder, region.record, rank, parent);
}

void StrandKeeper::beginRegions() {
  for (auto &region : regions) {
    region->parent = strandAt(*region->begin);
    IRBuilder<> builder(region->begin);
    region->rank = forms.raise(builder, region->parent);
  }
}

/// Takes the ranks of spawned calls. What a child calls behind the spawned call, to assign its result, is below the
/// same rank.
void StrandKeeper::beginSpawns() {
  for (CallInst *begin : markersIn(function, kSpawnBeginMarker)) {
    StrandSpawn spawn{strandAt(*begin), nullptr};
    IRBuilder<> builder(begin);
    spawn.rank = forms.raise(builder, spawn.parent);
    visitSpawn(begin, [&](Instruction &inst) {
      if (isCallOf(inst, kSpawnCalleeMarker))
        spawn.calleeMarker = cast<CallInst>(&inst);
    });
    SmallVector<CallBase *> calls = callsOf(begin);
    CallBase *spawned = spawnedCall(calls, spawn.calleeMarker);
    bool isChild = !spawned;
    for (CallBase *call : calls) {
      isChild |= call == spawned;
      if (isChild)
        spawns[call] = spawn;
    }
  }
}

void StrandKeeper::replaceRaises() {
  for (CallInst *marker : markersIn(function, kRaiseMarker)) {
    IRBuilder<> builder(marker);
    forms.raise(builder, strandAt(*marker));
    marker->eraseFromParent();
  }
}

/// Calls `target` with more arguments in the place of a call. A callee that is no function becomes the first argument.
void StrandKeeper::redirect(CallBase &call, Function &target, ArrayRef<Value *> more) {
  LLVMContext &context = function.getContext();
  SmallVector<Value *> args;
  SmallVector<AttributeSet> sets;
  if (!call.getCalledFunction()) {
    args.push_back(call.getCalledOperand());
    sets.push_back({});
  }
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    args.push_back(call.getArgOperand(i));
    sets.push_back(call.getAttributes().getParamAttrs(i));
  }
  append_range(args, more);
  CallBase *made = nullptr;
  if (auto *invoke = dyn_cast<InvokeInst>(&call))
    made = InvokeInst::Create(&target, invoke->getNormalDest(), invoke->getUnwindDest(), args, "", call.getIterator());
  else
    made = CallInst::Create(&target, args, "", call.getIterator());
  AttributeSet own = call.getAttributes().getFnAttrs().removeAttribute(context, Attribute::Memory);
  made->setAttributes(AttributeList::get(context, own, call.getAttributes().getRetAttrs(), sets));
  made->setCallingConv(target.getCallingConv());
  made->copyMetadata(call);
  made->takeName(&call);
  if (auto spawn = spawns.find(&call); spawn != spawns.end())
    if (CallInst *marker = spawn->second.calleeMarker;
        marker && marker->getArgOperand(0)->stripPointerCasts() == call.getCalledOperand()->stripPointerCasts())
      marker->setArgOperand(0, &target);
  call.replaceAllUsesWith(made);
  call.eraseFromParent();
}

/// Raises the rank behind a plain call of a Cilk function, which has used the ranks up to there.
void StrandKeeper::raiseBehind(CallBase &call) {
  Instruction *next = call.getNextNode();
  if (auto *invoke = dyn_cast<InvokeInst>(&call)) {
    BasicBlock *normal = invoke->getNormalDest();
    if (!normal->getSinglePredecessor()) {
      StrandRegion *region = innermost.lookup(call.getParent());
      normal = SplitEdge(call.getParent(), normal);
      innermost[normal] = region;
    }
    next = &*normal->getFirstInsertionPt();
  }
  Value *strand = strandAt(*next);
  IRBuilder<> builder(next);
  forms.raise(builder, strand);
}

void StrandKeeper::replaceCall(CallBase &call) {
  Function *callee = call.getCalledFunction();
  if (callee && callee->getName() == kStrandFunction) {
    call.replaceAllUsesWith(strandAt(call));
    auto *invoke = dyn_cast<InvokeInst>(&call);
    (invoke ? changeToCall(invoke) : &call)->eraseFromParent();
    return;
  }
  Function *form = callee ? forms.formOf(callee) : nullptr;
  bool asksThread = !form && ((callee && users.functions.contains(callee)) || users.isUnknown(call));
  if (!form && !asksThread)
    return;
  bool isTask = form && forms.isTask(*form);
  if (call.hasOperandBundles() || call.isMustTailCall() || isa<CallBrInst>(call)) {
    Value *strand = strandAt(call);
    IRBuilder<> builder(&call);
    forms.enter(builder, strand);
    return;
  }
  if (auto found = spawns.find(&call); found != spawns.end()) {
    Value *more[] = {found->second.parent, found->second.rank};
    return redirect(call, isTask ? *form : *forms.spawnedForm(call), more);
  }
  SmallVector<Value *, 2> more{strandAt(call)};
  if (isTask) {
    raiseBehind(call);
    more.push_back(ConstantInt::get(forms.i64, kSharedRecord));
  }
  redirect(call, form ? *form : *forms.enteringForm(call), more);
}

void StrandKeeper::replaceCalls() {
  SmallVector<CallBase *> calls;
  for (Instruction &inst : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&inst))
      calls.push_back(call);
  for (CallBase *call : calls)
    replaceCall(*call);
}

void StrandKeeper::run() {
  findRegions();
  findStrand();
  beginRegions();
  beginSpawns();
  replaceRaises();
  replaceCalls();
  function.removeFnAttr(Attribute::Memory);
}

//===-- The pass --------------------------------------------------------------------------------------------------===//

/// Returns true if all functions that know their strand have a place in the tree of spawns.
static bool haveStrands(const StrandUsers &users) {
  bool ok = true;
  auto refuse = [&](Instruction &inst, const Twine &message) {
    reportError(inst, message);
    ok = false;
  };
  for (Function *function : users.functions) {
    if (function->hasFnAttribute(kBlockKernelAttr) || function->hasFnAttribute(kGraphKernelAttr))
      refuse(*function->getEntryBlock().getFirstNonPHIOrDbg(),
             "a kernel has no place in the tree of spawns, so it has no pedigree; pass it a number");
    for (Instruction &inst : instructions(*function))
      if (isCallOf(inst, kDependAdd))
        refuse(inst, "an ordered spawn has no pedigree; leave '#pragma cilk depend' out, or -fcilk-pedigrees");
      else if (isCallOf(inst, kForBeginMarker))
        if (auto *comparison = dyn_cast<ConstantInt>(cast<CallBase>(inst).getArgOperand(4));
            comparison && (comparison->getZExtValue() & abi::kTiles))
          refuse(inst, "the iterations of a doacross nest run in tiles and have no pedigrees; leave '#pragma cilk "
                       "doacross' out, or -fcilk-pedigrees");
  }
  return ok;
}

/// Defines the seed of the random numbers, which all units share.
static void defineSeed(Module &module) {
  GlobalVariable *seed = module.getGlobalVariable(kPedigreeSeed);
  if (!seed || !seed->isDeclaration())
    return;
  constexpr uint64_t kFirstSeed = 0x9e3779b97f4a7c15; // 2^64 divided by the golden ratio
  seed->setInitializer(ConstantInt::get(Type::getInt64Ty(module.getContext()), kFirstSeed));
  seed->setLinkage(GlobalValue::LinkOnceODRLinkage);
  if (module.getTargetTriple().supportsCOMDAT())
    seed->setComdat(module.getOrInsertComdat(kPedigreeSeed));
}

/// Creates a constructor that tells the runtime that the unit has pedigrees.
static void announcePedigrees(Module &module) {
  LLVMContext &context = module.getContext();
  auto *none = FunctionType::get(Type::getVoidTy(context), false);
  auto *constructor =
      Function::createWithDefaultAttr(none, GlobalValue::InternalLinkage, 0, kAnnouncePedigrees, &module);
  IRBuilder<> builder(BasicBlock::Create(context, "", constructor));
  Value *name = builder.CreateGlobalString(module.getSourceFileName(), "__cilk2gpu_pedigrees_of");
  auto *type = FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false);
  builder.CreateCall(module.getOrInsertFunction(kHasPedigrees, type), {name});
  builder.CreateRetVoid();
  appendToGlobalCtors(module, constructor, /*Priority=*/101);
}

/// Removes functions that only their forms needed. A form that has one caller is not called by its function either.
static void dropUnused(ArrayRef<Function *> functions, StrandForms &forms) {
  for (Function *function : functions) {
    Function *form = forms.formOf(function);
    if (!form)
      continue;
    function->removeDeadConstantUsers();
    if (function->use_empty() && function->isDiscardableIfUnused())
      function->eraseFromParent();
    else
      form->removeFnAttr(kSingleCallAttr);
  }
}

bool KeepPedigreesPass::runOn(Module &module, Module &) {
  if (module.getNamedMetadata(kDoneMetadata))
    return true; // the pass may run twice
  module.getOrInsertNamedMetadata(kDoneMetadata);
  defineSeed(module);
  StrandUsers users(module);
  if (users.functions.empty())
    return true;
  if (!haveStrands(users))
    return false;
  SmallVector<Function *> functions;
  for (Function &function : module)
    if (users.functions.contains(&function))
      functions.push_back(&function);
  StrandForms forms(module);
  for (Function *function : functions)
    if (canHaveForm(*function))
      forms.createForm(*function, users.tasks.contains(function));
  for (Function *function : functions) {
    Function *form = forms.formOf(function);
    StrandKeeper(form ? *form : *function, forms, users).run();
  }
  dropUnused(functions, forms);
  if (Function *strand = module.getFunction(kStrandFunction); strand && strand->use_empty())
    strand->eraseFromParent();
  if (Function *marker = module.getFunction(kRaiseMarker))
    marker->eraseFromParent();
  if (announces)
    announcePedigrees(module);
  return true;
}
