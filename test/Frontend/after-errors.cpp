// Tests that the plugin does not compute offsets of members in a class with errors, which has no layout.
// RUN: %cilk2gpu++ -fsyntax-only %s -Xclang -verify
#include <cilk/cilk.h>

struct Node { // expected-note {{definition of 'Node' is not complete until the closing '}'}}
  Node self;  // expected-error {{field has incomplete type 'Node'}}
  int value;
};
int leaf(int n);
void tree(Node &node, int n) {
  node.value += cilk_spawn leaf(n);
  node.value += cilk_spawn leaf(n + 1);
  cilk_sync;
}
