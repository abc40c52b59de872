// Tests every diagnostic of the cilk dialect's verifiers.
// RUN: cilk-opt %s --split-input-file --verify-diagnostics

llvm.func @f() attributes {cilk.task} {
  // expected-error@+1 {{callee must be an llvm.func, but @missing names none; declare it}}
  cilk.spawn @missing() : () -> ()
  llvm.return
}

// -----

// expected-note@+1 {{the callee is declared here with type '!llvm.func<void (i32)>'}}
llvm.func @g(i32)
llvm.func @f() attributes {cilk.task} {
  // expected-error@+1 {{argument count must match the type of @g: 0 given}}
  cilk.spawn @g() : () -> ()
  llvm.return
}

// -----

// expected-note@+1 {{the callee is declared here}}
llvm.func @g(i32)
llvm.func @f(%x: i64) attributes {cilk.task} {
  // expected-error@+1 {{argument types must match the type of @g: #0 is 'i64'}}
  cilk.call @g(%x) : (i64) -> ()
  llvm.return
}

// -----

// expected-note@+1 {{the callee is declared here}}
llvm.func @g() -> i32
llvm.func @f() attributes {cilk.task} {
  // expected-error@+1 {{result type must match the type of @g}}
  cilk.spawn @g() : () -> ()
  llvm.return
}

// -----

// expected-note@+1 {{the callee is declared here}}
llvm.func @g(...)
llvm.func @f() attributes {cilk.task} {
  // expected-error@+1 {{a task has a fixed number of arguments, but the callee is variadic; wrap the call of @g}}
  cilk.spawn @g() : () -> ()
  llvm.return
}

// -----

llvm.func @g()
llvm.func @f(%p: !llvm.ptr) attributes {cilk.task} {
  // expected-error@+1 {{a destination needs a result; drop 'into' or give the callee's result type}}
  cilk.spawn @g() into %p : () -> ()
  llvm.return
}

// -----

// expected-error@+1 {{'cilk.task' is a unit attribute, found 1 : i32; remove the value}}
llvm.func @f() attributes {cilk.task = 1 : i32}

// -----

// expected-error@+1 {{'cilk.wraps' names a function, found "g"; write a symbol}}
llvm.func @f() attributes {cilk.wraps = "g"}

// -----

// expected-error@+1 {{'cilk.accumulated_elision' names a function, found 1 : i64; write a symbol}}
llvm.func @f() attributes {cilk.accumulated_elision = 1}

// -----

// expected-error@+1 {{'cilk.accumulation_kind' is the i64 number of an atomic operation, found 1000 : i64; write such a number}}
llvm.func @f() attributes {cilk.accumulation_kind = 1000}

// -----

// expected-error@+1 {{'cilk.task' belongs on an llvm.func, found on 'builtin.module'; remove it}}
module attributes {cilk.task} {}

// -----

llvm.func @g()
llvm.func @f() attributes {cilk.task} {
  // expected-error@+1 {{a task has at most one result, found 2; return a struct}}
  cilk.spawn @g() : () -> (i32, i32)
  llvm.return
}
