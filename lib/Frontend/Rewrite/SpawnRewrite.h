// Rewrites one function's spawns, syncs, loops and scopes in place, into the form that Markers.h describes.
#ifndef CILK2GPU_LIB_FRONTEND_REWRITE_SPAWNREWRITE_H
#define CILK2GPU_LIB_FRONTEND_REWRITE_SPAWNREWRITE_H

#include "Frontend/Syntax/DependPragma.h"
#include "Frontend/Syntax/Diagnostics.h"
#include "Frontend/Syntax/DoacrossSite.h"
#include "Frontend/Syntax/LoopSite.h"
#include "Frontend/Syntax/SpawnSite.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

namespace cilk2gpu {

class DependFrame;
class ReducerRewriter;

/// Makes the expressions that replace spawns. Each translation unit has one builder, which owns the declarations of
/// markers.
class MarkerBuilder {
public:
  /// `throws` is true if exceptions may leave tasks.
  MarkerBuilder(clang::Sema &sema, const clang::CodeGenOptions &options, bool throws)
      : sema(sema), context(sema.getASTContext()), options(options), throws(throws) {}

  /// Tells the user how the nest at `at` runs, if the user asks for remarks.
  void remark(clang::SourceLocation at, const DoacrossTiling &tiling);

  /// Makes a call of the sync marker. A marker follows at which an exception of a child is thrown. `raises`: a marker
  /// that raises the rank of the strand precedes.
  clang::Expr *makeSync(clang::SourceLocation at, bool raises = false);

  /// Puts `result` into a new block. A sync follows the evaluation of the returned value, before any object is
  /// destroyed.
  clang::Stmt *makeSyncedReturn(clang::ReturnStmt *result, clang::DeclContext *owner);

  /// Makes one expression of type void: it binds destination and arguments to opaque values, then has the begin marker,
  /// the call with its assignment, and the end marker. Changes the site's call and assignment in place.
  ///
  /// If the result is constructed in a variable, the expression is the variable's initializer and has its type.
  clang::Expr *makeSpawn(const SpawnSite &site, unsigned id);

  /// Makes a block of one iteration of the loop between its markers. `body` is the loop's rewritten body. Changes the
  /// loop variable's initializer.
  clang::Stmt *makeLoop(const LoopSite &site, unsigned id, clang::Stmt *body);

  /// Makes the waves and tiles of a doacross nest. The tiles of a wave are the iterations of a loop between markers.
  /// `body` is the rewritten body of the innermost loop.
  clang::Stmt *makeDoacross(const DoacrossSite &site, const DoacrossTiling &tiling, unsigned id, clang::Stmt *body);

  /// Makes the begin marker and the end marker of a loop. `arguments` are the begin marker's arguments after the id.
  clang::Expr *beginLoop(unsigned id, llvm::ArrayRef<clang::Expr *> arguments, clang::SourceLocation at);
  clang::Expr *endLoop(unsigned id, clang::SourceLocation at);
  /// Makes a handler for exceptions that leave the body of the loop, or the spawned block, with this id. Returns the
  /// statement around `body`, or `body` itself if no exception may leave it. `number` is the number of the iteration in
  /// serial order. `more` is done in the handler, too.
  clang::Stmt *catchAll(unsigned id, clang::Stmt *body, clang::SourceLocation at, clang::Expr *number = nullptr,
                        clang::Stmt *more = nullptr);
  /// Makes a marker at which the exception of a child is thrown, or of an iteration of the loop with this id.
  clang::Expr *makeCheck(unsigned id, clang::SourceLocation at);
  /// Returns true if exceptions may leave tasks.
  bool throwsFromTasks() const { return throws; }
  /// Makes the begin marker and the end marker of a spawned block or expression.
  clang::Expr *beginBlock(unsigned id, clang::SourceLocation at);
  clang::Expr *endBlock(unsigned id, clang::SourceLocation at);
  /// Makes a call of the runtime's function that counts the iterations of a loop.
  clang::Expr *countIterations(llvm::ArrayRef<clang::Expr *> arguments, clang::SourceLocation at);

  /// Makes a call of the runtime's function, or of the marker, __cilk2gpu_doacross_`name`.
  clang::Expr *callDoacross(const char *name, llvm::ArrayRef<clang::Expr *> arguments, clang::SourceLocation at);

