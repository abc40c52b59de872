// Tests that a failed link says what an object file lacks, and the remedy.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %cilk2gpu -O1 -c %s -o cilk.o
// RUN: %cilk2gpu -O1 -DMAIN -c %s -o main.o

// The first message of a linker that another compiler runs.
// RUN: not %clang main.o cilk.o -o program 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: in function `__cilk2gpu_register_graph'
// OTHER-NEXT: undefined reference to `__cilk2gpu_link_this_program_with_the_command_cilk2gpu'

// RUN: %cilk2gpu -O1 -fsanitize=cilk -c %s -o races.o
// RUN: not %cilk2gpu main.o races.o -o program 2>&1 | FileCheck %s --check-prefix=RACES
// RACES: cilk2gpu: note: 'races.o' was compiled for the race detector; give the option -fsanitize=cilk when linking, too
// RACES-NOT: note:

// RUN: %cilk2gpu -O1 -fcilk-scale -c %s -o scale.o
// RUN: not %cilk2gpu main.o scale.o -o program 2>&1 | FileCheck %s --check-prefix=SCALE
// SCALE: cilk2gpu: note: 'scale.o' was compiled for the analysis of scalability; give the option -fcilk-scale when linking, too

// RUN: %clang -O1 -DPEDIGREES -c %s -o pedigrees.o
// RUN: not %cilk2gpu pedigrees.o cilk.o -o program 2>&1 | FileCheck %s --check-prefix=PEDIGREES
// PEDIGREES: cilk2gpu: note: 'pedigrees.o' uses pedigrees, which are not in a library; include <cilk/cilk_api.h>, and compile all files by cilk2gpu with the option -fcilk-pedigrees

// RUN: %clang -O1 -DOTHER -c %s -o other.o
// RUN: not %cilk2gpu other.o cilk.o -o program 2>&1 | FileCheck %s --check-prefix=COMPILER
// COMPILER: cilk2gpu: note: 'other.o' was compiled by another Cilk compiler, whose tasks cilk2gpu's runtime cannot run; compile it by cilk2gpu

// RUN: not %cilk2gpu -nodefaultlibs main.o cilk.o -lc -o program 2>&1 | FileCheck %s --check-prefix=RUNTIME
// RUNTIME: cilk2gpu: note: 'cilk.o' needs cilk2gpu's run-time library, which the options leave out; remove -nostdlib and -nodefaultlibs, or name libcilk2gpu_rt.a

// RUN: %clangxx -O1 -x c++ -DCPP -c %s -o cpp.o
// RUN: not %cilk2gpu cpp.o cilk.o -o program 2>&1 | FileCheck %s --check-prefix=CPP
// CPP: cilk2gpu: note: 'cpp.o' is C++; link with the command cilk2gpu++
// RUN: %cilk2gpuxx cpp.o cilk.o -o program
// RUN: %cilk2gpu cpp.o cilk.o -lstdc++ -o program
// RUN: not %cilk2gpu cpp.o -l:libstdc++.so.6 -o program 2>&1 | FileCheck %s --check-prefix=PLAIN

// A symbol that another file of the link defines is not missing: an object file, an archive or a shared library.
// RUN: %clang -DLOOKUP -fPIC -c %s -o lookup.o
// RUN: %clang -DROOT -c %s -o root.o
// RUN: not %cilk2gpu root.o -o program 2>&1 | FileCheck %s --check-prefix=ROOT
// ROOT: cilk2gpu: note: 'root.o' was compiled by another Cilk compiler
// RUN: not %cilk2gpu root.o lookup.o -o program 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: llvm-ar rcs archive.a lookup.o
// RUN: not %cilk2gpu root.o archive.a -o program 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: %clang -shared lookup.o -o shared.so
// RUN: not %cilk2gpu root.o shared.so -o program 2>&1 | FileCheck %s --check-prefix=PLAIN

// A parent process may ignore the signals of processes that end.
// RUN: %python -c "import os, signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN); os.execv('%cilk2gpu', ['cilk2gpu', 'main.o', 'cilk.o', '-o', 'program'])"
// RUN: not %python -c "import os, signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN); os.execv('%cilk2gpu', ['cilk2gpu', 'cilk.o', '-o', 'program'])"

// A symbol that no library of ours has needs no note. Files that are no objects are skipped.
// RUN: not %cilk2gpu cilk.o -o program 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: echo "no object" > text.o
// RUN: not %cilk2gpu text.o cilk.o -o program 2>&1 | FileCheck %s --check-prefix=PLAIN
// PLAIN: error: linker command failed
// PLAIN-NOT: note:
// RUN: head -c 100 cilk.o > short.o
// RUN: not %cilk2gpu short.o cilk.o -o program 2>&1 | FileCheck %s --check-prefix=PLAIN

#if defined(MAIN)
int fib(int n);
int main(void) { return fib(3) - 2; }
#elif defined(PEDIGREES)
unsigned long __cilkrts_get_dprand(void);
int main(void) { return (int)__cilkrts_get_dprand(); }
#elif defined(OTHER)
void __cilkrts_enter_frame_1(void *frame);
int main(void) {
  char frame[200];
  __cilkrts_enter_frame_1(frame);
  return 0;
}
#elif defined(ROOT)
int __cilkrts_need_to_cilkify(void), __cilkrts_get_nworkers(void), fib(int n);
int main(void) { return __cilkrts_need_to_cilkify() + __cilkrts_get_nworkers() + fib(2); }
#elif defined(LOOKUP)
__attribute__((weak)) int __cilkrts_need_to_cilkify(void) { return 0; }
#elif defined(CPP)
extern "C" int fib(int n);
int *place;
int main() {
  place = new int(fib(3));
  return *place - 2;
}
#else
int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1);
  int y = fib(n - 2);
  cilk_sync;
  return x + y;
}
#endif
