// The memory that lanes access. Each function returns the bytes of the host, and ends the process with a message if
// they are not in the address space.
#ifndef CILK2GPU_TEST_UNIT_FAKE_DRIVERS_AMD_MEMORY_H
#define CILK2GPU_TEST_UNIT_FAKE_DRIVERS_AMD_MEMORY_H

#include "Wave.h"

namespace cilk2gpu::test::amd {

unsigned char *globalMemory(const Wave &wave, uint64_t address, unsigned bytes, bool writes);
unsigned char *privateMemory(const Wave &wave, unsigned lane, uint64_t offset, unsigned bytes);
unsigned char *sharedMemory(const Wave &wave, uint64_t offset, unsigned bytes);
unsigned char *flatMemory(const Wave &wave, unsigned lane, uint64_t address, unsigned bytes, bool writes);

} // namespace cilk2gpu::test::amd

#endif // CILK2GPU_TEST_UNIT_FAKE_DRIVERS_AMD_MEMORY_H
