// Tests that values that a task widens before it folds them are folded in the result's own type, if the result is the same.
// RUN: cilk-opt %s --cilk-lower-calls --cilk-combine-results --split-input-file | FileCheck %s

// A sum of shorts, in a loop with a sum of int: its low bits.
// CHECK-LABEL: llvm.func internal @sum.acc(
// CHECK-NOT: i32 to i16
// CHECK: llvm.atomicrmw add %{{.*}}, %{{.*}} monotonic {cilk.accumulate} : !llvm.ptr, i16
llvm.func @sum(%n: i32, %leaf: i16) -> i16 attributes {cilk.task} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %first = llvm.mlir.constant(0 : i64) : i64
  %r = llvm.alloca %one x !llvm.array<2 x i16> : (i32) -> !llvm.ptr
  %small = llvm.icmp "slt" %n, %two : i32
  llvm.cond_br %small, ^end(%leaf : i16), ^spawns(%zero : i32)
^spawns(%k: i32):
  %more = llvm.icmp "slt" %k, %two : i32
  llvm.cond_br %more, ^spawn, ^sync
^spawn:
  %half = llvm.sdiv %n, %two : i32
  %place = llvm.getelementptr %r[%first, %k] : (!llvm.ptr, i64, i32) -> !llvm.ptr, !llvm.array<2 x i16>
  cilk.spawn @sum(%half, %leaf) into %place : (i32, i16) -> i16
  %k1 = llvm.add %k, %one : i32
  llvm.br ^spawns(%k1 : i32)
^sync:
  cilk.sync
  llvm.br ^sums(%zero, %zero : i32, i32)
^sums(%s: i32, %i: i32):
  %left = llvm.icmp "slt" %i, %two : i32
  llvm.cond_br %left, ^add, ^done
^add:
  %from = llvm.getelementptr %r[%first, %i] : (!llvm.ptr, i64, i32) -> !llvm.ptr, !llvm.array<2 x i16>
  %x = llvm.load %from : !llvm.ptr -> i16
  %wide = llvm.sext %x : i16 to i32
  %s1 = llvm.add %s, %wide overflow<nsw> : i32
  %i1 = llvm.add %i, %one : i32
  llvm.br ^sums(%s1, %i1 : i32, i32)
^done:
  %low = llvm.trunc %s : i32 to i16
  llvm.br ^end(%low : i16)
^end(%result: i16):
  llvm.return %result : i16
}

// -----

// The larger of two unsigned bytes: numbers without a sign are compared without one.
// CHECK-LABEL: llvm.func internal @larger.acc(
// CHECK: llvm.atomicrmw umax %{{.*}}, %{{.*}} monotonic {cilk.accumulate} : !llvm.ptr, i8
llvm.func @larger(%n: i32, %leaf: i8) -> i8 attributes {cilk.task} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i8 : (i32) -> !llvm.ptr
  %y = llvm.alloca %one x i8 : (i32) -> !llvm.ptr
  %small = llvm.icmp "slt" %n, %one : i32
  llvm.cond_br %small, ^end(%leaf : i8), ^more
^more:
  %n1 = llvm.sub %n, %one : i32
  cilk.spawn @larger(%n1, %leaf) into %x : (i32, i8) -> i8
  cilk.spawn @larger(%n1, %leaf) into %y : (i32, i8) -> i8
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i8
  %b = llvm.load %y : !llvm.ptr -> i8
  %c = llvm.zext %a : i8 to i32
  %d = llvm.zext %b : i8 to i32
  %greater = llvm.icmp "sgt" %c, %d : i32
  %most = llvm.select %greater, %c, %d : i1, i32
  %low = llvm.trunc %most : i32 to i8
  llvm.br ^end(%low : i8)
^end(%r: i8):
  llvm.return %r : i8
}

// -----

// One is widened with its sign, the other without, so the comparison is no comparison of bytes.
// CHECK-LABEL: llvm.func @mixed(
// CHECK-NOT: @mixed.acc
// CHECK: llvm.icmp "sgt" %{{.*}}, %{{.*}} : i32
llvm.func @mixed(%n: i32, %leaf: i8) -> i8 attributes {cilk.task} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i8 : (i32) -> !llvm.ptr
  %y = llvm.alloca %one x i8 : (i32) -> !llvm.ptr
  %n1 = llvm.sub %n, %one : i32
  cilk.spawn @mixed(%n1, %leaf) into %x : (i32, i8) -> i8
  cilk.spawn @mixed(%n1, %leaf) into %y : (i32, i8) -> i8
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i8
  %b = llvm.load %y : !llvm.ptr -> i8
  %c = llvm.zext %a : i8 to i32
  %d = llvm.sext %b : i8 to i32
  %greater = llvm.icmp "sgt" %c, %d : i32
  %most = llvm.select %greater, %c, %d : i1, i32
  %low = llvm.trunc %most : i32 to i8
  llvm.return %low : i8
}

// -----

