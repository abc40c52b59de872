// Shared by the programs of scripts/bench cliffs. A file holds several rows of the table. Its main() runs the row that
// the first argument names, at the size of the second one, and prints a number that depends on all results.
#ifndef CILK2GPU_BENCH_CLIFFS_CLIFF_H
#define CILK2GPU_BENCH_CLIFFS_CLIFF_H

#include <cilk/cilk.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>

struct Row {
  const char *name;
  long (*run)(long size);
};

/// Runs the row that the command line names. Returns the exit status.
template <size_t N> int runRow(const Row (&rows)[N], int argc, char **argv) {
  for (const Row &row : rows)
    if (argc == 3 && std::strcmp(row.name, argv[1]) == 0)
      return std::printf("%ld\n", row.run(std::atol(argv[2]))) < 0;
  std::fprintf(stderr, "usage: %s ROW SIZE\n", argv[0]);
  return 2;
}

#endif // CILK2GPU_BENCH_CLIFFS_CLIFF_H
