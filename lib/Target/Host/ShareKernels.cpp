// Functions are compared instruction by instruction. A hash of all operands that are no local values selects the
// candidates, so the time is linear in the number of functions. If two functions become one, their callers may have the
// same code, too, so the search is repeated.
#include "ShareKernels.h"

#include "cilk2gpu/Dialect/Lane/IR/CallNames.h"
#include "cilk2gpu/Support/LoweredNames.h"
#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/VectorIsa.h"
#include "cilk2gpu/Vectorise/LaneAttributes.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMRemarkStreamer.h"

using namespace llvm;
using namespace cilk2gpu;

//===-- Comparison ------------------------------------------------------------------------------------------------===//

/// Returns a function's attributes without those that say where its code comes from.
static AttributeList attributesOf(const Function &function) {
  LLVMContext &context = function.getContext();
  return function.getAttributes()
      .removeFnAttribute(context, kOriginAttr)
      .removeFnAttribute(context, lane::kSharedOriginsAttr);
}

/// Returns a loop's properties, without its identity and its locations.
static SmallVector<const Metadata *> propertiesOf(const MDNode &loop) {
  SmallVector<const Metadata *> properties;
  for (const MDOperand &operand : drop_begin(loop.operands()))
    if (!isa_and_nonnull<DILocation>(operand.get()))
      properties.push_back(operand.get());
  return properties;
}

/// Returns a function's metadata without its description for debuggers.
static SmallVector<std::pair<unsigned, MDNode *>> metadataOf(const Function &function) {
  SmallVector<std::pair<unsigned, MDNode *>> metadata;
  function.getAllMetadata(metadata);
  erase_if(metadata, [](const auto &entry) { return entry.first == LLVMContext::MD_dbg; });
  return metadata;
}

static bool haveSameProperties(const Function &left, const Function &right) {
  return left.getFunctionType() == right.getFunctionType() && left.getLinkage() == right.getLinkage() &&
         left.getCallingConv() == right.getCallingConv() && left.getVisibility() == right.getVisibility() &&
         left.getSection() == right.getSection() && left.getAlign() == right.getAlign() && !left.hasGC() &&
         !right.hasGC() && !left.hasPrefixData() && !right.hasPrefixData() && !left.hasPrologueData() &&
         !right.hasPrologueData() && left.hasPersonalityFn() == right.hasPersonalityFn() &&
         (!left.hasPersonalityFn() || left.getPersonalityFn() == right.getPersonalityFn()) &&
         attributesOf(left) == attributesOf(right) && metadataOf(left) == metadataOf(right);
}

/// Returns the operation and its attributes if a value is a function that stands for a lane operation, else an empty
/// text. The name of the function also has the name of the lane form.
static StringRef laneOpOf(const Value *value) {
  auto *function = dyn_cast<Function>(value);
  bool isOp = function && function->isDeclaration() && lane::parseCallName(function->getName());
  return isOp ? function->getName().split("..").first : "";
}

static bool areSameLaneOps(const Value *left, const Value *right) {
  if (laneOpOf(left).empty() || laneOpOf(left) != laneOpOf(right))
    return false;
  auto *one = cast<Function>(left), *other = cast<Function>(right);
  return one->getFunctionType() == other->getFunctionType() && one->getAttributes() == other->getAttributes();
}

namespace {

/// Compares the code of two functions.
class CodeComparison {
public:
  CodeComparison(const Function &left, const Function &right) : left(left), right(right) {}

  bool areSame() {
    if (!haveSameProperties(left, right) || left.size() != right.size())
      return false;
    number(left, lefts);
    number(right, rights);
    return llvm::equal(left, right, [&](const BasicBlock &one, const BasicBlock &other) {
      return llvm::equal(one, other,
                         [&](const Instruction &inst, const Instruction &match) { return areSame(inst, match); });
    });
  }

private:
  using Numbers = DenseMap<const Value *, unsigned>;

