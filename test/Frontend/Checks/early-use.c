// Tests uses of a spawned result before its sync. A use on every path is an error, a use on some paths a warning. There is no
// message if the compiler cannot tell. The warning belongs to -Wunsequenced.
// RUN: %clang -Wno-deprecated-non-prototype -fsyntax-only -ferror-limit=0 -fplugin=%plugin -Xclang -verify %s
// RUN: %clang -fsyntax-only -ferror-limit=0 -Wno-unsequenced -DNO_ERRORS -fplugin=%plugin -Werror %s
// RUN: not %clang -fsyntax-only -ferror-limit=0 -Werror=unsequenced -DNO_ERRORS -fplugin=%plugin %s
int f(int);
int g(int *);
int printf(const char *, ...);
struct S { int a, b, array[3]; };
union U { int i; float f; };

#ifndef NO_ERRORS
int initialized(int n) {
  int x = cilk_spawn f(n); // expected-note {{spawned here}}
  int y = cilk_spawn f(n); // expected-note {{spawned here}}
  return x + y; // expected-error {{a spawn's result can be used after the next sync only, but 'x' is read before it; write 'cilk_sync;' before this use}} \
                // expected-error {{'y' is read}}
}
void printed(int n) {
  int x;
  x = cilk_spawn f(n); // expected-note {{spawned here}}
  printf("%d\n", x); // expected-error {{'x' is read before it}}
}
int argument(int n) {
  int x = cilk_spawn f(n); // expected-note {{spawned here}}
  int y = cilk_spawn f(x); // expected-error {{'x' is read before it}}
  cilk_sync;
  return x + y;
}
int twice(void) {
  int x;
  x = cilk_spawn f(1); // expected-note {{spawned here}}
  x = cilk_spawn f(2); // expected-error {{'x' takes another spawn's result before it}}
  cilk_sync;
  return x;
}
int updated(int n) {
  int x = 0, y = 0;
  x += cilk_spawn f(1); // expected-note {{spawned here}}
  x += cilk_spawn f(2); // expected-note {{spawned here}}
  n = x; // expected-error {{'x' is read before it}}
  y += cilk_spawn f(3); // expected-note {{spawned here}}
  y ^= cilk_spawn f(4); // expected-error {{'y' takes another spawn's result before it}}
  cilk_sync;
  return x + y + n;
}
int changed(int n) {
  int x = cilk_spawn f(n); // expected-note {{spawned here}}
  int y = cilk_spawn f(n); // expected-note {{spawned here}}
  int z = cilk_spawn f(n); // expected-note {{spawned here}}
  x = 1; // expected-error {{'x' is written before it}}
  y += 1; // expected-error {{'y' is written before it}}
  ++z; // expected-error {{'z' is written before it}}
  cilk_sync;
  return x + y + z;
}
int bothBranches(int n) {
  int x;
  if (n)
    x = cilk_spawn f(n); // expected-note {{spawned here}}
  else
    x = cilk_spawn f(2); // expected-note {{spawned here}}
  return x; // expected-error {{'x' is read before it}}
}
int fields(void) {
  struct S s, t;
  s.a = cilk_spawn f(1); // expected-note {{spawned here}}
  s.array[2] = cilk_spawn f(2); // expected-note 2 {{spawned here}}
  s.b = 3;
  s.array[1] = s.b;
  int x = s.array[2]; // expected-error {{'s.array[2]' is read before it}}
  t = s; // expected-error {{'s' is read before it}}
  cilk_sync;
  return t.a + x;
}
int members(union U u) {
  u.i = cilk_spawn f(1); // expected-note {{spawned here}}
  u.f = 2; // expected-error {{'u.f' is written before it}}
  cilk_sync;
  return u.i;
}
int sameElement(int n, int s) {
  int a[10];
  for (int i = 0; i < n; ++i) {
    a[i] = cilk_spawn f(i); // expected-note {{spawned here}}
    s += a[i]; // expected-error {{'a[...]' is read before it}}
  }
  return s;
}
int global;
void toGlobal(void) {
  global = cilk_spawn f(1); // expected-note {{spawned here}}
  f(global); // expected-error {{'global' is read before it}}
}
int aroundScope(int n) {
  int x = cilk_spawn f(n); // expected-note {{spawned here}}
  cilk_scope { cilk_spawn f(2); }
  return x; // expected-error {{'x' is read before it}}
}
int iteration(int n, int *a) {
  cilk_for (int i = 0; i < n; ++i) {
    int x = cilk_spawn f(i); // expected-note {{spawned here}}
    a[i] = x; // expected-error {{'x' is read before it}}
  }
  return 0;
}
#endif

