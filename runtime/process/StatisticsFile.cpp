// See StatisticsFile.h.
#include "process/StatisticsFile.h"

namespace cilk2gpu::rt {

void writeJsonText(FILE *out, const char *text) {
  for (; *text; ++text) {
    unsigned char c = static_cast<unsigned char>(*text);
    if (c == '"' || c == '\\')
      fprintf(out, "\\%c", c);
    else if (c < 0x20)
      fprintf(out, "\\u%04x", c);
    else
      fputc(c, out);
  }
}

void writeJsonString(FILE *out, const char *text) {
  if (!text) {
    fputs("null", out);
    return;
  }
  fputc('"', out);
  writeJsonText(out, text);
  fputc('"', out);
}

void StatisticsFile::fact(const char *name, const char *text) {
  if (!isJson) {
    fprintf(out, "%-22s %16s\n", name, text ? text : "(null)");
    return;
  }
  fprintf(out, "  \"%s\": ", name);
  writeJsonString(out, text);
  fputs(",\n", out);
}

void StatisticsFile::fact(const char *name, uint64_t value, const char *unit) {
  auto number = static_cast<unsigned long long>(value);
  if (isJson)
    fprintf(out, "  \"%s\": %llu,\n", name, number);
  else
    fprintf(out, "%-22s %16llu%s%s\n", name, number, unit ? " " : "", unit ? unit : "");
}

void StatisticsFile::beginCounters() {
  isFirst = true;
  if (isJson)
    fputs("  \"counters\": {", out);
}

void StatisticsFile::counter(const char *name, uint64_t value, const char *unit, const char *description) {
  auto number = static_cast<unsigned long long>(value);
  if (isJson)
    fprintf(out, "%s    \"%s\": {\"value\": %llu, \"unit\": \"%s\", \"description\": \"%s\"}", isFirst ? "\n" : ",\n",
            name, number, unit, description);
  else
    fprintf(out, "%-22s %16llu %-10s  %s\n", name, number, unit, description);
  isFirst = false;
}

void StatisticsFile::endCounters() {
  if (isJson)
    fputs("\n  }", out);
}

} // namespace cilk2gpu::rt
