// Turns the sinks of a doacross pragma into vectors of iterations.
#include "DoacrossSite.h"
#include "DeepWalk.h"
#include "Diagnostics.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace cilk2gpu {

std::optional<DoacrossText> matchPragma(Stmt *stmt, const Keywords &keywords) {
  auto *outermost = dyn_cast<SwitchStmt>(stmt);
  DoacrossText text;
  text.pragma = outermost ? keywords.doacross(outermost) : nullptr;
  if (!text.pragma)
    return std::nullopt;
  text.loop = stmt;
  for (unsigned count = text.pragma->countExpressions() + 1; count > 0; --count) {
    auto *choice = dyn_cast<SwitchStmt>(text.loop);
    auto *label = choice ? dyn_cast_or_null<DefaultStmt>(choice->getBody()) : nullptr;
    if (!label)
      return std::nullopt; // after an error
    if (text.loop != stmt)
      text.expressions.push_back(choice->getCond());
    text.loop = label->getSubStmt();
  }
  return text;
}

// Errors in a nest, in the order of Message::DoacrossNest's %select.
enum class BadNest { NoLoop, Range, Pragma, Beside };

std::optional<SmallVector<ForStmt *, 2>> matchNest(const DoacrossText &text, const Keywords &keywords,
                                                   DiagnosticsEngine &diags) {
  SmallVector<ForStmt *, 2> loops;
  auto bad = [&](const Stmt *stmt, BadNest kind) {
    bool isFirst = loops.empty(); // then the statement stands behind the pragma
    report(diags, isFirst ? text.pragma->at : stmt->getBeginLoc(), Message::DoacrossNest)
        << text.rank() << unsigned(kind) << unsigned(loops.size()) + 1;
    return std::nullopt;
  };
  Stmt *stmt = text.loop;
  while (loops.size() != text.rank()) {
    while (auto *block = dyn_cast<CompoundStmt>(stmt)) {
      if (block->size() != 1)
        return bad(block, block->body_empty() ? BadNest::NoLoop : BadNest::Beside);
      stmt = block->body_front();
    }
    auto *choice = dyn_cast<SwitchStmt>(stmt);
    if (choice && (keywords.isGrain(choice) || keywords.doacross(choice)))
      return bad(stmt, BadNest::Pragma);
    if (auto *range = dyn_cast<CXXForRangeStmt>(stmt); range && keywords.isFor(range))
      return bad(stmt, BadNest::Range);
    auto *loop = dyn_cast<ForStmt>(stmt);
    if (!loop || !keywords.isFor(loop))
      return bad(stmt, BadNest::NoLoop);
    loops.push_back(loop);
    stmt = loop->getBody();
  }
  return loops;
}

namespace {
/// Reads the pragma of one nest.
class Reader {
public:
  Reader(const DoacrossText &text, ArrayRef<LoopSite> loops, ASTContext &context)
      : text(text), loops(loops), context(context), diags(context.getDiagnostics()) {}
  std::optional<DoacrossSite> read();

private:
  bool checkLoops();
  bool checkSink(const DoacrossPragma::Sink &sink);
  bool readSink(const DoacrossPragma::Sink &sink);
  bool readSizes();
  std::optional<int64_t> next(SourceLocation at, bool isSize);

  const DoacrossText &text;
  ArrayRef<LoopSite> loops;
  ASTContext &context;
  DiagnosticsEngine &diags;
  DoacrossSite site;
  unsigned used = 0; ///< number of expressions that have been read
};
} // namespace

// Returns the variable of an outer loop on which the loop's header depends, or null.
static VarDecl *findOuter(const LoopSite &loop, ArrayRef<LoopSite> outerLoops) {
  for (const LoopSite &outer : outerLoops) {
    bool depends = refersTo(loop.variable->getInit(), outer.variable) || refersTo(loop.bound, outer.variable) ||
                   refersTo(loop.step, outer.variable);
    for (const Stmt *stmt : loop.prologue)
      if (auto *declarations = dyn_cast<DeclStmt>(stmt))
        for (const Decl *decl : declarations->decls())
          if (auto *variable = dyn_cast<VarDecl>(decl))
            depends |= refersTo(variable->getInit(), outer.variable);
    if (depends)
      return outer.variable;
  }
  return nullptr;
}

bool Reader::checkLoops() {
  for (auto [number, loop] : llvm::enumerate(loops)) {
    SourceLocation at = loop.variable->getLocation();
    QualType type = loop.variable->getType();
    if (loop.hasClass())
      return report(diags, at, Message::DoacrossVariable)
                 << loop.variable << (type->isRecordType() ? type : loop.bound->getType()) << !type->isRecordType(),
             false;
    if (const VarDecl *outer = findOuter(loop, loops.take_front(number)))
      return report(diags, at, Message::DoacrossBound) << loop.variable << outer, false;
  }
  return true;
}

bool Reader::checkSink(const DoacrossPragma::Sink &sink) {
  if (sink.size() != loops.size()) {
    report(diags, sink.front().at, Message::DoacrossCount) << unsigned(sink.size()) << unsigned(loops.size());
    return false;
  }
  for (auto [d, coordinate] : llvm::enumerate(sink)) {
    const VarDecl *variable = loops[d].variable;
    if (coordinate.name == variable->getIdentifier())
      continue;
    report(diags, coordinate.at, Message::DoacrossName) << unsigned(d) + 1 << coordinate.name->getName() << variable;
    return false;
  }
  return true;
}

