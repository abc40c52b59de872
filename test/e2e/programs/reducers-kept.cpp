// Tests views that elisions keep: many reducers at a time, reducers of one address after another, reducers that are
// parameters, members and elements, and strands that change while ordinary code of a task runs.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>

extern "C" {
void *__hyper_lookup(void *key, size_t size, void (*identity)(void *), void (*reduce)(void *, void *)) noexcept;
void __cilkrts_reducer_register(void *key, size_t size, void (*identity)(void *), void (*reduce)(void *, void *));
void __cilkrts_reducer_unregister(void *key);
}

/// A word: x -> a x + b. The order of words matters.
struct Word {
  unsigned a = 1, b = 0;
  static void identity(void *view) { new (view) Word; }
  static void reduce(void *left, void *right) { static_cast<Word *>(left)->append(*static_cast<Word *>(right)); }
  void append(const Word &next) {
    b = next.a * b + next.b;
    a *= next.a;
  }
  void add(unsigned n) { append({2 * n + 3, n + 1}); }
  Word &view() { return *static_cast<Word *>(__hyper_lookup(this, sizeof *this, identity, reduce)); }
};

struct LocalWord : Word {
  LocalWord() { __cilkrts_reducer_register(this, sizeof(Word), identity, reduce); }
  ~LocalWord() { __cilkrts_reducer_unregister(this); }
};

static Word first, second, third, table[24];
static Word w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w12, w13, w14, w15, w16, w17;

/// A base case with more reducers than a thread keeps.
static void addAll(unsigned n) {
  Word *words[] = {&w0.view(),  &w1.view(),  &w2.view(),  &w3.view(),  &w4.view(),  &w5.view(),
                   &w6.view(),  &w7.view(),  &w8.view(),  &w9.view(),  &w10.view(), &w11.view(),
                   &w12.view(), &w13.view(), &w14.view(), &w15.view(), &w16.view(), &w17.view()};
  for (Word *word : words)
    word->add(n++);
}

static void many(unsigned low, unsigned count) {
  if (count < 3)
    return addAll(low);
  cilk_spawn many(low, count / 2);
  table[low % 24].view().add(low);
  cilk_spawn many(low + count / 2, count - count / 2);
  cilk_sync;
}

/// The base case begins with a lookup.
static void begins(unsigned n) {
  if (n < 2) {
    first.view().add(n);
    return;
  }
  cilk_spawn begins(n - 1);
  second.view().add(n);
  begins(n - 2);
  cilk_sync;
  first.view().add(n);
}

static void given(unsigned n, Word &to) {
  if (n < 2) {
    to.view().add(n);
    return;
  }
  cilk_spawn given(n - 1, to);
  given(n - 2, to);
  cilk_sync;
}

/// Reducers of several calls have one address, one after another.
static unsigned own(unsigned n) {
  LocalWord word;
  word.view().add(n);
  if (n > 1) {
    unsigned x = cilk_spawn own(n - 1);
    given(n % 5, word);
    unsigned y = own(n - 2);
    cilk_sync;
    word.view().add(x ^ y);
  }
  given(n % 3, third);
  return word.view().b;
}

/// A reducer that is registered takes the place of a reducer that nobody registered.
__attribute__((noinline)) static unsigned replaced(unsigned n) {
  alignas(LocalWord) char place[sizeof(LocalWord)];
  Word *before = new (place) Word;
  before->view().add(n);
  LocalWord *word = new (place) LocalWord;
  word->view().add(n + 1);
  unsigned result = word->b;
  word->~LocalWord();
  return result;
}

static void replaces(unsigned n) {
  second.view().add(replaced(n));
  if (n < 2)
    return;
  cilk_spawn replaces(n - 1);
  replaces(n - 2);
  cilk_sync;
}

/// Ordinary code of a task: the comparator calls a Cilk function.
static int compare(const void *left, const void *right) {
  int a = *static_cast<const int *>(left), b = *static_cast<const int *>(right);
  third.view().add(unsigned(a));
  given(unsigned(b) % 4, third);
  second.view().add(unsigned(b));
  return a - b;
}

static void sorts(unsigned n) {
  int values[6];
  for (unsigned i = 0; i < 6; ++i)
    values[i] = int((n * 7 + i * 13) % 29);
  if (n > 0)
    cilk_spawn sorts(n - 1);
  third.view().add(n);
  qsort(values, 6, sizeof values[0], compare);
  third.view().add(unsigned(values[3]));
  if (n > 1)
    sorts(n - 2);
  cilk_sync;
}

int main() {
  many(0, 500);
  begins(14);
  cilk_spawn begins(10);
  first.view().add(5);
  cilk_spawn given(12, first);
  first.view().add(6);
  cilk_sync;
  first.view().add(7);
  replaces(12);
  unsigned sum = own(9);
  sorts(7);
  for (unsigned round = 0; round < 200; ++round) // calls that become elisions
    given(4, round % 2 ? first : second);
  cilk_for (unsigned i = 0; i < 1000; ++i) {
    table[i % 24].view().add(i);
    if (i % 3 == 0)
      given(i % 6, third);
  }
  for (Word *word : {&first, &second, &third, &w0, &w9, &w16, &w17, &table[0], &table[5], &table[23]})
    printf("%u %u\n", word->a, word->b);
  printf("%u\n", sum);
}
