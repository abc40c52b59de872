// Registers the attribute as which Clang parses cilk_scope. The attribute leaves an annotation on the block. Templates
// keep the annotation, CodeGen ignores it, and the rewriting of the function removes it.
#include "ScopeAttribute.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace cilk2gpu {

static constexpr const char kAnnotation[] = "cilk_scope";

bool isScopeAttribute(const Attr *attribute) {
  auto *annotation = dyn_cast<AnnotateAttr>(attribute);
  return annotation && annotation->getAnnotation() == kAnnotation;
}

namespace {
class ScopeAttribute : public ParsedAttrInfo {
public:
  ScopeAttribute() {
    static constexpr Spelling spellings[] = {{AttributeCommonInfo::AS_Keyword, "cilk_scope"},
                                             {AttributeCommonInfo::AS_Keyword, "_Cilk_scope"}};
    Spellings = spellings;
    IsStmt = true;
  }

  AttrHandling handleStmtAttribute(Sema &sema, Stmt *, const ParsedAttr &parsed, Attr *&result) const override {
    result = AnnotateAttr::Create(sema.Context, kAnnotation, nullptr, 0, parsed);
    return AttributeApplied;
  }
};
} // namespace

static ParsedAttrInfoRegistry::Add<ScopeAttribute> registration("cilk-scope", "Cilk's cilk_scope");

} // namespace cilk2gpu
