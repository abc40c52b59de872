// Scalar operations ("Scalar ALU Operations" and the chapters SOP1, SOP2, SOPC and SOPK of the ISA manuals).
#include "Columns.h"
#include "Numbers.h"
#include "Tables.h"

#include <algorithm>
#include <math.h>

namespace cilk2gpu::test::amd {
namespace {

using U32 = uint32_t;
using I32 = int32_t;
using U64 = uint64_t;
using I64 = int64_t;

#define SCALAR(names, ...) {names, scalar<[] __VA_ARGS__>}
/// An operation whose scc says that the result is not zero, for 32 and 64 bits.
#define BITWISE(name, expression)                                                                                      \
  SCALAR(                                                                                                              \
      name "_b32",                                                                                                     \
      (U32 a, U32 b) {                                                                                                 \
        U32 r = (expression);                                                                                          \
        return Flagged<U32>{r, r != 0};                                                                                \
      }),                                                                                                              \
      SCALAR(                                                                                                          \
          name "_b64", (U64 a, U64 b) {                                                                                \
            U64 r = (expression);                                                                                      \
            return Flagged<U64>{r, r != 0};                                                                            \
          })

Flagged<U32> sum(U32 a, U32 b, bool carry) {
  U64 wide = U64(a) + b + carry;
  return {U32(wide), wide >> 32 != 0};
}
Flagged<U32> difference(U32 a, U32 b, bool borrow) { return {a - b - borrow, U64(a) < U64(b) + borrow}; }
Flagged<U32> signedSum(U32 a, U32 b) {
  I32 r;
  bool overflows = __builtin_add_overflow(I32(a), I32(b), &r);
  return {U32(r), overflows};
}
Flagged<U32> signedDifference(U32 a, U32 b) {
  I32 r;
  bool overflows = __builtin_sub_overflow(I32(a), I32(b), &r);
  return {U32(r), overflows};
}

template <class T> Flagged<T> withFlag(T value) { return {value, value != 0}; }

/// Extracts bits: the offset is in the low bits of `field`, the width in bits 16 and up.
template <class T> T extract(T value, U32 field) {
  constexpr unsigned kBits = 8 * sizeof(T);
  unsigned offset = field & (kBits - 1), width = field >> 16 & 0x7f;
  if (!width)
    return 0;
  if (offset + width >= kBits)
    return T(value >> offset);
  return T(T(std::make_unsigned_t<T>(value) << (kBits - offset - width)) >> (kBits - width));
}

template <class T> T bitMask(U32 width, U32 offset) {
  constexpr unsigned kMost = 8 * sizeof(T) - 1;
  return T(((T(1) << (width & kMost)) - 1) << (offset & kMost));
}

/// Number of the first bit from the top that differs from the sign; -1 if there is none.
template <class T> U32 signBits(T value) {
  auto bits = std::make_unsigned_t<T>(value ^ (value >> (8 * sizeof(T) - 1)));
  return bits ? U32(std::countl_zero(bits)) : U32(-1);
}

/// Sets a bit for each group of four bits or each pair that has one set.
template <class T> U64 quads(T value) {
  U64 result = 0;
  for (unsigned i = 0; i < 2 * sizeof(T); ++i)
    result |= U64((value >> 4 * i & 15) != 0) << i;
  return result;
}

const Row kArithmetic[] = {
    SCALAR(
        "s_mov_b32", (U32 a) { return a; }),
    SCALAR(
        "s_mov_b64", (U64 a) { return a; }),
    SCALAR(
        "s_movk_i32", (int16_t a) { return U32(I32(a)); }),
    SCALAR(
        "s_cmov_b32", (Old<U32> old, U32 a, Flag flag) { return flag.value ? a : old.value; }),
    SCALAR(
        "s_cmov_b64", (Old<U64> old, U64 a, Flag flag) { return flag.value ? a : old.value; }),
    SCALAR(
        "s_cmovk_i32", (Old<U32> old, int16_t a, Flag flag) { return flag.value ? U32(I32(a)) : old.value; }),
    SCALAR(
        "s_add_u32 s_add_co_u32", (U32 a, U32 b) { return sum(a, b, false); }),
    SCALAR(
        "s_addc_u32 s_add_co_ci_u32", (U32 a, U32 b, Flag c) { return sum(a, b, c.value); }),
    SCALAR(
        "s_sub_u32 s_sub_co_u32", (U32 a, U32 b) { return difference(a, b, false); }),
    SCALAR(
        "s_subb_u32 s_sub_co_ci_u32", (U32 a, U32 b, Flag c) { return difference(a, b, c.value); }),
    SCALAR(
        "s_add_i32 s_add_co_i32", (U32 a, U32 b) { return signedSum(a, b); }),
    SCALAR(
        "s_sub_i32 s_sub_co_i32", (U32 a, U32 b) { return signedDifference(a, b); }),
    SCALAR(
        "s_addk_i32 s_addk_co_i32", (Old<U32> old, int16_t b) { return signedSum(old.value, U32(I32(b))); }),
    SCALAR(
        "s_mulk_i32", (Old<U32> old, int16_t b) { return old.value * U32(I32(b)); }),
    SCALAR(
        "s_add_nc_u64 s_add_u64", (U64 a, U64 b) { return a + b; }),
    SCALAR(
        "s_sub_nc_u64 s_sub_u64", (U64 a, U64 b) { return a - b; }),
    SCALAR(
        "s_mul_i32", (U32 a, U32 b) { return a * b; }),
    SCALAR(
        "s_mul_u64", (U64 a, U64 b) { return a * b; }),
    SCALAR(
        "s_mul_hi_u32", (U32 a, U32 b) { return U32(U64(a) * b >> 32); }),
    SCALAR(
        "s_mul_hi_i32", (I32 a, I32 b) { return U32(I64(a) * b >> 32); }),
    SCALAR(
        "s_lshl1_add_u32",
        (U32 a, U32 b) {
          U64 r = (U64(a) << 1) + b;
          return Flagged<U32>{U32(r), r >> 32 != 0};
        }),
    SCALAR(
        "s_lshl2_add_u32",
        (U32 a, U32 b) {
          U64 r = (U64(a) << 2) + b;
          return Flagged<U32>{U32(r), r >> 32 != 0};
        }),
    SCALAR(
        "s_lshl3_add_u32",
        (U32 a, U32 b) {
          U64 r = (U64(a) << 3) + b;
          return Flagged<U32>{U32(r), r >> 32 != 0};
        }),
    SCALAR(
        "s_lshl4_add_u32",
        (U32 a, U32 b) {
          U64 r = (U64(a) << 4) + b;
          return Flagged<U32>{U32(r), r >> 32 != 0};
        }),
    SCALAR(
        "s_min_i32", (I32 a, I32 b) { return Flagged<I32>{std::min(a, b), a < b}; }),
    SCALAR(
        "s_max_i32", (I32 a, I32 b) { return Flagged<I32>{std::max(a, b), a > b}; }),
    SCALAR(
        "s_min_u32", (U32 a, U32 b) { return Flagged<U32>{std::min(a, b), a < b}; }),
    SCALAR(
        "s_max_u32", (U32 a, U32 b) { return Flagged<U32>{std::max(a, b), a > b}; }),
    SCALAR(
        "s_abs_i32", (I32 a) { return withFlag(a < 0 ? U32(-I64(a)) : U32(a)); }),
    SCALAR(
        "s_absdiff_i32",
        (I32 a, I32 b) {
          I64 d = I64(a) - b;
          return withFlag(U32(d < 0 ? -d : d));
        }),
    SCALAR(
        "s_sext_i32_i8", (U32 a) { return U32(I32(int8_t(a))); }),
    SCALAR(
        "s_sext_i32_i16", (U32 a) { return U32(I32(int16_t(a))); }),
    SCALAR(
        "s_cselect_b32", (U32 a, U32 b, Flag flag) { return flag.value ? a : b; }),
    SCALAR(
        "s_cselect_b64", (U64 a, U64 b, Flag flag) { return flag.value ? a : b; }),
    SCALAR(
        "s_pack_ll_b32_b16", (U32 a, U32 b) { return (a & 0xffff) | b << 16; }),
    SCALAR(
        "s_pack_lh_b32_b16", (U32 a, U32 b) { return (a & 0xffff) | (b & 0xffff0000); }),
    SCALAR(
        "s_pack_hh_b32_b16", (U32 a, U32 b) { return a >> 16 | (b & 0xffff0000); }),
    SCALAR(
        "s_pack_hl_b32_b16", (U32 a, U32 b) { return a >> 16 | b << 16; }),
};

const Row kBits[] = {
    BITWISE("s_and", a &b),
    BITWISE("s_or", a | b),
    BITWISE("s_xor", a ^ b),
    BITWISE("s_nand", ~(a &b)),
    BITWISE("s_nor", ~(a | b)),
    BITWISE("s_xnor", ~(a ^ b)),
    SCALAR(
        "s_andn2_b32 s_and_not1_b32", (U32 a, U32 b) { return withFlag(a & ~b); }),
    SCALAR(
        "s_andn2_b64 s_and_not1_b64", (U64 a, U64 b) { return withFlag(a & ~b); }),
    SCALAR(
        "s_orn2_b32 s_or_not1_b32", (U32 a, U32 b) { return withFlag(a | ~b); }),
    SCALAR(
        "s_orn2_b64 s_or_not1_b64", (U64 a, U64 b) { return withFlag(a | ~b); }),
    SCALAR(
        "s_not_b32", (U32 a) { return withFlag(~a); }),
    SCALAR(
        "s_not_b64", (U64 a) { return withFlag(~a); }),
    SCALAR(
        "s_lshl_b32", (U32 a, U32 b) { return withFlag(a << (b & 31)); }),
    SCALAR(
        "s_lshl_b64", (U64 a, U32 b) { return withFlag(a << (b & 63)); }),
    SCALAR(
        "s_lshr_b32", (U32 a, U32 b) { return withFlag(a >> (b & 31)); }),
    SCALAR(
        "s_lshr_b64", (U64 a, U32 b) { return withFlag(a >> (b & 63)); }),
    SCALAR(
        "s_ashr_i32", (I32 a, U32 b) { return withFlag(a >> (b & 31)); }),
    SCALAR(
        "s_ashr_i64", (I64 a, U32 b) { return withFlag(a >> (b & 63)); }),
    SCALAR(
        "s_bfe_u32", (U32 a, U32 b) { return withFlag(extract(a, b)); }),
    SCALAR(
        "s_bfe_i32", (I32 a, U32 b) { return withFlag(extract(a, b)); }),
    SCALAR(
        "s_bfe_u64", (U64 a, U32 b) { return withFlag(extract(a, b)); }),
    SCALAR(
        "s_bfe_i64", (I64 a, U32 b) { return withFlag(extract(a, b)); }),
    SCALAR(
        "s_bfm_b32", (U32 a, U32 b) { return bitMask<U32>(a, b); }),
    SCALAR(
        "s_bfm_b64", (U32 a, U32 b) { return bitMask<U64>(a, b); }),
    SCALAR(
        "s_brev_b32", (U32 a) { return __builtin_bitreverse32(a); }),
    SCALAR(
        "s_brev_b64", (U64 a) { return __builtin_bitreverse64(a); }),
    SCALAR(
        "s_bcnt0_i32_b32", (U32 a) { return withFlag(U32(std::popcount(~a))); }),
    SCALAR(
        "s_bcnt0_i32_b64", (U64 a) { return withFlag(U32(std::popcount(~a))); }),
    SCALAR(
        "s_bcnt1_i32_b32", (U32 a) { return withFlag(U32(std::popcount(a))); }),
    SCALAR(
        "s_bcnt1_i32_b64", (U64 a) { return withFlag(U32(std::popcount(a))); }),
    SCALAR(
        "s_ff1_i32_b32 s_ctz_i32_b32", (U32 a) { return a ? U32(std::countr_zero(a)) : U32(-1); }),
    SCALAR(
        "s_ff1_i32_b64 s_ctz_i32_b64", (U64 a) { return a ? U32(std::countr_zero(a)) : U32(-1); }),
    SCALAR(
        "s_flbit_i32_b32 s_clz_i32_u32", (U32 a) { return a ? U32(std::countl_zero(a)) : U32(-1); }),
    SCALAR(
        "s_flbit_i32_b64 s_clz_i32_u64", (U64 a) { return a ? U32(std::countl_zero(a)) : U32(-1); }),
    SCALAR(
        "s_flbit_i32 s_cls_i32", (I32 a) { return signBits(a); }),
    SCALAR(
        "s_flbit_i32_i64 s_cls_i32_i64", (I64 a) { return signBits(a); }),
    SCALAR(
        "s_bitset0_b32", (Old<U32> old, U32 a) { return old.value & ~(U32(1) << (a & 31)); }),
    SCALAR(
        "s_bitset1_b32", (Old<U32> old, U32 a) { return old.value | U32(1) << (a & 31); }),
    SCALAR(
        "s_bitset0_b64", (Old<U64> old, U32 a) { return old.value & ~(U64(1) << (a & 63)); }),
    SCALAR(
        "s_bitset1_b64", (Old<U64> old, U32 a) { return old.value | U64(1) << (a & 63); }),
    SCALAR(
        "s_bitcmp0_b32", (U32 a, U32 b) { return Flag{!(a >> (b & 31) & 1)}; }),
    SCALAR(
        "s_bitcmp1_b32", (U32 a, U32 b) { return Flag{(a >> (b & 31) & 1) != 0}; }),
    SCALAR(
        "s_bitcmp0_b64", (U64 a, U32 b) { return Flag{!(a >> (b & 63) & 1)}; }),
    SCALAR(
        "s_bitcmp1_b64", (U64 a, U32 b) { return Flag{(a >> (b & 63) & 1) != 0}; }),
    SCALAR(
        "s_quadmask_b32", (U32 a) { return withFlag(U32(quads(a))); }),
    SCALAR(
        "s_quadmask_b64", (U64 a) { return withFlag(quads(a)); }),
};

#define COMPARE(name, op)                                                                                              \
  SCALAR(                                                                                                              \
      "s_cmp_" name "_i32", (I32 a, I32 b) { return Flag{a op b}; }),                                                  \
      SCALAR(                                                                                                          \
          "s_cmp_" name "_u32", (U32 a, U32 b) { return Flag{a op b}; }),                                              \
      SCALAR(                                                                                                          \
          "s_cmp_" name "_u64", (U64 a, U64 b) { return Flag{a op b}; }),                                              \
      SCALAR(                                                                                                          \
          "s_cmpk_" name "_i32", (I32 a, int16_t b) { return Flag{a op b}; }),                                         \
      SCALAR(                                                                                                          \
          "s_cmpk_" name "_u32", (U32 a, uint16_t b) { return Flag{a op b}; }),                                        \
      SCALAR(                                                                                                          \
          "s_cmp_" name "_f16", (Half a, Half b) { return Flag{a op b}; }),                                            \
      SCALAR("s_cmp_" name "_f32", (float a, float b) { return Flag{a op b}; })

/// Comparisons of numbers that hold if an operand is not a number, and the two that ask for that.
#define UNORDERED(suffix, T)                                                                                           \
  SCALAR(                                                                                                              \
      "s_cmp_nlt_" suffix, (T a, T b) { return Flag{!(a < b)}; }),                                                     \
      SCALAR(                                                                                                          \
          "s_cmp_nle_" suffix, (T a, T b) { return Flag{!(a <= b)}; }),                                                \
      SCALAR(                                                                                                          \
          "s_cmp_ngt_" suffix, (T a, T b) { return Flag{!(a > b)}; }),                                                 \
      SCALAR(                                                                                                          \
          "s_cmp_nge_" suffix, (T a, T b) { return Flag{!(a >= b)}; }),                                                \
      SCALAR(                                                                                                          \
          "s_cmp_neq_" suffix, (T a, T b) { return Flag{a != b}; }),                                                   \
      SCALAR(                                                                                                          \
          "s_cmp_nlg_" suffix, (T a, T b) { return Flag{!(a < b || a > b)}; }),                                        \
      SCALAR(                                                                                                          \
          "s_cmp_o_" suffix, (T a, T b) { return Flag{a == a && b == b}; }),                                           \
      SCALAR("s_cmp_u_" suffix, (T a, T b) { return Flag{a != a || b != b}; })

/// Operations on numbers, which processors have from gfx11.5 on; v_s names are from gfx12 on.
#define NUMBERS(suffix, T)                                                                                             \
  UNORDERED(suffix, T),                                                                                                \
      SCALAR(                                                                                                          \
          "s_add_" suffix, (T a, T b) { return T(a + b); }),                                                           \
      SCALAR(                                                                                                          \
          "s_sub_" suffix, (T a, T b) { return T(a - b); }),                                                           \
      SCALAR(                                                                                                          \
          "s_mul_" suffix, (T a, T b) { return T(a * b); }),                                                           \
      SCALAR(                                                                                                          \
          "s_fmac_" suffix, (Old<T> old, T a, T b) { return fused(a, b, old.value); }),                                \
      SCALAR(                                                                                                          \
          "s_min_num_" suffix, (T a, T b) { return least(a, b); }),                                                    \
      SCALAR(                                                                                                          \
          "s_max_num_" suffix, (T a, T b) { return most(a, b); }),                                                     \
      SCALAR(                                                                                                          \
          "s_minimum_" suffix, (T a, T b) { return minimum(a, b); }),                                                  \
      SCALAR(                                                                                                          \
          "s_maximum_" suffix, (T a, T b) { return maximum(a, b); }),                                                  \
      SCALAR(                                                                                                          \
          "s_trunc_" suffix, (T a) { return T(trunc(double(a))); }),                                                   \
      SCALAR(                                                                                                          \
          "s_floor_" suffix, (T a) { return T(floor(double(a))); }),                                                   \
      SCALAR(                                                                                                          \
          "s_ceil_" suffix, (T a) { return T(ceil(double(a))); }),                                                     \
      SCALAR(                                                                                                          \
          "s_rndne_" suffix, (T a) { return T(rint(double(a))); }),                                                    \
      SCALAR(                                                                                                          \
          "v_s_rcp_" suffix, (T a) { return T(1 / double(a)); }),                                                      \
      SCALAR(                                                                                                          \
          "v_s_rsq_" suffix, (T a) { return T(1 / sqrt(double(a))); }),                                                \
      SCALAR(                                                                                                          \
          "v_s_sqrt_" suffix, (T a) { return T(sqrt(double(a))); }),                                                   \
      SCALAR(                                                                                                          \
          "v_s_exp_" suffix, (T a) { return T(exp2(double(a))); }),                                                    \
      SCALAR("v_s_log_" suffix, (T a) { return T(log2(double(a))); })

const Row kOthers[] = {
    COMPARE("eq", ==),
    COMPARE("lg", !=),
    COMPARE("lt", <),
    COMPARE("le", <=),
    COMPARE("gt", >),
    COMPARE("ge", >=),
    NUMBERS("f16", Half),
    NUMBERS("f32", float),
    SCALAR(
        "s_fmaak_f32 s_fmamk_f32", (float a, float b, float c) { return fmaf(a, b, c); }),
    SCALAR(
        "s_cvt_f32_u32", (U32 a) { return float(a); }),
    SCALAR(
        "s_cvt_f32_i32", (I32 a) { return float(a); }),
    SCALAR(
        "s_cvt_u32_f32", (float a) { return toInteger<U32>(a); }),
    SCALAR(
        "s_cvt_i32_f32", (float a) { return toInteger<I32>(a); }),
    SCALAR(
        "s_cvt_f16_f32", (float a) { return Half(a); }),
    SCALAR(
        "s_cvt_f32_f16", (Half a) { return float(a); }),
    SCALAR(
        "s_cvt_hi_f32_f16", (U32 a) { return float(std::bit_cast<Half>(uint16_t(a >> 16))); }),
    SCALAR(
        "s_cvt_pk_rtz_f16_f32", (float a, float b) { return pack(towardsZero(a), towardsZero(b)); }),
};

/// Saves exec, and combines it with the operand. `Combine` gets (operand, exec).
template <auto Combine> void saveExec(Wave &wave, const Instruction &instruction) {
  uint64_t old = wave.exec(), given = readMask(wave, instruction, 1);
  wave.setMask(kExec, Combine(given, old));
  wave.setMask(instruction.operands[0].first, old);
  wave.scalars[kScc] = wave.exec() != 0;
}

/// Combines, and writes the new exec to the result, too.
template <auto Combine> void writeExec(Wave &wave, const Instruction &instruction) {
  wave.setMask(kExec, Combine(readMask(wave, instruction, 1), wave.exec()));
  wave.setMask(instruction.operands[0].first, wave.exec());
  wave.scalars[kScc] = wave.exec() != 0;
}

#define SAVES(names, expression) {names, saveExec<[](U64 s, U64 e) { return expression; }>}

const Row kExecs[] = {
    SAVES("s_and_saveexec_b32 s_and_saveexec_b64", s &e),
    SAVES("s_or_saveexec_b32 s_or_saveexec_b64", s | e),
    SAVES("s_xor_saveexec_b32 s_xor_saveexec_b64", s ^ e),
    SAVES("s_nand_saveexec_b32 s_nand_saveexec_b64", ~(s &e)),
    SAVES("s_nor_saveexec_b32 s_nor_saveexec_b64", ~(s | e)),
    SAVES("s_xnor_saveexec_b32 s_xnor_saveexec_b64", ~(s ^ e)),
    // The first manuals call an operand complemented by n1 (exec... of the source) and n2 (of exec).
    SAVES("s_andn1_saveexec_b64 s_and_not0_saveexec_b32 s_and_not0_saveexec_b64", ~s &e),
    SAVES("s_orn1_saveexec_b64 s_or_not0_saveexec_b32 s_or_not0_saveexec_b64", ~s | e),
    SAVES("s_andn2_saveexec_b64 s_and_not1_saveexec_b32 s_and_not1_saveexec_b64", s & ~e),
    SAVES("s_orn2_saveexec_b64 s_or_not1_saveexec_b32 s_or_not1_saveexec_b64", s | ~e),
    {"s_andn1_wrexec_b64 s_and_not0_wrexec_b32 s_and_not0_wrexec_b64", writeExec<[](U64 s, U64 e) { return ~s & e; }>},
    {"s_andn2_wrexec_b64 s_and_not1_wrexec_b32 s_and_not1_wrexec_b64", writeExec<[](U64 s, U64 e) { return s & ~e; }>},
    // Whole quads of lanes.
    {"s_wqm_b32 s_wqm_b64", [](Wave &wave, const Instruction &instruction) {
       U64 given = readMask(wave, instruction, 1), result = 0;
       for (unsigned i = 0; i < 64; i += 4)
         result |= (given >> i & 15 ? U64(15) : 0) << i;
       wave.setMask(instruction.operands[0].first, result);
       wave.scalars[kScc] = result != 0;
     }}};

template <size_t... Sizes> auto join(const Row (&...tables)[Sizes]) {
  std::vector<Row> all;
  (all.insert(all.end(), tables, tables + Sizes), ...);
  return all;
}

} // namespace

std::span<const Row> scalarTable() {
  static const std::vector<Row> all = join(kArithmetic, kBits, kOthers, kExecs);
  return all;
}

} // namespace cilk2gpu::test::amd
