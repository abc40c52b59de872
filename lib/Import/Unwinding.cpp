// Prepares exception handling in Cilk functions. No exception leaves a task: the loop that calls tasks ends the process
// with a message. So an invoke in a task becomes a call if its landing pad only cleans up or terminates, and cleanups
// for unwinding disappear. Try blocks remain. Calls of other code reach their handlers, and a handler belongs to one
// segment.
//
// main is not a task: it unwinds like any function, and its children end before objects that they may use are
// destroyed.
#include "DeferExceptions.h"
#include "Extract.h"
#include "ImportPasses.h"
#include "OrdinaryCode.h"

#include "cilk2gpu/Support/Markers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace cilk2gpu;

/// Returns true if a handler of the user can be reached from `pad`. All handlers begin with this call.
static bool catches(BasicBlock *pad) {
  SmallSetVector<BasicBlock *, 8> blocks;
  blocks.insert(pad);
  for (unsigned i = 0; i < blocks.size(); ++i) {
    for (Instruction &inst : *blocks[i])
      if (calleeName(inst) == "__cxa_begin_catch")
        return true;
    blocks.insert_range(successors(blocks[i]));
  }
  return false;
}

namespace {

/// The instructions between `begin` and the end marker with its id.
class MarkedRegion {
public:
  MarkedRegion(CallInst *begin, StringRef endName) : begin(begin), endName(endName) {}

  /// Changes the region so that nothing unwinds out of it: an invoke whose exception would leave the region becomes a
  /// call. If `pads` is given, handlers in the region stay, and their landing pads are added to `pads`.
  void cut(SmallPtrSetImpl<BasicBlock *> *pads);

  /// Adds the landing pads of a region that has been cut.
  void collectPads(SmallPtrSetImpl<BasicBlock *> &pads) const;

private:
  BasicBlock::iterator firstOf(BasicBlock *block) const {
    return block == begin->getParent() ? std::next(begin->getIterator()) : block->begin();
  }
  bool endsIn(BasicBlock *block, BasicBlock::iterator first) const {
    return any_of(make_range(first, block->end()), [&](Instruction &inst) {
      return calleeName(inst) == endName && cast<CallBase>(inst).getArgOperand(0) == begin->getArgOperand(0);
    });
  }
  /// Returns true if `block` leads to the end marker without an exception.
  bool returns(BasicBlock *block) const;
  void cutUnhandled(BasicBlock *pad) const;

  CallInst *begin;
  StringRef endName;
};

} // namespace

bool MarkedRegion::returns(BasicBlock *from) const {
  SmallSetVector<BasicBlock *, 16> seen;
  seen.insert(from);
  for (unsigned i = 0; i < seen.size(); ++i) {
    BasicBlock *block = seen[i];
    if (block == begin->getParent())
      continue; // the next iteration
    if (endsIn(block, block->begin()))
      return true;
    if (auto *invoke = dyn_cast<InvokeInst>(block->getTerminator()))
      seen.insert(invoke->getNormalDest());
    else
      seen.insert_range(successors(block));
  }
  return false;
}

/// Ends the process for exceptions that the region's handlers at `pad` do not catch. Neither outer handlers nor
/// cleanups run.
void MarkedRegion::cutUnhandled(BasicBlock *pad) const {
  SmallSetVector<BasicBlock *, 8> blocks;
  blocks.insert(pad);
  for (unsigned i = 0; i < blocks.size(); ++i) {
    if (any_of(*blocks[i], [](Instruction &inst) { return calleeName(inst) == "__cxa_begin_catch"; }))
      continue;
    for (BasicBlock *next : to_vector(successors(blocks[i]))) {
      if (returns(next)) {
        blocks.insert(next);
        continue;
      }
      BasicBlock *unhandled = BasicBlock::Create(pad->getContext(), "", pad->getParent());
      IRBuilder<> builder(unhandled);
      builder.SetCurrentDebugLocation(blocks[i]->getTerminator()->getDebugLoc());
      builder.CreateCall(
          pad->getModule()->getOrInsertFunction("__cilk2gpu_exception", FunctionType::get(builder.getVoidTy(), false)));
      builder.CreateUnreachable();
      blocks[i]->getTerminator()->replaceSuccessorWith(next, unhandled);
    }
  }
}

