// A PTX module as the fake CUDA driver runs it: functions whose instructions have been decoded, and variables in the
// host's memory. What PTX means is NVIDIA's "Parallel Thread Execution ISA", of which this knows what LLVM writes.
//
// A function's frame is an array of 64-bit slots: its registers, then its constants; an operand is a slot's number.
// Beside it are the bytes of its parameters, results and calls' arguments (PTX's .param space).
//
// Thread-safety: modules do not change once they are read.
#ifndef CILK2GPU_TEST_UNIT_DEVICE_PTX_PROGRAM_H
#define CILK2GPU_TEST_UNIT_DEVICE_PTX_PROGRAM_H

#include <map>
#include <memory>
#include <stdexcept>
#include <stdint.h>
#include <string>
#include <string_view>
#include <vector>

namespace cilk2gpu::test::ptx {

struct Function;
struct Instruction;
struct Thread;

/// What an instruction does with a thread, whose next instruction is the one behind it already.
using Execute = void (*)(Thread &, const Instruction &);

/// What an instruction that threads execute together does for those that have met.
using Together = void (*)(const Instruction &, const std::vector<Thread *> &group);

/// Of a parameter: bytes from the start of its function's.
struct Parameter {
  uint32_t offset, bytes;
};

/// What few instructions have.
struct Details {
  std::vector<int32_t> vector;               ///< the slots between { and }
  std::vector<uint32_t> targets;             ///< brx.idx: instructions
  const Function *callee = nullptr;          ///< null: the first operand points at it
  std::vector<Parameter> arguments, results; ///< of a call, in its caller's parameters
};

struct Instruction {
  Execute execute = nullptr;
  Together together = nullptr;
  int32_t operands[5] = {}; ///< slots, in the order in which they are written; of an address, its base
  int32_t guard = -1;       ///< slot of the predicate, if there is one
  bool isInverted = false;
  uint32_t target = 0; ///< of a branch: number of an instruction
  int64_t offset = 0;  ///< of an address
  const Details *details = nullptr;
  uint32_t line = 0; ///< in the text
};

struct Function {
  std::string name;
  bool isKernel = false, isDefined = false;
  std::vector<Parameter> parameters, results;
  uint32_t parameterBytes = 0; ///< with those of its calls
  uint32_t numRegisters = 0;
  std::vector<uint64_t> constants; ///< they follow the registers
  /// Variables in local memory: the slot that gets the address, the place below the frame's end, which is aligned
  /// to 16.
  struct Local {
    int32_t slot;
    uint32_t below, bytes;
    int32_t parameter; ///< place of the parameter that begins as its copy, whose address is taken; -1: it is none
  };
  std::vector<Local> locals;
  uint32_t localBytes = 0;
  std::vector<Instruction> body;
  std::vector<std::unique_ptr<Details>> details;
};

struct Variable {
  uint64_t bytes = 0;
  std::unique_ptr<unsigned char[]> storage;
  unsigned char *memory = nullptr; ///< in `storage`
};

struct Module {
  std::map<std::string, std::unique_ptr<Function>, std::less<>> functions;
  std::map<std::string, Variable, std::less<>> variables;
};

/// The text is not PTX, or has something that is not known here. Says where.
struct Unreadable : std::runtime_error {
  using runtime_error::runtime_error;
};

/// Reads a module's text. An instruction that is not known is an error when it is executed.
std::unique_ptr<Module> readModule(std::string_view text);

} // namespace cilk2gpu::test::ptx

#endif // CILK2GPU_TEST_UNIT_DEVICE_PTX_PROGRAM_H
