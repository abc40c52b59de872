// Spawns, syncs, loops and calls of Cilk functions in try statements, and handlers that begin while children are
// outstanding.
#include "checksum.h"
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

void risky(int n) {
  if (n % 3 == 0)
    throw std::runtime_error("three " + std::to_string(n));
  if (n % 5 == 0)
    throw n;
}
long fib(int n) {
  if (n < 2)
    return n;
  long a = cilk_spawn fib(n - 1);
  long b = fib(n - 2);
  cilk_sync;
  return a + b;
}
struct Owner {
  std::vector<long> v;
  Owner(int n) : v(n, 7) {}
  ~Owner() {
    for (auto &x : v)
      x = -1000;
  }
};

void fillv(long *p, int n, int depth) {
  if (depth > 0) {
    cilk_spawn fillv(p, n, depth - 1);
    cilk_sync;
    return;
  }
  for (int i = 0; i < n; ++i)
    p[i] += i;
}

// plain call inside try
long plain(int n) {
  long r = 0;
  try {
    std::string s(30, 'x');
    r = fib(n % 10);
    risky(n);
    r += fib(n % 7) + s.size();
    risky(n + 1);
  } catch (const std::exception &e) {
    r += e.what()[0] * 1000 + std::string(e.what()).size();
  } catch (int k) {
    r -= k;
  }
  return r;
}
// spawn inside try, handler reached with children outstanding
long spawns(int n, long *sink) {
  if (n <= 0)
    return 1;
  long total = 0;
  long x = 0, y = 0;
  try {
    Owner own(20);
    cilk_spawn fillv(own.v.data(), 20, 3);
    x = cilk_spawn spawns(n - 1, sink + 1);
    cilk_spawn fillv(sink, 1, 2);
    risky(n);
    y = cilk_spawn spawns(n - 2, sink + 2 + (1 << 12));
    risky(n + 2);
    cilk_sync;
    total += own.v[5];
    try {
      long z = cilk_spawn spawns(n - 3, sink + 5 + (1 << 13));
      if (n % 4 == 0)
        throw std::string("inner");
      cilk_sync;
      total += z;
    } catch (const std::string &s) {
      total += s.size();
      if (n % 8 == 0)
        throw;
    }
  } catch (const std::exception &e) {
    total += std::string(e.what()).size();
  } catch (int k) {
    if (n == 10)
      return x;
    total -= k;
  } catch (const std::string &s) {
    total += 100;
  }
  total += std::uncaught_exceptions() * 1000000;
  long w = cilk_spawn fib(n);
  cilk_sync;
  return total + x * 3 + y + w;
}
long functionTry(int n) try {
  long a = cilk_spawn fib(n);
  risky(n);
  return fib(3) + 1;
} catch (int k) {
  return -k;
} catch (std::exception &e) {
  return 77;
}

int loops(int n) {
  std::vector<unsigned> out(n + 3);
  try {
    cilk_for(int i = 0; i < n; ++i) {
      try {
        int k = cilk_spawn[](int i) { return i * 3; }
        (i);
        risky(i);
        cilk_sync;
        out[i] = k;
      } catch (...) {
        out[i] = -1;
      }
    }
    risky(n);
  } catch (...) {
    out[0] = 5;
  }
  for (int i = 0; i < 4; ++i)
    try {
      int a = cilk_spawn[](int i) { return i * 3; }
      (i);
      if (i == 2)
        continue;
      risky(i);
      if (i == n)
        break;
      cilk_sync;
      out[1] += a;
    } catch (int) {
    } catch (...) {
      out[2]++;
      if (n == 14)
        break;
    }
  unsigned s = 0;
  for (int i = 0; i < n; ++i)
    s = s * 7 + out[i];
  return s;
}
int partly(int n) {
  std::vector<unsigned> out(n + 3);
  try {
    risky(1);
    cilk_for(int i = 0; i < n; ++i) {
      std::string held(i, 'c');
      try {
        out[i] = cilk_spawn[](int i) { return i * 3; }
        (i);
        if (i % 5 == 0)
          throw i + 1;
      } catch (int k) {
        out[i] += k + held.size();
      }
    }
    risky(n);
  } catch (const std::exception &) {
    out[0] = 5;
  } catch (int k) {
    out[0] = k;
  }
  unsigned s = 0;
  for (int i = 0; i < n; ++i)
    s = s * 7 + out[i];
  return s;
}
// A cilk_scope in a try block, which is left by an exception, and a try block in a cilk_scope.
int scopes(int n) {
  long a = 0, b = 0, c = 0;
  std::vector<long> cells(8, n);
  try {
    cilk_scope {
      Owner held(4);
      a = cilk_spawn fib(n % 9);
      cilk_spawn fillv(cells.data(), 8, 2);
      risky(n);
      b = fib(n % 5) + held.v[1];
    }
    risky(n + 1);
  } catch (const std::exception &e) {
    a += e.what()[0];
  } catch (int k) {
    b -= k;
  }
  cilk_scope {
    try {
      c = cilk_spawn fib(n % 7);
      risky(n + 2);
    } catch (...) {
      b += 1000;
    }
    cilk_spawn fillv(cells.data(), 8, 1);
  }
  return int(a + 3 * b + 5 * c + cells[7]);
}
// The caller's handler sees exceptions of its own code, not of the callee.
int manyPlain(int n) {
  std::vector<long> out(n);
  cilk_for(int i = 0; i < n; ++i) out[i] = plain(i);
  Checksum sum = 0;
  for (long each : out)
    sum = fold(sum, each);
  return int(sum);
}

} // namespace

int main() {
  Checksum sum = 0;
  for (int i = 0; i < 20; ++i) {
    sum = fold(sum, functionTry(i));
    sum = fold(sum, loops(i + 1));
    sum = fold(sum, partly(i + 1));
    sum = fold(sum, scopes(i));
  }
  report("try", sum);
  std::vector<long> sink(1 << 17);
  for (int i = 0; i < 12; ++i)
    sum = fold(sum, spawns(i, sink.data()));
  for (long each : sink)
    sum = fold(sum, each);
  report("outstanding", sum);
  report("plain", manyPlain(200));
  std::vector<std::string> texts(40);
  cilk_for(int i = 0; i < 40; ++i) { // main is no task, its loops' iterations are
    try {
      texts[i] = cilk_spawn[](int n) { return std::string(n, 'x'); }
      (i);
      risky(i);
    } catch (std::runtime_error &error) {
      texts[i] += error.what();
    } catch (int number) {
      texts[i] += std::to_string(number);
    }
  }
  sum = 0;
  for (const std::string &each : texts)
    for (char letter : each)
      sum = fold(sum, letter);
  report("main", sum);
  report("uncaught", std::uncaught_exceptions());
}
