// Rewrites a doacross nest into waves of tiles. Each wave is a cilk_for over its tiles, and a tile is a nest of
// ordinary loops. So every executor runs it, and no graph is stored:
//
//   #pragma cilk doacross(i-1,j) (i,j-1)
//   cilk_for (int i = a; i < b; ++i) cilk_for (int j = c; j < d; ++j) body
//   ->  first, bound and step of i; n0 = trip_count(...);
//       if (0 < n0) {
//         first, bound and step of j; n1 = trip_count(...);
//         if (0 < n1)
//           for (wave = 0; wave < waves; ++wave) {
//             { uint64_t k = for_begin(...);                         // a tile of the wave
//               for (i in the tile) for (j in the tile) body }
//             for_end(id);
//           }
//       }
//
// If sizes of tiles are decided at run time, the rows of the outer loop run in parts. The plan is for the next part:
//
//   plan = doacross_plan(n0, isAdaptable);
//   for (row = 0; row < n0;) {
//     end = doacross_rows(plan, row, n0); begun = doacross_clock(plan);
//     sizes = doacross_size(plan, ...); waves as above, of the rows up to `end`
//     plan = doacross_next(plan, begun, iterations); row = end;
//   }
//
// If exceptions may leave iterations, a tile counts its iterations in serial order. A handler around the tile takes the
// exception of the iteration that runs, and so leaves out the rest of the tile. Later waves leave out all iterations
// behind the first one that has thrown. Waves tell, not tiles, so that what runs does not depend on timing:
//
//   for (wave ...) {
//     thrown = thrown(id);                                     // the largest number if no iteration has thrown
//     { k = for_begin(...); order = 0;
//       try { for (i in the tile, up to `thrown`) { ++order; body } } catch (...) { caught(id, order); } }
//     for_end(id);
//   }
//   check(id);
//
// An executor with counters for its tiles could replace the loop over waves here; DoacrossTiling has all it needs.
#include "Frontend/Checks/StaticWrites.h"
#include "Frontend/Syntax/DeepWalk.h"
#include "LoopBuilder.h"
#include "SpawnRewrite.h"
#include "cilk2gpu/Support/DoacrossPlan.h"
#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/abi/Records.h"
#include "clang/Basic/DiagnosticFrontend.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace clang;

namespace cilk2gpu {

namespace {
/// A number of the program: a constant, or an expression that can be made several times.
struct Number {
  std::optional<uint64_t> constant;
  std::function<Expr *()> make;
};

/// The arithmetic of DoacrossWaves on numbers of the program.
class NumberOps {
public:
  using Value = Number;

  NumberOps(LoopBuilder &builder, MarkerBuilder &markers, SourceLocation at)
      : builder(builder), markers(markers), at(at) {}

  SmallVectorImpl<Stmt *> *output = nullptr; ///< receives the declarations of kept numbers
  Number plan;                               ///< how the next rows run, if that is decided at run time

  Number number(uint64_t value) {
    return {value, [this, value] { return builder.convert(builder.number(int64_t(value)), builder.unsignedType()); }};
  }
  Number variable(VarDecl *variable) {
    return {std::nullopt, [this, variable] { return builder.read(variable); }};
  }
  Number add(Number a, Number b) { return isNumber(a, 0) ? b : isNumber(b, 0) ? a : binary(a, b, BO_Add); }
  Number sub(Number a, Number b) { return isNumber(b, 0) ? a : binary(a, b, BO_Sub); }
  Number mul(Number a, Number b) {
    return isNumber(a, 0) || isNumber(b, 1) ? a : isNumber(b, 0) || isNumber(a, 1) ? b : binary(a, b, BO_Mul);
  }
  Number div(Number a, Number b) { return isNumber(b, 1) ? a : binary(a, b, BO_Div); }
  Number rem(Number a, Number b) { return isNumber(b, 1) ? number(0) : binary(a, b, BO_Rem); }
  Number ifLess(Number a, Number b, Number x, Number y);
  Number keep(const char *name, Number value);
  Number chooseSize(const DoacrossSizeRequest<Number> &request);

private:
  static bool isNumber(const Number &value, uint64_t number) { return value.constant == number; }
  Number binary(Number a, Number b, BinaryOperatorKind kind);

