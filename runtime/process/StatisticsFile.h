// Writes the file of CILK2GPU_STATS as text or JSON. Code that writes facts and counters does not depend on the format.
//
//   file.fact("wave", 64, "lanes");      text: wave          64 lanes      JSON: "wave": 64,
//   file.beginCounters();
//   file.counter("roots", 1, "elements", "roots that were enqueued");
//   file.endCounters();
//
// Thread-safety: none.
#ifndef CILK2GPU_RUNTIME_PROCESS_STATISTICSFILE_H
#define CILK2GPU_RUNTIME_PROCESS_STATISTICSFILE_H

#include <stdint.h>
#include <stdio.h>

namespace cilk2gpu::rt {

/// Description of one counter in a struct of counters. The .def files are expanded to tables of these.
template <class Counters> struct CounterInfo {
  const char *name, *unit, *description;
  uint64_t Counters::*value;
};

class StatisticsFile {
public:
  StatisticsFile(FILE *out, bool isJson) : out(out), isJson(isJson) {}
  StatisticsFile(const StatisticsFile &) = delete;

  /// Writes a setting, or a name of the device. In JSON, a comma follows it.
  void fact(const char *name, const char *text);
  void fact(const char *name, uint64_t value, const char *unit = nullptr);
  /// Writes a fact that is true or false.
  void flag(const char *name, bool value);

  /// Writes a list of texts, as a fact.
  void beginList(const char *name);
  void listItem(const char *text);
  void endList();

  /// Writes the environment variables that were set.
  void beginSettings();
  void setting(const char *name, const char *value);
  void endSettings();

  void beginCounters();
  void counter(const char *name, uint64_t value, const char *unit, const char *description);
  /// Writes each counter of a table.
  template <class Counters, unsigned N> void counters(const Counters &values, const CounterInfo<Counters> (&table)[N]) {
    for (const CounterInfo<Counters> &info : table)
      counter(info.name, values.*info.value, info.unit, info.description);
  }
  void endCounters();

  FILE *const out;
  const bool isJson;

private:
  bool isFirst = true; ///< no counter, item or setting was written since its begin function
};

/// Writes the characters of a string of JSON, without quotes. Names of a program may have any bytes. A byte that is not
/// part of a UTF-8 character becomes the replacement character, U+FFFD.
void writeJsonText(FILE *out, const char *text);

/// Writes a string of JSON, or null.
void writeJsonString(FILE *out, const char *text);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_STATISTICSFILE_H
