// Tests that a sync with a colon, which Clang takes for a label, is refused.
// RUN: %clang -std=gnu23 -fsyntax-only -fplugin=%plugin -Xclang -verify %s
// RUN: %clang -x c++ -fsyntax-only -fplugin=%plugin -Xclang -verify %s
int f(int);
int label(int n) {
  cilk_spawn f(n);
  cilk_sync: // expected-error {{a sync ends with a ';', but with this ':' it is a label and waits for nothing; write 'cilk_sync;'}}
  return n;
}
int onlyLabel(int n) {
  if (n)
    _Cilk_sync: return f(n); // expected-error {{a sync ends with a ';'}}
  return n;
}
