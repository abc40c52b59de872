// See Columns.h.
#include "Columns.h"

#include <algorithm>
#include <math.h>

namespace cilk2gpu::test::amd {

//===-- Constants -------------------------------------------------------------------------------------------------===//

static uint64_t numberBits(double number, unsigned bytes) {
  constexpr double kShortText = 0.15915494; // 1/(2*pi), as LLVM prints it
  bool isInverse = fabs(number - kShortText) < 1e-7;
  if (bytes == 8)
    return isInverse ? 0x3fc45f306dc9c882 : std::bit_cast<uint64_t>(number);
  if (bytes == 4)
    return isInverse ? 0x3e22f983 : std::bit_cast<uint32_t>(float(number));
  return isInverse ? 0x3118 : std::bit_cast<uint16_t>(Half(number));
}

uint64_t constantBits(const Operand &operand, unsigned bytes, bool isFloat, bool isSigned) {
  if (operand.kind == Operand::Number)
    return numberBits(operand.number, bytes);
  if (operand.kind != Operand::Literal || bytes != 8)
    return uint64_t(operand.value);
  if (isFloat)
    return uint64_t(operand.value) << 32;
  return isSigned ? uint64_t(int64_t(int32_t(operand.value))) : uint64_t(operand.value);
}

//===-- Reading ---------------------------------------------------------------------------------------------------===//

template <class Bits> static void applyModifiers(const Operand &operand, Bits *column) {
  constexpr auto kSign = Bits(Bits(1) << (8 * sizeof(Bits) - 1));
  Bits keep = operand.isAbsolute ? Bits(~kSign) : Bits(~Bits(0)), flip = operand.isNegated ? kSign : Bits(0);
  for (unsigned lane = 0; lane < kMostLanes; ++lane)
    column[lane] = Bits((column[lane] & keep) ^ flip);
}

static uint32_t select(uint32_t value, Part part, bool isSigned) {
  unsigned number = unsigned(part);
  if (part >= Part::Word0) {
    value = value >> 16 * (number - unsigned(Part::Word0)) & 0xffff;
    return isSigned ? uint32_t(int32_t(int16_t(value))) : value;
  }
  value = value >> 8 * (number - unsigned(Part::Byte0)) & 0xff;
  return isSigned ? uint32_t(int32_t(int8_t(value))) : value;
}

/// Returns the register's values in all lanes; a pointer to `storage` if they are of a scalar.
static const uint32_t *wordsOf(const Wave &wave, const Operand &operand, unsigned word, bool isFloat, bool isSigned,
                               unsigned bytes, uint32_t *storage) {
  if (operand.kind == Operand::Vector)
    return wave.vectors[operand.first + word];
  uint64_t value = operand.kind == Operand::Scalar ? wave.scalars[operand.first + word]
                                                   : constantBits(operand, bytes, isFloat, isSigned) >> 32 * word;
  std::fill_n(storage, kMostLanes, uint32_t(value));
  return storage;
}

void readColumn(const Wave &wave, const Operand &operand, bool, bool isFloat, bool isSigned, uint64_t *column) {
  uint32_t lowStorage[kMostLanes], highStorage[kMostLanes];
  const uint32_t *low = wordsOf(wave, operand, 0, isFloat, isSigned, 8, lowStorage);
  const uint32_t *high = wordsOf(wave, operand, 1, isFloat, isSigned, 8, highStorage);
  for (unsigned lane = 0; lane < kMostLanes; ++lane)
    column[lane] = low[lane] | uint64_t(high[lane]) << 32;
  if (operand.isAbsolute || operand.isNegated)
    applyModifiers(operand, column);
}

void readColumn(const Wave &wave, const Operand &operand, bool, bool isFloat, bool isSigned, uint32_t *column) {
  const uint32_t *words = wordsOf(wave, operand, 0, isFloat, isSigned, 4, column);
  if (words != column)
    std::copy_n(words, kMostLanes, column);
  if (operand.part != Part::All || operand.half >= 0) {
    Part part = operand.half >= 0 ? (operand.half ? Part::Word1 : Part::Word0) : operand.part;
    for (unsigned lane = 0; lane < kMostLanes; ++lane)
      column[lane] = select(column[lane], part, operand.isSignExtended);
  }
  if (operand.isAbsolute || operand.isNegated)
    applyModifiers(operand, column);
}

void readColumn(const Wave &wave, const Operand &operand, bool isHigh, bool isFloat, bool isSigned, uint16_t *column) {
  uint32_t storage[kMostLanes];
  const uint32_t *words = wordsOf(wave, operand, 0, isFloat, isSigned, 2, storage);
  bool takesHigh = operand.half >= 0 ? operand.half : isHigh;
  bool hasPart = operand.part != Part::All;
  for (unsigned lane = 0; lane < kMostLanes; ++lane)
    column[lane] = uint16_t(hasPart ? select(words[lane], operand.part, operand.isSignExtended)
                                    : words[lane] >> (takesHigh ? 16 : 0));
  if (operand.isAbsolute || operand.isNegated)
    applyModifiers(operand, column);
}

uint64_t readMask(const Wave &wave, const Instruction &instruction, unsigned operand) {
  if (operand >= instruction.count)
    return wave.mask(kVcc);
  const Operand &source = instruction.operands[operand];
  if (source.kind != Operand::Scalar)
    return constantBits(source, 8, false, true);
  return wave.mask(source.first);
}

//===-- Writing ---------------------------------------------------------------------------------------------------===//

template <class Change> static void eachLane(uint64_t lanes, Change change) {
  for (; lanes; lanes &= lanes - 1)
    change(unsigned(std::countr_zero(lanes)));
}

void writeColumn(Wave &wave, const Instruction &instruction, const uint64_t *column, uint64_t lanes) {
  uint32_t (*words)[kMostLanes] = wave.vectors + instruction.operands[0].first;
  eachLane(lanes, [&](unsigned lane) {
    words[0][lane] = uint32_t(column[lane]);
    words[1][lane] = uint32_t(column[lane] >> 32);
  });
}

static void writePart(Wave &wave, const Instruction &instruction, const uint32_t *column, uint64_t lanes) {
  const Operand &result = instruction.operands[0];
  unsigned number = unsigned(result.part);
  bool isWord = result.part >= Part::Word0;
  unsigned shift = isWord ? 16 * (number - unsigned(Part::Word0)) : 8 * (number - unsigned(Part::Byte0));
  uint32_t mask = (isWord ? 0xffffu : 0xffu) << shift;
  eachLane(lanes, [&](unsigned lane) {
    uint32_t &word = wave.vectors[result.first][lane], value = column[lane] << shift & mask;
    uint32_t sign = mask & ~(mask >> 1), above = ~(mask | (mask - 1));
    uint32_t rest = instruction.keepsRest ? word & ~mask : instruction.signExtendsRest && (value & sign) ? above : 0;
    word = value | rest;
  });
}

void writeColumn(Wave &wave, const Instruction &instruction, const uint32_t *column, uint64_t lanes) {
  const Operand &result = instruction.operands[0];
  if (result.part != Part::All)
    return writePart(wave, instruction, column, lanes);
  uint32_t *words = wave.vectors[result.first];
  if (lanes == ~uint64_t(0)) {
    std::copy_n(column, kMostLanes, words);
    return;
  }
  eachLane(lanes, [&](unsigned lane) { words[lane] = column[lane]; });
}

/// Writes halves of registers. Before gfx10, most instructions clear the other half (ISA, "16-bit operations"); with
/// op_sel and on later processors, it stays.
void writeColumn(Wave &wave, const Instruction &instruction, const uint16_t *column, uint64_t lanes) {
  const Operand &result = instruction.operands[0];
  if (result.part != Part::All) {
    uint32_t wide[kMostLanes];
    std::copy_n(column, kMostLanes, wide);
    return writePart(wave, instruction, wide, lanes);
  }
  unsigned resultBit = instruction.count - 1;
  bool isHigh = result.half >= 0 ? result.half : instruction.hasOpSel && (instruction.opSel >> resultBit & 1);
  bool clears = wave.code->target.major < 10 && !instruction.hasOpSel && !instruction.name.starts_with("v_fma_") &&
                !instruction.name.starts_with("v_mad_") && !instruction.name.starts_with("v_div_fixup");
  unsigned shift = isHigh ? 16 : 0;
  eachLane(lanes, [&](unsigned lane) {
    uint32_t &word = wave.vectors[result.first][lane];
    word = (clears ? 0 : word & ~(0xffffu << shift)) | uint32_t(column[lane]) << shift;
  });
}

//===-- Numbers ---------------------------------------------------------------------------------------------------===//

template <class T> static T modify(T value, const Instruction &instruction) {
  if (instruction.scale)
    value = T(value * T(instruction.scale == 2 ? 4 : instruction.scale == 1 ? 2 : 0.5));
  if (instruction.clamps)
    value = value > T(0) ? (value < T(1) ? value : T(1)) : T(0); // a value that is not a number becomes 0
  return value;
}

float finish(float value, const Wave &wave, const Instruction &instruction) {
  if (instruction.scale || instruction.clamps)
    value = modify(value, instruction);
  if (wave.flushes32() && !(std::bit_cast<uint32_t>(value) & 0x7f800000))
    return copysignf(0, value);
  return value;
}

double finish(double value, const Wave &, const Instruction &instruction) { return modify(value, instruction); }
Half finish(Half value, const Wave &, const Instruction &instruction) { return modify(value, instruction); }

//===-- Exchanges -------------------------------------------------------------------------------------------------===//

/// Returns the lane that lane `lane` reads, or -1 ("DPP: Data Parallel Primitives").
static int sourceOf(const Exchange &how, unsigned lane) {
  int row = int(lane & ~15u), inRow = int(lane & 15), amount = how.amount;
  switch (how.kind) {
  case Exchange::QuadPerm:
    return int(lane & ~3u) + how.lanes[lane & 3];
  case Exchange::RowShl:
    return inRow + amount < 16 ? int(lane) + amount : -1;
  case Exchange::RowShr:
    return inRow >= amount ? int(lane) - amount : -1;
  case Exchange::RowRor:
    return row + ((inRow - amount) & 15);
  case Exchange::WaveShr:
    return int(lane) - 1;
  case Exchange::RowMirror:
    return row + 15 - inRow;
  case Exchange::RowHalfMirror:
    return int(lane & ~7u) + 7 - int(lane & 7);
  case Exchange::RowBroadcast15:
    return lane >= 16 ? row - 1 : -1;
  case Exchange::RowBroadcast31:
    return lane >= 32 ? 31 : -1;
  case Exchange::RowShare:
    return row + amount;
  case Exchange::RowXmask:
    return row + (inRow ^ amount);
  case Exchange::Dpp8:
    return int(lane & ~7u) + how.lanes[lane & 7];
  case Exchange::None:
    break;
  }
  return int(lane);
}

template <class Bits>
static void move(const Exchange &how, uint64_t exec, unsigned lanes, Bits *column, uint64_t &active) {
  Bits before[kMostLanes];
  std::copy_n(column, kMostLanes, before);
  for (unsigned lane = 0; lane < lanes; ++lane) {
    int source = sourceOf(how, lane);
    bool isValid = source >= 0 && (how.readsInactive || (exec >> source & 1));
    bool isIn = (how.rowMask >> (lane / 16) & 1) && (how.bankMask >> (lane / 4 % 4) & 1);
    column[lane] = isValid ? before[source] : Bits(0);
    if (!isIn || (!isValid && !how.zeroesInvalid))
      active &= ~(uint64_t(1) << lane);
  }
}

void exchange(const Exchange &how, uint64_t exec, unsigned lanes, uint64_t *column, uint64_t &active) {
  move(how, exec, lanes, column, active);
}
void exchange(const Exchange &how, uint64_t exec, unsigned lanes, uint32_t *column, uint64_t &active) {
  move(how, exec, lanes, column, active);
}
void exchange(const Exchange &how, uint64_t exec, unsigned lanes, uint16_t *column, uint64_t &active) {
  move(how, exec, lanes, column, active);
}

} // namespace cilk2gpu::test::amd
