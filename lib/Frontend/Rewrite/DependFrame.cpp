// Builds the code of ordered spawns. The operands of a spawned call are evaluated where the spawn stands, in the order
// of the serial elision, and kept in the task's record: values as they are, objects as addresses. The call moves into
// the run function, where parts of the record replace its operands.
#include "DependFrame.h"
#include "Frontend/Checks/SpawnTemporaries.h"
#include "Frontend/Checks/TemporaryEscape.h"
#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/abi/Records.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace cilk2gpu {

namespace {
/// Makes small expressions at one place of the source.
class ExprBuilder {
public:
  ExprBuilder(ASTContext &context, SourceLocation at) : context(context), at(at) {}

  QualType longType() const { return context.getIntTypeForBitwidth(64, 1); }
  QualType ulongType() const { return context.getIntTypeForBitwidth(64, 0); }

  Expr *number(uint64_t value) const {
    return IntegerLiteral::Create(context, llvm::APInt(64, value), ulongType(), at);
  }
  Expr *intNumber(unsigned value) const {
    return IntegerLiteral::Create(context, llvm::APInt(context.getIntWidth(context.IntTy), value), context.IntTy, at);
  }
  Expr *cast(Expr *value, CastKind kind, QualType type) const {
    return ImplicitCastExpr::Create(context, type, kind, value, nullptr, VK_PRValue, FPOptionsOverride());
  }
  Expr *read(Expr *object) const {
    return object->isGLValue() ? cast(object, CK_LValueToRValue, object->getType().getAtomicUnqualifiedType()) : object;
  }
  Expr *reference(VarDecl *variable) const {
    return DeclRefExpr::Create(context, NestedNameSpecifierLoc(), SourceLocation(), variable, false, at,
                               variable->getType(), VK_LValue);
  }
  Expr *addressOf(Expr *object) const {
    return UnaryOperator::Create(context, object, UO_AddrOf, context.getPointerType(object->getType()), VK_PRValue,
                                 OK_Ordinary, at, false, FPOptionsOverride());
  }
  Expr *voidAddressOf(Expr *object) const { return cast(addressOf(object), CK_BitCast, context.VoidPtrTy); }
  Expr *pointee(Expr *pointer) const {
    return UnaryOperator::Create(context, pointer, UO_Deref, pointer->getType()->getPointeeType(), VK_LValue,
                                 OK_Ordinary, at, false, FPOptionsOverride());
  }
  // An explicit conversion, so that no sanitizer reports a change of the value.
  Expr *convert(Expr *value, QualType type) const {
    return CStyleCastExpr::Create(context, type, VK_PRValue, CK_IntegralCast, read(value), nullptr, FPOptionsOverride(),
                                  context.getTrivialTypeSourceInfo(type, at), at, at);
  }
  Expr *binary(Expr *left, Expr *right, BinaryOperatorKind kind, QualType type) const {
    return BinaryOperator::Create(context, left, right, kind, type, VK_PRValue, OK_Ordinary, at, FPOptionsOverride());
  }
  Expr *sizeOf(QualType type) const {
    return convert(new (context) UnaryExprOrTypeTraitExpr(
                       UETT_SizeOf, context.getTrivialTypeSourceInfo(type.getNonReferenceType(), at),
                       context.getSizeType(), at, at),
                   ulongType());
  }
  VarDecl *variable(StringRef name, QualType type, DeclContext *owner, Expr *init = nullptr) const {
    auto *result = VarDecl::Create(context, owner, at, at, &context.Idents.get(name), type,
                                   context.getTrivialTypeSourceInfo(type, at), SC_None);
    result->setImplicit();
    result->setIsUsed();
    result->setInit(init);
    return result;
  }
  Stmt *declare(VarDecl *variable) const { return new (context) DeclStmt(DeclGroupRef(variable), at, at); }
  Stmt *block(ArrayRef<Stmt *> statements) const {
    return CompoundStmt::Create(context, statements, FPOptionsOverride(), at, at);
  }

private:
  ASTContext &context;
  SourceLocation at;
};
} // namespace

/// Number of the only loop of a run function.
static constexpr unsigned kLoop = 0;

