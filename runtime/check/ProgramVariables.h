// The global variables of the program, from the symbol table of its file. Variables of the runtime, of the C and C++
// libraries and of the compiler are left out.
//
// Thread-safety: one thread. The list stays as it is after read().
#ifndef CILK2GPU_RUNTIME_CHECK_PROGRAMVARIABLES_H
#define CILK2GPU_RUNTIME_CHECK_PROGRAMVARIABLES_H

#include <stdint.h>

namespace cilk2gpu::rt {

struct ProgramVariable {
  char *start;
  uint64_t size;     ///< bytes
  const char *name;  ///< symbol
  uint64_t copiedAt; ///< offset of its bytes in copies; the same as `start` modulo 8
};

class ProgramVariables {
public:
  enum class Source : uint8_t {
    Symbols, ///< the list is that of the program
    None,    ///< the file has no symbol table, or cannot be read
    Static,  ///< the program is linked statically, so that its variables and the libraries' cannot be told apart
  };

  /// Variables beyond this sum are left out, the last ones first. Bytes.
  static constexpr uint64_t kMostBytes = uint64_t(1) << 28;

  void read();

  Source source() const { return from; }
  uint64_t size() const { return count; }
  const ProgramVariable &operator[](uint64_t index) const { return variables[index]; }
  /// Returns the size of a copy of all variables.
  uint64_t copyBytes() const { return bytes; }
  /// Returns the number of variables that were left out because of their size.
  uint64_t numSkipped() const { return skipped; }
  /// Returns whether an address is in the program's file, rather than in memory that a run allocates.
  bool isInImage(uint64_t address) const { return address - imageStart < imageEnd - imageStart; }

private:
  friend struct SymbolReader;

  ProgramVariable *variables = nullptr;
  uint64_t count = 0, bytes = 0, skipped = 0;
  uint64_t imageStart = 0, imageEnd = 0;
  Source from = Source::None;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CHECK_PROGRAMVARIABLES_H
