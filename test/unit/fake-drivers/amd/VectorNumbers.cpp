// Vector operations on floating-point numbers, conversions, and packed operations.
//
// The ISA gives the reciprocal, the root, exponential functions and sines an error of about one unit in the last place.
// Here they are as exact as the host's functions. Divisions that LLVM expands must be right in any case.
#include "Columns.h"
#include "Numbers.h"
#include "Tables.h"

#include <algorithm>
#include <limits>
#include <math.h>

namespace cilk2gpu::test::amd {
namespace {

using U16 = uint16_t;
using I16 = int16_t;
using U32 = uint32_t;
using I32 = int32_t;
using U64 = uint64_t;

#define LANES(names, ...) {names, lanes<[] __VA_ARGS__>}

//===-- Parts of numbers ------------------------------------------------------------------------------------------===//

template <class T> struct Format;
template <> struct Format<float> {
  using Bits = uint32_t;
  static constexpr int kMantissa = 23, kBias = 127, kMost = 255;
  static constexpr int kNear = 96, kStep = 64, kSmall = 23, kUnderflow = -150;
};
template <> struct Format<double> {
  using Bits = uint64_t;
  static constexpr int kMantissa = 52, kBias = 1023, kMost = 2047;
  static constexpr int kNear = 768, kStep = 128, kSmall = 53, kUnderflow = -1075;
};

/// Returns the exponent's bits.
template <class T> int exponentOf(T value) {
  using F = Format<T>;
  return int(std::bit_cast<typename F::Bits>(value) >> F::kMantissa & F::kMost);
}
template <class T> bool isSubnormal(T value) { return !exponentOf(value) && value != 0; }

template <class T> T quiet(T value) { return value + value; }

template <class T> T median(T a, T b, T c) {
  if (a != a || b != b || c != c)
    return least(least(a, b), c);
  return most(least(a, b), least(most(a, b), c));
}

//===-- Divisions -------------------------------------------------------------------------------------------------===//

/// Scales a numerator or a denominator so that the steps of a division neither overflow nor lose bits (V_DIV_SCALE_F32
/// and V_DIV_SCALE_F64). The mask says that the quotient must be scaled back.
template <class T> WithMask<T> divisionScale(T value, T denominator, T numerator) {
  using F = Format<T>;
  if (numerator == 0 || denominator == 0)
    return {std::numeric_limits<T>::quiet_NaN(), false};
  T up = T(ldexp(value, F::kStep)), down = T(ldexp(value, -F::kStep));
  bool isDenominator = value == denominator, isNumerator = value == numerator;
  if (exponentOf(numerator) - exponentOf(denominator) >= F::kNear)
    return {isDenominator ? up : value, true};
  if (isSubnormal(denominator))
    return {up, false};
  bool isTinyInverse = isSubnormal(T(1) / denominator), isTinyQuotient = isSubnormal(numerator / denominator);
  if (isTinyInverse && isTinyQuotient)
    return {isDenominator ? up : value, true};
  if (isTinyInverse)
    return {down, false};
  if (isTinyQuotient)
    return {isNumerator ? up : value, true};
  return {exponentOf(numerator) <= F::kSmall ? up : value, false};
}

template <class T> T divisionStep(T a, T b, T c, bool scales) {
  using F = Format<T>;
  T result = sizeof(T) == 4 ? T(fmaf(float(a), float(b), float(c))) : T(fma(double(a), double(b), double(c)));
  if (!scales)
    return result;
  return T(ldexp(result, exponentOf(c) > F::kBias ? F::kStep : -F::kStep));
}

/// Gives the quotient of special operands (V_DIV_FIXUP_F32 and V_DIV_FIXUP_F64).
template <class T> T divisionEnd(T quotient, T denominator, T numerator) {
  using F = Format<T>;
  bool isNegative = std::signbit(numerator) != std::signbit(denominator);
  auto withSign = [&](T magnitude) { return isNegative ? -magnitude : magnitude; };
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  if (numerator != numerator)
    return quiet(numerator);
  if (denominator != denominator)
    return quiet(denominator);
  if ((numerator == 0 && denominator == 0) || (std::isinf(numerator) && std::isinf(denominator)))
    return -std::numeric_limits<T>::quiet_NaN();
  if (denominator == 0 || std::isinf(numerator))
    return withSign(kInfinity);
  if (std::isinf(denominator) || numerator == 0)
    return withSign(0);
  if (exponentOf(numerator) - exponentOf(denominator) < F::kUnderflow)
    return withSign(0);
  return withSign(T(fabs(quotient)));
}

//===-- Conversions -----------------------------------------------------------------------------------------------===//

/// Returns the exponent of frexp, and 0 for values without one.
template <class T> I32 exponentPart(T value) {
  int exponent = 0;
  if (value == value && !std::isinf(value))
    frexp(value, &exponent);
  return exponent;
}
template <class T> T mantissaPart(T value) {
  int exponent = 0;
  return value == value && !std::isinf(value) ? T(frexp(value, &exponent)) : value;
}

/// The largest result is the number before 1.
template <class T> T fraction(T value) {
  T result = value - floor(value);
  return result < T(1) || value != value ? result : std::nextafter(T(1), T(0));
}

template <unsigned Byte> float byteOf(U32 value) { return float(value >> 8 * Byte & 0xff); }

#define NUMBERS(suffix, T)                                                                                             \
  LANES(                                                                                                               \
      "v_add_" suffix, (T a, T b) { return T(a + b); }),                                                               \
      LANES(                                                                                                           \
          "v_sub_" suffix, (T a, T b) { return T(a - b); }),                                                           \
      LANES(                                                                                                           \
          "v_subrev_" suffix, (T a, T b) { return T(b - a); }),                                                        \
      LANES(                                                                                                           \
          "v_mul_" suffix, (T a, T b) { return T(a * b); }),                                                           \
      LANES(                                                                                                           \
          "v_min_" suffix " v_min_num_" suffix, (T a, T b) { return least(a, b); }),                                   \
      LANES(                                                                                                           \
          "v_max_" suffix " v_max_num_" suffix, (T a, T b) { return most(a, b); }),                                    \
      LANES(                                                                                                           \
          "v_minimum_" suffix, (T a, T b) { return minimum(a, b); }),                                                  \
      LANES(                                                                                                           \
          "v_maximum_" suffix, (T a, T b) { return maximum(a, b); }),                                                  \
      LANES(                                                                                                           \
          "v_fma_" suffix " v_fmamk_" suffix " v_fmaak_" suffix, (T a, T b, T c) { return fused(a, b, c); }),          \
      LANES(                                                                                                           \
          "v_fmac_" suffix, (Old<T> old, T a, T b) { return fused(a, b, old.value); }),                                \
      LANES(                                                                                                           \
          "v_floor_" suffix, (T a) { return T(floor(double(a))); }),                                                   \
      LANES(                                                                                                           \
          "v_ceil_" suffix, (T a) { return T(ceil(double(a))); }),                                                     \
      LANES(                                                                                                           \
          "v_trunc_" suffix, (T a) { return T(trunc(double(a))); }),                                                   \
      LANES(                                                                                                           \
          "v_rndne_" suffix, (T a) { return T(rint(double(a))); }),                                                    \
      LANES(                                                                                                           \
          "v_rcp_" suffix, (T a) { return T(T(1) / a); }),                                                             \
      LANES(                                                                                                           \
          "v_rsq_" suffix, (T a) { return T(1 / sqrt(double(a))); }),                                                  \
      LANES("v_sqrt_" suffix, (T a) { return T(sqrt(double(a))); })

/// Operations that numbers of 64 bits do not have.
#define SHORT_NUMBERS(suffix, T)                                                                                       \
  LANES(                                                                                                               \
      "v_min3_" suffix " v_min3_num_" suffix, (T a, T b, T c) { return least(least(a, b), c); }),                      \
      LANES(                                                                                                           \
          "v_max3_" suffix " v_max3_num_" suffix, (T a, T b, T c) { return most(most(a, b), c); }),                    \
      LANES(                                                                                                           \
          "v_med3_" suffix " v_med3_num_" suffix, (T a, T b, T c) { return median(a, b, c); }),                        \
      LANES(                                                                                                           \
          "v_maxmin_" suffix " v_maxmin_num_" suffix, (T a, T b, T c) { return least(most(a, b), c); }),               \
      LANES(                                                                                                           \
          "v_minmax_" suffix " v_minmax_num_" suffix, (T a, T b, T c) { return most(least(a, b), c); }),               \
      LANES(                                                                                                           \
          "v_minimum3_" suffix, (T a, T b, T c) { return minimum(minimum(a, b), c); }),                                \
      LANES(                                                                                                           \
          "v_maximum3_" suffix, (T a, T b, T c) { return maximum(maximum(a, b), c); }),                                \
      LANES(                                                                                                           \
          "v_minimummaximum_" suffix, (T a, T b, T c) { return maximum(minimum(a, b), c); }),                          \
      LANES(                                                                                                           \
          "v_maximumminimum_" suffix, (T a, T b, T c) { return minimum(maximum(a, b), c); }),                          \
      LANES(                                                                                                           \
          "v_exp_" suffix, (T a) { return T(exp2(double(a))); }),                                                      \
      LANES(                                                                                                           \
          "v_log_" suffix, (T a) { return T(log2(double(a))); }),                                                      \
      LANES(                                                                                                           \
          "v_sin_" suffix, (T a) { return T(sin(2 * M_PI * double(a))); }),                                            \
      LANES("v_cos_" suffix, (T a) { return T(cos(2 * M_PI * double(a))); })

const Row kSingle[] = {
    SHORT_NUMBERS("f32", float),
    SHORT_NUMBERS("f16", Half),
    NUMBERS("f32", float),
    NUMBERS("f64", double),
    NUMBERS("f16", Half),
    LANES(
        "v_mac_f32", (Old<float> old, float a, float b) { return a * b + old.value; }),
    LANES(
        "v_mad_f32 v_madmk_f32 v_madak_f32", (float a, float b, float c) { return a * b + c; }),
    LANES(
        "v_rcp_iflag_f32", (float a) { return 1 / a; }),
    LANES(
        "v_fract_f32", (float a) { return fraction(a); }),
    LANES(
        "v_fract_f64", (double a) { return fraction(a); }),
    LANES(
        "v_ldexp_f32", (float a, I32 b) { return ldexpf(a, b); }),
    LANES(
        "v_ldexp_f64", (double a, I32 b) { return ldexp(a, b); }),
    LANES(
        "v_ldexp_f16", (Half a, I16 b) { return Half(ldexpf(float(a), b)); }),
    LANES(
        "v_frexp_exp_i32_f32", (float a) { return exponentPart(a); }),
    LANES(
        "v_frexp_exp_i32_f64", (double a) { return exponentPart(a); }),
    LANES(
        "v_frexp_mant_f32", (float a) { return mantissaPart(a); }),
    LANES(
        "v_frexp_mant_f64", (double a) { return mantissaPart(a); }),
    LANES(
        "v_div_scale_f32", (float a, float b, float c) { return divisionScale(a, b, c); }),
    LANES(
        "v_div_scale_f64", (double a, double b, double c) { return divisionScale(a, b, c); }),
    LANES(
        "v_div_fmas_f32", (float a, float b, float c, bool s) { return divisionStep(a, b, c, s); }),
    LANES(
        "v_div_fmas_f64", (double a, double b, double c, bool s) { return divisionStep(a, b, c, s); }),
    LANES(
        "v_div_fixup_f32", (float a, float b, float c) { return divisionEnd(a, b, c); }),
    LANES(
        "v_div_fixup_f64", (double a, double b, double c) { return divisionEnd(a, b, c); }),
    LANES(
        "v_div_fixup_f16", (Half a, Half b, Half c) { return Half(divisionEnd(float(a), float(b), float(c))); }),
};

const Row kConversions[] = {
    LANES(
        "v_cvt_f32_i32", (I32 a) { return float(a); }),
    LANES(
        "v_cvt_f32_u32", (U32 a) { return float(a); }),
    LANES(
        "v_cvt_f64_i32", (I32 a) { return double(a); }),
    LANES(
        "v_cvt_f64_u32", (U32 a) { return double(a); }),
    LANES(
        "v_cvt_f64_f32", (float a) { return double(a); }),
    LANES(
        "v_cvt_f32_f64", (double a) { return float(a); }),
    LANES(
        "v_cvt_f32_f16", (Half a) { return float(a); }),
    LANES(
        "v_cvt_f16_f32", (float a) { return Half(a); }),
    LANES(
        "v_cvt_f16_u16", (U16 a) { return Half(a); }),
    LANES(
        "v_cvt_f16_i16", (I16 a) { return Half(a); }),
    LANES(
        "v_cvt_u16_f16", (Half a) { return toInteger<U16>(float(a)); }),
    LANES(
        "v_cvt_i16_f16", (Half a) { return toInteger<I16>(float(a)); }),
    LANES(
        "v_cvt_u32_f32", (float a) { return toInteger<U32>(a); }),
    LANES(
        "v_cvt_i32_f32", (float a) { return toInteger<I32>(a); }),
    LANES(
        "v_cvt_u32_f64", (double a) { return toInteger<U32>(a); }),
    LANES(
        "v_cvt_i32_f64", (double a) { return toInteger<I32>(a); }),
    LANES(
        "v_cvt_flr_i32_f32 v_cvt_floor_i32_f32", (float a) { return toInteger<I32>(floorf(a)); }),
    LANES(
        "v_cvt_rpi_i32_f32 v_cvt_nearest_i32_f32", (float a) { return toInteger<I32>(floorf(a + 0.5f)); }),
    LANES(
        "v_cvt_f32_ubyte0", (U32 a) { return byteOf<0>(a); }),
    LANES(
        "v_cvt_f32_ubyte1", (U32 a) { return byteOf<1>(a); }),
    LANES(
        "v_cvt_f32_ubyte2", (U32 a) { return byteOf<2>(a); }),
    LANES(
        "v_cvt_f32_ubyte3", (U32 a) { return byteOf<3>(a); }),
    LANES(
        "v_cvt_pkrtz_f16_f32 v_cvt_pk_rtz_f16_f32",
        (float a, float b) { return pack(towardsZero(a), towardsZero(b)); }),
};

//===-- Packed operations -----------------------------------------------------------------------------------------===//

/// Reads element 0 or 1 of all lanes as op_sel and op_sel_hi say.
template <class T>
void readElement(const Wave &wave, const Instruction &instruction, unsigned source, bool isHigh, T *values) {
  using Bits = BitsOf<sizeof(T)>;
  Operand operand = instruction.operands[1 + source];
  bool takesHigh = (isHigh ? instruction.opSelHigh : instruction.opSel) >> source & 1;
  Bits bits[kMostLanes];
  if (sizeof(T) == 4 && takesHigh) {
    if (operand.kind == Operand::Vector || operand.kind == Operand::Scalar)
      ++operand.first;
  }
  bool isConstant = operand.kind > Operand::Scalar;
  readColumn(wave, operand, takesHigh && !isConstant, isNumber<T>, std::is_signed_v<T>, bits);
  bool negates = (isHigh ? instruction.negHigh : instruction.negLow) >> source & 1;
  for (unsigned lane = 0; lane < kMostLanes; ++lane) {
    if (isConstant && takesHigh)
      bits[lane] = sizeof(T) == 2 ? Bits(uint64_t(operand.value) >> 16) : bits[lane];
    bits[lane] ^= Bits(Bits(negates) << (8 * sizeof(T) - 1));
  }
  memcpy(values, bits, sizeof bits);
}

template <auto Operation, class T, class... Ts, size_t... Is>
void runPacked(Wave &wave, const Instruction &instruction, T (*)(Ts...), std::index_sequence<Is...>) {
  using Bits = BitsOf<sizeof(T)>;
  Bits results[2][kMostLanes];
  for (unsigned half = 0; half < 2; ++half) {
    T sources[sizeof...(Ts)][kMostLanes];
    (readElement<T>(wave, instruction, Is, half, sources[Is]), ...);
    for (unsigned lane = 0; lane < kMostLanes; ++lane) {
      T value = Operation(sources[Is][lane]...);
      if constexpr (isNumber<T>)
        value = finish(value, wave, instruction);
      results[half][lane] = std::bit_cast<Bits>(value);
    }
  }
  uint32_t (*words)[kMostLanes] = wave.vectors + instruction.operands[0].first;
  for (uint64_t left = wave.exec(); left; left &= left - 1) {
    auto lane = unsigned(std::countr_zero(left));
    words[0][lane] = sizeof(T) == 2 ? results[0][lane] | U32(results[1][lane]) << 16 : U32(results[0][lane]);
    if (sizeof(T) == 4)
      words[1][lane] = U32(results[1][lane]);
  }
}

template <auto Operation> void packed(Wave &wave, const Instruction &instruction) {
  constexpr auto pointer = +Operation;
  runPacked<Operation>(wave, instruction, pointer, indicesOf(pointer));
}

#define PACKED(names, ...) {names, packed<[] __VA_ARGS__>}

/// Moves two words: the low one of the first source, or its high one with op_sel, and in the same way of the second.
void movePair(Wave &wave, const Instruction &instruction) {
  U32 results[2][kMostLanes];
  for (unsigned i = 0; i < 2; ++i) {
    Operand operand = instruction.operands[1 + i];
    bool isConstant = operand.kind > Operand::Scalar;
    if ((instruction.opSel >> i & 1) && !isConstant)
      ++operand.first;
    readColumn(wave, operand, false, false, false, results[i]);
  }
  for (unsigned i = 0; i < 2; ++i)
    for (uint64_t left = wave.exec(); left; left &= left - 1) {
      auto lane = unsigned(std::countr_zero(left));
      wave.vectors[instruction.operands[0].first + i][lane] = results[i][lane];
    }
}

/// Reads a source of V_FMA_MIX: with its bit of op_sel_hi, it is the half of a register that op_sel chooses.
void readMixed(const Wave &wave, const Instruction &instruction, unsigned source, float *values) {
  const Operand &operand = instruction.operands[1 + source];
  // LLVM prints no op_sel_hi if no source is a half, and packed operations have ones by default.
  bool isHalf = instruction.text.find("op_sel_hi") != std::string::npos && (instruction.opSelHigh >> source & 1);
  if (!isHalf) {
    uint32_t bits[kMostLanes];
    readColumn(wave, operand, false, true, false, bits);
    memcpy(values, bits, sizeof bits);
    return;
  }
  uint16_t bits[kMostLanes];
  readColumn(wave, operand, instruction.opSel >> source & 1, true, false, bits);
  for (unsigned lane = 0; lane < kMostLanes; ++lane)
    values[lane] = float(std::bit_cast<Half>(bits[lane]));
}

/// Multiplies and adds numbers of 16 and of 32 bits. The result is a number of 32 bits, or half 0 or 1 of a register.
template <int ToHalf> void multiplyMixed(Wave &wave, const Instruction &instruction) {
  float sources[3][kMostLanes];
  for (unsigned i = 0; i < 3; ++i)
    readMixed(wave, instruction, i, sources[i]);
  for (uint64_t left = wave.exec(); left; left &= left - 1) {
    auto lane = unsigned(std::countr_zero(left));
    float value = fmaf(sources[0][lane], sources[1][lane], sources[2][lane]);
    U32 &word = wave.vectors[instruction.operands[0].first][lane];
    if (ToHalf < 0) {
      word = std::bit_cast<U32>(finish(value, wave, instruction));
      continue;
    }
    U32 half = std::bit_cast<U16>(finish(Half(value), wave, instruction));
    word = ToHalf ? (word & 0xffff) | half << 16 : (word & 0xffff0000) | half;
  }
}

const Row kPacked[] = {
    {"v_pk_mov_b32", movePair},
    {"v_fma_mix_f32", multiplyMixed<-1>},
    {"v_fma_mixlo_f16", multiplyMixed<0>},
    {"v_fma_mixhi_f16", multiplyMixed<1>},
    PACKED(
        "v_pk_minimum_f16", (Half a, Half b) { return minimum(a, b); }),
    PACKED(
        "v_pk_maximum_f16", (Half a, Half b) { return maximum(a, b); }),
    PACKED(
        "v_pk_add_u16:clamp", (U16 a, U16 b) { return saturatedSum(a, b); }),
    PACKED(
        "v_pk_add_i16:clamp", (I16 a, I16 b) { return saturatedSum(a, b); }),
    PACKED(
        "v_pk_sub_u16:clamp", (U16 a, U16 b) { return saturatedDifference(a, b); }),
    PACKED(
        "v_pk_sub_i16:clamp", (I16 a, I16 b) { return saturatedDifference(a, b); }),
    PACKED(
        "v_pk_add_f32", (float a, float b) { return a + b; }),
    PACKED(
        "v_pk_mul_f32", (float a, float b) { return a * b; }),
    PACKED(
        "v_pk_fma_f32", (float a, float b, float c) { return fmaf(a, b, c); }),
    PACKED(
        "v_pk_add_f16", (Half a, Half b) { return Half(a + b); }),
    PACKED(
        "v_pk_mul_f16", (Half a, Half b) { return Half(a * b); }),
    PACKED(
        "v_pk_fma_f16", (Half a, Half b, Half c) { return fused(a, b, c); }),
    PACKED(
        "v_pk_min_f16 v_pk_min_num_f16", (Half a, Half b) { return least(a, b); }),
    PACKED(
        "v_pk_max_f16 v_pk_max_num_f16", (Half a, Half b) { return most(a, b); }),
    PACKED(
        "v_pk_add_u16 v_pk_add_i16", (U16 a, U16 b) { return U16(a + b); }),
    PACKED(
        "v_pk_sub_u16 v_pk_sub_i16", (U16 a, U16 b) { return U16(a - b); }),
    PACKED(
        "v_pk_mul_lo_u16", (U16 a, U16 b) { return U16(U32(a) * b); }),
    PACKED(
        "v_pk_mad_u16 v_pk_mad_i16", (U16 a, U16 b, U16 c) { return U16(U32(a) * b + c); }),
    PACKED(
        "v_pk_lshlrev_b16", (U16 a, U16 b) { return U16(b << (a & 15)); }),
    PACKED(
        "v_pk_lshrrev_b16", (U16 a, U16 b) { return U16(b >> (a & 15)); }),
    PACKED(
        "v_pk_ashrrev_i16", (I16 a, I16 b) { return I16(b >> (a & 15)); }),
    PACKED(
        "v_pk_min_u16", (U16 a, U16 b) { return std::min(a, b); }),
    PACKED(
        "v_pk_max_u16", (U16 a, U16 b) { return std::max(a, b); }),
    PACKED(
        "v_pk_min_i16", (I16 a, I16 b) { return std::min(a, b); }),
    PACKED(
        "v_pk_max_i16", (I16 a, I16 b) { return std::max(a, b); }),
};

} // namespace

std::span<const Row> numberTable() {
  static const std::vector<Row> all = [] {
    std::vector<Row> made(std::begin(kSingle), std::end(kSingle));
    made.insert(made.end(), std::begin(kConversions), std::end(kConversions));
    made.insert(made.end(), std::begin(kPacked), std::end(kPacked));
    return made;
  }();
  return all;
}

} // namespace cilk2gpu::test::amd
