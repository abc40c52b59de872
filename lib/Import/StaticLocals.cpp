// Moves the initialisation of static local variables out of Cilk functions, into functions of their own:
//
//   if (!guard && __cxa_guard_acquire(&guard)) { initialise; __cxa_guard_release(&guard); }
//   ->
//   if (!guard) f.static();
//
// Lanes run in step. If each of them asked for the guard before one of them has initialised the variable, they would
// wait for each other for ever. A call of a function runs in one lane after the other.
//
// An initialisation that throws gives the guard back, and goes on to the cleanups and handlers of `f`. The new function
// throws the exception again instead, and `f` gets a landing pad for the call.
#include "Extract.h"
#include "ImportPasses.h"
#include "OrdinaryCode.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace cilk2gpu;

namespace {

/// The initialisation of one variable.
class Initialisation {
public:
  explicit Initialisation(CallInst &acquire) : acquire(acquire), function(*acquire.getFunction()) {}

  /// Moves the code into a function. Returns false if this is impossible.
  bool moveOut();

private:
  bool findBlocks();
  bool findPads();
  void throwAgain();
  void landIn(Function &own);

  CallInst &acquire;
  Function &function;
  SmallVector<BasicBlock *> blocks;   ///< the one with the call first; includes the code that runs if it throws
  SmallVector<LandingPadInst *> pads; ///< in these blocks
  BasicBlock *handler = nullptr;      ///< block of the function that runs after an exception; null: none
  unique_value clauses;               ///< a copy of a landing pad, for the call of the new function
  SmallSetVector<std::pair<unsigned, Value *>, 2> slots; ///< variables for the exception (0) and its type (1)
};

} // namespace

/// Returns the block behind an initialisation, which follows at once if another thread has initialised the variable.
/// Null: the code has another shape than Clang's.
static BasicBlock *endOf(const CallInst &acquire) {
  auto *branch = dyn_cast<BranchInst>(acquire.getParent()->getTerminator());
  auto *compare = branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  bool isKnown = compare && compare->getPredicate() == ICmpInst::ICMP_NE && compare->getOperand(0) == &acquire;
  return isKnown ? branch->getSuccessor(1) : nullptr;
}

static bool hasCallOf(const BasicBlock &block, StringRef name) {
  return any_of(block, [&](const Instruction &inst) { return calleeName(inst) == name; });
}

/// Finds the blocks of the initialisation, and the block to which its exceptions lead behind the call that gives back
/// the guard.
bool Initialisation::findBlocks() {
  const BasicBlock *end = endOf(acquire);
  if (!end)
    return false;
  SmallSetVector<BasicBlock *, 16> found;
  found.insert(acquire.getParent());
  for (unsigned i = 0; i < found.size(); ++i) {
    if (!hasCallOf(*found[i], "__cxa_guard_abort")) {
      for (BasicBlock *next : successors(found[i]))
        if (next != end)
          found.insert(next);
      continue;
    }
    BasicBlock *next = found[i]->getSingleSuccessor();
    if (!next || (handler && handler != next))
      return false;
    handler = next;
  }
  blocks = found.takeVector();
  return none_of(blocks, [](const BasicBlock *block) { return hasCallOf(*block, "__cxa_begin_catch"); }) &&
         (!handler || handler->phis().empty());
}

/// Finds the landing pads, and the variables in which the function finds what they caught. Returns false if a handler
/// has no pad.
bool Initialisation::findPads() {
  SmallPtrSet<BasicBlock *, 16> inside(blocks.begin(), blocks.end());
  auto isInside = [&](User *user) { return inside.contains(cast<Instruction>(user)->getParent()); };
  for (BasicBlock *block : blocks)
    if (auto *pad = block->getLandingPadInst())
      pads.push_back(pad);
  if (pads.empty())
    return !handler;
  for (BasicBlock *block : blocks)
    for (Instruction &inst : *block) {
      auto *store = dyn_cast<StoreInst>(&inst);
      auto *part = store ? dyn_cast<ExtractValueInst>(store->getValueOperand()) : nullptr;
      if (!part || part->getAggregateOperand()->getType() != pads.front()->getType())
        continue;
      if (any_of(store->getPointerOperand()->users(), [&](User *user) { return !isInside(user); }))
        slots.insert({part->getIndices()[0], store->getPointerOperand()});
    }
  return true;
}

