// Tests that a function with spawn or sync is refused if a task's frame could not hold its state; main may have such state.
// RUN: %clang -fsyntax-only -ferror-limit=0 -fplugin=%plugin -Xclang -verify %s
#include <alloca.h>
#include <setjmp.h>
int f(int);
jmp_buf buffer;

int variadic(int n, ...) { // expected-error {{a variadic function cannot contain spawn or sync (not supported yet); move them to a function with named parameters that it calls}}
  cilk_spawn f(n);
  cilk_sync;
  return n;
}
int jumps(int n) {
  if (setjmp(buffer)) // expected-error {{cannot call a function that returns twice, such as setjmp; move the call to a function without spawn and sync}}
    return 1;
  cilk_spawn f(n);
  cilk_sync;
  return n;
}
int jumpsAway(int n) {
  if (n < 0)
    longjmp(buffer, 1); // expected-error {{cannot call longjmp: no jump can leave a task; return an error value}}
  cilk_spawn f(n);
  cilk_sync;
  return n;
}
int computed(int n) {
  void *target = &&label; // expected-error {{a function with spawn or sync cannot take addresses of labels, for a computed goto (not supported yet); write a switch}}
  goto *target;
label:
  cilk_spawn f(n);
  cilk_sync;
  return n;
}
int assembly(int n) {
  asm goto("" : : : : label); // expected-error {{a function with spawn or sync cannot use asm goto (not supported yet); move it to a function of its own, and branch on the result of that function}}
label:
  cilk_spawn f(n);
  cilk_sync;
  return n;
}
int serial(int n) { // no spawn, no sync: nothing is refused
  int board[n];
  return board[0] = setjmp(buffer) + *(int *)alloca(n);
}
int main(int argc, char **argv) {
  int board[argc];
  if (setjmp(buffer))
    return 1;
  asm goto("" : : : : label); // expected-error {{cannot use asm goto}}
label:
  if (&&label == (void *)argv) // expected-error {{cannot take addresses of labels}}
    return 2;
  board[0] = cilk_spawn f(argc);
  cilk_sync;
  return board[0] + *(int *)alloca(argc);
}
