// Tests <cilk/cilk.h>. It leaves the keywords in the text, also for a preprocessing step that does not know them. Also tests the
// predefined names that programs ask for.
// RUN: %clang -fplugin=%plugin -I %source_dir/include -Wall -Wextra -Wpedantic -Werror -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s --check-prefix=CILK
// RUN: %clang -fplugin=%plugin -fplugin-arg-cilk2gpu-serial-elision -I %source_dir/include -Wall -Wextra -Wpedantic -Werror -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s --check-prefix=ELISION
// RUN: %clang -I %source_dir/include -E %s | FileCheck %s --check-prefix=TEXT
#include <cilk/cilk.h>
#include <cilk/cilk.h>
#ifdef __cplusplus
extern "C" {
#endif
int g(int);
int f(int n) {
  int x = cilk_spawn g(n);
  cilk_sync;
  return x;
}
int keywords(void);
int keywords(void) {
#ifdef __cilk
  return __cilk2gpu__ + __cilk;
#elif defined(__cilk2gpu__) || !defined(__cilk2gpu_elision__)
  return 7;
#else
  return 8;
#endif
}
#ifdef __cplusplus
}
#endif
// CILK: call void @__cilk2gpu_spawn_begin(
// CILK: call void @__cilk2gpu_sync()
// CILK: ret i32 301
// ELISION-NOT: __cilk2gpu
// TEXT: int x = cilk_spawn g(n);
// TEXT: cilk_sync;
