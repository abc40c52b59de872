// Registers the attributes as which Clang parses cilk_scope and the cilk_spawn of a block. An attribute leaves an
// annotation on the statement. Templates
// keep the annotation, CodeGen ignores it, and the rewriting of the function removes it.
#include "ScopeAttribute.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace cilk2gpu {

static constexpr const char kScopeAnnotation[] = "cilk_scope", kSpawnAnnotation[] = "cilk_spawn";

static bool hasAnnotation(const Attr *attribute, llvm::StringRef text) {
  auto *annotation = dyn_cast<AnnotateAttr>(attribute);
  return annotation && annotation->getAnnotation() == text;
}

bool isScopeAttribute(const Attr *attribute) { return hasAnnotation(attribute, kScopeAnnotation); }

bool isSpawnAttribute(const Attr *attribute) { return hasAnnotation(attribute, kSpawnAnnotation); }

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
    result = AnnotateAttr::Create(sema.Context, kScopeAnnotation, nullptr, 0, parsed);
    return AttributeApplied;
  }
};

class SpawnAttribute : public ParsedAttrInfo {
public:
  SpawnAttribute() {
    static constexpr Spelling spellings[] = {{AttributeCommonInfo::AS_Keyword, kSpawnedBlockName}};
    Spellings = spellings;
    IsStmt = true;
  }

  AttrHandling handleStmtAttribute(Sema &sema, Stmt *, const ParsedAttr &parsed, Attr *&result) const override {
    result = AnnotateAttr::Create(sema.Context, kSpawnAnnotation, nullptr, 0, parsed);
    return AttributeApplied;
  }
};
} // namespace

static ParsedAttrInfoRegistry::Add<ScopeAttribute> scope("cilk-scope", "Cilk's cilk_scope");
static ParsedAttrInfoRegistry::Add<SpawnAttribute> spawn("cilk-spawn", "Cilk's cilk_spawn of a block");

} // namespace cilk2gpu
