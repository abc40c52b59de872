// Lane forms go through LLVM's simplification in a module of their own, which can be thrown away. Many kernels can only
// be vectorised well after inlining, with locals in SSA form, and with rotated loops. Then the forms go through MLIR,
// where vectorise-lanes works, and back.
#include "VectoriseKernels.h"

#include "Import/Extract.h"
#include "Import/InheritAttributes.h"
#include "ShareKernels.h"
#include "VectorTarget.h"
#include "Vectorise/Analysis/LaneCalls.h"
#include "Vectorise/Analysis/LaneCost.h"
#include "Vectorise/Analysis/LaneLegality.h"
#include "Vectorise/Analysis/VectorCloneChoice.h"

#include "cilk2gpu/Dialect/Lane/Transforms/Passes.h"
#include "cilk2gpu/Support/Analyses.h"
#include "cilk2gpu/Support/LLVMRemarks.h"
#include "cilk2gpu/Support/LoweredNames.h"
#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/ModuleParts.h"
#include "cilk2gpu/Support/SourceTarget.h"
#include "cilk2gpu/Vectorise/LaneAttributes.h"
#include "cilk2gpu/Vectorise/Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace cilk2gpu;

static constexpr StringLiteral kFormSuffix = ".lanes";

static bool isLaneForm(const Function &function) {
  return !function.isDeclaration() && function.hasFnAttribute(lane::kKernelAttr);
}

static SmallVector<Function *> laneFormsOf(Module &module) {
  SmallVector<Function *> forms;
  for (Function &function : module)
    if (isLaneForm(function))
      forms.push_back(&function);
  return forms;
}

//===-- A module to simplify in -----------------------------------------------------------------------------------===//

static Function *calledHelper(Instruction &inst) {
  auto *call = dyn_cast<CallBase>(&inst);
  Function *helper = call ? call->getCalledFunction() : nullptr;
  return helper && !helper->isDeclaration() ? helper : nullptr;
}

/// Definitions of `user` that `roots` reach by name: functions that may be looked into, and constants.
static SmallPtrSet<const GlobalValue *, 16> findHelpers(Module &forms, Module &user,
                                                        ArrayRef<Function *> cilkFunctions) {
  SmallPtrSet<const GlobalValue *, 16> helpers;
  SmallVector<GlobalValue *> work;
  auto visit = [&](const Value *value) {
    auto *named = dyn_cast<GlobalValue>(value);
    GlobalValue *global = named ? user.getNamedValue(named->getName()) : nullptr;
    if (!global || global->isDeclaration() || global->isInterposable() || is_contained(cilkFunctions, global))
      return;
    auto *function = dyn_cast<Function>(global);
    auto *variable = dyn_cast<GlobalVariable>(global);
    bool usable = function ? !function->hasOptNone() : variable && variable->isConstant() && !variable->isThreadLocal();
    if (usable && helpers.insert(global).second)
      work.push_back(global);
  };
  auto visitFunction = [&](Function &function) {
    for (Instruction &inst : instructions(function))
      for (Value *operand : inst.operands())
        visit(operand->stripInBoundsConstantOffsets());
  };
  for (Function &function : forms)
    visitFunction(function);
  while (!work.empty())
    if (auto *function = dyn_cast<Function>(work.pop_back_val()))
      visitFunction(*function);
  return helpers;
}

/// Functions that only exist on the way, as bodies of loops do, and that lane forms reach by name.
static SmallPtrSet<const GlobalValue *, 16> findOwnHelpers(Module &lowered, ArrayRef<Function *> cilkFunctions) {
  StringSet<> entries;
  for (Function *function : cilkFunctions)
    entries.insert(function->getName());
  SmallPtrSet<const GlobalValue *, 16> helpers;
  SmallVector<Function *> work;
  for (Function &function : lowered)
    if (isLaneForm(function))
      work.push_back(&function);
  while (!work.empty())
    for (Instruction &inst : instructions(*work.pop_back_val()))
      if (Function *helper = calledHelper(inst);
          helper && !entries.contains(helper->getName()) && helpers.insert(helper).second)
        work.push_back(helper);
  return helpers;
}

