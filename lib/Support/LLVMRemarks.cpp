// See LLVMRemarks.h.
#include "cilk2gpu/Support/LLVMRemarks.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;
using namespace cilk2gpu;

std::string cilk2gpu::quotedName(const Value &function) { return "'" + sourceName(function.getName()) + "'"; }

void cilk2gpu::emitRemark(const Function &function, StringRef name, const DiagnosticLocation &where, const Twine &text,
                          bool missed) {
  OptimizationRemarkEmitter emitter(&function);
  const BasicBlock *block = &function.getEntryBlock();
  if (missed)
    emitter.emit(OptimizationRemarkMissed("cilk", name, where, block) << text.str());
  else
    emitter.emit(OptimizationRemark("cilk", name, where, block) << text.str());
}

namespace {

/// Passes each remark and warning on to another handler, but only once for each source location. Clang shows those
/// without a location at their function.
class OnceOnly : public DiagnosticHandler {
public:
  explicit OnceOnly(std::unique_ptr<DiagnosticHandler> next) : next(std::move(next)) {
    HasErrors = this->next->HasErrors;
  }

  bool handleDiagnostics(const DiagnosticInfo &info) override {
    auto *remark = dyn_cast<DiagnosticInfoOptimizationBase>(&info);
    return (remark && isRepeated(*remark)) || next->handleDiagnostics(info);
  }
  bool isAnalysisRemarkEnabled(StringRef pass) const override { return next->isAnalysisRemarkEnabled(pass); }
  bool isMissedOptRemarkEnabled(StringRef pass) const override { return next->isMissedOptRemarkEnabled(pass); }
  bool isPassedOptRemarkEnabled(StringRef pass) const override { return next->isPassedOptRemarkEnabled(pass); }
  bool isAnyRemarkEnabled() const override { return next->isAnyRemarkEnabled(); }

private:
  bool isRepeated(const DiagnosticInfoOptimizationBase &remark) {
    std::string place = remark.isLocationAvailable() ? remark.getLocationStr() : remark.getFunction().getName().str();
    std::string key =
        (remark.getPassName() + "\n" + Twine(remark.getKind()) + "\n" + place + "\n" + remark.getMsg()).str();
    return !said.insert(key).second;
  }

  std::unique_ptr<DiagnosticHandler> next;
  StringSet<> said;
};

} // namespace

void cilk2gpu::showRemarksOnce(LLVMContext &context) {
  context.setDiagnosticHandler(std::make_unique<OnceOnly>(context.getDiagnosticHandler()));
}
