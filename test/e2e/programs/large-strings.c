// A stable mergesort of strings with a merge that is split, too. The caller gives the comparator; one comparator is a Cilk
// function. Then another recursion over the sorted array counts equal strings.
//   large-strings [n]   by default 3000
#include "checksum.h"
#include <cilk/cilk.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef int Compare(const char *a, const char *b);

enum { FewStrings = 12, LongString = 64 };

static int by_bytes(const char *a, const char *b) { return strcmp(a, b); }

static int by_length(const char *a, const char *b) {
  size_t x = strlen(a), y = strlen(b);
  return (x > y) - (x < y);
}

static int by_letters(const char *a, const char *b) { // leaves out case and characters that are no letters
  for (;; ++a, ++b) {
    while (*a && !isalpha((unsigned char)*a))
      ++a;
    while (*b && !isalpha((unsigned char)*b))
      ++b;
    int x = toupper((unsigned char)*a), y = toupper((unsigned char)*b);
    if (x != y || !x)
      return x - y;
  }
}

static int from_the_end(const char *a, const char *b) {
  size_t x = strlen(a), y = strlen(b);
  while (x && y)
    if (a[--x] != b[--y])
      return (unsigned char)a[x] < (unsigned char)b[y] ? -1 : 1;
  return (x > 0) - (y > 0);
}

static int vowels(const char *text, long length) {
  if (length > 8) {
    int left, right;
    left = cilk_spawn vowels(text, length / 2);
    right = cilk_spawn vowels(text + length / 2, length - length / 2);
    cilk_sync;
    return left + right;
  }
  int found = 0;
  for (long i = 0; i < length; ++i)
    found += strchr("aeiouAEIOU", text[i]) != NULL;
  return found;
}

static int by_vowels(const char *a, const char *b) { // a Cilk function behind a function pointer
  int x, y;
  x = cilk_spawn vowels(a, (long)strlen(a));
  y = vowels(b, (long)strlen(b));
  cilk_sync;
  return (x > y) - (x < y);
}

static void insertion_sort(char **strings, long n, Compare *compare) {
  for (long i = 1; i < n; ++i) {
    char *value = strings[i];
    long j = i;
    for (; j > 0 && compare(strings[j - 1], value) > 0; --j)
      strings[j] = strings[j - 1];
    strings[j] = value;
  }
}

// Returns the number of sorted strings that go before `value`: the smaller ones and, with `equal`, the equal ones.
static long rank(char *const *strings, long n, const char *value, int equal, Compare *compare) {
  long low = 0, high = n;
  while (low < high) {
    long middle = low + (high - low) / 2;
    int order = compare(strings[middle], value);
    if (order < 0 || (order == 0 && equal))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Merges a and b into out; equal ones come from a first.
static void merge(char *const *a, long na, char *const *b, long nb, char **out, Compare *compare) {
  if (na + nb > 4 * FewStrings) {
    long i, j;
    if (na >= nb) { // a[i] goes behind equal strings of a before it, and before equal strings of b
      i = na / 2;
      j = rank(b, nb, a[i], 0, compare);
    } else {
      j = nb / 2;
      i = rank(a, na, b[j], 1, compare);
    }
    cilk_spawn merge(a, i, b, j, out, compare);
    cilk_spawn merge(a + i, na - i, b + j, nb - j, out + i + j, compare);
    cilk_sync;
    return;
  }
  while (na || nb) {
    int from_b = !na || (nb && compare(*a, *b) > 0);
    *out++ = from_b ? *b++ : *a++;
    na -= !from_b;
    nb -= from_b;
  }
}

static void sort_into(char **strings, char **other, long n, int to_other, Compare *compare);

// Sorts strings in place; `other` is scratch.
static void sort(char **strings, char **other, long n, Compare *compare) {
  cilk_spawn sort_into(strings, other, n, 0, compare);
}

static void sort_into(char **strings, char **other, long n, int to_other, Compare *compare) {
  if (n <= FewStrings) {
    insertion_sort(strings, n, compare);
    if (to_other)
      memcpy(other, strings, (size_t)n * sizeof *strings);
    return;
  }
  long half = n / 2;
  cilk_spawn sort_into(strings, other, half, !to_other, compare);
  cilk_spawn sort_into(strings + half, other + half, n - half, !to_other, compare);
  cilk_sync;
  char **from = to_other ? strings : other, **to = to_other ? other : strings;
  merge(from, half, from + half, n - half, to, compare);
}

typedef struct {
  long groups, longest; // runs of equal strings, and the size of the longest
} Groups;

// Groups whose first string is in [low, high) of the sorted array.
static Groups count_groups(char *const *strings, long n, long low, long high, Compare *compare) {
  Groups result = {0, 0}, left, right;
  if (high - low > 4 * FewStrings) {
    long middle = (low + high) / 2;
    left = cilk_spawn count_groups(strings, n, low, middle, compare);
    right = count_groups(strings, n, middle, high, compare);
    cilk_sync;
    result.groups = left.groups + right.groups;
    result.longest = left.longest > right.longest ? left.longest : right.longest;
    return result;
  }
  for (long i = low; i < high; ++i) {
    if (i > 0 && compare(strings[i - 1], strings[i]) == 0)
      continue;
    long size = rank(strings + i, n - i, strings[i], 1, compare);
    ++result.groups;
    result.longest = size > result.longest ? size : result.longest;
  }
  return result;
}

static void make_string(char *text, long number, unsigned *state) {
  static const char *const parts[] = {"ka", "Ro", "-", "si", "MU", "eta", "_x", "no"};
  text[0] = 0;
  *state = *state * 1664525u + 1013904223u;
  for (unsigned length = 1 + (*state >> 28), i = 0; i < length; ++i) {
    *state = *state * 1664525u + 1013904223u;
    strcat(text, parts[*state >> 29]);
  }
  if (number % 4 == 0)
    snprintf(text, LongString, "no%ld", number / 4 % 50);
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    Compare *compare;
  } orders[] = {{"bytes", by_bytes},
                {"length", by_length},
                {"letters", by_letters},
                {"end", from_the_end},
                {"vowels", by_vowels}};
  long n = argc > 1 ? atol(argv[1]) : 3000;
  if (n < 1)
    return 2;
  char *text = malloc((size_t)n * LongString), **strings = malloc(2 * (size_t)n * sizeof *strings);
  if (!text || !strings)
    return 2;
  unsigned state = 41;
  for (long i = 0; i < n; ++i) {
    strings[i] = text + i * LongString;
    make_string(strings[i], i, &state);
  }
  long wrong = 0;
  for (size_t o = 0; o < sizeof orders / sizeof *orders; ++o) {
    sort(strings, strings + n, n, orders[o].compare);
    Groups groups = count_groups(strings, n, 0, n, orders[o].compare);
    Checksum sum = 0;
    for (long i = 0; i < n; ++i) {
      sum = fold(sum, (unsigned long)(strings[i] - text));
      wrong += i > 0 && orders[o].compare(strings[i - 1], strings[i]) > 0;
    }
    printf("%ld groups, longest %ld, ", groups.groups, groups.longest);
    report(orders[o].name, sum);
  }
  printf("wrong: %ld\n", wrong);
  free(text);
  free(strings);
  return wrong != 0;
}
