// Vector operations on integers and bits ("Vector ALU Operations" and the chapters VOP1, VOP2 and VOP3 of the ISA
// manuals).
#include "Columns.h"
#include "Numbers.h"
#include "Tables.h"

#include <algorithm>
#include <limits>

namespace cilk2gpu::test::amd {
namespace {

using U16 = uint16_t;
using I16 = int16_t;
using U32 = uint32_t;
using I32 = int32_t;
using U64 = uint64_t;
using I64 = int64_t;

#define LANES(names, ...) {names, lanes<[] __VA_ARGS__>}

WithMask<U32> sum(U32 a, U32 b, bool carry) {
  U64 wide = U64(a) + b + carry;
  return {U32(wide), wide >> 32 != 0};
}
WithMask<U32> difference(U32 a, U32 b, bool borrow) { return {a - b - borrow, U64(a) < U64(b) + borrow}; }

I32 low24(U32 value) { return I32(value << 8) >> 8; }

template <class T> T median(T a, T b, T c) { return std::max(std::min(a, b), std::min(std::max(a, b), c)); }
template <class T> T distance(T a, T b) { return a < b ? b - a : a - b; }

U32 signBits(I32 value) {
  auto bits = U32(value ^ (value >> 31));
  return bits ? U32(std::countl_zero(bits)) : U32(-1);
}

/// Extracts a field of `width` bits, which may be 0.
U32 extract(U32 value, U32 offset, U32 width) { return value >> (offset & 31) & ((U32(1) << (width & 31)) - 1); }
I32 extractSigned(I32 value, U32 offset, U32 width) {
  width &= 31;
  if (!width)
    return 0;
  U32 field = U32(value >> (offset & 31));
  return I32(field << (32 - width)) >> (32 - width);
}

/// Chooses each byte of the result among eight bytes, of which `b` has the low ones (V_PERM_B32).
U32 permute(U32 a, U32 b, U32 selector) {
  U64 bytes = U64(a) << 32 | b;
  U32 result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    U32 select = selector >> 8 * i & 0xff, byte;
    if (select >= 13)
      byte = 0xff;
    else if (select == 12)
      byte = 0;
    else if (select >= 8)
      byte = bytes >> (16 * (select - 8) + 15) & 1 ? 0xff : 0; // signs of the 16-bit words
    else
      byte = U32(bytes >> 8 * select) & 0xff;
    result |= byte << 8 * i;
  }
  return result;
}

U32 sumOfDistances(U32 a, U32 b, U32 c) {
  for (unsigned i = 0; i < 32; i += 8)
    c += distance(a >> i & 0xff, b >> i & 0xff);
  return c;
}

/// Multiplies the bytes of two words and adds the products to `sum`; bytes are signed or not.
template <class A, class B> U32 dotBytes(U32 a, U32 b, U32 sum) {
  for (unsigned i = 0; i < 32; i += 8)
    sum += U32(I32(A(a >> i)) * I32(B(b >> i)));
  return sum;
}

/// V_DOT4_I32_IU8: bits of neg_lo say which source's bytes are signed.
void dotOfMixedBytes(Wave &wave, const Instruction &instruction) {
  using I8 = int8_t;
  using U8 = uint8_t;
  constexpr U32 (*kDots[])(U32, U32, U32) = {dotBytes<U8, U8>, dotBytes<I8, U8>, dotBytes<U8, I8>, dotBytes<I8, I8>};
  U32 sources[3][kMostLanes];
  for (unsigned i = 0; i < 3; ++i)
    readColumn(wave, instruction.operands[1 + i], false, false, false, sources[i]);
  for (unsigned lane = 0; lane < kMostLanes; ++lane)
    sources[0][lane] = kDots[instruction.negLow & 3](sources[0][lane], sources[1][lane], sources[2][lane]);
  writeColumn(wave, instruction, sources[0], wave.exec());
}

WithMask<U64> multiplyAdd(U64 product, U64 c) {
  U64 r = product + c;
  return {r, r < product};
}

const Row kArithmetic[] = {
    LANES(
        "v_mov_b32", (U32 a) { return a; }),
    LANES(
        "v_mov_b64", (U64 a) { return a; }),
    LANES(
        "v_mov_b16", (U16 a) { return a; }),
    LANES(
        "v_add_u32 v_add_nc_u32 v_add_nc_i32 v_add_i32", (U32 a, U32 b) { return a + b; }),
    LANES(
        "v_sub_u32 v_sub_nc_u32 v_sub_nc_i32 v_sub_i32", (U32 a, U32 b) { return a - b; }),
    LANES(
        "v_subrev_u32 v_subrev_nc_u32", (U32 a, U32 b) { return b - a; }),
    LANES(
        "v_add_co_u32", (U32 a, U32 b) { return sum(a, b, false); }),
    LANES(
        "v_addc_co_u32 v_add_co_ci_u32", (U32 a, U32 b, bool c) { return sum(a, b, c); }),
    LANES(
        "v_sub_co_u32", (U32 a, U32 b) { return difference(a, b, false); }),
    LANES(
        "v_subrev_co_u32", (U32 a, U32 b) { return difference(b, a, false); }),
    LANES(
        "v_subb_co_u32 v_sub_co_ci_u32", (U32 a, U32 b, bool c) { return difference(a, b, c); }),
    LANES(
        "v_subbrev_co_u32 v_subrev_co_ci_u32", (U32 a, U32 b, bool c) { return difference(b, a, c); }),
    LANES(
        "v_lshl_add_u64", (U64 a, U32 b, U64 c) { return (a << (b & 7)) + c; }),
    LANES(
        "v_add_nc_u64 v_add_u64", (U64 a, U64 b) { return a + b; }),
    LANES(
        "v_add3_u32", (U32 a, U32 b, U32 c) { return a + b + c; }),
    LANES(
        "v_lshl_add_u32", (U32 a, U32 b, U32 c) { return (a << (b & 31)) + c; }),
    LANES(
        "v_add_lshl_u32", (U32 a, U32 b, U32 c) { return (a + b) << (c & 31); }),
    LANES(
        "v_xad_u32", (U32 a, U32 b, U32 c) { return (a ^ b) + c; }),
    LANES(
        "v_mul_lo_u32 v_mul_lo_i32", (U32 a, U32 b) { return a * b; }),
    LANES(
        "v_mul_hi_u32", (U32 a, U32 b) { return U32(U64(a) * b >> 32); }),
    LANES(
        "v_mul_hi_i32", (I32 a, I32 b) { return U32(I64(a) * b >> 32); }),
    LANES(
        "v_mul_u32_u24", (U32 a, U32 b) { return (a & 0xffffff) * (b & 0xffffff); }),
    LANES(
        "v_mul_i32_i24", (U32 a, U32 b) { return U32(I64(low24(a)) * low24(b)); }),
    LANES(
        "v_mul_hi_u32_u24", (U32 a, U32 b) { return U32(U64(a & 0xffffff) * (b & 0xffffff) >> 32); }),
    LANES(
        "v_mul_hi_i32_i24", (U32 a, U32 b) { return U32(I64(low24(a)) * low24(b) >> 32); }),
    LANES(
        "v_mad_u32_u24", (U32 a, U32 b, U32 c) { return (a & 0xffffff) * (b & 0xffffff) + c; }),
    LANES(
        "v_mad_i32_i24", (U32 a, U32 b, U32 c) { return U32(I64(low24(a)) * low24(b)) + c; }),
    LANES(
        "v_mad_u32_u16", (U16 a, U16 b, U32 c) { return U32(a) * b + c; }),
    LANES(
        "v_mad_i32_i16", (I16 a, I16 b, U32 c) { return U32(I32(a) * b) + c; }),
    LANES(
        "v_mad_u64_u32 v_mad_co_u64_u32", (U32 a, U32 b, U64 c) { return multiplyAdd(U64(a) * b, c); }),
    LANES(
        "v_mad_i64_i32 v_mad_co_i64_i32",
        (I32 a, I32 b, I64 c) {
          I64 product = I64(a) * b, r = I64(U64(product) + U64(c));
          return WithMask<U64>{U64(r), (product < 0) != (c < 0) ? false : (r < 0) != (c < 0)};
        }),
    LANES(
        "v_min_u32", (U32 a, U32 b) { return std::min(a, b); }),
    LANES(
        "v_max_u32", (U32 a, U32 b) { return std::max(a, b); }),
    LANES(
        "v_min_i32", (I32 a, I32 b) { return std::min(a, b); }),
    LANES(
        "v_max_i32", (I32 a, I32 b) { return std::max(a, b); }),
    LANES(
        "v_min3_u32", (U32 a, U32 b, U32 c) { return std::min({a, b, c}); }),
    LANES(
        "v_max3_u32", (U32 a, U32 b, U32 c) { return std::max({a, b, c}); }),
    LANES(
        "v_min3_i32", (I32 a, I32 b, I32 c) { return std::min({a, b, c}); }),
    LANES(
        "v_max3_i32", (I32 a, I32 b, I32 c) { return std::max({a, b, c}); }),
    LANES(
        "v_med3_u32", (U32 a, U32 b, U32 c) { return median(a, b, c); }),
    LANES(
        "v_med3_i32", (I32 a, I32 b, I32 c) { return median(a, b, c); }),
    LANES(
        "v_maxmin_u32", (U32 a, U32 b, U32 c) { return std::min(std::max(a, b), c); }),
    LANES(
        "v_minmax_u32", (U32 a, U32 b, U32 c) { return std::max(std::min(a, b), c); }),
    LANES(
        "v_maxmin_i32", (I32 a, I32 b, I32 c) { return std::min(std::max(a, b), c); }),
    LANES(
        "v_minmax_i32", (I32 a, I32 b, I32 c) { return std::max(std::min(a, b), c); }),
    {"v_dot4_i32_iu8", dotOfMixedBytes},
    LANES(
        "v_dot4_u32_u8", (U32 a, U32 b, U32 c) { return dotBytes<uint8_t, uint8_t>(a, b, c); }),
    LANES(
        "v_dot4_i32_i8", (U32 a, U32 b, U32 c) { return dotBytes<int8_t, int8_t>(a, b, c); }),
    LANES(
        "v_dot4c_i32_i8", (Old<U32> old, U32 a, U32 b) { return dotBytes<int8_t, int8_t>(a, b, old.value); }),
    LANES(
        "v_sad_u32", (U32 a, U32 b, U32 c) { return distance(a, b) + c; }),
    LANES(
        "v_sad_u8", (U32 a, U32 b, U32 c) { return sumOfDistances(a, b, c); }),
};

const Row kBits[] = {
    LANES(
        "v_and_b32", (U32 a, U32 b) { return a & b; }),
    LANES(
        "v_or_b32", (U32 a, U32 b) { return a | b; }),
    LANES(
        "v_xor_b32", (U32 a, U32 b) { return a ^ b; }),
    LANES(
        "v_xnor_b32", (U32 a, U32 b) { return ~(a ^ b); }),
    LANES(
        "v_not_b32", (U32 a) { return ~a; }),
    LANES(
        "v_and_or_b32", (U32 a, U32 b, U32 c) { return (a & b) | c; }),
    LANES(
        "v_or3_b32", (U32 a, U32 b, U32 c) { return a | b | c; }),
    LANES(
        "v_xor3_b32", (U32 a, U32 b, U32 c) { return a ^ b ^ c; }),
    LANES(
        "v_lshl_or_b32", (U32 a, U32 b, U32 c) { return a << (b & 31) | c; }),
    LANES(
        "v_lshlrev_b32", (U32 a, U32 b) { return b << (a & 31); }),
    LANES(
        "v_lshrrev_b32", (U32 a, U32 b) { return b >> (a & 31); }),
    LANES(
        "v_ashrrev_i32", (U32 a, I32 b) { return b >> (a & 31); }),
    LANES(
        "v_lshlrev_b64", (U32 a, U64 b) { return b << (a & 63); }),
    LANES(
        "v_lshrrev_b64", (U32 a, U64 b) { return b >> (a & 63); }),
    LANES(
        "v_ashrrev_i64", (U32 a, I64 b) { return b >> (a & 63); }),
    LANES(
        "v_bfe_u32", (U32 a, U32 b, U32 c) { return extract(a, b, c); }),
    LANES(
        "v_bfe_i32", (I32 a, U32 b, U32 c) { return extractSigned(a, b, c); }),
    LANES(
        "v_bfi_b32", (U32 a, U32 b, U32 c) { return (a & b) | (~a & c); }),
    LANES(
        "v_bfm_b32", (U32 a, U32 b) { return ((U32(1) << (a & 31)) - 1) << (b & 31); }),
    LANES(
        "v_alignbit_b32", (U32 a, U32 b, U32 c) { return U32((U64(a) << 32 | b) >> (c & 31)); }),
    LANES(
        "v_alignbyte_b32", (U32 a, U32 b, U32 c) { return U32((U64(a) << 32 | b) >> 8 * (c & 3)); }),
    LANES(
        "v_perm_b32", (U32 a, U32 b, U32 c) { return permute(a, b, c); }),
    LANES(
        "v_bfrev_b32", (U32 a) { return __builtin_bitreverse32(a); }),
    LANES(
        "v_bcnt_u32_b32", (U32 a, U32 b) { return U32(std::popcount(a)) + b; }),
    LANES(
        "v_ffbh_u32 v_clz_i32_u32", (U32 a) { return a ? U32(std::countl_zero(a)) : U32(-1); }),
    LANES(
        "v_ffbl_b32 v_ctz_i32_b32", (U32 a) { return a ? U32(std::countr_zero(a)) : U32(-1); }),
    LANES(
        "v_ffbh_i32 v_cls_i32", (I32 a) { return signBits(a); }),
    LANES(
        "v_cndmask_b32", (U32 a, U32 b, bool c) { return c ? b : a; }),
    LANES(
        "v_cndmask_b16", (U16 a, U16 b, bool c) { return c ? b : a; }),
    LANES(
        "v_accvgpr_read_b32 v_accvgpr_write_b32 v_accvgpr_mov_b32", (U32 a) { return a; }),
    LANES(
        "v_sat_pk_u8_i16",
        (U32 a) {
          auto low = std::clamp<int>(I16(a), 0, 255), high = std::clamp<int>(I16(a >> 16), 0, 255);
          return U16(low | high << 8);
        }),
};

const Row kShort[] = {
    LANES(
        "v_add_u16 v_add_nc_u16 v_add_nc_i16 v_add_i16", (U16 a, U16 b) { return U16(a + b); }),
    LANES(
        "v_sub_u16 v_sub_nc_u16 v_sub_nc_i16 v_sub_i16", (U16 a, U16 b) { return U16(a - b); }),
    LANES(
        "v_subrev_u16", (U16 a, U16 b) { return U16(b - a); }),
    LANES(
        "v_mul_lo_u16", (U16 a, U16 b) { return U16(U32(a) * b); }),
    LANES(
        "v_mad_u16 v_mad_i16 v_mad_legacy_u16 v_mad_legacy_i16", (U16 a, U16 b, U16 c) { return U16(U32(a) * b + c); }),
    LANES(
        "v_and_b16", (U16 a, U16 b) { return U16(a & b); }),
    LANES(
        "v_or_b16", (U16 a, U16 b) { return U16(a | b); }),
    LANES(
        "v_xor_b16", (U16 a, U16 b) { return U16(a ^ b); }),
    LANES(
        "v_not_b16", (U16 a) { return U16(~a); }),
    LANES(
        "v_lshlrev_b16", (U16 a, U16 b) { return U16(b << (a & 15)); }),
    LANES(
        "v_lshrrev_b16", (U16 a, U16 b) { return U16(b >> (a & 15)); }),
    LANES(
        "v_ashrrev_i16", (U16 a, I16 b) { return I16(b >> (a & 15)); }),
    LANES(
        "v_min_u16", (U16 a, U16 b) { return std::min(a, b); }),
    LANES(
        "v_max_u16", (U16 a, U16 b) { return std::max(a, b); }),
    LANES(
        "v_min_i16", (I16 a, I16 b) { return std::min(a, b); }),
    LANES(
        "v_max_i16", (I16 a, I16 b) { return std::max(a, b); }),
    LANES(
        "v_min3_i16", (I16 a, I16 b, I16 c) { return std::min({a, b, c}); }),
    LANES(
        "v_max3_i16", (I16 a, I16 b, I16 c) { return std::max({a, b, c}); }),
    LANES(
        "v_min3_u16", (U16 a, U16 b, U16 c) { return std::min({a, b, c}); }),
    LANES(
        "v_max3_u16", (U16 a, U16 b, U16 c) { return std::max({a, b, c}); }),
    LANES(
        "v_med3_i16", (I16 a, I16 b, I16 c) { return median(a, b, c); }),
    LANES(
        "v_med3_u16", (U16 a, U16 b, U16 c) { return median(a, b, c); }),
    LANES(
        "v_cvt_u32_u16", (U16 a) { return U32(a); }),
    LANES(
        "v_cvt_i32_i16", (I16 a) { return I32(a); }),
    LANES(
        "v_pack_b32_f16", (U16 a, U16 b) { return U32(a) | U32(b) << 16; }),
};

/// Results that do not fit become the nearest integer that does ("Output Modifiers", clamp).
const Row kClamped[] = {
    LANES(
        "v_add_u32:clamp v_add_nc_u32:clamp", (U32 a, U32 b) { return saturatedSum(a, b); }),
    LANES(
        "v_sub_u32:clamp v_sub_nc_u32:clamp", (U32 a, U32 b) { return saturatedDifference(a, b); }),
    LANES(
        "v_subrev_u32:clamp v_subrev_nc_u32:clamp", (U32 a, U32 b) { return saturatedDifference(b, a); }),
    LANES(
        "v_add_i32:clamp v_add_nc_i32:clamp", (I32 a, I32 b) { return saturatedSum(a, b); }),
    LANES(
        "v_sub_i32:clamp v_sub_nc_i32:clamp", (I32 a, I32 b) { return saturatedDifference(a, b); }),
    LANES(
        "v_add_u16:clamp v_add_nc_u16:clamp", (U16 a, U16 b) { return saturatedSum(a, b); }),
    LANES(
        "v_sub_u16:clamp v_sub_nc_u16:clamp", (U16 a, U16 b) { return saturatedDifference(a, b); }),
    LANES(
        "v_add_i16:clamp v_add_nc_i16:clamp", (I16 a, I16 b) { return saturatedSum(a, b); }),
    LANES(
        "v_sub_i16:clamp v_sub_nc_i16:clamp", (I16 a, I16 b) { return saturatedDifference(a, b); }),
};

} // namespace

std::span<const Row> integerTable() {
  static const std::vector<Row> all = [] {
    std::vector<Row> made(std::begin(kArithmetic), std::end(kArithmetic));
    made.insert(made.end(), std::begin(kBits), std::end(kBits));
    made.insert(made.end(), std::begin(kShort), std::end(kShort));
    made.insert(made.end(), std::begin(kClamped), std::end(kClamped));
    return made;
  }();
  return all;
}

} // namespace cilk2gpu::test::amd
