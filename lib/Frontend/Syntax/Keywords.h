// Cilk's keywords in Clang's preprocessor, and the record of their occurrences:
// - cilk_spawn has the token kind of __extension__, so that `cilk_spawn f(x)` parses as a unary operator. Sema and
//   CodeGen look through this operator.
// - cilk_for has the token kind of `for`.
// - cilk_scope has the token kind of an attribute before a statement (see ScopeAttribute.cpp).
//
// A token watcher records which of these tokens came from Cilk keywords. It also records which keywords were not found
// in the AST, because they stood at no legal position.
#ifndef CILK2GPU_LIB_FRONTEND_SYNTAX_KEYWORDS_H
#define CILK2GPU_LIB_FRONTEND_SYNTAX_KEYWORDS_H

#include "DependPragma.h"
#include "Diagnostics.h"
#include "DoacrossPragma.h"
#include "cilk2gpu/Frontend/Frontend.h"
#include "clang/AST/Expr.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace clang {
class IdentifierInfo;
class MacroInfo;
class Preprocessor;
class Token;
} // namespace clang

namespace cilk2gpu {

/// The consumer owns this object. The preprocessor's callbacks refer to it, so it must live as long as lexing goes on.
// Reason for size: one question for each kind of keyword and pragma.
class Keywords {
public:
  Keywords(clang::Preprocessor &pp, const FrontendOptions &options);

  /// Makes the names keywords. Called once, before the main file is entered.
  void install();

  /// Returns true if the main file has used a keyword or a depend pragma so far. Until then, no declaration has to be
  /// visited.
  bool seen() const { return !found.empty() || !depends.empty(); }

  /// Returns true if exceptions may leave tasks of this program.
  bool throwsFromTasks() const;
  /// Returns true if strands know their pedigrees.
  bool keepsPedigrees() const { return options.pedigrees; }
  /// Returns true if functions with keywords may throw, and handlers may contain keywords.
  bool mayThrow() const { return options.instrumentsElision || throwsFromTasks(); }

  /// Returns true if this operator is a spawn. Does not look through parentheses.
  bool isSpawn(const clang::UnaryOperator *op) const {
    return op->getOpcode() == clang::UO_Extension && found.contains(op->getOperatorLoc());
  }

  /// Returns true if this loop's `for` is a cilk_for.
  bool isFor(const clang::ForStmt *loop) const { return found.contains(loop->getForLoc()); }
  bool isFor(const clang::CXXForRangeStmt *loop) const { return found.contains(loop->getForLoc()); }

  /// Returns the location of cilk_scope if this is a block behind a cilk_scope, else an invalid location.
  clang::SourceLocation scopeLocation(const clang::AttributedStmt *stmt) const;

  /// Returns the location of cilk_spawn if this is a spawned block, or another spawned statement that is no expression.
  /// Else returns an invalid location.
  clang::SourceLocation spawnedLocation(const clang::AttributedStmt *stmt) const;

  /// Returns true if a grainsize pragma has put this switch before its cilk_for (see GrainPragma.cpp).
  bool isGrain(const clang::SwitchStmt *stmt) const { return grains.contains(stmt->getSwitchLoc()); }

  /// Returns the doacross pragma that has put this switch before its cilk_for, or null.
  const DoacrossPragma *doacross(const clang::SwitchStmt *stmt) const;

  /// Returns true if the name spells a cilk_for.
  bool isForName(llvm::StringRef name) const;

  /// Records that a grainsize pragma has put a switch at `location`. The switch's last token stands at `end`, and the
  /// next token must be a cilk_for.
  void addGrain(clang::SourceLocation location, clang::SourceLocation end);

  /// Records that a doacross pragma has put switches before its cilk_for. The last token of the last switch stands at
  /// `end`.
  void addDoacross(DoacrossPragma pragma, clang::SourceLocation end);
  /// Returns true if a depend pragma has put this switch before its spawn (see DependPragma.cpp).
  bool isDepend(const clang::SwitchStmt *stmt) const { return depends.contains(stmt->getSwitchLoc()); }

  /// Records that a depend pragma has put a switch at `location`.
  void addDepend(clang::SourceLocation location, llvm::SmallVector<DependItemText, 4> items) {
    depends[location] = std::move(items);
  }