/// Returns a module of the lane forms with the helpers' bodies. All symbols are external, so that no pass changes a
/// helper's signature. Calls that are left refer to the user's functions by name.
static std::unique_ptr<Module> makeWorkshop(Module &lowered, Module &user, ArrayRef<Function *> cilkFunctions) {
  ValueToValueMapTy formMapping, helperMapping;
  SmallPtrSet<const GlobalValue *, 16> own = findOwnHelpers(lowered, cilkFunctions);
  std::unique_ptr<Module> forms = CloneModule(lowered, formMapping, [&](const GlobalValue *value) {
    auto *function = dyn_cast<Function>(value);
    return function && (isLaneForm(*function) || own.contains(function));
  });
  for (const GlobalValue *helper : own)
    cast<GlobalValue>(formMapping[helper])->setLinkage(GlobalValue::ExternalLinkage);
  dropUnused(*forms);
  SmallPtrSet<const GlobalValue *, 16> wanted = findHelpers(*forms, user, cilkFunctions);
  std::unique_ptr<Module> helpers =
      CloneModule(user, helperMapping, [&](const GlobalValue *value) { return wanted.contains(value); });
  for (const GlobalValue *original : wanted) {
    auto *helper = cast<GlobalValue>(helperMapping[original]);
    helper->setLinkage(GlobalValue::ExternalLinkage);
    helper->setVisibility(GlobalValue::DefaultVisibility);
    if (auto *object = dyn_cast<GlobalObject>(helper))
      object->setComdat(nullptr);
  }
  helpers->setModuleInlineAsm(""); // the file's own, once
  declareIndirectFunctions(*helpers);
  dropUnused(*helpers);
  // What is said of the whole module is the user's to say; not every flag survives MLIR as it was.
  if (NamedMDNode *flags = forms->getModuleFlagsMetadata())
    flags->eraseFromParent();
  forms->setDataLayout(user.getDataLayout());
  forms->setTargetTriple(user.getTargetTriple());
  return Linker::linkModules(*forms, std::move(helpers)) ? nullptr : std::move(forms);
}

namespace {

/// Returns the number of instructions of a function once all that it calls is part of it, before any simplification; up
/// to a limit, which recursion reaches.
class InlinedSize {
public:
  static constexpr uint64_t kLargest = 4000;

  uint64_t of(Function &function) {
    auto [it, isNew] = sizes.insert({&function, kLargest + 1});
    if (!isNew)
      return it->second;
    uint64_t size = function.getInstructionCount();
    for (Instruction &inst : instructions(function))
      if (Function *helper = size <= kLargest ? calledHelper(inst) : nullptr)
        size += of(*helper);
    return sizes[&function] = std::min(size, kLargest + 1);
  }

private:
  DenseMap<Function *, uint64_t> sizes;
};

} // namespace

/// Inlines the functions that a lane form calls, so that they run in vectors, too: of any size, within reason.
static void inlineHelpers(Module &workshop) {
  InlinedSize size;
  SmallVector<Function *> work;
  for (Function &form : workshop)
    if (isLaneForm(form))
      work.push_back(&form);
  while (!work.empty())
    for (Instruction &inst : instructions(*work.pop_back_val())) {
      Function *helper = calledHelper(inst);
      if (!helper || !haveSameFeatures(*helper, *inst.getFunction()) || helper->isVarArg() ||
          helper->hasFnAttribute(Attribute::NoInline) || helper->hasFnAttribute(Attribute::AlwaysInline) ||
          size.of(*helper) > InlinedSize::kLargest)
        continue;
      helper->addFnAttr(Attribute::AlwaysInline);
      work.push_back(helper);
    }
}

