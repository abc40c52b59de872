// A pass plugin for Clang that puts mutants into the code of lib/ and runtime/: small changes such as a `<` that became
// `<=`. All mutants are in one build. Each is off, until a program runs with MUTATION_MUTANT=ID in its environment. The
// idea is mutant schemata (Untch, Offutt, Harrold: Mutation analysis using mutant schemata, ISSTA 1993), on LLVM's IR.
//
// The compiler reads three environment variables. MUTATION_ROOT is the folder that has lib/ and runtime/.
// MUTATION_POINTS is a folder, in which each translation unit lists its mutants. MUTATION_EVERY=N keeps one of N.
//
// A mutated program reads two. MUTATION_MUTANT chooses the mutant. MUTATION_REACHED is a file of kIds bytes: the program
// sets the byte of each mutant whose code it runs. The file is shared memory, so it is complete after a crash, too.
#include "llvm/AsmParser/Parser.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <map>
#include <set>

using namespace llvm;

namespace {

// An ID is a hash of the mutant's place, so that the same code in several translation units is one mutant. IDs that two
// mutants share are dropped by the script that reads the lists.
constexpr uint64_t kIds = 1 << 22;

// Functions that each mutated module has. Of the modules of a program, the linker keeps one copy.
constexpr StringLiteral kSupport = R"(
@cilk2gpu_mutant = linkonce_odr hidden global i64 0
@cilk2gpu_mutants_reached = linkonce_odr hidden global ptr null
@.mutant = private constant [16 x i8] c"MUTATION_MUTANT\00"
@.reached = private constant [17 x i8] c"MUTATION_REACHED\00"
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 0, ptr @cilk2gpu_start_mutant, ptr null }]
declare ptr @getenv(ptr)
declare i64 @strtoull(ptr, ptr, i32)
declare i32 @open(ptr, i32, ...)
declare i32 @close(i32)
declare ptr @mmap(ptr, i64, i32, i32, i32, i64)
define linkonce_odr hidden void @cilk2gpu_start_mutant() {
  %mutant = call ptr @getenv(ptr @.mutant)
  %none = icmp eq ptr %mutant, null
  br i1 %none, label %watch, label %choose
choose:
  %id = call i64 @strtoull(ptr %mutant, ptr null, i32 10)
  store i64 %id, ptr @cilk2gpu_mutant
  br label %watch
watch:
  %path = call ptr @getenv(ptr @.reached)
  %unwatched = icmp eq ptr %path, null
  %before = load ptr, ptr @cilk2gpu_mutants_reached
  %started = icmp ne ptr %before, null
  %skip = or i1 %unwatched, %started
  br i1 %skip, label %end, label %map
map:
  %file = call i32 (ptr, i32, ...) @open(ptr %path, i32 2)
  %unopened = icmp slt i32 %file, 0
  br i1 %unopened, label %end, label %mapped
mapped:
  %bytes = call ptr @mmap(ptr null, i64 4194304, i32 3, i32 1, i32 %file, i64 0)
  %closed = call i32 @close(i32 %file)
  %failed = icmp eq ptr %bytes, inttoptr (i64 -1 to ptr)
  br i1 %failed, label %end, label %keep
keep:
  store ptr %bytes, ptr @cilk2gpu_mutants_reached
  br label %end
end:
  ret void
}
)";

// What a mutant changes. The first letters of the names order them in tables.
enum class Change { Boundary, Equality, Arithmetic, Constant, Condition, Result, Call };

StringRef nameOf(Change change) {
  switch (change) {
  case Change::Boundary: return "boundary";     // a < b  becomes  a <= b
  case Change::Equality: return "equality";     // a == b  becomes  a != b
  case Change::Arithmetic: return "arithmetic"; // a + b  becomes  a - b
  case Change::Constant: return "constant";     // x = 1  becomes  x = 2; a boolean is negated
  case Change::Condition: return "condition";   // if (f())  becomes  if (!f())
  case Change::Result: return "result";         // return b  becomes  return !b
  case Change::Call: return "call";             // f();  is left out
  }
  llvm_unreachable("unknown change");
}

struct Point {
  Instruction *instruction;
  Change change;
  uint64_t id;
  std::string place; // PATH:LINE:COLUMN:CHANGE:ORDINAL
};

std::optional<CmpInst::Predicate> otherPredicate(CmpInst::Predicate predicate) {
  return predicate == CmpInst::ICMP_EQ || predicate == CmpInst::ICMP_NE ? CmpInst::getInversePredicate(predicate)
                                                                      : CmpInst::getFlippedStrictnessPredicate(predicate);
}

std::optional<Instruction::BinaryOps> otherOperation(Instruction::BinaryOps operation) {
  switch (operation) {
  case Instruction::Add: return Instruction::Sub;
  case Instruction::Sub: return Instruction::Add;
  case Instruction::Mul: return Instruction::Add;
  case Instruction::UDiv:
  case Instruction::SDiv: return Instruction::Mul;
  case Instruction::Shl: return Instruction::LShr;
  case Instruction::LShr:
  case Instruction::AShr: return Instruction::Shl;
  case Instruction::And: return Instruction::Or;
  case Instruction::Or: return Instruction::And;
  case Instruction::Xor: return Instruction::And;
  default: return std::nullopt;
  }
}

