// Tests that keywords have no meaning under serial-elision: the object file is the same as for the text without
// keywords. This also holds where a spawn would be refused.
// RUN: rm -rf %t && mkdir %t
// RUN: sed -e '/^\/\//d; /^#pragma/d' -e 's/_*[cC]ilk_spawn//; s/_*[cC]ilk_sync//; s/cilk_scope//; s/_*[cC]ilk_for/for/' %s > %t/elision.c
// RUN: not grep -i cilk %t/elision.c
// RUN: sed -e '/^\/\//d' %s > %t/cilk.c
// RUN: cd %t && %clang -O2 -c elision.c -o plain.o -frandom-seed=1
// RUN: %clang -O2 -Wall -Werror -c %t/cilk.c -o %t/elided.o -fplugin=%plugin -fplugin-arg-cilk2gpu-serial-elision
// RUN: llvm-objcopy --strip-all %t/plain.o %t/plain.stripped.o && llvm-objcopy --strip-all %t/elided.o %t/elided.stripped.o
// RUN: cmp %t/plain.stripped.o %t/elided.stripped.o
// RUN: %clang -E %t/cilk.c -o %t/cilk.i
// RUN: %clang -O2 -c %t/cilk.i -o %t/fromi.o -fplugin=%plugin -fplugin-arg-cilk2gpu-serial-elision
// RUN: llvm-objcopy --strip-all %t/fromi.o %t/fromi.stripped.o && cmp %t/plain.stripped.o %t/fromi.stripped.o
// RUN: not %clang -O2 -c %t/cilk.c -o /dev/null -fplugin=%plugin
int f(int n, int *a) {
  int board[n];
  if (n < 2)
    return n;
  cilk_scope {
    board[0] += cilk_spawn f(n - 1, a);
    int y = _Cilk_spawn f(n - 2, a);
    cilk_sync;
    board[0] += y;
  }
#pragma cilk grainsize = not even parsed
  cilk_for (int i = 0; i < n; ++i)
    a[i] = cilk_spawn f(i / 2, a);
  _Cilk_for (int i = 0; i < n; ++i)
    a[i] += 1;
  _Cilk_sync;
  return cilk_spawn f(board[0], a);
}
