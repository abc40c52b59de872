// Registers the frontend's messages with Clang's diagnostics engine, each at its first use.
#include "Diagnostics.h"

using namespace clang;

namespace cilk2gpu {

static unsigned diagnosticId(DiagnosticsEngine &diags, Message message) {
  switch (message) {
#define X(name, severity, text)                                                                                        \
  case Message::name:                                                                                                  \
    return diags.getCustomDiagID(DiagnosticsEngine::severity, text);
    CILK2GPU_FRONTEND_MESSAGES(X)
#undef X
  }
  llvm_unreachable("unknown message");
}

DiagnosticBuilder report(DiagnosticsEngine &diags, SourceLocation location, Message message) {
  return diags.Report(location, diagnosticId(diags, message));
}

} // namespace cilk2gpu
