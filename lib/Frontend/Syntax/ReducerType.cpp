// Defines the keyword of reducers, and reads it from types as they are written.
#include "ReducerType.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace cilk2gpu {

static constexpr const char kAnnotation[] = "cilk_reducer";

// Texts of the macro. Before C23, the form of the attribute is an extension, of which -pedantic warns.
static constexpr const char kMacroText[] =
    "[[clang::annotate_type(\"cilk_reducer\", sizeof(__cilk2gpu_reducer(__VA_ARGS__)))]]\n";
static constexpr const char kMacroTextBeforeC23[] =
    "_Pragma(\"clang diagnostic push\") _Pragma(\"clang diagnostic ignored \\\"-Wc23-extensions\\\"\") "
    "[[clang::annotate_type(\"cilk_reducer\", sizeof(__cilk2gpu_reducer(__VA_ARGS__)))]] "
    "_Pragma(\"clang diagnostic pop\")\n";

static SmallVector<Token, 24> lexMacroText(Preprocessor &pp) {
  SourceManager &sources = pp.getSourceManager();
  bool isNew = pp.getLangOpts().CPlusPlus || pp.getLangOpts().C23;
  auto text = llvm::MemoryBuffer::getMemBuffer(isNew ? kMacroText : kMacroTextBeforeC23, "<cilk_reducer>");
  FileID file = sources.createFileID(std::move(text), SrcMgr::C_System);
  Lexer lexer(file, sources.getBufferOrFake(file), sources, pp.getLangOpts());
  SmallVector<Token, 24> tokens;
  Token token;
  while (!lexer.LexFromRawLexer(token)) {
    if (token.is(tok::raw_identifier))
      pp.LookUpIdentifierInfo(token);
    tokens.push_back(token);
  }
  return tokens;
}

void defineReducerKeywords(Preprocessor &pp) {
  SmallVector<Token, 24> tokens = lexMacroText(pp);
  for (StringRef name : {"cilk_reducer", "_Hyperobject"}) {
    MacroInfo *macro = pp.AllocateMacroInfo(tokens.front().getLocation());
    macro->setDefinitionEndLoc(tokens.back().getLocation());
    macro->setIsFunctionLike();
    macro->setIsC99Varargs();
    macro->setIsAllowRedefinitionsWithoutWarning(true);
    macro->setParameterList({&pp.getIdentifierTable().get("__VA_ARGS__")}, pp.getPreprocessorAllocator());
    macro->setTokens(tokens, pp.getPreprocessorAllocator());
    pp.appendDefMacroDirective(&pp.getIdentifierTable().get(name), macro);
  }
}

Expr *ReducerType::call() const {
  if (attribute->args_size() == 0)
    return nullptr;
  Expr *size = (*attribute->args_begin())->IgnoreParenImpCasts();
  if (auto *constant = dyn_cast<ConstantExpr>(size))
    size = constant->getSubExpr()->IgnoreParenImpCasts();
  auto *trait = dyn_cast<UnaryExprOrTypeTraitExpr>(size);
  return trait && !trait->isArgumentType() ? trait->getArgumentExpr()->IgnoreParens() : nullptr;
}

// Returns the attribute. A type that Sema makes from an alias template has no attribute, but that of the template's
// declaration.
static const AnnotateTypeAttr *attributeOf(const AttributedType *type, const TemplateSpecializationType *alias) {
  if (type->getAttr() || type->getAttrKind() != attr::AnnotateType || !alias)
    return dyn_cast_or_null<AnnotateTypeAttr>(type->getAttr());
  auto *pattern = dyn_cast_or_null<TypeAliasTemplateDecl>(alias->getTemplateName().getAsTemplateDecl());
  std::optional<ReducerType> declared;
  if (pattern)
    declared = findReducer(pattern->getTemplatedDecl()->getUnderlyingType());
  return declared ? declared->attribute : nullptr;
}

std::optional<ReducerType> findReducer(QualType type) {
  ReducerType result = {};
  unsigned qualifiers = 0;
  while (!type.isNull()) {
    const Type *written = type.getTypePtr();
    qualifiers |= type.getLocalFastQualifiers();
    if (auto *attributed = dyn_cast<AttributedType>(written)) {
      const AnnotateTypeAttr *attribute = attributeOf(attributed, result.alias);
      if (attribute && attribute->getAnnotation() == kAnnotation) {
        result.attribute = attribute;
        result.view = attributed->getModifiedType().withFastQualifiers(qualifiers);
        return result;
      }
      type = attributed->getModifiedType();
    } else if (auto *named = dyn_cast<TypedefType>(written)) {
      result.name = named->getDecl();
      result.alias = nullptr;
      type = named->desugar();
    } else if (auto *alias = dyn_cast<TemplateSpecializationType>(written); alias && alias->isTypeAlias()) {
      result.alias = alias;
      result.name = nullptr;
      type = alias->getAliasedType();
    } else if (isa<ParenType, UsingType, MacroQualifiedType, TypeOfType>(written)) {
      QualType next = written->getLocallyUnqualifiedSingleStepDesugaredType();
      if (next.getTypePtr() == written) // a dependent type
        break;
      type = next;
    } else {
      break;
    }
  }
  return std::nullopt;
}