  /// Returns the items of the depend pragma that has made the switch.
  llvm::ArrayRef<DependItemText> dependItems(const clang::SwitchStmt *stmt) const {
    return depends.find(stmt->getSwitchLoc())->second;
  }

  /// Records that the keyword at `location` was found in the AST and has been handled.
  void account(clang::SourceLocation location);

  /// Records that an error was reported at `location`. Returns false if an error was reported there before, in another
  /// instantiation.
  bool markReported(clang::SourceLocation location) { return reported.insert(location).second; }
  size_t reportCount() const { return reported.size(); }
  bool isReported(clang::SourceLocation location) const { return reported.contains(location); }

  /// Records if errors were found in the code since the last call. After errors, keywords in that code may be missing
  /// in the AST, and are not reported.
  void endRegion(bool hasErrors);

  /// Returns the keywords that were never passed to account(), in source order. They stand in an operand that is never
  /// evaluated, or at a position where Clang's parser accepts an __extension__ but builds no expression.
  llvm::SmallVector<std::pair<clang::SourceLocation, llvm::StringRef>, 0> unaccounted() const;

  /// Returns true if the keyword at `location` stands directly behind an __extension__. In front of a statement,
  /// Clang's parser takes several __extension__ tokens for one.
  bool isBehindExtension(clang::SourceLocation location) const { return behindExtension.contains(location); }

  /// Returns true for the identifiers cilk_sync and _Cilk_sync.
  bool isSyncName(const clang::IdentifierInfo *name) const;

  /// Returns the spelling of the keyword in this file's dialect.
  llvm::StringRef spawnSpelling() const { return options.mitDialect ? "spawn" : "cilk_spawn"; }
  llvm::StringRef syncSpelling() const { return options.mitDialect ? "sync" : "cilk_sync"; }

  /// Returns true for the name of a header of Cilk. If a program includes such a header and it is missing, refuseHeader
  /// reports it.
  static bool isKnownHeader(llvm::StringRef name);
  void refuseHeader(llvm::StringRef name, clang::SourceLocation at);

  /// Switches the MIT dialect's short forms on or off. Called at every change of file.
  void enterFile(bool isSystem);

private:
  struct Occurrence {
    const clang::IdentifierInfo *name;
    bool accounted;
  };
  struct ShortForm {
    clang::IdentifierInfo *name;
    clang::MacroInfo *meaning;
  };

  void installKeywords();
  void installElision();
  void installMitDialect();
  void watch(const clang::Token &token);
  bool startsStatement(const clang::Token &spawn) const;
  void watchNext(const clang::Token &token, const clang::IdentifierInfo *name);
  void watchMit(const clang::Token &token, const clang::IdentifierInfo *name);
  void refusePragma();
  void expectLoop(clang::SourceLocation location, clang::SourceLocation end, Message message);
  clang::MacroInfo *makeMacro(llvm::StringRef token);
  void define(llvm::StringRef name, llvm::StringRef token);

  clang::Preprocessor &pp;
  FrontendOptions options;
  llvm::MapVector<clang::SourceLocation, Occurrence> found;
  llvm::DenseSet<clang::SourceLocation> reported, behindExtension;
  llvm::SmallVector<ShortForm, 4> shortForms;
  clang::IdentifierInfo *spawns[2] = {}, *syncs[2] = {}, *fors[2] = {}, *scopes[2] = {};
  clang::IdentifierInfo *shortSpawn = nullptr, *blockSpawn = nullptr, *inlet = nullptr, *abortName = nullptr;
  unsigned numTokens = 0; ///< number of tokens that reached the parser
  size_t regionBegin = 0; ///< index in `found`
  clang::IdentifierInfo *reducers[2] = {};
  clang::SourceLocation lastAbort, lastScope;
  llvm::DenseSet<clang::SourceLocation> grains;
  llvm::DenseMap<clang::SourceLocation, DoacrossPragma> doacrosses;
  llvm::DenseMap<clang::SourceLocation, llvm::SmallVector<DependItemText, 4>> depends;
  // The pragma whose cilk_for has not come yet, the last token of its switch, and true if that token has been seen.
  clang::SourceLocation pendingPragma, pragmaEnd;
  bool pragmaEnded = false;
  Message withoutLoop = Message::GrainWithoutLoop; ///< error if no cilk_for follows the pragma
  bool wasExtension = false;                       ///< the last token was an __extension__
  bool inUserFile = false;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_SYNTAX_KEYWORDS_H
