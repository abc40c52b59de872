// AMD's machine code as the fake HIP driver runs it. LLVM's disassembler decodes and prints an instruction. Mnemonics
// are those of AMD's ISA manuals, such as "AMD Instinct MI200 Instruction Set Architecture". Operands are described in
// LLVM's "Syntax of AMDGPU Instruction Operands". Tables by mnemonic give the meaning (Tables.h).
//
// Thread-safety: one thread executes a Code.
#ifndef CILK2GPU_TEST_UNIT_FAKE_DRIVERS_AMD_PROGRAM_H
#define CILK2GPU_TEST_UNIT_FAKE_DRIVERS_AMD_PROGRAM_H

#include <memory>
#include <stdexcept>
#include <stdint.h>
#include <string>
#include <string_view>
#include <vector>

namespace cilk2gpu::test::amd {

struct Instruction;
struct Wave;

/// Executes an instruction. The wavefront's next instruction is already the one behind it.
using Execute = void (*)(Wave &, const Instruction &);

/// Numbers of scalar registers. Those of s0 to s105, vcc, ttmp0 to ttmp15, m0 and exec are their codes.
enum ScalarRegister : uint16_t {
  kVcc = 106,
  kTtmp = 108,
  kM0 = 124,
  kExec = 126,
  kFlatScratch = 128,
  kXnackMask = 130,
  kNull = 132,
  kSharedBase = 134,
  kSharedLimit = 136,
  kPrivateBase = 138,
  kPrivateLimit = 140,
  kScc = 142,
  kScalars = 144,
};

constexpr uint16_t kAccumulators = 256; ///< number of a0 among the vector registers
constexpr uint16_t kVectors = 512;

/// A part of a 32-bit register, as SDWA selects it.
enum class Part : uint8_t { All, Byte0, Byte1, Byte2, Byte3, Word0, Word1 };

struct Operand {
  enum Kind : uint8_t { None, Off, Vector, Scalar, Integer, Literal, Number, Text } kind = None;
  uint16_t first = 0; ///< number of the first register
  uint8_t words = 1;  ///< number of registers
  int8_t half = -1;   ///< 0 or 1: a half of a 32-bit register, written v0.l or v0.h
  Part part = Part::All;
  bool isNegated = false, isAbsolute = false, isSignExtended = false;
  int64_t value = 0; ///< an inline constant, or the 32 bits of a literal
  double number = 0; ///< an inline constant that is a floating-point number
};

/// How lanes exchange the first source (DPP).
struct Exchange {
  enum Kind : uint8_t {
    None,
    QuadPerm,
    RowShl,
    RowShr,
    RowRor,
    WaveShr,
    RowMirror,
    RowHalfMirror,
    RowBroadcast15,
    RowBroadcast31,
    RowShare,
    RowXmask,
    Dpp8
  } kind = None;
  uint8_t amount = 0;
  uint8_t lanes[8] = {};
  uint8_t rowMask = 15, bankMask = 15;
  bool zeroesInvalid = false, readsInactive = false;
};

enum class Space : uint8_t { Global, Flat, Scratch, Buffer, Lds };

/// Memory that an instruction reads or writes.
struct Access {
  Space space = Space::Global;
  uint8_t bytes = 4;
  bool isSigned = false;
  int8_t half = -1;    ///< the half of the register that is read or written, or -1
  int64_t offset = 0;  ///< also offset0 of an access of two elements
  int64_t offset1 = 0; ///< of an access of two elements
  bool returns = false;
  bool hasVectorOffset = false; ///< of a buffer
};

struct Instruction {
  Execute execute = nullptr;
  std::string_view name; ///< without the encoding's suffix
  Operand operands[6];
  uint8_t count = 0; ///< operands
  uint8_t bytes = 4;
  bool clamps = false, keepsRest = false, signExtendsRest = false; ///< SDWA's dst_unused
  int8_t scale = 0;                                                ///< output modifier: a power of two
  uint8_t opSel = 0, opSelHigh = 0xff, negLow = 0,
          negHigh = 0; ///< bit i is of source i; that behind them, the result's
  bool hasOpSel = false;
  Exchange exchange;
  Access access;
  uint64_t (*combine)(uint64_t old, const uint64_t *data) = nullptr; ///< of an atomic operation
  std::string text;
  std::shared_ptr<const Instruction> second; ///< the other operation of a dual instruction (VOPD)
};

/// Processor whose code runs.
struct Target {
  std::string processor;
  unsigned major; ///< 9 to 12
  unsigned wave;  ///< lanes of a wavefront
  /// Does hardware set up the private segment, whose stack pointers count bytes of one lane?
  bool hasArchitectedScratch;
  /// Are the numbers of a workgroup in ttmp7 and ttmp9?
  bool hasArchitectedNumbers;
};

/// Returns the description of a processor, such as "gfx90a".
Target targetOf(std::string_view processor, unsigned wave);

/// The code is not for a GPU that is known here, or is damaged.
struct Unreadable : std::runtime_error {
  using runtime_error::runtime_error;
};

/// Machine code, decoded when it is first executed.
class Code {
public:
  Code(const unsigned char *start, uint64_t bytes, const Target &target);
  ~Code();
  Code(const Code &) = delete;

  /// Returns the instruction at an address; null if no code is there. An instruction that is not known has no function
  /// `execute`.
  const Instruction *at(uint64_t address) {
    uint64_t place = (address - uint64_t(reinterpret_cast<uintptr_t>(start))) / 4;
    if (place >= decoded.size() || address % 4)
      return nullptr;
    const Instruction *found = decoded[place].get();
    return found ? found : decode(place);
  }
  const Target target;

private:
  const Instruction *decode(uint64_t place);

  const unsigned char *start;
  uint64_t bytes;
  void *disassembler;
  std::vector<std::unique_ptr<Instruction>> decoded;
};

} // namespace cilk2gpu::test::amd

#endif // CILK2GPU_TEST_UNIT_FAKE_DRIVERS_AMD_PROGRAM_H