/// Loops of few iterations over local arrays are to be unrolled, so that the arrays become values: a vector for each
/// element. Whether there are any.
static bool markLocalLoops(Function &form, FunctionAnalysisManager &functions) {
  constexpr unsigned kMostIterations = 64;
  auto &loops = functions.getResult<LoopAnalysis>(form);
  auto &evolution = functions.getResult<ScalarEvolutionAnalysis>(form);
  bool isAny = false;
  for (Loop *loop : loops.getLoopsInPreorder()) {
    unsigned count = evolution.getSmallConstantTripCount(loop);
    bool usesLocal = any_of(loop->blocks(), [](BasicBlock *block) {
      return any_of(*block, [](Instruction &inst) {
        const Value *address = getLoadStorePointerOperand(&inst);
        return address && isa<AllocaInst>(getUnderlyingObject(address));
      });
    });
    if (count == 0 || count > kMostIterations || !usesLocal)
      continue;
    LLVMContext &context = form.getContext();
    MDNode *full = MDNode::get(context, MDString::get(context, "llvm.loop.unroll.full"));
    MDNode *id = MDNode::getDistinct(context, {nullptr, full});
    id->replaceOperandWith(0, id);
    loop->setLoopID(id);
    isAny = true;
  }
  return isAny;
}

static void simplify(Module &module) {
  Analyses analyses;
  inlineHelpers(module);
  analyses.builder.buildModuleSimplificationPipeline(OptimizationLevel::O2, ThinOrFullLTOPhase::None)
      .run(module, analyses.modules);
  FunctionPassManager unrolling;
  unrolling.addPass(createFunctionToLoopPassAdaptor(LoopFullUnrollPass(/*OptLevel=*/3, /*OnlyWhenForced=*/true)));
  unrolling.addPass(SROAPass(SROAOptions::ModifyCFG));
  FunctionPassManager cleaning =
      analyses.builder.buildFunctionSimplificationPipeline(OptimizationLevel::O2, ThinOrFullLTOPhase::None);
  SmallSetVector<Function *, 16> used;
  for (Function &function : module)
    if (isLaneForm(function))
      used.insert(&function);
  for (unsigned i = 0; i < used.size(); ++i) // grows by functions that calls still name
    used.insert_range(calledBodies(*used[i]));
  for (Function *function : used)
    if (markLocalLoops(*function, analyses.functions)) {
      unrolling.run(*function, analyses.functions);
      analyses.functions.invalidate(*function, PreservedAnalyses::none());
      cleaning.run(*function, analyses.functions);
    }
}

//===-- Choosing --------------------------------------------------------------------------------------------------===//

static bool hasBarriers(Function &form) {
  return any_of(instructions(form), [](Instruction &inst) { return isLaneOp(&inst, lane::kBarrier); });
}

/// The user's function that a form was made of; null if it is another file's.
static const Function *originOf(const Function &form, Module &user) {
  Function *origin = user.getFunction(form.getFnAttribute(kOriginAttr).getValueAsString());
  return origin && !origin->isDeclaration() ? origin : nullptr;
}

/// Returns the line of a form that is not the user's function, as of a loop; else the line of the user's function.
static DiagnosticLocation lineOf(const Function &form, const Function &origin) {
  return cilk2gpu::lineOf(form.getSubprogram() ? form : origin);
}

/// Returns the name of a form as people know it: queens.k0.lanes is the kernel queens.k0. A block graph's body has the
/// name of the kernel in C++ that it was made from, if there is one.
static std::string kernelName(const Function &form, const Function *origin) {
  StringRef name = form.getName().drop_back(kFormSuffix.size());
  if (form.hasFnAttribute(lane::kBlockBodyAttr)) {
    StringRef blocks = form.hasFnAttribute(lane::kLanesAreBlocksAttr) ? "group of thread blocks '" : "thread block '";
    name.consume_back(".blocks");
    return blocks.str() + sourceName(origin ? origin->getName() : name) + "'";
  }
  return "kernel '" + sourceName(name) + "'";
}

/// Returns the place of a block graph's body in a file of MLIR.
static DiagnosticLocation lineOfBody(const Function &form) {
  auto [line, rest] = form.getFnAttribute(lane::kBlockBodyAttr).getValueAsString().split(':');
  auto [column, file] = rest.split(':');
  unsigned lineNumber = 0, columnNumber = 0;
  if (line.getAsInteger(10, lineNumber) || column.getAsInteger(10, columnNumber) || !lineNumber)
    return {};
  LLVMContext &context = form.getContext();
  return DiagnosticLocation(DILocation::get(context, lineNumber, columnNumber, DIFile::get(context, file, "")));
}

/// Returns true for the forms of a block graph's body that need no remark, because another form of the body has one.
static bool isSilent(const Function &form) {
  return form.getFnAttribute(lane::kLanesAreBlocksAttr).getValueAsString() == lane::kOfOneRow;
}