int oneBranch(int n) {
  int x = 0;
  if (n)
    x = cilk_spawn f(n); // expected-note {{spawned here}}
  return x; // expected-warning {{a spawn's result can be used after the next sync only, but 'x' may be read before it; write 'cilk_sync;' before this use}}
}
int oneSync(int n) {
  int x = cilk_spawn f(n); // expected-note {{spawned here}}
  if (n)
    cilk_sync;
  return x; // expected-warning {{'x' may be read before it}}
}
int everyIteration(int n) {
  int x = 0;
  for (int i = 0; i < n; ++i)
    x = cilk_spawn f(i); // expected-warning {{'x' may take another spawn's result before it}} expected-note {{spawned here}}
  cilk_sync;
  return x;
}
int afterLoop(int n) {
  int a[10], s = 0;
  for (int i = 0; i < n; ++i)
    a[i] = cilk_spawn f(i); // expected-note {{spawned here}}
  for (int i = 0; i < n; ++i)
    s += a[i]; // expected-warning {{'a[...]' may be read before it}}
  cilk_sync;
  return s;
}

// Correct code, or code that is not known to be wrong: nothing is reported.
int right(int n) {
  int x = 0, a[10], s = 0;
  x = cilk_spawn f(x);
  int *p = &x;
  s += sizeof(x) + sizeof x + _Generic(x, int: 1, default: x);
  g(&x);
  cilk_sync;
  x = *p + 1;
  for (int i = 0; i < n; ++i) {
    a[i] = i;
    a[i] = cilk_spawn f(a[i]);
  }
  cilk_sync;
  for (int i = 0; i < n; ++i)
    s += a[i];
  a[2 * n] = cilk_spawn f(1);
  a[2 * n + 1] = f(2);
  s += a[2 * n + 1];
  cilk_sync;
  a[0] = cilk_spawn f(3);
  for (int i = 1; i < n; ++i)
    s += a[i];
  cilk_sync;
  while (n--) {
    x = cilk_spawn f(n);
    if (n & 1) {
      cilk_sync;
      continue;
    }
    cilk_sync;
  }
  cilk_scope { x = cilk_spawn f(4); }
  for (;;)
    cilk_scope {
      if (x > s)
        break;
      x = cilk_spawn f(x);
    }
  cilk_for (int i = 0; i < n; ++i)
    a[i] = cilk_spawn f(a[i]);
  switch (x) {
  case 1: x = cilk_spawn f(1); break;
  case 2: x = cilk_spawn f(2); break;
  default: x = 3;
  }
  cilk_sync;
  if (0)
    x = cilk_spawn f(5);
  return x + s + a[1];
}
int updates(int n) {
  int sum = 0, other = 0;
  for (int i = 0; i < n; ++i) {
    sum += cilk_spawn f(i);
    sum -= cilk_spawn f(i + 1);
    other ^= cilk_spawn f(i);
  }
  cilk_sync;
  return sum + other;
}
int changedIndex(int n) {
  int a[10], i = 0;
  a[i++] = cilk_spawn f(n);
  a[i] = 2;
  int s = a[i];
  a[i++] = cilk_spawn f(n);
  cilk_sync;
  return s + a[0];
}
