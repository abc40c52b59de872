// Tests that a return gets a sync if a child may be outstanding, and that syncs without children are removed.
// RUN: cilk-opt %s --cilk-insert-implicit-syncs | FileCheck %s

llvm.func @g() attributes {cilk.task} {
  llvm.return
}

// CHECK-LABEL: llvm.func @return_after_spawn
// CHECK: cilk.spawn
// CHECK-NEXT: cilk.sync
// CHECK-NEXT: llvm.return
llvm.func @return_after_spawn() attributes {cilk.task} {
  cilk.spawn @g() : () -> ()
  llvm.return
}

// Only the path with the spawn is followed by a sync.
// CHECK-LABEL: llvm.func @one_path
// CHECK: ^bb1:
// CHECK-NEXT: cilk.spawn
// CHECK-NEXT: cilk.sync
// CHECK-NEXT: llvm.return
// CHECK: ^bb2:
// CHECK-NEXT: llvm.return
llvm.func @one_path(%c: i1) attributes {cilk.task} {
  llvm.cond_br %c, ^spawn, ^skip
^spawn:
  cilk.spawn @g() : () -> ()
  llvm.return
^skip:
  cilk.sync
  llvm.return
}

// The second of two syncs in a row waits for nothing; a sync at the start neither.
// CHECK-LABEL: llvm.func @redundant
// CHECK-NEXT: cilk.spawn
// CHECK-NEXT: cilk.sync
// CHECK-NEXT: llvm.return
llvm.func @redundant() attributes {cilk.task} {
  cilk.sync
  cilk.spawn @g() : () -> ()
  cilk.sync
  cilk.sync
  llvm.return
}

// A child spawned in an earlier iteration is outstanding at the loop's head.
// CHECK-LABEL: llvm.func @loop
// CHECK: ^bb1:
// CHECK-NEXT: cilk.sync
// CHECK-NEXT: cilk.spawn
// CHECK: ^bb2:
// CHECK-NEXT: cilk.sync
// CHECK-NEXT: llvm.return
llvm.func @loop(%c: i1) attributes {cilk.task} {
  llvm.br ^head
^head:
  cilk.sync
  cilk.spawn @g() : () -> ()
  llvm.cond_br %c, ^head, ^exit
^exit:
  llvm.return
}

// main is no task, but syncs, too.
// CHECK-LABEL: llvm.func @main
// CHECK: cilk.sync
llvm.func @main() {
  cilk.spawn @g() : () -> ()
  llvm.return
}
