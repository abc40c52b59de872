// Replaces what a cilk_for's iterations capture by its value, where each start of the loop passes the same constant.
// Iterations are functions with parameters of their own, and their elements hold the arguments. So LLVM does not see
// where the arguments come from, and would compute remainders by a divisor of any value, for example.
//
//   int n = 1000; cilk_for (...) ... % n ...
//   -> f.for0.body(i, n) { ... % 1000 ... }
#include "ImportPasses.h"
#include "LoopCalls.h"

#include "llvm/IR/Constants.h"

using namespace llvm;
using namespace cilk2gpu;

/// Returns the constant that all calls pass, except those that pass on the function's own argument. Returns null if
/// there is none. Addresses are left out, because a device may have its own copy of a variable.
static Constant *constantOf(const Argument &argument, ArrayRef<CallBase *> calls) {
  Constant *all = nullptr;
  for (CallBase *call : calls) {
    Value *passed = call->getArgOperand(argument.getArgNo());
    if (passed == &argument)
      continue;
    if (!isa<ConstantData>(passed) || isa<UndefValue>(passed) || (all && all != passed))
      return nullptr;
    all = cast<Constant>(passed);
  }
  return all;
}

bool FoldLoopConstantsPass::runOn(Module &module, Module &) {
  LoopCalls calls(module);
  DenseMap<const Argument *, Constant *> constants;
  // Bodies are called by range tasks, and may contain loops, so constants move inwards round by round.
  for (bool changed = true; changed;) {
    changed = false;
    for (auto &[function, sites] : calls)
      for (Argument &argument : function->args())
        if (Constant *constant = argument.use_empty() ? nullptr : constantOf(argument, sites)) {
          argument.replaceAllUsesWith(constant);
          constants[&argument] = constant;
          changed = true;
        }
  }
  visitSerialLoops(module, calls, [&](Function &loop, Function &task) {
    for (auto [own, argument] : zip_equal(loop.args(), task.args()))
      if (Constant *constant = constants.lookup(&argument))
        own.replaceAllUsesWith(constant);
  });
  return true;
}