// `x || y`: the byte that holds a bool. A bool that a call returns is one, too.
// CHECK-LABEL: llvm.func @any(
// CHECK: %[[R:.*]] = llvm.alloca %{{.*}} x i8
// CHECK: cilk.spawn @any.acc(%{{.*}}, %{{.*}}, %[[R]])
// CHECK: %[[BYTE:.*]] = llvm.load %[[R]] : !llvm.ptr -> i8
// CHECK: %[[BOOL:.*]] = llvm.trunc %[[BYTE]] : i8 to i1
// CHECK: llvm.return %[[BOOL]]
// CHECK-LABEL: llvm.func internal @any.acc(
// CHECK: %[[LEAF:.*]] = llvm.zext %{{.*}} : i1 to i8
// CHECK: llvm.atomicrmw _or %{{.*}}, %[[LEAF]] monotonic {cilk.accumulate} : !llvm.ptr, i8
llvm.func @any(%n: i32, %leaf: i1) -> i1 attributes {cilk.task} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %true = llvm.mlir.constant(true) : i1
  %x = llvm.alloca %one x i8 : (i32) -> !llvm.ptr
  %small = llvm.icmp "slt" %n, %one : i32
  llvm.cond_br %small, ^end(%leaf : i1), ^more
^more:
  %n1 = llvm.sub %n, %one : i32
  cilk.spawn @any(%n1, %leaf) into %x : (i32, i1) -> i1
  %b = cilk.call @any(%n1, %leaf) : (i32, i1) -> i1
  cilk.sync
  %byte = llvm.load %x : !llvm.ptr -> i8
  %a = llvm.trunc %byte : i8 to i1
  %either = llvm.select %a, %true, %b : i1, i1
  llvm.br ^end(%either : i1)
^end(%r: i1):
  llvm.return %r : i1
}

// -----

// `x && y & z > n` as C has it: operands that `&&` might not look at may be poison.
// CHECK-LABEL: llvm.func internal @all.acc(
// CHECK: %[[KNOWN:.*]] = llvm.freeze %{{.*}} : i1
// CHECK: %[[TERM:.*]] = llvm.zext %[[KNOWN]] : i1 to i8
// CHECK: llvm.atomicrmw _and %{{.*}}, %[[TERM]] monotonic {cilk.accumulate} : !llvm.ptr, i8
llvm.func @all(%n: i32) -> i1 attributes {cilk.task} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %false = llvm.mlir.constant(false) : i1
  %x = llvm.alloca %one x i8 : (i32) -> !llvm.ptr
  %y = llvm.alloca %one x i8 : (i32) -> !llvm.ptr
  %n1 = llvm.sub %n, %one : i32
  cilk.spawn @all(%n1) into %x : (i32) -> i1
  cilk.spawn @all(%n1) into %y : (i32) -> i1
  cilk.sync
  %byteX = llvm.load %x : !llvm.ptr -> i8
  %byteY = llvm.load %y : !llvm.ptr -> i8
  %a = llvm.trunc %byteX : i8 to i1
  %b = llvm.trunc %byteY : i8 to i1
  %next = llvm.add %n, %one overflow<nsw> : i32
  %own = llvm.icmp "sgt" %next, %n : i32
  %c = llvm.zext %a : i1 to i32
  %d = llvm.zext %b : i1 to i32
  %both = llvm.and %c, %d : i32
  %bool = llvm.icmp "ne" %both, %zero : i32
  %all = llvm.select %bool, %own, %false : i1, i1
  llvm.return %all : i1
}

// -----

// The result of a call that may throw is narrowed behind the call.
// CHECK-LABEL: llvm.func internal @invoked.acc(
// CHECK: %[[V:.*]] = llvm.invoke @value({{.*}}) to ^[[NEXT:bb[0-9]+]] unwind
// CHECK: ^[[NEXT]]:
// CHECK-NEXT: llvm.trunc %[[V]] : i32 to i16
llvm.func @personality(...) -> i32
llvm.func @value(i32) -> i32
llvm.func @invoked(%n: i32) -> i16 attributes {cilk.task, personality = @personality} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %leaf = llvm.mlir.constant(1 : i16) : i16
  %null = llvm.mlir.zero : !llvm.ptr
  %x = llvm.alloca %one x i16 : (i32) -> !llvm.ptr
  %y = llvm.alloca %one x i16 : (i32) -> !llvm.ptr
  %small = llvm.icmp "slt" %n, %two : i32
  llvm.cond_br %small, ^end(%leaf : i16), ^more
^more:
  %v = llvm.invoke @value(%n) to ^spawns unwind ^thrown : (i32) -> i32
^spawns:
  %half = llvm.sdiv %n, %two : i32
  cilk.spawn @invoked(%half) into %x : (i32) -> i16
  cilk.spawn @invoked(%half) into %y : (i32) -> i16
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i16
  %b = llvm.load %y : !llvm.ptr -> i16
  %wide = llvm.zext %a : i16 to i32
  %other = llvm.zext %b : i16 to i32
  %sum = llvm.add %wide, %other : i32
  %all = llvm.add %sum, %v : i32
  %low = llvm.trunc %all : i32 to i16
  llvm.br ^end(%low : i16)
^thrown:
  %pad = llvm.landingpad (catch %null : !llvm.ptr) : !llvm.struct<(ptr, i32)>
  llvm.br ^end(%leaf : i16)
^end(%r: i16):
  llvm.return %r : i16
}
