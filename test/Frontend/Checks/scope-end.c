// Tests that a variable that takes a spawned result must not end before the sync, whatever ends it. A sync before the end makes
// it correct, and the fix-it repairs the program.
// RUN: %clang -fsyntax-only -ferror-limit=0 -fplugin=%plugin -Xclang -verify %s
// RUN: not %clang -fsyntax-only -fdiagnostics-parseable-fixits -fplugin=%plugin -DFIX %s 2>&1 | FileCheck %s
int f(int);

int block(int n) {
  {
    int y = cilk_spawn f(n); // expected-error {{a variable that takes a spawn's result must live until the next sync, but the scope of 'y' ends before; declare it in the block around, or write 'cilk_sync;' where the scope ends}}
// CHECK: fix-it:"{{.*}}":{[[#@LINE+1]]:3-[[#@LINE+1]]:3}:"cilk_sync; "
  } // expected-note {{the scope of 'y' ends here}}
  cilk_sync;
  return 0;
}
#ifndef FIX
int afterBreak(int n) {
  while (n--) {
    int y = cilk_spawn f(n); // expected-error {{the scope of 'y' ends before}}
    if (n == 3)
      break; // expected-note {{ends here}}
    cilk_sync;
  }
  return 0;
}
int afterContinue(int n) {
  while (n--) {
    struct { int v[2]; } y;
    y.v[1] = cilk_spawn f(n); // expected-error {{the scope of 'y' ends before}}
    if (n == 3)
      continue; // expected-note {{ends here}}
    cilk_sync;
  }
  return 0;
}
int backwards(int n) {
again:;
  int y = cilk_spawn f(n); // expected-error {{the scope of 'y' ends before}}
  if (n--)
    goto again; // expected-note {{ends here}}
  return 0;
}
int outOfBlock(int n) {
  {
    int y = cilk_spawn f(n); // expected-error {{the scope of 'y' ends before}}
    goto out; // expected-note {{ends here}}
  }
out:
  cilk_sync;
  return 0;
}
void lastBlock(int n) {
  if (n) {
    int y = cilk_spawn f(n); // expected-error {{the scope of 'y' ends before}}
  } // expected-note {{ends here}}
}
int sometimes(int n) {
  {
    int y = 0;
    if (n)
      y = cilk_spawn f(n); // expected-warning {{the scope of 'y' may end before}}
  } // expected-note {{ends here}}
  cilk_sync;
  return 0;
}
int nestedInIteration(int n) {
  cilk_for (int i = 0; i < n; i++) {
    {
      int y = cilk_spawn f(n); // expected-error {{the scope of 'y' ends before}}
    } // expected-note {{ends here}}
    f(i);
  }
  return 0;
}
int nestedInScope(int n) {
  cilk_scope {
    for (int i = 0; i < n; ++i) {
      int y = cilk_spawn f(n); // expected-error {{the scope of 'y' ends before}}
    } // expected-note {{ends here}}
  }
  return 0;
}

int byReturn(int n) {
  {
    int y = cilk_spawn f(n);
    if (n)
      return 1;
    cilk_sync;
  }
  return 0;
}
void byEnd(int n) { int y = cilk_spawn f(n); }
int byScopes(int n) {
  cilk_scope { int y = cilk_spawn f(n); }
  for (;;)
    cilk_scope {
      int y = cilk_spawn f(n);
      if (n--)
        break;
      if (n == 8)
        goto out;
    }
out:
  return 0;
}
int byIterations(int n) {
  cilk_for (int i = 0; i < n; i++) {
    int y = cilk_spawn f(n);
    if (i == 2)
      continue;
    while (i > 1) {
      int z = cilk_spawn f(i);
      if (i > 8) {
        cilk_sync;
        break;
      }
      cilk_sync;
    }
  }
  return 0;
}
#endif
