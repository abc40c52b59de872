// Tests that a task whose result is a fold of its children's results gets an accumulating form, and that other tasks do
// not.
// RUN: cilk-opt %s --cilk-combine-results --split-input-file | FileCheck %s

// The sum of two results and the value of the base case.
// CHECK-LABEL: llvm.func @fib(
// CHECK: %[[R:.*]] = llvm.alloca
// CHECK: llvm.store %{{.*}}, %[[R]] : i32, !llvm.ptr
// CHECK-NEXT: cilk.spawn @fib.acc(%{{.*}}, %[[R]]) : (i32, !llvm.ptr) -> ()
// CHECK-NEXT: cilk.sync
// CHECK-NEXT: %[[SUM:.*]] = llvm.load %[[R]]
// CHECK-NEXT: llvm.return %[[SUM]]
// CHECK-LABEL: llvm.func internal @fib.acc(
// CHECK-SAME: %[[N:.*]]: i32, %[[ACC:.*]]: !llvm.ptr)
// CHECK-NOT: llvm.alloca
// CHECK: cilk.spawn @fib.acc(%{{.*}}, %[[ACC]]) : (i32, !llvm.ptr) -> ()
// CHECK: cilk.spawn @fib.acc(%{{.*}}, %[[ACC]]) : (i32, !llvm.ptr) -> ()
// CHECK: cilk.sync
// CHECK-NOT: llvm.load
// CHECK: llvm.atomicrmw add %[[ACC]], %[[N]] monotonic {cilk.accumulate}
llvm.func @fib(%n: i32) -> i32 attributes {cilk.task} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %y = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %small = llvm.icmp "slt" %n, %two : i32
  llvm.cond_br %small, ^end(%n : i32), ^more
^more:
  %n1 = llvm.sub %n, %one : i32
  cilk.spawn @fib(%n1) into %x : (i32) -> i32
  %n2 = llvm.sub %n, %two : i32
  cilk.spawn @fib(%n2) into %y : (i32) -> i32
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i32
  %b = llvm.load %y : !llvm.ptr -> i32
  %sum = llvm.add %a, %b : i32
  llvm.br ^end(%sum : i32)
^end(%r: i32):
  llvm.return %r : i32
}

// -----

// The larger of two results.
// CHECK-LABEL: llvm.func internal @largest.acc(
// CHECK: llvm.atomicrmw max %{{.*}}, %{{.*}} monotonic {cilk.accumulate}
llvm.func @largest(%n: i32) -> i32 attributes {cilk.task} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %small = llvm.icmp "slt" %n, %one : i32
  llvm.cond_br %small, ^end(%n : i32), ^more
^more:
  %n1 = llvm.sub %n, %one : i32
  cilk.spawn @largest(%n1) into %x : (i32) -> i32
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i32
  %greater = llvm.icmp "sgt" %a, %n : i32
  %most = llvm.select %greater, %a, %n : i1, i32
  llvm.br ^end(%most : i32)
^end(%r: i32):
  llvm.return %r : i32
}

// -----

// Results in an array that a counter fills and a loop sums up.
// CHECK-LABEL: llvm.func internal @tree.acc(
// CHECK-NOT: llvm.load
// CHECK: cilk.spawn @tree.acc(%{{.*}}, %[[ACC:.*]]) : (i32, !llvm.ptr) -> ()
// CHECK: cilk.sync
// CHECK-NOT: llvm.load
// CHECK: llvm.return
llvm.func @tree(%n: i32) -> i64 attributes {cilk.task} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %init = llvm.mlir.constant(1 : i64) : i64
  %r = llvm.alloca %one x !llvm.array<8 x i64> : (i32) -> !llvm.ptr
  llvm.br ^spawning(%zero, %n : i32, i32)
^spawning(%count: i32, %left: i32):
  %more = llvm.icmp "sgt" %left, %zero : i32
  llvm.cond_br %more, ^spawn, ^wait
