// Tests that strands of tasks get their views of reducers: a slot for each spawned task, a reduction at each sync, and
// calls around ordinary code that may look up a view.
// RUN: cilk-opt %s --cilk-track-strands | FileCheck %s

llvm.func @__hyper_lookup(!llvm.ptr, i64, !llvm.ptr, !llvm.ptr) -> !llvm.ptr
llvm.func @looks() attributes {passthrough = ["cilk2gpu-looks-up"]}
llvm.func @other()

llvm.func internal @f.serial(%n: i32) -> i32 {
  llvm.return %n : i32
}

// The form that ordinary code calls runs the form with strands as a root.
// CHECK-LABEL: llvm.func @f(
// CHECK: channel.serial
// CHECK: llvm.call @f.serial
// CHECK: %[[ROOT:.*]] = llvm.call @__cilk2gpu_views_root()
// CHECK: cilk.spawn @f.strand(%{{.*}}, %[[ROOT]]) into
// CHECK-NEXT: cilk.sync

// CHECK-LABEL: llvm.func internal @f.strand.serial(
// CHECK: llvm.call @__cilk2gpu_views_begin(%[[OWN:[a-z0-9]+]], %
// CHECK-NEXT: llvm.call @__cilk2gpu_views_enter(%[[OWN]])
// CHECK-NEXT: %[[R:.*]] = llvm.call @f.serial(
// CHECK-NEXT: llvm.call @__cilk2gpu_views_leave(%[[OWN]])
// CHECK-NEXT: llvm.call @__cilk2gpu_views_end(%[[OWN]])
// CHECK-NEXT: llvm.return %[[R]]

// CHECK-LABEL: llvm.func internal @f.strand(
// CHECK-SAME: %[[SLOT:[a-z0-9]+]]: !llvm.ptr) -> i32 attributes {{.*}}cilk.strands
// CHECK-SAME: ["cilk2gpu-lanes", "scalar"]
// CHECK: llvm.call @__cilk2gpu_views_begin(%[[SELF:[a-z0-9]+]], %[[SLOT]])
// CHECK: %[[VIEW:.*]] = llvm.call @__cilk2gpu_views_lookup(%[[SELF]],
// CHECK: llvm.store %{{.*}}, %[[VIEW]]
// CHECK: %[[CHILD:[a-z0-9]+]] = llvm.call @__cilk2gpu_views_spawn(%[[SELF]])
// CHECK-NEXT: cilk.spawn @f.strand(%{{.*}}, %[[CHILD]])
// CHECK-NEXT: cilk.spawn @quiet()
// CHECK: llvm.call @__cilk2gpu_views_enter(%[[SELF]])
// CHECK-NEXT: llvm.call @looks()
// CHECK-NEXT: llvm.call @__cilk2gpu_views_leave(%[[SELF]])
// CHECK-NEXT: llvm.call @other()
// CHECK-NEXT: cilk.sync
// CHECK-NEXT: llvm.call @__cilk2gpu_views_sync(%[[SELF]])
// CHECK: llvm.call @__cilk2gpu_views_end(%[[SELF]])
// CHECK-NEXT: llvm.return
llvm.func @f(%n: i32) -> i32 attributes {cilk.task, cilk.elision = @f.serial,
                                         passthrough = ["cilk2gpu-tracks", ["cilk2gpu-origin", "f"]]} {
  %key = llvm.mlir.zero : !llvm.ptr
  %size = llvm.mlir.constant(4 : i64) : i64
  %view = llvm.call @__hyper_lookup(%key, %size, %key, %key) : (!llvm.ptr, i64, !llvm.ptr, !llvm.ptr) -> !llvm.ptr
  llvm.store %n, %view : i32, !llvm.ptr
  cilk.spawn @f(%n) : (i32) -> i32
  cilk.spawn @quiet() : () -> ()
  llvm.call @looks() : () -> ()
  llvm.call @other() : () -> ()
  cilk.sync
  llvm.return %n : i32
}

// A task that looks up nothing stays as it is.
// CHECK-LABEL: llvm.func @quiet()
// CHECK-NEXT: llvm.call @other()
// CHECK-NEXT: llvm.return
llvm.func @quiet() attributes {cilk.task, passthrough = ["cilk2gpu-tracks"]} {
  llvm.call @other() : () -> ()
  llvm.return
}

