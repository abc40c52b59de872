// Finds the jumps that leave or enter a region: a block of cilk_scope, or the body of a cilk_for.
#ifndef CILK2GPU_LIB_FRONTEND_SYNTAX_REGIONJUMPS_H
#define CILK2GPU_LIB_FRONTEND_SYNTAX_REGIONJUMPS_H

#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace cilk2gpu {

class RegionJumps {
public:
  /// Examines `region` and all expressions in it, but not the bodies of nested functions.
  explicit RegionJumps(clang::Stmt *region);

  /// Jumps whose target is outside or may be outside: break, continue, goto of every kind, asm goto, return.
  llvm::SmallVector<clang::Stmt *, 4> leaving;
  /// Statements and expressions that name a label, inside or outside of the region: goto, &&label, asm goto.
  llvm::SmallVector<std::pair<clang::Stmt *, const clang::LabelDecl *>, 4> gotos;
  /// Labels that stand in the region.
  llvm::SmallDenseSet<const clang::LabelDecl *> labels;
  /// Case and default labels of a switch around the region.
  llvm::SmallVector<clang::Stmt *, 2> foreignCases;

private:
  // Statements of the region around the current one to which a break, continue or case label can belong.
  struct Inside {
    bool loop = false, breakable = false, choice = false;
  };
  void visit(clang::Stmt *stmt, Inside inside);
  void visitControl(clang::LoopControlStmt *stmt, bool isInside);

  llvm::SmallDenseSet<const clang::Stmt *> targets; ///< loops and switches in the region
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_SYNTAX_REGIONJUMPS_H
