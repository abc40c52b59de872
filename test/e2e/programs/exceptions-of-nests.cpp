// Tests exceptions that leave iterations of doacross nests. The exception that is first in serial order is thrown behind
// the nest. All iterations before it have run. No iteration has run that waits for one that has thrown or has not run.
#include <atomic>
#include <cilk/cilk.h>
#include <memory>
#include <stdio.h>
#include <string>
#include <vector>

struct Broken {
  long number;
};

static std::atomic<int> objects{0};
struct Counted {
  Counted() { ++objects; }
  ~Counted() { --objects; }
};

// What has happened to the iterations of a nest, which are numbered in serial order.
class Record {
public:
  Record(long rows, long columns, unsigned seed, unsigned rare)
      : rows(rows), columns(columns), seed(seed), rare(rare), states(rows * columns) {}

  // Runs iteration (i, j). The pairs are the distances from the iterations for which it waits.
  template <class... Distances> void run(long i, long j, Distances... distances) {
    Counted here;
    long number = i * columns + j, sinks[] = {distances...};
    for (unsigned s = 0; s < sizeof...(distances); s += 2) {
      long row = i - sinks[s], column = j - sinks[s + 1];
      if (row >= 0 && row < rows && column >= 0 && column < columns && states[row * columns + column] != kDone)
        ++mistakes;
    }
    mistakes += states[number].exchange(kStarted) != kNone;
    if (breaks(number))
      throw Broken{number};
    states[number] = kDone;
  }

  // Calls the nest and describes what has happened.
  template <class Nest> void check(const char *name, const Nest &nest) {
    long broken = -1, missing = 0;
    try {
      nest(*this);
    } catch (const Broken &found) {
      broken = found.number;
    }
    long before = broken < 0 ? rows * columns : broken;
    for (long number = 0; number < before; ++number)
      missing += states[number] != kDone;
    printf("%s %ldx%ld: %ld, %ld missing, %d mistakes, %d objects\n", name, rows, columns, broken, missing, mistakes.load(),
           objects.load());
  }

  bool breaks(long number) const {
    unsigned hash = (unsigned(number) + seed) * 0x9e3779b1u;
    return rare && (hash ^ hash >> 15) * 0x85ebca6bu % rare == 0;
  }

  const long rows, columns;

private:
  enum { kNone, kStarted, kDone };
  unsigned seed, rare;
  std::vector<std::atomic<char>> states;
  std::atomic<int> mistakes{0};
};

static void grid(Record &record) {
#pragma cilk doacross(i-1,j) (i,j-1)
  cilk_for (int i = 0; i < int(record.rows); ++i)
    cilk_for (int j = 0; j < int(record.columns); ++j)
      record.run(i, j, 1L, 0L, 0L, 1L);
}

static void given(Record &record) {
  std::unique_ptr<Counted> own(new Counted);
#pragma cilk doacross(i-1,j) (i,j-1) tile(2,3)
  cilk_for (unsigned i = 0; i != unsigned(record.rows); ++i)
    cilk_for (short j = 0; j < short(record.columns); ++j) {
      if (j == 5 && i == 0)
        continue; // counts as missing
      record.run(i, j, 1L, 0L);
    }
}

static void skewed(Record &record) {
#pragma cilk doacross(i-1,j+1) (i,j-1) tile(3,2)
  cilk_for (long i = 0; i < record.rows; ++i)
    cilk_for (long j = 0; j < record.columns; ++j)
      record.run(i, j, 1L, -1L, 0L, 1L);
}

// Rows and columns go down, and begin below 0.
static void down(Record &record) {
  int rows = int(record.rows), columns = int(record.columns);
#pragma cilk doacross(i+2,j) (i,j+1) tile(4,4)
  cilk_for (int i = -1; i > -1 - 2 * rows; i -= 2)
    cilk_for (int j = columns / 2; j > columns / 2 - columns; --j)
      record.run((-1 - i) / 2, columns / 2 - j, 1L, 0L, 0L, 1L);
}

static void lines(Record &record) {
#pragma cilk doacross(i-1,j)
  cilk_for (int i = 0; i < int(record.rows); ++i)
    cilk_for (int j = 0; j < int(record.columns); ++j)
      record.run(i, j, 1L, 0L);
}

static void chains(Record &record) {
  std::vector<char> cells(record.rows * record.columns);
  char *first = cells.data(), *last = first + cells.size();
#pragma cilk doacross(p-4) tile(2)
  cilk_for (char *p = first; p < last; ++p) {
    long number = p - first, behind = number < 4 ? 0 : number - 4;
    record.run(number / record.columns, number % record.columns, number / record.columns - behind / record.columns,
               number < 4 ? record.columns : number % record.columns - behind % record.columns);
  }
}

