// Tests the forms of reducers in C: globals, locals, members, elements, pointers to reducers, and Cilk Plus's macros.
#include <cilk/cilk.h>
#include <cilk/reducer_min_max.h>
#include <cilk/reducer_opadd.h>
#include <cilk/reducer_opxor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void zero(void *view) { *(long *)view = 0; }
static void add(void *left, void *right) { *(long *)left += *(long *)right; }
typedef long cilk_reducer(zero, add) sum;

typedef struct {
  char *text;
  size_t length;
} string;
static void empty(void *view) { memset(view, 0, sizeof(string)); }
static void append(string *to, const char *text, size_t length) {
  to->text = (char *)realloc(to->text, to->length + length + 1);
  memcpy(to->text + to->length, text, length);
  to->length += length;
  to->text[to->length] = 0;
}
static void concatenate(void *left, void *right) {
  string *added = (string *)right;
  if (added->length)
    append((string *)left, added->text, added->length);
  free(added->text);
}
typedef string _Hyperobject(empty, concatenate) string_reducer;

sum total = 3;
static string_reducer trace;
static sum buckets[8];
struct stats {
  int factor;
  sum weight;
  sum parts[3];
};

static void note(char kind, int n) {
  char text[32];
  append(&trace, text, (size_t)sprintf(text, "%c%d ", kind, n));
}

static void count(sum *to, int n) { *to += n; }

// Noting the order, from all strands of a recursion.
static void walk(struct stats *stats, int low, int high) {
  note('<', low);
  total += 1;
  if (high - low == 1) {
    stats->weight += low * stats->factor;
    stats->parts[low % 3] += low;
    buckets[low & 7]++;
  } else {
    int middle = low + (high - low + 1) / 2;
    cilk_spawn walk(stats, low, middle);
    note('|', middle);
    cilk_spawn walk(stats, middle, high);
    count(__builtin_addressof(total), 10);
    note('+', high);
    cilk_sync;
  }
  note('>', high);
}

// A reducer that a strand makes while a child of the same function runs.
static long later(int n) {
  cilk_spawn note('a', n);
  sum mine = 5;
  struct stats stats = {2, 1, {1, 2, 3}};
  mine += n;
  cilk_for(int i = 0; i < n; ++i) {
    mine += i;
    stats.weight += 1;
    stats.parts[i % 3] += i;
  }
  long result = mine + 1000 * stats.weight + 1000000 * stats.parts[2];
  cilk_sync;
  return result;
}

typedef struct {
  int first, last;
} range;
static void no_range(void *reducer, void *view) {
  (void)reducer;
  ((range *)view)->first = ((range *)view)->last = -1;
}
static void join(void *reducer, void *left, void *right) {
  range *a = (range *)left, *b = (range *)right;
  (void)reducer;
  if (a->first < 0)
    *a = *b;
  else if (b->first >= 0)
    a->last = b->last;
}
CILK_C_DECLARE_REDUCER(range)
seen = CILK_C_INIT_REDUCER(range, join, no_range, __cilkrts_hyperobject_noop_destroy, {-1, -1});

static void macros(int n) {
  CILK_C_REDUCER_OPADD(plus, int, 3);
  CILK_C_REDUCER_OPXOR(parity, ulong, 0);
  CILK_C_REDUCER_MAX(most, long, LONG_MIN);
  CILK_C_REGISTER_REDUCER(plus);
  CILK_C_REGISTER_REDUCER(seen);
  cilk_for(int i = 0; i < n; ++i) {
    REDUCER_VIEW(plus) += i;
    REDUCER_VIEW(parity) ^= (unsigned long)i * 7;
    CILK_C_REDUCER_MAX_CALC(most, (i * 37) % n);
    if (REDUCER_VIEW(seen).first < 0)
      REDUCER_VIEW(seen).first = i;
    REDUCER_VIEW(seen).last = i;
  }
  CILK_C_UNREGISTER_REDUCER(seen);
  CILK_C_UNREGISTER_REDUCER(plus);
  printf("%d %lu %ld %d %d\n", plus.value, parity.value, most.value, seen.value.first, seen.value.last);
}

static CILK_C_REDUCER_MIN_INDEX(soonest, wchar_t, 5000);

// The first of several greatest or least values counts.
static void extremes(int n) {
  CILK_C_REDUCER_MAX_INDEX(best, double, -1);
  CILK_C_REGISTER_REDUCER(best);
  cilk_for(int i = 0; i < n; ++i) {
    CILK_C_REDUCER_MAX_INDEX_CALC(best, i, (i * 37) % 11 * 0.5);
    CILK_C_REDUCER_MIN_INDEX_CALC(soonest, i, 7 + (i * 5) % 13);
  }
  CILK_C_UNREGISTER_REDUCER(best);
  printf("%d %.1f %d %d\n", (int)REDUCER_VIEW(best).index, REDUCER_VIEW(best).value, (int)REDUCER_VIEW(soonest).index,
         (int)REDUCER_VIEW(soonest).value);
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 40;
  struct stats stats = {3, 0, {0}};
  walk(&stats, 0, n);
  long x = cilk_spawn later(n);
  long y = later(n / 2);
  cilk_sync;
  macros(n);
  printf("%ld %ld %ld %ld %ld %ld\n", total, stats.weight, stats.parts[0], stats.parts[1], stats.parts[2], buckets[3]);
  printf("%ld %ld\n%s\n", x, y, trace.text);
  return 0;
}
