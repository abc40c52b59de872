// Tests that MemorySanitizer is refused, once in a file, if tasks would get memory that it has not seen written.
// DataFlowSanitizer and TypeSanitizer are refused for the same reason. (TypeSanitizer's runtime also clears eight bytes for each
// address that the runtime reserves.)
// RUN: %cilk2gpu -fsanitize=memory -fsyntax-only %s -Xclang -verify
// RUN: not %cilk2gpu --target=x86_64-linux-gnu -fsanitize=dataflow -fsyntax-only %s 2>&1 | FileCheck %s
// CHECK-COUNT-1: error: -fsanitize=dataflow needs every library to be compiled with it, but the runtime library, which passes arguments to tasks of 'tree', is not; compile with -fserial-elision, too{{$}}
// CHECK-NOT: error:
// RUN: not %cilk2gpu -fsanitize=type -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: error: -fsanitize=type needs every library to be compiled with it, but the runtime library, which passes arguments to tasks of 'tree', is not; compile with -fserial-elision, too{{$}}
// RUN: %cilk2gpu -fsanitize=memory -fserial-elision -fsyntax-only -Werror %s
// RUN: %cilk2gpu -fsanitize=address,undefined -fsyntax-only -Werror %s
#include <cilk/cilk.h>

void leaf(int n);
void tree(int n) { // expected-error {{-fsanitize=memory needs every library to be compiled with it, but the runtime library, which passes arguments to tasks of 'tree', is not; compile with -fserial-elision, too, or with -fsanitize=address}}
  cilk_spawn leaf(n);
}
void other(int n) {
  cilk_for (int i = 0; i < n; ++i)
    leaf(i);
}