static void waves(Record &record) {
  int n = int(record.rows * record.columns), columns = int(record.columns);
#pragma cilk doacross(k-5) (k-7) tile(2)
  cilk_for (int k = 0; k < n; ++k) {
    long five = k < 5 ? -1 : (k - 5) / columns, other = k < 5 ? 0 : (k - 5) % columns;
    record.run(k / columns, k % columns, k / columns - five, k % columns - other);
  }
}

// A function that spawns, and throws on behalf of a child.
static long deep(int depth, Record &record, long i, long j) {
  Counted here;
  if (depth == 0)
    return record.run(i, j, 1L, 0L, 0L, 1L), 1;
  long a = cilk_spawn deep(depth - 1, record, i, j);
  long b = depth;
  cilk_sync;
  return a + b;
}

static void calls(Record &record) {
  std::vector<long> sums(record.rows);
#pragma cilk doacross(i-1,j) (i,j-1) tile(2,4)
  cilk_for (int i = 0; i < int(record.rows); ++i)
    cilk_for (int j = 0; j < int(record.columns); ++j)
      sums[i] += deep(2, record, i, j);
}

static void cube(Record &record) {
  long half = record.columns / 2;
#pragma cilk doacross(i-1,j,k) (i,j-1,k+1) (i,j,k-1) tile(2,1,2)
  cilk_for (long i = 0; i < record.rows; ++i)
    cilk_for (long j = 0; j < 2; ++j)
      cilk_for (long k = 0; k < half; ++k)
        record.run(i, j * half + k, 1L, 0L);
}

// Nests in a loop, whose exceptions are caught in the loop, beside another child. The last nest throws, too.
static long again(long n, unsigned seed) {
  long caught = 0, child = cilk_spawn [](long k) { return k * 1000; }(n);
  for (long round = 0; round < n; ++round)
    try {
      Record record(6, 5, seed + unsigned(round), round % 2 ? 11 : 0);
      grid(record);
#pragma cilk doacross(i-1,j) (i,j-1) tile(2,2)
      cilk_for (int i = 0; i < 6; ++i)
        cilk_for (int j = 0; j < 5; ++j)
          if (i * j == round)
            throw Broken{i * 10 + j};
      caught = caught * 3 + 1;
    } catch (const Broken &broken) {
      caught = caught * 3 + broken.number;
    }
  cilk_sync;
#pragma cilk doacross(k-1)
  cilk_for (long k = 0; k < n; ++k)
    if (k == 3)
      throw Broken{caught + child};
  return caught + child;
}

static std::string guarded(long n) {
  try {
    return std::to_string(again(n, 5));
  } catch (const Broken &broken) {
    return "broken " + std::to_string(broken.number);
  }
}

int main() {
  for (unsigned seed = 1; seed < 40; seed += 3)
    for (unsigned rare : {0u, 7u, 60u, 400u}) {
      long rows = 1 + seed % 23, columns = 4 + 2 * (seed % 17);
      auto check = [&](const char *name, void (*nest)(Record &)) {
        Record(rows, columns, seed, rare).check(name, nest);
      };
      check("grid", grid);
      check("skewed", skewed);
      check("down", down);
      check("lines", lines);
      check("chains", chains);
      check("waves", waves);
      check("calls", calls);
      check("cube", cube);
    }
  Record(90, 120, 3, 5000).check("large", grid);
  Record(90, 120, 7, 5000).check("large", lines);
  Record few(5, 6, 1, 9);
  few.check("given", given);
  for (long n = 0; n < 6; ++n)
    printf("%s\n", guarded(n).c_str());
  long results[20] = {};
  try {
    cilk_for (int i = 0; i < 20; ++i) {
      Record record(4, 5, unsigned(i), i < 10 ? 0 : 6);
      skewed(record);
      results[i] = 1;
    }
  } catch (const Broken &broken) {
    printf("iteration %ld %ld\n", broken.number, results[9]);
  }
  int cells[8][8] = {};
  try {
#pragma cilk doacross(i-1,j) (i,j-1)
    cilk_for (int i = 1; i < 8; ++i)
      cilk_for (int j = 1; j < 8; ++j) {
        if (i * j == 20)
          throw Broken{i};
        cells[i][j] = cells[i - 1][j] + cells[i][j - 1] + 1;
      }
  } catch (const Broken &broken) {
    printf("main %ld %d %d\n", broken.number, cells[4][4], objects.load());
  }
}