DependFrame::DependFrame(MarkerBuilder &markers, Sema &sema, FunctionDecl *function)
    : markers(markers), sema(sema), context(sema.getASTContext()), at(function->getLocation()) {
  ExprBuilder build(context, at);
  DeclContext *unit = context.getTranslationUnitDecl();
  table = build.variable("cilk_depend.table", context.VoidPtrTy, function, markers.nullPointer(context.VoidPtrTy, at));
  QualType address = context.getPointerType(context.VoidPtrTy);
  QualType type = context.getFunctionType(context.VoidTy, address, FunctionProtoType::ExtProtoInfo());
  std::string name = kDependRun + std::to_string(markers.numRuns++);
  run = FunctionDecl::Create(context, unit, at, at, DeclarationName(&context.Idents.get(name)), type,
                             context.getTrivialTypeSourceInfo(type, at), SC_Static);
  run->setImplicit();
  run->setIsUsed();
  parameter = ParmVarDecl::Create(context, run, at, at, &context.Idents.get("table"), address,
                                  context.getTrivialTypeSourceInfo(address, at), SC_None, nullptr);
  parameter->setIsUsed();
  run->setParams(parameter);
  task = build.variable("task", context.VoidPtrTy, run);
}

Expr *DependFrame::callRuntime(StringRef name, ArrayRef<Expr *> arguments, QualType result, SourceLocation at) {
  FunctionDecl *&callee = markers.runtime[name];
  if (!callee) {
    SmallVector<QualType, 6> types;
    for (Expr *argument : arguments)
      types.push_back(argument->getType());
    callee = markers.external(name, types, result);
  }
  return markers.callMarker(callee, arguments, at);
}

Expr *DependFrame::tableAddress(SourceLocation at) {
  ExprBuilder build(context, at);
  return build.addressOf(build.reference(table));
}

Stmt *DependFrame::declareTable() {
  FunctionDecl *&end = markers.runtime["__cilk2gpu_depend_end"];
  if (!end)
    end = markers.external("__cilk2gpu_depend_end", {context.getPointerType(context.VoidPtrTy)}, context.VoidTy);
  table->addAttr(CleanupAttr::CreateImplicit(context, end));
  return ExprBuilder(context, at).declare(table);
}

Expr *DependFrame::makeRun(SourceLocation at) {
  ExprBuilder build(context, at);
  Expr *pending = callRuntime("__cilk2gpu_depend_pending", {tableAddress(at)}, context.IntTy, at);
  Expr *call = markers.callMarker(run, {tableAddress(at)}, at);
  Expr *runs = build.binary(call, build.intNumber(0), BO_Comma, context.IntTy);
  QualType truth = context.getLangOpts().CPlusPlus ? context.BoolTy : context.IntTy;
  return build.binary(pending, runs, BO_LAnd, truth);
}

// Returns the number of elements of a dimension.
Expr *DependFrame::lengthOf(const DependDimension &dimension, SourceLocation at) {
  ExprBuilder build(context, at);
  if (dimension.length)
    return build.convert(dimension.length, build.longType());
  const Expr *array = dimension.element->getBase()->IgnoreParenImpCasts();
  Expr *bytes = build.sizeOf(array->getType()), *size = build.sizeOf(dimension.element->getType());
  Expr *count = build.convert(build.binary(bytes, size, BO_Div, build.ulongType()), build.longType());
  Expr *first = build.convert(dimension.element->getIdx(), build.longType());
  return build.binary(count, first, BO_Sub, build.longType());
}

// Adds the calls that add an item to the task: a call for each dimension but the last one, and a call for the elements
// of the last dimension.
void DependFrame::addItem(const DependItem &item, SmallVectorImpl<Expr *> &parts) {
  ExprBuilder build(context, item.at);
  PresumedLoc line = context.getSourceManager().getPresumedLoc(item.at);
  std::string text = line.isValid() ? std::string(line.getFilename()) + ":" + std::to_string(line.getLine()) : "?";
  auto place = [&] {
    QualType type = context.getStringLiteralArrayType(context.CharTy, text.size());
    Expr *literal = StringLiteral::Create(context, text, StringLiteralKind::Ordinary, false, type, item.at);
    Expr *pointer = build.cast(literal, CK_ArrayToPointerDecay, context.getPointerType(context.CharTy));
    return build.cast(pointer, CK_BitCast, context.VoidPtrTy);
  };
  // An index is evaluated once, because a missing length depends on it.
  for (const DependDimension &dimension : item.dimensions)
    if (!dimension.length)
      dimension.element->getIdx() == dimension.element->getRHS()
          ? dimension.element->setRHS(markers.bind(dimension.element->getRHS(), parts))
          : dimension.element->setLHS(markers.bind(dimension.element->getLHS(), parts));
  for (const DependDimension &dimension : item.dimensions)
    if (&dimension != &item.dimensions.back())
      parts.push_back(callRuntime(
          "__cilk2gpu_depend_repeat",
          {tableAddress(item.at), lengthOf(dimension, item.at), build.sizeOf(dimension.element->getType()), place()},
          context.VoidTy, item.at));
  Expr *count = item.dimensions.empty() ? build.convert(build.intNumber(1), build.longType())
                                        : lengthOf(item.dimensions.back(), item.at);
  parts.push_back(callRuntime("__cilk2gpu_depend_item",
                              {tableAddress(item.at), build.voidAddressOf(item.object), count,
                               build.sizeOf(item.object->getType()), build.intNumber(item.writes), place()},
                              context.VoidTy, item.at));
}

