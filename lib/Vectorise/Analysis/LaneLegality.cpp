// See LaneLegality.h. lib/Vectorise can emit all code that is accepted here, as vectors or lane after lane.
#include "LaneLegality.h"

#include "LaneCalls.h"
#include "MathCalls.h"
#include "cilk2gpu/Support/DoacrossPlan.h"
#include "cilk2gpu/Support/LLVMRemarks.h"
#include "cilk2gpu/Support/Markers.h"

#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace cilk2gpu;

static constexpr char kStartsLoop[] = "it starts a cilk_for";
static constexpr char kUnwinds[] = "it handles exceptions or branches to computed addresses";

/// Returns true for the functions that a task calls before the iterations of a cilk_for.
static bool startsLoop(const Function &callee) {
  StringRef name = callee.getName();
  return name == "__cilk2gpu_trip_count" || name == "__cilk2gpu_grain" || name.starts_with(kDoacrossPrefix);
}

bool cilk2gpu::hasVectorForm(const Type *type) {
  if (auto *integer = dyn_cast<IntegerType>(type))
    return integer->getBitWidth() <= 64;
  return type->isVoidTy() || type->isFloatTy() || type->isDoubleTy() ||
         (type->isPointerTy() && type->getPointerAddressSpace() == 0);
}

static bool isMemoryType(Type *type) {
  auto *integer = dyn_cast<IntegerType>(type);
  return !integer || is_contained({8u, 16u, 32u, 64u}, integer->getBitWidth());
}

/// Returns true for intrinsics that lib/Vectorise can emit: elementwise ones, block copies, and marks that it drops.
bool cilk2gpu::hasElementwiseForm(const IntrinsicInst &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::ctpop:
  case Intrinsic::ctlz:
  case Intrinsic::cttz:
  case Intrinsic::bswap:
  case Intrinsic::bitreverse:
  case Intrinsic::fshl:
  case Intrinsic::fshr:
  case Intrinsic::abs:
  case Intrinsic::smax:
  case Intrinsic::smin:
  case Intrinsic::umax:
  case Intrinsic::umin:
  case Intrinsic::scmp:
  case Intrinsic::ucmp:
  case Intrinsic::sadd_sat:
  case Intrinsic::uadd_sat:
  case Intrinsic::ssub_sat:
  case Intrinsic::usub_sat:
  case Intrinsic::fabs:
  case Intrinsic::sqrt:
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::minimum:
  case Intrinsic::maximum:
  case Intrinsic::copysign:
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::round:
  case Intrinsic::roundeven:
  case Intrinsic::prefetch:
  case Intrinsic::assume:
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::experimental_noalias_scope_decl:
    return true;
  case Intrinsic::memcpy:
  case Intrinsic::memmove:
  case Intrinsic::memset:
    return !cast<MemIntrinsic>(call).isVolatile();
  default:
    return false;
  }
}

/// Returns true for library functions in which other tasks cannot make a lane wait, because they unlock all that they
/// lock. Functions that only lock or unlock, or that are part of a loop that waits, are left out.
static bool isKnownLibrary(const Function &callee, const TargetLibraryInfo &library) {
  constexpr LibFunc waiting[] = {LibFunc_cxa_guard_acquire, LibFunc_cxa_guard_release, LibFunc_cxa_guard_abort,
                                 LibFunc_flockfile,         LibFunc_ftrylockfile,      LibFunc_funlockfile,
                                 LibFunc_atomic_load,       LibFunc_atomic_store};
  LibFunc known;
  return library.getLibFunc(callee, known) && library.has(known) && !is_contained(waiting, known);
}

/// Returns true for functions of <math.h> that LLVM's table of library functions lacks. They take and return numbers.
static bool isMathFunction(const Function &callee) {
  StringRef name = callee.getName();
  constexpr StringLiteral names[] = {"lround",    "llround", "lrint", "llrint", "fdim",
                                     "nextafter", "hypot",   "erf",   "erfc",   "tgamma"};
  bool isNamed = is_contained(names, name) || (name.consume_back("f") && is_contained(names, name));
  return isNamed && callee.isDeclaration() && !callee.isVarArg() && callee.arg_size() &&
         all_of(callee.args(), [](const Argument &argument) { return argument.getType()->isFloatingPointTy(); });
}

/// Returns the format of a library function that writes formatted text, else null.
static const Value *writtenFormat(const CallBase &call, const Function &callee) {
  StringRef name = callee.getName();
  if (!callee.isDeclaration() || (name.consume_back("_chk") && !name.consume_front("__")))
    return nullptr;
  bool isList = name.consume_front("v");
  if (!is_contained({"printf", "fprintf", "dprintf", "sprintf", "snprintf", "asprintf", "syslog"}, name))
    return nullptr;
  unsigned behind = isList ? 2 : 1; // the format is the last named parameter, or precedes the list
  unsigned count = callee.getFunctionType()->getNumParams();
  return count >= behind ? call.getArgOperand(count - behind) : nullptr;
}

