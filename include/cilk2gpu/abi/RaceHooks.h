// Hooks of the race detector: calls that `-fsanitize=cilk` leaves at accesses of memory, beside the hooks of strands
// (StrandHooks.h). The race library (runtime/races) defines both.
//
// The hooks are functions with C linkage that neither throw nor return twice. A hook of an access stands before the
// access.
#ifndef CILK2GPU_ABI_RACEHOOKS_H
#define CILK2GPU_ABI_RACEHOOKS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// An access in the program. The compiler makes one record for each access that it instruments. Texts are never null.
typedef struct {
  const char *function; ///< the function's name in the source
  const char *file;     ///< the file's name as the compiler got it
  const char *variable; ///< the accessed variable or expression, or empty
  uint32_t line, column;
  uint32_t number; ///< number that the library gives to the record; 0: none yet
  uint32_t kind;   ///< Cilk2gpuAccessKind
} Cilk2gpuAccess;

/// What reads or writes memory, for reports.
enum Cilk2gpuAccessKind {
  kCilk2gpuPlainAccess = 0,
  kCilk2gpuLibraryAccess = 1, ///< a function of the C library; `variable` is the function's name
  kCilk2gpuFreeAccess = 2,    ///< the end of an allocation
  kCilk2gpuViewAccess = 3     ///< a use of a reducer
};

/// How a strand uses a reducer.
enum Cilk2gpuViewUse {
  kCilk2gpuViewUpdated = 0,
  kCilk2gpuViewRead = 1,
  kCilk2gpuViewAssigned = 2, ///< the view gets a value that does not depend on it
  kCilk2gpuViewSet = 3       ///< set_value() and the like
};

/// Properties of an access of a range.
enum { kCilk2gpuReads = 1, kCilk2gpuWrites = 2, kCilk2gpuAtomic = 4 };

void __cilk2gpu_race_read1(const void *at, Cilk2gpuAccess *access);
void __cilk2gpu_race_read2(const void *at, Cilk2gpuAccess *access);
void __cilk2gpu_race_read4(const void *at, Cilk2gpuAccess *access);
void __cilk2gpu_race_read8(const void *at, Cilk2gpuAccess *access);
void __cilk2gpu_race_write1(void *at, Cilk2gpuAccess *access);
void __cilk2gpu_race_write2(void *at, Cilk2gpuAccess *access);
void __cilk2gpu_race_write4(void *at, Cilk2gpuAccess *access);
void __cilk2gpu_race_write8(void *at, Cilk2gpuAccess *access);
/// An access of `size` bytes with the properties `how`.
void __cilk2gpu_race_range(const void *at, uint64_t size, uint32_t how, Cilk2gpuAccess *access);
/// An access of the text at `text` with its end. `measured`, another text, has the length if it is not null.
void __cilk2gpu_race_text(const char *text, const char *measured, uint32_t how, Cilk2gpuAccess *access);

/// The block at `block` is freed. A null pointer has no effect.
void __cilk2gpu_race_free(void *block, Cilk2gpuAccess *access);
/// A variable in a frame begins its life: earlier accesses of its memory were of other variables.
void __cilk2gpu_race_local(void *at, uint64_t size);

/// A lock was taken (`result` is 0), or could not be taken.
void __cilk2gpu_race_locked(const void *lock, int32_t result);
/// A lock will be released.
void __cilk2gpu_race_unlock(const void *lock);

/// A strand uses the reducer at `key`, as a Cilk2gpuViewUse. `view` is its view, or null if it is not known.
void __cilk2gpu_race_view(void *key, void *view, int32_t how, Cilk2gpuAccess *access);

/// Accesses are not checked until `resume`, if `condition` is not 0. Pauses nest. A static variable is initialised in a
/// pause: no strand uses it before.
void __cilk2gpu_race_pause(int32_t condition);
void __cilk2gpu_race_resume(void);

/// The region at `access` runs in an order that the detector does not know. `access->variable` says what it is.
void __cilk2gpu_race_unchecked(Cilk2gpuAccess *access);

#ifdef __cplusplus
}
#endif

#endif // CILK2GPU_ABI_RACEHOOKS_H
