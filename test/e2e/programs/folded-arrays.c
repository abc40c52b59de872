// Tests tasks that fold their children's results from local arrays, in many spellings. Some can be combined, and some
// cannot, because an element is left out, folded twice, or overwritten.
#include <stdio.h>
#include <string.h>

enum { most = 8 };

static long own(long n) { return n * 29 ^ n >> 1; }

// Pointers that walk through the array.
static long walk(long n) {
  long r[most], *end = r;
  for (long i = 1; i <= n && i < most; i += 2)
    *end++ = cilk_spawn walk(n - i - 1);
  cilk_sync;
  long sum = n;
  for (long *at = r; at != end; at++)
    sum += *at;
  return sum;
}

static long walk_back(long n) {
  long r[most], *end = &r[0];
  for (long i = 1; i <= n && i < most; i += 3) {
    *end = cilk_spawn walk_back(n - i - 1);
    end += 1;
  }
  cilk_sync;
  long sum = 1;
  while (end > r)
    sum += *--end;
  return sum;
}

static long walk_by_two(long n) { // each second element, and all of them are folded
  long r[2 * most], *end = r;
  memset(r, 0, sizeof r);
  for (long i = 1; i <= n && i < most; i += 2, end += 2)
    *end = cilk_spawn walk_by_two(n - i - 1);
  cilk_sync;
  long sum = n;
  for (int i = 0; i < 2 * most; i++)
    sum += r[i];
  return sum;
}

// Loops that run backwards.
static int down(int n) {
  int r[most], count = 0;
  for (int i = 1; i <= n && i < most; i += 2)
    r[count++] = cilk_spawn down(n - i - 1);
  cilk_sync;
  int sum = 1;
  while (count > 0)
    sum += r[--count];
  return sum;
}

static int down_after(int n) {
  int r[most], count = 0;
  for (int i = 1; i <= n && i < most; i += 2)
    r[count++] = cilk_spawn down_after(n - i - 1);
  cilk_sync;
  int sum = 1;
  while (count--)
    sum += r[count];
  return sum;
}

static int down_from_last(int n) {
  int r[most], count = 0;
  for (int i = 1; i <= n && i < most; i += 2)
    r[count++] = cilk_spawn down_from_last(n - i - 1);
  cilk_sync;
  int sum = 1;
  for (int i = count - 1; i >= 0; i--)
    sum += r[i];
  return sum;
}

static int down_to_one(int n) {
  int r[most], count = 0;
  for (int i = 1; i <= n && i < most; i += 2)
    r[count++] = cilk_spawn down_to_one(n - i - 1);
  cilk_sync;
  int sum = 1;
  for (int i = count; i >= 1; --i)
    sum += r[i - 1];
  return sum;
}

// The first or the last element is left out.
static int without_first(int n) {
  int r[most], count = 0;
  for (int i = 1; i <= n && i < most; i += 2)
    r[count++] = cilk_spawn without_first(n - i - 1);
  cilk_sync;
  int sum = 1;
  for (int i = 1; i < count; i++)
    sum += r[i];
  return sum;
}

static int without_last(int n) {
  int r[most], count = 0;
  for (int i = 1; i <= n && i < most; i += 2)
    r[count++] = cilk_spawn without_last(n - i - 1);
  cilk_sync;
  int sum = 1;
  for (int i = count - 1; i > 0; i--)
    sum += r[i - 1];
  return sum;
}

static int half(int n) {
  int r[most], count = 0;
  for (int i = 1; i <= n && i < most; i += 2)
    r[count++] = cilk_spawn half(n - i - 1);
  cilk_sync;
  int sum = 1;
  for (int i = 0; i < count / 2; i++)
    sum += r[i];
  return sum;
}

static int same(int n) { // one element as often as there are elements
  int r[most], count = 0;
  for (int i = 1; i <= n && i < most; i += 2)
    r[count++] = cilk_spawn same(n - i - 1);
  cilk_sync;
  unsigned sum = 1;
  for (int i = 0; i < count; i++)
    sum += r[0];
  return sum;
}