/// Returns true if the format may contain `%m`, the text of errno.
static bool mayWriteErrno(const Value *format) {
  StringRef text;
  if (!getConstantStringInfo(format, text))
    return true;
  for (size_t at = text.find('%'); at != StringRef::npos; at = text.find('%', at + 1)) {
    at = text.find_first_not_of("-+ #0'I123456789.*$hlqLjzt", at + 1);
    if (at == StringRef::npos)
      return false;
    if (text[at] == 'm')
      return true;
  }
  return false;
}

static bool looksAtErrno(const CallBase &call, const Function &callee) {
  if (is_contained({"__errno_location", "perror", "err", "verr"}, callee.getName()))
    return true;
  const Value *format = writtenFormat(call, callee);
  return format && mayWriteErrno(format);
}

/// Returns a text that names the state of the thread that a function may access, or null if it accesses none. Lanes
/// that run together share one thread, so a call could see state that another lane's call has left.
static const char *threadStateOf(const Function &callee) {
  SmallPtrSet<const Function *, 8> reached{&callee};
  SmallVector<const Function *> work{&callee};
  while (!work.empty())
    for (const Instruction &inst : instructions(*work.pop_back_val())) {
      auto *call = dyn_cast<CallBase>(&inst);
      const Function *next = call ? call->getCalledFunction() : nullptr;
      if (!next)
        continue;
      if (next->getIntrinsicID() == Intrinsic::threadlocal_address)
        return ", which uses thread-local variables: lanes that run together share them";
      if (looksAtErrno(*call, *next))
        return ", which may look at errno: lanes that run together share it";
      if (reached.insert(next).second)
        work.push_back(next);
    }
  return nullptr;
}

/// Returns true if a call of an intrinsic, or of a function without a visible body, returns independently of other
/// tasks.
static bool isCallWithoutWait(const CallBase &call, const Function &callee, const TargetLibraryInfo &library) {
  return call.doesNotReturn() || call.hasFnAttr(Attribute::NoSync) || isMathFunction(callee) ||
         isKnownLibrary(callee, library);
}

/// Returns true if nothing in `function`, or in its callees, can wait for another task, even if a caller's loop calls
/// it repeatedly. Atomic updates whose result is unused cannot wait.
static bool isWithoutWait(const Function &function, const TargetLibraryInfo &library) {
  SmallPtrSet<const Function *, 8> reached{&function};
  SmallVector<const Function *> work{&function};
  auto isHarmless = [&](const Instruction &inst) {
    auto *call = dyn_cast<CallBase>(&inst);
    if (!call) {
      auto *update = dyn_cast<AtomicRMWInst>(&inst);
      return !inst.isVolatile() && (!inst.isAtomic() || (update && update->use_empty()));
    }
    const Function *callee = call->getCalledFunction();
    if (!callee || inst.isVolatile())
      return false;
    if (callee->isDeclaration())
      return isa<IntrinsicInst>(call) || isCallWithoutWait(*call, *callee, library);
    if (reached.insert(callee).second)
      work.push_back(callee);
    return true;
  };
  while (!work.empty())
    if (!all_of(instructions(*work.pop_back_val()), isHarmless))
      return false;
  return true;
}

static std::string text(const char *before, const Value &value, const char *after) {
  return before + quotedName(value) + after;
}

/// Returns true for the address of a thread-local variable in the body of a block graph.
static bool isSharedVariable(const CallInst &call) {
  return call.getIntrinsicID() == Intrinsic::threadlocal_address &&
         call.getFunction()->hasFnAttribute(lane::kBlockBodyAttr);
}

/// Returns why lanes cannot use a thread-local variable. The threads of a block share these variables in any form,
/// because they run on one thread of the host. Blocks must not share them.
static std::string whyNotShared(const CallInst &call) {
  return call.getFunction()->hasFnAttribute(lane::kLanesAreBlocksAttr)
             ? "it uses WF_SHARED or thread-local variables, which blocks do not share"
             : "";
}

