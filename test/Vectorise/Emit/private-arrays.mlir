// Tests that local arrays are laid out by lane, and that accesses with indices that agree in all lanes are contiguous.
// RUN: cilk-opt %s --vectorise-lanes=length=16 --split-input-file | FileCheck %s


// A row of 16 bytes for each element: a constant index is one store; an index that may differ is compared at run time.
// CHECK-LABEL: llvm.func @f.wave
// CHECK: %[[ROWS:.*]] = llvm.alloca %{{.*}} x !llvm.array<8 x i8> {alignment = 64 : i64}
// CHECK: %[[ROW:.*]] = llvm.getelementptr %[[ROWS]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<16 x i8>
// CHECK: llvm.store %{{.*}}, %[[ROW]] {alignment = 16 : i64} : vector<16xi8>
// CHECK: %[[FIRST:.*]] = llvm.extractelement %[[OFFSETS:.*]][%{{.*}} : i16] : vector<16xi64>
// CHECK: llvm.icmp "eq" %[[OFFSETS]], %{{.*}} : vector<16xi64>
// CHECK: llvm.cond_br %{{.*}}, ^[[APART:bb[0-9]+]], ^[[SHARED:bb[0-9]+]]
// CHECK: ^[[SHARED]]:
// CHECK-NOT: gather
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr -> vector<16xi8>
// CHECK: ^[[APART]]:
// CHECK: llvm.intr.masked.gather
llvm.func @f() attributes {passthrough = ["cilk2gpu-lane-kernel"]} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %local = llvm.alloca %one x !llvm.array<8 x i8> : (i32) -> !llvm.ptr
  %value = lane.deq 0 : i8
  %index = lane.deq 1 : i32
  %third = llvm.getelementptr %local[3] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %value, %third : i8, !llvm.ptr
  %any = llvm.getelementptr %local[%index] : (!llvm.ptr, i32) -> !llvm.ptr, i8
  %got = llvm.load %any : !llvm.ptr -> i8
  %wide = llvm.zext %got : i8 to i64
  %null = llvm.mlir.zero : !llvm.ptr
  lane.accumulate add %wide into %null : i64
  llvm.return
}

// -----

// A difference of bytes is compared in byte lanes with a number that is the same in all lanes.
// CHECK-LABEL: llvm.func @g.wave
// CHECK: llvm.sub %[[X:.*]], %[[Y:.*]] : vector<16xi8>
// CHECK: llvm.icmp "eq" {{.*}} : vector<16xi8>
// CHECK: llvm.icmp "sgt" %[[X]], %[[Y]] : vector<16xi8>
llvm.func @g() attributes {passthrough = ["cilk2gpu-lane-kernel"]} {
  %five = llvm.mlir.constant(5 : i32) : i32
  %one = llvm.mlir.constant(1 : i64) : i64
  %x = lane.deq 0 : i8
  %y = lane.deq 1 : i8
  %p = lane.deq 2 : !llvm.ptr
  %wx = llvm.sext %x : i8 to i32
  %wy = llvm.sext %y : i8 to i32
  %difference = llvm.sub %wx, %wy : i32
  %is = llvm.icmp "eq" %difference, %five : i32
  llvm.cond_br %is, ^yes, ^no
^yes:
  llvm.store %one, %p : i64, !llvm.ptr
  llvm.br ^no
^no:
  llvm.return
}

// -----

// Field 0 is passed on unchanged, field 1 differs in each child. Lanes that agree in field 0 run a loop that ends for all of them
// at once.
// CHECK-LABEL: llvm.func @h.wave
// CHECK: %[[N:.*]] = llvm.intr.masked.load {{.*}} -> vector<16xi32>
// CHECK: llvm.extractelement %[[N]]
// CHECK: llvm.cond_br %{{.*}}, ^[[APART:bb[0-9]+]], ^[[TOGETHER:bb[0-9]+]]
// CHECK: ^[[TOGETHER]]:
// CHECK: %[[MORE:.*]] = llvm.icmp "slt" %{{.*}}, %{{.*}} : i32
// CHECK: llvm.cond_br %[[MORE]]
// CHECK: ^[[APART]]:
// CHECK: llvm.icmp "slt" %{{.*}}, %{{.*}} : vector<16xi32>
llvm.func @h() attributes {passthrough = ["cilk2gpu-lane-kernel", ["cilk2gpu-own-target", "0"]]} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %n = lane.deq 0 : i32
  %v = lane.deq 1 : i32
  llvm.br ^loop(%zero : i32)
^loop(%i: i32):
  %child = llvm.mul %v, %i : i32
  %ok = lane.spawn 0 (%n, %child : i32, i32)
  %next = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %more, ^loop(%next : i32), ^end
^end:
  llvm.return
}

// -----

// Each lane has its own number of iterations. Lanes that agree in field 0, an array, load one element at a time for all of them.
// CHECK-LABEL: llvm.func @sums.wave
// CHECK: llvm.cond_br %{{.*}}, ^[[APART:bb[0-9]+]], ^[[TOGETHER:bb[0-9]+]]
// CHECK: ^[[TOGETHER]]:
// CHECK-NOT: llvm.intr.masked.gather
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> i32
// CHECK: ^[[APART]]:
// CHECK: llvm.intr.masked.gather
llvm.func @sums() attributes {passthrough = ["cilk2gpu-lane-kernel", ["cilk2gpu-own-target", "0"]]} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %p = lane.deq 0 : !llvm.ptr
  %v = lane.deq 1 : i32
  llvm.br ^loop(%zero, %zero : i32, i32)
^loop(%i: i32, %sum: i32):
  %at = llvm.getelementptr %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %value = llvm.load %at : !llvm.ptr -> i32
  %total = llvm.add %sum, %value : i32
  %next = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %next, %v : i32
  llvm.cond_br %more, ^loop(%next, %total : i32, i32), ^end
^end:
  %ok = lane.spawn 0 (%p, %total : !llvm.ptr, i32)
  llvm.return
}

// -----

// A single load is not worth a second version of the kernel.
// CHECK-LABEL: llvm.func @once.wave
// CHECK: llvm.intr.masked.gather
// CHECK-NOT: llvm.load %{{.*}} : !llvm.ptr -> i32
// CHECK-NOT: llvm.intr.masked.gather
// CHECK: llvm.return
llvm.func @once() attributes {passthrough = ["cilk2gpu-lane-kernel", ["cilk2gpu-own-target", "0"]]} {
  %p = lane.deq 0 : !llvm.ptr
  %v = lane.deq 1 : i32
  %value = llvm.load %p : !llvm.ptr -> i32
  %total = llvm.add %v, %value : i32
  %ok = lane.spawn 0 (%p, %total : !llvm.ptr, i32)
  llvm.return
}
