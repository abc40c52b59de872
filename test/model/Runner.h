// Common parts of the model checkers' programs: scenarios by name, the extent of each search, and the command line.
//
//   PROGRAM [--long | --random | --mutant | --list] [NAME...]
//
// Without names, all scenarios run. The program prints one line for each: kind of search, executions, verdict; after a
// failure also Relacy's report. --long: searches in full, or up to a large bound. --random: ten million random
// executions. --mutant: a few random executions, until the first failure. --list: the names. Exits with 1 if a scenario
// failed, with 2 for an unknown name.
#ifndef CILK2GPU_TEST_MODEL_RUNNER_H
#define CILK2GPU_TEST_MODEL_RUNNER_H

#include <relacy/relacy.hpp>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <ostream>
#include <streambuf>

namespace model {

/// Extent of a search: all interleavings and all values that a load may see; all with at most `amount` preemptions; or
/// `amount` random executions.
struct Effort {
  rl::scheduler_type_e search;
  unsigned amount;
};
constexpr Effort full() { return {rl::sched_full, 0}; }
constexpr Effort bound(unsigned preemptions) { return {rl::sched_bound, preemptions}; }
constexpr Effort random(unsigned executions) { return {rl::sched_random, executions}; }

/// Keeps the beginning of Relacy's report. Allocates nothing, because Relacy replaces the allocation functions.
class Report : public std::streambuf {
public:
  Report() { setp(text, text + sizeof text - 1); }
  const char *c_str() {
    *pptr() = 0;
    return text;
  }

private:
  char text[8192];
};

template <class Scenario> bool run(const char *name, Effort effort) {
  rl::test_params params;
  Report report;
  std::ostream output(&report);
  params.output_stream = params.progress_stream = &output;
  params.search_type = effort.search;
  params.context_bound = effort.amount;
  params.iteration_count = effort.amount;
  params.execution_depth_limit = 4000;
  auto start = std::chrono::steady_clock::now();
  bool passed = rl::simulate<Scenario>(params);
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  char how[32];
  if (effort.search == rl::sched_full)
    snprintf(how, sizeof how, "full search");
  else
    snprintf(how, sizeof how, effort.search == rl::sched_bound ? "%u preemptions" : "%u random", effort.amount);
  printf("%-18s %-18s %12llu executions %8.1f s  %s\n", name, how, (unsigned long long)params.stop_iteration, seconds,
         passed ? "passed" : "FAILED");
  if (!passed)
    printf("%s\n", report.c_str());
  fflush(stdout);
  return passed;
}

struct Entry {
  const char *name;
  bool (*run)(const char *name, Effort effort);
  Effort shortEffort, longEffort;
};

inline bool isWanted(const char *name, int count, char **names) {
  for (int i = 0; i < count; ++i)
    if (!strcmp(names[i], name))
      return true;
  return count == 0;
}

/// A program's main.
template <unsigned Count> int runScenarios(const Entry (&entries)[Count], int argc, char **argv) {
  if (argc == 2 && !strcmp(argv[1], "--list")) {
    for (const Entry &entry : entries)
      puts(entry.name);
    return 0;
  }
  bool isLong = argc > 1 && !strcmp(argv[1], "--long"), isMutant = argc > 1 && !strcmp(argv[1], "--mutant");
  bool isRandom = argc > 1 && !strcmp(argv[1], "--random");
  int names = argc - 1 - (isLong || isMutant || isRandom);
  char **first = argv + argc - names;
  for (int i = 0; i < names; ++i) {
    bool known = false;
    for (const Entry &entry : entries)
      known |= !strcmp(entry.name, first[i]);
    if (!known) {
      fprintf(stderr, "unknown scenario '%s'\n", first[i]);
      return 2;
    }
  }
  int failures = 0;
  for (const Entry &entry : entries)
    if (isWanted(entry.name, names, first) && !(isMutant && failures)) {
      Effort effort = isMutant   ? random(30000)
                      : isRandom ? random(10000000)
                      : isLong   ? entry.longEffort
                                 : entry.shortEffort;
      failures += !entry.run(entry.name, effort);
    }
  return failures ? 1 : 0;
}

} // namespace model

#endif // CILK2GPU_TEST_MODEL_RUNNER_H