// Several spawns for an iteration, and values of the task's own between the results.
static long pairs(long n) {
  long r[2 * most];
  int count = 0;
  for (long i = 1; i <= n && i < most; i += 3) {
    r[count++] = cilk_spawn pairs(n - i - 1);
    r[count++] = cilk_spawn pairs(n - i - 2);
  }
  cilk_sync;
  long sum = n & 3;
  for (int i = 0; i < count; i++)
    sum += r[i];
  return sum;
}

static long among(long n) {
  long r[most];
  int count = 0;
  for (long i = 1; i <= n && i < most; i++) {
    if (i % 3 == 0)
      r[count++] = own(n + i);
    else
      r[count++] = cilk_spawn among(n - i - 1);
  }
  cilk_sync;
  long sum = 0;
  for (int i = 0; i < count; i++)
    sum += r[i];
  return sum;
}

static long again(long n) { // the second half of each iteration writes over the first
  long r[most];
  int count = 0;
  for (long i = 1; i <= n && i < most; i += 2) {
    r[count] = own(n + i);
    r[count++] = cilk_spawn again(n - i - 1);
  }
  cilk_sync;
  long sum = 1;
  for (int i = 0; i < count; i++)
    sum += r[i];
  return sum;
}

static long once_more(long n) { // the second round writes over the first
  long r[most];
  int count = 0;
  for (long i = 1; i <= n && i < most; i += 2)
    r[count++] = cilk_spawn once_more(n - i - 1);
  cilk_sync;
  count = 0;
  for (long i = 2; i <= n && i < most; i += 2)
    r[count++] = cilk_spawn once_more(n - i - 1);
  cilk_sync;
  long sum = 1;
  for (int i = 0; i < count; i++)
    sum += r[i];
  return sum;
}

static long two_rounds(long n) { // the second round goes on behind the first
  long r[2 * most];
  int count = 0;
  for (long i = 1; i <= n && i < most; i += 3)
    r[count++] = cilk_spawn two_rounds(n - i - 1);
  cilk_sync;
  for (long i = 2; i <= n && i < most; i += 3)
    r[count++] = cilk_spawn two_rounds(n - i - 1);
  cilk_sync;
  long sum = 1;
  for (int i = 0; i < count; i++)
    sum += r[i];
  return sum;
}

// Arrays that are cleared, of which the children take any elements.
static unsigned anywhere(unsigned n) {
  unsigned r[32] = {0};
  for (unsigned open = n * 5 & 0x7f; open && n; open &= open - 1)
    r[__builtin_ctz(open)] = cilk_spawn anywhere(n / 2 - (n > 1));
  cilk_sync;
  unsigned sum = n + 1;
  for (int i = 0; i < 32; i++)
    sum += r[i];
  return sum;
}

static unsigned over(unsigned n) { // a second round may take elements again
  unsigned r[16] = {0};
  for (unsigned i = 0; i < n % 5; i++)
    r[i * 3] = cilk_spawn over(n / 2);
  cilk_sync;
  for (unsigned i = 0; i < n % 3; i++)
    r[i * 6] = cilk_spawn over(n / 3);
  cilk_sync;
  unsigned sum = n + 1;
  for (int i = 0; i < 16; i++)
    sum += r[i];
  return sum;
}

static unsigned part(unsigned n) { // half of the array is folded
  unsigned r[16] = {0};
  for (unsigned i = 0; i < n % 5; i++)
    r[i * 3] = cilk_spawn part(n / 2);
  cilk_sync;
  unsigned sum = n + 1;
  for (int i = 0; i < 8; i++)
    sum += r[i];
  return sum;
}

static unsigned bits(unsigned n) { // 0 is not the identity
  unsigned r[16] = {0};
  for (unsigned i = 0; i < n % 5; i++)
    r[i * 3] = cilk_spawn bits(n / 2);
  cilk_sync;
  unsigned all = ~n;
  for (int i = 0; i < 16; i++)
    all &= ~r[i];
  for (int i = 0; i < 16; i++)
    all ^= r[i];
  return all;
}

// Arrays in structs.
struct results {
  int count;
  long found[most];
  short last;
};

static long wrapped(long n) {
  struct results r;
  r.count = 0;
  r.last = n;
  for (long i = 1; i <= n && i < most; i += 2) {
    r.found[r.count] = cilk_spawn wrapped(n - i - 1);
    ++r.count;
    r.last = i;
  }
  cilk_sync;
  long sum = r.last;
  for (int i = 0; i < r.count; i++)
    sum += r.found[i];
  return sum;
}