^spawn:
  %less = llvm.sub %left, %one : i32
  %k = llvm.sext %count : i32 to i64
  %slot = llvm.getelementptr %r[0, %k] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<8 x i64>
  cilk.spawn @tree(%less) into %slot : (i32) -> i64
  %next = llvm.add %count, %one : i32
  llvm.br ^spawning(%next, %less : i32, i32)
^wait:
  cilk.sync
  llvm.br ^summing(%zero, %init : i32, i64)
^summing(%i: i32, %sum: i64):
  %again = llvm.icmp "slt" %i, %count : i32
  llvm.cond_br %again, ^add, ^end
^add:
  %j = llvm.sext %i : i32 to i64
  %from = llvm.getelementptr %r[0, %j] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<8 x i64>
  %value = llvm.load %from : !llvm.ptr -> i64
  %total = llvm.add %sum, %value : i64
  %inext = llvm.add %i, %one : i32
  llvm.br ^summing(%inext, %total : i32, i64)
^end:
  llvm.return %sum : i64
}

// -----

// The addition may come before the spawn: r[count++] = cilk_spawn ...
// CHECK-LABEL: llvm.func internal @postfix.acc(
// CHECK-NOT: llvm.load
// CHECK: cilk.spawn @postfix.acc(
// CHECK: llvm.return
llvm.func @postfix(%n: i32) -> i64 attributes {cilk.task} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %init = llvm.mlir.constant(1 : i64) : i64
  %r = llvm.alloca %one x !llvm.array<8 x i64> : (i32) -> !llvm.ptr
  llvm.br ^spawning(%zero, %n : i32, i32)
^spawning(%count: i32, %left: i32):
  %more = llvm.icmp "sgt" %left, %zero : i32
  llvm.cond_br %more, ^spawn, ^wait
^spawn:
  %less = llvm.sub %left, %one : i32
  %next = llvm.add %count, %one : i32
  %k = llvm.sext %count : i32 to i64
  %slot = llvm.getelementptr %r[0, %k] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<8 x i64>
  cilk.spawn @postfix(%less) into %slot : (i32) -> i64
  llvm.br ^spawning(%next, %less : i32, i32)
^wait:
  cilk.sync
  llvm.br ^summing(%zero, %init : i32, i64)
^summing(%i: i32, %sum: i64):
  %again = llvm.icmp "slt" %i, %count : i32
  llvm.cond_br %again, ^add, ^end
^add:
  %j = llvm.sext %i : i32 to i64
  %from = llvm.getelementptr %r[0, %j] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<8 x i64>
  %value = llvm.load %from : !llvm.ptr -> i64
  %total = llvm.add %sum, %value : i64
  %inext = llvm.add %i, %one : i32
  llvm.br ^summing(%inext, %total : i32, i64)
^end:
  llvm.return %sum : i64
}

// -----

// r[++count] leaves out the first element.
// CHECK-LABEL: llvm.func @prefix(
// CHECK: cilk.spawn @prefix({{.*}} into
llvm.func @prefix(%n: i32) -> i64 attributes {cilk.task} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %init = llvm.mlir.constant(1 : i64) : i64
  %r = llvm.alloca %one x !llvm.array<8 x i64> : (i32) -> !llvm.ptr
  llvm.br ^spawning(%zero, %n : i32, i32)
^spawning(%count: i32, %left: i32):
  %more = llvm.icmp "sgt" %left, %zero : i32
  llvm.cond_br %more, ^spawn, ^wait
^spawn:
  %less = llvm.sub %left, %one : i32
  %next = llvm.add %count, %one : i32
  %k = llvm.sext %next : i32 to i64
  %slot = llvm.getelementptr %r[0, %k] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<8 x i64>
  cilk.spawn @prefix(%less) into %slot : (i32) -> i64
  llvm.br ^spawning(%next, %less : i32, i32)
^wait:
  cilk.sync
  llvm.br ^summing(%zero, %init : i32, i64)
^summing(%i: i32, %sum: i64):
  %again = llvm.icmp "slt" %i, %count : i32
  llvm.cond_br %again, ^add, ^end
^add:
  %j = llvm.sext %i : i32 to i64
  %from = llvm.getelementptr %r[0, %j] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<8 x i64>
  %value = llvm.load %from : !llvm.ptr -> i64
  %total = llvm.add %sum, %value : i64
  %inext = llvm.add %i, %one : i32
  llvm.br ^summing(%inext, %total : i32, i64)
