// Tests tasks that fold their children's results into a variable by `x += cilk_spawn f()`, alone and together with
// values of their own. Some of them can be combined, and some cannot, because a result is lost, or taken twice.
#include <stdio.h>

static long own(long n) { return n * 37 ^ n >> 1; }

// The plain form, with a first value that is no zero.
static long first(long n) {
  if (n < 2)
    return n;
  long sum = own(n);
  sum += cilk_spawn first(n - 1);
  sum += cilk_spawn first(n - 2);
  cilk_sync;
  return sum;
}

// Own values before the spawns, between them in another variable, and behind the sync.
static unsigned around(unsigned n) {
  if (n < 2)
    return n + 3;
  unsigned sum = 0, aside = 5;
  if (n % 3 == 0)
    sum += n;
  sum += cilk_spawn around(n - 1);
  aside += n;
  if (n % 2)
    sum += cilk_spawn around(n - 2);
  cilk_sync;
  sum += aside;
  return n % 5 ? sum : sum + 1;
}

// A child in each iteration, and two rounds.
static int rounds(int n) {
  int count = n;
  for (int i = 1; i < n; i += 2)
    count += cilk_spawn rounds(n - i - 1);
  cilk_sync;
  for (int i = 2; i < n; i += 3)
    count += cilk_spawn rounds(n - i - 1);
  cilk_sync;
  return count;
}

// The sum starts anew in each iteration, and a total takes it.
static long anew(long n) {
  long total = 1;
  for (long i = 1; i <= 2 && i < n; i++) {
    long sum = i;
    sum += cilk_spawn anew(n - i);
    if (i + 3 < n)
      sum += cilk_spawn anew(n - i - 3);
    cilk_sync;
    total += sum;
  }
  return total;
}

// The second round forgets the first.
static long forgets(long n) {
  if (n < 2)
    return n;
  long sum = 7;
  sum += cilk_spawn forgets(n - 1);
  cilk_sync;
  if (n % 2)
    sum = n;
  sum += cilk_spawn forgets(n - 2);
  cilk_sync;
  return sum;
}

// The result is taken twice.
static long twice(long n) {
  if (n < 2)
    return n;
  long sum = 0;
  sum += cilk_spawn twice(n - 1);
  sum += cilk_spawn twice(n - 2);
  cilk_sync;
  return sum + sum;
}

// What the first round has summed up decides on the second.
static long decides(long n) {
  if (n < 2)
    return n;
  long sum = 0;
  sum += cilk_spawn decides(n - 1);
  cilk_sync;
  if (sum % 3)
    sum += cilk_spawn decides(n - 2);
  cilk_sync;
  return sum;
}

// A result is assigned first, and others are added to it. In the second form, the sum is counted and kept.
static long assigned(long n) {
  if (n < 2)
    return n;
  long sum = cilk_spawn assigned(n - 1);
  cilk_sync;
  sum += cilk_spawn assigned(n - 2);
  if (n > 6)
    sum += cilk_spawn assigned(n - 3);
  cilk_sync;
  return sum;
}

static long kept(long n) {
  if (n < 2)
    return n;
  long sum = cilk_spawn kept(n - 1);
  cilk_sync;
  long before = sum;
  sum += cilk_spawn kept(n - 2);
  cilk_sync;
  return sum + (before & 1);
}

// A variable that a child's result reaches only in some cases.
static long perhaps(long n) {
  long left = own(n), right = 1;
  if (n > 3)
    left = cilk_spawn perhaps(n - 2);
  if (n > 4 && n % 3)
    right = cilk_spawn perhaps(n - 3);
  cilk_sync;
  return left + right;
}

// Differences are no folds, and the operations below are.
static long minus(long n) {
  if (n < 2)
    return n;
  long sum = 0;
  sum -= cilk_spawn minus(n - 1);
  sum += cilk_spawn minus(n - 2);
  cilk_sync;
  return sum;
}

static unsigned short mixed(unsigned short n) {
  if (n < 3)
    return n * 113;
  unsigned short bits = n;
  bits ^= cilk_spawn mixed(n - 1);
  bits ^= cilk_spawn mixed(n - 3);
  cilk_sync;
  return bits;
}

static int all(int n) {
  if (n < 2)
    return ~(n << 4);
  int bits = -1;
  bits &= cilk_spawn all(n - 1);
  bits &= cilk_spawn all(n - 2);
  cilk_sync;
  return bits & ~(1 << (n & 15));
}

// The sum is wider than the results.
static int narrow(int n) {
  if (n < 2)
    return n;
  long sum = 0;
  sum += cilk_spawn narrow(n - 1);
  sum += cilk_spawn narrow(n - 2);
  cilk_sync;
  return (int)sum;
}

// Sums in an array, in a struct, and through a pointer.
struct pair {
  long left, right;
};

static long parts(long n) {
  if (n < 2)
    return n;
  long sums[2] = {1, 2};
  struct pair pair = {3, 4};
  sums[n & 1] += cilk_spawn parts(n - 1);
  pair.left += cilk_spawn parts(n - 2);
  pair.right += cilk_spawn parts(n - 2);
  cilk_sync;
  return sums[0] + sums[1] + pair.left + pair.right;
}

static long through(long n, long *to) {
  if (n < 2)
    return n;
  long sum = 0;
  *to += cilk_spawn through(n - 1, &sum);
  cilk_sync;
  sum += cilk_spawn through(n - 2, to);
  cilk_sync;
  return sum + 1;
}

// The counts of a tree's nodes: the own node is added behind the sync.
static long nodes(long depth, long seed) {
  long count = 0;
  for (long i = 0; depth && i < 1 + seed % 4; i++)
    count += cilk_spawn nodes(depth - 1, seed * 5 + i + 1);
  cilk_sync;
  return 1 + count;
}

int main() {
  long to = 0, sums[2] = {5, 6};
  for (int n = 0; n < 14; n++)
    printf("%ld %u %d %ld %ld %ld %ld %ld %ld %ld %ld %u %d %d %ld %ld %ld\n", first(n), around(n), rounds(n), anew(n),
           forgets(n), twice(n), decides(n), assigned(n), kept(n), perhaps(n), minus(n), mixed(n), all(n), narrow(n),
           parts(n), through(n, &to), nodes(n / 2, n));
  for (int i = 0; i < 6; i++)
    sums[i & 1] += cilk_spawn first(i);
  cilk_sync;
  printf("%ld %ld %ld\n", to, sums[0], sums[1]);
  return 0;
}
