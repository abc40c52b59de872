// See LibraryEffects.h.
#include "LibraryEffects.h"

#include "llvm/ADT/StringMap.h"

using namespace llvm;
using namespace cilk2gpu;

using Effect = LibraryEffect;
using Effects = SmallVector<Effect, 2>;

using Add = function_ref<void(std::initializer_list<StringRef>, const Effects &)>;

/// Adds functions that take and release locks. A semaphore counts as a lock that its waiters hold until they post.
static void addLocks(Add add) {
  add({"pthread_mutex_lock",
       "pthread_mutex_trylock",
       "pthread_mutex_timedlock",
       "pthread_mutex_clocklock",
       "pthread_spin_lock",
       "pthread_spin_trylock",
       "pthread_rwlock_rdlock",
       "pthread_rwlock_tryrdlock",
       "pthread_rwlock_timedrdlock",
       "pthread_rwlock_clockrdlock",
       "pthread_rwlock_wrlock",
       "pthread_rwlock_trywrlock",
       "pthread_rwlock_timedwrlock",
       "pthread_rwlock_clockwrlock",
       "mtx_lock",
       "mtx_trylock",
       "mtx_timedlock",
       "sem_wait",
       "sem_trywait",
       "sem_timedwait",
       "sem_clockwait",
       "flockfile",
       "ftrylockfile",
       "omp_set_lock"},
      {{0, Effect::Lock}});
  add({"pthread_mutex_unlock", "pthread_spin_unlock", "pthread_rwlock_unlock", "mtx_unlock", "sem_post", "funlockfile",
       "omp_unset_lock"},
      {{0, Effect::Unlock}});
  add({"pthread_once", "call_once"}, {{0, Effect::Once}});
  add({kBeginInlet}, {{Effect::kInletLock, Effect::Lock}});
  add({kEndInlet}, {{Effect::kInletLock, Effect::Unlock}});
}

static StringMap<Effects> makeTable() {
  StringMap<Effects> table;
  auto add = [&](std::initializer_list<StringRef> names, const Effects &effects) {
    for (StringRef name : names)
      table[name] = effects;
  };
  add({"memcpy", "memmove", "mempcpy", "__memcpy_chk", "__memmove_chk"},
      {{0, Effect::Bytes, true, 2}, {1, Effect::Bytes, false, 2}});
  add({"memset", "__memset_chk"}, {{0, Effect::Bytes, true, 2}});
  add({"bzero"}, {{0, Effect::Bytes, true, 1}});
  add({"memcmp", "bcmp"}, {{0, Effect::Bytes, false, 2}, {1, Effect::Bytes, false, 2}});
  add({"strlen", "strrchr", "strdup", "puts"}, {{0, Effect::Text}});
  add({"strchr", "strchrnul"}, {{0, Effect::Found}});
  add({"memchr"}, {{0, Effect::Found, false, 2}});
  add({"atoi", "atol", "atoll", "atof"}, {{0, Effect::Number}});
  add({"strtol", "strtoul", "strtoll", "strtoull", "strtof", "strtod", "strtold", "__isoc23_strtol", "__isoc23_strtoul",
       "__isoc23_strtoll", "__isoc23_strtoull"},
      {{0, Effect::Number}, {1, Effect::Pointer, true}});
  add({"strcmp", "strcasecmp", "strstr"}, {{0, Effect::Text}, {1, Effect::Text}});
  add({"strcpy", "stpcpy", "__strcpy_chk"}, {{1, Effect::Text}, {0, Effect::Text, true, 1}});
  add({"strcat", "__strcat_chk"}, {{1, Effect::Text}, {0, Effect::TextAfter, true}});
  add({"strncpy", "__strncpy_chk"}, {{0, Effect::Bytes, true, 2}, {1, Effect::TextWithin, false, 2}});
  add({"strncmp", "strncasecmp"}, {{0, Effect::TextWithin, false, 2}, {1, Effect::TextWithin, false, 2}});
  add({"strnlen", "strndup"}, {{0, Effect::TextWithin, false, 1}});
  add({"sprintf", "__sprintf_chk", "vsprintf", "__vsprintf_chk"}, {{0, Effect::TextAfter, true}});
  add({"snprintf", "__snprintf_chk", "vsnprintf", "__vsnprintf_chk"}, {{0, Effect::Printed, true, 1}});
  add({"fputs"}, {{0, Effect::Text}});
  add({"fgets"}, {{0, Effect::TextAfter, true}});
  add({"fread"}, {{0, Effect::Result, true, 1}});
  add({"fwrite"}, {{0, Effect::Product, false, 1, 2}});
  add({"read", "pread", "pread64"}, {{1, Effect::Result, true}});
  add({"write"}, {{1, Effect::Bytes, false, 2}});
  add({"qsort"}, {{0, Effect::Product, true, 1, 2}});
  add({"free", "realloc", "cfree", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm", "_ZdlPvSt11align_val_t",
       "_ZdaPvSt11align_val_t", "_ZdlPvmSt11align_val_t", "_ZdaPvmSt11align_val_t"},
      {{0, Effect::Block, true}});
  addLocks(add);
  add({"__cxa_guard_acquire"}, {{0, Effect::GuardBegin}});
  add({"__cxa_guard_release", "__cxa_guard_abort"}, {{0, Effect::GuardEnd}});
  return table;
}

ArrayRef<LibraryEffect> cilk2gpu::libraryEffects(StringRef name) {
  static const StringMap<Effects> table = makeTable();
  auto it = table.find(name);
  return it == table.end() ? ArrayRef<LibraryEffect>() : ArrayRef(it->second);
}
