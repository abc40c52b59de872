// The frontend's error messages. Each states the rule, the violation that was found, and the remedy. They are Clang
// diagnostics with a location, so -verify, -ferror-limit and every diagnostic format work on them.
#ifndef CILK2GPU_LIB_FRONTEND_SYNTAX_DIAGNOSTICS_H
#define CILK2GPU_LIB_FRONTEND_SYNTAX_DIAGNOSTICS_H

#include "clang/Basic/Diagnostic.h"

namespace cilk2gpu {

// Kinds of positions at which a spawn or sync is not allowed, in the order of Message::Misplaced's %select.
enum class Misplacement {
  Expression,
  Return,
  CompoundAssignment,
  Argument,
  StatementExpression,
  StaticInitializer,
  ReferenceInitializer,
  Condition,
  ConditionalOperator,
  Bindings
};

// X(name, severity, text)
#define CILK2GPU_FRONTEND_MESSAGES(X)                                                                                  \
  X(Misplaced, Error,                                                                                                  \
    "a spawn must be a statement of its own or all of the right-hand side of an '=' assignment or local variable's "   \
    "initializer, but this one is part of %select{a larger expression|a return statement|a compound assignment "       \
    "that is no sum, difference or bitwise operation of integers at addresses that are multiples of their size|an "    \
    "argument|a statement expression|a static variable's initializer|a reference's initializer|a condition or loop "   \
    "header|an operand of '?:'|structured bindings with a get function of the program's own, which may read it}0; "    \
    "assign its result to a variable, sync, and use the variable")                                                     \
  X(SpawnedAssignment, Error,                                                                                          \
    "a spawn must be a call of a function, but this '%0' stands before the left-hand side of an assignment; write "    \
    "'variable = %0 f(arguments)'")                                                                                    \
  X(SpawnedCast, Error,                                                                                                \
    "a spawn must be a call of a function, but this '%0' stands before a conversion of its result; write '(type)%0 "   \
    "f(arguments)'")                                                                                                   \
  X(SpawnedBlock, Error,                                                                                               \
    "a spawn must be a call of a function, but this is a spawn of a block; move the block to a function and write "    \
    "'%0 f(arguments)'%select{|, or put '[&]' before it and '()' behind it}1")                                         \
  X(MisplacedSync, Error, "a sync must be a statement of its own; write '%0;'")                                        \
  X(SyncLabel, Error, "a sync ends with a ';', but with this ':' it is a label and waits for nothing; write '%0;'")    \
  X(SyncInStatementExpression, Error,                                                                                  \
    "a sync cannot stand in a statement expression (not supported yet); write it as a statement of the function")      \
  X(StrayKeyword, Error,                                                                                               \
    "'%0' cannot stand %select{here; a spawn must be a call in a function's statement, and a sync a statement of "     \
    "its own|directly behind '__extension__'; write '%0 __extension__'}1")                                             \
  X(WholeProgramSanitizer, Error,                                                                                      \
    "-fsanitize=%select{memory|dataflow|type}0 needs every library to be compiled with it, but the runtime "           \
    "library, which passes arguments to tasks of %1, is not; compile with -fserial-elision, too%select{, or with "     \
    "-fsanitize=address||}0")                                                                                          \
  X(NoLowering, Error,                                                                                                 \
    "%0 spawns or syncs, but -disable-llvm-passes leaves out the pass that makes tasks; leave the flag out, or "       \
    "stop at LLVM IR with -emit-llvm")                                                                                 \
  X(NotACall, Error,                                                                                                   \
    "a spawn must be a call of a function, but this is an expression of type %0; write '%1 f(arguments)'")             \
  X(Builtin, Error, "the builtin function %0 cannot be spawned; spawn a function of your own that calls it")           \
  X(NoReturn, Error,                                                                                                   \
    "a spawned call must return, but this function never returns; write the call without '%0', or spawn a function "   \
    "that may return")                                                                                                 \
  X(NoPrototype, Error, "%0 is spawned but declared without a prototype; declare its parameter types")                 \
  X(Pointer, Error,                                                                                                    \
    "a spawn through a pointer needs the parameters' types, but this pointer points to a %select{variadic "            \
    "function|function without a prototype}0; spawn a function of your own that calls the pointer")                    \
  X(Operator, Error,                                                                                                   \
    "a spawn of an overloaded operator other than a call is not supported yet; spawn a function of your own that "     \
    "uses it")                                                                                                         \
  X(Destructor, Error,                                                                                                 \
    "the destructor %0 cannot be spawned: its object must live until the child is done; spawn a function of your "     \
    "own that deletes the object")                                                                                     \
  X(BadDestination, Error,                                                                                             \
    "the result of a spawn must go to an object with an ordinary address, but this is %select{a bit-field or "         \
    "vector element|a register variable|an object in another address space|an atomic object that a library "           \
    "function has to write}0; assign to a variable and copy it after the sync")                                        \
  X(VirtualAssignment, Error,                                                                                          \
    "a spawned result cannot be assigned by a virtual operator=, but the operator= of %0 is virtual (not supported "   \
    "yet); initialize a variable with the spawn, and assign after the sync")                                           \
  X(VirtualConversion, Error,                                                                                          \
    "a spawned result cannot be converted by a virtual function, but %0 is virtual (not supported yet); initialize "   \
    "a variable of the result's own type with the spawn, and convert it after the sync")                               \
  X(StaticLocal, Error,                                                                                                \
    "a function with spawn or sync cannot have a static local variable that is initialized at run time, but %0 is "    \
    "(not supported yet); move the variable out of the function")                                                      \
  X(Try, Error,                                                                                                        \
    "a spawn, sync, cilk_for or cilk_scope cannot stand in the handler of an exception (not supported yet); set a "    \
    "variable in the handler, and move the spawns and syncs behind the try statement")                                 \
  X(Defer, Error,                                                                                                      \
    "a spawn, sync, cilk_for or cilk_scope cannot stand in a deferred statement, which runs when the children of "     \
    "its block have ended (not supported yet); move it to a function that the statement calls, or in front of the "    \
    "block's end")                                                                                                     \
  X(Throw, Error,                                                                                                      \
    "a function with spawn or sync cannot throw: an exception cannot leave a task (not supported yet); return an "     \
    "error value, or catch the exception in the same function")                                                        \
  X(ExceptionSpecification, Error,                                                                                     \
    "a function with spawn or sync cannot have a dynamic exception specification (not supported yet); write "          \
    "noexcept, or nothing")                                                                                            \
  X(Coroutine, Error, "a coroutine cannot contain spawn or sync; move them to a function that it calls")               \
  X(Immediate, Error,                                                                                                  \
    "a consteval function cannot contain spawn or sync: it runs in the compiler; write an ordinary function, or "      \
    "remove the keywords")                                                                                             \
  X(VariadicFunction, Error,                                                                                           \
    "a variadic function cannot contain spawn or sync (not supported yet); move them to a function with named "        \
    "parameters that it calls")                                                                                        \
  X(Setjmp, Error,                                                                                                     \
    "a function with spawn or sync cannot call a function that returns twice, such as setjmp; move the call to a "     \
    "function without spawn and sync")                                                                                 \
  X(ComputedGoto, Error,                                                                                               \
    "a function with spawn or sync cannot take addresses of labels, for a computed goto (not supported yet); write "   \
    "a switch")                                                                                                        \
  X(AsmGoto, Error,                                                                                                    \
    "a function with spawn or sync cannot use asm goto (not supported yet); move it to a function of its own, and "    \
    "branch on the result of that function")                                                                           \
  X(Directive, Error,                                                                                                  \
    "a function with spawn or sync cannot contain OpenMP or other captured regions; move them to a function of "       \
    "their own")                                                                                                       \
  X(LoopVariable, Error,                                                                                               \
    "a cilk_for must declare its loop variable before the first ';', or assign to a local integer or pointer of "      \
    "the function, but this one %select{does neither|declares other variables that refer to it|declares something "    \
    "else}0; write 'cilk_for (int i = first; i < last; ++i)'")                                                         \
  X(LoopVariableType, Error,                                                                                           \
    "the loop variable of a cilk_for must be an integer of at most 64 bits (no bool, and in C++ no enumeration), a "   \
    "pointer to objects of constant size, or an iterator of class type, but %0 has type %1 (not supported yet); "      \
    "count with an integer and use it in the body")                                                                    \
  X(LoopIterator, Error,                                                                                               \
    "a cilk_for over iterators needs the operators 'last - first', whose result is an integer (signed if the loop "    \
    "goes down), and 'iterator += integer', but %select{|the range's iterator type }1%0 lacks them; count with an "    \
    "integer, or write a for loop")                                                                                    \
  X(LoopFirst, Error,                                                                                                  \
    "the loop variable of a cilk_for must have an initial value, but %0 %select{has none|refers to itself}1; write "   \
    "the first value after its name")                                                                                  \
  X(LoopCondition, Error,                                                                                              \
    "the condition of a cilk_for must compare its loop variable %0 with a bound by <, <=, >, >= or !=, but "           \
    "%select{there is none|this is another expression|this bound refers to the loop variable|this bound is no "        \
    "integer of at most 64 bits and no pointer to the same type}1; compute the bound before the loop and write the "   \
    "comparison")                                                                                                      \
  X(LoopStep, Error,                                                                                                   \
    "the increment of a cilk_for must change its loop variable %0 by ++, --, += or -=, but %select{there is "          \
    "none|this is another expression|this step refers to the loop variable|this step is no integer of at most 64 "     \
    "bits}1; write a for loop if the number of iterations is not known before the loop")                               \
  X(LoopEnd, Error,                                                                                                    \
    "a cilk_for must reach its bound, but %0 %select{has a step of 0|goes away from it|passes over it}1; write a "     \
    "step that reaches the bound, or a for loop")                                                                      \
  X(LoopJump, Error,                                                                                                   \
    "a %select{break|continue to a label|return|goto}0 cannot leave the body of a cilk_for: other iterations may "     \
    "be running; set a variable and test it after the loop")                                                           \
  X(LoopEntry, Error, "a jump cannot enter the body of a cilk_for; move the label out of the loop")                    \
  X(LoopChange, Error, "the loop variable of a cilk_for cannot be changed in its body, but %0 is; use a copy of it")   \
  X(RegionInExpression, Error,                                                                                         \
    "a %select{cilk_for|cilk_scope}0 cannot stand in a statement expression (not supported yet); write it as a "       \
    "statement of the function")                                                                                       \
  X(GrainSyntax, Error,                                                                                                \
    "a grain size must be an integer of at most 64 bits; write '#pragma cilk grainsize = iterations'")                 \
  X(GrainWithoutLoop, Error, "a grainsize pragma must stand directly before a cilk_for; move it there, or remove it")  \
  X(ScopeWithoutBlock, Error, "a cilk_scope must be followed by a block; write 'cilk_scope { statements }'")           \
  X(ScopeJump, Error,                                                                                                  \
    "a jump out of a cilk_scope cannot stand in a statement expression (not supported yet); write it as a "            \
    "statement of the block")                                                                                          \
  X(ResultUsed, Error,                                                                                                 \
    "a spawn's result can be used after the next sync only, but '%0' %select{is read|is written|takes another "        \
    "spawn's result}1 before it; write '%2;' before this use")                                                         \
  X(ResultMaybeUsed, Warning,                                                                                          \
    "a spawn's result can be used after the next sync only, but '%0' may %select{be read|be written|take another "     \
    "spawn's result}1 before it; write '%2;' before this use")                                                         \
  X(SpawnNote, Note, "spawned here")                                                                                   \
  X(ResultEnds, Error,                                                                                                 \
    "a variable that takes a spawn's result must live until the next sync, but the scope of %0 ends before; "          \
    "declare it in the block around, or write '%1;' where the scope ends")                                             \
  X(ResultMayEnd, Warning,                                                                                             \
    "a variable that takes a spawn's result must live until the next sync, but the scope of %0 may end before; "       \
    "declare it in the block around, or write '%1;' where the scope ends")                                             \
  X(ArgumentEnds, Warning,                                                                                             \
    "a variable that a spawned call can reach must live until the next sync, but the scope of %0 ends before; "        \
    "declare it in the block around, or write '%1;' where the scope ends")                                             \
  X(ScopeEndNote, Note, "the scope of %0 ends here")                                                                   \
  X(StaticWritten, Warning,                                                                                            \
    "a static local variable is shared by all tasks, but %0 is written by %select{a function that is spawned|an "      \
    "iteration of a cilk_for}1; make it atomic if the order does not matter, or pass it as a pointer")                 \
  X(Longjmp, Error,                                                                                                    \
    "a function with spawn or sync cannot call longjmp: no jump can leave a task; return an error value")              \
  X(Reducer, Fatal,                                                                                                    \
    "a reducer ('%0') is not supported yet; give each spawned call a result of its own and combine them after the "    \
    "sync, or use an atomic")                                                                                          \
  X(NoHeader, Fatal,                                                                                                   \
    "cilk2gpu has <cilk/cilk.h> and <cilk/cilk_api.h> only, but this includes '%0'; remove the #include%select{, "     \
    "and uses of its declarations|, and use results of spawned calls, or atomics, in place of reducers}1")             \
  X(MitLock, Fatal,                                                                                                    \
    "'%0' of the MIT dialect is not supported: a task that waits for a lock may keep the task that holds the lock "    \
    "from running; use an atomic")                                                                                     \
  X(MitInlet, Fatal,                                                                                                   \
    "'inlet' of the MIT dialect is not supported; assign the spawned results to variables and combine them after "     \
    "the sync")                                                                                                        \
  X(MitAbort, Fatal,                                                                                                   \
    "'abort' of the MIT dialect is not supported: tasks that run cannot be ended; let them test an atomic flag and "   \
    "return early")

enum class Message {
#define X(name, severity, text) name,
  CILK2GPU_FRONTEND_MESSAGES(X)
#undef X
};

/// Begins the report of `message` at `location`; the caller streams the arguments that its text names.
clang::DiagnosticBuilder report(clang::DiagnosticsEngine &diags, clang::SourceLocation location, Message message);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_SYNTAX_DIAGNOSTICS_H
