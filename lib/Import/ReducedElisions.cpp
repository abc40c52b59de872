// Makes the serial elisions of functions that return the updates of several reducers, or updates and a result. A task
// returns them in a structure, because it has no memory in common with other tasks. An elision has: as in Clang's
// elision, its calls update variables in place.
//
//   void walk.into(int n, long *sum, long *most) {     {long, long} walk.updates(int n) {
//     if (n < 2) {                                        long sum = 0, most = LONG_MIN;
//       *sum += n, *most = max(*most, n);                 walk.into(n, &sum, &most);
//       return;                                           return {sum, most};
//     }                                                 }
//     walk.into(n - 1, sum, most);
//     walk.into(n - 2, sum, most);
//   }
//
// Functions that return one number keep their elisions: a result in a register is as good as a variable.
#include "Extract.h"
#include "ReducedForms.h"

#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/ReducerMarks.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace cilk2gpu;

void ReducedForm::createReturn(IRBuilderBase &builder, Value *result, ArrayRef<AllocaInst *> updates) const {
  SmallVector<Value *> values;
  if (result)
    values.push_back(result);
  for (auto [variable, monoid] : zip(updates, monoids))
    values.push_back(builder.CreateLoad(monoid.type, variable));
  if (isStruct())
    builder.CreateAggregateRet(values.data(), values.size());
  else
    builder.CreateRet(values.front());
}

Function *cilk2gpu::copyWithType(Function &function, FunctionType *type, StringRef suffix, ValueToValueMapTy &copies) {
  Function *copy = Function::Create(type, GlobalValue::InternalLinkage, function.getAddressSpace(),
                                    function.getName() + suffix, function.getParent());
  for (auto [from, to] : zip_first(function.args(), copy->args())) {
    to.setName(from.getName());
    copies[&from] = &to;
  }
  SmallVector<ReturnInst *> returns;
  CloneFunctionInto(copy, &function, copies, CloneFunctionChangeType::LocalChangesOnly, returns);
  copy->setLinkage(GlobalValue::InternalLinkage);
  copy->setVisibility(GlobalValue::DefaultVisibility);
  copy->setComdat(nullptr);
  return copy;
}

namespace {

/// A function whose last parameters are the addresses that it updates.
struct UpdatingForm {
  Function *function = nullptr;
  ValueToValueMapTy copies; ///< from the original function's code
};

using UpdatingForms = MapVector<Function *, std::unique_ptr<UpdatingForm>>;

} // namespace

/// Returns the callee of an instruction if it returns updates, or null.
static Function *reducingCallee(const Instruction &inst, const ReducingFunctions &functions) {
  auto *call = dyn_cast<CallBase>(&inst);
  auto *callee = call ? dyn_cast<Function>(call->getCalledOperand()) : nullptr;
  return callee && functions.contains(callee) ? callee : nullptr;
}

/// Makes a copy of a function with more parameters. Nobody else has the addresses that it gets.
static std::unique_ptr<UpdatingForm> copyFunction(Function &function, const ReducedForm &reduced) {
  auto form = std::make_unique<UpdatingForm>();
  SmallVector<Type *> types(function.getFunctionType()->params());
  types.append(reduced.monoids.size(), PointerType::getUnqual(function.getContext()));
  auto *type = FunctionType::get(function.getReturnType(), types, false);
  Function *copy = form->function = copyWithType(function, type, ".into", form->copies);
  for (const char *attribute : {kTaskFunctionAttr, kPointedAtAttr})
    copy->removeFnAttr(attribute);
  for (auto [index, monoid] : enumerate(reduced.monoids)) {
    const unsigned number = unsigned(function.arg_size() + index);
    copy->addParamAttr(number, Attribute::NoAlias);
    copy->addParamAttr(number, Attribute::NonNull);
    copy->addDereferenceableParamAttr(number, function.getDataLayout().getTypeStoreSize(monoid.type).getFixedValue());
  }
  return form;
}

