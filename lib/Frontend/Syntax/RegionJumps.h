// Finds the jumps that leave a statement or may enter it: a block of cilk_scope, or the body of a cilk_for.
#ifndef CILK2GPU_LIB_FRONTEND_SYNTAX_REGIONJUMPS_H
#define CILK2GPU_LIB_FRONTEND_SYNTAX_REGIONJUMPS_H

#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace cilk2gpu {

class RegionJumps {
public:
  /// Looks through `region` and all expressions in it. Bodies of nested functions are no part of it.
  explicit RegionJumps(clang::Stmt *region);

  /// The jumps whose target is outside or may be there: break, continue, goto of every kind, asm goto, return.
  llvm::SmallVector<clang::Stmt *, 4> leaving;
  /// Everything that names a label, inside or outside of the region: goto, &&label, asm goto.
  llvm::SmallVector<std::pair<clang::Stmt *, const clang::LabelDecl *>, 4> gotos;
  /// Labels that stand in the region.
  llvm::SmallDenseSet<const clang::LabelDecl *> labels;
  /// The case and default labels of a switch around the region.
  llvm::SmallVector<clang::Stmt *, 2> foreignCases;

private:
  // The statements of the region around the current one that a break, continue or case label can belong to.
  struct Inside {
    bool loop = false, breakable = false, choice = false;
  };
  void visit(clang::Stmt *stmt, Inside inside);
  void visitControl(clang::LoopControlStmt *stmt, bool isInside);

  llvm::SmallDenseSet<const clang::Stmt *> targets; ///< loops and switches in the region
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_SYNTAX_REGIONJUMPS_H
