// Loads a code object: an ELF file with machine code, variables, kernel descriptors, and metadata in a note. See LLVM's
// "User Guide for AMDGPU Backend", "Code Object".
#ifndef CILK2GPU_TEST_UNIT_FAKE_DRIVERS_AMD_CODEOBJECT_H
#define CILK2GPU_TEST_UNIT_FAKE_DRIVERS_AMD_CODEOBJECT_H

#include "Machine.h"

#include <map>

namespace cilk2gpu::test::amd {

struct Variable {
  unsigned char *memory;
  uint64_t bytes;
};

/// A loaded code object. It stays as long as the process.
struct CodeObject {
  std::unique_ptr<Code> code;
  std::map<std::string, Kernel> kernels;
  std::map<std::string, Variable> variables;
  uint64_t start = 0, end = 0; ///< addresses of its memory
};

/// Loads a code object. Throws Unreadable if it has parts that are not known here.
std::unique_ptr<CodeObject> loadCodeObject(const void *data);

} // namespace cilk2gpu::test::amd

#endif // CILK2GPU_TEST_UNIT_FAKE_DRIVERS_AMD_CODEOBJECT_H