  /// Counts a spawn of `callee`. A spawn in a loop counts as several.
  void countSpawn(const clang::FunctionDecl *callee, bool inLoop) { spawned[callee] += inLoop ? 2 : 1; }
  /// Number of spawns of each function so far, in the source order of the first spawns.
  const llvm::MapVector<const clang::FunctionDecl *, unsigned> &spawnCounts() const { return spawned; }

private:
  friend class DependFrame;     // the builder of ordered spawns
  friend class ReducerRewriter; // the builder of lookups

  /// Declares a function with C linkage that does not throw.
  clang::FunctionDecl *external(clang::StringRef name, llvm::ArrayRef<clang::QualType> parameters,
                                clang::QualType result);
  /// Returns the object's type, with a smaller alignment if the object's alignment may be less.
  clang::QualType alignedType(const clang::Expr *object);
  void declareLoopMarkers();
  clang::FunctionDecl *marker(const char *name, llvm::ArrayRef<clang::QualType> parameters,
                              clang::QualType result = clang::QualType());
  clang::Expr *callMarker(clang::FunctionDecl *callee, llvm::ArrayRef<clang::Expr *> arguments,
                          clang::SourceLocation at);
  clang::Expr *literal(unsigned value, clang::SourceLocation at);
  clang::Expr *nullPointer(clang::QualType type, clang::SourceLocation at);
  clang::Expr *addressOf(clang::Expr *lvalue, clang::SourceLocation at);
  clang::Expr *bind(clang::Expr *source, llvm::SmallVectorImpl<clang::Expr *> &bound);
  clang::Expr *bindCopy(clang::Expr *argument, llvm::SmallVectorImpl<clang::Expr *> &bound);
  clang::Expr *bindArgument(clang::Expr *argument, bool mayChange, llvm::SmallVectorImpl<clang::Expr *> &bound);
  clang::Expr *bindDestination(const SpawnSite &site, llvm::SmallVectorImpl<clang::Expr *> &bound);
  clang::Expr *makeStore(const SpawnSite &site, clang::Expr *destination, llvm::SmallVectorImpl<clang::Expr *> *before);
  clang::Expr *makeUpdate(const SpawnSite &site, clang::Expr *destination);
  void makeOrdinaryCall(clang::CallExpr *call);
  clang::FunctionDecl *throwingMarker(const char *name, llvm::ArrayRef<clang::QualType> parameters);
  clang::Expr *makeCallee(const clang::FunctionDecl *named, clang::SourceLocation at);
  void bindUnused(clang::CallExpr *call, llvm::SmallVectorImpl<clang::Expr *> &bound);
  void bindPointer(clang::CallExpr *call, llvm::SmallVectorImpl<clang::Expr *> &bound);
  bool bindOperands(const SpawnSite &site, llvm::SmallVectorImpl<clang::Expr *> &bound);
  void appendToOperands(const SpawnSite &site, clang::Expr *then);
  clang::Expr *makeLate(const SpawnSite &site, bool inPlace, llvm::SmallVectorImpl<clang::Expr *> &before);

  clang::Sema &sema;
  clang::ASTContext &context;
  const clang::CodeGenOptions &options;
  bool throws;
  unsigned numWrappers = 0;
  unsigned numRuns = 0;                           ///< number of run functions of ordered spawns
  llvm::StringMap<clang::FunctionDecl *> runtime; ///< functions of the runtime that ordered spawns call
  clang::FunctionDecl *begin = nullptr, *callee = nullptr, *end = nullptr, *sync = nullptr, *returnSync = nullptr;
  clang::FunctionDecl *raise = nullptr;
  clang::FunctionDecl *check = nullptr, *returnCheck = nullptr, *caught = nullptr;
  clang::FunctionDecl *forBegin = nullptr, *forEnd = nullptr, *tripCount = nullptr;
  clang::FunctionDecl *blockBegin = nullptr, *blockEnd = nullptr;
  llvm::MapVector<const clang::FunctionDecl *, unsigned> spawned;
};

/// What depend pragmas in front of one spawn say.
struct DependOrder {
  clang::SourceLocation pragma;
  llvm::SmallVector<DependItem, 4> items;
  bool isGood; ///< the items have no errors
};

/// Walks the statements of one function body.
class FunctionRewriter {
public:
  FunctionRewriter(clang::Sema &sema, Keywords &keywords, MarkerBuilder &markers, const clang::VarDecl *syncVariable);
  ~FunctionRewriter();

