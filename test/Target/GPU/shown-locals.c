// Tests that the host never reads or writes a lane's own memory for a task on a GPU. If a local's address gets to a
// function that the host calls, in any way, the local moves to the host's memory. Constant texts and formats move no other
// local.
// DEFINE: %{shows} =
// DEFINE: %{check} = FileCheck %s --check-prefix=TEXT
// DEFINE: %{on_nvidia} = %cilk2gpu -O2 --offload-arch=sm_90 --emit=llvm '-DSHOW=%{shows}' %s | %{check}
// DEFINE: %{on_amd} = %cilk2gpu -O2 --offload-arch=gfx90a --emit=llvm '-DSHOW=%{shows}' %s | %{check}
// The short form takes the GPUs by turns.
// DEFINE: %{nvidia} = %{on_nvidia} %if long %{ && %{on_amd} %}
// DEFINE: %{amd} = %{on_amd} %if long %{ && %{on_nvidia} %}
// REDEFINE: %{shows} = puts(text)
// RUN: %{nvidia}
// REDEFINE: %{shows} = fputs(text, stderr)
// RUN: %{amd}
// REDEFINE: %{shows} = fwrite(text, 1, 4, stdout)
// RUN: %{nvidia}
// REDEFINE: %{shows} = printf("%%s", text)
// RUN: %{amd}
// REDEFINE: %{shows} = inlined(text)
// RUN: %{nvidia}
// REDEFINE: %{shows} = called(text)
// RUN: %{amd}
// REDEFINE: %{shows} = fprintf(stderr, "%%s", n > 3 ? other : text)
// RUN: %{nvidia}
// REDEFINE: %{shows} = printf("%%s", (*place = text, *places[n]))
// RUN: %{amd}
// REDEFINE: %{shows} = printf(text, n)
// RUN: %{nvidia}
// REDEFINE: %{shows} = readsOnly(text)
// RUN: %{amd}
// An address may be a number, also among others, in memory, and behind calls.
// REDEFINE: %{shows} = takesNumber((long)text)
// RUN: %{nvidia}
// REDEFINE: %{shows} = takesNumber(((long)text << 1) + n)
// RUN: %{amd}
// REDEFINE: %{shows} = takesRecord((struct Record){n, (long)text})
// RUN: %{nvidia}
// REDEFINE: %{shows} = takesReal(((union Bits){(long)text}).real)
// RUN: %{amd}
// REDEFINE: %{shows} = takesNumber((*place = text, *(volatile long *)place))
// RUN: %{nvidia}
// REDEFINE: %{shows} = passesOn((long)text)
// RUN: %{amd}
// A function outside the C library may look at any memory, also if it gets no pointer there.
// REDEFINE: %{shows} = takesNumber((*place = text, n))
// RUN: %{nvidia}
// REDEFINE: %{shows} = (*place = text, takesNothing())
// RUN: %{amd}
// REDEFINE: %{shows} = passesOn((*place = text, n))
// RUN: %{nvidia}
// TEXT: define
// TEXT-NOT: alloca [4 x i8]
// TEXT: call {{.*}}@__cilk2gpu_device_share(i64{{.*}} 4, i64{{.*}})
// TEXT-NOT: alloca [4 x i8]
// REDEFINE: %{shows} = printf("%%d%%n", n, &count)
// REDEFINE: %{check} = FileCheck %s --check-prefix=COUNT
// RUN: %{amd}
// COUNT: define
// COUNT-NOT: alloca i32

// A local that no call sees stays where it is.
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 --emit=llvm '-DSHOW=printf("%%d %%s", (*place = text, n), n > 3 ? "more" : "less")' %s | FileCheck %s --check-prefix=STAYS
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 --emit=llvm '-DSHOW=printf("%%d %%ld", (*place = text, n), rest)' %s | FileCheck %s --check-prefix=STAYS
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 --emit=llvm '-DSHOW=rest += looksAtNothing((*place = text, n))' %s | FileCheck %s --check-prefix=STAYS
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 --emit=llvm '-DSHOW=rest += returned(place, n), takesNumber(n)' %s | FileCheck %s --check-prefix=STAYS
// STAYS: alloca [4 x i8]
// STAYS-NOT: @__cilk2gpu_device_share
#include <cilk/cilk.h>
#include <stdio.h>

static void inlined(const char *text) { printf("%s\n", text); }
__attribute__((noinline)) static void called(const char *text) { fputs(text, stdout); }

struct Record {
  long number, address;
};
union Bits {
  long address;
  double real;
};
void takesNumber(long number);
void takesNothing(void);
void readsOnly(const char *text __attribute__((noescape)));
__attribute__((const)) long looksAtNothing(int number);
void takesRecord(struct Record record);
void takesReal(double real);
// A function that has returned shows no local.
__attribute__((noinline)) static char returned(const char *volatile *place, int n) {
  char text[4] = {(char)n};
  *place = text;
  return text[n & 3];
}
__attribute__((noinline)) static void passesOn(long number) { takesNumber(number); }

long list(int n, const char *other, const char *volatile *place, const char *volatile **places) {
  if (n == 0)
    return 0;
  long rest = cilk_spawn list(n - 1, other, place, places);
  cilk_sync;
  char text[4] = {(char)(n + '0'), 'x', (char)n, 0};
  int count = n;
  SHOW;
  return rest + count + text[n & 3];
}
