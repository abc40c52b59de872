// Tests objects that are copies of one another: one source compiled twice, or one file named twice. Each copy has its
// own tasks and variables, and on a device its own kernels and addresses.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang -O1 -DMAIN -c %s -o main.o
// RUN: %cilk2gpu -O2 -g --offload-arch=sm_90,gfx90a -c %s -o one.o
// RUN: %cilk2gpu -O2 -g --offload-arch=sm_90,gfx90a -c %s -o two.o
// RUN: cp one.o three.o
// RUN: %cilk2gpu --offload-arch=sm_90,gfx90a main.o one.o two.o three.o -o copies
// RUN: %python %S/Inputs/copies.py copies 3
// RUN: %cilk2gpu --offload-arch=sm_90 -foffload-persistent -fuse-ld=lld main.o one.o one.o -o twice
// RUN: %python %S/Inputs/copies.py twice 2

// The linker cannot tell copies apart if their tables have been merged, or cannot be changed.
// RUN: ld -r one.o two.o -o both.o
// RUN: not %cilk2gpu --offload-arch=sm_90 main.o both.o -o never 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: cilk2gpu: error: 'both.o' has two copies of one file's tasks, but each copy needs an object of its own
// RUN: llvm-ar rcs libtwo.a two.o
// RUN: not %cilk2gpu --offload-arch=sm_90 main.o one.o -L. -Wl,--whole-archive -ltwo -Wl,--no-whole-archive -o never 2>&1 | FileCheck %s --check-prefix=ARCHIVE
// ARCHIVE: cilk2gpu: error: '{{.*}}libtwo.a(two.o)' is a copy of another file of the program, and has tasks; name it on the command line as a file
#ifdef MAIN
#include <stdio.h>

struct address {
  const char *symbol;
  void *address;
  unsigned long bytes;
};
extern const struct address __start_cilk2gpu_addresses[], __stop_cilk2gpu_addresses[];

static long (*all[4])(long);
static int count;
void add(long (*run)(long)) { all[count++] = run; }

int main(void) {
  for (const struct address *each = __start_cilk2gpu_addresses; each != __stop_cilk2gpu_addresses; ++each)
    printf("%s %p\n", each->symbol, each->address);
  for (int i = 0; i < count; ++i)
    for (int more = 0; more <= i; ++more)
      printf("sum %ld\n", all[i](3));
  return 0;
}
#else
#include <cilk/cilk.h>

void add(long (*run)(long));
static long counter;
static long own(long n) { return n + 1; }
static long (*step)(long) = own;

static long task(long n) {
  if (n == 0) {
    __atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
    return step(0);
  }
  long a = cilk_spawn task(n - 1);
  long b = task(n - 1);
  cilk_sync;
  return a + b;
}

static long run(long n) { return task(n) + counter; }
__attribute__((constructor)) static void start(void) { add(run); }
#endif