  /// Returns the new body. Reports keywords at positions where they may not stand, and spawns that are not supported.
  /// These stay unchanged, and CodeGen will not run. If `destroys`, the end of a scope runs destructors: implicit syncs
  /// are made explicit in front of them.
  clang::Stmt *rewriteBody(clang::FunctionDecl *rewritten, bool destroys);

  /// Reports every keyword in a statement or expression that may not contain keywords.
  void refuse(clang::Stmt *stmt, Misplacement kind);

private:
  using Output = llvm::SmallVectorImpl<clang::Stmt *>;
  clang::Stmt *rewrite(clang::Stmt *stmt);
  void rewriteInto(clang::Stmt *stmt, Output &output);
  void rewriteChildren(clang::Stmt *parent, Output &output);
  void rewriteDeclarations(clang::DeclStmt *declarations, Output &output);
  clang::VarDecl *makeReferredValue(clang::VarDecl *variable);
  void initialize(clang::VarDecl *variable, clang::Expr *assignment, bool constructs, Output &parts);
  clang::Expr *rewriteExpression(clang::Expr *expr);
  clang::Expr *rewriteSequence(clang::Expr *expr, clang::BinaryOperator *comma);
  clang::Stmt *rewriteInit(clang::Stmt *stmt, Output &output);
  clang::Expr *rewriteSpawn(const SpawnSite &site, const DependOrder *order = nullptr);
  bool acceptSite(const SpawnSite &site);
  bool rewriteReturn(clang::ReturnStmt *result, Output &output);
  bool refuseBefore(const clang::UnaryOperator *spawn, const clang::Expr *call);
  bool checkEntries(clang::Stmt *region, Message message);
  bool checkBlock(clang::Stmt *block);
  clang::Stmt *rewriteSpawnedBlock(clang::AttributedStmt *stmt);
  clang::UnaryOperator *takeLeadingSpawn(clang::Expr *&expr);
  clang::Expr *makeSpawnedExpression(clang::UnaryOperator *spawn, clang::Expr *expr);
  clang::Stmt *rewriteLoop(clang::Stmt *loop, clang::Expr *grain);
  clang::Stmt *rewriteDoacross(const DoacrossText &text);
  std::optional<LoopSite> matchLoopHeader(clang::Stmt *loop, clang::Expr *grain);
  std::optional<DoacrossSite> matchDoacrossNest(const DoacrossText &text, llvm::ArrayRef<clang::ForStmt *> loops);
  bool refuseKeywords(clang::Stmt *stmt, clang::SourceLocation pragma);
  bool rewriteRegion(clang::Stmt *stmt, Output &output);
  void rewriteTry(clang::CXXTryStmt *stmt);
  clang::Stmt *rewriteIteration(clang::Stmt *body);
  bool containsSpawn(clang::Stmt *stmt) const;
  void syncReturns(clang::Stmt *stmt);
  /// Makes a sync. `isWritten`: the program wrote the sync, or a cilk_scope that ends there.
  clang::Expr *makeSync(clang::SourceLocation at, bool isWritten = false);
  clang::Stmt *makeSyncedReturn(clang::ReturnStmt *result);
  std::unique_ptr<DependFrame> openFrame(clang::Stmt *body);
  clang::Stmt *closeFrame(std::unique_ptr<DependFrame> outer, clang::Stmt *body);
  clang::Stmt *rewriteDepend(clang::SwitchStmt *pragma);
  void rewriteScope(clang::Stmt *block, Output &output, bool isWritten = false);
  void refuseRegion(clang::Stmt *stmt);
  bool isSync(const clang::Expr *expr) const;

  clang::Sema &sema;
  clang::ASTContext &context;
  Keywords &keywords;
  MarkerBuilder &markers;
  const clang::VarDecl *syncVariable;
  clang::FunctionDecl *function = nullptr;
  clang::Stmt *functionBody = nullptr;
  bool hasDestructors = false;
  std::unique_ptr<DependFrame> frame;  ///< of the function or iteration; null if it has no ordered spawns
  std::optional<DependOrder> declared; ///< of the depend pragma in front of the declaration that is being rewritten
  llvm::SmallDenseSet<clang::Stmt *> scopeJumps,
      syncedJumps; ///< jumps out of a scope, and those that already follow a sync
  unsigned nextId = 0;
  unsigned loopDepth = 0; ///< number of loops around the statement that is being rewritten
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_REWRITE_SPAWNREWRITE_H
