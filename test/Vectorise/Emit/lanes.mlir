// Tests that vectorise-lanes turns a lane form into vectors under masks, with branches where all lanes agree.
// RUN: cilk-opt %s --vectorise-lanes=length=16 --split-input-file | FileCheck %s


// CHECK-LABEL: llvm.func @f.wave(%{{.*}}: !llvm.ptr)
// The element's fields, contiguous.
// CHECK: %[[N:.*]] = llvm.intr.masked.load %{{.*}}, %[[MASK:.*]], %{{.*}} : (!llvm.ptr, vector<16xi1>, vector<16xi32>) -> vector<16xi32>
// CHECK: llvm.intr.masked.load {{.*}} -> vector<16x!llvm.ptr>
// The condition differs from lane to lane: its side runs if a lane takes it.
// CHECK: %[[SMALL:.*]] = llvm.icmp "slt" %[[N]], %{{.*}} : vector<16xi32>
// CHECK: llvm.select %[[MASK]], %[[SMALL]], %{{.*}} : vector<16xi1>, vector<16xi1>
// CHECK: llvm.cond_br
// CHECK: llvm.intr.masked.scatter
// Space for all lanes at once, or from the runtime; the lanes' fields are compressed.
// CHECK: llvm.call @__cilk2gpu_talloc_lanes
// CHECK: llvm.call_intrinsic "llvm.experimental.vector.compress"
// CHECK: llvm.intr.masked.store
llvm.func @f() attributes {passthrough = ["cilk2gpu-lane-kernel"]} {
  %two = llvm.mlir.constant(2 : i32) : i32
  %n = lane.deq 0 : i32
  %dest = lane.deq 1 : !llvm.ptr
  %small = llvm.icmp "slt" %n, %two : i32
  llvm.cond_br %small, ^leaf, ^more
^leaf:
  lane.result %n to %dest : i32
  llvm.br ^end
^more:
  %m = llvm.sub %n, %two : i32
  %ok = lane.spawn 0 (%m, %dest : i32, !llvm.ptr)
  llvm.br ^end
^end:
  llvm.return
}

// -----

// A counter that all lanes share stays a scalar, though lanes leave the loop one by one.
// CHECK-LABEL: llvm.func @loop.wave
// CHECK: ^{{.*}}(%[[I:.*]]: i32, %{{.*}}: vector<16xi32>{{.*}}, %[[LEFT:.*]]: vector<16xi1>
// CHECK: llvm.add %[[I]], %{{.*}} : i32
// The divisor of a lane that has left the loop is 1.
// CHECK: llvm.select %[[LEFT]], %{{.*}}, %{{.*}} : vector<16xi1>, vector<16xi32>
// CHECK: llvm.fdiv {{.*}} : vector<16xf64>
// CHECK: llvm.intr.masked.scatter
llvm.func @loop() attributes {passthrough = ["cilk2gpu-lane-kernel"]} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %n = lane.deq 0 : i32
  %p = lane.deq 1 : !llvm.ptr
  llvm.br ^body(%zero, %zero : i32, i32)
^body(%i: i32, %sum: i32):
  %next = llvm.add %i, %one : i32
  %part = llvm.udiv %next, %n : i32
  %total = llvm.add %sum, %part : i32
  %again = llvm.icmp "ult" %next, %n : i32
  llvm.cond_br %again, ^body(%next, %total : i32, i32), ^end
^end:
  llvm.store %total, %p : i32, !llvm.ptr
  llvm.return
}

// -----

llvm.mlir.global external @where() : i32

// All lanes take the same case of the switch. Both sides of the branch in its first case lead to the end. The mask that says so
// is computed on neither side, so it does not matter which side is skipped.
// CHECK-LABEL: llvm.func @shared_case.wave
// CHECK-DAG: %[[LEAVES:.*]] = llvm.mlir.constant(0 : i8) : i8
// CHECK: llvm.switch %{{.*}} : i32, ^{{.*}} [
// CHECK: llvm.store
// CHECK: llvm.store
// CHECK-NEXT: llvm.br ^[[BOTH:bb[0-9]+]](%[[LEAVES]] : i8)
// CHECK-NEXT: ^[[BOTH]](%{{.*}}: i8):
// CHECK-NEXT: llvm.br ^{{.*}}(%[[LEAVES]] : i8)
llvm.func @shared_case() attributes {passthrough = ["cilk2gpu-lane-kernel"]} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %p = llvm.mlir.addressof @where : !llvm.ptr
  %n = lane.deq 0 : i32
  %way = llvm.load %p : !llvm.ptr -> i32
  %small = llvm.icmp "slt" %n, %two : i32
  llvm.switch %way : i32, ^end [
    0: ^first,
    1: ^shared,
    2: ^shared
  ]
^first:
  llvm.cond_br %small, ^left, ^right
^left:
  llvm.store %one, %p : i32, !llvm.ptr
  llvm.br ^end
^right:
  llvm.store %two, %p : i32, !llvm.ptr
  llvm.br ^end
^shared:
  llvm.store %n, %p : i32, !llvm.ptr
  llvm.br ^end
^end:
  llvm.return
}

// -----

llvm.mlir.global external @where() : i32

// An undefined value on a side that is not taken may be frozen: no lane looks at it. Poison would spread.
// CHECK-LABEL: llvm.func @undefined_side.wave
// CHECK: llvm.cond_br %{{.*}}, ^[[READ:bb[0-9]+]], ^[[JOIN:bb[0-9]+]](%{{.*}} : vector<16xi32>)
// CHECK: ^[[JOIN]](%[[READS:.*]]: vector<16xi32>):
// CHECK: %[[BOTH:.*]] = llvm.select %{{.*}}, %{{.*}}, %[[READS]] : vector<16xi1>, vector<16xi32>
// CHECK: llvm.freeze %[[BOTH]] : vector<16xi32>
llvm.func @undefined_side() attributes {passthrough = ["cilk2gpu-lane-kernel"]} {
  %two = llvm.mlir.constant(2 : i32) : i32
  %undefined = llvm.mlir.undef : i32
  %n = lane.deq 0 : i32
  %p = lane.deq 1 : !llvm.ptr
  %small = llvm.icmp "slt" %n, %two : i32
  llvm.cond_br %small, ^read, ^end(%undefined : i32)
^read:
  llvm.store %n, %p : i32, !llvm.ptr
  %where = llvm.mlir.addressof @where : !llvm.ptr
  %value = llvm.load %where : !llvm.ptr -> i32
  llvm.br ^end(%value : i32)
^end(%x: i32):
  %any = llvm.freeze %x : i32
  llvm.store %any, %p : i32, !llvm.ptr
  llvm.return
}