// Refuses operands whose bytes cannot be copied, or which refer to an object that ends with the statement.
bool DependFrame::accept(const SpawnSite &site) {
  auto check = [&](const Expr *operand, unsigned kind) {
    bool isTemporary = refersToTemporary(operand) && !ownedTemporary(operand, context);
    bool isSized = !operand->isGLValue() || !operand->getType()->isVariablyModifiedType();
    int problem = isClassValue(operand, context) ? 1 : isTemporary ? 0 : isSized ? -1 : 2;
    if (problem >= 0)
      report(context.getDiagnostics(), operand->getExprLoc(), Message::DependObject)
          << kind << problem << operand->getType();
    return problem < 0;
  };
  bool isGood = true;
  for (const Expr *argument : site.call()->arguments())
    isGood &= check(argument, 0);
  if (const Expr *object = site.object())
    isGood &= check(object, 1);
  if (site.destination)
    isGood &= check(site.destination, 2);
  return isGood;
}

DependFrame::Record DependFrame::makeRecord(SourceLocation at) {
  ExprBuilder build(context, at);
  Record record = {
      .type = context.buildImplicitRecord("cilk_depend.record"), .created = nullptr, .variable = nullptr, .stores = {}};
  record.type->startDefinition();
  addField(record, context.UnsignedIntTy); // the site
  addField(record, context.UnsignedIntTy); // the level, which belongs to the runtime
  addField(record, context.VoidPtrTy);     // the slot of the task's views, which belongs to the runtime
  QualType pointer = context.getPointerType(context.getCanonicalTagType(record.type));
  record.variable =
      build.variable("record", pointer, run, build.cast(build.read(build.reference(task)), CK_BitCast, pointer));
  return record;
}

FieldDecl *DependFrame::addField(Record &record, QualType type) {
  auto *field = FieldDecl::Create(context, record.type, at, at, nullptr, type,
                                  context.getTrivialTypeSourceInfo(type, at), nullptr, false, ICIS_NoInit);
  field->setImplicit();
  field->setAccess(AS_public);
  record.type->addDecl(field);
  return field;
}

Expr *DependFrame::member(Expr *base, FieldDecl *field) {
  return MemberExpr::CreateImplicit(context, base, /*IsArrow=*/true, field, field->getType(), VK_LValue, OK_Ordinary);
}

// Keeps the value, and returns the object in the record that has it.
Expr *DependFrame::keepValue(Expr *value, Record &record) {
  ExprBuilder build(context, value->getExprLoc());
  QualType type = value->getType().getUnqualifiedType();
  FieldDecl *field = addField(record, type);
  record.stores.push_back(build.binary(member(record.created, field), value, BO_Assign, type));
  return member(build.read(build.reference(record.variable)), field);
}

// Keeps the address of the object, and returns the object.
Expr *DependFrame::keepObject(Expr *object, Record &record) {
  ExprBuilder build(context, object->getExprLoc());
  QualType type = context.getPointerType(markers.alignedType(object));
  Expr *kept = build.read(keepValue(build.voidAddressOf(object), record));
  return build.pointee(build.cast(kept, CK_BitCast, type));
}

