// The pragma `cilk doacross(i-1,j) (i,j-1) tile(B1,B2)` before perfectly nested cilk_for loops. Its loop variables are
// not declared where the pragma stands. So the pragma records their names, and the parser sees only the distances and
// sizes, as `switch (-1) default:`. They may be any expressions of the surrounding scope, in templates too.
#ifndef CILK2GPU_LIB_FRONTEND_SYNTAX_DOACROSSPRAGMA_H
#define CILK2GPU_LIB_FRONTEND_SYNTAX_DOACROSSPRAGMA_H

#include "clang/Basic/IdentifierTable.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>

namespace clang {
class PragmaHandler;
} // namespace clang

namespace cilk2gpu {

class Keywords;

/// The pragma's text. In front of the loop stands a switch at `at`, which contains a switch for each distance, then
/// one for each size.
struct DoacrossPragma {
  struct Coordinate {
    const clang::IdentifierInfo *name;
    clang::SourceLocation at;
    bool hasDistance; ///< false for a coordinate that is only a name
  };
  using Sink = llvm::SmallVector<Coordinate, 3>;

  clang::SourceLocation at;
  llvm::SmallVector<Sink, 2> sinks;
  llvm::SmallVector<clang::SourceLocation, 3> sizes; ///< locations of the sizes of tiles

  /// Number of switches inside of the first one.
  unsigned countExpressions() const;
};

/// Makes the handler of the pragma `cilk doacross`, as makeGrainPragma() does.
std::unique_ptr<clang::PragmaHandler> makeDoacrossPragma(Keywords *keywords);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_SYNTAX_DOACROSSPRAGMA_H
