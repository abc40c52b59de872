// Cilk's keywords in Clang's preprocessor, and the record of where they occurred. cilk_spawn is given the token kind of
// __extension__, so that `cilk_spawn f(x)` parses as a unary operator that Sema and CodeGen look through; a token
// watcher remembers which of them were spawns, and which were not yet found in the AST: those stood in no legal place.
// cilk_for has the kind of `for`, and cilk_scope that of an attribute before a statement (see ScopeAttribute.cpp).
#ifndef CILK2GPU_LIB_FRONTEND_SYNTAX_KEYWORDS_H
#define CILK2GPU_LIB_FRONTEND_SYNTAX_KEYWORDS_H

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

/// Owned by the consumer; the preprocessor's callbacks refer to it, so it must live as long as the preprocessor lexes.
class Keywords {
public:
  Keywords(clang::Preprocessor &pp, const FrontendOptions &options);

  /// Gives the names their meaning. Called once, before the main file is entered.
  void install();

  /// Whether the main file has used a keyword so far. Until then no declaration needs a look.
  bool seen() const { return !found.empty(); }

  /// Whether this operator is a spawn. Does not look through parentheses.
  bool isSpawn(const clang::UnaryOperator *op) const {
    return op->getOpcode() == clang::UO_Extension && found.contains(op->getOperatorLoc());
  }

  /// Whether this loop's `for` is a cilk_for.
  bool isFor(const clang::ForStmt *loop) const { return found.contains(loop->getForLoc()); }
  bool isFor(const clang::CXXForRangeStmt *loop) const { return found.contains(loop->getForLoc()); }

  /// The location of cilk_scope if this is a block after one, else an invalid one.
  clang::SourceLocation scopeLocation(const clang::AttributedStmt *stmt) const;

  /// Whether this switch is what a grainsize pragma puts before its cilk_for (see GrainPragma.cpp).
  bool isGrain(const clang::SwitchStmt *stmt) const { return grains.contains(stmt->getSwitchLoc()); }

  /// Whether it spells a cilk_for.
  bool isForName(llvm::StringRef name) const;

  /// Says that a grainsize pragma at `location` has put a switch there; its last token stands at `end`, and the next
  /// one must be a cilk_for.
  void addGrain(clang::SourceLocation location, clang::SourceLocation end);

  /// Says that the keyword at `location` was met in the AST and is dealt with.
  void account(clang::SourceLocation location);

  /// Remembers that an error was reported at `location`; false if one was before, in another instantiation.
  bool markReported(clang::SourceLocation location) { return reported.insert(location).second; }
  size_t reportCount() const { return reported.size(); }
  bool isReported(clang::SourceLocation location) const { return reported.contains(location); }

  /// Says whether errors were found in what was read since the last call. Where there were some, keywords may never
  /// have reached the AST.
  void endRegion(bool hasErrors);

  /// Keywords that no account() named, in source order: they stood where Clang's parser takes an __extension__ but
  /// builds no expression, or in an operand that is never evaluated.
  llvm::SmallVector<std::pair<clang::SourceLocation, llvm::StringRef>, 0> unaccounted() const;

  /// Whether the keyword at `location` stands directly behind an __extension__, of which Clang's parser takes several
  /// in front of a statement for one.
  bool isBehindExtension(clang::SourceLocation location) const { return behindExtension.contains(location); }

  /// cilk_sync's and _Cilk_sync's identifier.
  bool isSyncName(const clang::IdentifierInfo *name) const;

  /// The keyword as this file's dialect spells it.
  llvm::StringRef spawnSpelling() const { return options.mitDialect ? "spawn" : "cilk_spawn"; }
  llvm::StringRef syncSpelling() const { return options.mitDialect ? "sync" : "cilk_sync"; }

  /// Whether it is a file of Cilk's; refuses to include one that is not there.
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
  void watchNext(const clang::Token &token, const clang::IdentifierInfo *name);
  void watchMit(const clang::Token &token, const clang::IdentifierInfo *name);
  clang::MacroInfo *makeMacro(llvm::StringRef token);
  void define(llvm::StringRef name, llvm::StringRef token);

  clang::Preprocessor &pp;
  FrontendOptions options;
  llvm::MapVector<clang::SourceLocation, Occurrence> found;
  llvm::DenseSet<clang::SourceLocation> reported, behindExtension;
  llvm::SmallVector<ShortForm, 3> shortForms;
  clang::IdentifierInfo *spawns[2] = {}, *syncs[2] = {}, *fors[2] = {}, *scopes[2] = {};
  clang::IdentifierInfo *shortSpawn = nullptr, *inlet = nullptr, *abortName = nullptr;
  unsigned numTokens = 0; ///< that reached the parser
  size_t regionBegin = 0; ///< in `found`
  clang::IdentifierInfo *reducers[2] = {};
  llvm::SmallVector<const clang::IdentifierInfo *, 4> locks;
  clang::SourceLocation lastAbort, lastScope, lastSpawn;
  llvm::DenseSet<clang::SourceLocation> grains;
  // The pragma whose cilk_for has not come yet, the last token of its switch, and whether that has been seen.
  clang::SourceLocation pendingGrain, grainEnd;
  bool grainEnded = false;
  bool wasExtension = false; ///< the last token was an __extension__
  bool inUserFile = false;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_SYNTAX_KEYWORDS_H
