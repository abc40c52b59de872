// Writes the body of one function, statement by statement. The writers keep track of the objects that children may
// touch (see Objects.h), so that the body has no race and no undefined behaviour. The work of a function is bounded
// (see Frame.h). Values of type float and double stay in [0, 2^17), so that every conversion is defined.
#ifndef CILK2GPU_TOOLS_CILKSMITH_FUNCTION_H
#define CILK2GPU_TOOLS_CILKSMITH_FUNCTION_H

#include "Assignments.h"
#include "Blocks.h"
#include "Calls.h"
#include "CilkFor.h"
#include "Copies.h"
#include "Cpp.h"
#include "Expressions.h"
#include "Frame.h"
#include "Loops.h"
#include "Races.h"
#include "Reducers.h"
#include "Statements.h"
#include "Variables.h"

namespace cilksmith {

/// The writers of one body.
struct Writers {
  explicit Writers(Body &body)
      : expressions(body, *this), variables(body, *this), assignments(body, *this), calls(body, *this),
        copies(body, *this), reducers(body, *this), loops(body, *this), parallelLoops(body, *this), blocks(body, *this),
        cpp(body, *this), statements(body, *this), races(body, *this), frame(body, *this) {}
  Writers(const Writers &) = delete;

  Expressions expressions;
  Variables variables;
  Assignments assignments;
  Calls calls;
  Copies copies;
  Reducers reducers;
  Loops loops;
  ParallelLoops parallelLoops;
  Blocks blocks;
  CppForms cpp;
  Statements statements;
  Races races;
  Frame frame;
};

/// Returns the body of a function, with its braces.
std::string functionBody(Program &program, const Signature &signature, bool isRoot);

} // namespace cilksmith

#endif // CILK2GPU_TOOLS_CILKSMITH_FUNCTION_H