^end:
  llvm.return %sum : i64
}

// -----

// The same, with a bound that both loops share.
// CHECK-LABEL: llvm.func internal @bounded.acc(
// CHECK-NOT: llvm.load
// CHECK: cilk.spawn @bounded.acc(
// CHECK: llvm.return
llvm.func @bounded(%n: i32) -> i64 attributes {cilk.task} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %init = llvm.mlir.constant(1 : i64) : i64
  %r = llvm.alloca %one x !llvm.array<8 x i64> : (i32) -> !llvm.ptr
  llvm.br ^spawning(%zero, %n : i32, i32)
^spawning(%count: i32, %left: i32):
  %more = llvm.icmp "slt" %count, %n : i32
  llvm.cond_br %more, ^spawn, ^wait
^spawn:
  %less = llvm.sub %left, %one : i32
  %next = llvm.add %count, %one : i32
  %k = llvm.sext %count : i32 to i64
  %slot = llvm.getelementptr %r[0, %k] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<8 x i64>
  cilk.spawn @bounded(%less) into %slot : (i32) -> i64
  llvm.br ^spawning(%next, %less : i32, i32)
^wait:
  cilk.sync
  llvm.br ^summing(%zero, %init : i32, i64)
^summing(%i: i32, %sum: i64):
  %again = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %again, ^add, ^end
^add:
  %j = llvm.sext %i : i32 to i64
  %from = llvm.getelementptr %r[0, %j] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<8 x i64>
  %value = llvm.load %from : !llvm.ptr -> i64
  %total = llvm.add %sum, %value : i64
  %inext = llvm.add %i, %one : i32
  llvm.br ^summing(%inext, %total : i32, i64)
^end:
  llvm.return %sum : i64
}

// -----

// Results in an array at constant places: each place is a variable of its own.
// CHECK-LABEL: llvm.func internal @places.acc(
// CHECK-NOT: llvm.load
// CHECK: cilk.spawn @places.acc(%{{.*}}, %[[ACC:.*]]) : (i32, !llvm.ptr) -> ()
// CHECK: cilk.spawn @places.acc(%{{.*}}, %[[ACC]]) : (i32, !llvm.ptr) -> ()
// CHECK-NOT: llvm.load
// CHECK: llvm.return
llvm.func @places(%n: i32) -> i64 attributes {cilk.task} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %r = llvm.alloca %one x !llvm.array<2 x i64> : (i32) -> !llvm.ptr
  %second = llvm.getelementptr %r[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<2 x i64>
  cilk.spawn @places(%n) into %r : (i32) -> i64
  cilk.spawn @places(%n) into %second : (i32) -> i64
  cilk.sync
  %again = llvm.getelementptr %r[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %a = llvm.load %r : !llvm.ptr -> i64
  %b = llvm.load %again : !llvm.ptr -> i64
  %sum = llvm.add %a, %b : i64
  llvm.return %sum : i64
}

// -----

// A struct around the result.
// CHECK-LABEL: llvm.func internal @wrapped.acc(
// CHECK: cilk.spawn @wrapped.acc(
// CHECK: cilk.spawn @wrapped.acc(
llvm.func @wrapped(%n: i32) -> i64 attributes {cilk.task} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x !llvm.struct<"Value", (i64)> : (i32) -> !llvm.ptr
  %y = llvm.alloca %one x !llvm.struct<"Value", (i64)> : (i32) -> !llvm.ptr
  cilk.spawn @wrapped(%n) into %x : (i32) -> i64
  cilk.spawn @wrapped(%n) into %y : (i32) -> i64
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i64
  %b = llvm.load %y : !llvm.ptr -> i64
  %sum = llvm.add %a, %b : i64
  llvm.return %sum : i64
}

// -----

