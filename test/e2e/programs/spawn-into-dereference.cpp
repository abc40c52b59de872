// Results of spawns go to `*&variable`, although the call has arguments with constructors and destructors.
#include <cilk/cilk.h>
#include <cstdio>

struct Text {
  long words[3];
  explicit Text(long first) : words{first, first + 1, first + 2} {}
  Text(const Text &other) : words{other.words[0], other.words[1], other.words[2]} {}
  ~Text() { words[0] = -1; }
};

struct Pair {
  long left, right;
};

static long count(long n, Text text) {
  if (n < 2)
    return text.words[n & 1];
  long x = 1;
  Pair pair{0, 0};
  *&x = cilk_spawn count(n - 1, text);
  (*(&pair)).left = cilk_spawn count(n - 2, Text(n));
  *(&(pair.right)) = cilk_spawn count(n - 2, text);
  cilk_sync;
  return x + 3 * pair.left + 5 * pair.right;
}

int main() { std::printf("%ld\n", count(9, Text(2))); }
