// Tests that results that C widens before it folds them are combined in their own type. Sums of bytes and shorts wrap, minima and
// maxima keep signs, bools are true or false. All results are the elision's.
// RUN: cilk2gpu -O2 -Rpass=cilk -Rpass-missed=cilk %s -o %t 2> %t.remarks && FileCheck %s < %t.remarks
// RUN: cilk2gpu -O2 -fserial-elision %s -o %t.serial && %t.serial > %t.expected
// RUN: %t > %t.actual && diff %t.expected %t.actual
// RUN: env CILK2GPU_ELIDE=never CILK2GPU_WORKERS=1 %t > %t.actual && diff %t.expected %t.actual
// RUN: env CILK2GPU_ELIDE=never CILK2GPU_WAVE=3 CILK2GPU_WIDTH=1 CILK2GPU_WORKERS=2 %t > %t.actual && diff %t.expected %t.actual
// RUN: env CILK2GPU_DEVICE=model CILK2GPU_SCHEDULE=random %t > %t.actual && diff %t.expected %t.actual
// RUN: cilk2gpu -O2 -fcilk-lanes=simd -fcilk-vector-isa=avx2 %s -o %t && env CILK2GPU_ELIDE=never %t > %t.actual && diff %t.expected %t.actual
// RUN: %if long %{ cilk2gpu -O2 -fcilk-lanes=scalar %s -o %t && env CILK2GPU_ELIDE=never CILK2GPU_WAVE=1 %t > %t.actual && diff %t.expected %t.actual %}
// RUN: %if long %{ cilk2gpu -O2 --offload-arch=gpu-host %s -o %t && env CILK2GPU_DEVICE=gpu-host %t > %t.actual && diff %t.expected %t.actual %}
#include <cilk/cilk.h>
#include <stdbool.h>
#include <stdio.h>
enum { Size = 4000 };
static short values[Size];
#define VALUE(i) values[i]
#define TREE(type, name, leaf, ...)                                                                              \
  type name(int low, int high) {                                                                                 \
    if (high - low < 2)                                                                                          \
      return leaf;                                                                                               \
    type x = cilk_spawn name(low, (low + high) / 2);                                                             \
    type y = name((low + high) / 2, high);                                                                       \
    cilk_sync;                                                                                                   \
    __VA_ARGS__                                                                                                  \
  }
