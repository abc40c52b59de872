// See DeviceCheck.h.
#include "DeviceCheck.h"
#include "AddressSpaces.h"
#include "HostCalls.h"
#include "HostThunks.h"
#include "PersistentKernel.h"
#include "Retarget.h"

#include "cilk2gpu/Support/Callee.h"
#include "cilk2gpu/Support/ReducerMarks.h"
#include "cilk2gpu/Target/GPU/DeviceModule.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace cilk2gpu;

/// Returns the path of a file from the current folder.
static std::string pathOf(const DIFile *file) {
  SmallString<256> path(file->getFilename()), current;
  if (!sys::path::is_absolute(path) && !sys::fs::current_path(current) && file->getDirectory() != current) {
    path = file->getDirectory();
    sys::path::append(path, file->getFilename());
  }
  return path.str().str();
}

/// Returns the source location of an instruction. If optimisation has lost it, returns the location of a neighbour.
static const DILocation *nearestLocation(const Instruction &where) {
  for (const Instruction *inst = &where; inst; inst = inst->getPrevNode())
    if (inst->getDebugLoc() && inst->getDebugLoc().getLine())
      return inst->getDebugLoc();
  for (const Instruction *inst = &where; inst; inst = inst->getNextNode())
    if (inst->getDebugLoc() && inst->getDebugLoc().getLine())
      return inst->getDebugLoc();
  for (const Instruction &inst : instructions(*where.getFunction()))
    if (inst.getDebugLoc() && inst.getDebugLoc().getLine())
      return inst.getDebugLoc();
  return nullptr;
}

/// Prints the line in the user's source. For code of the C++ library, that is the line of the user's call.
static void printPlace(raw_ostream &os, const Instruction &where) {
  const DILocation *location = nearestLocation(where);
  while (location && location->getInlinedAt() && location->getFilename().contains("/include/c++/"))
    location = location->getInlinedAt();
  const DISubprogram *scope = where.getFunction()->getSubprogram();
  if (location && location->getLine())
    os << pathOf(location->getFile()) << ":" << location->getLine() << ":" << std::max(1u, location->getColumn())
       << ": ";
  else if (scope)
    os << pathOf(scope->getFile()) << ":" << scope->getLine() << ": ";
}

std::string cilk2gpu::describe(const Instruction &where, StringRef kind, const Twine &text,
                               const DeviceTarget &target) {
  std::string line;
  raw_string_ostream os(line);
  printPlace(os, where);
  os << kind << ": " << text << " (--offload-arch=" << target.arch << ")";
  return line;
}

static bool isHostOnly(Type *whole) {
  Type *type = whole->getScalarType();
  return type->isX86_FP80Ty() || type->isFP128Ty() || type->isPPC_FP128Ty();
}

/// Returns true if a pointer has an address space of the host: a segment, or pointers of 32 bits.
static bool isHostPointer(Type *type) {
  Type *pointer = type->getScalarType();
  return pointer->isPointerTy() && pointer->getPointerAddressSpace() >= kFirstHostSpace;
}

/// Returns the size in bits of the object of an atomic operation, or 0 for a fence.
static uint64_t atomicBits(const Instruction &inst) {
  const Type *type = isa<LoadInst, AtomicRMWInst>(inst) ? inst.getType() : nullptr;
  if (auto *store = dyn_cast<StoreInst>(&inst))
    type = store->getValueOperand()->getType();
  else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&inst))
    type = exchange->getNewValOperand()->getType();
  return type ? type->getPrimitiveSizeInBits().getFixedValue() : 0; // pointers have 64 bits
}

/// Returns true if a back end may lack a conversion. Conversions that the compiler's library has are calls by now.
static bool convertsWide(const CastInst &cast) {
  return isa<FPToSIInst, FPToUIInst, SIToFPInst, UIToFPInst>(cast) &&
         std::max(cast.getSrcTy()->isIntOrIntVectorTy() ? cast.getSrcTy()->getScalarSizeInBits() : 0,
                  cast.getDestTy()->isIntOrIntVectorTy() ? cast.getDestTy()->getScalarSizeInBits() : 0) > 64;
}

/// Attribute of a call that may access errno.
static constexpr char kErrnoAttr[] = "cilk2gpu-errno";

void cilk2gpu::markErrno(Module &program) {
  for (Function &function : program)
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&inst); call && looksAtErrno(*call))
        call->addFnAttr(Attribute::get(program.getContext(), kErrnoAttr));
}

/// Name of printf until its calls are refused. LLVM would replace calls of printf for AMD's GPUs if it had its own
/// name.
static constexpr char kKeptPrintf[] = "cilk2gpu.printf";

void cilk2gpu::keepPrintf(Module &program) {
  if (Function *function = program.getFunction("printf"); function && function->isDeclaration())
    function->setName(kKeptPrintf);
}

