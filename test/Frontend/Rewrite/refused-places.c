// Tests that a spawn or sync at a wrong position is refused, and that the message names the position.
// RUN: %clang -fsyntax-only -ferror-limit=0 -fplugin=%plugin -Xclang -verify %s
int f(int);
struct Bits { int b : 3; int whole; };
struct __attribute__((packed)) Packed { char c; int x, y[3]; };
#pragma pack(push, 2)
struct PackedBy2 { char c; int x; short y; };
#pragma pack(pop)
typedef int Unaligned __attribute__((aligned(1)));
struct Outer { struct Packed inner; };
typedef float v4 __attribute__((ext_vector_type(4)));
float real(void);
struct Large { char bytes[24]; } makeLarge(void);
_Atomic(struct Large) large;

int places(int n, int *a, struct Bits *bits) {
  int x = 0;
  v4 v = 0;
  float sum = 0;
  _Bool any = 0;
  sum += cilk_spawn f(1); // expected-error {{part of a compound assignment}}
  x += cilk_spawn real(); // expected-error {{part of a compound assignment}}
  any |= cilk_spawn f(1); // expected-error {{part of a compound assignment}}
  a += cilk_spawn f(1); // expected-error {{part of a compound assignment}}
  bits->b += cilk_spawn f(1); // expected-error {{the result of a spawn must go to an object with an ordinary address}}
  struct Packed packed = {0};
  struct PackedBy2 packedBy2[2] = {0}, *some = packedBy2;
  Unaligned unaligned[3] = {0};
  struct Outer outer = {{0}};
  packed.x += cilk_spawn f(1); // expected-error {{at addresses that are multiples of their size}}
  outer.inner.y[1] += cilk_spawn f(1); // expected-error {{at addresses that are multiples of their size}}
  packedBy2[1].x += cilk_spawn f(1); // expected-error {{at addresses that are multiples of their size}}
  some->x ^= cilk_spawn f(1); // expected-error {{at addresses that are multiples of their size}}
  packedBy2[1].y += cilk_spawn f(1);
  some->y += cilk_spawn f(1);
  unaligned[1] += cilk_spawn f(1); // expected-error {{at addresses that are multiples of their size}}
  *(Unaligned *)&x += cilk_spawn f(1); // expected-error {{at addresses that are multiples of their size}}
  x *= cilk_spawn f(1); // expected-error {{this one is part of a compound assignment that is no sum, difference or bitwise operation of integers at addresses that are multiples of their size; assign its result to a variable, sync, and use the variable}}
  x = cilk_spawn f(1) + 1; // expected-error {{part of a larger expression}}
  x = (long)cilk_spawn f(1);
  void *rows = (int (*)[n])cilk_spawn f(1); // expected-error {{part of a larger expression}} expected-warning {{cast}}
  x = cilk_spawn (long)f(1); // expected-error {{a spawn must be a call of a function, but this 'cilk_spawn' stands before a conversion of its result; write '(type)cilk_spawn f(arguments)'}}
  cilk_spawn x = f(1);
  cilk_spawn a[x] += f(1);
  cilk_spawn x = n;
  cilk_spawn a[cilk_spawn f(1)] = 2; // expected-error {{part of a larger expression}}
  int y = n ? cilk_spawn f(1) : 2; // expected-error {{part of an operand of '?:'}}
  n ? cilk_spawn f(1) : cilk_spawn f(2); // expected-error 2{{part of an operand of '?:'}}
  x = cilk_spawn f(cilk_spawn f(2)); // expected-error {{part of an argument}}
  f(cilk_spawn f(2)); // expected-error {{part of an argument}}
  a[cilk_spawn f(1)] = cilk_spawn f(2); // expected-error {{part of a larger expression}}
  x = (cilk_spawn f(1), 2); // expected-error {{part of a larger expression}}
  x = y = cilk_spawn f(1); // expected-error {{part of a larger expression}}
  if (cilk_spawn f(1)) // expected-error {{part of a condition or loop header}}
    return 1;
  while (cilk_spawn f(1)) // expected-error {{part of a condition or loop header}}
    ;
  for (int i = cilk_spawn f(0) + 1; i < cilk_spawn f(1); i = -cilk_spawn f(2)) // expected-error 2{{part of a larger expression}} expected-error {{part of a condition or loop header}}
    ;
  switch (cilk_spawn f(1)) { // expected-error {{part of a condition or loop header}}
  default:;
  }
  x = ({ cilk_spawn f(1); cilk_sync; 3; }); // expected-error {{part of a statement expression}} \
      // expected-error {{a sync cannot stand in a statement expression (not supported yet)}}
  static int s = cilk_spawn f(1); // expected-error {{not a compile-time constant}} expected-error {{part of a static variable's initializer}}
  int array[] = {cilk_spawn f(1)}; // expected-error {{part of a larger expression}}
  bits->b = cilk_spawn f(1); // expected-error {{must go to an object with an ordinary address, but this is a bit-field or vector element; assign to a variable and copy it after the sync}}
  large = cilk_spawn makeLarge(); // expected-error {{but this is an atomic object that a library function has to write; assign to a variable and copy it after the sync}}
  _Atomic(struct Large) local = cilk_spawn makeLarge(); // expected-error {{but this is an atomic object that a library function has to write}}
  v.x = cilk_spawn real(); // expected-error {{but this is a bit-field or vector element}}
  register int fixed __asm__("r12");
  fixed = cilk_spawn f(1); // expected-error {{but this is a register variable}}
  bits->whole = cilk_spawn f(1);
  x = sizeof(cilk_spawn f(1)); // expected-error {{part of a larger expression}}
  (void)cilk_sync; // expected-error {{a sync must be a statement of its own; write 'cilk_sync;'}}
  n ? cilk_sync : (void)0; // expected-error {{a sync must be a statement of its own}}
  x = (cilk_sync, 1); // expected-error {{a sync must be a statement of its own}}
  while (cilk_sync, n) // expected-error {{a sync must be a statement of its own}}
    ;
  return cilk_spawn f(1) + 1; // expected-error {{part of a return statement}}
}
