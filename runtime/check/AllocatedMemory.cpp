// See AllocatedMemory.h. Lines of /proc/self/maps begin with "START-END rw", in hexadecimal digits. Where nobody may
// read, there is a "-" in place of the "r".
#include "check/AllocatedMemory.h"

#include <fcntl.h>
#include <unistd.h>

namespace cilk2gpu::rt {

/// More than a program allocates at once. AddressSanitizer's own memory is larger.
static constexpr uint64_t kLargest = uint64_t(1) << 40;

void AllocatedMemory::add(const ProgramVariables &program, uint64_t start, uint64_t end) {
  if (program.isInImage(start) || end - start > kLargest)
    return;
  if (numRanges && (ranges[numRanges - 1].end == start || numRanges == kMostRanges))
    ranges[numRanges - 1].end = end;
  else
    ranges[numRanges++] = {start, end};
}

static int digitOf(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

AllocatedMemory::AllocatedMemory(const ProgramVariables &program) {
  int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  char text[4096];
  uint64_t numbers[2] = {0, 0};
  unsigned part = 0; // of a line: the first number, the second one, whether it can be read, the rest
  bool isReadable = false;
  for (ssize_t length; file >= 0 && (length = ::read(file, text, sizeof text)) > 0;)
    for (ssize_t i = 0; i < length; ++i) {
      if (text[i] == '\n') {
        if (isReadable)
          add(program, numbers[0], numbers[1]);
        part = 0;
        numbers[0] = numbers[1] = 0;
      } else if (part < 2) {
        int digit = digitOf(text[i]);
        if (digit < 0)
          ++part;
        else
          numbers[part] = numbers[part] * 16 + uint64_t(digit);
      } else if (part == 2) {
        isReadable = text[i] == 'r';
        ++part;
      }
    }
  if (file >= 0)
    close(file);
}

} // namespace cilk2gpu::rt