/// Returns a message: the reason why a function of the C or C++ library cannot be called, and the remedy.
static std::string describeMissing(const CallBase &call) {
  StringRef name = calleeOf(call)->getName();
  if (name == kKeptPrintf)
    name = "printf";
  if (call.hasFnAttr(kErrnoAttr) || looksAtErrno(call))
    return "a task on a GPU accesses errno, which its lanes share; test the argument or the result instead";
  if (name.starts_with("__cxa_guard_") || name == "__cxa_atexit")
    return "a task on a GPU initialises a static variable of a function, for which other tasks may have to wait; make "
           "it a global variable, or give it a constant value";
  if (name.starts_with("__cxa_") || name == "_Unwind_Resume" || name == "_ZSt9terminatev")
    return "a GPU has no exceptions; return an error from the task";
  if (name.starts_with("__ubsan_") || name.starts_with("__asan_") || name.starts_with("__tsan_") ||
      name.starts_with("__msan_"))
    return "a GPU has no sanitizers; compile without -fsanitize, or with --offload-arch=gpu-host";
  if (name.starts_with("__builtin_"))
    return ("a task on a GPU uses '" + name + "', which only the host has; write the code without it").str();
  if (Attribute place = call.getFnAttr(kShowsUnmovableAttr); place.isValid())
    return ("a task on a GPU calls '" + writtenName(name) +
            "' on the host, which cannot see the array of variable size " + place.getValueAsString() +
            "; give the array a constant size, or allocate it")
        .str();
  for (StringRef waits : {"pthread_", "sem_", "mtx_", "cnd_", "thrd_"})
    if (name.starts_with(waits))
      return ("a task on a GPU calls '" + name +
              "', which may wait for another task; tasks wait for one another only by sync")
          .str();
  if (name == kHyperLookup)
    return "a task on a GPU uses a reducer in another way than to update it by '+', '-', '&', '|', '^', a minimum or a "
           "maximum of integers with 32 or 64 bits, so it needs a view, and views are in the host's memory; run the "
           "program with CILK2GPU_DEVICE=gpu-host, or return the values to be combined";
  if (StringRef(name).starts_with("__cilk2gpu_views_") || name == kReducerRegister || name == kReducerUnregister)
    return "a task on a GPU has a reducer of its own, whose views are in the host's memory; define the reducer outside "
           "of the tasks, or run the program with CILK2GPU_DEVICE=gpu-host";
  if (name == "__cilkrts_get_worker_number")
    return "a task on a GPU asks for the number of its worker, but lanes are not workers; return the value to be "
           "combined, or use an atomic operation";
  if (calleeOf(call)->isVarArg())
    return ("a task on a GPU calls '" + name +
            "' with more than 15 arguments, or with one that the host cannot have, "
            "such as a long double; pass fewer, or a double")
        .str();
  return "a task on a GPU calls '" + writtenName(name) +
         "', which has no version for GPUs, and which the host cannot call instead; define it in a file that is "
         "compiled with --offload-arch, or call it outside the tasks";
}

static SmallVector<Function *> callees(Function &function) {
  SmallVector<Function *> result;
  for (Instruction &inst : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&inst))
      if (Function *callee = calleeOf(*call); callee && !callee->isDeclaration())
        result.push_back(callee);
  return result;
}

/// Returns true if a call may lead to another call of the calling function, also through pointers.
bool DeviceCheck::mayRecurse(CallBase &call) {
  SmallSetVector<Function *, 16> reached;
  auto reach = [&](CallBase &from) {
    Function *callee = calleeOf(from);
    if (callee && !callee->isDeclaration())
      reached.insert(callee);
    else if (!callee && !from.isInlineAsm())
      for (Function &function : program)
        if (function.hasFnAttribute(kPointedAtAttr) && function.getFunctionType() == from.getFunctionType())
          reached.insert(&function);
  };
  reach(call);
  for (unsigned i = 0; i < reached.size(); ++i)
    for (Instruction &inst : instructions(*reached[i]))
      if (auto *next = dyn_cast<CallBase>(&inst))
        reach(*next);
  return reached.contains(call.getFunction());
}

