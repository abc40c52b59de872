// A PTX module as the fake CUDA driver runs it: functions with decoded instructions, and variables in the host's
// memory. NVIDIA's "Parallel Thread Execution ISA" defines PTX; this code knows the part that LLVM writes.
//
// A function's frame is an array of 64-bit slots: its registers, then its constants. An operand is the number of a
// slot. Beside the slots are the bytes of its parameters, results and calls' arguments (PTX's .param space).
//
// Thread-safety: modules do not change once they are read.
#ifndef CILK2GPU_TEST_UNIT_FAKE_DRIVERS_PTX_PROGRAM_H
#define CILK2GPU_TEST_UNIT_FAKE_DRIVERS_PTX_PROGRAM_H

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

/// Executes an instruction. The thread's next instruction is already the one behind it.
using Execute = void (*)(Thread &, const Instruction &);

/// Executes an instruction of several threads, for the threads that have met.
using Together = void (*)(const Instruction &, const std::vector<Thread *> &group);

/// Bytes of a parameter, from the start of its function's parameters.
struct Parameter {
  uint32_t offset, bytes;
};

/// Parts that few instructions have.
struct Details {
  std::vector<int32_t> vector;               ///< the slots between { and }
  std::vector<uint32_t> targets;             ///< instructions that brx.idx may jump to
  const Function *callee = nullptr;          ///< null if the first operand points at it
  std::vector<Parameter> arguments, results; ///< of a call: bytes in its caller's parameters
};

struct Instruction {
  Execute execute = nullptr;
  Together together = nullptr;
  int32_t operands[5] = {}; ///< slots, in the order of the text; the base of an address
  int32_t guard = -1;       ///< slot of the predicate; -1 if there is none
  bool isInverted = false;
  uint32_t target = 0; ///< number of the instruction that a branch jumps to
  int64_t offset = 0;  ///< of an address
  const Details *details = nullptr;
  uint32_t line = 0; ///< in the text
};

struct Function {
  std::string name;
  bool isKernel = false, isDefined = false;
  std::vector<Parameter> parameters, results;
  uint32_t parameterBytes = 0; ///< includes the parameters of its calls
  uint32_t numRegisters = 0;
  std::vector<uint64_t> constants; ///< they follow the registers
  /// A variable in local memory: the slot that gets its address, and its distance from the frame's end, which is
  /// aligned to 16 bytes.
  struct Local {
    int32_t slot;
    uint32_t below, bytes;
    int32_t parameter; ///< the parameter whose copy the variable is, because its address is taken; -1 for others
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
  std::map<std::string, uint64_t, std::less<>> shared; ///< variables in a block's shared memory: their addresses there
  uint64_t sharedBytes = 0;
};

/// The text is not PTX, or has parts that this code does not know. The message names the line.
struct Unreadable : std::runtime_error {
  using runtime_error::runtime_error;
};

/// Reads a module's text. An unknown instruction is an error when it is executed.
std::unique_ptr<Module> readModule(std::string_view text);

} // namespace cilk2gpu::test::ptx

#endif // CILK2GPU_TEST_UNIT_FAKE_DRIVERS_PTX_PROGRAM_H
