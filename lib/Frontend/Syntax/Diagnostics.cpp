// Registers the frontend's messages with Clang's diagnostics engine, each at its first use. All warnings are about
// accesses that no sync orders. A warning of a plugin must belong to one of Clang's groups, here -Wunsequenced. So
// -Wno-unsequenced, -Werror=unsequenced and the diagnostic pragmas apply to them.
#include "Diagnostics.h"
#include "clang/Basic/DiagnosticCategories.h"
#include "clang/Basic/DiagnosticIDs.h"

using namespace clang;

namespace cilk2gpu {

static unsigned registerText(DiagnosticsEngine &diags, DiagnosticsEngine::Level level, const char *text) {
  if (level != DiagnosticsEngine::Warning)
    return diags.getDiagnosticIDs()->getCustomDiagID(DiagnosticIDs::Level(level), text);
  return diags.getDiagnosticIDs()->getCustomDiagID(DiagnosticIDs::CustomDiagDesc(
      diag::Severity::Warning, text, DiagnosticIDs::CLASS_WARNING,
      /*ShowInSystemHeader=*/false, /*ShowInSystemMacro=*/false, diag::Group::Unsequenced));
}

static unsigned diagnosticId(DiagnosticsEngine &diags, Message message) {
  switch (message) {
#define X(name, severity, text)                                                                                        \
  case Message::name:                                                                                                  \
    return registerText(diags, DiagnosticsEngine::severity, text);
    CILK2GPU_FRONTEND_MESSAGES(X)
#undef X
  }
  llvm_unreachable("unknown message");
}

DiagnosticBuilder report(DiagnosticsEngine &diags, SourceLocation location, Message message) {
  return diags.Report(location, diagnosticId(diags, message));
}

} // namespace cilk2gpu