  LoopBuilder &builder;
  MarkerBuilder &markers;
  SourceLocation at;
};

/// Makes the statements of one nest.
class DoacrossBuilder {
public:
  DoacrossBuilder(ASTContext &context, MarkerBuilder &markers, const DoacrossSite &site, const DoacrossTiling &tiling,
                  unsigned id, Stmt *body)
      : context(context), markers(markers), site(site), tiling(tiling), at(site.loops.front().at), id(id), body(body) {
    for (const LoopSite &loop : site.loops)
      loops.emplace_back(context, loop);
    ops.emplace(loops.front(), markers, at);
    row = number(0);
  }

  Stmt *build();

private:
  using Output = SmallVectorImpl<Stmt *>;
  using Waves = DoacrossWaves<NumberOps>;

  void addHeaders(unsigned d, Output &output);
  void addPlan(Output &output);
  void addRows(VarDecl *plan, Output &output);
  void addWaves(Output &output);
  void addWave(Number wave, Output &output);
  Stmt *makeTile(Output &output);
  void addLines(unsigned d, Output &output);
  Number loopBegin(unsigned d);
  VarDecl *orderOf(unsigned d) const;
  Number lineOrder(unsigned d);
  Number limit(Number begin, Number high);
  Stmt *makeLine(unsigned d, Waves::Range range);
  Stmt *makeCountedLine(LoopBuilder &loop, unsigned d, Waves::Range range);
  Stmt *makeVariableLine(LoopBuilder &loop, unsigned d, Waves::Range range);
  Stmt *makeFor(VarDecl *variable, Expr *condition, Expr *increment, Stmt *lineBody);
  void addInner(unsigned d, Output &output);
  bool needsPlace(unsigned d) const;
  Number number(uint64_t value) { return ops->number(value); }

