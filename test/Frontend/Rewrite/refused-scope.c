// Tests that a cilk_scope without a block, jumps into one, and jumps out of one in expressions, are refused.
// RUN: rm -rf %t && split-file %s %t
// RUN: %clang -std=gnu23 -fsyntax-only -fplugin=%plugin -Xclang -verify %t/places.c
// RUN: %clang -fsyntax-only -fplugin=%plugin -Xclang -verify %t/statement.c
// RUN: %clang -fsyntax-only -fplugin=%plugin -Xclang -verify %t/name.c
// RUN: not %clang -fsyntax-only -fplugin=%plugin %t/global.c 2>&1 | FileCheck %t/global.c

//--- places.c
int f(int);
void places(int n) {
  n = ({ cilk_scope { f(3); } 3; }); // expected-error {{a cilk_scope cannot stand in a statement expression (not supported yet); write it as a statement of the function}}
  if (n == 1)
    goto inside; // expected-error {{a jump cannot enter a cilk_scope; move the label in front of it}}
  cilk_scope {
  inside:
    f(4);
  }
  switch (n)
    cilk_scope {
    case 1: // expected-error {{a jump cannot enter a cilk_scope}}
      f(5);
    }
  while (n)
    cilk_scope { n = ({ break; 3; }); } // expected-error {{a jump out of a cilk_scope cannot stand in a statement expression (not supported yet); write it as a statement of the block}}
}
//--- statement.c
int f(int);
void statement(int n) {
  cilk_scope n++; // expected-error {{a cilk_scope must be followed by a block; write 'cilk_scope { statements }'}}
  if (n)
    cilk_scope cilk_spawn f(n); // expected-error {{a cilk_scope must be followed by a block}}
  undeclared; // expected-error {{undeclared identifier}}
}
//--- name.c
int _Cilk_scope; // expected-error {{a cilk_scope must be followed by a block}} expected-error {{cannot be applied to types}} expected-warning {{does not declare anything}}
//--- global.c
// CHECK: error:
cilk_scope { }
