// Registers [[cilk2gpu::lanes("simd")]] and [[cilk2gpu::lanes("scalar")]], which choose how a function's kernels run
// their lanes. The attribute becomes an annotation of the function, because templates keep annotations and CodeGen
// writes them to the IR, where the lowering reads them.
#include "cilk2gpu/Support/Markers.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaDiagnostic.h"

using namespace clang;

namespace cilk2gpu {
namespace {

/// Returns the annotation that an earlier `lanes` attribute left on the function, or null.
const AnnotateAttr *findLanes(const FunctionDecl *function) {
  for (const auto *annotation : function->specific_attrs<AnnotateAttr>())
    if (annotation->getAnnotation().starts_with(kLanesAnnotation))
      return annotation;
  return nullptr;
}

class LanesAttribute : public ParsedAttrInfo {
public:
  LanesAttribute() {
    // The parser looks an attribute up without its scope in order to decide if there are arguments to parse.
    static constexpr Spelling spellings[] = {{AttributeCommonInfo::AS_CXX11, "cilk2gpu::lanes"},
                                             {AttributeCommonInfo::AS_C23, "cilk2gpu::lanes"},
                                             {AttributeCommonInfo::AS_CXX11, "lanes"},
                                             {AttributeCommonInfo::AS_C23, "lanes"},
                                             {AttributeCommonInfo::AS_GNU, "cilk2gpu_lanes"}};
    Spellings = spellings;
    NumArgs = 1;
  }

  bool diagAppertainsToDecl(Sema &sema, const ParsedAttr &parsed, const Decl *decl) const override {
    if (isa<FunctionDecl>(decl))
      return true;
    unsigned id = sema.getDiagnostics().getCustomDiagID(
        DiagnosticsEngine::Error, "attribute %0 is for functions, but stands on another declaration; put it "
                                  "before the function whose kernels it governs");
    sema.Diag(parsed.getLoc(), id) << parsed.getAttrName();
    return false;
  }

  AttrHandling handleDeclAttribute(Sema &sema, Decl *decl, const ParsedAttr &parsed) const override {
    if (parsed.isStandardAttributeSyntax() && !parsed.hasScope()) {
      sema.Diag(parsed.getLoc(), diag::warn_unknown_attribute_ignored) << parsed.getAttrName() << parsed.getRange();
      return AttributeNotApplied;
    }
    auto *text = parsed.isArgExpr(0) ? dyn_cast<StringLiteral>(parsed.getArgAsExpr(0)->IgnoreParenCasts()) : nullptr;
    if (!text || (text->getString() != "simd" && text->getString() != "scalar")) {
      unsigned id = sema.getDiagnostics().getCustomDiagID(
          DiagnosticsEngine::Error, "attribute %0 takes \"simd\" or \"scalar\"%select{|, not \"%2\"}1");
      sema.Diag(parsed.isArgExpr(0) ? parsed.getArgAsExpr(0)->getExprLoc() : parsed.getLoc(), id)
          << parsed.getAttrName() << (text != nullptr) << (text ? text->getString() : "");
      return AttributeNotApplied;
    }
    std::string annotation = kLanesAnnotation + text->getString().str();
    auto *function = cast<FunctionDecl>(decl);
    if (const AnnotateAttr *earlier = findLanes(function)) {
      if (earlier->getAnnotation() == annotation)
        return AttributeApplied;
      unsigned id = sema.getDiagnostics().getCustomDiagID(
          DiagnosticsEngine::Error, "a function's lanes run in one way, but attribute %0 is here with two arguments; "
                                    "remove one");
      sema.Diag(parsed.getLoc(), id) << parsed.getAttrName();
      return AttributeNotApplied;
    }
    function->addAttr(AnnotateAttr::Create(sema.Context, annotation, nullptr, 0, parsed));
    return AttributeApplied;
  }
};

} // namespace

static ParsedAttrInfoRegistry::Add<LanesAttribute> registration("cilk2gpu-lanes", "how a function's lanes run");

} // namespace cilk2gpu
