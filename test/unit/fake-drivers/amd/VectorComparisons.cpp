// Vector comparisons (chapter VOPC of the ISA manuals). The result of v_cmp is a mask. v_cmpx also writes exec; from
// gfx10 on, exec alone.
#include "Columns.h"
#include "Tables.h"

#include <math.h>

namespace cilk2gpu::test::amd {
namespace {

/// Writes the mask of a comparison to exec. Without a result operand, the sources are the first operands.
template <auto Operation, class A, class B>
void compareToExec(Wave &wave, const Instruction &instruction, bool (*)(A, B)) {
  bool hasResult = wave.code->target.major < 10;
  uint64_t active = wave.exec(), mask = 0;
  Column<A> a;
  Column<B> b;
  a.read(wave, instruction, hasResult, 0, active);
  b.read(wave, instruction, hasResult + 1, 1, active);
  for (unsigned lane = 0; lane < kMostLanes; ++lane)
    mask |= uint64_t(Operation(a[lane], b[lane])) << lane;
  if (hasResult)
    wave.setMask(instruction.operands[0].first, mask & active);
  wave.setMask(kExec, mask & active);
}
template <auto Operation> void toExec(Wave &wave, const Instruction &instruction) {
  compareToExec<Operation>(wave, instruction, +Operation);
}

#define ONE(name, T, expression)                                                                                       \
  {"v_cmp_" name, lanes<[](T a, T b) -> bool { return expression; }>}, {                                               \
    "v_cmpx_" name, toExec<[](T a, T b) -> bool { return expression; }>                                                \
  }

#define COMMON(suffix, T)                                                                                              \
  ONE("lt_" suffix, T, a < b), ONE("eq_" suffix, T, a == b), ONE("le_" suffix, T, a <= b),                             \
      ONE("gt_" suffix, T, a > b), ONE("ge_" suffix, T, a >= b)
#define INTEGERS(suffix, T) COMMON(suffix, T), ONE("ne_" suffix, T, a != b)
#define NUMBERS(suffix, T)                                                                                             \
  COMMON(suffix, T), ONE("lg_" suffix, T, a<b || a> b), ONE("o_" suffix, T, a == a && b == b),                         \
      ONE("u_" suffix, T, a != a || b != b), ONE("nge_" suffix, T, !(a >= b)),                                         \
      ONE("nlg_" suffix, T, !(a < b || a > b)), ONE("ngt_" suffix, T, !(a > b)), ONE("nle_" suffix, T, !(a <= b)),     \
      ONE("neq_" suffix, T, !(a == b)), ONE("nlt_" suffix, T, !(a < b))

/// Returns whether a number is of one of the classes in `mask`: signaling, quiet, -inf, -normal, -subnormal, -0, 0,
/// subnormal, normal, inf.
template <class T, class Bits> bool isOfClass(T value, uint32_t mask) {
  constexpr unsigned kBits = 8 * sizeof(Bits);
  constexpr unsigned kMantissa = sizeof(T) == 8 ? 52 : sizeof(T) == 4 ? 23 : 10;
  auto bits = std::bit_cast<Bits>(value);
  bool isNegative = bits >> (kBits - 1) & 1;
  auto mantissa = Bits(bits & ((Bits(1) << kMantissa) - 1));
  auto exponent = unsigned(bits >> kMantissa & ((1u << (kBits - 1 - kMantissa)) - 1));
  unsigned most = (1u << (kBits - 1 - kMantissa)) - 1;
  if (exponent == most && mantissa)
    return mask >> (mantissa >> (kMantissa - 1) & 1) & 1;
  unsigned kind = exponent == most ? 3 : exponent ? 2 : mantissa ? 1 : 0; // from 0 to infinity
  return mask >> (isNegative ? 5 - kind : 6 + kind) & 1;
}

#define CLASS(name, T, Bits)                                                                                           \
  {"v_cmp_class_" name, lanes<[](T a, uint32_t b) { return isOfClass<T, Bits>(a, b); }>}, {                            \
    "v_cmpx_class_" name, toExec<[](T a, uint32_t b) { return isOfClass<T, Bits>(a, b); }>                             \
  }

const Row kTable[] = {
    INTEGERS("i16", int16_t),      INTEGERS("u16", uint16_t),      INTEGERS("i32", int32_t),
    INTEGERS("u32", uint32_t),     INTEGERS("i64", int64_t),       INTEGERS("u64", uint64_t),
    NUMBERS("f16", Half),          NUMBERS("f32", float),          NUMBERS("f64", double),
    CLASS("f32", float, uint32_t), CLASS("f64", double, uint64_t), CLASS("f16", Half, uint16_t),
};

} // namespace

std::span<const Row> comparisonTable() { return kTable; }

} // namespace cilk2gpu::test::amd
