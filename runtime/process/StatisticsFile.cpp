// See StatisticsFile.h.
#include "process/StatisticsFile.h"

namespace cilk2gpu::rt {

/// Returns the number of bytes of the UTF-8 character at `text`; 0: these bytes are no character. The final zero of the
/// text is never part of a character.
static unsigned utf8Length(const char *text) {
  auto byte = [&](unsigned i) { return static_cast<unsigned char>(text[i]); };
  auto follows = [&](unsigned i) { return (byte(i) & 0xC0) == 0x80; };
  unsigned char first = byte(0);
  if (first < 0x80)
    return 1;
  unsigned length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4)
    return 0;
  for (unsigned i = 1; i < length; ++i)
    if (!follows(i))
      return 0;
  // Longer forms of short characters, surrogates, and numbers above 10FFFF are no characters.
  bool isBad = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) >= 0xA0) ||
               (first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) >= 0x90);
  return isBad ? 0 : length;
}

void writeJsonText(FILE *out, const char *text) {
  while (*text) {
    unsigned char c = static_cast<unsigned char>(*text);
    unsigned length = utf8Length(text);
    if (!length)
      fputs("\\ufffd", out);
    else if (c == '"' || c == '\\')
      fprintf(out, "\\%c", c);
    else if (c < 0x20)
      fprintf(out, "\\u%04x", c);
    else
      fwrite(text, 1, length, out);
    text += length ? length : 1;
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

void StatisticsFile::flag(const char *name, bool value) {
  if (isJson)
    fprintf(out, "  \"%s\": %s,\n", name, value ? "true" : "false");
  else
    fact(name, value ? "yes" : "no");
}

void StatisticsFile::beginList(const char *name) {
  isFirst = true;
  fprintf(out, isJson ? "  \"%s\": [" : "%-22s", name);
}

// In text, too, an item has quotes, because it may contain spaces and line breaks.
void StatisticsFile::listItem(const char *text) {
  fputs(isJson && !isFirst ? ", " : isJson ? "" : " ", out);
  writeJsonString(out, text);
  isFirst = false;
}

void StatisticsFile::endList() { fputs(isJson ? "],\n" : "\n", out); }

void StatisticsFile::beginSettings() {
  isFirst = true;
  if (isJson)
    fputs("  \"settings\": {", out);
}

void StatisticsFile::setting(const char *name, const char *value) {
  if (!isJson)
    return fact(name, value);
  fprintf(out, "%s\"%s\": ", isFirst ? "" : ", ", name);
  writeJsonString(out, value);
  isFirst = false;
}

void StatisticsFile::endSettings() {
  if (isJson)
    fputs("},\n", out);
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
