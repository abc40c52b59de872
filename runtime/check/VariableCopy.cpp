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

static uint64_t wordAt(const char *from) {
  uint64_t word;
  memcpy(&word, from, sizeof word);
  return word;
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
    uint64_t value = wordAt(variable.start + offset), own = uint64_t(variable.start) + offset;
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
    if (memcmp(to + variable.copiedAt + done, variable.start + done, size))
      memcpy(to + variable.copiedAt + done, variable.start + done, size);
    done += size;
  }
}

void VariableCopy::record() {
  for (uint64_t v = 0; v < program->size(); ++v) {
    take((*program)[v], copy);
    noteAddresses((*program)[v]);
  }
}

void VariableCopy::leaveOut(const char *before) {
  for (uint64_t v = 0; v < program->size(); ++v) {
    const ProgramVariable &variable = (*program)[v];
    for (uint64_t i = 0; (i = firstDifferent(variable, before, i)) < variable.size; ++i)
      left[(variable.copiedAt + i) / 8] |= uint8_t(1u << (variable.copiedAt + i) % 8);
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
    while (i + kPiece <= variable.size && !memcmp(serial + i, variable.start + i, kPiece))
      i += kPiece;
    bool isLeft = left[(variable.copiedAt + i) / 8] >> (variable.copiedAt + i) % 8 & 1;
    if (i < variable.size && serial[i] != variable.start[i] && !isLeft)
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
  if (serial[unit] == variable.start[unit])
    return true;
  if ((variable.copiedAt + unit) % 8 == 0 || variable.size % 8)
    return false;
  int32_t before, now;
  memcpy(&before, serial + unit, kUnit);
  memcpy(&now, variable.start + unit, kUnit);
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
    uint64_t before = isWhole ? wordAt(serial + word) : 0, now = isWhole ? wordAt(variable.start + word) : 0;
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
  difference.areDoubles = isWhole && isDouble(wordAt(serial + word)) && isDouble(wordAt(variable.start + word));
  bool isNumber = variable.size == 1 || variable.size == 2 || variable.size == 8;
  uint64_t size = difference.areDoubles ? 8 : isNumber ? variable.size : 4;
  uint64_t at = difference.areDoubles ? word : offset / size * size;
  if (at + size > variable.size)
    at = offset, size = 1;
  difference.offset = offset;
  difference.size = uint32_t(size);
  difference.valueAt = at;
  memcpy(&difference.serial, serial + at, size);
  memcpy(&difference.found, variable.start + at, size);
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
