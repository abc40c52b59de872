// A copy of the program's variables at the end of a serial run, with which other runs compare theirs. Words that two
// serial runs disagree about are left out, and so are addresses of memory that a run has allocated: they depend on the
// order of allocations.
//
//   first serial run       record()           copies the variables, and notes the addresses among them
//   second serial run      disagree()         notes what differs
//   other run              compare()          finds the first variable that differs, and keeps all variables
//   the same run again     disagreeAgain()    notes what differs from the run before
//
// Two runs that should be equal have different patterns in memory that is not written. So bytes that the program copies
// from there, such as the gaps of structures, are left out as a rule. The types of variables are not known. So bytes of
// arrays and structures that may be a gap count only if they look like a number (mayBeGap in VariableCopy.cpp).
//
// The words behind an address are its length and its capacity, as a rule (std::string, std::vector). So kOwned words
// behind it are left out, too.
//
// The memory is shared: runs are child processes of the process that made the object.
#ifndef CILK2GPU_RUNTIME_CHECK_VARIABLECOPY_H
#define CILK2GPU_RUNTIME_CHECK_VARIABLECOPY_H

#include "check/ProgramVariables.h"

namespace cilk2gpu::rt {

/// The first difference among the variables of a run. Values have up to eight bytes.
struct VariableDifference {
  uint64_t numVariables; ///< variables that differ; 0: none does, and the other members mean nothing
  uint64_t variable;     ///< index
  uint64_t offset;       ///< of the first byte that differs
  uint32_t size;         ///< bytes of the values
  uint64_t valueAt;      ///< offset of the values in the variable
  uint64_t serial, found;
  bool areDoubles; ///< the values look like numbers of type double
};

class VariableCopy {
public:
  /// Words behind an address that are left out.
  static constexpr uint64_t kOwned = 3;

  void make(const ProgramVariables &program);

  void record();
  void disagree() { leaveOut(copy); }
  void compare(VariableDifference &difference);
  void disagreeAgain() { leaveOut(latest); }

private:
  static void take(const ProgramVariable &variable, char *to);
  void noteAddresses(const ProgramVariable &variable);
  void leaveOut(const char *before);
  uint64_t firstDifferent(const ProgramVariable &variable, const char *before, uint64_t from) const;
  uint64_t firstResult(const ProgramVariable &variable) const;

  const ProgramVariables *program = nullptr;
  char *copy = nullptr;   ///< of the first serial run
  char *latest = nullptr; ///< of the latest other run
  /// A byte for each word of the copy: bit i is set if byte i of the word is left out.
  uint8_t *left = nullptr;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CHECK_VARIABLECOPY_H
