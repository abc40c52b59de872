// A cilk_for in its legal form, taken apart, and the checks that it must pass before it is rewritten.
#ifndef CILK2GPU_LIB_FRONTEND_LOOPSITE_H
#define CILK2GPU_LIB_FRONTEND_LOOPSITE_H

#include "Keywords.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/StmtCXX.h"

namespace cilk2gpu {

/// `cilk_for (T variable = first; variable OP bound; variable += step) body`
struct LoopSite {
  clang::ForStmt *loop = nullptr;
  clang::VarDecl *variable = nullptr;
  clang::Expr *bound = nullptr; ///< in the type of the comparison; an unqualified T if that is a pointer
  int32_t comparison = 0;       ///< a LoopComparison
  clang::Expr *step = nullptr;  ///< an integer of any type; null for a step of one
  bool isNegative = false;      ///< the step is subtracted
  clang::Expr *grain = nullptr; ///< the grainsize pragma's integer, or null

  bool hasPointer() const { return variable->getType()->isPointerType(); }
};

/// Takes the loop apart. Reports what is not supported about its header and returns nothing if anything was.
std::optional<LoopSite> matchLoop(clang::ForStmt *loop, clang::Expr *grain, clang::ASTContext &context);

/// Reports jumps out of and into the body and assignments to the loop variable, and returns false if there were any.
/// `function` is the body of the function around the loop.
bool checkLoopBody(const LoopSite &site, clang::Stmt *function, clang::ASTContext &context, Keywords &keywords);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_LOOPSITE_H
