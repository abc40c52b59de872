// See Signatures.h.
#include "Signatures.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace {

class Collector : public RecursiveASTVisitor<Collector> {
public:
  explicit Collector(ASTContext &context) : names(context), policy(context.getPrintingPolicy()) {}

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitFunctionDecl(FunctionDecl *function) {
    if (function->doesThisDeclarationHaveABody() && !function->isDependentContext())
      signatures[names.getName(function)] = written(*function);
    return true;
  }

  llvm::StringMap<std::string> signatures;

private:
  /// Returns "type name", with the name in the place where C has it.
  std::string declared(std::string name, QualType type) const {
    type.getAsStringInternal(name, policy);
    return name;
  }

  std::string written(const FunctionDecl &function) const {
    std::string text;
    llvm::raw_string_ostream os(text);
    function.getNameForDiagnostic(os, policy, /*Qualified=*/true);
    os << '(';
    for (const ParmVarDecl *parameter : function.parameters())
      os << (parameter == function.getParamDecl(0) ? "" : ", ")
         << declared(parameter->getNameAsString(), parameter->getOriginalType());
    if (!function.getNumParams() && !function.getASTContext().getLangOpts().CPlusPlus)
      os << "void";
    os << ')';
    bool hasType = !isa<CXXConstructorDecl, CXXDestructorDecl, CXXConversionDecl>(function);
    return hasType ? declared(text, function.getReturnType()) : text;
  }

  ASTNameGenerator names;
  PrintingPolicy policy;
};

} // namespace

llvm::StringMap<std::string> cilk2gpu::signaturesOf(ASTContext &context) {
  Collector collector(context);
  collector.TraverseAST(context);
  return std::move(collector.signatures);
}