/// Lets a copy update what its last parameters point at, in place of views.
static void updateInPlace(Function &original, UpdatingForm &form, const ReducingFunctions &functions,
                          const ReducedForm &reduced) {
  ArrayRef<UpdatedReducer> reducers = functions.reducersOf(&original);
  IRBuilder<> builder(&form.function->getEntryBlock(), form.function->getEntryBlock().begin());
  SmallVector<AllocaInst *> variables; // in place of the parameters, for what works on variables
  for (const Monoid &monoid : reduced.monoids)
    variables.push_back(builder.CreateAlloca(monoid.type));
  for (Instruction &inst : instructions(original)) {
    if (calleeName(inst) != kHyperLookup)
      continue;
    Value *object = writtenValue(cast<CallBase>(inst).getArgOperand(0));
    const auto *found = find_if(reducers, [&](const UpdatedReducer &reducer) { return reducer.object == object; });
    auto *lookup = cast<Instruction>(form.copies[&inst]);
    lookup->replaceAllUsesWith(variables[size_t(found - reducers.begin())]);
    lookup->eraseFromParent();
  }
  for (auto [index, variable, monoid] : enumerate(variables, reduced.monoids)) {
    inlineUpdatesOf(*variable, monoid);
    variable->replaceAllUsesWith(form.function->getArg(unsigned(original.arg_size() + index)));
    variable->eraseFromParent();
  }
}

/// Calls copies in place of the originals. They get the addresses to update.
static void callCopies(Function &original, UpdatingForm &form, const UpdatingForms &forms,
                       const ReducingFunctions &functions) {
  for (Instruction &inst : instructions(original)) {
    Function *callee = reducingCallee(inst, functions);
    if (!callee)
      continue;
    auto *copy = cast<CallBase>(form.copies[&inst]);
    SmallVector<Value *> arguments(copy->args());
    for (const UpdatedReducer &reducer : functions.reducersOf(callee)) {
      const unsigned number = functions.numberAt(cast<CallBase>(inst), reducer);
      arguments.push_back(form.function->getArg(unsigned(original.arg_size()) + number));
    }
    CallInst *updating = IRBuilder<>(copy).CreateCall(forms.find(callee)->second->function, arguments);
    updating->setAttributes(copy->getAttributes());
    updating->setCallingConv(copy->getCallingConv());
    copy->replaceAllUsesWith(updating);
    copy->eraseFromParent();
  }
}

/// Makes the function that has a reduced form's type and lets `updating` update variables.
static void createUpdates(const ReducedForm &reduced, Function &updating) {
  Function &form = *reduced.function;
  Function *elision = Function::Create(form.getFunctionType(), GlobalValue::InternalLinkage, form.getAddressSpace(),
                                       form.getName() + ".updates", form.getParent());
  elision->setAttributes(form.getAttributes());
  elision->setCallingConv(form.getCallingConv());
  for (const char *attribute : {kTaskFunctionAttr, kPointedAtAttr})
    elision->removeFnAttr(attribute);
  IRBuilder<> builder(BasicBlock::Create(form.getContext(), "", elision));
  SmallVector<AllocaInst *> variables;
  for (const Monoid &monoid : reduced.monoids)
    variables.push_back(builder.CreateAlloca(monoid.type, nullptr, "own"));
  for (auto [variable, monoid] : zip(variables, reduced.monoids))
    builder.CreateStore(monoid.neutral(), variable);
  SmallVector<Value *> arguments;
  for (Argument &argument : elision->args())
    arguments.push_back(&argument);
  append_range(arguments, variables);
  CallInst *result = builder.CreateCall(&updating, arguments);
  result->setCallingConv(updating.getCallingConv());
  for (unsigned i = 0; i < elision->arg_size(); ++i) // such as byval
    for (Attribute attribute : elision->getAttributes().getParamAttrs(i))
      result->addParamAttr(i, attribute);
  reduced.createReturn(builder, reduced.ownResult->isVoidTy() ? nullptr : result, variables);
  form.addFnAttr(kUpdatingElisionAttr, elision->getName());
}

void cilk2gpu::createUpdatingElisions(const ReducingFunctions &functions, const ReducedForms &reduced) {
  SetVector<Function *> needed;
  for (Function *function : functions.getArrayRef())
    if (reduced.find(function)->second.isStruct())
      needed.insert(function);
  for (unsigned i = 0; i < needed.size(); ++i)
    for (Instruction &inst : instructions(needed[i]))
      if (Function *callee = reducingCallee(inst, functions))
        needed.insert(callee);
  UpdatingForms forms;
  for (Function *function : needed)
    forms[function] = copyFunction(*function, reduced.find(function)->second);
  for (auto &[function, form] : forms) {
    const ReducedForm &returning = reduced.find(function)->second;
    updateInPlace(*function, *form, functions, returning);
    callCopies(*function, *form, forms, functions);
    elideKeywords(*form->function);
    if (returning.isStruct())
      createUpdates(returning, *form->function);
  }
}