// Parts that overlap, and an array whose address a child gets, stay as they are.
// CHECK-LABEL: llvm.func @overlapping(
// CHECK: llvm.alloca {{.*}} x !llvm.array<2 x i64>
// CHECK: cilk.spawn @overlapping(%{{.*}}) into
llvm.func @overlapping(%n: i32) -> i64 attributes {cilk.task} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %r = llvm.alloca %one x !llvm.array<2 x i64> : (i32) -> !llvm.ptr
  cilk.spawn @overlapping(%n) into %r : (i32) -> i64
  cilk.sync
  %high = llvm.getelementptr %r[4] : (!llvm.ptr) -> !llvm.ptr, i8
  %a = llvm.load %r : !llvm.ptr -> i64
  %b = llvm.load %high : !llvm.ptr -> i32
  %wide = llvm.zext %b : i32 to i64
  %sum = llvm.add %a, %wide : i64
  llvm.return %sum : i64
}

// CHECK-LABEL: llvm.func @shown(
// CHECK: llvm.alloca {{.*}} x !llvm.array<2 x i64>
// CHECK: cilk.spawn @shown(%{{.*}}) into
llvm.func @shown(%n: !llvm.ptr) -> i64 attributes {cilk.task} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %r = llvm.alloca %one x !llvm.array<2 x i64> : (i32) -> !llvm.ptr
  %second = llvm.getelementptr %r[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<2 x i64>
  cilk.spawn @shown(%r) into %second : (!llvm.ptr) -> i64
  cilk.sync
  %b = llvm.load %second : !llvm.ptr -> i64
  llvm.return %b : i64
}

// -----

// A counter that starts at another number, or grows by two, leaves out elements, so it is none.
// CHECK-NOT: .acc
llvm.func @late(%n: i32) -> i64 attributes {cilk.task} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %init = llvm.mlir.constant(1 : i64) : i64
  %r = llvm.alloca %one x !llvm.array<8 x i64> : (i32) -> !llvm.ptr
  llvm.br ^spawning(%n, %n : i32, i32)
^spawning(%count: i32, %left: i32):
  %more = llvm.icmp "sgt" %left, %zero : i32
  llvm.cond_br %more, ^spawn, ^wait
^spawn:
  %less = llvm.sub %left, %one : i32
  %k = llvm.sext %count : i32 to i64
  %slot = llvm.getelementptr %r[0, %k] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<8 x i64>
  cilk.spawn @late(%less) into %slot : (i32) -> i64
  %next = llvm.add %count, %one : i32
  llvm.br ^spawning(%next, %less : i32, i32)
^wait:
  cilk.sync
  llvm.br ^summing(%zero, %init : i32, i64)
^summing(%i: i32, %sum: i64):
  %again = llvm.icmp "slt" %i, %count : i32
  llvm.cond_br %again, ^add, ^end
^add:
  %j = llvm.sext %i : i32 to i64
  %from = llvm.getelementptr %r[0, %j] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<8 x i64>
  %value = llvm.load %from : !llvm.ptr -> i64
  %total = llvm.add %sum, %value : i64
  %inext = llvm.add %i, %one : i32
  llvm.br ^summing(%inext, %total : i32, i64)
^end:
  llvm.return %sum : i64
}
llvm.func @everyOther(%n: i32) -> i64 attributes {cilk.task} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %init = llvm.mlir.constant(1 : i64) : i64
  %r = llvm.alloca %one x !llvm.array<8 x i64> : (i32) -> !llvm.ptr
  llvm.br ^spawning(%zero, %n : i32, i32)
^spawning(%count: i32, %left: i32):
  %more = llvm.icmp "sgt" %left, %zero : i32
  llvm.cond_br %more, ^spawn, ^wait
^spawn:
  %less = llvm.sub %left, %one : i32
  %k = llvm.sext %count : i32 to i64
  %slot = llvm.getelementptr %r[0, %k] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<8 x i64>
  cilk.spawn @everyOther(%less) into %slot : (i32) -> i64
  %next = llvm.add %count, %two : i32
  llvm.br ^spawning(%next, %less : i32, i32)
^wait:
  cilk.sync
  llvm.br ^summing(%zero, %init : i32, i64)
^summing(%i: i32, %sum: i64):
  %again = llvm.icmp "slt" %i, %count : i32
  llvm.cond_br %again, ^add, ^end