#define LEAF VALUE(low)
#define TEST (VALUE(low) == want)
static int want;
// CHECK-DAG: results of 's_sum' are combined as they come, by sum
TREE(short, s_sum, LEAF, return x + y;)
// CHECK-DAG: results of 'c_sum' are combined as they come, by sum
TREE(signed char, c_sum, LEAF, return x + y + 1;)
// CHECK-DAG: results of 'uc_sum' are combined as they come, by sum
TREE(unsigned char, uc_sum, LEAF, return x + y;)
TREE(unsigned short, us_sum, LEAF, return y + x - low;)
// CHECK-DAG: results of 's_min' are combined as they come, by minimum
TREE(short, s_min, LEAF, return x < y ? x : y;)
// CHECK-DAG: results of 's_max' are combined as they come, by maximum
TREE(short, s_max, LEAF, return x < y ? y : x;)
// CHECK-DAG: results of 'uc_max' are combined as they come, by maximum
TREE(unsigned char, uc_max, LEAF, return x > y ? x : y;)
// CHECK-DAG: results of 'uc_min' are combined as they come, by minimum
TREE(unsigned char, uc_min, LEAF, if (x > y) return y; return x;)
// CHECK-DAG: results of 'c_max' are combined as they come, by maximum
TREE(signed char, c_max, LEAF, int m = x; if (y > m) m = y; return m;)
// CHECK-DAG: results of 'us_min' are combined as they come, by minimum
TREE(unsigned short, us_min, LEAF, unsigned short m = low * 77; if (y < m) m = y; if (x < m) m = x; return m;)
// CHECK-DAG: results of 's_or' are combined as they come, by bitwise or
TREE(short, s_or, LEAF, return x | y;)
// CHECK-DAG: results of 'c_and' are combined as they come, by bitwise and
TREE(char, c_and, LEAF, return x & y & ~(low & 1);)
// CHECK-DAG: results of 'uc_xor' are combined as they come, by bitwise exclusive or
TREE(unsigned char, uc_xor, LEAF, return x ^ y ^ low;)
// CHECK-DAG: results of 'b_any' are combined as they come, by bitwise or
TREE(bool, b_any, TEST, return x | y;)
// CHECK-DAG: results of 'b_any2' are combined as they come, by bitwise or
TREE(bool, b_any2, TEST, return x || y;)
// CHECK-DAG: results of 'b_any3' are combined as they come, by bitwise or
TREE(bool, b_any3, TEST, if (x) return true; return y;)
TREE(bool, b_any4, TEST, return x || y || low + high == want;)
// CHECK-DAG: results of 'b_all' are combined as they come, by bitwise and
TREE(bool, b_all, !TEST, return x & y;)
// CHECK-DAG: results of 'b_all2' are combined as they come, by bitwise and
TREE(bool, b_all2, !TEST, return x && y;)
// CHECK-DAG: results of 'b_all3' are combined as they come, by bitwise and
TREE(bool, b_all3, !TEST, if (!x) return false; return y;)
// CHECK-DAG: results of 'b_all4' are combined as they come, by bitwise and
TREE(bool, b_all4, !TEST, return low != want && x && y;)
// CHECK-DAG: results of 'b_odd' are combined as they come, by bitwise exclusive or
TREE(bool, b_odd, TEST, return x ^ y;)
TREE(bool, b_odd2, TEST, return x != y;)
TREE(bool, b_sum, TEST, return x + y;)
// CHECK-DAG: results of 'b_mixed' are combined as they come, by bitwise or
TREE(_Bool, b_mixed, TEST, bool r = x; r |= y; r |= low == want; return r;)
// CHECK-DAG: results of 's_mul' are not combined
TREE(short, s_mul, LEAF, return 3 * x + y;)
// CHECK-DAG: results of 'i_mixed' are combined as they come, by sum
TREE(long, w_cmp, LEAF, unsigned short z = y; return (signed char)x < z ? (signed char)x : z;)
TREE(int, i_mixed, LEAF, return (int)((long)x + y);)
TREE(unsigned, u_mixed, LEAF, return (unsigned)((unsigned long)x + y - 5);)
// CHECK-DAG: results of 's_wide' are not combined
TREE(short, s_wide, LEAF, int m = x * 2 + y; if (m > 100) return 7; return m;)
// CHECK-DAG: results of 'c_cmp' are combined as they come, by minimum
TREE(char, c_cmp, LEAF, return (unsigned char)x < (unsigned char)y ? x : y;)
// CHECK-DAG: results of 's_cmp' are combined as they come, by minimum
TREE(short, s_cmp, LEAF, return (unsigned)x < (unsigned)y ? x : y;)
// CHECK-DAG: results of 'uc_signed' are combined as they come, by minimum
TREE(unsigned char, uc_signed, LEAF, return (signed char)x < (signed char)y ? x : y;)
#define LOOP(type, name, init, leaf, step, end)                                                                  \
  type name(int low, int high) {                                                                                 \
    if (high - low < 4)                                                                                          \
      return leaf;                                                                                               \
    type r[4];                                                                                                   \
    int part = (high - low) / 4;                                                                                 \
    for (int i = 0; i < 4; ++i)                                                                                  \
      r[i] = cilk_spawn name(low + i * part, low + i * part + part);                                              \
    cilk_sync;                                                                                                   \
    init;                                                                                                        \
    for (int i = 0; i < 4; ++i)                                                                                  \
      step;                                                                                                      \
    end;                                                                                                         \
  }