// Removes names from a type until a pointer, a reference, an array or a deduced type is left.
static const Type *writtenType(QualType type) {
  const Type *written = type.getTypePtrOrNull();
  while (written &&
         !isa<PointerType, ReferenceType, ArrayType, AutoType, SubstTemplateTypeParmType, TypeOfExprType, DecltypeType>(
             written)) {
    const Type *next = written->getLocallyUnqualifiedSingleStepDesugaredType().getTypePtr();
    if (next == written)
      break;
    written = next;
  }
  return written;
}

std::optional<ReducerType> findPointedReducer(QualType type) {
  auto *pointer = dyn_cast_or_null<PointerType>(writtenType(type));
  return pointer ? findReducer(pointer->getPointeeType()) : std::nullopt;
}

std::optional<ReducerType> findReferencedReducer(QualType type) {
  auto *reference = dyn_cast_or_null<ReferenceType>(writtenType(type));
  return reference ? findReducer(reference->getPointeeType()) : std::nullopt;
}

bool containsReducer(QualType type) {
  if (type.isNull() || type->isDependentType())
    return false;
  if (findReducer(type))
    return true;
  if (auto *array = dyn_cast_or_null<ArrayType>(writtenType(type)))
    return containsReducer(array->getElementType());
  const RecordDecl *record = type->getAsRecordDecl();
  record = record ? record->getDefinition() : nullptr;
  if (!record)
    return false;
  if (auto *derived = dyn_cast<CXXRecordDecl>(record))
    for (const CXXBaseSpecifier &base : derived->bases())
      if (containsReducer(base.getType()))
        return true;
  return llvm::any_of(record->fields(), [](const FieldDecl *field) { return containsReducer(field->getType()); });
}

std::optional<QualType> findReducerElements(const Expr *array) {
  array = array->IgnoreParenImpCasts();
  if (!array->isGLValue() || findNamedReducer(array))
    return std::nullopt;
  QualType type = array->getType();
  if (auto *ref = dyn_cast<DeclRefExpr>(array))
    type = ref->getDecl()->getType().getNonReferenceType();
  auto *written = dyn_cast_or_null<ArrayType>(writtenType(type));
  if (!written || !findReducer(written->getElementType()))
    return std::nullopt;
  return written->getElementType();
}

bool isBuiltinAddress(const Expr *expr) {
  auto *call = dyn_cast<CallExpr>(expr);
  return call && call->getBuiltinCallee() == Builtin::BI__builtin_addressof;
}

bool pointsToReducer(const Expr *pointer) {
  pointer = pointer->IgnoreParens();
  if (auto *cast = dyn_cast<ImplicitCastExpr>(pointer)) {
    if (cast->getCastKind() == CK_ArrayToPointerDecay) {
      auto *array = dyn_cast_or_null<ArrayType>(writtenType(cast->getSubExpr()->getType()));
      return array && !findNamedReducer(cast->getSubExpr()) && findReducer(array->getElementType()).has_value();
    }
    if (cast->getCastKind() != CK_LValueToRValue)
      return findPointedReducer(cast->getType()) && pointsToReducer(cast->getSubExpr());
    return findPointedReducer(cast->getType()).has_value();
  }
  if (auto *address = dyn_cast<UnaryOperator>(pointer); address && address->getOpcode() == UO_AddrOf)
    return false; // the address of a view
  if (isBuiltinAddress(pointer))
    return findNamedReducer(cast<CallExpr>(pointer)->getArg(0)).has_value();
  return findPointedReducer(pointer->getType()).has_value();
}

std::optional<ReducerType> findNamedReducer(const Expr *expr) {
  expr = expr->IgnoreParens();
  if (auto *cast = dyn_cast<ImplicitCastExpr>(expr); cast && cast->getCastKind() == CK_NoOp)
    expr = cast->getSubExpr()->IgnoreParens();
  if (!expr->isGLValue())
    return std::nullopt;
  auto declared = [](QualType type) {
    return type->isReferenceType() ? findReferencedReducer(type) : findReducer(type);
  };
  if (auto *ref = dyn_cast<DeclRefExpr>(expr); ref && isa<BindingDecl>(ref->getDecl())) {
    const Expr *binding = cast<BindingDecl>(ref->getDecl())->getBinding(); // a member or an element
    return binding ? findNamedReducer(binding) : std::nullopt;
  }
  if (auto *ref = dyn_cast<DeclRefExpr>(expr))
    return isa<VarDecl>(ref->getDecl()) ? declared(ref->getDecl()->getType()) : std::nullopt;
  if (auto *member = dyn_cast<MemberExpr>(expr))
    return isa<FieldDecl, VarDecl>(member->getMemberDecl()) ? declared(member->getMemberDecl()->getType())
                                                            : std::nullopt;
  if (auto *element = dyn_cast<ArraySubscriptExpr>(expr))
    return pointsToReducer(element->getBase()) ? findReducer(element->getType()) : std::nullopt;
  if (auto *target = dyn_cast<UnaryOperator>(expr); target && target->getOpcode() == UO_Deref)
    return pointsToReducer(target->getSubExpr()) ? findReducer(target->getType()) : std::nullopt;
  auto *call = dyn_cast<CallExpr>(expr);
  const FunctionDecl *callee = call && !isBuiltinAddress(call) ? call->getDirectCallee() : nullptr;
  return callee ? findReferencedReducer(callee->getReturnType()) : std::nullopt;
}

} // namespace cilk2gpu