// Keeps an operand, and returns its replacement in the run function.
Expr *DependFrame::keep(Expr *operand, Record &record) {
  ExprBuilder build(context, operand->getExprLoc());
  if (isa<IntegerLiteral, StringLiteral>(operand->IgnoreParenImpCasts()))
    return operand;
  if (MaterializeTemporaryExpr *temporary = ownedTemporary(operand, context)) {
    Expr *inside = keepValue(temporary->getSubExpr(), record);
    auto *cast = dyn_cast<ImplicitCastExpr>(operand);
    if (!cast)
      return inside;
    while (auto *next = dyn_cast<ImplicitCastExpr>(cast->getSubExpr()))
      cast = next;
    cast->setSubExpr(inside);
    return operand;
  }
  if (operand->isGLValue())
    return keepObject(operand, record);
  // The run function does not know the size of an array of variable size, and the call does not need it.
  QualType type = operand->getType();
  bool isVariable = type->isPointerType() && type->isVariablyModifiedType();
  Expr *value = isVariable ? build.cast(operand, CK_BitCast, context.VoidPtrTy) : operand;
  Expr *kept = build.read(keepValue(value, record));
  return isVariable ? build.cast(kept, CK_BitCast, type) : kept;
}

// Keeps the operands of the call in the order of their evaluation: the callee, then the arguments.
void DependFrame::keepOperands(const SpawnSite &site, Record &record) {
  CallExpr *call = site.call();
  if (MemberExpr *called = site.member()) {
    called->setBase(keep(called->getBase(), record));
  } else if (isIndirect(call)) {
    auto *access = dyn_cast<BinaryOperator>(call->getCallee()->IgnoreParens());
    if (access && access->isPtrMemOp()) {
      access->setLHS(keep(access->getLHS(), record));
      access->setRHS(keep(access->getRHS(), record));
    } else {
      call->setCallee(keep(call->getCallee(), record));
    }
  }
  for (unsigned i = 0; i != call->getNumArgs(); ++i)
    call->setArg(i, keep(call->getArg(i), record));
}

// Adds the code that runs the task: `{ Record *record = task; *record->result = f(record->x); break; }`.
void DependFrame::addCase(const SpawnSite &site, Record &record, Expr *destination) {
  SourceLocation at = site.spawn->getOperatorLoc();
  ExprBuilder build(context, at);
  site.spawn->setOperatorLoc(SourceLocation()); // the run function makes an ordinary call
  Expr *store = markers.makeStore(site, destination, nullptr);
  store = ExprWithCleanups::Create(context, store, /*CleanupsHaveSideEffects=*/true, {});
  cases.push_back(build.block({build.declare(record.variable), store, new (context) BreakStmt(at)}));
}

Expr *DependFrame::makeTask(const SpawnSite &site, ArrayRef<DependItem> items) {
  if (!accept(site))
    return nullptr;
  SourceLocation at = site.spawn->getOperatorLoc();
  ExprBuilder build(context, at);
  Record record = makeRecord(at);
  QualType type = context.getCanonicalTagType(record.type);
  Expr *bytes = build.sizeOf(type);
  Expr *align =
      build.convert(new (context) UnaryExprOrTypeTraitExpr(UETT_AlignOf, context.getTrivialTypeSourceInfo(type, at),
                                                           context.getSizeType(), at, at),
                    build.ulongType());
  Expr *number = build.convert(build.intNumber(cases.size()), context.UnsignedIntTy);
  Expr *create =
      callRuntime("__cilk2gpu_depend_create", {tableAddress(at), number, bytes, align}, context.VoidPtrTy, at);
  SmallVector<Expr *, 16> parts;
  record.created = build.cast(markers.bind(create, parts), CK_BitCast, context.getPointerType(type));
  for (const DependItem &item : items)
    addItem(item, parts);
  CallExpr *call = site.call();
  markers.bindUnused(call, parts);
  markers.makeOrdinaryCall(call);
  keepOperands(site, record);
  Expr *result = site.variable ? build.reference(site.variable) : site.destination;
  Expr *destination = result ? keepObject(result, record) : nullptr;
  record.type->completeDefinition();
  parts.append(record.stores.begin(), record.stores.end());
  addCase(site, record, destination);
  Expr *isFull = callRuntime(kDependAdd, {tableAddress(at)}, context.IntTy, at);
  Expr *runs =
      build.binary(markers.callMarker(run, {tableAddress(at)}, at), build.intNumber(0), BO_Comma, context.IntTy);
  QualType truth = context.getLangOpts().CPlusPlus ? context.BoolTy : context.IntTy;
  parts.push_back(build.binary(isFull, runs, BO_LAnd, truth));
  Expr *whole = PseudoObjectExpr::Create(context, site.spawn, parts, PseudoObjectExpr::NoResult);
  return ExprWithCleanups::Create(context, whole, /*CleanupsHaveSideEffects=*/true, {});
}

