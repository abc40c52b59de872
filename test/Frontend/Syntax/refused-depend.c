// Tests that a depend pragma is refused if its clauses, its items or its place are wrong.
// RUN: rm -rf %t && split-file %s %t
// RUN: %clang -fsyntax-only -fplugin=%plugin -Xclang -verify %t/clauses.c
// RUN: %clang -fsyntax-only -fplugin=%plugin -Xclang -verify %t/items.c
// RUN: %clang -fsyntax-only -fplugin=%plugin -Xclang -verify %t/sections.c
// RUN: %clang -fsyntax-only -fplugin=%plugin -Xclang -verify %t/places.c
// RUN: %clang -fsyntax-only -fplugin=%plugin -Xclang -verify %t/reads.c
// RUN: %clang -fsyntax-only -fplugin=%plugin -Xclang -verify %t/names.c
// RUN: %clang -x c++ -fsyntax-only -fplugin=%plugin -Xclang -verify %t/objects.cpp
// RUN: %clang -fsyntax-only -Wunknown-pragmas -Werror -fplugin=%plugin -Xclang -plugin-arg-cilk2gpu -Xclang serial-elision %t/places.c

//--- names.c
#define ORDER depend(in: a)
#define ITEM(kind, item) depend(kind: item)
#define EMPTY
void f(int *);
void names(int a) {
#pragma cilk ORDER // expected-error {{a depend pragma must stand directly before the statement of a spawn}}
  f(&a);
#pragma cilk ITEM(inout, a) ITEM(in, a + 1) // expected-error {{an item of a depend clause must be an object with an address, but this is a value}}
  cilk_spawn f(&a);
#pragma cilk ITEM(inout, a) ORDER
  cilk_spawn f(&a);
#pragma cilk dependd(in: a) // expected-warning {{a pragma after '#pragma cilk' must be 'grainsize', 'doacross' or 'depend', but this one is 'dependd', which has no effect}}
  cilk_spawn f(&a);
#pragma cilk EMPTY // expected-warning {{this one is 'EMPTY', which has no effect}}
  cilk_spawn f(&a);
#pragma cilk // expected-warning {{there is no name here}}
  cilk_sync;
}
//--- clauses.c
void f(int *);
void clauses(int a) {
#pragma cilk depend // expected-error {{a depend pragma must list its items in clauses; write '#pragma cilk depend(in: a, p[0:n]) depend(out: b)'}}
  cilk_spawn f(&a);
#pragma cilk depend(in: a // expected-error {{a depend pragma must list its items in clauses}}
  cilk_spawn f(&a);
#pragma cilk depend(in: ) // expected-error {{a depend pragma must list its items in clauses}}
  cilk_spawn f(&a);
#pragma cilk depend(in: a,) // expected-error {{a depend pragma must list its items in clauses}}
  cilk_spawn f(&a);
#pragma cilk depend(in a) // expected-error {{a depend pragma must list its items in clauses}}
  cilk_spawn f(&a);
#pragma cilk depend(mutexinoutset: a) // expected-error {{a depend clause must begin with 'in:', 'out:' or 'inout:'; write 'depend(in: item)'}}
  cilk_spawn f(&a);
#pragma cilk depend(in: a) shared(a) // expected-error {{a depend pragma may have depend clauses only, but this one has 'shared'}}
  cilk_spawn f(&a);
#pragma cilk depend(in: a) 3 // expected-error {{a depend pragma may have depend clauses only, but this one has '3'}}
  cilk_spawn f(&a);
  cilk_sync;
}
//--- items.c
struct Bits {
  int low : 4;
  int whole;
};
extern struct Later later;
typedef int Four __attribute__((vector_size(16)));
void f(void);
int g(void);
void items(struct Bits bits, Four four, struct Later *p, int a) {
  register int fast = 0;
#pragma cilk depend(in: 3) // expected-error {{an item of a depend clause must be an object with an address, but this is a value; name a variable, an element 'a[i]', or an array section 'p[first:length]'}}
  cilk_spawn f();
#pragma cilk depend(in: a + 1, g()) // expected-error 2 {{but this is a value}}
  cilk_spawn f();
#pragma cilk depend(in: bits.whole, bits.low) // expected-error {{but this is a bit-field or vector element}}
  cilk_spawn f();
#pragma cilk depend(in: four[1]) // expected-error {{but this is a bit-field or vector element}}
  cilk_spawn f();
#pragma cilk depend(out: fast) // expected-error {{but this is a register variable}}
  cilk_spawn f();
#pragma cilk depend(in: g) // expected-error {{but this is a function}}
  cilk_spawn f();
#pragma cilk depend(in: &a) // expected-error {{but this is a value}}
  cilk_spawn f();
#pragma cilk depend(in: unknown) // expected-error {{use of undeclared identifier 'unknown'}}
  cilk_spawn f();
  cilk_sync;
}
//--- sections.c
void f(void);
struct three { int a[3]; };
void sections(int *p, int **rows, int m[][8], int n, double x, struct three *s) {
  extern int open[];
#pragma cilk depend(in: p[0:n], m[1:2][0:n], m[n][2:3], s->a[1:], s->a[:], p[:n], (p + 1)[n ? 1 : 2 : n])
  cilk_spawn f();
#pragma cilk depend(in: p[1:]) // expected-error {{an array section must be 'p[first:length]' behind a pointer or an array, or 'a[first:length][first:length]' behind an array of arrays, but this one has no length, and the size of the array is not known; write one item for each row, or the number of elements behind the ':'}}
  cilk_spawn f();
#pragma cilk depend(in: open[:]) // expected-error {{but this one has no length, and the size of the array is not known}}
  cilk_spawn f();
#pragma cilk depend(in: rows[0:2][0:2]) // expected-error {{but this one follows another expression}}
  cilk_spawn f();
#pragma cilk depend(in: s[0:2].a) // expected-error {{but something follows the section}}
  cilk_spawn f();
#pragma cilk depend(in: p[0:x]) // expected-error {{but a length is no integer of at most 64 bits}}
  cilk_spawn f();
#pragma cilk depend(in: n[0:2]) // expected-error {{subscripted value is not an array, pointer, or vector}}
  cilk_spawn f();
  cilk_sync;
}
//--- places.c
int f(void);
int places(int a) {
#pragma cilk depend(in: a) // expected-error {{a depend pragma must stand directly before the statement of a spawn; write 'cilk_spawn f(arguments);' or 'variable = cilk_spawn f(arguments);' behind it, also with a declaration of the variable}}
  f();
#pragma cilk depend(in: a) // expected-error {{a depend pragma must stand directly before the statement of a spawn}}
  cilk_sync;
#pragma cilk depend(in: a) // expected-error {{a depend pragma must stand directly before the statement of a spawn}}
  {
    cilk_spawn f();
  }
#pragma cilk depend(in: a) // expected-error {{a depend pragma must stand directly before the statement of a spawn}}
  if (a)
    cilk_spawn f();
#pragma cilk depend(in: a) // expected-error {{a depend pragma must stand directly before the statement of a spawn}}
  for (int i = 0; i < 2; ++i)
    cilk_spawn f();
  if (a)
#pragma cilk depend(in: a)
    cilk_spawn f();
  else
#pragma cilk depend(in: a)
#pragma cilk depend(out: a)
    a = cilk_spawn f();
  cilk_sync;
#pragma cilk depend(in: a) // expected-error {{a depend pragma must stand directly before the statement of a spawn}}
  return cilk_spawn f();
#pragma cilk depend(in: a) // expected-error {{a depend pragma must stand directly before the statement of a spawn}}
}
//--- reads.c
int f(void);
void set(int *);
void use(int, int *);
void reads(int n) {
  int a = 0, b = 0, c = 0;
#pragma cilk depend(out: a)
  cilk_spawn set(&a); // expected-note {{spawned here}}
#pragma cilk depend(in: a) depend(out: b)
  cilk_spawn use(a, &b); // expected-warning {{a variable that an ordered spawn writes has its new value after the next sync only, but 'a' is read before it; write 'cilk_sync;' before this use, or pass the address of the variable}}
#pragma cilk depend(out: c)
  c = cilk_spawn f(); // expected-note {{spawned here}}
#pragma cilk depend(out: c)
  c = cilk_spawn f(); // expected-note {{spawned here}}
#pragma cilk depend(in: c) depend(out: b)
  cilk_spawn use(c, &b); // expected-error {{a spawn's result can be used after the next sync only, but 'c' is read before it}}
  cilk_sync;
  use(a, &c);
}
void unnamed(void) {
  int c = 0, d = 0;
#pragma cilk depend(out: d)
  c = cilk_spawn f(); // expected-note {{spawned here}}
#pragma cilk depend(out: d)
  c = cilk_spawn f(); // expected-error {{'c' takes another spawn's result before it}}
  cilk_sync;
}
void repeated(int n) {
  int a = 0;
  for (int i = 0; i < n; ++i) {
#pragma cilk depend(inout: a)
    cilk_spawn use(a, &a); // expected-warning {{but 'a' may be read before it}} expected-note {{spawned here}}
  }
}
//--- objects.cpp
struct Owner {
  Owner(int);
  Owner(const Owner &);
  ~Owner();
  void run();
  int value;
};
struct Plain {
  int a, b;
};
void take(Owner);
void look(const Owner &, const int &);
Plain plain(Plain, Plain &&);
int f();
void objects(int n) {
  Owner owner(1);
  Plain p = {1, 2};
#pragma cilk depend(inout: owner)
  cilk_spawn take(owner); // expected-error {{an ordered spawn keeps copies of its arguments' bytes until its task runs, but an argument has the type 'Owner', whose copy constructor or destructor does something (not supported yet); pass a pointer or a reference to a variable that lives until the next sync}}
#pragma cilk depend(inout: owner)
  cilk_spawn look(2, n + 1); // expected-error {{but an argument is, or refers to, a temporary object}}
#pragma cilk depend(inout: owner)
  cilk_spawn Owner(3).run(); // expected-error {{but an operand of the call is, or refers to, a temporary object}}
#pragma cilk depend(inout: owner)
  cilk_spawn look(owner, n + 1);
#pragma cilk depend(inout: p)
  p = cilk_spawn plain(p, Plain{1, 2});
#pragma cilk depend(in: f(), Plain{1, 2}, owner) // expected-error 2 {{an item of a depend clause must be an object with an address, but this is a value}}
  cilk_spawn look(owner, n);
  cilk_sync;
}
template <class T> void inTemplate(T *p, int n) {
#pragma cilk depend(in: p[0:n]) depend(out: n)
  cilk_spawn look(p[0], n);
#pragma cilk depend(in: p[0]) // expected-error {{a depend pragma must stand directly before the statement of a spawn}}
  p[0].run();
}
template void inTemplate<Owner>(Owner *, int);