// Returns the value of the next expression. An unsigned distance means the number with the same bits, because the
// program adds it to its variable.
std::optional<int64_t> Reader::next(SourceLocation at, bool isSize) {
  Expr *expr = text.expressions[used++];
  Expr::EvalResult result;
  if (expr->containsErrors())
    return std::nullopt;
  bool isConstant = expr->EvaluateAsInt(result, context) && result.Val.getInt().getBitWidth() <= 64;
  if (!isConstant) {
    report(diags, at, Message::DoacrossDistance) << isSize << 0;
    return std::nullopt;
  }
  int64_t value =
      isSize ? result.Val.getInt().extOrTrunc(64).getSExtValue() : result.Val.getInt().APInt::getSExtValue();
  if (!isSize || value > 0)
    return value;
  report(diags, at, Message::DoacrossDistance) << isSize << 1;
  return std::nullopt;
}

// Makes the vector of a sink. A sink that no iteration can wait for makes none.
bool Reader::readSink(const DoacrossPragma::Sink &sink) {
  SmallVector<int64_t, 3> vector;
  bool exists = true;
  for (auto [d, coordinate] : llvm::enumerate(sink)) {
    std::optional<int64_t> distance = coordinate.hasDistance ? next(coordinate.at, /*isSize=*/false) : 0;
    if (!distance)
      return false;
    vector.push_back(0);
    if (*distance == 0)
      continue;
    std::optional<int64_t> step = constantStep(loops[d], context);
    if (!step)
      return report(diags, coordinate.at, Message::DoacrossStep) << loops[d].variable, false;
    if (*step == 0)
      continue; // a loop that never ends, or has no iteration
    __int128 iterations = -__int128(*distance) / *step;
    vector.back() = int64_t(std::clamp<__int128>(iterations, INT64_MIN + 1, INT64_MAX));
    if (iterations * *step == -__int128(*distance))
      continue;
    exists = false;
    report(diags, coordinate.at, Message::DoacrossNever) << loops[d].variable << std::to_string(*step);
  }
  const int64_t *lead = llvm::find_if(vector, [](int64_t component) { return component != 0; });
  if (exists && (lead == vector.end() || *lead < 0))
    return report(diags, sink.front().at, Message::DoacrossLater) << (lead != vector.end()), false;
  if (exists)
    site.nest.vectors.push_back(std::move(vector));
  return true;
}

bool Reader::readSizes() {
  ArrayRef<SourceLocation> sizes = text.pragma->sizes;
  if (sizes.size() > loops.size()) {
    report(diags, sizes[loops.size()], Message::DoacrossSizes) << unsigned(loops.size()) << unsigned(sizes.size());
    return false;
  }
  for (SourceLocation at : sizes) {
    std::optional<int64_t> size = next(at, /*isSize=*/true);
    if (!size)
      return false;
    site.nest.sizes.push_back(uint64_t(*size));
  }
  return true;
}

// Returns true for the loops that run again. Macros with several statements are in a loop that does not.
static bool isLoop(const Stmt *stmt) {
  auto *once = dyn_cast<DoStmt>(stmt);
  const Expr *condition = once ? once->getCond()->IgnoreParenImpCasts() : nullptr;
  auto *truth = dyn_cast_or_null<CXXBoolLiteralExpr>(condition);
  auto *number = dyn_cast_or_null<IntegerLiteral>(condition);
  bool isOnce = (truth && !truth->getValue()) || (number && number->getValue() == 0);
  return isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(stmt) && !isOnce;
}

// Returns true if the code contains a loop, a call of code that is not known, or more parts than `budget`. Looks into
// functions that are called, except for recursion.
static bool isHeavy(const Stmt *stmt, unsigned depth, unsigned &budget) {
  constexpr unsigned kDeepest = 6;
  if (!stmt)
    return false;
  if (depth > kDeepest || budget == 0 || isLoop(stmt))
    return true;
  --budget;
  if (auto *call = dyn_cast<CallExpr>(stmt)) {
    const FunctionDecl *callee = call->getDirectCallee();
    if (callee && callee->isNoReturn())
      return false; // a check that has failed
    const Stmt *body = callee && callee->hasBody() ? callee->getBody() : nullptr;
    bool isKnown = callee && (body || callee->getBuiltinID() || callee->isTrivial());
    if (!isKnown || (body && isHeavy(body, depth + 1, budget)))
      return true;
  }
  bool result = false;
  for (const Stmt *child : stmt->children())
    withEnoughStack([&] { result = result || isHeavy(child, depth, budget); });
  return result;
}

std::optional<DoacrossSite> Reader::read() {
  site.at = text.pragma->at;
  site.loops.assign(loops.begin(), loops.end());
  site.nest.rank = loops.size();
  unsigned budget = 2000; // takes about as long as the start of a task
  site.nest.isHeavy = isHeavy(loops.back().body, 0, budget);
  bool isGood = checkLoops();
  for (const DoacrossPragma::Sink &sink : text.pragma->sinks)
    isGood = isGood && checkSink(sink) && readSink(sink);
  return isGood && readSizes() ? std::optional(std::move(site)) : std::nullopt;
}

std::optional<DoacrossSite> matchDoacross(const DoacrossText &text, ArrayRef<LoopSite> loops, ASTContext &context) {
  return Reader(text, loops, context).read();
}

} // namespace cilk2gpu