// CHECK-DAG: results of 'l_sum' are combined as they come, by sum
LOOP(unsigned char, l_sum, int s = 0, LEAF, s += r[i], return s)
// CHECK-DAG: results of 'l_sum2' are combined as they come, by sum
LOOP(short, l_sum2, short s = 0, LEAF, s += r[i], return s)
// CHECK-DAG: results of 'l_max' are combined as they come, by maximum
LOOP(short, l_max, int s = -32768, LEAF, if (r[i] > s) s = r[i], return s)
// CHECK-DAG: results of 'l_max2' are combined as they come, by maximum
LOOP(short, l_max2, short s = -32768, LEAF, s = r[i] > s ? r[i] : s, return s)
// CHECK-DAG: results of 'l_min' are combined as they come, by minimum
LOOP(unsigned char, l_min, int s = 255, LEAF, if (r[i] < s) s = r[i], return s)
// CHECK-DAG: results of 'l_any' are combined as they come, by bitwise or
LOOP(bool, l_any, int s = 0, TEST, s |= r[i], return s)
LOOP(bool, l_any2, bool s = false, TEST, s = s || r[i], return s)
// CHECK-DAG: results of 'l_any3' are combined as they come, by bitwise or
LOOP(bool, l_any3, bool s = false, TEST, s = r[i] || s, return s)
// CHECK-DAG: results of 'l_any4' are combined as they come, by bitwise or
LOOP(bool, l_any4, bool s = false, TEST, if (r[i]) s = true, return s)
// CHECK-DAG: results of 'l_all' are combined as they come, by bitwise and
LOOP(bool, l_all, bool s = true, !TEST, s &= r[i], return s)
LOOP(bool, l_all2, bool s = true, !TEST, s = s && r[i], return s)
// CHECK-DAG: results of 'l_odd' are combined as they come, by bitwise exclusive or
LOOP(bool, l_odd, bool s = false, TEST, s ^= r[i], return s)
// CHECK-DAG: results of 'l_xor' are combined as they come, by bitwise exclusive or
LOOP(unsigned short, l_xor, unsigned s = 0, LEAF, s ^= r[i], return s)
LOOP(long, l_wide, long s = 0, LEAF, s += r[i], return s)

// Uses of functions that fold: into a variable, an array element, nowhere, through an ordinary function.
static bool use(int low, int high) {
  bool mine;
  mine = cilk_spawn b_all2(low, high);
  short sum = cilk_spawn s_sum(low, high);
  unsigned char other = uc_max(low, high);
  cilk_sync;
  return mine ^ (sum & 1) ^ (other == 77);
}
#define SHOW(name) printf(#name " %ld\n", (long)name(0, n));
int main(void) {
  unsigned seed = 3;
  for (int round = 0; round < 6; ++round) {
    for (int i = 0; i < Size; ++i) {
      seed = seed * 1103515245u + 12345u;
      values[i] = round == 5 ? 5 : (short)(seed >> 13);
    }
    int n = round == 0 ? 1 : round == 1 ? 7 : round * 700;
    want = round == 3 ? values[n / 3] : round == 4 ? 1 << 20 : 5;
    SHOW(s_sum) SHOW(c_sum) SHOW(uc_sum) SHOW(us_sum) SHOW(s_min) SHOW(s_max) SHOW(uc_max) SHOW(uc_min) SHOW(c_max)
    SHOW(us_min) SHOW(s_or) SHOW(c_and) SHOW(uc_xor) SHOW(b_any) SHOW(b_any2) SHOW(b_any3) SHOW(b_any4) SHOW(b_all)
    SHOW(b_all2) SHOW(b_all3) SHOW(b_all4) SHOW(b_odd) SHOW(b_odd2) SHOW(b_sum) SHOW(b_mixed) SHOW(s_mul) SHOW(w_cmp) SHOW(i_mixed)
    SHOW(u_mixed) SHOW(s_wide) SHOW(c_cmp) SHOW(s_cmp) SHOW(uc_signed)
    SHOW(l_sum) SHOW(l_sum2) SHOW(l_max) SHOW(l_max2) SHOW(l_min) SHOW(l_any) SHOW(l_any2) SHOW(l_any3) SHOW(l_any4)
    SHOW(l_all) SHOW(l_all2) SHOW(l_odd) SHOW(l_xor) SHOW(l_wide) SHOW(use)
  }
}