// Makes `{ task = tasks[index]; enter(task); switch (task->site) { case 0: ... } leave(task); }`.
Stmt *DependFrame::makeChoice(VarDecl *tasks, VarDecl *index) {
  ExprBuilder build(context, at);
  auto *element =
      new (context) ArraySubscriptExpr(build.read(build.reference(tasks)), build.read(build.reference(index)),
                                       context.VoidPtrTy, VK_LValue, OK_Ordinary, at);
  task->setInit(build.read(element));
  QualType sitePointer = context.getPointerType(context.UnsignedIntTy);
  Expr *site = build.read(build.pointee(build.cast(build.read(build.reference(task)), CK_BitCast, sitePointer)));
  auto *choice = SwitchStmt::Create(context, nullptr, nullptr, site, at, at);
  SmallVector<Stmt *, 4> labels;
  for (auto [number, body] : llvm::enumerate(cases)) {
    Expr *value = IntegerLiteral::Create(context, llvm::APInt(context.getIntWidth(context.UnsignedIntTy), number),
                                         context.UnsignedIntTy, at);
    value = ConstantExpr::Create(
        context, value, APValue(llvm::APSInt(llvm::APInt(context.getIntWidth(context.UnsignedIntTy), number))));
    SwitchCase *label = CaseStmt::Create(context, value, nullptr, at, SourceLocation(), at);
    if (number + 1 == cases.size()) // no other value occurs
      label = new (context) DefaultStmt(at, at, body);
    else
      cast<CaseStmt>(label)->setSubStmt(body);
    choice->addSwitchCase(label);
    labels.push_back(label);
  }
  choice->setBody(build.block(labels));
  auto around = [&](const char *name) {
    return callRuntime(name, {build.read(build.reference(task))}, context.VoidTy, at);
  };
  Stmt *guarded = markers.catchAll(kLoop, choice, at, /*number=*/nullptr, around("__cilk2gpu_depend_caught"));
  return build.block({build.declare(task), around(kDependEnter), guarded, around(kDependLeave)});
}

// Makes the loop over the tasks of one level.
Stmt *DependFrame::makeLevel(VarDecl *tasks, VarDecl *count) {
  ExprBuilder build(context, at);
  markers.declareLoopMarkers();
  auto signedNumber = [&](int64_t value) { return build.convert(build.number(value), build.longType()); };
  Expr *comparison = build.intNumber(abi::kLess | abi::kUnsigned);
  Expr *arguments[] = {build.intNumber(kLoop), signedNumber(0), build.convert(build.reference(count), build.longType()),
                       signedNumber(1),        comparison,      signedNumber(0)};
  VarDecl *index = build.variable("index", build.ulongType(), run, markers.callMarker(markers.forBegin, arguments, at));
  Stmt *iteration = build.block({build.declare(index), makeChoice(tasks, index)});
  return build.block({iteration, markers.callMarker(markers.forEnd, {build.intNumber(kLoop)}, at)});
}

void DependFrame::finish() {
  if (cases.empty())
    return; // all spawns were refused
  ExprBuilder build(context, at);
  VarDecl *count = build.variable("count", build.ulongType(), run);
  QualType list = context.getPointerType(context.VoidPtrTy);
  Expr *level =
      callRuntime("__cilk2gpu_depend_level",
                  {build.read(build.reference(parameter)), build.voidAddressOf(build.reference(count))}, list, at);
  VarDecl *tasks = build.variable("tasks", list, run, level);
  Expr *condition = build.read(build.reference(tasks));
  if (context.getLangOpts().CPlusPlus)
    condition = build.cast(condition, CK_PointerToBoolean, context.BoolTy);
  Stmt *loop = WhileStmt::Create(context, tasks, condition, makeLevel(tasks, count), at, at, at);
  if (markers.throwsFromTasks()) // the handler in the loop takes all exceptions
    run->addAttr(NoThrowAttr::CreateImplicit(context));
  run->setBody(build.block({markers.makeSync(at), build.declare(count), loop}));
  sema.Consumer.HandleTopLevelDecl(DeclGroupRef(run));
}

} // namespace cilk2gpu