/// Makes the blocks resume the exception that they have caught, instead of going on in the function. Their landing pads
/// become cleanups, so that the search for a handler goes on in the function.
void Initialisation::throwAgain() {
  clauses.reset(pads.front()->clone());
  Type *type = pads.front()->getType();
  auto *caught = new AllocaInst(type, function.getDataLayout().getAllocaAddrSpace(), "caught",
                                function.getEntryBlock().getFirstInsertionPt());
  for (LandingPadInst *&pad : pads) {
    auto *cleanup = LandingPadInst::Create(type, 0, "", pad->getIterator());
    cleanup->setCleanup(true);
    cleanup->setDebugLoc(pad->getDebugLoc());
    pad->replaceAllUsesWith(cleanup);
    pad->eraseFromParent();
    pad = cleanup;
    new StoreInst(cleanup, caught, cleanup->getParent()->getFirstInsertionPt());
  }
  auto *again = BasicBlock::Create(function.getContext(), "again", &function);
  IRBuilder<> builder(again);
  builder.SetCurrentDebugLocation(acquire.getDebugLoc());
  builder.CreateResume(builder.CreateLoad(type, caught));
  for (BasicBlock *block : blocks) // only that behind the guard goes on there
    block->getTerminator()->replaceSuccessorWith(handler, again);
  blocks.push_back(again);
}

/// Makes exceptions of the new function land where those of the initialisation did.
void Initialisation::landIn(Function &own) {
  auto *call = cast<CallInst>(own.user_back());
  auto *pad = BasicBlock::Create(function.getContext(), "lpad", &function);
  IRBuilder<> builder(pad);
  builder.SetCurrentDebugLocation(call->getDebugLoc());
  auto *caught = builder.Insert(cast<LandingPadInst>(clauses.release()));
  for (auto [index, slot] : slots)
    builder.CreateStore(builder.CreateExtractValue(caught, index), slot);
  builder.CreateBr(handler);
  changeToInvokeAndSplitBasicBlock(call, pad);
}

bool Initialisation::moveOut() {
  DebugLoc line = acquire.getDebugLoc();
  if (&acquire != &acquire.getParent()->front())
    SplitBlock(acquire.getParent(), acquire.getIterator());
  if (!findBlocks() || !findPads())
    return false;
  if (handler)
    throwAgain();
  sinkPrivates(blocks);
  SetVector<Value *> outputs;
  Function *own = extractPart(blocks, outputs);
  if (!own)
    return false;
  if (handler)
    landIn(*own);
  own->setName(function.getName() + ".static");
  if (function.hasPersonalityFn() && !pads.empty())
    own->setPersonalityFn(function.getPersonalityFn());
  dropTaskMarks(*own);
  giveLine(*own, line);
  own->addFnAttr(Attribute::NoInline);
  own->addFnAttr(Attribute::Cold);
  return true;
}

static SmallVector<CallInst *> initialisationCalls(const Function &callee, Function &caller) {
  SmallVector<CallInst *> calls;
  for (Instruction &inst : instructions(caller))
    if (auto *call = dyn_cast<CallInst>(&inst); call && call->getCalledFunction() == &callee)
      calls.push_back(call);
  return calls;
}

bool MoveStaticLocalsPass::runOn(Module &module, Module &) {
  const Function *asks = module.getFunction("__cxa_guard_acquire");
  if (!asks)
    return true;
  for (Function *function : findGraphFunctions(module)) {
    if (initialisationCalls(*asks, *function).empty())
      continue;
    EliminateUnreachableBlocks(*function); // inlined helpers leave a landing pad without a call
    for (CallInst *acquire : initialisationCalls(*asks, *function))
      if (!Initialisation(*acquire).moveOut())
        reportError(*acquire, "a function with spawn or sync cannot have a static local variable that is initialized "
                              "in this way; move the variable out of the function");
  }
  return true;
}