^add:
  %j = llvm.sext %i : i32 to i64
  %from = llvm.getelementptr %r[0, %j] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<8 x i64>
  %value = llvm.load %from : !llvm.ptr -> i64
  %total = llvm.add %sum, %value : i64
  %inext = llvm.add %i, %one : i32
  llvm.br ^summing(%inext, %total : i32, i64)
^end:
  llvm.return %sum : i64
}

// -----

// A loop that does more than add up, even if only with loads that others can see, stays.
// CHECK-NOT: .acc
// CHECK: llvm.load volatile
// CHECK-NOT: .acc
// CHECK: llvm.load %{{.*}} atomic
// CHECK-NOT: .acc
llvm.func @watches(%n: i32, %flag: !llvm.ptr) -> i64 attributes {cilk.task} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %init = llvm.mlir.constant(1 : i64) : i64
  %r = llvm.alloca %one x !llvm.array<8 x i64> : (i32) -> !llvm.ptr
  llvm.br ^spawning(%zero, %n : i32, i32)
^spawning(%count: i32, %left: i32):
  %more = llvm.icmp "sgt" %left, %zero : i32
  llvm.cond_br %more, ^spawn, ^wait
^spawn:
  %less = llvm.sub %left, %one : i32
  %k = llvm.sext %count : i32 to i64
  %slot = llvm.getelementptr %r[0, %k] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<8 x i64>
  cilk.spawn @watches(%less, %flag) into %slot : (i32, !llvm.ptr) -> i64
  %next = llvm.add %count, %one : i32
  llvm.br ^spawning(%next, %less : i32, i32)
^wait:
  cilk.sync
  llvm.br ^summing(%zero, %init : i32, i64)
^summing(%i: i32, %sum: i64):
  %again = llvm.icmp "slt" %i, %count : i32
  llvm.cond_br %again, ^add, ^end
^add:
  %j = llvm.sext %i : i32 to i64
  %from = llvm.getelementptr %r[0, %j] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<8 x i64>
  %value = llvm.load %from : !llvm.ptr -> i64
  %seen = llvm.load volatile %flag : !llvm.ptr -> i32
  %total = llvm.add %sum, %value : i64
  %inext = llvm.add %i, %one : i32
  llvm.br ^summing(%inext, %total : i32, i64)
^end:
  llvm.return %sum : i64
}
llvm.func @acquires(%n: i32, %flag: !llvm.ptr) -> i64 attributes {cilk.task} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %init = llvm.mlir.constant(1 : i64) : i64
  %r = llvm.alloca %one x !llvm.array<8 x i64> : (i32) -> !llvm.ptr
  llvm.br ^spawning(%zero, %n : i32, i32)
^spawning(%count: i32, %left: i32):
  %more = llvm.icmp "sgt" %left, %zero : i32
  llvm.cond_br %more, ^spawn, ^wait
^spawn:
  %less = llvm.sub %left, %one : i32
  %k = llvm.sext %count : i32 to i64
  %slot = llvm.getelementptr %r[0, %k] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<8 x i64>
  cilk.spawn @acquires(%less, %flag) into %slot : (i32, !llvm.ptr) -> i64
  %next = llvm.add %count, %one : i32
  llvm.br ^spawning(%next, %less : i32, i32)
^wait:
  cilk.sync
  llvm.br ^summing(%zero, %init : i32, i64)
^summing(%i: i32, %sum: i64):
  %again = llvm.icmp "slt" %i, %count : i32
  llvm.cond_br %again, ^add, ^end
^add:
  %j = llvm.sext %i : i32 to i64
  %from = llvm.getelementptr %r[0, %j] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<8 x i64>
  %value = llvm.load %from : !llvm.ptr -> i64
  %seen = llvm.load %flag atomic acquire {alignment = 4 : i64} : !llvm.ptr -> i32
  %total = llvm.add %sum, %value : i64
  %inext = llvm.add %i, %one : i32
  llvm.br ^summing(%inext, %total : i32, i64)
^end:
  llvm.return %sum : i64
}