void DeviceCheck::checkCall(CallBase &call, Report report) {
  if (call.isInlineAsm())
    return report(call, "a task on a GPU cannot run inline assembly of the host; write it in C");
  if (call.hasFnAttr(kMustTailAttr) && mayRecurse(call))
    report(call, "a task on a GPU makes a recursive call that must not need more stack (musttail), but GPUs keep the "
                 "frames of such functions; write a loop");
  Function *callee = calleeOf(call);
  if (!callee)
    return;
  if (callee->isIntrinsic()) {
    StringRef name = callee->getName();
    if (name.starts_with("llvm.experimental.constrained.") || name.starts_with("llvm.set."))
      report(
          call,
          "a task on a GPU computes where the rounding mode or traps may have been set (FENV_ACCESS, -frounding-math, "
          "-ffp-model=strict), but no program can set them on a GPU; compile the function without these options");
    if (any_of(ArrayRef<StringRef>{"llvm.x86.", "llvm.aarch64.", "llvm.va_", "llvm.eh.", "llvm.read_register",
                                   "llvm.write_register", "llvm.sponentry", "llvm.addressofreturnaddress"},
               [&](StringRef prefix) { return name.starts_with(prefix); }))
      report(call, "a task on a GPU uses '" + name + "', which only the host has; write the code without it");
  } else if (callee->isDeclaration()) {
    report(call, describeMissing(call));
  } else if (callee->isVarArg()) {
    report(call, "a task on a GPU calls '" + writtenName(callee->getName()) +
                     "', which takes a variable number of arguments; give it a fixed number");
  }
}

void DeviceCheck::check(Instruction &inst, Report report) {
  if (isa<IndirectBrInst, CallBrInst>(inst))
    return report(inst, "a task on a GPU cannot contain a computed goto; use a switch");
  for (const Use &operand : inst.operands()) {
    if (isHostOnly(operand->getType()))
      return report(inst, "a task on a GPU computes with 'long double', which GPUs do not have; use double");
    if (isHostPointer(operand->getType()))
      return report(inst, "a task on a GPU uses a pointer into an address space that only the host has, such as "
                          "__seg_gs; use an ordinary pointer");
    auto *variable = dyn_cast<GlobalVariable>(operand->stripInBoundsConstantOffsets());
    if (variable && variable->isThreadLocal())
      return report(inst, "a task on a GPU uses the thread-local variable '" + variable->getName() +
                              "'; a GPU's lanes are not threads: make it an argument");
  }
  if (inst.isAtomic() && atomicBits(inst) > 64)
    report(inst,
           "a task on a GPU reads or changes an atomic object of more than 64 bits, which GPUs do not have; use a "
           "smaller one, or results of tasks");
  if (auto *call = dyn_cast<CallBase>(&inst))
    checkCall(*call, report);
  else if (auto *cast = dyn_cast<CastInst>(&inst); cast && !target.isAMD() && convertsWide(*cast))
    report(
        inst,
        "a task on a GPU converts between a floating-point number and an integer of more than 64 bits, which NVIDIA's "
        "GPUs cannot do; use an integer of at most 128 bits with a double or a float");
}

bool DeviceCheck::isFitAlone(Function &function) {
  auto [known, isNew] = fitAlone.insert({&function, true});
  if (isNew)
    for (Instruction &inst : instructions(function))
      check(inst, [&](const Instruction &, const Twine &) { known->second = false; });
  return known->second;
}

bool DeviceCheck::isFit(Function &function) {
  SmallSetVector<Function *, 16> reached;
  reached.insert(&function);
  for (unsigned i = 0; i < reached.size(); ++i) {
    if (!isFitAlone(*reached[i]))
      return false;
    for (Function *callee : callees(*reached[i]))
      reached.insert(callee);
  }
  return true;
}

void DeviceCheck::checkPointer(CallBase &call, Report report) {
  if (call.isInlineAsm() || calleeOf(call) || isOwnCall(call) || isOfRuntime(*call.getFunction()))
    return;
  bool anyFits = any_of(program, [&](Function &function) {
    return function.hasFnAttribute(kPointedAtAttr) && function.getFunctionType() == call.getFunctionType() &&
           isFit(function);
  });
  if (!anyFits)
    report(
        call,
        "a task on a GPU calls through a pointer, but no function of this type that the program points at can run on a "
        "GPU; call the function by its name, or compile its file with --offload-arch");
}

std::vector<std::string> DeviceCheck::checkKernels() {
  constexpr size_t kMost = 20;
  std::vector<std::string> messages;
  StringSet<> seen;
  auto report = [&](const Instruction &where, const Twine &text) {
    std::string line = describe(where, "error", text, target);
    if (messages.size() < kMost && seen.insert(line).second)
      messages.push_back(line);
  };
  SmallVector<Function *> work;
  for (Function &function : program)
    if (isMarkedKernel(function))
      work.push_back(&function);
  SmallPtrSet<Function *, 32> reached(work.begin(), work.end());
  while (!work.empty()) {
    Function *function = work.pop_back_val();
    for (Instruction &inst : instructions(*function)) {
      check(inst, report);
      if (auto *call = dyn_cast<CallBase>(&inst))
        checkPointer(*call, report);
    }
    for (Function *callee : callees(*function))
      if (reached.insert(callee).second)
        work.push_back(callee);
  }
  return messages;
}
