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
  X(SpawnedCast, Error,                                                                                                \
    "a spawn must be a call of a function, but this '%0' stands before a conversion of its result; write '(type)%0 "   \
    "f(arguments)'")                                                                                                   \
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
    "a function with spawn or sync cannot have a static local variable that is initialized at run time without a "     \
    "guard (thread_local, or with -fno-threadsafe-statics), but %0 is; move the variable out of the function")         \
  X(Try, Error,                                                                                                        \
    "the handler of an exception cannot contain a spawn, sync, cilk_for or cilk_scope for GPUs, or with "              \
    "-fno-cilk-exceptions; set a variable in the handler, and move the keywords behind the try statement")             \
  X(Defer, Error,                                                                                                      \
    "a spawn, sync, cilk_for or cilk_scope cannot stand in a deferred statement, which runs when the children of "     \
    "its block have ended (not supported yet); move it to a function that the statement calls, or in front of the "    \
    "block's end")                                                                                                     \
  X(Throw, Error,                                                                                                      \
    "a function with spawn or sync cannot throw for GPUs, or with -fno-cilk-exceptions, because the exception "        \
    "would leave a task; return an error value, or catch the exception in the same function")                          \
  X(ExceptionSpecification, Error,                                                                                     \
    "a function with spawn or sync cannot have a dynamic exception specification for GPUs, or with "                   \
    "-fno-cilk-exceptions; write noexcept, or nothing")                                                                \
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
    "goes down), and 'iterator += integer', but %select{|the range's iterator type |the bound's type }1%0 lacks "      \
    "them; count with an "                                                                                             \
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
    "a cilk_for must reach its bound, but %0 %select{has a step of 0|goes away from it|passes over it|wraps around "   \
    "before}1; write a step that reaches the bound, or a for loop")                                                    \
  X(LoopJump, Error,                                                                                                   \
    "a %select{break|continue to a label|return|goto}0 cannot leave the body of a cilk_for: other iterations may "     \
    "be running; set a variable and test it after the loop")                                                           \
  X(LoopEntry, Error, "a jump cannot enter the body of a cilk_for; move the label out of the loop")                    \
  X(BlockJump, Error,                                                                                                  \
    "a %select{break|continue|return|goto}0 cannot leave a spawned block, which is a task of its own; set a variable " \
    "and test it after the sync")                                                                                      \
  X(BlockEntry, Error, "a jump cannot enter a spawned block; move the label out of the block")                         \
  X(ScopeEntry, Error, "a jump cannot enter a cilk_scope; move the label in front of it")                              \
  X(LoopChange, Error, "the loop variable of a cilk_for cannot be changed in its body, but %0 is; use a copy of it")   \
  X(RegionInExpression, Error,                                                                                         \
    "a %select{cilk_for|cilk_scope|spawned block}0 cannot stand in a statement expression (not supported yet); write " \
    "it as a "                                                                                                         \
    "statement of the function")                                                                                       \
  X(UnknownPragma, Warning,                                                                                            \
    "a pragma after '#pragma cilk' must be 'grainsize', 'doacross' or 'depend', but %select{there is no name "         \
    "here|this one is '%1', which has no effect}0; correct its name, or remove it")                                    \
  X(GrainSyntax, Error,                                                                                                \
    "a grain size must be an integer of at most 64 bits; write '#pragma cilk grainsize = iterations'")                 \
  X(GrainWithoutLoop, Error, "a grainsize pragma must stand directly before a cilk_for; move it there, or remove it")  \
  X(DoacrossSyntax, Error,                                                                                             \
    "a doacross pragma must list sinks, and may list sizes of tiles, but %select{there is no sink here|this is "       \
    "no coordinate|a parenthesis is not closed|there is no size here|this is neither}0; write '#pragma cilk "          \
    "doacross(i-1,j) (i,j-1) tile(8,64)', where each coordinate is a loop variable, plus or minus a constant")         \
  X(DoacrossWithoutLoop, Error,                                                                                        \
    "a doacross pragma must stand directly before a cilk_for; move it there, or remove it")                            \
  X(DoacrossNest, Error,                                                                                               \
    "a doacross pragma whose sinks have %0 coordinate%s0 needs %0 perfectly nested cilk_for loop%s0, but "             \
    "%select{this statement, in place of loop %2, is no cilk_for|loop %2 goes over a range|this pragma stands "        \
    "before loop %2|other statements stand beside loop %2}1; %select{write cilk_for, or leave the coordinate out "     \
    "of all sinks|write 'cilk_for (int i = first; i < last; ++i)'|remove it|move them into the body of the last "      \
    "loop}1")                                                                                                          \
  X(DoacrossCount, Error,                                                                                              \
    "each sink of a doacross pragma must have the same number of coordinates, one for each loop, but this sink "       \
    "has %0 and the first has %1; write a coordinate for each loop")                                                   \
  X(DoacrossName, Error,                                                                                               \
    "a sink of a doacross pragma must name the loop variables in the order of the loops, but coordinate %0 names "     \
    "'%1', and the variable of loop %0 is %2; write %2, or %2 plus or minus a constant")                               \
  X(DoacrossDistance, Error,                                                                                           \
    "%select{the distance in a sink|the size of a tile}0 must be an integer constant%select{| above 0}0, but "         \
    "this is %select{none|not above 0}1; write a number, or a constant expression")                                    \
  X(DoacrossSizes, Error,                                                                                              \
    "a doacross pragma may give a size of tiles for each of its %0 loops, but there are %1 sizes; remove the "         \
    "others")                                                                                                          \
  X(DoacrossStep, Error,                                                                                               \
    "a loop that carries a dependence must have a constant step, but the step of %0 is not constant; write a "         \
    "number, or count the iterations from 0 in steps of 1")                                                            \
  X(DoacrossLater, Error,                                                                                              \
    "a sink of a doacross pragma must be an earlier iteration, but this one is %select{the iteration itself|a "        \
    "later iteration}0; write a sink whose first distance goes against the direction of its loop")                     \
  X(DoacrossBound, Error,                                                                                              \
    "the loops of a doacross nest must have bounds and steps that do not change in it, but those of %0 depend on "     \
    "%1; let the loop go over the largest range, and test in the body")                                                \
  X(DoacrossVariable, Error,                                                                                           \
    "the loop variable of a doacross nest must be an integer or a pointer, but %select{|the bound of }2%0 has the "    \
    "class type %1 (not supported yet); count with an integer")                                                        \
  X(DoacrossBody, Error,                                                                                               \
    "the body of a doacross nest cannot contain %select{a spawn|a sync|a cilk_for|a cilk_scope}0: an iteration "       \
    "ends when its body ends; %select{call the function without the keyword, or spawn in a function that the "         \
    "body calls|remove it|write for, or give each sink a coordinate for this loop|move it to a function that the "     \
    "body calls}0")                                                                                                    \
  X(DoacrossNote, Note, "the doacross pragma is here")                                                                 \
  X(DoacrossNever, Warning,                                                                                            \
    "a sink of a doacross pragma should be an iteration, but the variable %0 never has this value: its step is "       \
    "%1; no iteration waits for the sink")                                                                             \
  X(DependSyntax, Error,                                                                                               \
    "a depend pragma must list its items in clauses; write '#pragma cilk depend(in: a, p[0:n]) depend(out: b)'")       \
  X(DependKind, Error, "a depend clause must begin with 'in:', 'out:' or 'inout:'; write 'depend(in: item)'")          \
  X(DependClause, Error,                                                                                               \
    "a depend pragma may have depend clauses only, but this one has '%0'; write 'depend(in: item)', 'depend(out: "     \
    "item)' or 'depend(inout: item)'")                                                                                 \
  X(DependItem, Error,                                                                                                 \
    "an item of a depend clause must be an object with an address, but this is %select{a value|a bit-field or vector " \
    "element|a register variable|a function|an object in another address space|an object of the incomplete type "      \
    "%1}0; name a variable, an element 'a[i]', or an array section 'p[first:length]'")                                 \
  X(DependSection, Error,                                                                                              \
    "an array section must be 'p[first:length]' behind a pointer or an array, or 'a[first:length][first:length]' "     \
    "behind an array of arrays, but %select{this one follows another expression|this one has no length, and the size " \
    "of the array is not known|something follows the section|a length is no integer of at most 64 bits}0; write one "  \
    "item for each row, or the number of elements behind the ':'")                                                     \
  X(DependWithoutSpawn, Error,                                                                                         \
    "a depend pragma must stand directly before the statement of a spawn; write '%0 f(arguments);' or 'variable = %0 " \
    "f(arguments);' behind it, also with a declaration of the variable")                                               \
  X(DependObject, Error,                                                                                               \
    "an ordered spawn keeps copies of its arguments' bytes until its task runs, but %select{an argument|an operand "   \
    "of "                                                                                                              \
    "the call|the destination of the result}0 %select{is, or refers to, a temporary object|has the type %2, whose "    \
    "copy "                                                                                                            \
    "constructor or destructor does something|has the type %2, whose size is not constant}1 (not supported yet); "     \
    "pass "                                                                                                            \
    "a pointer or a reference to a variable that lives until the next sync")                                           \
  X(DependRead, Warning,                                                                                               \
    "a variable that an ordered spawn writes has its new value after the next sync only, but '%0' %select{is|may "     \
    "be}1 "                                                                                                            \
    "read before it; write '%2;' before this use, or pass the address of the variable")                                \
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
  X(ReducerForm, Error,                                                                                                \
    "a reducer names the functions that make and merge its views, but no '(' follows this '%0'; write "                \
    "'%0(identity, reduce)'")                                                                                          \
  X(ReducerNull, Error,                                                                                                \
    "a reducer needs a function that %select{makes a view|merges two views}0, but this is a null pointer; name a "     \
    "function of type 'void (void *%select{|, void *}0)'")                                                             \
  X(ReducerFunctions, Error,                                                                                           \
    "the functions of a reducer must be known where it is used, but the arguments of the template around its type "    \
    "cannot "                                                                                                          \
    "be found here (not supported yet); name the functions outside of the template")                                   \
  X(ReducerView, Error,                                                                                                \
    "the view of a reducer must be an object that can be made at run time, but its type %1 is "                        \
    "%select{incomplete|const "                                                                                        \
    "or volatile|a reference or function|of variable size|a type that contains a reducer|a union with a "              \
    "reducer}0; %select{include the definition of the type|remove the qualifier|use a pointer|use a pointer to "       \
    "allocated memory|remove one of both|use a struct}0")                                                              \
  X(ReducerPlace, Error,                                                                                               \
    "a reducer must be a variable, a member or an element of an array, but this is %select{a parameter|the result of " \
    "a "                                                                                                               \
    "function|a template argument|a thread-local variable|a copy in a lambda}0; %select{pass a reference or a "        \
    "pointer to the reducer|return a reference or a pointer to the reducer|name the type of the view|remove "          \
    "'thread_local'|capture it by reference}0")                                                                        \
  X(ReducerAddress, Error,                                                                                             \
    "a pointer to a reducer must hold the reducer's own address, but '&' gives the address of a view; write "          \
    "'__builtin_addressof(...)'")                                                                                      \
  X(ReducerPointer, Error,                                                                                             \
    "a pointer to a reducer does not point to a view, but it becomes a pointer to %0 here; write '&*' before it for "  \
    "the view of this strand, or convert it explicitly")                                                               \
  X(ReducerReference, Error,                                                                                           \
    "a reference to a reducer must be bound to a reducer, but this is an object of the type %0; declare the object "   \
    "as a "                                                                                                            \
    "reducer, or bind a reference to %0")                                                                              \
  X(ReducerAuto, Error,                                                                                                \
    "a pointer to a reducer must have a type that is written down, but the type of %0 is deduced; write the type in "  \
    "place of 'auto'")                                                                                                 \
  X(ReducerMember, Error,                                                                                              \
    "a reference member must be initialized with a view in the constructor's body or by a function, but this "         \
    "initializer is a reducer; use a pointer")                                                                         \
  X(ReducerOutlived, Error,                                                                                            \
    "a view belongs to a strand, but %0 %select{has static storage, so all strands would share|has thread storage, "   \
    "so "                                                                                                              \
    "later strands of the thread would share|is declared outside of functions, so all strands would share|is "         \
    "constexpr, and strands find their views at run time: no strand would have}1 the view to which it is bound; "      \
    "use the reducer itself, or a local reference")                                                                    \
  X(ReducerArray, Error,                                                                                               \
    "a reference or pointer to an array of reducers must say so in its type, but its elements have the type %0; "      \
    "write the type of the reducer, or use the array itself")                                                          \
  X(ReducerMemberPointer, Error,                                                                                       \
    "a pointer to a member does not tell that the member is a reducer, so it would lead to one view for all strands; " \
    "use the member itself")                                                                                           \
  X(ReducerUncaptured, Error,                                                                                          \
    "a lambda does not capture a reference to a global variable, but this reference is bound to a view; capture it "   \
    "as '[&view = view]', or use the reducer itself")                                                                  \
  X(ReducerSpawn, Error,                                                                                               \
    "a spawn's result cannot go to a reducer, because the parent's view may change before the child ends; assign it "  \
    "to "                                                                                                              \
    "a variable, sync, and update the reducer, or update the reducer in the child")                                    \
  X(ReducerRedeclared, Error,                                                                                          \
    "all declarations of a variable must agree whether it is a reducer, but this declaration of %0 is %select{no|a}1 " \
    "reducer; %select{add|remove}1 'cilk_reducer(...)'")                                                               \
  X(ReducerNote, Note, "declared before here")                                                                         \
  X(NoHeader, Fatal, "cilk2gpu has no header '%0'; remove the #include, and uses of its declarations")                 \
  X(MitInlet, Fatal,                                                                                                   \
    "an inlet of the MIT dialect must be defined in a function of the main file and used as 'name(spawn "              \
    "f(arguments), others);', but %select{this is no definition of a function|its body spawns or syncs|its body "      \
    "returns a value|this is no spawn of a call|this use is another expression, or has another number of arguments|"   \
    "this one is in a macro or a header}0; assign the spawned result to a variable and use it after the sync")         \
  X(MitAbort, Fatal,                                                                                                   \
    "'abort' of the MIT dialect must stand in the text of a function in the main file, but this one is in a macro or " \
    "a "                                                                                                               \
    "header; write it in the function")

enum class Message {
#define X(name, severity, text) name,
  CILK2GPU_FRONTEND_MESSAGES(X)
#undef X
};

/// Begins the report of `message` at `location`; the caller streams the arguments that its text names.
clang::DiagnosticBuilder report(clang::DiagnosticsEngine &diags, clang::SourceLocation location, Message message);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_SYNTAX_DIAGNOSTICS_H
