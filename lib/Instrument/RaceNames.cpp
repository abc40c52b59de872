// Names the accessed variables for reports. Optimised code has lost most names, so accesses get their names in metadata
// while the code is as Clang made it. An access that LLVM changes loses its name.
#include "RaceNames.h"
#include "InstrumentPasses.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace cilk2gpu;

static constexpr StringLiteral kNameMetadata = "cilk2gpu.variable", kPlaceAnnotation = "cilk2gpu.access";

static std::string nameOfGlobal(const GlobalVariable &global) {
  SmallVector<DIGlobalVariableExpression *, 1> found;
  global.getDebugInfo(found);
  if (!found.empty())
    return found.front()->getVariable()->getName().str();
  return demangle(global.getName());
}

/// Returns an expression of the source for the memory at `pointer`, or an empty text.
static std::string nameOf(Value *pointer, unsigned depth = 0) {
  if (auto *global = dyn_cast<GlobalVariable>(pointer))
    return nameOfGlobal(*global);
  if (auto *alloca = dyn_cast<AllocaInst>(pointer)) {
    auto declares = findDVRDeclares(alloca);
    return declares.empty() ? "" : declares.front()->getVariable()->getName().str();
  }
  if (depth > 4)
    return "";
  if (auto *load = dyn_cast<LoadInst>(pointer)) {
    std::string name = nameOf(load->getPointerOperand(), depth + 1);
    return name.empty() || name == "this" ? name : "*" + name;
  }
  auto *address = dyn_cast<GEPOperator>(pointer);
  if (!address)
    return "";
  std::string name = nameOf(address->getPointerOperand(), depth + 1);
  if (name.empty())
    return "";
  if (isa<StructType>(address->getSourceElementType()))
    return name[0] == '*' ? name.substr(1) + "->..." : name + "....";
  return (name[0] == '*' ? name.substr(1) : name) + "[...]";
}

std::string cilk2gpu::nameOfMemory(Value *pointer) { return nameOf(pointer); }

static Value *addressOf(Instruction &inst) {
  if (auto *set = dyn_cast<MemIntrinsic>(&inst))
    return set->getDest();
  if (auto *change = dyn_cast<AtomicRMWInst>(&inst))
    return change->getPointerOperand();
  if (auto *change = dyn_cast<AtomicCmpXchgInst>(&inst))
    return change->getPointerOperand();
  return const_cast<Value *>(getLoadStorePointerOperand(&inst));
}

std::string cilk2gpu::nameOfAccess(const Instruction &inst) {
  if (MDNode *node = inst.getMetadata(kNameMetadata))
    return cast<MDString>(node->getOperand(0))->getString().str();
  Value *address = addressOf(const_cast<Instruction &>(inst));
  return address ? nameOf(address) : "";
}

/// Notes the place of an access in an annotation, which LLVM keeps where it moves the access out of a loop. Accesses in
/// headers of the system have the place of the call.
static void notePlace(Instruction &inst) {
  const DILocation *at = inst.getDebugLoc();
  if (!at || !at->getLine() || at->getFilename().starts_with("/usr/"))
    return;
  DISubprogram *program = at->getScope()->getSubprogram();
  if (!program || program->getName().empty())
    return;
  std::string line = std::to_string(at->getLine()), column = std::to_string(at->getColumn());
  inst.addAnnotationMetadata({kPlaceAnnotation, program->getName(), at->getFilename(), line, column});
}

std::optional<Sites::Place> cilk2gpu::placeOfAccess(const Instruction &inst) {
  MDNode *annotations = inst.getMetadata(LLVMContext::MD_annotation);
  if (!annotations)
    return std::nullopt;
  for (const MDOperand &operand : annotations->operands()) {
    auto *words = dyn_cast<MDTuple>(operand);
    auto word = [&](unsigned i) { return cast<MDString>(words->getOperand(i))->getString(); };
    if (!words || words->getNumOperands() != 5 || word(0) != kPlaceAnnotation)
      continue;
    Sites::Place place = {word(1).str(), word(2), 0, 0};
    if (!word(3).getAsInteger(10, place.line) && !word(4).getAsInteger(10, place.column))
      return place;
  }
  return std::nullopt;
}

/// Keeps LLVM from joining two accesses on different paths to one access, which would have the line of neither. LLVM
/// moves accesses of two paths that begin or end alike.
static void keepApart(Function &function) {
  SmallVector<Instruction *> accesses;
  for (Instruction &inst : instructions(function)) {
    auto *load = dyn_cast<LoadInst>(&inst);
    if (isa<StoreInst, MemIntrinsic>(inst) || (load && !isa<AllocaInst>(load->getPointerOperand())))
      accesses.push_back(&inst);
  }
  for (Instruction *access : accesses) {
    for (Instruction *at : {access, access->getNextNode()}) {
      IRBuilder<> builder(at);
      builder.SetCurrentDebugLocation(access->getDebugLoc());
      builder.CreateIntrinsic(Intrinsic::sideeffect, {})->addFnAttr(Attribute::NoMerge);
    }
  }
}

void cilk2gpu::dropSeparators(Function &function) {
  for (Instruction &inst : make_early_inc_range(instructions(function)))
    if (auto *intrinsic = dyn_cast<IntrinsicInst>(&inst);
        intrinsic && intrinsic->getIntrinsicID() == Intrinsic::sideeffect)
      intrinsic->eraseFromParent();
}

PreservedAnalyses NameAccessesPass::run(Module &module, ModuleAnalysisManager &) {
  LLVMContext &context = module.getContext();
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (Value *address = addressOf(inst)) {
        notePlace(inst);
        if (std::string name = nameOf(address); !name.empty())
          inst.setMetadata(kNameMetadata, MDNode::get(context, MDString::get(context, name)));
      }
  for (Function &function : module)
    keepApart(function);
  return PreservedAnalyses::none();
}
