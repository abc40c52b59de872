// See Quantity.h.
#include "api/Quantity.h"

#include <stdio.h>
#include <string.h>

namespace cilk2gpu::rt {

QuantityText grouped(uint64_t number) {
  char digits[24];
  int length = snprintf(digits, sizeof digits, "%llu", static_cast<unsigned long long>(number));
  QuantityText result = {};
  char *to = result.text;
  for (int i = 0; i < length; ++i) {
    if (i && (length - i) % 3 == 0)
      *to++ = ',';
    *to++ = digits[i];
  }
  return result;
}

QuantityText counted(uint64_t number, const char *singular, const char *plural) {
  QuantityText result;
  const char *noun = number == 1 || !plural ? singular : plural;
  snprintf(result.text, sizeof result.text, "%s %s%s", grouped(number).text, noun, number != 1 && !plural ? "s" : "");
  return result;
}

/// Returns a value with three digits or more, and its unit.
static QuantityText scaled(double value, const char *unit) {
  QuantityText result;
  snprintf(result.text, sizeof result.text, "%.*f %s", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value, unit);
  return result;
}

/// Returns `number` in the first unit in which it is less than `step`, or in the last unit.
template <unsigned N> static QuantityText inUnits(uint64_t number, double step, const char *const (&units)[N]) {
  double value = double(number);
  unsigned unit = 0;
  for (; unit + 1 < N && value >= step; ++unit)
    value /= step;
  if (unit)
    return scaled(value, units[unit]);
  QuantityText result;
  snprintf(result.text, sizeof result.text, "%s %s", grouped(number).text, units[0]);
  return result;
}

QuantityText bytes(uint64_t number) {
  static const char *const units[] = {"B", "KB", "MB", "GB", "TB"};
  return inUnits(number, 1024, units);
}

QuantityText duration(uint64_t nanoseconds) {
  static const char *const units[] = {"ns", "us", "ms", "s"};
  return inUnits(nanoseconds, 1000, units);
}

} // namespace cilk2gpu::rt