static void remark(Module &user, Function &form, const Twine &text, bool missed) {
  if (isSilent(form))
    return;
  const Function *origin = originOf(form, user);
  auto say = [&](const Function &function, const DiagnosticLocation &where) {
    emitRemark(function, missed ? "LaneByLane" : "Vectorised", where, kernelName(form, origin) + " " + text, missed);
  };
  if (origin)
    return say(*origin, lineOf(form, *origin));
  auto any = find_if(user, [](const Function &function) { return !function.isDeclaration(); });
  if (form.hasFnAttribute(lane::kBlockBodyAttr) && any != user.end())
    say(*any, lineOfBody(form)); // written in MLIR
}

/// Returns whether the function's attribute asks for vectors.
static bool isAsked(const Function &form) { return form.getFnAttribute(kLanesAttr).getValueAsString() == "simd"; }

/// Warns where vectors were asked for by name and there are none.
static void warn(Module &user, Function &form, const Twine &reason) {
  const Function *origin = originOf(form, user);
  if (!origin || form.hasFnAttribute(lane::kLanesAreBlocksAttr))
    return;
  std::string message = kernelName(form, origin) +
                        " runs lane by lane although its function's attribute asks for vectors: " + reason.str();
  user.getContext().diagnose(DiagnosticInfoOptimizationFailure(*origin, lineOf(form, *origin), message));
}

/// Returns the numbers of lanes for which vectors of a form are made.
static SmallVector<unsigned> lengthsFor(Function &form, const VectorIsaInfo &isa, const LoweringOptions &options) {
  if (hasBarriers(form))
    return SmallVector<unsigned>(ArrayRef(lane::kBarrierLengths));
  return {options.vectorLength ? options.vectorLength : preferredLength(form, isa)};
}

/// Returns why the stack has no room for the local variables of a vector's lanes; empty if it has. A kernel with two
/// copies of its body has them twice.
static std::string whyNotOnStack(Function &form, const VectorIsaInfo &isa, VectorCloneChoice &clones,
                                 const LoweringOptions &options) {
  constexpr uint64_t kMostBytes = uint64_t(128) << 10;
  uint64_t bytes = clones.stackOf(form, isa);
  unsigned length = lengthsFor(form, isa, options).back();
  if (bytes <= kMostBytes / length)
    return "";
  return ("its local variables take " + Twine(bytes) + " bytes, which is too much of a stack for " + Twine(length) +
          " lanes at once")
      .str();
}

/// Returns why a kernel that could run in vectors does not, or an empty text.
static std::string whyNotChosen(Function &form, const VectorIsaInfo &isa, VectorCloneChoice &clones,
                                const LoweringOptions &options) {
  StringRef asked = form.getFnAttribute(kLanesAttr).getValueAsString();
  if (asked == "scalar")
    return "its function's attribute says so";
  if (std::string reason = whyNotOnStack(form, isa, clones, options); !reason.empty())
    return reason;
  // Without vectors, threads that wait for one another are fibers, which is far slower.
  bool isWeighed = asked.empty() && options.lanes == Lanes::Auto && !hasBarriers(form);
  return isWeighed ? whyNotWorthVectors(form, isa, clones) : "";
}

/// The lane form's copy for one instruction set.
static Function *copyFor(const VectorIsaInfo &info, Function &form, unsigned length) {
  ValueToValueMapTy mapping;
  Function *copy = CloneFunction(&form, mapping);
  copy->setName(form.getName() + "." + info.name);
  if (hasBarriers(form))
    copy->setName(copy->getName() + "." + Twine(length));
  copy->addFnAttr(lane::kLengthAttr, std::to_string(length));
  copy->addFnAttr(lane::kIsaAttr, info.name);
  return copy;
}

/// Says of the functions that a form for `isa` calls whether its lanes do that together.
static void remarkCalls(Module &user, Function &form, const VectorIsaInfo &isa, VectorCloneChoice &clones) {
  for (Function *callee : calledBodies(form)) {
    StringRef reason = clones.whyNot(*callee, isa);
    std::string call = "calls " + quotedName(*callee) + " ";
    if (reason.empty())
      remark(user, form, call + "for all lanes at once", /*missed=*/false);
    else
      remark(user, form, call + "for one lane after the other: " + reason, /*missed=*/true);
  }
}

