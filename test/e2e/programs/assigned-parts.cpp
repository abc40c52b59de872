// Spawns that assign parts of local variables: members and elements with constant indices, whose calls have objects as
// arguments. The function uses the variables behind the sync only by their parts.
#include <cstdio>
#include <string>

struct Lengths {
  int left = 0, right = 0;
  struct {
    short values[2] = {};
  } inside;
};

static int length(std::string text) { return int(text.size()); }

static Lengths both(std::string text, int depth) {
  Lengths found;
  int numbers[3] = {};
  short table[2][2] = {};
  if (depth == 0) {
    found.left = int(text.size());
    return found;
  }
  found.left = cilk_spawn length(text + "l");
  found.inside.values[1] = cilk_spawn length(std::string("ab") + text);
  numbers[2] = cilk_spawn length(text + text);
  table[1][0] += cilk_spawn length(text + "q");
  Lengths below = cilk_spawn both(text + "x", depth - 1);
  found.right = length(text);
  cilk_sync;
  found.right += numbers[2] + below.right + below.left + table[1][0] + below.inside.values[1];
  return found;
}

int main() {
  Lengths found = both("hello", 9), own;
  own.right = cilk_spawn length(std::string("abcd"));
  own.left = 2;
  cilk_sync;
  std::printf("%d %d %d\n", found.left, found.right, found.inside.values[1]);
  std::printf("%d %d\n", own.left, own.right);
}