  /// Numbers the local values of a function in the order of its code.
  static void number(const Function &function, Numbers &numbers) {
    numbers.insert({&function, 0}); // a recursive function refers to itself
    for (const Argument &argument : function.args())
      numbers.insert({&argument, unsigned(numbers.size())});
    for (const BasicBlock &block : function) {
      numbers.insert({&block, unsigned(numbers.size())});
      for (const Instruction &inst : block)
        numbers.insert({&inst, unsigned(numbers.size())});
    }
  }

  bool areSame(const Value *one, const Value *other) {
    if (auto *declared = dyn_cast<MetadataAsValue>(one)) { // of alias scopes
      auto *match = dyn_cast<MetadataAsValue>(other);
      return match && areSameScopes(declared->getMetadata(), match->getMetadata());
    }
    auto first = lefts.find(one), second = rights.find(other);
    if (first == lefts.end() || second == rights.end())
      return first == lefts.end() && second == rights.end() && (one == other || areSameLaneOps(one, other));
    return first->second == second->second;
  }

  bool areSame(const Instruction &one, const Instruction &other) {
    if (!one.isSameOperationAs(&other) || one.getRawSubclassOptionalData() != other.getRawSubclassOptionalData() ||
        !haveSameMetadata(one, other) || !haveSameDetails(one, other))
      return false;
    return llvm::equal(one.operands(), other.operands(),
                       [&](const Use &use, const Use &match) { return areSame(use.get(), match.get()); });
  }

  bool haveSameMetadata(const Instruction &one, const Instruction &other) {
    SmallVector<std::pair<unsigned, MDNode *>> attached, matches;
    one.getAllMetadataOtherThanDebugLoc(attached);
    other.getAllMetadataOtherThanDebugLoc(matches);
    return llvm::equal(attached, matches, [&](const auto &node, const auto &match) {
      if (node.first != match.first)
        return false;
      if (node.first == LLVMContext::MD_loop)
        return propertiesOf(*node.second) == propertiesOf(*match.second);
      if (node.first == LLVMContext::MD_alias_scope || node.first == LLVMContext::MD_noalias)
        return areSameScopes(node.second, match.second);
      if (node.first == LLVMContext::MD_tbaa)
        return areSameTypes(node.second, match.second);
      return node.second == match.second;
    });
  }

  /// Returns true if two lists of alias scopes differ in the identities of the scopes at most. Each inlined call has
  /// scopes of its own. Scopes without a domain are compared with themselves only.
  bool areSameScopes(const Metadata *list, const Metadata *match) {
    auto *lefts = dyn_cast<MDNode>(list), *rights = dyn_cast<MDNode>(match);
    if (!lefts || !rights)
      return list == match;
    return llvm::equal(lefts->operands(), rights->operands(), [&](const MDOperand &scope, const MDOperand &other) {
      auto *left = dyn_cast_or_null<MDNode>(scope.get()), *right = dyn_cast_or_null<MDNode>(other.get());
      if (!left || !right || left->getNumOperands() < 2 || right->getNumOperands() < 2)
        return scope.get() == other.get();
      return isPair(left, right) && isPair(left->getOperand(1), right->getOperand(1)); // and their domains
    });
  }

  /// Returns true if two descriptions of types (TBAA) differ in names at most, so that LLVM draws the same conclusions
  /// from them. Lambdas are such types. A type always stands for the same other type.
  bool areSameTypes(const MDNode *left, const MDNode *right) {
    bool isKnown = nodes.contains(left);
    if (!isPair(left, right))
      return false;
    if (isKnown)
      return true; // else also if both are the same, so that each part stands for itself
    return llvm::equal(left->operands(), right->operands(), [&](const MDOperand &part, const MDOperand &other) {
      auto *type = dyn_cast_or_null<MDNode>(part.get()), *match = dyn_cast_or_null<MDNode>(other.get());
      if (type && match)
        return areSameTypes(type, match);
      bool areNames = isa_and_nonnull<MDString>(part.get()) && isa_and_nonnull<MDString>(other.get());
      return areNames || part.get() == other.get();
    });
  }

  /// Returns true unless one of two nodes has stood for another node than the other one.
  bool isPair(const Metadata *left, const Metadata *right) {
    return nodes.insert({left, right}).first->second == right && nodesBack.insert({right, left}).first->second == left;
  }