void MarkedRegion::cut(SmallPtrSetImpl<BasicBlock *> *pads) {
  SmallSetVector<BasicBlock *, 16> seen;
  seen.insert(begin->getParent());
  for (unsigned i = 0; i < seen.size(); ++i) {
    BasicBlock *block = seen[i];
    if (endsIn(block, firstOf(block)))
      continue;
    if (auto *invoke = dyn_cast<InvokeInst>(block->getTerminator())) {
      if (BasicBlock *pad = invoke->getUnwindDest(); !pads || !catches(pad) || !returns(pad)) {
        changeToCall(invoke);
      } else if (seen.insert(pad)) {
        pads->insert(pad);
        cutUnhandled(pad);
      }
    }
    if (auto *invoke = dyn_cast<InvokeInst>(block->getTerminator()))
      seen.insert(invoke->getNormalDest());
    else
      seen.insert_range(successors(block));
  }
}

void MarkedRegion::collectPads(SmallPtrSetImpl<BasicBlock *> &pads) const {
  SmallSetVector<BasicBlock *, 16> seen;
  seen.insert(begin->getParent());
  for (unsigned i = 0; i < seen.size(); ++i) {
    if (endsIn(seen[i], firstOf(seen[i])))
      continue;
    if (auto *invoke = dyn_cast<InvokeInst>(seen[i]->getTerminator()))
      pads.insert(invoke->getUnwindDest());
    seen.insert_range(successors(seen[i]));
  }
}

static SmallVector<CallInst *> callsNamed(Function &function, StringRef name) {
  SmallVector<CallInst *> found;
  for (Instruction &inst : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&inst); call && calleeName(inst) == name)
      found.push_back(call);
  return found;
}

/// Keeps exceptions of other tasks from unwinding into the function's own task. Returns the landing pads that are in
/// loops and spawned blocks.
static SmallPtrSet<BasicBlock *, 4> cutRegions(Function &function) {
  SmallPtrSet<BasicBlock *, 4> pads;
  for (CallInst *begin : callsNamed(function, kSpawnBeginMarker))
    MarkedRegion(begin, kSpawnEndMarker).cut(nullptr);
  for (CallInst *begin : callsNamed(function, kForBeginMarker))
    if (!begin->hasFnAttr(kHandlesAttr))
      MarkedRegion(begin, kForEndMarker).cut(&pads);
  for (CallInst *begin : callsNamed(function, kSpawnedBlockBeginMarker))
    if (!begin->hasFnAttr(kHandlesAttr))
      MarkedRegion(begin, kSpawnedBlockEndMarker).cut(&pads);
  return pads;
}

SmallPtrSet<BasicBlock *, 4> cilk2gpu::padsInLoops(Function &function) {
  SmallPtrSet<BasicBlock *, 4> pads;
  for (CallInst *begin : callsNamed(function, kForBeginMarker))
    MarkedRegion(begin, kForEndMarker).collectPads(pads);
  for (CallInst *begin : callsNamed(function, kSpawnedBlockBeginMarker))
    MarkedRegion(begin, kSpawnedBlockEndMarker).collectPads(pads);
  return pads;
}

static SmallVector<InvokeInst *> invokesOf(Function &function) {
  SmallVector<InvokeInst *> found;
  for (BasicBlock &block : function)
    if (auto *invoke = dyn_cast<InvokeInst>(block.getTerminator()))
      found.push_back(invoke);
  return found;
}

namespace {

/// Visits the instructions that may run between the landing of an exception and the end of its handler.
class HandlerWalk {
public:
  HandlerWalk(const SmallPtrSetImpl<Function *> &cilkFunctions) : cilkFunctions(cilkFunctions) {}

  /// Returns false after an error: a handler contains a call that would have to wait.
  bool check(BasicBlock *pad);
  /// Moves the syncs of returns inside of handlers behind the handlers.
  void moveSyncs();

private:
  bool scan(BasicBlock *block, unsigned depth);

  const SmallPtrSetImpl<Function *> &cilkFunctions;
  SetVector<std::pair<BasicBlock *, unsigned>> states; ///< blocks with the number of handlers around them
  SmallSetVector<CallBase *, 4> syncs, ends;
};

} // namespace

bool HandlerWalk::check(BasicBlock *pad) {
  states.insert({pad, 0});
  for (unsigned i = 0; i < states.size(); ++i)
    if (!scan(states[i].first, states[i].second))
      return false;
  return true;
}

