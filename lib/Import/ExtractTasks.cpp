// Copies the Cilk functions of a module that Clang generated to a module of their own. Only these go through MLIR, so
// that code without Cilk keeps every attribute and all metadata.
#include "ExtractTasks.h"

#include "Extract.h"
#include "ImportPasses.h"

#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/ModuleParts.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace cilk2gpu;

std::unique_ptr<Module> cilk2gpu::cloneTasks(Module &unit) {
  SmallVector<Function *> tasks = findGraphFunctions(unit);
  SmallPtrSet<const GlobalValue *, 16> wanted(tasks.begin(), tasks.end());
  ValueToValueMapTy mapping;
  return CloneModule(unit, mapping, [&](const GlobalValue *value) { return wanted.contains(value); });
}

/// Removes marks of locals' lifetimes and names. Locals may become parts of frames, which are not allocas and live
/// longer.
static void dropLocalMarks(Function &function) {
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    inst.dropDbgRecords();
    if (auto *intrinsic = dyn_cast<IntrinsicInst>(&inst))
      if (intrinsic->isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(intrinsic))
        inst.eraseFromParent();
  }
}

bool DropLocalMarksPass::runOn(Module &module, Module &) {
  for (Function &function : module)
    dropLocalMarks(function);
  return true;
}

static void strip(Function &function) {
  dropLocalMarks(function);
  function.removeFnAttr(Attribute::OptimizeNone);
  function.removeFnAttr(Attribute::NoInline);
  function.removeFnAttr(Attribute::AlwaysInline);
  function.setComdat(nullptr);
}

/// Marks the functions that tasks may call: functions local to the unit, and functions that other units may define.
/// Says where the others have their code, because a declaration has no debug information.
static void markDeclared(Module &module, Module &unit, const SmallPtrSetImpl<Function *> &taken) {
  for (Function &declared : module) {
    // A function or an alias.
    GlobalValue *own = taken.contains(&declared) ? nullptr : unit.getNamedValue(declared.getName());
    auto *function = dyn_cast_or_null<Function>(own);
    if (own && own->hasLocalLinkage())
      declared.addFnAttr(kLocalFunctionAttr);
    else if (own && (own->isDeclaration() || own->isInterposable()) && !(function && function->isIntrinsic()))
      declared.addFnAttr(kForeignFunctionAttr);
    if (DISubprogram *program = function && !function->isDeclaration() ? function->getSubprogram() : nullptr)
      declared.addFnAttr(kPlaceAttr, (program->getFilename() + ":" + Twine(program->getLine())).str());
  }
}

static void markTask(Function &task, Module &unit) {
  const Function *original = unit.getFunction(task.getName());
  // Code that sees an external function's name may pass its address on. But then a call through that address is in
  // another module, too.
  bool isPointedAt = original->hasAddressTaken() && original->getName() != "main";
  strip(task);
  task.addFnAttr(kOriginAttr, task.getName());
  task.addFnAttr(kTaskFunctionAttr);
  if (isPointedAt)
    task.addFnAttr(kAddressTakenAttr);
}

/// A kernel of thread blocks is no task: its body is called for each thread of a block.
static void markBody(Function &body) {
  strip(body);
  body.addFnAttr(kOriginAttr, body.getFnAttribute(kBlockBodyAttr).getValueAsString());
}

static void declareAlias(GlobalAlias &alias, Module &module) {
  GlobalValue *declaration;
  if (auto *type = dyn_cast<FunctionType>(alias.getValueType()))
    declaration = Function::Create(type, GlobalValue::ExternalLinkage, alias.getAddressSpace(), "", &module);
  else
    declaration = new GlobalVariable(module, alias.getValueType(), /*isConstant=*/false, GlobalValue::ExternalLinkage,
                                     nullptr, "", nullptr, alias.getThreadLocalMode(), alias.getAddressSpace());
  declaration->takeName(&alias);
  alias.replaceAllUsesWith(declaration);
  alias.eraseFromParent();
}

/// Turns functions that are not taken out into declarations, as cloneTasks does.
static void declareOthers(Module &module, const SmallPtrSetImpl<Function *> &taken) {
  for (GlobalAlias &alias : make_early_inc_range(module.aliases()))
    declareAlias(alias, module);
  for (Function &function : module)
    if (!taken.contains(&function) && !function.isDeclaration()) {
      function.deleteBody();
      function.setComdat(nullptr);
    }
  for (GlobalVariable &variable : module.globals())
    if (variable.hasInitializer()) {
      variable.setInitializer(nullptr);
      variable.setLinkage(GlobalValue::ExternalLinkage);
      variable.setComdat(nullptr);
    }
}

bool ExtractTasksPass::runOn(Module &module, Module &unit) {
  SmallVector<Function *> tasks = findCilkFunctions(module), bodies = findBlockBodies(module);
  SmallPtrSet<Function *, 16> taken(tasks.begin(), tasks.end());
  taken.insert_range(bodies);
  module.setModuleInlineAsm(""); // the unit has the assembly already
  markDeclared(module, unit, taken);
  for (Function *task : tasks)
    markTask(*task, unit);
  for (Function *body : bodies)
    markBody(*body);
  declareOthers(module, taken);
  declareIndirectFunctions(module);
  return true;
}

/// Declares the elision that `function` names. Tasks' entries will call it; main calls it here.
static void declareElision(Module &unit, Function &function) {
  StringRef name = function.getFnAttribute(kElisionFunctionAttr).getValueAsString();
  if (name.empty())
    return;
  Function *declaration = function.getParent()->getFunction(name);
  if (!declaration) {
    Function *elision = unit.getFunction(name);
    declaration =
        Function::Create(elision->getFunctionType(), GlobalValue::ExternalLinkage, name, function.getParent());
    declaration->copyAttributesFrom(elision);
    declaration->setPersonalityFn(nullptr);
  }
  if (function.getName() == "main")
    callElision(function, *declaration);
}

bool DeclareElisionsPass::runOn(Module &module, Module &unit) {
  for (Function *function : findCilkFunctions(module))
    declareElision(unit, *function);
  return true;
}