// CHECK-LABEL: llvm.func @main()
// CHECK: llvm.call @__cilk2gpu_views_begin_host(%[[MAIN:[a-z0-9]+]])
// CHECK: %[[OF:.*]] = llvm.call @__cilk2gpu_views_spawn(%[[MAIN]])
// CHECK-NEXT: cilk.spawn @f.strand(%{{.*}}, %[[OF]])
// CHECK-NEXT: cilk.sync
// CHECK-NEXT: llvm.call @__cilk2gpu_views_sync(%[[MAIN]])
// CHECK-NEXT: llvm.call @__cilk2gpu_views_end_host(%[[MAIN]])
llvm.func @main() -> i32 {
  %n = llvm.mlir.constant(4 : i32) : i32
  cilk.spawn @f(%n) : (i32) -> i32
  llvm.return %n : i32
}

// An ordered task gets its slot where it is created. Its strands write into the slot while it runs.
// CHECK-LABEL: llvm.func internal @order.strand(
// CHECK-SAME: %[[TABLE:[a-z0-9]+]]: !llvm.ptr
// CHECK: llvm.call @__cilk2gpu_depend_reserve(%[[TABLE]], %[[ORDER:[a-z0-9]+]])
// CHECK-NEXT: llvm.call @__cilk2gpu_depend_add(%[[TABLE]])
// CHECK-NEXT: llvm.call @__cilk2gpu_views_adopt(%[[ORDER]], %[[TABLE]])
// CHECK-NEXT: llvm.call @__cilk2gpu_views_enter(%[[ORDER]])
// CHECK-NEXT: llvm.call @looks()
// CHECK-NEXT: llvm.call @__cilk2gpu_views_leave(%[[ORDER]])
// CHECK-NEXT: llvm.call @__cilk2gpu_views_release(%[[ORDER]], %[[TABLE]])
// CHECK-NEXT: cilk.sync
// CHECK-NEXT: llvm.call @__cilk2gpu_views_sync(%[[ORDER]])
llvm.func @order(%table: !llvm.ptr) attributes {cilk.task, cilk.elision = @order.serial,
                                               passthrough = ["cilk2gpu-tracks", ["cilk2gpu-origin", "order"]]} {
  llvm.call @__cilk2gpu_depend_add(%table) : (!llvm.ptr) -> i32
  llvm.call @__cilk2gpu_depend_enter(%table) : (!llvm.ptr) -> ()
  llvm.call @looks() : () -> ()
  llvm.call @__cilk2gpu_depend_leave(%table) : (!llvm.ptr) -> ()
  cilk.sync
  llvm.return
}
llvm.func @order.serial(%table: !llvm.ptr) {
  llvm.return
}
llvm.func @__cilk2gpu_depend_add(!llvm.ptr) -> i32
llvm.func @__cilk2gpu_depend_enter(!llvm.ptr)
llvm.func @__cilk2gpu_depend_leave(!llvm.ptr)

// Where a call may throw, the handler leaves the activation as the code behind the call does.
// CHECK-LABEL: llvm.func internal @throws.strand(
// CHECK: llvm.call @__cilk2gpu_views_enter(%[[THROWS:.*]])
// CHECK-NEXT: llvm.invoke @looks() to ^[[BEHIND:.*]] unwind ^[[PAD:.*]] :
// CHECK: ^[[BEHIND]]:
// CHECK-NEXT: llvm.call @__cilk2gpu_views_leave(%[[THROWS]])
// CHECK: ^[[PAD]]:
// CHECK-NEXT: llvm.landingpad
// CHECK-NEXT: llvm.call @__cilk2gpu_views_leave(%[[THROWS]])
llvm.func @throws() attributes {cilk.task, cilk.elision = @throws.serial, personality = @__gxx_personality_v0,
                                passthrough = ["cilk2gpu-tracks", ["cilk2gpu-origin", "throws"]]} {
  llvm.invoke @looks() to ^end unwind ^pad : () -> ()
^end:
  llvm.return
^pad:
  %caught = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.return
}
llvm.func @throws.serial() {
  llvm.return
}
llvm.func @__gxx_personality_v0(...) -> i32
