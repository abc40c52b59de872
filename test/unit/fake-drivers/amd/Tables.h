// Tables of instructions: rows of mnemonics and the function that executes them. A row lists the names that generations
// of processors have for one operation.
#ifndef CILK2GPU_TEST_UNIT_FAKE_DRIVERS_AMD_TABLES_H
#define CILK2GPU_TEST_UNIT_FAKE_DRIVERS_AMD_TABLES_H

#include "Program.h"

#include <span>

namespace cilk2gpu::test::amd {

struct Row {
  const char *names; ///< separated by spaces
  Execute execute;
};

std::span<const Row> scalarTable();     // ScalarOperations.cpp
std::span<const Row> controlTable();    // Control.cpp
std::span<const Row> integerTable();    // VectorIntegers.cpp
std::span<const Row> numberTable();     // VectorNumbers.cpp
std::span<const Row> comparisonTable(); // VectorComparisons.cpp
std::span<const Row> laneTable();       // LaneExchanges.cpp

/// Sets `execute`, `access` and `combine` of an instruction that reads or writes memory. Returns false for others.
bool findAccess(Instruction &instruction); // Accesses.cpp

/// Sets `execute` of a decoded instruction, if it is known.
void findMeaning(Instruction &instruction); // Tables.cpp

} // namespace cilk2gpu::test::amd

#endif // CILK2GPU_TEST_UNIT_FAKE_DRIVERS_AMD_TABLES_H
