// Tests that jumps out of spawned blocks and into them are refused, and blocks in statement expressions.
// RUN: %clang -std=gnu23 -fsyntax-only -fplugin=%plugin -Xclang -verify %s
int f(int);
int blocks(int n, int *a) {
  for (int i = 0; i < n; ++i) {
    cilk_spawn {
      for (int k = 0; k < 3; ++k)
        if (a[k])
          break;
      if (i == 2)
        break; // expected-error {{a break cannot leave a spawned block, which is a task of its own; set a variable and test it after the sync}}
    }
    cilk_spawn if (i == 2) continue; // expected-error {{a continue cannot leave a spawned block}}
    cilk_spawn { return 1; } // expected-error {{a return cannot leave a spawned block}}
    cilk_spawn { goto out; } // expected-error {{a goto cannot leave a spawned block}}
  }
  if (n == 3)
    goto in; // expected-error {{a jump cannot enter a spawned block; move the label out of the block}}
  cilk_spawn {
  in:
    a[0] = 1;
    goto in;
  }
  n = ({ cilk_spawn { a[1] = 3; } 4; }); // expected-error {{a spawned block cannot stand in a statement expression (not supported yet); write it as a statement of the function}}
  n = cilk_spawn { 3; }; // expected-error {{expected expression}}
out:
  cilk_sync;
  return n;
}
