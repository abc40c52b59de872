// Tests that large aggregates that are loaded only to be stored are copied in memory. The copy is direct if no write is in
// between, and else goes through a local variable. Small and volatile aggregates, and aggregates with other uses, stay.
// RUN: cilk-opt %s --channel-move-aggregates | FileCheck %s

// CHECK-LABEL: llvm.func @direct
// CHECK-SAME: (%[[FROM:.*]]: !llvm.ptr, %[[TO:.*]]: !llvm.ptr)
llvm.func @direct(%from: !llvm.ptr, %to: !llvm.ptr) {
  // CHECK: %[[SIZE:.*]] = llvm.mlir.constant(400 : i64)
  // CHECK-NEXT: "llvm.intr.memmove"(%[[TO]], %[[FROM]], %[[SIZE]]) <{isVolatile = false}>
  // CHECK-NEXT: llvm.return
  %value = llvm.load %from : !llvm.ptr -> !llvm.struct<(array<100 x i32>)>
  llvm.store %value, %to : !llvm.struct<(array<100 x i32>)>, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @kept
// CHECK-SAME: (%[[FROM:.*]]: !llvm.ptr, %[[TO:.*]]: !llvm.ptr, %[[OTHER:.*]]: !llvm.ptr)
llvm.func @kept(%from: !llvm.ptr, %to: !llvm.ptr, %other: !llvm.ptr) {
  // CHECK: %[[LOCAL:.*]] = llvm.alloca
  // CHECK: "llvm.intr.memmove"(%[[LOCAL]], %[[FROM]]
  // CHECK: llvm.store %{{.*}}, %[[FROM]] : i32
  // CHECK: "llvm.intr.memmove"(%[[TO]], %[[LOCAL]]
  // CHECK: "llvm.intr.memmove"(%[[OTHER]], %[[LOCAL]]
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %value = llvm.load %from : !llvm.ptr -> !llvm.array<100 x i32>
  llvm.store %c1, %from : i32, !llvm.ptr
  llvm.store %value, %to : !llvm.array<100 x i32>, !llvm.ptr
  llvm.store %value, %other : !llvm.array<100 x i32>, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @stay
llvm.func @stay(%from: !llvm.ptr, %to: !llvm.ptr) -> i32 {
  // CHECK-NOT: memmove
  // CHECK: llvm.return
  %small = llvm.load %from : !llvm.ptr -> !llvm.array<8 x i32>
  llvm.store %small, %to : !llvm.array<8 x i32>, !llvm.ptr
  %volatile = llvm.load volatile %from : !llvm.ptr -> !llvm.array<100 x i32>
  llvm.store %volatile, %to : !llvm.array<100 x i32>, !llvm.ptr
  %read = llvm.load %from : !llvm.ptr -> !llvm.array<100 x i32>
  llvm.store %read, %to : !llvm.array<100 x i32>, !llvm.ptr
  %first = llvm.extractvalue %read[0] : !llvm.array<100 x i32>
  llvm.return %first : i32
}