/// Copies of a lane form for those instruction sets that are worth it, with what these call.
static SmallVector<Function *> chooseForms(Function &form, Module &user, VectorCloneChoice &clones,
                                           const LoweringOptions &options) {
  std::string reason = whyLaneByLane(form), chosen;
  SmallVector<Function *> copies;
  splitMulAdds(form);
  splitSquareRoots(form);
  for (const VectorIsaInfo *info :
       reason.empty() ? vectorTargets(form, options) : SmallVector<const VectorIsaInfo *>()) {
    reason = whyNotChosen(form, *info, clones, options);
    if (!reason.empty())
      continue;
    if (copies.empty())
      remarkCalls(user, form, *info, clones);
    append_range(copies, clones.makeCopies(form, *info));
    SmallVector<unsigned> lengths = lengthsFor(form, *info, options);
    chosen += (chosen.empty() ? "" : ", ") +
              join(map_range(lengths, [](unsigned n) { return std::to_string(n); }), " or ") +
              (chosen.empty() ? " lanes at once with " : " with ") + info->title.str();
    for (unsigned length : lengths) {
      copies.push_back(copyFor(*info, form, length));
      clones.getMath().replaceCalls(*copies.back(), *info);
    }
  }
  if (copies.empty() && isAsked(form) && !reason.empty())
    warn(user, form, reason);
  if (!copies.empty())
    remark(user, form, "runs " + chosen, /*missed=*/false);
  else
    remark(user, form, "runs lane by lane: " + (reason.empty() ? "no vectors are compiled for its target" : reason),
           /*missed=*/true);
  return copies;
}

/// Lane forms that come from LLVM's passes -> vectorised kernels in the LLVM dialect.
static void addVectorPasses(mlir::OpPassManager &pm) {
  pm.addPass(lane::createLaneDecodeCallsPass());
  pm.addPass(createVectoriseLanesPass());
}

/// The wavefront functions of those lane forms that can be vectorised; null if there are none.
static std::unique_ptr<Module> vectorise(Module &workshop, Module &user, VectorCloneChoice &clones, Trip &trip,
                                         const LoweringOptions &options) {
  SmallPtrSet<const GlobalValue *, 16> chosen;
  for (Function *form : laneFormsOf(workshop))
    chosen.insert_range(chooseForms(*form, user, clones, options));
  if (chosen.empty())
    return nullptr;
  // Tables that LLVM has made of switches belong to the kernels alone.
  for (GlobalVariable &variable : workshop.globals())
    if (variable.hasLocalLinkage())
      chosen.insert(&variable);
  ValueToValueMapTy mapping;
  std::unique_ptr<Module> input =
      CloneModule(workshop, mapping, [&](const GlobalValue *value) { return chosen.contains(value); });
  dropUnused(*input);
  return trip.roundTrip(std::move(input), addVectorPasses);
}

//===-- Linking ---------------------------------------------------------------------------------------------------===//

/// Gives an entry the code of the wavefront function that it calls. The call would be inlined anyway, which takes time,
/// because the code is copied. An entry of code that may throw keeps the call, and its handler.
static void takeCode(Function &entry, Function &wave) {
  bool onlyCalls = entry.getFunctionType() == wave.getFunctionType() && wave.hasOneUse(); // rows have another type
  if (!onlyCalls || any_of(instructions(wave), [](const Instruction &inst) { return inst.mayThrow(); }))
    return;
  for (BasicBlock &block : entry)
    block.dropAllReferences();
  while (!entry.empty())
    entry.begin()->eraseFromParent();
  entry.splice(entry.begin(), &wave);
  for (auto [from, to] : zip_equal(wave.args(), entry.args()))
    from.replaceAllUsesWith(&to);
  if (DISubprogram *scope = wave.getSubprogram()) {
    wave.setSubprogram(nullptr);
    scope->replaceLinkageName(MDString::get(entry.getContext(), entry.getName()));
    entry.setSubprogram(scope);
  }
  wave.eraseFromParent();
}