bool isConstructorOrDestructor(StringRef mangled) {
  ItaniumPartialDemangler demangler;
  return !demangler.partialDemangle(mangled.str().c_str()) && demangler.isCtorOrDtor();
}

// Names that Clang gives to comparisons which are in no source text: whether the pointer of a `delete` or a cast is null,
// and whether a loop over an array's elements ends.
bool isMadeByClang(const Instruction &instruction) {
  StringRef name = instruction.getName();
  for (StringRef prefix : {"isnull", "cast.isnull", "arrayctor", "arraydestroy", "guard", "tobool.init"})
    if (name.starts_with(prefix))
      return true;
  return false;
}

// Variables that are in no source text: whether a result was built in place, whether a temporary exists, and where a
// function goes on after its destructors.
bool isVariableOfClang(const Value &pointer) {
  StringRef name = pointer.getName();
  return name.starts_with("nrvo") || name.starts_with("cleanup.") || name.starts_with("cond-cleanup.");
}

std::optional<Change> changeOf(Instruction &instruction) {
  if (auto *compare = dyn_cast<ICmpInst>(&instruction)) {
    if (isMadeByClang(instruction) || compare->getType()->isVectorTy())
      return std::nullopt;
    return compare->isEquality() ? Change::Equality : Change::Boundary;
  }
  if (auto *operation = dyn_cast<BinaryOperator>(&instruction))
    return operation->getType()->isIntegerTy() && otherOperation(operation->getOpcode()) ? std::optional(Change::Arithmetic)
                                                                                        : std::nullopt;
  if (auto *store = dyn_cast<StoreInst>(&instruction)) {
    if (isVariableOfClang(*store->getPointerOperand()))
      return std::nullopt;
    auto *constant = dyn_cast<ConstantInt>(store->getValueOperand());
    return constant && constant->getBitWidth() <= 64 && !store->isAtomic() ? std::optional(Change::Constant) : std::nullopt;
  }
  if (auto *branch = dyn_cast<BranchInst>(&instruction)) {
    if (branch->isUnconditional() || isa<ICmpInst, Constant>(branch->getCondition()))
      return std::nullopt;
    auto *condition = dyn_cast<Instruction>(branch->getCondition());
    return condition && isMadeByClang(*condition) ? std::nullopt : std::optional(Change::Condition);
  }
  if (auto *result = dyn_cast<ReturnInst>(&instruction)) {
    Value *value = result->getReturnValue();
    // A constant that is stored to the function's result has a mutant of its own.
    return value && value->getType()->isIntegerTy(1) ? std::optional(Change::Result) : std::nullopt;
  }
  if (auto *call = dyn_cast<CallInst>(&instruction)) {
    Function *callee = call->getCalledFunction();
    bool isPlain = call->getType()->isVoidTy() && !isa<IntrinsicInst>(call) && !call->isInlineAsm() && !call->isMustTailCall() &&
                   !call->doesNotReturn() && !call->hasOperandBundles();
    if (!isPlain || (callee && isConstructorOrDestructor(callee->getName())))
      return std::nullopt;
    return Change::Call;
  }
  return std::nullopt;
}

class Mutate : public PassInfoMixin<Mutate> {
public:
  Mutate()
      : root(environment("MUTATION_ROOT")), points(environment("MUTATION_POINTS")), every(1) {
    StringRef(environment("MUTATION_EVERY")).getAsInteger(10, every);
  }

  static bool isRequired() { return true; }

  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    std::vector<Point> found;
    for (Function &function : module)
      if (!function.isDeclaration())
        find(function, found);
    if (found.empty())
      return PreservedAnalyses::all();
    addSupport(module);
    for (Point &point : found)
      apply(module, point);
    list(module, found);
    return PreservedAnalyses::none();
  }