bool HandlerWalk::scan(BasicBlock *block, unsigned depth) {
  for (Instruction &inst : *block) {
    StringRef name = calleeName(inst);
    if (name == "__cxa_begin_catch") {
      ++depth;
    } else if (name == "__cxa_end_catch") {
      if (depth <= 1)
        return ends.insert(cast<CallBase>(&inst)), true;
      --depth;
    } else if (name == kReturnSyncMarker) {
      syncs.insert(cast<CallBase>(&inst));
    } else if (auto *call = dyn_cast<CallBase>(&inst); call && cilkFunctions.contains(call->getCalledFunction())) {
      return reportError(inst,
                         "the handler of an exception cannot wait, but this one calls a function with spawn or sync; "
                         "call it after the handler, or move the try statement to a function of its own"),
             false;
    }
  }
  for (BasicBlock *next : successors(block))
    states.insert({next, depth});
  return true;
}

void HandlerWalk::moveSyncs() {
  if (syncs.empty())
    return;
  for (CallBase *end : ends) {
    auto *invoke = dyn_cast<InvokeInst>(end);
    Instruction *next = invoke ? &*invoke->getNormalDest()->getFirstInsertionPt() : end->getNextNode();
    createSync(next);
  }
  for (CallBase *sync : syncs)
    sync->eraseFromParent();
}

/// Prepares the handlers whose landing pads satisfy `isTasks`.
static bool prepareHandlers(Function &function, const SmallPtrSetImpl<Function *> &cilkFunctions,
                            function_ref<bool(BasicBlock *)> isTasks) {
  HandlerWalk handlers(cilkFunctions);
  for (InvokeInst *invoke : invokesOf(function))
    if (isTasks(invoke->getUnwindDest()) && !handlers.check(invoke->getUnwindDest()))
      return false;
  for (InvokeInst *invoke : invokesOf(function))
    if (isTasks(invoke->getUnwindDest()) && cilkFunctions.contains(invoke->getCalledFunction()))
      changeToCall(invoke); // another task, whose exceptions end the program
  handlers.moveSyncs();
  return true;
}

static bool prepareTask(Function &function, const SmallPtrSetImpl<Function *> &cilkFunctions) {
  for (InvokeInst *invoke : invokesOf(function))
    if (!catches(invoke->getUnwindDest()))
      changeToCall(invoke);
  return prepareHandlers(function, cilkFunctions, [](BasicBlock *) { return true; });
}

/// Prepares the handlers in main. It is not a task, but iterations of its loops are.
static bool prepareMain(Function &function, const SmallPtrSetImpl<Function *> &cilkFunctions,
                        const SmallPtrSetImpl<BasicBlock *> &loopPads) {
  for (BasicBlock &block : function)
    if (LandingPadInst *pad = block.getLandingPadInst(); pad && !loopPads.contains(&block))
      createSync(pad->getNextNode());
  return prepareHandlers(function, cilkFunctions, [&](BasicBlock *pad) { return loopPads.contains(pad); });
}

void cilk2gpu::createSync(IRBuilderBase &builder) {
  Module &module = *builder.GetInsertBlock()->getModule();
  FunctionCallee marker = module.getOrInsertFunction(kSyncMarker, FunctionType::get(builder.getVoidTy(), false));
  builder.CreateCall(marker)->setDoesNotThrow();
}

void cilk2gpu::createSync(Instruction *before) {
  IRBuilder<> builder(before);
  createSync(builder);
}

static bool prepareUnwinding(Function &function, const SmallPtrSetImpl<Function *> &cilkFunctions) {
  SmallPtrSet<BasicBlock *, 4> loopPads = cutRegions(function);
  bool ok = function.hasFnAttribute(kDefersAttr) ? true
            : function.getName() == "main"       ? prepareMain(function, cilkFunctions, loopPads)
                                                 : prepareTask(function, cilkFunctions);
  if (!ok)
    return false;
  for (CallInst *sync : callsNamed(function, kReturnSyncMarker)) {
    createSync(sync);
    sync->eraseFromParent();
  }
  removeUnreachableBlocks(function);
  if (invokesOf(function).empty())
    function.setPersonalityFn(nullptr);
  return true;
}

bool PrepareUnwindingPass::runOn(Module &module, Module &) {
  SmallVector<Function *> functions = findCilkFunctions(module);
  SmallPtrSet<Function *, 16> cilkFunctions(functions.begin(), functions.end());
  return all_of(functions, [&](Function *function) { return prepareUnwinding(*function, cilkFunctions); });
}