// -----

// These are not combined: a result that is used twice, one that is not used on every path, one that is also compared, and a loop
// that leaves one out.
// CHECK-NOT: .acc
llvm.func @twice(%n: i32) -> i32 attributes {cilk.task} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  cilk.spawn @twice(%n) into %x : (i32) -> i32
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i32
  %sum = llvm.add %a, %a : i32
  llvm.return %sum : i32
}
llvm.func @sometimes(%n: i32) -> i32 attributes {cilk.task} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  cilk.spawn @sometimes(%n) into %x : (i32) -> i32
  cilk.sync
  %odd = llvm.trunc %n : i32 to i1
  llvm.cond_br %odd, ^take, ^end(%n : i32)
^take:
  %a = llvm.load %x : !llvm.ptr -> i32
  %sum = llvm.add %a, %n : i32
  llvm.br ^end(%sum : i32)
^end(%r: i32):
  llvm.return %r : i32
}
llvm.func @compared(%n: i32) -> i32 attributes {cilk.task} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  cilk.spawn @compared(%n) into %x : (i32) -> i32
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i32
  %positive = llvm.icmp "sgt" %a, %one : i32
  %sum = llvm.add %a, %n : i32
  %r = llvm.select %positive, %sum, %one : i1, i32
  llvm.return %r : i32
}
llvm.func @leavesOneOut(%n: i32) -> i64 attributes {cilk.task} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %init = llvm.mlir.constant(0 : i64) : i64
  %r = llvm.alloca %one x !llvm.array<8 x i64> : (i32) -> !llvm.ptr
  llvm.br ^spawning(%zero : i32)
^spawning(%count: i32):
  %more = llvm.icmp "slt" %count, %n : i32
  llvm.cond_br %more, ^spawn, ^wait
^spawn:
  %k = llvm.sext %count : i32 to i64
  %slot = llvm.getelementptr %r[0, %k] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<8 x i64>
  cilk.spawn @leavesOneOut(%count) into %slot : (i32) -> i64
  %next = llvm.add %count, %one : i32
  llvm.br ^spawning(%next : i32)
^wait:
  cilk.sync
  llvm.br ^summing(%one, %init : i32, i64)
^summing(%i: i32, %sum: i64):
  %again = llvm.icmp "slt" %i, %count : i32
  llvm.cond_br %again, ^add, ^end
^add:
  %j = llvm.sext %i : i32 to i64
  %from = llvm.getelementptr %r[0, %j] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<8 x i64>
  %value = llvm.load %from : !llvm.ptr -> i64
  %total = llvm.add %sum, %value : i64
  %inext = llvm.add %i, %one : i32
  llvm.br ^summing(%inext, %total : i32, i64)
^end:
  llvm.return %sum : i64
}

// -----

// One result is folded. The other comes from a callee that folds otherwise, so the task has to wait for it anyway.
// CHECK-LABEL: llvm.func @mixed(
// CHECK: cilk.spawn @mixed(%{{.*}}) into
// CHECK: cilk.spawn @product(%{{.*}}) into
// CHECK-NOT: @mixed.acc
llvm.func @product(%n: i32) -> i32 attributes {cilk.task} {
  %r = llvm.mul %n, %n : i32
  llvm.return %r : i32
}
llvm.func @mixed(%n: i32) -> i32 attributes {cilk.task} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %y = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %small = llvm.icmp "slt" %n, %two : i32
  llvm.cond_br %small, ^end(%n : i32), ^more
^more:
  %n1 = llvm.sub %n, %one : i32
  cilk.spawn @mixed(%n1) into %x : (i32) -> i32
  cilk.spawn @product(%n) into %y : (i32) -> i32
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i32
  %b = llvm.load %y : !llvm.ptr -> i32
  %sum = llvm.add %a, %b : i32
  llvm.br ^end(%sum : i32)
^end(%r: i32):
  llvm.return %r : i32
}

// -----

// A result in a variable is accumulated there, unless someone may know the variable when the child is spawned.
llvm.func @use(!llvm.ptr)
llvm.func @depth(%n: i32, %p: !llvm.ptr) -> i32 attributes {cilk.task} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %small = llvm.icmp "slt" %n, %one : i32
  llvm.cond_br %small, ^end(%n : i32), ^more
