// The value of CILK2GPU_CHECK. Pure functions.
#ifndef CILK2GPU_RUNTIME_PROCESS_CHECKSETTING_H
#define CILK2GPU_RUNTIME_PROCESS_CHECKSETTING_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

namespace cilk2gpu::rt {

inline constexpr uint64_t kDefaultSchedules = 16, kMostSchedules = 10000;

/// Reads "races" or "races:N". Returns the number of schedules; 0 if the text is not valid.
inline uint64_t schedulesOf(const char *text) {
  constexpr char kRaces[] = "races";
  constexpr size_t kLength = sizeof kRaces - 1;
  if (strncmp(text, kRaces, kLength))
    return 0;
  if (!text[kLength])
    return kDefaultSchedules;
  const char *number = text + kLength + 1;
  size_t digits = strspn(number, "0123456789");
  if (text[kLength] != ':' || !digits || digits > 6 || number[digits])
    return 0;
  uint64_t schedules = strtoull(number, nullptr, 10);
  return schedules <= kMostSchedules ? schedules : 0;
}

} // namespace cilk2gpu::rt

/// Text about the allowed values.
#define CILK2GPU_CHECK_VALUES "races, or races:N with 1 to 10000 schedules"

#endif // CILK2GPU_RUNTIME_PROCESS_CHECKSETTING_H
