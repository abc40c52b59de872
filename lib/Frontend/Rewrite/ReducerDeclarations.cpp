// Checks where reducers are declared, and finds the functions and initializers that may use them.
#include "ReducerRewrite.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace cilk2gpu {

namespace {

// Places where no reducer may be declared, in the order of Message::ReducerPlace's %select.
enum class Place { Parameter, Result, TemplateArgument, ThreadLocal };

// Properties of a view that are not supported, in the order of Message::ReducerView's %select.
enum class ViewProblem { Incomplete, Qualified, Reference, Variable, Nested, Union };

class DeclarationVisitor : public RecursiveASTVisitor<DeclarationVisitor> {
public:
  DeclarationVisitor(ReducerRewriter &rewriter, Sema &sema) : rewriter(rewriter), sema(sema) {}

  bool VisitFunctionDecl(FunctionDecl *function);
  bool VisitVarDecl(VarDecl *variable);
  bool VisitFieldDecl(FieldDecl *field);
  bool VisitTypedefNameDecl(TypedefNameDecl *name) {
    if (!name->getDeclContext()->isDependentContext() && !name->getUnderlyingType()->isDependentType())
      checkView(findReducer(name->getUnderlyingType()), name->getLocation(), /*isDefinition=*/false);
    return true;
  }
  bool VisitTemplateSpecializationTypeLoc(TemplateSpecializationTypeLoc written);

private:
  bool refuse(SourceLocation at, Place place) {
    report(sema.getDiagnostics(), at, Message::ReducerPlace) << unsigned(place);
    return true;
  }
  void checkView(const std::optional<ReducerType> &reducer, SourceLocation at, bool isDefinition);
  void checkRedeclaration(const VarDecl *variable);

  ReducerRewriter &rewriter;
  Sema &sema;
};
} // namespace

void DeclarationVisitor::checkView(const std::optional<ReducerType> &reducer, SourceLocation at, bool isDefinition) {
  if (!reducer)
    return;
  rewriter.useFunctions(*reducer);
  QualType view = reducer->view;
  std::optional<ViewProblem> problem;
  if (view.isConstQualified() || view.isVolatileQualified())
    problem = ViewProblem::Qualified;
  else if (view->isReferenceType() || view->isFunctionType())
    problem = ViewProblem::Reference;
  else if (view->isVariablyModifiedType())
    problem = ViewProblem::Variable;
  else if (containsReducer(view))
    problem = ViewProblem::Nested;
  else if (view->isVoidType() || (isDefinition && view->isIncompleteType()))
    problem = ViewProblem::Incomplete;
  if (problem)
    report(sema.getDiagnostics(), at, Message::ReducerView) << unsigned(*problem) << view;
}

void DeclarationVisitor::checkRedeclaration(const VarDecl *variable) {
  const VarDecl *earlier = variable->getPreviousDecl();
  if (!earlier)
    return;
  bool is = containsReducer(variable->getType());
  if (is == containsReducer(earlier->getType()))
    return;
  report(sema.getDiagnostics(), variable->getLocation(), Message::ReducerRedeclared) << variable << is;
  report(sema.getDiagnostics(), earlier->getLocation(), Message::ReducerNote);
}

bool DeclarationVisitor::VisitVarDecl(VarDecl *variable) {
  QualType type = variable->getType();
  if (variable->isInvalidDecl() || type->isDependentType() || variable->getDeclContext()->isDependentContext())
    return true;
  checkRedeclaration(variable);
  if (variable->isFileVarDecl())
    rewriter.rewriteVariable(variable);
  if (!containsReducer(type))
    return true;
  SourceLocation at = variable->getLocation();
  if (isa<ParmVarDecl>(variable))
    return refuse(at, Place::Parameter);
  if (variable->getTLSKind() != VarDecl::TLS_None)
    return refuse(at, Place::ThreadLocal);
  checkView(findReducer(type), at, variable->isThisDeclarationADefinition() != VarDecl::DeclarationOnly);
  return true;
}

bool DeclarationVisitor::VisitFieldDecl(FieldDecl *field) {
  if (field->isInvalidDecl() || field->getParent()->isDependentContext())
    return true;
  rewriter.rewriteField(field);
  checkView(findReducer(field->getType()), field->getLocation(), /*isDefinition=*/true);
  if (field->getParent()->isUnion() && containsReducer(field->getType()))
    report(sema.getDiagnostics(), field->getLocation(), Message::ReducerView)
        << unsigned(ViewProblem::Union) << field->getType();
  return true;
}

bool DeclarationVisitor::VisitFunctionDecl(FunctionDecl *function) {
  if (function->isInvalidDecl() || function->isDependentContext())
    return true;
  if (containsReducer(function->getReturnType()))
    return refuse(function->getLocation(), Place::Result);
  rewriter.rewriteFunction(function);
  return true;
}

// A template does not see that its argument is a reducer: it gets the type of the view.
bool DeclarationVisitor::VisitTemplateSpecializationTypeLoc(TemplateSpecializationTypeLoc written) {
  if (written.getTypePtr()->isTypeAlias())
    return true;
  for (unsigned i = 0; i != written.getNumArgs(); ++i) {
    TemplateArgumentLoc argument = written.getArgLoc(i);
    if (argument.getArgument().getKind() != TemplateArgument::Type)
      continue;
    QualType type = argument.getArgument().getAsType();
    if (findReducer(type) || findPointedReducer(type) || findReferencedReducer(type))
      refuse(argument.getLocation(), Place::TemplateArgument);
  }
  return true;
}

void handleReducers(Decl *decl, ReducerRewriter &rewriter, Sema &sema) {
  DeclarationVisitor(rewriter, sema).TraverseDecl(decl);
}

} // namespace cilk2gpu
