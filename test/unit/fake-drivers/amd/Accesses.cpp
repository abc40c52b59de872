// Instructions that read and write memory: flat, global, scratch and buffer accesses, the local data share, and scalar
// loads. Every access is checked: it must be in the memory that its address space has.
#include "Columns.h"
#include "Memory.h"
#include "Tables.h"

#include <algorithm>
#include <span>

namespace cilk2gpu::test::amd {

//===-- Places ----------------------------------------------------------------------------------------------------===//

static constexpr uint64_t kWindow = uint64_t(1) << 32; ///< bytes of an aperture

unsigned char *globalMemory(const Wave &wave, uint64_t address, unsigned bytes, bool writes) {
  if (address - kSharedAperture < kWindow || address - kPrivateAperture < kWindow)
    wave.fail("an access of global memory is to memory of a lane or of a workgroup");
  auto *memory = reinterpret_cast<unsigned char *>(address);
  bool isOfImage = address >= wave.shape->imageStart && address + bytes <= wave.shape->imageEnd;
  if (wave.shape->access && !isOfImage)
    wave.shape->access(memory, bytes, writes);
  return memory;
}

unsigned char *privateMemory(const Wave &wave, unsigned lane, uint64_t offset, unsigned bytes) {
  if (offset > wave.shape->privateBytes || bytes > wave.shape->privateBytes - offset)
    wave.fail("an access of private memory is beyond it");
  return wave.privateOf(lane) + offset;
}

unsigned char *sharedMemory(const Wave &wave, uint64_t offset, unsigned bytes) {
  uint64_t size = wave.group->shared.size();
  if (offset > size || bytes > size - offset)
    wave.fail("an access of shared memory is beyond it");
  return wave.group->shared.data() + offset;
}

unsigned char *flatMemory(const Wave &wave, unsigned lane, uint64_t address, unsigned bytes, bool writes) {
  if (address - kSharedAperture < kWindow)
    return sharedMemory(wave, address - kSharedAperture, bytes);
  if (address - kPrivateAperture >= kWindow)
    return globalMemory(wave, address, bytes, writes);
  // Before they had registers of their own, wavefronts had to set flat_scratch.
  if (!wave.code->target.hasArchitectedScratch && wave.pair(kFlatScratch) != wave.scratchBase)
    wave.fail("flat_scratch does not name the wavefront's private memory");
  return privateMemory(wave, lane, address - kPrivateAperture, bytes);
}

namespace {

/// Operands that name the place of an access, of which some are missing.
struct Place {
  const Operand *vector = nullptr, *scalar = nullptr, *resource = nullptr;
};

uint64_t scalarOf(const Wave &wave, const Operand *operand) {
  if (!operand || operand->kind == Operand::Off || (operand->kind == Operand::Scalar && operand->first == kNull))
    return 0;
  return operand->words == 2 ? wave.pair(operand->first) : readScalar<uint32_t>(wave, *operand);
}

uint64_t vectorOf(const Wave &wave, const Operand *operand, unsigned lane) {
  if (!operand || operand->kind != Operand::Vector)
    return 0;
  uint64_t low = wave.vectors[operand->first][lane];
  return operand->words == 2 ? low | uint64_t(wave.vectors[operand->first + 1][lane]) << 32 : low;
}

/// Returns the offset in private memory of a buffer access. The buffer must be the wavefront's scratch memory, and the
/// scalar offset, which counts the bytes of all lanes, whole words of them ("Private Segment Buffer").
uint64_t bufferOffset(const Wave &wave, const Instruction &instruction, const Place &place, unsigned lane) {
  uint64_t base = wave.pair(place.resource->first) & ((uint64_t(1) << 48) - 1);
  if (base != wave.scratchBase)
    wave.fail("a buffer is not the wavefront's private memory");
  uint64_t scalar = scalarOf(wave, place.scalar), word = 4 * wave.size();
  if (scalar % word)
    wave.fail("a stack pointer is not aligned");
  uint64_t vector = instruction.access.hasVectorOffset ? vectorOf(wave, place.vector, lane) : 0;
  return scalar / wave.size() + vector + uint64_t(instruction.access.offset);
}

unsigned char *resolve(const Wave &wave, const Instruction &instruction, const Place &place, unsigned lane,
                       int64_t offset, unsigned bytes, bool writes) {
  switch (instruction.access.space) {
  case Space::Buffer:
    return privateMemory(wave, lane, bufferOffset(wave, instruction, place, lane), bytes);
  case Space::Lds:
    return sharedMemory(wave, uint32_t(vectorOf(wave, place.vector, lane) + uint64_t(offset)), bytes);
  case Space::Scratch: {
    uint64_t sum = scalarOf(wave, place.scalar) + vectorOf(wave, place.vector, lane) + uint64_t(offset);
    return privateMemory(wave, lane, uint32_t(sum), bytes);
  }
  default:
    break;
  }
  uint64_t address = scalarOf(wave, place.scalar) + vectorOf(wave, place.vector, lane) + uint64_t(offset);
  return instruction.access.space == Space::Flat ? flatMemory(wave, lane, address, bytes, writes)
                                                 : globalMemory(wave, address, bytes, writes);
}

/// Returns the operands of the place. `first` is the number of the address operand, `data` is between it and the rest.
Place placeOf(const Instruction &instruction, unsigned address, unsigned next) {
  Place place;
  place.vector = &instruction.operands[address];
  if (instruction.access.space == Space::Buffer) {
    place.resource = &instruction.operands[next];
    place.scalar = &instruction.operands[next + 1];
  } else if (next < instruction.count) {
    place.scalar = &instruction.operands[next];
  }
  return place;
}

template <class Each> void eachLane(uint64_t lanes, Each each) {
  for (; lanes; lanes &= lanes - 1)
    each(unsigned(std::countr_zero(lanes)));
}

//===-- Loads and stores ------------------------------------------------------------------------------------------===//

/// Copies as other threads expect it: aligned words are read and written at once.
void copyWords(unsigned char *to, const unsigned char *from, unsigned bytes, const unsigned char *memory) {
  auto address = uint64_t(reinterpret_cast<uintptr_t>(memory));
  unsigned step = address % 8 == 0 && bytes % 8 == 0 ? 8 : address % 4 == 0 && bytes % 4 == 0 ? 4 : 0;
  if (step == 8)
    for (unsigned i = 0; i < bytes; i += 8)
      __atomic_store_n(reinterpret_cast<uint64_t *>(to + i),
                       __atomic_load_n(reinterpret_cast<const uint64_t *>(from + i), __ATOMIC_RELAXED),
                       __ATOMIC_RELAXED);
  else if (step == 4)
    for (unsigned i = 0; i < bytes; i += 4)
      __atomic_store_n(reinterpret_cast<uint32_t *>(to + i),
                       __atomic_load_n(reinterpret_cast<const uint32_t *>(from + i), __ATOMIC_RELAXED),
                       __ATOMIC_RELAXED);
  else
    memcpy(to, from, bytes);
}

/// Writes what was read to registers; less than a word is extended, or goes to a half of the register.
void putLoaded(Wave &wave, const Access &access, unsigned first, unsigned lane, const uint32_t *words) {
  if (access.bytes >= 4) {
    for (unsigned i = 0; i < access.bytes / 4u; ++i)
      wave.vectors[first + i][lane] = words[i];
    return;
  }
  uint32_t value = words[0] & (access.bytes == 1 ? 0xff : 0xffff);
  if (access.isSigned)
    value = access.bytes == 1 ? uint32_t(int32_t(int8_t(value))) : uint32_t(int32_t(int16_t(value)));
  uint32_t &word = wave.vectors[first][lane];
  if (access.half < 0)
    word = value;
  else if (access.half)
    word = (word & 0xffff) | value << 16;
  else
    word = (word & 0xffff0000) | (value & 0xffff);
}

void load(Wave &wave, const Instruction &instruction) {
  Place place = placeOf(instruction, 1, 2);
  const Access &access = instruction.access;
  alignas(16) uint32_t loaded[kMostLanes][4] = {}; // a result may replace the address
  eachLane(wave.exec(), [&](unsigned lane) {
    unsigned char *memory = resolve(wave, instruction, place, lane, access.offset, access.bytes, false);
    copyWords(reinterpret_cast<unsigned char *>(loaded[lane]), memory, access.bytes, memory);
  });
  eachLane(wave.exec(),
           [&](unsigned lane) { putLoaded(wave, access, instruction.operands[0].first, lane, loaded[lane]); });
}

/// Stores have the data behind the address; buffers, and scratch memory at a scalar address, the other way round.
void store(Wave &wave, const Instruction &instruction) {
  const Access &access = instruction.access;
  bool isBuffer = access.space == Space::Buffer;
  const Operand &data = instruction.operands[isBuffer ? 0 : 1];
  Place place = placeOf(instruction, isBuffer ? 1 : 0, 2);
  eachLane(wave.exec(), [&](unsigned lane) {
    alignas(16) uint32_t words[4];
    for (unsigned i = 0; i < (access.bytes + 3) / 4u; ++i)
      words[i] = wave.vectors[data.first + i][lane];
    if (access.half == 1)
      words[0] >>= 16;
    unsigned char *memory = resolve(wave, instruction, place, lane, access.offset, access.bytes, true);
    copyWords(memory, reinterpret_cast<unsigned char *>(words), access.bytes, memory);
  });
}

/// Accesses of two elements in shared memory.
void loadTwo(Wave &wave, const Instruction &instruction) {
  Place place = placeOf(instruction, 1, instruction.count);
  const Access &access = instruction.access;
  alignas(16) uint32_t loaded[kMostLanes][4];
  eachLane(wave.exec(), [&](unsigned lane) {
    for (unsigned i = 0; i < 2; ++i)
      memcpy(loaded[lane] + i * access.bytes / 4,
             resolve(wave, instruction, place, lane, i ? access.offset1 : access.offset, access.bytes, false),
             access.bytes);
  });
  Access both = access;
  both.bytes *= 2;
  eachLane(wave.exec(),
           [&](unsigned lane) { putLoaded(wave, both, instruction.operands[0].first, lane, loaded[lane]); });
}

void storeTwo(Wave &wave, const Instruction &instruction) {
  Place place = placeOf(instruction, 0, instruction.count);
  const Access &access = instruction.access;
  for (unsigned i = 0; i < 2; ++i)
    eachLane(wave.exec(), [&](unsigned lane) {
      uint32_t words[2];
      for (unsigned word = 0; word < access.bytes / 4u; ++word)
        words[word] = wave.vectors[instruction.operands[1 + i].first + word][lane];
      memcpy(resolve(wave, instruction, place, lane, i ? access.offset1 : access.offset, access.bytes, true), words,
             access.bytes);
    });
}

/// Scalar loads read whole words at an address whose lowest two bits are dropped.
void scalarLoad(Wave &wave, const Instruction &instruction) {
  const Access &access = instruction.access;
  uint64_t address = wave.pair(instruction.operands[1].first) + uint64_t(access.offset);
  const Operand &offset = instruction.operands[2];
  if (instruction.count > 2)
    address += offset.kind == Operand::Scalar ? scalarOf(wave, &offset) : uint64_t(offset.value);
  if (access.bytes >= 4)
    address &= ~uint64_t(3);
  const unsigned char *memory = globalMemory(wave, address, access.bytes, false);
  unsigned first = instruction.operands[0].first;
  if (access.bytes < 4) {
    uint32_t value = access.bytes == 1 ? memory[0] : memory[0] | uint32_t(memory[1]) << 8;
    if (access.isSigned)
      value = access.bytes == 1 ? uint32_t(int32_t(int8_t(value))) : uint32_t(int32_t(int16_t(value)));
    wave.scalars[first] = value;
    return;
  }
  for (unsigned i = 0; i < access.bytes / 4u; ++i)
    wave.scalars[first + i] = __atomic_load_n(reinterpret_cast<const uint32_t *>(memory) + i, __ATOMIC_RELAXED);
}

//===-- Atomic operations -----------------------------------------------------------------------------------------===//

template <class Word> uint64_t update(unsigned char *memory, const Instruction &instruction, const uint64_t *data) {
  auto *word = reinterpret_cast<Word *>(memory);
  Word old = __atomic_load_n(word, __ATOMIC_SEQ_CST), wanted;
  do
    wanted = Word(instruction.combine(old, data));
  while (!__atomic_compare_exchange_n(word, &old, wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  return old;
}

void atomic(Wave &wave, const Instruction &instruction) {
  const Access &access = instruction.access;
  unsigned address = access.returns ? 1 : 0, data = address + 1, words = access.bytes / 4u;
  bool isLds = access.space == Space::Lds;
  Place place = placeOf(instruction, address, isLds ? instruction.count : data + 1);
  auto value = [&](unsigned first, unsigned lane) {
    return words == 2 ? wave.vectors[first][lane] | uint64_t(wave.vectors[first + 1][lane]) << 32
                      : wave.vectors[first][lane];
  };
  eachLane(wave.exec(), [&](unsigned lane) {
    unsigned char *memory = resolve(wave, instruction, place, lane, access.offset, access.bytes, true);
    if (uint64_t(reinterpret_cast<uintptr_t>(memory)) % access.bytes)
      wave.fail("an atomic operation is not aligned");
    // Operations that compare have a second value, in the next registers or the next operand.
    unsigned first = instruction.operands[data].first;
    unsigned second = isLds ? instruction.operands[data + 1].first : first + words;
    uint64_t values[2] = {value(first, lane), second + words <= kVectors ? value(second, lane) : 0};
    uint64_t old =
        words == 2 ? update<uint64_t>(memory, instruction, values) : update<uint32_t>(memory, instruction, values);
    if (!access.returns)
      return;
    wave.vectors[instruction.operands[0].first][lane] = uint32_t(old);
    if (words == 2)
      wave.vectors[instruction.operands[0].first + 1][lane] = uint32_t(old >> 32);
  });
}

template <auto Operation, class T> uint64_t combine(uint64_t old, const uint64_t *data, T (*)(T, T)) {
  using Bits = BitsOf<sizeof(T)>;
  T result = Operation(std::bit_cast<T>(Bits(old)), std::bit_cast<T>(Bits(data[0])));
  return std::bit_cast<Bits>(result);
}
template <auto Operation> uint64_t combined(uint64_t old, const uint64_t *data) {
  return combine<Operation>(old, data, +Operation);
}

struct AtomicRow {
  const char *global, *later, *shared; ///< names behind the prefix: gfx9 and gfx11 on; that behind ds_ for both
  uint8_t bytes;
  uint64_t (*combine)(uint64_t old, const uint64_t *data);
};

#define ATOMIC(old, later, shared, bits, T, expression)                                                                \
  {old, later, shared, bits / 8, combined<[](T a, T b) -> T { return expression; }>}
#define INTEGERS(bits, x2, U, I)                                                                                       \
  ATOMIC("swap" x2, "swap_b" #bits, "wrxchg_b" #bits " storexchg_b" #bits, bits, U, ((void)a, b)),                     \
      ATOMIC("add" x2, "add_u" #bits, "add_u" #bits, bits, U, a + b),                                                  \
      ATOMIC("sub" x2, "sub_u" #bits, "sub_u" #bits, bits, U, a - b),                                                  \
      ATOMIC("smin" x2, "min_i" #bits, "min_i" #bits, bits, I, std::min(a, b)),                                        \
      ATOMIC("umin" x2, "min_u" #bits, "min_u" #bits, bits, U, std::min(a, b)),                                        \
      ATOMIC("smax" x2, "max_i" #bits, "max_i" #bits, bits, I, std::max(a, b)),                                        \
      ATOMIC("umax" x2, "max_u" #bits, "max_u" #bits, bits, U, std::max(a, b)),                                        \
      ATOMIC("and" x2, "and_b" #bits, "and_b" #bits, bits, U, a &b),                                                   \
      ATOMIC("or" x2, "or_b" #bits, "or_b" #bits, bits, U, a | b),                                                     \
      ATOMIC("xor" x2, "xor_b" #bits, "xor_b" #bits, bits, U, a ^ b),                                                  \
      ATOMIC("inc" x2, "inc_u" #bits, "inc_u" #bits, bits, U, a >= b ? 0 : a + 1),                                     \
      ATOMIC("dec" x2, "dec_u" #bits, "dec_u" #bits, bits, U, !a || a > b ? b : a - 1)

/// Flat and global operations have the new value first, and ds_cmpst has the value to compare with first.
template <class U> uint64_t exchangeIfEqual(uint64_t old, const uint64_t *data) {
  return U(old) == U(data[1]) ? data[0] : old;
}
template <class U> uint64_t exchangeIfFirstEqual(uint64_t old, const uint64_t *data) {
  return U(old) == U(data[0]) ? data[1] : old;
}

const AtomicRow kAtomics[] = {
    INTEGERS(32, "", uint32_t, int32_t),
    INTEGERS(64, "_x2", uint64_t, int64_t),
    {"cmpswap", "cmpswap_b32", "cmpstore_b32", 4, exchangeIfEqual<uint32_t>},
    {"cmpswap_x2", "cmpswap_b64", "cmpstore_b64", 8, exchangeIfEqual<uint64_t>},
    {"", "", "cmpst_b32", 4, exchangeIfFirstEqual<uint32_t>},
    {"", "", "cmpst_b64", 8, exchangeIfFirstEqual<uint64_t>},
    ATOMIC("add_f32", "add_f32", "add_f32", 32, float, a + b),
    ATOMIC("add_f64", "add_f64", "add_f64", 64, double, a + b),
    ATOMIC("min_f32", "min_f32 min_num_f32", "min_f32 min_num_f32", 32, float, b < a || a != a ? b : a),
    ATOMIC("max_f32", "max_f32 max_num_f32", "max_f32 max_num_f32", 32, float, b > a || a != a ? b : a),
    ATOMIC("min_f64", "min_f64", "min_f64 min_num_f64", 64, double, b < a || a != a ? b : a),
    ATOMIC("max_f64", "max_f64", "max_f64 max_num_f64", 64, double, b > a || a != a ? b : a),
};

bool isAmong(std::string_view names, std::string_view name) {
  while (!names.empty()) {
    size_t end = std::min(names.find(' '), names.size());
    if (names.substr(0, end) == name)
      return true;
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return false;
}

bool findAtomic(std::string_view name, bool isShared, Instruction &instruction) {
  for (const AtomicRow &row : kAtomics) {
    bool isIt = isShared ? isAmong(row.shared, name) : row.global == name || isAmong(row.later, name);
    if (!isIt || name.empty())
      continue;
    instruction.access.bytes = row.bytes;
    instruction.combine = row.combine;
    instruction.execute = atomic;
    return true;
  }
  return false;
}

//===-- Names -----------------------------------------------------------------------------------------------------===//

struct WidthRow {
  const char *names;
  uint8_t bytes;
  bool isSigned;
  int8_t half;
};

const WidthRow kLoads[] = {
    {"ubyte u8", 1, false, -1},
    {"sbyte i8", 1, true, -1},
    {"ushort u16", 2, false, -1},
    {"sshort i16", 2, true, -1},
    {"dword b32", 4, false, -1},
    {"dwordx2 b64", 8, false, -1},
    {"dwordx3 b96", 12, false, -1},
    {"dwordx4 b128", 16, false, -1},
    {"dwordx8 b256", 32, false, -1},
    {"dwordx16 b512", 64, false, -1},
    {"ubyte_d16 d16_u8 u8_d16", 1, false, 0},
    {"sbyte_d16 d16_i8 i8_d16", 1, true, 0},
    {"short_d16 d16_b16 u16_d16", 2, false, 0},
    {"ubyte_d16_hi d16_hi_u8 u8_d16_hi", 1, false, 1},
    {"sbyte_d16_hi d16_hi_i8 i8_d16_hi", 1, true, 1},
    {"short_d16_hi d16_hi_b16 u16_d16_hi", 2, false, 1},
};

const WidthRow kStores[] = {
    {"byte b8", 1, false, -1},
    {"short b16", 2, false, -1},
    {"dword b32", 4, false, -1},
    {"dwordx2 b64", 8, false, -1},
    {"dwordx3 b96", 12, false, -1},
    {"dwordx4 b128", 16, false, -1},
    {"byte_d16_hi d16_hi_b8 b8_d16_hi", 1, false, 1},
    {"short_d16_hi d16_hi_b16 b16_d16_hi", 2, false, 1},
};

bool findWidth(std::span<const WidthRow> rows, std::string_view name, Instruction &instruction, Execute execute) {
  for (const WidthRow &row : rows) {
    if (!isAmong(row.names, name))
      continue;
    instruction.access.bytes = row.bytes;
    instruction.access.isSigned = row.isSigned;
    instruction.access.half = row.half;
    instruction.execute = execute;
    return true;
  }
  return false;
}

bool skip(std::string_view &text, std::string_view prefix) {
  if (!text.starts_with(prefix))
    return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// Accesses of two elements have offsets that count elements, or 64 of them.
bool findTwo(std::string_view name, Instruction &instruction) {
  bool loads = skip(name, "read2") || skip(name, "load_2addr");
  if (!loads && !skip(name, "write2") && !skip(name, "store_2addr"))
    return false;
  bool isFar = skip(name, "st64") || skip(name, "_stride64");
  if (name != "_b32" && name != "_b64")
    return false;
  Access &access = instruction.access;
  access.bytes = name == "_b32" ? 4 : 8;
  for (int64_t *offset : {&access.offset, &access.offset1})
    *offset *= access.bytes * (isFar ? 64 : 1);
  instruction.execute = loads ? loadTwo : storeTwo;
  return true;
}

bool findShared(std::string_view name, Instruction &instruction) {
  instruction.access.space = Space::Lds;
  if (findTwo(name, instruction))
    return true;
  std::string_view rest = name;
  if (skip(rest, "read_") || skip(rest, "load_"))
    return findWidth(kLoads, rest, instruction, load);
  if (skip(rest, "write_") || skip(rest, "store_"))
    return findWidth(kStores, rest, instruction, store);
  size_t at = name.find("_rtn");
  instruction.access.returns = at != std::string_view::npos;
  return findAtomic(at == std::string_view::npos ? std::string(name) : std::string(name).erase(at, 4), true,
                    instruction);
}

} // namespace

bool findAccess(Instruction &instruction) {
  std::string_view name = instruction.name;
  if (skip(name, "ds_"))
    return findShared(name, instruction);
  if (skip(name, "s_load_"))
    return findWidth(kLoads, name, instruction, scalarLoad);
  Space &space = instruction.access.space;
  if (skip(name, "global_"))
    space = Space::Global;
  else if (skip(name, "flat_"))
    space = Space::Flat;
  else if (skip(name, "scratch_"))
    space = Space::Scratch;
  else if (skip(name, "buffer_"))
    space = Space::Buffer;
  else
    return false;
  if (skip(name, "load_"))
    return findWidth(kLoads, name, instruction, load);
  if (skip(name, "store_"))
    return findWidth(kStores, name, instruction, store);
  return skip(name, "atomic_") && findAtomic(name, false, instruction);
}

} // namespace cilk2gpu::test::amd