/// Lets the kernel's entry for one instruction set call its wavefront function; if there is none, both go.
static void finishEntry(Module &lowered, StringRef kernel, const VectorIsaInfo &info, const Twine &length = "") {
  std::string suffix = (info.name + length).str();
  Function *wave = lowered.getFunction((kernel + kFormSuffix + "." + suffix + ".wave").str());
  Function *entry = lowered.getFunction((kernel + ".simd." + suffix).str());
  if (wave && entry && !wave->isDeclaration()) {
    wave->setLinkage(GlobalValue::InternalLinkage);
    wave->addFnAttr(Attribute::AlwaysInline);
    setVectorTarget(*wave, info);
    setVectorTarget(*entry, info);
    entry->addFnAttr(kOwnPassesAttr);
    takeCode(*entry, *wave);
    return;
  }
  if (entry) {
    entry->replaceAllUsesWith(ConstantPointerNull::get(entry->getType()));
    entry->eraseFromParent();
  }
  if (wave && wave->use_empty())
    wave->eraseFromParent();
}

/// Functions that kernels call for all lanes at once.
static void finishClones(Module &lowered) {
  for (Function &function : lowered) {
    std::optional<VectorIsa> isa = parseVectorIsa(function.getFnAttribute(lane::kCloneAttr).getValueAsString());
    if (!isa || function.isDeclaration())
      continue;
    function.setLinkage(GlobalValue::InternalLinkage);
    setVectorTarget(function, infoOf(*isa));
    function.removeFnAttr(lane::kCloneAttr);
    function.addFnAttr(kOwnPassesAttr);
  }
}

/// The lane form has served; the kernel's entries call what has been made of it.
static void finishForm(Module &lowered, Function &form) {
  std::string kernel = form.getName().drop_back(kFormSuffix.size()).str();
  for (const VectorIsaInfo &info : kVectorIsas) {
    finishEntry(lowered, kernel, info);
    for (unsigned length : lane::kBarrierLengths)
      finishEntry(lowered, kernel, info, "." + Twine(length));
  }
  form.eraseFromParent();
}

/// Returns whether a kernel has too many spawns to be worth the time to compile, unless vectors are asked for. A spawn
/// is much code for vectors, and LLVM's time for a function grows faster than its size.
static bool spawnsTooOften(Function &form) {
  constexpr unsigned kMostSpawns = 64;
  return count_if(instructions(form), [](Instruction &inst) { return isLaneOp(&inst, lane::kSpawn); }) >
         ptrdiff_t(kMostSpawns);
}

/// Returns whether `form` is a segment of a function that was marked as rare.
static bool isRare(Function &form, Module &user) {
  StringRef task = form.getName().drop_back(kFormSuffix.size()).rsplit(".k").first;
  Function *origin = user.getFunction(task);
  return origin && origin->hasFnAttribute(kRareTaskAttr) && form.getFnAttribute(kOriginAttr).getValueAsString() == task;
}

/// Returns why it is not worth the time to make vectors of a form, whatever is in it; empty if it is.
static StringRef whyNotWorth(Function &form, Module &user, const LoweringOptions &options) {
  if (options.lanes != Lanes::Auto || isAsked(form))
    return "";
  if (spawnsTooOften(form))
    return "it spawns in so many places that vectors would take long to compile";
  if (form.hasFnAttribute(lane::kFewTasksAttr) || isRare(form, user))
    return "there are few such tasks at a time";
  return whyNeverInLanes(form);
}

namespace {

/// Lane forms of a module: forms that may be worth vectors, and the other forms with the reason.
struct Forms {
  SmallVector<Function *> taken;
  SmallVector<std::pair<Function *, StringRef>> others;
};

} // namespace

static Forms findForms(Module &lowered, Module &user, const LoweringOptions &options) {
  Forms forms;
  for (Function &function : lowered) {
    if (!isLaneForm(function))
      continue;
    StringRef reason = function.getFnAttribute(lane::kKernelAttr).getValueAsString();
    if (reason.empty())
      reason = whyNotWorth(function, user, options);
    if (reason.empty())
      forms.taken.push_back(&function);
    else
      forms.others.emplace_back(&function, reason);
  }
  for (auto [form, reason] : forms.others)
    form->removeFnAttr(lane::kKernelAttr);
  return forms;
}