  /// Compares what LLVM's comparison of operations leaves out.
  bool haveSameDetails(const Instruction &one, const Instruction &other) {
    if (auto *phi = dyn_cast<PHINode>(&one))
      return llvm::equal(phi->blocks(), cast<PHINode>(other).blocks(),
                         [&](const BasicBlock *block, const BasicBlock *match) { return areSame(block, match); });
    if (auto *pad = dyn_cast<LandingPadInst>(&one))
      return pad->isCleanup() == cast<LandingPadInst>(other).isCleanup();
    if (auto *choice = dyn_cast<SwitchInst>(&one))
      return llvm::equal(choice->cases(), cast<SwitchInst>(other).cases(), [&](const auto &label, const auto &match) {
        return label.getCaseValue() == match.getCaseValue() &&
               areSame(label.getCaseSuccessor(), match.getCaseSuccessor());
      });
    return true;
  }

  const Function &left, &right;
  Numbers lefts, rights;
  DenseMap<const Metadata *, const Metadata *> nodes, nodesBack; ///< of metadata
};

} // namespace

/// Returns a hash that is the same for functions with the same code.
static hash_code hashOf(const Function &function) {
  hash_code hash = hash_combine(function.getFunctionType(), function.size());
  for (const Instruction &inst : instructions(function)) {
    hash = hash_combine(hash, inst.getOpcode(), inst.getType());
    for (const Use &operand : inst.operands())
      if (StringRef op = laneOpOf(operand); !op.empty())
        hash = hash_combine(hash, op);
      else if (isa<Constant>(operand) && operand.get() != &function)
        hash = hash_combine(hash, operand.get());
  }
  return hash;
}

//===-- Lane forms ------------------------------------------------------------------------------------------------===//

static bool hasLaneOps(const Function &function) { return function.hasFnAttribute(lane::kKernelAttr); }

/// Returns true if nothing but its kernel's vector entries refers to a lane form, which nobody asked for by name. Forms
/// of block graphs have entries of other kinds.
static bool isPlainLaneForm(const Function &form) {
  return hasLaneOps(form) && form.getFnAttribute(lane::kKernelAttr).getValueAsString().empty() && form.use_empty() &&
         !form.hasFnAttribute(lane::kBlockBodyAttr) && !form.hasFnAttribute(kLanesAttr) &&
         form.getName().ends_with(".lanes");
}

static bool isOfRareTask(const Function &form, const Module &unit) {
  const Function *origin = unit.getFunction(form.getFnAttribute(kOriginAttr).getValueAsString());
  return origin && origin->hasFnAttribute(kRareTaskAttr);
}

namespace {

/// For each instruction set: the kernel's entry, and the function that it calls. Vectorisation will make this function.
using VectorEntries = SmallVector<std::pair<Function *, Function *>>;

} // namespace

static VectorEntries entriesOf(const Function &form) {
  const Module &module = *form.getParent();
  StringRef kernel = form.getName();
  kernel.consume_back(".lanes");
  VectorEntries entries;
  for (const VectorIsaInfo &isa : kVectorIsas)
    entries.emplace_back(module.getFunction((kernel + ".simd." + isa.name).str()),
                         module.getFunction((form.getName() + "." + isa.name + ".wave").str()));
  return entries;
}

/// Returns true if the entries of two lane forms differ only in the form that they belong to.
static bool haveSameEntries(const Function &left, const Function &right) {
  return all_of(zip_equal(entriesOf(left), entriesOf(right)), [](const auto &pair) {
    const auto &[one, other] = pair;
    if (!one.first && !one.second && !other.first && !other.second)
      return true;
    return one.first && one.second && other.first && other.second && one.second->isDeclaration() &&
           other.second->isDeclaration() && one.second->hasOneUse() && other.second->hasOneUse() &&
           haveSameProperties(*one.first, *other.first);
  });
}

/// Returns true if a lane form may stand for another one with the same code.
static bool canFormStandFor(const Function &leader, const Function &form, const Module &unit) {
  return isOfRareTask(leader, unit) == isOfRareTask(form, unit) && haveSameEntries(leader, form);
}