private:
  static std::string environment(StringRef name) { return sys::Process::GetEnv(name).value_or(""); }

  // The path below `root` of the file that the location names, if it is in lib/ or runtime/.
  std::string pathOf(const DebugLoc &location) {
    auto *file = cast<DIScope>(location->getScope())->getFile();
    SmallString<256> path(file->getFilename());
    if (!sys::path::is_absolute(path)) {
      path = file->getDirectory();
      sys::path::append(path, file->getFilename());
    }
    sys::path::remove_dots(path, /*remove_dot_dot=*/true);
    StringRef below = path;
    if (!below.consume_front(root) || !below.consume_front("/"))
      return "";
    return below.starts_with("lib/") || below.starts_with("runtime/") ? below.str() : "";
  }

  void find(Function &function, std::vector<Point> &found) {
    std::map<std::string, unsigned> ordinals;
    for (Instruction &instruction : instructions(function)) {
      const DebugLoc &location = instruction.getDebugLoc();
      std::optional<Change> change = location && location.getLine() ? changeOf(instruction) : std::nullopt;
      if (!change)
        continue;
      std::string path = pathOf(location);
      if (path.empty())
        continue;
      std::string place = (path + ":" + Twine(location.getLine()) + ":" + Twine(location.getCol()) + ":" + nameOf(*change)).str();
      place += ":" + std::to_string(ordinals[place]++);
      uint64_t hash = MD5Hash(place);
      if (hash / kIds % every == 0 && hash % kIds != 0)
        found.push_back({&instruction, *change, hash % kIds, place});
    }
  }

  static void addSupport(Module &module) {
    SMDiagnostic error;
    std::unique_ptr<Module> support = parseAssemblyString(kSupport, error, module.getContext());
    if (!support)
      report_fatal_error(Twine("mutation: ") + error.getMessage());
    support->setTargetTriple(module.getTargetTriple());
    support->setDataLayout(module.getDataLayout());
    if (Linker::linkModules(module, std::move(support)))
      report_fatal_error("mutation: the support code can't be linked");
    auto *variable = module.getNamedGlobal("cilk2gpu_mutant");
    for (GlobalVariable *each : {variable, module.getNamedGlobal("cilk2gpu_mutants_reached")})
      each->setVisibility(GlobalValue::HiddenVisibility);
  }

  static void apply(Module &module, Point &point) {
    Instruction *instruction = point.instruction;
    LLVMContext &context = module.getContext();
    auto *i64 = Type::getInt64Ty(context);
    // The code of a point has no location, so that a debugger still shows the source.
    IRBuilder<> builder(instruction);
    Value *reached = builder.CreateLoad(builder.getPtrTy(), module.getNamedGlobal("cilk2gpu_mutants_reached"));
    Instruction *mark = SplitBlockAndInsertIfThen(builder.CreateIsNotNull(reached), instruction, /*Unreachable=*/false);
    builder.SetInsertPoint(mark);
    builder.CreateStore(builder.getInt8(1), builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), reached, point.id));
    builder.SetInsertPoint(instruction);
    Value *isOn = builder.CreateICmpEQ(builder.CreateLoad(i64, module.getNamedGlobal("cilk2gpu_mutant")), builder.getInt64(point.id));
    switch (point.change) {
    case Change::Boundary:
    case Change::Equality: {
      auto *compare = cast<ICmpInst>(instruction);
      Value *other = builder.CreateICmp(*otherPredicate(compare->getPredicate()), compare->getOperand(0), compare->getOperand(1));
      select(isOn, other, compare);
      break;
    }
    case Change::Arithmetic: {
      auto *operation = cast<BinaryOperator>(instruction);
      Value *other = builder.CreateBinOp(*otherOperation(operation->getOpcode()), operation->getOperand(0), operation->getOperand(1));
      operation->dropPoisonGeneratingFlags();
      select(isOn, other, operation);
      break;
    }
    case Change::Constant: {
      auto *store = cast<StoreInst>(instruction);
      auto *constant = cast<ConstantInt>(store->getValueOperand());
      // In memory, a boolean is a byte of 0 or 1. Most stores of 0 to a byte are booleans.
      bool isBoolean = constant->getBitWidth() <= 8 && constant->getValue().ule(1);
      APInt other = isBoolean ? constant->getValue() ^ 1 : constant->getValue() + 1;
      store->setOperand(0, builder.CreateSelect(isOn, ConstantInt::get(context, other), constant));
      break;
    }
    case Change::Condition: {
      auto *branch = cast<BranchInst>(instruction);
      branch->setCondition(builder.CreateXor(branch->getCondition(), isOn));
      break;
    }
    case Change::Result:
      instruction->setOperand(0, builder.CreateXor(instruction->getOperand(0), isOn));
      break;
    case Change::Call: {
      Instruction *call = SplitBlockAndInsertIfThen(builder.CreateNot(isOn), instruction, /*Unreachable=*/false);
      instruction->moveBefore(call->getIterator());
      break;
    }
    }
  }

  // Gives the uses of `original` the value of `other` where the mutant is on.
  static void select(Value *isOn, Value *other, Instruction *original) {
    auto *choice = SelectInst::Create(isOn, other, original, "", std::next(original->getIterator()));
    original->replaceUsesWithIf(choice, [&](Use &use) { return use.getUser() != choice; });
  }

  void list(const Module &module, const std::vector<Point> &found) {
    std::string path = (points + "/" + Twine::utohexstr(MD5Hash(module.getSourceFileName()))).str();
    std::error_code error;
    raw_fd_ostream out(path, error);
    if (error)
      report_fatal_error(Twine("mutation: cannot write ") + path + ": " + error.message());
    std::set<std::string> places;
    for (const Point &point : found)
      if (places.insert(point.place).second)
        out << point.id << "\t" << point.place << "\n";
  }

  std::string root, points;
  uint64_t every;
};

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "mutate", "1", [](PassBuilder &builder) {
            builder.registerPipelineStartEPCallback(
                [](ModulePassManager &passes, OptimizationLevel) { passes.addPass(Mutate()); });
          }};
}
