// Finds cilk_for loops that never reach their bound, as the constants among first value, bound and step already show.
// The count of their iterations would end the program.
#include "Diagnostics.h"
#include "LoopSite.h"
#include "cilk2gpu/abi/Records.h"
#include "clang/AST/Expr.h"

using namespace clang;

namespace cilk2gpu {

// Reasons why a loop never ends, in the order of Message::LoopEnd's %select.
enum class BadEnd { Standing, Away, Past, Wraps, None };

// Returns the integer as the loop's count uses it: converted to `type`, if given, and then to 64 bits.
static std::optional<int64_t> constantOf(const Expr *expr, QualType type, const ASTContext &context) {
  Expr::EvalResult result;
  if (!expr || !expr->getType()->isIntegralOrEnumerationType() || !expr->EvaluateAsInt(result, context))
    return std::nullopt;
  llvm::APSInt value = result.Val.getInt();
  if (!type.isNull()) {
    value = value.extOrTrunc(context.getIntWidth(type));
    value.setIsUnsigned(type->isUnsignedIntegerOrEnumerationType());
  }
  return value.extOrTrunc(64).getSExtValue();
}

std::optional<int64_t> constantStep(const LoopSite &site, const ASTContext &context) {
  std::optional<int64_t> step = site.step ? constantOf(site.step, site.stepType, context) : 1;
  return step && site.isNegative ? int64_t(-uint64_t(*step)) : step;
}

int32_t comparisonWithBits(const LoopSite &site, const ASTContext &context) {
  if (site.hasPointer() || site.hasClass())
    return site.comparison;
  QualType type = site.variable->getType(), compared = site.bound->getType();
  unsigned bits = context.getIntWidth(type);
  bool isUnsigned = type->isUnsignedIntegerOrEnumerationType();
  // A signed variable that is compared with an unsigned bound of its own width has the values of the bound's type.
  bool isFromZero = isUnsigned || (site.comparison & abi::kUnsigned && bits >= context.getIntWidth(compared));
  return site.comparison | (isFromZero ? abi::kFromZero : 0) | int32_t(bits << abi::kVariableBitsShift);
}

// Decides if the variable of a loop that goes towards its bound wraps around before the condition is false.
static bool wrapsBefore(int64_t first, int64_t last, int64_t step, int32_t comparison) {
  int32_t kind = comparison & abi::kComparisonKind;
  bool isUp = step > 0, isInclusive = kind == abi::kLessEqual || kind == abi::kGreaterEqual;
  uint64_t distance = isUp ? uint64_t(last) - uint64_t(first) : uint64_t(first) - uint64_t(last);
  uint64_t stride = isUp ? uint64_t(step) : -uint64_t(step);
  uint64_t before = (isInclusive ? distance : distance - 1) / stride; // iterations before the last one
  return before == UINT64_MAX || abi::wrapsAround(first, before + 1, stride, isUp, comparison);
}

// Decides if the loop never ends, and why. An empty loop ends. If first and last value are not both known, only the
// direction of the step can show that the loop never ends.
static BadEnd findEnd(int32_t comparison, std::optional<int64_t> first, std::optional<int64_t> last, int64_t step) {
  int32_t kind = comparison & abi::kComparisonKind;
  auto less = [&](int64_t a, int64_t b) { return comparison & abi::kUnsigned ? uint64_t(a) < uint64_t(b) : a < b; };
  bool isUp = kind == abi::kLess || kind == abi::kLessEqual, isKnown = first && last;
  if (isKnown && kind == abi::kNotEqual)
    isUp = less(*first, *last);
  bool isInclusive = kind == abi::kLessEqual || kind == abi::kGreaterEqual;
  if (isKnown && (*first == *last ? !isInclusive : less(*first, *last) != isUp))
    return BadEnd::None;
  if (step == 0)
    return BadEnd::Standing;
  if (kind != abi::kNotEqual || isKnown)
    if (isUp != (step > 0))
      return BadEnd::Away;
  if (!isKnown)
    return BadEnd::None;
  uint64_t distance = isUp ? uint64_t(*last) - uint64_t(*first) : uint64_t(*first) - uint64_t(*last);
  if (kind == abi::kNotEqual && distance % (isUp ? uint64_t(step) : -uint64_t(step)))
    return BadEnd::Past;
  return wrapsBefore(*first, *last, step, comparison) ? BadEnd::Wraps : BadEnd::None;
}

bool checkEnd(const LoopSite &site, ASTContext &context) {
  // In an instance of a template, the loop may stand in code that these template arguments never reach.
  auto *function = dyn_cast<FunctionDecl>(site.variable->getDeclContext());
  std::optional<int64_t> step = constantStep(site, context);
  if (!step || !function || function->getTemplateInstantiationPattern())
    return true;
  bool hasIntegers = !site.hasPointer() && !site.hasClass();
  QualType type = site.bound->getType();
  auto end = [&](const Expr *expr) { return hasIntegers ? constantOf(expr, type, context) : std::nullopt; };
  BadEnd bad = findEnd(comparisonWithBits(site, context), end(site.variable->getInit()), end(site.bound), *step);
  if (bad == BadEnd::None)
    return true;
  report(context.getDiagnostics(), site.incrementAt, Message::LoopEnd) << site.variable << unsigned(bad);
  return false;
}

} // namespace cilk2gpu