^more:
  %n1 = llvm.sub %n, %one : i32
  cilk.spawn @depth(%n1, %p) into %x : (i32, !llvm.ptr) -> i32
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i32
  %sum = llvm.add %a, %one : i32
  llvm.br ^end(%sum : i32)
^end(%r: i32):
  llvm.return %r : i32
}
// CHECK-LABEL: llvm.func @known_later(
// CHECK: cilk.spawn @depth.acc(
// CHECK: llvm.call @use
llvm.func @known_later(%n: i32, %p: !llvm.ptr) attributes {cilk.task} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  cilk.spawn @depth(%n, %p) into %x : (i32, !llvm.ptr) -> i32
  cilk.sync
  llvm.call @use(%x) : (!llvm.ptr) -> ()
  llvm.return
}
// CHECK-LABEL: llvm.func @known_to_child(
// CHECK: cilk.spawn @depth(%{{.*}}, %[[X:.*]]) into %[[X]]
llvm.func @known_to_child(%n: i32) attributes {cilk.task} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %n, %x : i32, !llvm.ptr
  cilk.spawn @depth(%n, %x) into %x : (i32, !llvm.ptr) -> i32
  cilk.sync
  llvm.return
}
// The element that another element's address leads to; the next round of the loop.
// CHECK-LABEL: llvm.func @known_in_loop(
// CHECK: cilk.spawn @depth(
llvm.func @known_in_loop(%n: i32, %p: !llvm.ptr) attributes {cilk.task} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  llvm.br ^again(%n : i32)
^again(%left: i32):
  %x = llvm.getelementptr %a[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<4 x i32>
  cilk.spawn @depth(%n, %p) into %x : (i32, !llvm.ptr) -> i32
  cilk.sync
  %y = llvm.getelementptr %a[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<4 x i32>
  llvm.call @use(%y) : (!llvm.ptr) -> ()
  %less = llvm.sub %left, %one : i32
  %more = llvm.icmp "sgt" %less, %one : i32
  llvm.cond_br %more, ^again(%less : i32), ^end
^end:
  llvm.return
}

// -----

// The next round replaces the sum. Only the last sum counts, so it is no fold of all results.
// CHECK-LABEL: llvm.func @rounds(
// CHECK-NOT: rounds.acc
llvm.func @rounds(%n: i32, %k: i32) -> i32 attributes {cilk.task} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.br ^header(%zero, %k : i32, i32)
^header(%s: i32, %left: i32):
  %done = llvm.icmp "eq" %left, %zero : i32
  llvm.cond_br %done, ^end, ^round
^round:
  %n1 = llvm.sub %n, %one : i32
  cilk.spawn @rounds(%n1, %left) into %x : (i32, i32) -> i32
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i32
  %next = llvm.add %a, %n : i32
  %less = llvm.sub %left, %one : i32
  llvm.br ^header(%next, %less : i32, i32)
^end:
  llvm.return %s : i32
}

// -----

// The value of the base case is no term, because the next iteration replaces it. The results of the other path are terms.
// CHECK-LABEL: llvm.func internal @serial.acc(
// CHECK-COUNT-1: llvm.atomicrmw add
// CHECK-NOT: llvm.atomicrmw
llvm.func @serial(%n: i32) -> i32 attributes {cilk.task} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %y = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %small = llvm.icmp "slt" %n, %two : i32
  llvm.cond_br %small, ^loop(%zero, %zero, %one : i32, i32, i32), ^more
^loop(%i: i32, %a: i32, %b: i32):
  %s = llvm.add %a, %b : i32
  %next = llvm.add %i, %one : i32
  %again = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %again, ^loop(%next, %b, %s : i32, i32, i32), ^end(%s : i32)
