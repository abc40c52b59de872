// Functions that exceptions may leave, and the slots that hold the exceptions of children. Shared by the files of
// cilk-defer-exceptions.
#ifndef CILK2GPU_LIB_IMPORT_DEFEREXCEPTIONS_H
#define CILK2GPU_LIB_IMPORT_DEFEREXCEPTIONS_H

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// Function attribute of a Cilk function whose exceptions cilk-defer-exceptions handles. Other passes leave its code
/// for unwinding alone.
inline constexpr const char kDefersAttr[] = "cilk2gpu-defers";

/// Attribute of the begin marker of a cilk_for, or of a spawned block, that has a handler for all exceptions.
inline constexpr const char kHandlesAttr[] = "cilk2gpu-handles";

/// The end of the name of a form that calls an ordinary function and puts its exception into a slot.
inline constexpr const char kCaughtSuffix[] = ".caught";

/// Attribute of a call that is not spawned, of a form that puts its exception into a slot. The exception is thrown
/// right behind the call.
inline constexpr const char kPlainCallAttr[] = "cilk2gpu-plain-call";

/// Functions of the runtime for exceptions that wait (runtime/process/HeldException.cpp).
inline constexpr const char kThrowHeld[] = "__cilk2gpu_throw_held";
inline constexpr const char kHoldException[] = "__cilk2gpu_hold_exception";
inline constexpr const char kFirstException[] = "__cilk2gpu_first_exception";
inline constexpr const char kDeferCaught[] = "__cilk2gpu_defer_caught";

/// The end of the name of a form that puts its exception into a slot.
inline constexpr const char kThrowingSuffix[] = ".throwing";

/// Number of a form's last parameters (HiddenArguments).
inline constexpr unsigned kHidden = 3;

/// The last parameters of a function that returns normally after it has put an exception into a slot.
struct HiddenArguments {
  llvm::Value *slot, *number;
  llvm::Value *old; ///< address of the value that the function returns after an exception, or null
};

/// A function that is to be called, and how.
struct ThrowingCallee {
  llvm::FunctionCallee function;
  llvm::AttributeList attributes;
  llvm::CallingConv::ID convention;
};

/// Throwing functions, and their forms that put exceptions into a slot. Also declares the functions of the runtime.
class ThrowingForms {
public:
  explicit ThrowingForms(llvm::Module &module);

  llvm::Module &module;
  llvm::PointerType *pointer;
  llvm::IntegerType *i64;
  llvm::ArrayType *slotType; ///< the exception, its number, and the number of the next spawn

  /// Makes `function.throwing`, which takes over the code of `function`, and makes `function` an ordinary function that
  /// calls it and throws.
  void createForm(llvm::Function &function);

  /// Returns the form of a Cilk function, or null if `callee` is none that may throw.
  llvm::Function *formOf(const llvm::Value *callee) const;

  /// Makes a call that puts an exception into a slot, in the place of `call`, whose exception would unwind.
  llvm::CallInst *replaceCall(llvm::CallBase &call, const HiddenArguments &hidden);

  /// Returns a function that does the same as `function`, and that is not a Cilk function. A task that calls it runs
  /// the elision.
  llvm::Function *ordinaryForm(llvm::Function &function);

  llvm::CallInst *call(llvm::IRBuilder<> &builder, llvm::StringRef name, llvm::ArrayRef<llvm::Value *> args,
                       llvm::Type *result = nullptr);
  llvm::FunctionCallee throwHeld();
  /// Creates a landing pad for all exceptions. Returns the object that holds the exception.
  llvm::Value *hold(llvm::IRBuilder<> &builder);

  /// Fills a form with a call of `callee`, whose exception goes to the slot. The form's parameters from number `first`
  /// on are the arguments, and then come the hidden ones.
  void fillCatching(llvm::Function &form, const ThrowingCallee &callee, unsigned first);

  /// Creates a call of `callee` with the arguments of `builder`'s function and returns its result.
  void forward(llvm::IRBuilder<> &builder, const ThrowingCallee &callee);

  /// Returns the type of the old value of a result in memory, or null if an exception leaves no old value.
  llvm::Type *typeOfOld(llvm::Type *result) const;

  /// Gives a function with landing pads the personality routine of C++.
  void setPersonality(llvm::Function &function);

  /// Empties a slot.
  void initialise(llvm::IRBuilder<> &builder, llvm::Value *slot);
  /// Returns the exception in a slot, or null, and removes it.
  llvm::Value *take(llvm::IRBuilder<> &builder, llvm::Value *slot);
  llvm::AllocaInst *createSlot(llvm::Function &function);

private:
  llvm::Function *caughtForm(llvm::CallBase &call);
  void fillOrdinary(llvm::Function &ordinary, llvm::Function &form);
  void fillWithCall(llvm::Function &function, llvm::Function &form, bool keepsHandlers);
  llvm::Function *createOrdinary(llvm::Function &function, llvm::StringRef suffix);
  llvm::Value *isInsideTask(llvm::IRBuilder<> &builder);

  llvm::DenseMap<const llvm::Value *, llvm::Function *> forms, ordinary;
  llvm::DenseMap<std::pair<const llvm::Value *, llvm::FunctionType *>, llvm::Function *> caught;
};

/// Creates the end of a function after an exception: returns the old value of the result, or nothing.
void returnOld(llvm::IRBuilder<> &builder, llvm::Value *old);

/// Lets a Cilk function defer the exceptions of its children. If it has a form, its own exceptions go to the slot of
/// its parent.
void deferExceptions(llvm::Function &function, ThrowingForms &forms,
                     const llvm::SmallPtrSetImpl<llvm::Function *> &cilkFunctions);

/// Returns true for calls that are marked to throw nothing.
bool throwsNothing(const llvm::CallBase &call);

/// Returns true for calls that throw only what a child has thrown, or an exception whose destructor throws.
bool isExempt(const llvm::Instruction &inst);

/// Returns true if a call between the markers of a spawn throws, or if an exception may leave the body of a cilk_for,
/// a spawned block or an ordered child. `isQuiet` tells the calls that throw nothing.
bool hasThrowingChildren(llvm::Function &function, llvm::function_ref<bool(const llvm::CallBase &)> isQuiet);

/// Returns the function that runs the ordered children of the caller if `inst` calls it, or null.
llvm::Function *calledRun(const llvm::Instruction &inst);

/// Removes the checks for exceptions from a function in which nothing throws, and the handlers around its iterations
/// and spawned blocks.
void dropChecks(llvm::Function &function);

/// Removes a marker of a doacross nest whose iterations do not throw.
void dropThrown(llvm::CallInst *marker);

/// Returns true for a call of the function `name`.
bool isCallOf(const llvm::Instruction &inst, llvm::StringRef name);

/// Returns true if an exception that lands at `pad` may leave the body of a cilk_for, or a spawned block.
bool leadsToCaught(llvm::BasicBlock *pad);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_DEFEREXCEPTIONS_H