/// Functions whose elements have many columns, which only vectors gain from, although no kernel that consumes such an
/// element is to run in vectors.
static void findWasted(Module &workshop, VectorCloneChoice &clones, const LoweringOptions &options,
                       StringSet<> &wasted) {
  StringSet<> used;
  for (Function &form : workshop) {
    if (!isLaneForm(form) || !form.hasFnAttribute(lane::kManyColumnsAttr))
      continue;
    SmallVector<StringRef> origins{form.getFnAttribute(kOriginAttr).getValueAsString()};
    form.getFnAttribute(lane::kSharedOriginsAttr).getValueAsString().split(origins, ',', -1, /*KeepEmpty=*/false);
    bool runsInVectors =
        whyLaneByLane(form).empty() && any_of(vectorTargets(form, options), [&](const VectorIsaInfo *info) {
          return whyNotChosen(form, *info, clones, options).empty();
        });
    for (StringRef origin : origins)
      (runsInVectors ? used : wasted).insert(origin);
  }
  for (const auto &origin : used)
    wasted.erase(origin.getKey());
}

/// The pass, within a lowering. Returns false after an error.
static bool vectoriseKernels(Module &lowered, Module &user, const LoweringOptions &options,
                             const VectoriseKernelsPass::Lowering &lowering) {
  Forms forms = findForms(lowered, user, options);
  std::unique_ptr<Module> workshop;
  std::optional<VectorCloneChoice> clones;
  if (!forms.taken.empty()) {
    workshop = makeWorkshop(lowered, user, lowering.cilkFunctions);
    if (!workshop)
      return false;
    simplify(*workshop);
    if (lowering.shares) {
      shareSimplifiedForms(*workshop, lowered, user);
      forms.taken = laneFormsOf(lowered); // some are gone
    }
    clones.emplace(*workshop, options);
    if (lowering.wasted)
      findWasted(*workshop, *clones, options, *lowering.wasted);
    if (lowering.wasted && !lowering.wasted->empty())
      return true;
  }
  for (auto [form, reason] : forms.others) {
    remark(user, *form, "runs lane by lane: " + reason, /*missed=*/true);
    if (isAsked(*form))
      warn(user, *form, reason);
    finishForm(lowered, *form);
  }
  if (!workshop) {
    dropUnused(lowered);
    return true;
  }
  std::unique_ptr<Module> vectors = vectorise(*workshop, user, *clones, *lowering.trip, options);
  if (vectors) {
    inheritAttributes(*vectors, user, *lowering.owner);
    vectors->setDataLayout(lowered.getDataLayout()); // MLIR writes it with other words
    if (!linkByName(lowered, std::move(vectors)))
      return false;
  }
  for (Function *form : forms.taken)
    finishForm(lowered, *form);
  finishClones(lowered);
  dropUnused(lowered);
  return true;
}

VectoriseKernelsPass::VectoriseKernelsPass(StringRef words) {
  for (StringRef word : split(words, ';'))
    if (!word.empty() && !parseLoweringWord(word, options))
      unknownWord = word;
}

bool VectoriseKernelsPass::runOn(Module &lowered, Module &unit) {
  if (!unknownWord.empty()) {
    unit.getContext().emitError("a parameter of cilk-vectorise-kernels is a word of the lowering, but '" + unknownWord +
                                "' is none; write lanes=simd, vector-isa=avx2 or vector-length=16, for example");
    return false;
  }
  if (lowering.trip)
    return vectoriseKernels(lowered, unit, options, lowering);
  SmallVector<Function *> cilkFunctions = findCilkFunctions(unit);
  if (cilkFunctions.empty()) {
    unit.getContext().emitError(
        "kernels belong to Cilk functions, but the unit of cilk-vectorise-kernels has none; name "
        "the translation unit with --unit=");
    return false;
  }
  Trip trip(unit, options.callbacks);
  Lowering alone;
  alone.cilkFunctions = cilkFunctions;
  alone.owner = cilkFunctions.front();
  alone.trip = &trip;
  return vectoriseKernels(lowered, unit, options, alone);
}