static long cleared(long n) {
  struct results r = {0};
  for (long i = 1; i <= n && i < most; i += 2)
    r.found[r.count++] = cilk_spawn cleared(n - i - 1);
  cilk_sync;
  long sum = r.last + n;
  for (int i = 0; i < r.count; i++)
    sum += r.found[i];
  return sum;
}

// A few iterations, and elements in an expression.
static long four(long n) {
  if (n < 4)
    return n;
  long r[4];
  for (int i = 0; i < 4; i++)
    r[i] = cilk_spawn four(n - i - 2);
  cilk_sync;
  return r[0] + r[1] + r[2] + r[3];
}

static long unequal(long n) { // one element counts twice
  if (n < 4)
    return n;
  long r[3];
  for (int i = 0; i < 3; i++)
    r[i] = cilk_spawn unequal(n - i - 2);
  cilk_sync;
  return r[0] + 2 * r[1] + r[2];
}

static long matrix(long n) {
  if (n < 4)
    return n;
  long r[2][2];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      r[i][j] = cilk_spawn matrix(n - 2 * i - j - 1);
  cilk_sync;
  return r[0][0] + r[0][1] + r[1][0] + r[1][1];
}

// Results through pointers.
static void into(long n, long *result) {
  if (n < 2) {
    *result = own(n);
    return;
  }
  long x, y;
  cilk_spawn into(n - 1, &x);
  cilk_spawn into(n - 2, &y);
  cilk_sync;
  *result = x + y;
}

static void into_early(long n, long *result) { // the result is known before the children run
  *result = n;
  if (n < 2)
    return;
  long x, y;
  cilk_spawn into_early(n - 1, &x);
  cilk_spawn into_early(n - 2, &y);
  cilk_sync;
  *result = x + y;
}

static void into_sometimes(long n, long *result) {
  if (n < 2)
    return;
  long x = 3, y = 5;
  cilk_spawn into_sometimes(n - 1, &x);
  cilk_spawn into_sometimes(n - 2, &y);
  cilk_sync;
  *result = x + y;
}

static void into_both(long n, int *sum, long *xors) {
  if (n < 2) {
    *sum = n;
    *xors = own(n);
    return;
  }
  int a, b;
  long x, y;
  cilk_spawn into_both(n - 1, &a, &x);
  cilk_spawn into_both(n - 2, &b, &y);
  cilk_sync;
  *sum = a + b;
  *xors = x ^ y;
}

static void into_elements(int n, int *result) {
  int r[most], count = 0;
  for (int i = 1; i <= n && i < most; i += 2)
    cilk_spawn into_elements(n - i - 1, &r[count++]);
  cilk_sync;
  int sum = 1;
  for (int i = 0; i < count; i++)
    sum += r[i];
  *result = sum;
}

// Functions that only pass results on.
static long children(long n);
static long passes(long n) { return n < 2 ? own(n) : children(n); }
static long children(long n) {
  long x = cilk_spawn passes(n - 1);
  long y = cilk_spawn passes(n - 2);
  cilk_sync;
  return x + y;
}

int main() {
  for (int n = 0; n < 12; n++) {
    printf("%d: %ld %ld %ld %d %d %d %d\n", n, walk(n), walk_back(n), walk_by_two(n), down(n), down_after(n),
           down_from_last(n), down_to_one(n));
    printf("  %d %d %d %d %ld %ld %ld %ld %ld\n", without_first(n), without_last(n), half(n), same(n), pairs(n), among(n),
           again(n), once_more(n), two_rounds(n));
    printf("  %u %u %u %u %ld %ld %ld %ld %ld %ld\n", anywhere(n), over(n), part(n), bits(n), wrapped(n), cleared(n),
           four(n), unequal(n), matrix(n), passes(n));
    long x, early, sometimes = 7, xors;
    int sum, elements;
    into(n, &x);
    into_early(n, &early);
    into_sometimes(n, &sometimes);
    into_both(n, &sum, &xors);
    into_elements(n, &elements);
    printf("  %ld %ld %ld %d %ld %d\n", x, early, sometimes, sum, xors, elements);
  }
  return 0;
}
