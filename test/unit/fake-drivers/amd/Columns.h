// Executes operations that are functions of C++, for a scalar or for all lanes of a wavefront. Types of a function's
// parameters and of its result say how operands are read and written:
//
//   uint32_t, float, int64_t, ...   the next operand
//   bool                            of a lane: its bit in the next operand, or in vcc if there is none
//   Old<T>                          the register of the result, before
//   WithMask<T>                     (result) the first operand, and the lane's bit in the second one
//   Flagged<T>                      (result of a scalar operation) the first operand and scc
//   Flag                            scc
#ifndef CILK2GPU_TEST_UNIT_FAKE_DRIVERS_AMD_COLUMNS_H
#define CILK2GPU_TEST_UNIT_FAKE_DRIVERS_AMD_COLUMNS_H

#include "Wave.h"

#include <bit>
#include <string.h>
#include <tuple>
#include <type_traits>
#include <utility>

namespace cilk2gpu::test::amd {

using Half = _Float16;

template <class T> struct Old {
  T value;
};
template <class T> struct WithMask {
  T value;
  bool mask;
};
template <class T> struct Flagged {
  T value;
  bool flag;
};
struct Flag {
  bool value;
};

template <size_t Bytes>
using BitsOf = std::conditional_t<Bytes == 8, uint64_t, std::conditional_t<Bytes == 4, uint32_t, uint16_t>>;
template <class T> inline constexpr bool isNumber = std::is_floating_point_v<T> || std::is_same_v<T, Half>;

/// Returns the bits of a constant operand of the given width, in bytes. `isFloat`: the operation is on numbers;
/// `isSigned`: literals are extended with their sign.
uint64_t constantBits(const Operand &operand, unsigned bytes, bool isFloat, bool isSigned);

/// Read an operand for all lanes, as bits; of a part of a register as SDWA or op_sel say.
void readColumn(const Wave &wave, const Operand &operand, bool isHigh, bool isFloat, bool isSigned, uint64_t *column);
void readColumn(const Wave &wave, const Operand &operand, bool isHigh, bool isFloat, bool isSigned, uint32_t *column);
void readColumn(const Wave &wave, const Operand &operand, bool isHigh, bool isFloat, bool isSigned, uint16_t *column);

/// Write the result's bits in the given lanes.
void writeColumn(Wave &wave, const Instruction &instruction, const uint64_t *column, uint64_t lanes);
void writeColumn(Wave &wave, const Instruction &instruction, const uint32_t *column, uint64_t lanes);
void writeColumn(Wave &wave, const Instruction &instruction, const uint16_t *column, uint64_t lanes);

/// Reads the bits of an operand that has one for each lane.
uint64_t readMask(const Wave &wave, const Instruction &instruction, unsigned operand);

/// Moves values between lanes, and takes lanes from `active` that write nothing then.
void exchange(const Exchange &how, uint64_t exec, unsigned lanes, uint64_t *column, uint64_t &active);
void exchange(const Exchange &how, uint64_t exec, unsigned lanes, uint32_t *column, uint64_t &active);
void exchange(const Exchange &how, uint64_t exec, unsigned lanes, uint16_t *column, uint64_t &active);

/// Applies output modifiers, and flushes subnormal results if the wavefront does so.
float finish(float value, const Wave &wave, const Instruction &instruction);
double finish(double value, const Wave &wave, const Instruction &instruction);
Half finish(Half value, const Wave &wave, const Instruction &instruction);

template <class T> T readScalar(const Wave &wave, const Operand &operand) {
  using Bits = BitsOf<sizeof(T)>;
  uint64_t bits = operand.kind == Operand::Scalar
                      ? (sizeof(T) == 8 ? wave.pair(operand.first) : wave.scalars[operand.first])
                      : constantBits(operand, sizeof(T), isNumber<T>, std::is_signed_v<T>);
  return std::bit_cast<T>(Bits(bits));
}

inline void writeScalar(Wave &wave, const Operand &operand, uint64_t bits, unsigned bytes) {
  if (operand.first == kNull)
    return;
  wave.scalars[operand.first] = uint32_t(bits);
  if (bytes == 8)
    wave.scalars[operand.first + 1] = uint32_t(bits >> 32);
}

//===-- Vectors ---------------------------------------------------------------------------------------------------===//

template <class T> struct Column {
  static constexpr unsigned kOperands = 1;
  T values[kMostLanes];

  void read(const Wave &wave, const Instruction &instruction, unsigned operand, unsigned source, uint64_t &active) {
    BitsOf<sizeof(T)> bits[kMostLanes];
    bool isHigh = instruction.opSel >> source & 1;
    readColumn(wave, instruction.operands[operand], isHigh, isNumber<T>, std::is_signed_v<T>, bits);
    if (instruction.exchange.kind && !source)
      exchange(instruction.exchange, wave.exec(), wave.size(), bits, active);
    if constexpr (std::is_same_v<T, float>)
      if (!(wave.mode >> 4 & 1))
        for (auto &each : bits)
          if (!(each & 0x7f800000))
            each &= 0x80000000;
    memcpy(values, bits, sizeof values);
  }
  T operator[](unsigned lane) const { return values[lane]; }
};

template <> struct Column<bool> {
  static constexpr unsigned kOperands = 1;
  uint64_t mask;
  void read(const Wave &wave, const Instruction &instruction, unsigned operand, unsigned, uint64_t &) {
    mask = readMask(wave, instruction, operand);
  }
  bool operator[](unsigned lane) const { return mask >> lane & 1; }
};

template <class T> struct Column<Old<T>> {
  static constexpr unsigned kOperands = 0;
  Column<T> column;
  void read(const Wave &wave, const Instruction &instruction, unsigned, unsigned, uint64_t &active) {
    uint64_t ignored = active;
    column.read(wave, instruction, 0, 7, ignored);
  }
  Old<T> operator[](unsigned lane) const { return {column[lane]}; }
};

template <class T> void store(Wave &wave, const Instruction &instruction, const T *values, uint64_t active) {
  BitsOf<sizeof(T)> bits[kMostLanes];
  for (unsigned lane = 0; lane < kMostLanes; ++lane) {
    T value = values[lane];
    if constexpr (isNumber<T>)
      value = finish(value, wave, instruction);
    bits[lane] = std::bit_cast<BitsOf<sizeof(T)>>(value);
  }
  writeColumn(wave, instruction, bits, active);
}

/// How results are collected and written.
template <class R> struct Result {
  static constexpr unsigned kOperands = 1;
  R values[kMostLanes];
  void set(unsigned lane, R value) { values[lane] = value; }
  void write(Wave &wave, const Instruction &instruction, uint64_t active) { store(wave, instruction, values, active); }
};
template <> struct Result<bool> {
  static constexpr unsigned kOperands = 1;
  uint64_t mask = 0;
  void set(unsigned lane, bool value) { mask |= uint64_t(value) << lane; }
  void write(Wave &wave, const Instruction &instruction, uint64_t active) {
    wave.setMask(instruction.operands[0].first, mask & active);
  }
};
template <class T> struct Result<WithMask<T>> {
  static constexpr unsigned kOperands = 2;
  Result<T> value;
  uint64_t mask = 0;
  void set(unsigned lane, WithMask<T> both) {
    value.set(lane, both.value);
    mask |= uint64_t(both.mask) << lane;
  }
  void write(Wave &wave, const Instruction &instruction, uint64_t active) {
    value.write(wave, instruction, active);
    wave.setMask(instruction.operands[1].first, mask & active);
  }
};

template <auto Operation, class R, class... Ps, size_t... Is>
void runLanes(Wave &wave, const Instruction &instruction, R (*)(Ps...), std::index_sequence<Is...>) {
  uint64_t active = wave.exec();
  std::tuple<Column<Ps>...> columns;
  unsigned source = 0;
  auto read = [&](auto &column) {
    using C = std::remove_reference_t<decltype(column)>;
    column.read(wave, instruction, Result<R>::kOperands + source, source, active);
    source += C::kOperands;
  };
  (read(std::get<Is>(columns)), ...);
  Result<R> result;
  for (unsigned lane = 0; lane < kMostLanes; ++lane)
    result.set(lane, Operation(std::get<Is>(columns)[lane]...));
  result.write(wave, instruction, active);
}

template <class R, class... Ps> constexpr auto indicesOf(R (*)(Ps...)) { return std::index_sequence_for<Ps...>(); }

/// Executes an operation in all active lanes.
template <auto Operation> void lanes(Wave &wave, const Instruction &instruction) {
  constexpr auto pointer = +Operation;
  runLanes<Operation>(wave, instruction, pointer, indicesOf(pointer));
}

//===-- Scalars ---------------------------------------------------------------------------------------------------===//

/// Reads a number with the operand's modifiers.
template <class T> T readNumber(const Wave &wave, const Operand &operand) {
  T value = readScalar<T>(wave, operand);
  if constexpr (isNumber<T>) {
    using Bits = BitsOf<sizeof(T)>;
    constexpr auto kSign = Bits(Bits(1) << (8 * sizeof(T) - 1));
    auto bits = Bits(std::bit_cast<Bits>(value) & (operand.isAbsolute ? Bits(~kSign) : Bits(~Bits(0))));
    value = std::bit_cast<T>(Bits(bits ^ (operand.isNegated ? kSign : Bits(0))));
  }
  return value;
}

template <class T> struct Parameter {
  static T read(const Wave &wave, const Instruction &instruction, unsigned &operand) {
    return readNumber<T>(wave, instruction.operands[operand++]);
  }
};
template <> struct Parameter<Flag> {
  static Flag read(const Wave &wave, const Instruction &, unsigned &) { return {wave.scalars[kScc] != 0}; }
};
template <class T> struct Parameter<Old<T>> {
  static Old<T> read(const Wave &wave, const Instruction &instruction, unsigned &) {
    return {readScalar<T>(wave, instruction.operands[0])};
  }
};

template <class R> void writeResult(Wave &wave, const Instruction &instruction, R value) {
  if constexpr (isNumber<R>)
    value = finish(value, wave, instruction);
  writeScalar(wave, instruction.operands[0], std::bit_cast<BitsOf<sizeof(R)>>(value), sizeof(R));
}
inline void writeResult(Wave &wave, const Instruction &, Flag value) { wave.scalars[kScc] = value.value; }
template <class T> void writeResult(Wave &wave, const Instruction &instruction, Flagged<T> value) {
  writeResult(wave, instruction, value.value);
  wave.scalars[kScc] = value.flag;
}

template <auto Operation, class R, class... Ps>
void runScalar(Wave &wave, const Instruction &instruction, R (*)(Ps...)) {
  unsigned operand = std::is_same_v<R, Flag> ? 0 : 1;
  std::tuple<Ps...> values{Parameter<Ps>::read(wave, instruction, operand)...}; // braces: from left to right
  writeResult(wave, instruction, std::apply(Operation, values));
}

/// Executes an operation on scalars.
template <auto Operation> void scalar(Wave &wave, const Instruction &instruction) {
  runScalar<Operation>(wave, instruction, +Operation);
}

} // namespace cilk2gpu::test::amd

#endif // CILK2GPU_TEST_UNIT_FAKE_DRIVERS_AMD_COLUMNS_H
