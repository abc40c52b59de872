// Several spawns with objects of their own in an iteration of a cilk_for. Inlining the iteration's code marks where objects live,
// but each spawn keeps its own object.
#include "checksum.h"

namespace {

long wrong;

struct Own {
  Own() : self(this) {}
  Own(const Own &) : self(this) {}
  Own &operator=(const Own &) { return *this; }
  ~Own() {
    if (self != this)
      __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
  }
  Own *self;
};
struct Block {
  alignas(64) int values[5];
};
struct Result {
  int value;
  Own own;
};

Result tree(Block block, int n) {
  Result made;
  made.value = block.values[0] + n;
  if (n < 2)
    return made;
  int sums[4];
  cilk_for(int k = 0; k < 4; ++k) {
    Result results[2];
    for (int i = 0; i < 2; ++i)
      results[i] = cilk_spawn tree(block, n - 1 - i);
    cilk_sync;
    sums[k] = results[0].value + results[1].value;
  }
  for (int sum : sums)
    made.value += sum;
  return made;
}

int byValue(Result result, const Result &other) { return result.value * 3 + other.value; }

Result numbered(int n) { return {n, {}}; }

} // namespace

int main() {
  report("assigned", tree({{1}}, 6).value);
  Checksum sum = 0;
  int sums[20][5];
  cilk_for(int k = 0; k < 20; ++k) {
    for (int i = 0; i < 5; ++i)
      sums[k][i] = cilk_spawn byValue(numbered(k * i), numbered(k + i));
  }
  for (auto &row : sums)
    for (int each : row)
      sum = fold(sum, each);
  report("arguments", sum);
  report("wrong", wrong);
}