static std::string whyNotCall(const CallInst &call, const TargetLibraryInfo &library) {
  if (isLaneOp(&call))
    return "";
  if (isSharedVariable(call))
    return whyNotShared(call);
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&call))
    return hasElementwiseForm(*intrinsic) || isPureMath(*intrinsic)
               ? ""
               : text("it uses ", *call.getCalledFunction(), ", which has no vector form");
  if (call.isInlineAsm())
    return "it contains inline assembly";
  const Function *callee = call.getCalledFunction();
  if (!callee)
    return "it calls through a pointer a function that may wait for other tasks";
  if (looksAtErrno(call, *callee))
    return "it looks at errno, which lanes that run together share";
  if (const char *state = threadStateOf(*callee))
    return text("it calls ", *callee, state);
  if (isCallWithoutWait(call, *callee, library) || (!callee->isDeclaration() && isWithoutWait(*callee, library)))
    return "";
  if (startsLoop(*callee))
    return kStartsLoop;
  if (callee->getName() == "__cilk2gpu_local")
    return "it uses alloca or an array of variable size";
  return text("it calls ", *callee, ", which may wait for other tasks");
}

/// Returns true if no path leads from some block to a return. The other lanes would wait for a lane in such a loop.
/// LLVM leaves such loops in code that never runs.
static bool hasEndlessLoop(Function &kernel) {
  SmallPtrSet<const BasicBlock *, 32> ending;
  SmallVector<const BasicBlock *> work;
  auto add = [&](const BasicBlock *block) {
    if (ending.insert(block).second)
      work.push_back(block);
  };
  for (BasicBlock &block : kernel)
    if (succ_empty(&block))
      add(&block);
  while (!work.empty())
    for (const BasicBlock *before : predecessors(work.pop_back_val()))
      add(before);
  return any_of(kernel, [&](BasicBlock &block) { return !ending.contains(&block); });
}

/// Checks cycles, not only loops, because some cycles have more than one entry.
static std::string whyNotAtomic(const Instruction &inst, const CycleInfo &cycles) {
  if (!inst.isAtomic())
    return "";
  if (isa<FenceInst>(inst))
    return "it contains a fence";
  // No code can wait for an update whose result is unused.
  if (auto *update = dyn_cast<AtomicRMWInst>(&inst); update && update->use_empty())
    return "";
  return cycles.getCycle(inst.getParent()) ? "a loop in it may wait for an atomic of another task" : "";
}

static std::string whyNotMemory(const Instruction &inst) {
  if (inst.isVolatile())
    return "it accesses volatile memory";
  Type *type = getLoadStoreType(const_cast<Instruction *>(&inst));
  return type && !isMemoryType(type) ? "it loads or stores a type that has no vector form" : "";
}

static std::string whyNot(const Instruction &inst, const CycleInfo &cycles, const TargetLibraryInfo &library) {
  if (!hasVectorForm(inst.getType()) || any_of(inst.operands(), [](const Use &use) {
        return !hasVectorForm(use->getType()) && !isa<BasicBlock, MetadataAsValue, Function>(use.get()) &&
               !isa<MetadataAsValue>(use);
      })) {
    std::string message = "it computes with a type that has no vector form";
    return message;
  }
  if (auto *call = dyn_cast<CallInst>(&inst))
    return whyNotCall(*call, library);
  if (std::string reason = whyNotAtomic(inst, cycles); !reason.empty())
    return reason;
  if (isa<LoadInst, StoreInst>(inst))
    return whyNotMemory(inst);
  if (auto *local = dyn_cast<AllocaInst>(&inst))
    return local->isStaticAlloca() ? "" : "it allocates a local array of variable size";
  if (isa<InvokeInst, CallBrInst, IndirectBrInst, VAArgInst>(inst) || inst.isEHPad())
    return kUnwinds;
  return "";
}

StringRef cilk2gpu::whyNeverInLanes(const Function &kernel) {
  for (const Instruction &inst : instructions(kernel)) {
    auto *call = dyn_cast<CallInst>(&inst);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (callee && startsLoop(*callee))
      return kStartsLoop;
    if (isa<InvokeInst>(inst))
      return kUnwinds;
  }
  return "";
}

std::string cilk2gpu::whyLaneByLane(Function &kernel) {
  // Sanitizers check each access separately, and a gather of bytes also touches neighbouring bytes.
  for (Attribute::AttrKind kind : {Attribute::SanitizeAddress, Attribute::SanitizeHWAddress, Attribute::SanitizeMemory,
                                   Attribute::SanitizeThread, Attribute::SanitizeMemTag})
    if (kernel.hasFnAttribute(kind))
      return "it is compiled for a sanitizer";
  if (hasEndlessLoop(kernel))
    return "a loop in it has no end";
  CycleInfo cycles;
  cycles.compute(kernel);
  TargetLibraryInfoImpl implementation(kernel.getParent()->getTargetTriple());
  TargetLibraryInfo library(implementation, &kernel);
  for (Instruction &inst : instructions(kernel))
    if (std::string reason = whyNot(inst, cycles, library); !reason.empty())
      return reason;
  return "";
}
