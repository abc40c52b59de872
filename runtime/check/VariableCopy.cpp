// See VariableCopy.h. A word is eight bytes at a multiple of eight, in the program and in the copy.
#include "check/VariableCopy.h"
#include "check/AllocatedMemory.h"
#include "check/SharedPages.h"

namespace cilk2gpu::rt {

/// Two numbers of type double that agree in so many bits count as equal: reducers may have added them up in other
/// groups.
static constexpr double kEqualShare = 1.0 / (uint64_t(1) << 40);

void VariableCopy::make(const ProgramVariables &variables) {
  program = &variables;
  copy = static_cast<char *>(sharedPages(variables.copyBytes() + 8));
  latest = static_cast<char *>(sharedPages(variables.copyBytes() + 8));
  left = static_cast<uint8_t *>(sharedPages(variables.copyBytes() / 8 + 2));
}

// A variable that AddressSanitizer knows has bytes behind it that nobody may read, and the symbol's size includes them.
// They take part here, like gaps: reads of variables are not checked, and call no function that the sanitizer replaces.
#define CILK2GPU_READS_VARIABLES __attribute__((no_sanitize("address"), no_sanitize("thread")))

/// Returns the value at an address, which need not be aligned.
template <typename T> CILK2GPU_READS_VARIABLES static T valueAt(const char *from) {
  struct [[gnu::packed, gnu::may_alias]] Unaligned {
    T value;
  };
  return reinterpret_cast<const volatile Unaligned *>(from)->value;
}

/// Returns whether `size` bytes of a variable are those of a copy.
CILK2GPU_READS_VARIABLES static bool isCopied(const char *variable, const char *from, uint64_t size) {
  uint64_t i = 0;
  for (; i + 8 <= size; i += 8)
    if (valueAt<uint64_t>(variable + i) != valueAt<uint64_t>(from + i))
      return false;
  for (; i < size; ++i)
    if (valueAt<char>(variable + i) != valueAt<char>(from + i))
      return false;
  return true;
}

CILK2GPU_READS_VARIABLES static void copyBytes(char *to, const char *variable, uint64_t size) {
  uint64_t i = 0;
  for (; i + 8 <= size; i += 8) {
    uint64_t word = valueAt<uint64_t>(variable + i);
    memcpy(to + i, &word, sizeof word);
  }
  for (; i < size; ++i)
    to[i] = valueAt<char>(variable + i);
}

/// Calls visit(offset) for each whole word of a variable.
template <typename Visit> static void eachWord(const ProgramVariable &variable, Visit visit) {
  for (uint64_t offset = -uint64_t(variable.start) % 8; offset + 8 <= variable.size; offset += 8)
    visit(offset);
}

/// Leaves out addresses of memory that is not the program's, addresses of bytes close behind the address itself (short
/// strings), and the words behind them.
void VariableCopy::noteAddresses(const ProgramVariable &variable) {
  static const AllocatedMemory memory(*program);
  eachWord(variable, [&](uint64_t offset) {
    uint64_t value = valueAt<uint64_t>(variable.start + offset), own = uint64_t(variable.start) + offset;
    if (!memory.contains(value) && value - own - 1 >= kOwned * 8)
      return;
    uint64_t end = (offset + (1 + kOwned) * 8 < variable.size ? offset + (1 + kOwned) * 8 : variable.size);
    for (uint64_t i = offset; i < end; ++i)
      left[(variable.copiedAt + i) / 8] |= uint8_t(1u << (variable.copiedAt + i) % 8);
  });
}

/// Copies a variable. Memory that is zero in both places is not written, so that it takes no memory.
void VariableCopy::take(const ProgramVariable &variable, char *to) {
  constexpr uint64_t kPiece = 4096;
  for (uint64_t done = 0; done < variable.size;) {
    uint64_t size = variable.size - done < kPiece ? variable.size - done : kPiece;
    char *copied = to + variable.copiedAt + done;
    if (!isCopied(variable.start + done, copied, size))
      copyBytes(copied, variable.start + done, size);
    done += size;
  }
}

void VariableCopy::record() {
  for (uint64_t v = 0; v < program->size(); ++v) {
    take((*program)[v], copy);
    noteAddresses((*program)[v]);
  }
}

/// Leaves out numbers with bytes that differ. Another byte of such a number may differ in a later run: the second byte
/// of a process's ID, for example.
void VariableCopy::leaveOut(const char *before) {
  for (uint64_t v = 0; v < program->size(); ++v) {
    const ProgramVariable &variable = (*program)[v];
    const uint64_t bytes = variable.size == 8 ? 8 : 4;
    for (uint64_t i = 0; (i = firstDifferent(variable, before, i)) < variable.size; ++i) {
      uint64_t offset = (variable.copiedAt + i) % bytes, first = offset < i ? i - offset : 0;
      for (uint64_t byte = first; byte < first + bytes && byte < variable.size; ++byte)
        left[(variable.copiedAt + byte) / 8] |= uint8_t(1u << (variable.copiedAt + byte) % 8);
    }
  }
}

/// Returns whether a word is a number of type double, rather than an integer.
static bool isDouble(uint64_t word) {
  constexpr uint64_t kLeastExponent = 1023 - 256, kMostExponent = 1023 + 256;
  uint64_t exponent = word >> 52 & 2047;
  return exponent >= kLeastExponent && exponent <= kMostExponent;
}

/// Returns whether two numbers of type double agree in their first bits.
static bool areNear(uint64_t a, uint64_t b) {
  double x, y;
  memcpy(&x, &a, sizeof x);
  memcpy(&y, &b, sizeof y);
  double distance = x > y ? x - y : y - x;
  return distance <= kEqualShare * (x < 0 ? -x : x);
}

/// Returns the offset of the first byte from `from` on that differs from a copy and is not left out; the variable's
/// size if none does.
uint64_t VariableCopy::firstDifferent(const ProgramVariable &variable, const char *before, uint64_t from) const {
  const char *serial = before + variable.copiedAt;
  constexpr uint64_t kPiece = 256;
  for (uint64_t i = from; i < variable.size; ++i) {
    while (i + kPiece <= variable.size && isCopied(variable.start + i, serial + i, kPiece))
      i += kPiece;
    bool isLeft = left[(variable.copiedAt + i) / 8] >> (variable.copiedAt + i) % 8 & 1;
    if (i < variable.size && serial[i] != valueAt<char>(variable.start + i) && !isLeft)
      return i;
  }
  return variable.size;
}

/// Returns whether a byte that differs may be in a gap between the members of a structure, where it says nothing. The
/// first byte of a word is in no gap. Nor is the first byte of an int, unless the structure has members of eight bytes.
static bool mayBeGap(const ProgramVariable &variable, const char *serial, uint64_t offset) {
  constexpr uint64_t kUnit = sizeof(int32_t);
  uint64_t unit = offset - (variable.copiedAt + offset) % kUnit; // wraps around at the start of the variable
  bool isNumber = variable.size <= 8 && !(variable.size & (variable.size - 1));
  if (isNumber || unit > offset || unit + kUnit > variable.size)
    return false;
  if (serial[unit] == valueAt<char>(variable.start + unit))
    return true;
  if ((variable.copiedAt + unit) % 8 == 0 || variable.size % 8)
    return false;
  int32_t before = valueAt<int32_t>(serial + unit), now = valueAt<int32_t>(variable.start + unit);
  // Smaller than the upper halves of addresses, which gaps often hold.
  constexpr int32_t kSmall = 4096;
  return before < -kSmall || before > kSmall || now < -kSmall || now > kSmall;
}

/// Returns the offset of the first byte whose difference from the first serial run counts; the size if there is none.
uint64_t VariableCopy::firstResult(const ProgramVariable &variable) const {
  const char *serial = copy + variable.copiedAt;
  for (uint64_t i = 0; (i = firstDifferent(variable, copy, i)) < variable.size; ++i) {
    uint64_t word = i - (variable.copiedAt + i) % 8;
    bool isWhole = word <= i && word + 8 <= variable.size;
    uint64_t before = isWhole ? valueAt<uint64_t>(serial + word) : 0,
             now = isWhole ? valueAt<uint64_t>(variable.start + word) : 0;
    if (isDouble(before) && isDouble(now) ? !areNear(before, now) : !mayBeGap(variable, serial, i))
      return i;
  }
  return variable.size;
}

/// Describes the difference at an offset: the number that it is in, as far as that can be told without its type.
static void describe(const ProgramVariable &variable, const char *serial, uint64_t offset,
                     VariableDifference &difference) {
  uint64_t word = offset - (variable.copiedAt + offset) % 8; // wraps around at the start of the variable
  bool isWhole = word <= offset && word + 8 <= variable.size;
  difference.areDoubles =
      isWhole && isDouble(valueAt<uint64_t>(serial + word)) && isDouble(valueAt<uint64_t>(variable.start + word));
  bool isNumber = variable.size == 1 || variable.size == 2 || variable.size == 8;
  uint64_t size = difference.areDoubles ? 8 : isNumber ? variable.size : 4;
  uint64_t at = difference.areDoubles ? word : offset / size * size;
  if (at + size > variable.size)
    at = offset, size = 1;
  difference.offset = offset;
  difference.size = uint32_t(size);
  difference.valueAt = at;
  copyBytes(reinterpret_cast<char *>(&difference.serial), serial + at, size);
  copyBytes(reinterpret_cast<char *>(&difference.found), variable.start + at, size);
}

void VariableCopy::compare(VariableDifference &difference) {
  difference = {};
  for (uint64_t v = 0; v < program->size(); ++v) {
    const ProgramVariable &variable = (*program)[v];
    take(variable, latest);
    uint64_t offset = firstResult(variable);
    if (offset == variable.size || difference.numVariables++)
      continue;
    difference.variable = v;
    describe(variable, copy + variable.copiedAt, offset, difference);
  }
}

} // namespace cilk2gpu::rt
