// Spellings of queens with bit masks: a child for each free place of a row, whose results are added.
#include "Spelling.h"

using Bits = unsigned;
constexpr int kMost = 17;

namespace plain {
Number of(Bits all, Bits columns, Bits left, Bits right) {
  Number found[kMost];
  int children = 0;
  if (columns == all)
    return 1;
  for (Bits open = all & ~(columns | left | right); open != 0; open &= open - 1) {
    Bits place = open & (0u - open);
    found[children] = cilk_spawn of(all, columns | place, (left | place) << 1, (right | place) >> 1);
    ++children;
  }
  cilk_sync;
  Number sum = 0;
  for (int i = 0; i < children; ++i)
    sum += found[i];
  return sum;
}
} // namespace plain

namespace postfix { // found[children++]
Number of(Bits all, Bits columns, Bits left, Bits right) {
  Number found[kMost];
  int children = 0;
  if (columns == all)
    return 1;
  for (Bits open = all & ~(columns | left | right); open; open &= open - 1) {
    Bits place = open & -open;
    found[children++] = cilk_spawn of(all, columns | place, (left | place) << 1, (right | place) >> 1);
  }
  cilk_sync;
  Number sum = 0;
  for (int i = 0; i < children; i++)
    sum += found[i];
  return sum;
}
} // namespace postfix

namespace walk { // a pointer walks, there and back
Number of(Bits all, Bits columns, Bits left, Bits right) {
  Number found[kMost], *end = found;
  if (columns == all)
    return 1;
  for (Bits open = all & ~(columns | left | right); open; open &= open - 1) {
    Bits place = open & -open;
    *end++ = cilk_spawn of(all, columns | place, (left | place) << 1, (right | place) >> 1);
  }
  cilk_sync;
  Number sum = 0;
  for (Number *at = found; at != end; ++at)
    sum += *at;
  return sum;
}
} // namespace walk

namespace taken { // the places are taken out of a copy
Number of(Bits all, Bits columns, Bits left, Bits right) {
  if (columns == all)
    return 1;
  Number found[kMost];
  int children = 0;
  Bits open = all & ~(columns | left | right);
  while (open) {
    Bits place = open & -open;
    open ^= place;
    found[children] = cilk_spawn of(all, columns | place, (left | place) << 1, (right | place) >> 1);
    children += 1;
  }
  cilk_sync;
  Number sum = 0;
  while (children > 0)
    sum += found[--children];
  return sum;
}
} // namespace taken

namespace columnwise { // all places are tried
Number of(Bits all, Bits columns, Bits left, Bits right) {
  if (columns == all)
    return 1;
  Number found[kMost];
  int children = 0;
  Bits taken = columns | left | right;
  for (Bits place = 1; place <= all; place <<= 1)
    if (!(taken & place))
      found[children++] = cilk_spawn of(all, columns | place, (left | place) << 1, (right | place) >> 1);
  cilk_sync;
  Number sum = 0;
  for (int i = 0; i < children; ++i)
    sum += found[i];
  return sum;
}
} // namespace columnwise

namespace zeroed { // a result for each column; most are 0
Number of(Bits all, Bits columns, Bits left, Bits right) {
  if (columns == all)
    return 1;
  Number found[kMost] = {};
  for (Bits open = all & ~(columns | left | right); open; open &= open - 1) {
    Bits place = open & -open;
    found[__builtin_ctz(open)] = cilk_spawn of(all, columns | place, (left | place) << 1, (right | place) >> 1);
  }
  cilk_sync;
  Number sum = 0;
  for (Number each : found)
    sum += each;
  return sum;
}
} // namespace zeroed

namespace increment { // sum += cilk_spawn
Number of(Bits all, Bits columns, Bits left, Bits right) {
  if (columns == all)
    return 1;
  Number sum = 0;
  for (Bits open = all & ~(columns | left | right); open; open &= open - 1) {
    Bits place = open & -open;
    sum += cilk_spawn of(all, columns | place, (left | place) << 1, (right | place) >> 1);
  }
  cilk_sync;
  return sum;
}
} // namespace increment

namespace wrapped { // an array in a struct
struct Results {
  int count;
  Number found[kMost];
};
Number of(Bits all, Bits columns, Bits left, Bits right) {
  if (columns == all)
    return 1;
  Results results;
  results.count = 0;
  for (Bits open = all & ~(columns | left | right); open; open &= open - 1) {
    Bits place = open & -open;
    results.found[results.count] = cilk_spawn of(all, columns | place, (left | place) << 1, (right | place) >> 1);
    ++results.count;
  }
  cilk_sync;
  Number sum = 0;
  for (int i = 0; i < results.count; ++i)
    sum += results.found[i];
  return sum;
}
} // namespace wrapped