  ASTContext &context;
  MarkerBuilder &markers;
  const DoacrossSite &site;
  const DoacrossTiling &tiling;
  SourceLocation at; ///< location of the first loop
  unsigned id;
  Stmt *body;
  SmallVector<LoopBuilder, 2> loops;
  std::optional<NumberOps> ops;
  SmallVector<Number, 3> counts, tile, places;
  std::optional<Waves> waves;
  Number first; ///< iteration along dimension 0 that the tile has reached, if the loop is split
  Number row;   ///< first iteration of the outer loop that runs next
  /// For each loop, the place in serial order of the iteration that runs. Empty if no exception may leave iterations.
  SmallVector<VarDecl *, 2> orders;
  Number thrown; ///< place of the first iteration that has thrown in an earlier wave
};
} // namespace

Number NumberOps::binary(Number a, Number b, BinaryOperatorKind kind) {
  if (a.constant && b.constant) {
    uint64_t x = *a.constant, y = *b.constant;
    switch (kind) {
    case BO_Add:
      return number(x + y);
    case BO_Sub:
      return number(x - y);
    case BO_Mul:
      return number(x * y);
    case BO_Div:
      return number(x / y);
    default:
      return number(x % y);
    }
  }
  return {std::nullopt, [=, this] { return builder.binary(a.make(), b.make(), kind); }};
}

Number NumberOps::ifLess(Number a, Number b, Number x, Number y) {
  if (a.constant && b.constant)
    return *a.constant < *b.constant ? x : y;
  return {std::nullopt, [=, this]() -> Expr * {
            return builder.makeChoice(builder.compare(a.make(), b.make(), BO_LT), x.make(), y.make());
          }};
}

Number NumberOps::keep(const char *name, Number value) {
  if (value.constant)
    return value;
  return variable(
      builder.declare(("doacross." + StringRef(name)).str().c_str(), builder.unsignedType(), value.make(), *output));
}

Number NumberOps::chooseSize(const DoacrossSizeRequest<Number> &request) {
  abi::DoacrossShape shape{uint32_t(std::min<uint64_t>(request.size, UINT32_MAX)), uint16_t(request.least),
                           uint8_t(request.depth), request.isOuter};
  Expr *arguments[] = {plan.make(), request.extent.make(), request.unit.make(), request.iterations.make(),
                       number(shape.bits()).make()};
  return variable(
      builder.declare("doacross.size", builder.unsignedType(), markers.callDoacross("size", arguments, at), *output));
}

// A later dimension is skewed by the place along this one.
bool DoacrossBuilder::needsPlace(unsigned d) const {
  return llvm::any_of(tiling.dimensions, [&](const DoacrossDimension &dimension) {
    return d < dimension.skew.size() && dimension.skew[d] != 0;
  });
}

// Evaluates the header of loop `d` and of all loops in it. The header of an inner loop is evaluated once, if the outer
// loops have iterations.
void DoacrossBuilder::addHeaders(unsigned d, Output &output) {
  if (d == loops.size()) {
    tiling.hasPlan() ? addPlan(output) : addWaves(output);
    if (markers.throwsFromTasks())
      output.push_back(markers.makeCheck(id, at));
    return;
  }
  LoopBuilder &loop = loops[d];
  SmallVector<Expr *, 5> arguments = loop.declareHeader(output);
  Expr *call = markers.countIterations(ArrayRef(arguments).drop_back(), site.loops[d].at);
  counts.push_back(ops->variable(loop.declare("doacross.count", loop.unsignedType(), call, output)));
  SmallVector<Stmt *, 8> inner;
  addHeaders(d + 1, inner);
  output.push_back(loop.makeIf(loop.compare(number(0).make(), counts[d].make(), BO_LT), loop.block(inner)));
  if (site.loops[d].outer)
    output.push_back(loop.makeFinal());
}

void DoacrossBuilder::addPlan(Output &output) {
  LoopBuilder &loop = loops.front();
  llvm::APInt isAdaptable(context.getIntWidth(context.IntTy), tiling.isAdaptable());
  Expr *arguments[] = {counts.front().make(), IntegerLiteral::Create(context, isAdaptable, context.IntTy, at)};
  VarDecl *plan =
      loop.declare("doacross.plan", loop.unsignedType(), markers.callDoacross("plan", arguments, at), output);
  ops->plan = ops->variable(plan);
  tiling.isAdaptable() ? addRows(plan, output) : addWaves(output);
}

// Makes the loop over the parts of the rows.
void DoacrossBuilder::addRows(VarDecl *plan, Output &output) {
  LoopBuilder &loop = loops.front();
  VarDecl *low = makeHiddenVariable(site.loops.front(), "doacross.row", loop.unsignedType(), context);
  low->setInit(number(0).make());
  row = ops->variable(low);
  Number rows = counts.front();
  SmallVector<Stmt *, 8> statements;
  auto call = [&](const char *name, ArrayRef<Number> numbers) {
    SmallVector<Expr *, 3> arguments = llvm::map_to_vector<3>(numbers, [](const Number &each) { return each.make(); });
    return markers.callDoacross(name, arguments, at);
  };
  auto keep = [&](const char *name, Expr *value) {
    return ops->variable(loop.declare(name, loop.unsignedType(), value, statements));
  };
  Number end = keep("doacross.end", call("rows", {ops->plan, row, rows}));
  Number begun = keep("doacross.begun", call("clock", {ops->plan}));
  counts.front() = keep("doacross.count", ops->sub(end, row).make());
  Number iterations = number(1);
  for (const Number &count : counts)
    iterations = ops->mul(iterations, count);
  addWaves(statements);
  counts.front() = rows;
  statements.push_back(loop.assign(plan, call("next", {ops->plan, begun, iterations})));
  statements.push_back(loop.assign(low, end.make()));
  Expr *condition = loop.compare(loop.read(low), rows.make(), BO_LT);
  output.push_back(makeFor(low, condition, /*increment=*/nullptr, loop.block(statements)));
}

void DoacrossBuilder::addWaves(Output &output) {
  LoopBuilder &loop = loops.front();
  ops->output = &output;
  waves.emplace(*ops, tiling, counts);
  if (waves->waves().constant == 1)
    return addWave(number(0), output);
  VarDecl *wave = makeHiddenVariable(site.loops.front(), "doacross.wave", loop.unsignedType(), context);
  wave->setInit(number(0).make());
  SmallVector<Stmt *, 8> statements;
  addWave(ops->variable(wave), statements);
  Expr *condition = loop.compare(loop.read(wave), waves->waves().make(), BO_LT);
  Expr *increment = loop.assign(wave, loop.binary(loop.read(wave), number(1).make(), BO_Add));
  output.push_back(makeFor(wave, condition, increment, loop.block(statements)));
}

// Makes the loop between markers over the tiles of a wave.
void DoacrossBuilder::addWave(Number wave, Output &output) {
  LoopBuilder &loop = loops.front();
  ops->output = &output;
  if (markers.throwsFromTasks()) {
    Expr *nest =
        IntegerLiteral::Create(context, llvm::APInt(context.getIntWidth(context.IntTy), id), context.IntTy, at);
    Expr *first = markers.callDoacross("thrown", {nest}, at);
    thrown = ops->variable(loop.declare("doacross.thrown", loop.unsignedType(), first, output));
  }
  Number tiles = waves->enterWave(wave);
  llvm::APInt comparison(context.getIntWidth(context.IntTy),
                         abi::kLess | abi::kUnsigned | abi::kFromZero | abi::kTiles);
  Expr *arguments[] = {loop.number(0), loop.convert(tiles.make(), loop.signedType()), loop.number(1),
                       IntegerLiteral::Create(context, comparison, context.IntTy, at),
                       /*grain=*/loop.number(1)};
  SmallVector<Stmt *, 8> statements;
  VarDecl *index = loop.declare("doacross.tile", loop.unsignedType(), markers.beginLoop(id, arguments, at), statements);
  ops->output = &statements;
  tile = waves->coordinates(ops->variable(index));
  places.assign(waves->rank(), number(0));
  first = number(0);
  statements.push_back(makeTile(statements));
  output.push_back(loop.block(statements));
  output.push_back(markers.endLoop(id, at));
}

// Makes the iterations of a tile, with a handler around them. `output` receives the variables that the handler reads.
Stmt *DoacrossBuilder::makeTile(Output &output) {
  LoopBuilder &loop = loops.front();
  orders.clear();
  if (markers.throwsFromTasks())
    for (unsigned d = 0; d < loops.size(); ++d)
      orders.push_back(loop.declare("doacross.order", loop.unsignedType(), number(0).make(), output));
  SmallVector<Stmt *, 8> lines;
  addLines(0, lines);
  Stmt *all = loop.block(lines);
  if (std::optional<unsigned> d = waves->uncertain())
    all = loop.makeIf(loop.compare(tile[*d].make(), waves->gridSize(*d).make(), BO_LT), all);
  return orders.empty() ? all : markers.catchAll(id, all, at, loop.read(orders.back()));
}

// Returns the iteration of its loop that is number 0 of the dimension.
Number DoacrossBuilder::loopBegin(unsigned d) {
  if (tiling.split)
    return ops->add(row, ops->mul(number(tiling.split), first));
  return d == 0 ? row : number(0);
}

// Returns the variable that counts the iterations along the dimension in serial order, or null.
VarDecl *DoacrossBuilder::orderOf(unsigned d) const {
  if (orders.empty() || (tiling.split && d == 0))
    return nullptr;
  return orders[tiling.split ? 0 : d];
}

// Returns the place in serial order of the line's iteration number 0, whether the tile has it or not.
Number DoacrossBuilder::lineOrder(unsigned d) {
  if (tiling.split || d == 0)
    return loopBegin(d);
  return ops->mul(ops->variable(orders[d - 1]), counts[d]);
}

// Returns the end of a line that begins at the place `begin` in serial order. It is `high` unless an iteration has
// thrown. The comparison with the largest number vanishes, with all the others, where nothing throws.
Number DoacrossBuilder::limit(Number begin, Number high) {
  Number left = ops->sub(thrown, begin);
  Number end = ops->ifLess(thrown, begin, number(0), ops->ifLess(left, high, left, high));
  return ops->ifLess(thrown, number(UINT64_MAX), end, high);
}

// Appends the iterations of the tile along dimension `d`. A line is one ordinary loop.
void DoacrossBuilder::addLines(unsigned d, Output &output) {
  LoopBuilder &loop = loops.front();
  ops->output = &output;
  Number offset = ops->keep("offset", waves->offset(d, places));
  Waves::Range range = waves->iterations(d, tile[d], offset, first);
  range = {ops->keep("low", range.low), ops->keep("high", range.high)};
  VarDecl *order = orderOf(d);
  Number begin = order ? ops->keep("begin", lineOrder(d)) : number(0);
  if (order && d + 1 == waves->rank())
    range.high = ops->keep("end", limit(begin, range.high));
  Expr *condition = loop.compare(range.low.make(), range.high.make(), BO_LT);
  SmallVector<Stmt *, 8> statements;
  ops->output = &statements;
  if (needsPlace(d))
    places[d] =
        ops->variable(loop.declare("doacross.place", loop.unsignedType(),
                                   ops->sub(ops->add(range.low, offset), waves->begin(d, tile[d])).make(), statements));
  if (order)
    statements.push_back(loop.assign(order, ops->sub(ops->add(begin, range.low), number(1)).make()));
  statements.push_back(makeLine(d, range));
  output.push_back(loop.makeIf(condition, loop.block(statements)));
}

Stmt *DoacrossBuilder::makeLine(unsigned d, Waves::Range range) {
  LoopBuilder &loop = loops[tiling.split ? 0 : d];
  if (!tiling.split || d == 1) {
    Number begin = loopBegin(d);
    range = {ops->add(begin, range.low), ops->add(begin, range.high)};
    return loop.hasWideVariable() ? makeVariableLine(loop, d, range) : makeCountedLine(loop, d, range);
  }
  VarDecl *index = makeHiddenVariable(site.loops.front(), "doacross.part", loop.unsignedType(), context);
  index->setInit(range.low.make());
  first = ops->variable(index);
  SmallVector<Stmt *, 4> statements;
  addInner(d, statements);
  return makeFor(index, loop.compare(loop.read(index), range.high.make(), BO_LT),
                 loop.assign(index, loop.binary(loop.read(index), number(1).make(), BO_Add)), loop.block(statements));
}

// `for (uint64_t k = low; k < high; ++k) { T i = first + k * step; inner; }`
Stmt *DoacrossBuilder::makeCountedLine(LoopBuilder &loop, unsigned d, Waves::Range range) {
  VarDecl *index = makeHiddenVariable(site.loops.front(), "doacross.index", loop.unsignedType(), context);
  index->setInit(range.low.make());
  SmallVector<Stmt *, 4> statements;
  loop.declareVariable(loop.valueAt(loop.read(index)), statements);
  addInner(d, statements);
  return makeFor(index, loop.compare(loop.read(index), range.high.make(), BO_LT),
                 loop.assign(index, loop.binary(loop.read(index), number(1).make(), BO_Add)), loop.block(statements));
}

// `T last = first + (high - 1) * step;
//  for (T v = first + low * step;; v += step) { T i = v; inner; if (v == last) break; }`
// The optimiser knows that v does not wrap around, as in the program's own loop, and no value behind the last is made.
Stmt *DoacrossBuilder::makeVariableLine(LoopBuilder &loop, unsigned d, Waves::Range range) {
  const LoopSite &own = tiling.split ? site.loops.front() : site.loops[d];
  QualType type = own.variable->getType().getUnqualifiedType();
  SmallVector<Stmt *, 2> outer;
  VarDecl *last = loop.declare("doacross.last", type, loop.valueAt(ops->sub(range.high, number(1)).make()), outer);
  VarDecl *value = makeHiddenVariable(own, "doacross.value", type, context);
  value->setInit(loop.valueAt(range.low.make()));
  SmallVector<Stmt *, 4> statements;
  loop.declareVariable(loop.read(value), statements);
  addInner(d, statements);
  statements.push_back(
      loop.makeIf(loop.compare(loop.read(value), loop.read(last), BO_EQ), new (context) BreakStmt(own.at)));
  outer.push_back(
      makeFor(value, /*condition=*/nullptr, loop.assign(value, loop.valueAfter(value)), loop.block(statements)));
  return loop.block(outer);
}

Stmt *DoacrossBuilder::makeFor(VarDecl *variable, Expr *condition, Expr *increment, Stmt *lineBody) {
  auto *init = new (context) DeclStmt(DeclGroupRef(variable), at, at);
  return new (context) ForStmt(context, init, condition, /*condVar=*/nullptr, increment, lineBody, at, at, at);
}

// Appends the code in a line: the next dimension, or the body.
void DoacrossBuilder::addInner(unsigned d, Output &output) {
  if (VarDecl *order = orderOf(d))
    output.push_back(loops.front().assign(order, ops->add(ops->variable(order), number(1)).make()));
  if (d + 1 == waves->rank())
    output.push_back(loops.back().makeBody(body));
  else
    addLines(d + 1, output);
  if (!needsPlace(d))
    return;
  LoopBuilder &loop = loops.front();
  auto *place = cast<VarDecl>(cast<DeclRefExpr>(cast<ImplicitCastExpr>(places[d].make())->getSubExpr())->getDecl());
  output.push_back(loop.assign(place, ops->add(places[d], number(1)).make()));
}

Stmt *DoacrossBuilder::build() {
  SmallVector<Stmt *, 8> statements;
  addHeaders(0, statements);
  return loops.front().block(statements);
}

Expr *MarkerBuilder::countIterations(ArrayRef<Expr *> arguments, SourceLocation at) {
  if (!tripCount) {
    QualType longType = context.getIntTypeForBitwidth(64, 1);
    tripCount = external("__cilk2gpu_trip_count", {longType, longType, longType, context.IntTy},
                         context.getIntTypeForBitwidth(64, 0));
  }
  return callMarker(tripCount, arguments, at);
}

Expr *MarkerBuilder::callDoacross(const char *name, ArrayRef<Expr *> arguments, SourceLocation at) {
  std::string full = std::string(kDoacrossPrefix) + name;
  FunctionDecl *&callee = runtime[full];
  if (!callee)
    callee = external(full, llvm::map_to_vector<5>(arguments, [](const Expr *each) { return each->getType(); }),
                      context.getIntTypeForBitwidth(64, 0));
  return callMarker(callee, arguments, at);
}

Stmt *MarkerBuilder::makeDoacross(const DoacrossSite &site, const DoacrossTiling &tiling, unsigned id, Stmt *body) {
  return DoacrossBuilder(context, *this, site, tiling, id, body).build();
}

// The remark looks as the remarks of passes do, and the same options select it.
void MarkerBuilder::remark(SourceLocation at, const DoacrossTiling &tiling) {
  constexpr const char *kPass = "cilk";
  bool isSerial = tiling.isSerial();
  if (!(isSerial ? options.OptimizationRemarkMissed : options.OptimizationRemark).patternMatches(kPass))
    return;
  context.getDiagnostics().Report(at, isSerial ? diag::remark_fe_backend_optimization_remark_missed
                                               : diag::remark_fe_backend_optimization_remark)
      << AddFlagValue(kPass) << "this doacross nest runs " + tiling.describe();
}

// Reports keywords in the body of a nest. Returns true if there are any.
bool FunctionRewriter::refuseKeywords(Stmt *stmt, SourceLocation pragma) {
  if (!stmt || isa<LambdaExpr>(stmt))
    return false;
  enum { None, Spawn, Sync, Loop, Scope } kind = None;
  SourceLocation at = stmt->getBeginLoc();
  auto *counted = dyn_cast<ForStmt>(stmt);
  auto *range = dyn_cast<CXXForRangeStmt>(stmt);
  auto *scope = dyn_cast<AttributedStmt>(stmt);
  if (auto *op = dyn_cast<UnaryOperator>(stmt); op && keywords.isSpawn(op))
    kind = Spawn, at = op->getOperatorLoc();
  else if (auto *ref = dyn_cast<DeclRefExpr>(stmt); ref && isSync(ref))
    kind = Sync;
  else if ((counted && keywords.isFor(counted)) || (range && keywords.isFor(range)))
    kind = Loop;
  else if (scope && keywords.scopeLocation(scope).isValid())
    kind = Scope, at = keywords.scopeLocation(scope);
  else if (scope && keywords.spawnedLocation(scope).isValid())
    kind = Spawn, at = keywords.spawnedLocation(scope);
  if (kind != None && keywords.markReported(at)) {
    report(context.getDiagnostics(), at, Message::DoacrossBody) << unsigned(kind) - 1;
    report(context.getDiagnostics(), pragma, Message::DoacrossNote);
  }
  bool found = kind != None;
  for (Stmt *child : stmt->children())
    withEnoughStack([&] { found |= refuseKeywords(child, pragma); });
  return found;
}

// Checks all loops of a nest. Returns nothing if the nest is refused.
std::optional<DoacrossSite> FunctionRewriter::matchDoacrossNest(const DoacrossText &text, ArrayRef<ForStmt *> loops) {
  SmallVector<LoopSite, 2> sites;
  for (ForStmt *loop : loops)
    if (std::optional<LoopSite> site = matchLoopHeader(loop, /*grain=*/nullptr))
      sites.push_back(*site);
  bool hasKeywords = refuseKeywords(loops.back()->getBody(), text.pragma->at);
  return sites.size() == loops.size() && !hasKeywords ? matchDoacross(text, sites, context) : std::nullopt;
}

// Rewrites the loops behind a doacross pragma. Returns them unchanged if they were refused.
Stmt *FunctionRewriter::rewriteDoacross(const DoacrossText &text) {
  SourceLocation at = text.pragma->at;
  for (Expr *expr : text.expressions)
    refuse(expr, Misplacement::Condition);
  bool wasReported = keywords.isReported(at);
  std::optional<SmallVector<ForStmt *, 2>> loops;
  if (!wasReported)
    loops = matchNest(text, keywords, context.getDiagnostics());
  std::optional<DoacrossSite> site = loops ? matchDoacrossNest(text, *loops) : std::nullopt;
  if (!site) {
    keywords.markReported(at); // for other instances of a template
    return rewrite(text.loop);
  }
  Stmt *loopBody = loops->back()->getBody();
  warnStaticWrites(loopBody, /*isIteration=*/true, keywords, context.getDiagnostics());
  DoacrossTiling tiling = chooseTiling(site->nest);
  markers.remark(at, tiling);
  unsigned id = nextId++;
  ++loopDepth;
  Stmt *body = rewrite(loopBody);
  --loopDepth;
  return markers.makeDoacross(*site, tiling, id, body);
}

} // namespace cilk2gpu