^more:
  %n1 = llvm.sub %n, %one : i32
  cilk.spawn @serial(%n1) into %x : (i32) -> i32
  %n2 = llvm.sub %n, %two : i32
  cilk.spawn @serial(%n2) into %y : (i32) -> i32
  cilk.sync
  %c = llvm.load %x : !llvm.ptr -> i32
  %d = llvm.load %y : !llvm.ptr -> i32
  %sum = llvm.add %c, %d : i32
  llvm.br ^end(%sum : i32)
^end(%r: i32):
  llvm.return %r : i32
}

// -----

// A sum that goes to two arguments of a block on one edge counts twice.
// CHECK-LABEL: llvm.func @twice(
// CHECK-NOT: twice.acc
llvm.func @twice(%n: i32) -> i32 attributes {cilk.task} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %small = llvm.icmp "slt" %n, %one : i32
  llvm.cond_br %small, ^end(%n, %one : i32, i32), ^more
^more:
  %n1 = llvm.sub %n, %one : i32
  cilk.spawn @twice(%n1) into %x : (i32) -> i32
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i32
  %sum = llvm.add %a, %n : i32
  llvm.br ^end(%sum, %sum : i32, i32)
^end(%p: i32, %q: i32):
  %r = llvm.add %p, %q : i32
  llvm.return %r : i32
}

// -----

// Results in an array of zeros, all of whose elements are added up one by one.
// CHECK-LABEL: llvm.func internal @elements.acc(
// CHECK: cilk.spawn @elements.acc(
// CHECK: cilk.sync
// CHECK: llvm.return
llvm.func @elements(%n: i64) -> i64 attributes {cilk.task} {
  %byte = llvm.mlir.constant(0 : i8) : i8
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %size = llvm.mlir.constant(16 : i64) : i64
  %r = llvm.alloca %one x !llvm.array<2 x i64> : (i64) -> !llvm.ptr
  %small = llvm.icmp "slt" %n, %one : i64
  llvm.cond_br %small, ^end(%n : i64), ^more
^more:
  "llvm.intr.memset"(%r, %byte, %size) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %less = llvm.sub %n, %one : i64
  %parity = llvm.and %n, %one : i64
  %slot = llvm.getelementptr %r[0, %parity] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2 x i64>
  cilk.spawn @elements(%less) into %slot : (i64) -> i64
  cilk.sync
  %first = llvm.getelementptr %r[0, %zero] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2 x i64>
  %second = llvm.getelementptr %r[0, %one] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2 x i64>
  %a = llvm.load %first : !llvm.ptr -> i64
  %b = llvm.load %second : !llvm.ptr -> i64
  %sum = llvm.add %a, %b : i64
  llvm.br ^end(%sum : i64)
^end(%result: i64):
  llvm.return %result : i64
}

// -----

// As above, but a loop may add the elements up several times.
// CHECK-NOT: .acc
llvm.func @addsAgain(%n: i64) -> i64 attributes {cilk.task} {
  %byte = llvm.mlir.constant(0 : i8) : i8
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %size = llvm.mlir.constant(16 : i64) : i64
  %r = llvm.alloca %one x !llvm.array<2 x i64> : (i64) -> !llvm.ptr
  %small = llvm.icmp "slt" %n, %one : i64
  llvm.cond_br %small, ^end(%n : i64), ^more
^more:
  "llvm.intr.memset"(%r, %byte, %size) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %less = llvm.sub %n, %one : i64
  %parity = llvm.and %n, %one : i64
  %slot = llvm.getelementptr %r[0, %parity] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2 x i64>
  cilk.spawn @addsAgain(%less) into %slot : (i64) -> i64
  cilk.sync
  llvm.br ^add(%zero : i64)
^add(%sum: i64):
  %first = llvm.getelementptr %r[0, %zero] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2 x i64>
  %second = llvm.getelementptr %r[0, %one] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2 x i64>
  %a = llvm.load %first : !llvm.ptr -> i64
  %b = llvm.load %second : !llvm.ptr -> i64
  %both = llvm.add %a, %b : i64
  %total = llvm.add %sum, %both : i64
  %again = llvm.icmp "slt" %sum, %zero : i64
  llvm.cond_br %again, ^add(%total : i64), ^end(%total : i64)
^end(%result: i64):
  llvm.return %result : i64
}