namespace standard { // std::array and std::accumulate
Number of(Bits all, Bits columns, Bits left, Bits right) {
  if (columns == all)
    return 1;
  std::array<Number, kMost> found;
  int children = 0;
  for (Bits open = all & ~(columns | left | right); open; open &= open - 1) {
    Bits place = open & -open;
    found[children++] = cilk_spawn of(all, columns | place, (left | place) << 1, (right | place) >> 1);
  }
  cilk_sync;
  return std::accumulate(found.begin(), found.begin() + children, Number(0));
}
} // namespace standard

namespace parallel { // children by cilk_for
Number of(Bits all, Bits columns, Bits left, Bits right) {
  if (columns == all)
    return 1;
  Bits places[kMost];
  Number found[kMost];
  int children = 0;
  for (Bits open = all & ~(columns | left | right); open; open &= open - 1)
    places[children++] = open & -open;
  cilk_for (int i = 0; i < children; ++i)
    found[i] = of(all, columns | places[i], (left | places[i]) << 1, (right | places[i]) >> 1);
  Number sum = 0;
  for (int i = 0; i < children; ++i)
    sum += found[i];
  return sum;
}
} // namespace parallel

namespace board { // a struct as argument
struct Board {
  Bits all, columns, left, right;
  Board with(Bits place) const { return {all, columns | place, (left | place) << 1, (right | place) >> 1}; }
};
static Number count(Board b) {
  if (b.columns == b.all)
    return 1;
  Number found[kMost];
  int children = 0;
  for (Bits open = b.all & ~(b.columns | b.left | b.right); open; open &= open - 1)
    found[children++] = cilk_spawn count(b.with(open & -open));
  cilk_sync;
  Number sum = 0;
  for (int i = 0; i < children; ++i)
    sum += found[i];
  return sum;
}
Number of(Bits all, Bits columns, Bits left, Bits right) { return count({all, columns, left, right}); }
} // namespace board

namespace member { // `all` in an object
struct Queens {
  Bits all;
  Number count(Bits columns, Bits left, Bits right) const {
    if (columns == all)
      return 1;
    Number found[kMost];
    int children = 0;
    for (Bits open = all & ~(columns | left | right); open; open &= open - 1) {
      Bits place = open & -open;
      found[children++] = cilk_spawn count(columns | place, (left | place) << 1, (right | place) >> 1);
    }
    cilk_sync;
    Number sum = 0;
    for (int i = 0; i < children; ++i)
      sum += found[i];
    return sum;
  }
};
Number of(Bits all, Bits columns, Bits left, Bits right) { return Queens{all}.count(columns, left, right); }
} // namespace member

namespace global { // `all` in a global variable
static Bits full;
static Number count(Bits columns, Bits left, Bits right) {
  if (columns == full)
    return 1;
  Number found[kMost];
  int children = 0;
  for (Bits open = full & ~(columns | left | right); open; open &= open - 1) {
    Bits place = open & -open;
    found[children++] = cilk_spawn count(columns | place, (left | place) << 1, (right | place) >> 1);
  }
  cilk_sync;
  Number sum = 0;
  for (int i = 0; i < children; ++i)
    sum += found[i];
  return sum;
}
Number of(Bits all, Bits columns, Bits left, Bits right) {
  full = all;
  return count(columns, left, right);
}
} // namespace global

namespace single { // one return
Number of(Bits all, Bits columns, Bits left, Bits right) {
  Number sum = 1;
  if (columns != all) {
    Number found[kMost];
    int children = 0;
    for (Bits open = all & ~(columns | left | right); open; open &= open - 1) {
      Bits place = open & -open;
      found[children++] = cilk_spawn of(all, columns | place, (left | place) << 1, (right | place) >> 1);
    }
    cilk_sync;
    sum = 0;
    for (int i = 0; i < children; ++i)
      sum += found[i];
  }
  return sum;
}
} // namespace single

namespace guarded { // without free places nothing is done
Number of(Bits all, Bits columns, Bits left, Bits right) {
  if (columns == all)
    return 1;
  Bits open = all & ~(columns | left | right);
  if (!open)
    return 0;
  Number found[kMost];
  int children = 0;
  for (; open; open &= open - 1) {
    Bits place = open & -open;
    found[children++] = cilk_spawn of(all, columns | place, (left | place) << 1, (right | place) >> 1);
  }
  cilk_sync;
  Number sum = 0;
  for (int i = 0; i < children; ++i)
    sum += found[i];
  return sum;
}
} // namespace guarded

int main(int argc, char **argv) {
  return show(FORM::of((1u << sizeOf(argc, argv, 14)) - 1, 0, 0, 0));
}
