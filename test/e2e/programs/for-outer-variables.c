// Loops whose variable is declared in front of them and has its serial value behind them, and loops that declare other variables
// beside their own.
#include "checksum.h"
#include <cilk/cilk.h>
#include <limits.h>

enum { Count = 512 };
static int seen[Count];
static void see(long i) { __atomic_fetch_add(&seen[i & (Count - 1)], (int)(i % 97) + 1, __ATOMIC_RELAXED); }

static Checksum leaves(int a, int b, int s, Checksum sum) {
  int k;
  unsigned char c;
  long l;
  unsigned u;
  cilk_for (k = a; k < b; k++)
    see(k);
  sum = fold(sum, k);
  cilk_for (k = a; k <= b; k += s)
    see(k);
  sum = fold(sum, k);
  cilk_for (k = b; k > a; k -= s)
    see(k);
  sum = fold(sum, k);
  cilk_for (k = b; a <= k; --k)
    see(k);
  sum = fold(sum, k);
  cilk_for (k = a; k != a + 5 * s; k = s + k)
    see(k);
  sum = fold(sum, k);
  cilk_for (c = 3; c < 200 + a % 7; c += 9)
    see(c);
  sum = fold(sum, c);
  cilk_for (l = (long)a << 33; l < (long)b << 33; l += (long)s << 31)
    see(l >> 31);
  sum = fold(sum, l);
  cilk_for (u = b < 0 ? 0 : b; u > 7u; u -= 3 + s)
    see(u);
  sum = fold(sum, u);
  cilk_for (k = a; k < (unsigned)b; k += s) // compares as unsigned
    see(k);
  return fold(sum, k);
}

static long pointers(int *table, int n) {
  int *p, *end = table + n;
  cilk_for (p = table; p < end; p += 3)
    *p += 5;
  long sum = p - table;
  cilk_for (p = end - 1; p >= table; p--)
    *p += (int)(p - table);
  sum = sum * 100 + (p - table);
  cilk_for (p = table; p != end; ++p)
    *p ^= n;
  return sum * 100 + (p - table);
}

// The body's own uses: addresses, sizes, inner loops and spawns.
static void bump(int *counter, int by) { __atomic_fetch_add(counter, by, __ATOMIC_RELAXED); }
static int bodies(int n) {
  int total = 0, i;
  cilk_for (i = 1; i <= n; i++) {
    int row[i];
    char(*same)[i] = (char(*)[i])row;
    cilk_spawn bump(&total, i);
    for (int m = 0; m < i; m++)
      row[m] = m * i;
    bump(&total, row[i - 1] + (int)sizeof *same);
    const int *address = &i;
    see(*address);
  }
  return total * 7 + i;
}

static int parameter(int n, int last) {
  cilk_for (n = n * 2; n < last; n += 3)
    see(n);
  return n;
}

static unsigned several(int *table, int n) {
  cilk_for (int i = 0, last = n - 1; i < last; i++)
    table[i] += last - i;
  cilk_for (int *last = table + n, *p = table; p != last; p++)
    *p += (int)(last - p);
  unsigned sum = 0;
  for (int i = 0; i < n; ++i)
    sum = sum * 3 + table[i];
  return sum;
}

int main(void) {
  Checksum sum = 0;
  static const int bounds[][3] = {{0, 10, 1}, {0, 10, 3}, {5, 5, 2}, {-7, 30, 4}, {9, 2, 5}, {0, 1, 100}};
  int table[40] = {0}, k;
  for (int i = 0; i < 6; ++i) {
    sum = leaves(bounds[i][0], bounds[i][1], bounds[i][2], sum);
    sum = fold(sum, pointers(table, i * 7));
    sum = fold(sum, bodies(i * 4));
    sum = fold(sum, parameter(i, 40));
    sum = fold(sum, several(table, 3 + i * 6));
  }
  cilk_for (k = INT_MAX - 5; k < INT_MAX; k++)
    see(k);
  sum = fold(sum, k);
  for (int i = 0; i < Count; ++i)
    sum = fold(sum, seen[i]);
  report("outer", sum);
}
