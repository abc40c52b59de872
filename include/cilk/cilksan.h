/* <cilk/cilksan.h>: functions by which a program talks to the race detector. Names are those of OpenCilk. In a program
   that is compiled with -fsanitize=cilk, they are functions of the detector; in all others, they do nothing.

   A fake lock is no lock: it tells the detector that code between its acquisition and its release excludes other such
   code. Any thread may call these functions. */
#ifndef CILK2GPU_CILK_CILKSAN_H
#define CILK2GPU_CILK_CILKSAN_H

#include <stddef.h>
#ifndef __cplusplus
#include <stdbool.h>
#endif

#ifdef __cplusplus
#define CILK2GPU_NOTHROW noexcept
extern "C" {
#else
#define CILK2GPU_NOTHROW __attribute__((__nothrow__))
#endif

#ifdef __cilksan__

void __cilksan_enable_checking(void) CILK2GPU_NOTHROW;
void __cilksan_disable_checking(void) CILK2GPU_NOTHROW;
bool __cilksan_is_checking_enabled(void) CILK2GPU_NOTHROW;
void __cilksan_acquire_lock(const void *mutex) CILK2GPU_NOTHROW;
void __cilksan_release_lock(const void *mutex) CILK2GPU_NOTHROW;
void __cilksan_begin_atomic(void) CILK2GPU_NOTHROW;
void __cilksan_end_atomic(void) CILK2GPU_NOTHROW;
void __cilksan_register_lock_explicit(const void *mutex) CILK2GPU_NOTHROW;
void __cilksan_unregister_lock_explicit(const void *mutex) CILK2GPU_NOTHROW;

#else

static inline void __cilksan_enable_checking(void) {}
static inline void __cilksan_disable_checking(void) {}
static inline bool __cilksan_is_checking_enabled(void) { return false; }
static inline void __cilksan_acquire_lock(const void *mutex) { (void)mutex; }
static inline void __cilksan_release_lock(const void *mutex) { (void)mutex; }
static inline void __cilksan_begin_atomic(void) {}
static inline void __cilksan_end_atomic(void) {}
static inline void __cilksan_register_lock_explicit(const void *mutex) { (void)mutex; }
static inline void __cilksan_unregister_lock_explicit(const void *mutex) { (void)mutex; }

#endif

#ifdef __cplusplus
}

/* Acquires a fake lock where the guard is declared, and releases it where the guard ends. */
template <typename Lock> class Cilksan_fake_lock_guard {
public:
  explicit Cilksan_fake_lock_guard(const Lock *lock) : lock(lock) { __cilksan_acquire_lock(lock); }
  ~Cilksan_fake_lock_guard() { __cilksan_release_lock(lock); }

private:
  const Lock *lock;
};
#endif

#undef CILK2GPU_NOTHROW

#endif
