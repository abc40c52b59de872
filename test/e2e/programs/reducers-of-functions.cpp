// Reducers in local variables: some that no other function knows after inlining, some that functions, children and
// iterations know, in structs and in handlers of exceptions.
#include "checksum.h"
#include <cilk/cilk.h>
#include <cilk/opadd_reducer.h>
#include <cilk/reducer_list.h>
#include <new>
#include <string>

namespace {

void emptyText(void *view) { new (view) std::string; }

void appendText(void *left, void *right) {
  auto *from = static_cast<std::string *>(right);
  *static_cast<std::string *>(left) += *from;
  from->~basic_string();
}

using Text = std::string cilk_reducer(emptyText, appendText);

struct Pair {
  cilk::opadd_reducer<int> sum = 0;
  Text marks;
};

cilk::opadd_reducer<long> all = 0;

void put(Text &text, int n) { text += char('a' + n % 26); }

/// Each call has reducers of its own, which it alone knows.
long alone(int n) {
  if (n < 2)
    return n;
  cilk::opadd_reducer<long> own = 0;
  long left = cilk_spawn alone(n - 1);
  own += n;
  long right = alone(n - 2);
  cilk_sync;
  own += left + right;
  return own;
}

int thrown(int n) {
  try {
    cilk::opadd_reducer<int> own = 2;
    own += n;
    if (own == 5)
      throw int(own);
  } catch (int number) {
    return number;
  }
  return 0;
}

std::string tree(int n) {
  Text own;
  Pair pair;
  cilk::reducer<cilk::op_list_append<int>> list;
  if (n < 1) {
    own += '.';
    list->push_back(n);
    put(own, n + 3);
    all += long(list.get_value().size());
    return own;
  }
  cilk_spawn {
    own += '<';
    pair.marks += 'x';
  };
  std::string left = cilk_spawn tree(n - 1);
  own += char('A' + n % 26);
  cilk_for (int i = 0; i < 3; ++i) {
    pair.sum += i;
    list->push_back(i * n);
    own += char('0' + i);
  }
  std::string right = tree(n - 2);
  cilk_sync;
  cilk::opadd_reducer<int> later = pair.sum;
  later += 5 + thrown(n);
  own += left + right + std::to_string(pair.sum) + std::string(pair.marks);
  all += later + long(list.get_value().size());
  return own;
}

} // namespace

int main() {
  std::string text = tree(8);
  Checksum sum = text.size();
  for (char letter : text)
    sum = fold(sum, letter);
  report("trees", sum);
  std::printf("%ld %ld %.60s\n", long(all), alone(20), text.c_str());
}
