// The frontend's error messages: rule, what was found, what to write instead. Real Clang diagnostics at a location, so
// -verify, -ferror-limit and every diagnostic format work on them.
#ifndef CILK2GPU_LIB_FRONTEND_DIAGNOSTICS_H
#define CILK2GPU_LIB_FRONTEND_DIAGNOSTICS_H

#include "clang/Basic/Diagnostic.h"

namespace cilk2gpu {

// Where a spawn or sync was found that may not stand there; the order is that of Message::Misplaced's %select.
enum class Place {
  Expression,
  Return,
  CompoundAssignment,
  Argument,
  StatementExpression,
  StaticInitializer,
  ReferenceInitializer,
  Condition
};

// X(name, severity, text)
#define CILK2GPU_FRONTEND_MESSAGES(X)                                                                                  \
  X(Misplaced, Error,                                                                                                  \
    "a spawn must be a statement of its own or all of the right-hand side of an '=' assignment or local variable's "   \
    "initializer, but this one is part of %select{a larger expression|a return statement|a compound assignment|an "    \
    "argument|a statement expression|a static variable's initializer|a reference's initializer|a condition or loop "   \
    "header}0; assign its result to a variable, sync, and use the variable")                                           \
  X(MisplacedSync, Error, "a sync must be a statement of its own; write '%0;'")                                        \
  X(SyncInStatementExpression, Error,                                                                                  \
    "a sync cannot stand in a statement expression (not supported yet); write it as a statement of the function")      \
  X(StrayKeyword, Error,                                                                                               \
    "'%0' cannot stand here; a spawn must be a call in a function's statement, and a sync a statement of its own")     \
  X(NotACall, Error,                                                                                                   \
    "a spawn must be a call of a function, but this is an expression of type %0; write '%1 f(arguments)'")             \
  X(Builtin, Error, "the builtin function %0 cannot be spawned; spawn a function of your own that calls it")           \
  X(VariadicCallee, Error, "the variadic function %0 cannot be spawned; spawn a function of your own that calls it")   \
  X(NoPrototype, Error, "%0 is spawned but declared without a prototype; declare its parameter types")                 \
  X(Pointer, Error,                                                                                                    \
    "a spawn through a function pointer is not supported yet; spawn a function of your own that calls the pointer")    \
  X(Member, Error,                                                                                                     \
    "a spawn of a member function is not supported yet; spawn an ordinary function that takes the object's address")   \
  X(Operator, Error,                                                                                                   \
    "a spawn of an overloaded operator, lambda or function object is not supported yet; spawn an ordinary function "   \
    "that calls it")                                                                                                   \
  X(BadDestination, Error,                                                                                             \
    "the result of a spawn must go to an object with an ordinary address, but this is %select{a bit-field or vector "  \
    "element|a register variable|an object in another address space}0; assign to a variable and copy it after the "    \
    "sync")                                                                                                            \
  X(ResultNotTrivial, Error,                                                                                           \
    "the result of a spawn must be trivially copyable, but %0 is not (not supported yet); pass the address of a "      \
    "variable and let the function fill it")                                                                           \
  X(ArgumentNotTrivial, Error,                                                                                         \
    "an argument of a spawn must be trivially copyable, but %0 is not (not supported yet); pass a pointer or "         \
    "reference to it")                                                                                                 \
  X(TemporaryArgument, Error,                                                                                          \
    "an argument of a spawn refers to a temporary that ends before the spawned call may run; put it in a variable "    \
    "that lives until the sync")                                                                                       \
  X(Destructor, Error,                                                                                                 \
    "a function with spawn or sync cannot have a local object with a destructor, but %0 has one (not supported yet); " \
    "move the object to a function that calls this one")                                                               \
  X(TemporaryDestructor, Error,                                                                                        \
    "a function with spawn or sync cannot create a temporary with a destructor (not supported yet); move this "        \
    "expression to a function of its own")                                                                             \
  X(StaticLocal, Error,                                                                                                \
    "a function with spawn or sync cannot have a static local variable that is initialized at run time, but %0 is "    \
    "(not supported yet); move the variable out of the function")                                                      \
  X(Try, Error,                                                                                                        \
    "a function with spawn or sync cannot contain a try block (not supported yet); move the try block to a function "  \
    "of its own")                                                                                                      \
  X(Throw, Error,                                                                                                      \
    "a function with spawn or sync cannot throw: an exception cannot leave a task (not supported yet); return an "     \
    "error value")                                                                                                     \
  X(ThrowingNew, Error,                                                                                                \
    "a function with spawn or sync cannot contain a new-expression whose constructor may throw (not supported yet); "  \
    "make the constructor noexcept, or move this expression to a function of its own")                                 \
  X(Noexcept, Error,                                                                                                   \
    "a function with spawn or sync cannot be noexcept (not supported yet); remove the noexcept, or compile with "      \
    "-fno-exceptions")                                                                                                 \
  X(Coroutine, Error, "a coroutine cannot contain spawn or sync; move them to a function that it calls")               \
  X(Structor, Error,                                                                                                   \
    "a constructor or destructor cannot contain spawn or sync (not supported yet); move them to a function that it "   \
    "calls")                                                                                                           \
  X(VariadicFunction, Error,                                                                                           \
    "a variadic function cannot contain spawn or sync (not supported yet); move them to a function with named "        \
    "parameters that it calls")                                                                                        \
  X(Setjmp, Error,                                                                                                     \
    "a function with spawn or sync cannot call a function that returns twice, such as setjmp; move the call to a "     \
    "function without spawn and sync")                                                                                 \
  X(ComputedGoto, Error,                                                                                               \
    "a function with spawn or sync cannot use computed goto or asm goto (not supported yet); write a switch")          \
  X(VariableLengthArray, Error,                                                                                        \
    "a function with spawn or sync cannot have a variable length array (not supported yet); use a constant length, "   \
    "or malloc")                                                                                                       \
  X(Alloca, Error,                                                                                                     \
    "a function with spawn or sync cannot call alloca (not supported yet); use an array of constant length, or "       \
    "malloc")                                                                                                          \
  X(Directive, Error,                                                                                                  \
    "a function with spawn or sync cannot contain OpenMP or other captured regions; move them to a function of their " \
    "own")                                                                                                             \
  X(ForNotSupported, Error,                                                                                            \
    "'%0' is not supported yet; write a for loop that spawns a function with the loop's body, and a sync after it")    \
  X(ScopeNotSupported, Fatal, "'%0' is not supported yet; write a function with the block's statements and a sync")    \
  X(MitNotSupported, Fatal,                                                                                            \
    "'%0' of the MIT dialect is not supported; write the program with spawn, sync and variables only")

enum class Message {
#define X(name, severity, text) name,
  CILK2GPU_FRONTEND_MESSAGES(X)
#undef X
};

/// Begins the report of `message` at `location`; the caller streams the arguments that its text names.
clang::DiagnosticBuilder report(clang::DiagnosticsEngine &diags, clang::SourceLocation location, Message message);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_DIAGNOSTICS_H