/// Removes a lane form for which another one stands.
static void replaceForm(Function &form, Function &other) {
  for (auto [gone, kept] : zip_equal(entriesOf(form), entriesOf(other)))
    if (gone.first) {
      gone.first->replaceAllUsesWith(kept.first);
      gone.first->eraseFromParent();
      gone.second->eraseFromParent();
    }
  // Decisions about the elements of a task are for all tasks that the form stands for.
  std::string origins = other.getFnAttribute(lane::kSharedOriginsAttr).getValueAsString().str();
  if (!origins.empty())
    origins += ',';
  origins += form.getFnAttribute(kOriginAttr).getValueAsString();
  other.addFnAttr(lane::kSharedOriginsAttr, origins);
  form.eraseFromParent();
}

//===-- Sharing ---------------------------------------------------------------------------------------------------===//

namespace {

/// The functions of a module that may be replaced, and those that stand for others.
class Sharing {
public:
  Sharing(Module &lowered, Module &unit) : lowered(lowered), unit(unit) {}

  /// Replaces functions by earlier ones with the same code. Returns true if there were any.
  bool run() {
    DenseMap<size_t, SmallVector<Function *, 1>> leaders;
    bool changed = false;
    SmallVector<Function *> functions;
    for (Function &function : lowered)
      if (mayGo(function))
        functions.push_back(&function);
    for (Function *function : functions) {
      SmallVector<Function *, 1> &same = leaders[hashOf(*function)];
      auto leader = find_if(same, [&](Function *other) { return canStandFor(*other, *function); });
      if (leader == same.end()) {
        same.push_back(function);
        continue;
      }
      replace(*function, **leader);
      changed = true;
    }
    return changed;
  }

private:
  bool mayGo(const Function &function) const {
    if (function.isDeclaration() || unit.getFunction(function.getName()))
      return false;
    return function.hasLocalLinkage() ? !isEntry(function) : isPlainLaneForm(function);
  }

  /// Entries for ordinary code, and entries for lane forms, which go together with the form.
  static bool isEntry(const Function &function) {
    return function.hasFnAttribute(kEntryAttr) || function.getName().contains(".simd.");
  }

  bool canStandFor(const Function &leader, const Function &function) const {
    if (!CodeComparison(leader, function).areSame())
      return false;
    return !hasLaneOps(function) || canFormStandFor(leader, function, unit);
  }

  static void replace(Function &function, Function &leader) {
    if (hasLaneOps(function))
      return replaceForm(function, leader);
    function.replaceAllUsesWith(&leader);
    function.eraseFromParent();
  }

  Module &lowered, &unit;
};

} // namespace

/// Returns true if someone wants to know of each kernel how it runs.
static bool needsAllKernels(LLVMContext &context) {
  return context.getDiagHandlerPtr()->isAnyRemarkEnabled("cilk") || context.getLLVMRemarkStreamer();
}

void cilk2gpu::shareSimplifiedForms(Module &workshop, Module &lowered, const Module &unit) {
  if (needsAllKernels(unit.getContext()))
    return;
  DenseMap<size_t, SmallVector<Function *, 1>> leaders;
  for (Function &form : make_early_inc_range(workshop)) {
    Function *own = hasLaneOps(form) ? lowered.getFunction(form.getName()) : nullptr;
    if (!own || !isPlainLaneForm(*own))
      continue;
    SmallVector<Function *, 1> &same = leaders[hashOf(form)];
    auto leader = find_if(same, [&](Function *other) {
      return CodeComparison(*other, form).areSame() &&
             canFormStandFor(*lowered.getFunction(other->getName()), *own, unit);
    });
    if (leader == same.end()) {
      same.push_back(&form);
      continue;
    }
    Function &kept = *lowered.getFunction((*leader)->getName());
    replaceForm(*own, kept);
    (*leader)->addFnAttr(kept.getFnAttribute(lane::kSharedOriginsAttr));
    form.eraseFromParent();
  }
}

bool ShareKernelsPass::runOn(Module &lowered, Module &unit) {
  if (needsAllKernels(unit.getContext()))
    return true;
  Sharing sharing(lowered, unit);
  while (sharing.run())
    ;
  return true;
}
