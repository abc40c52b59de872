// Tests tasks of a file without reducers that may call other files. They keep their form, and get a second one whose views
// are tracked if the program has reducers.
// RUN: cilk-opt %s --cilk-track-strands | FileCheck %s

llvm.func @looks() attributes {passthrough = ["cilk2gpu-looks-up"]}
llvm.func @__cilk2gpu_depend_add(!llvm.ptr) -> i32
llvm.func @__cilk2gpu_depend_enter(!llvm.ptr)
llvm.func @__cilk2gpu_depend_leave(!llvm.ptr)
llvm.func @__cilk2gpu_call_in_place() -> i32

llvm.func internal @f.serial(%n: i32, %table: !llvm.ptr) {
  llvm.return
}

// Its first form has no call for views or for the order of ordered tasks.
// CHECK-LABEL: llvm.func @f(
// CHECK-SAME: cilk.strand_form = @f.strand, cilk.task
// CHECK-NOT: @__cilk2gpu_views
// CHECK: llvm.call @__cilk2gpu_call_in_place
// CHECK: cilk.spawn @f(
// CHECK: llvm.call @__cilk2gpu_depend_add
// CHECK-NEXT: llvm.call @looks()
// CHECK-NEXT: cilk.sync

// CHECK-LABEL: llvm.func internal @f.strand(
// CHECK-SAME: cilk.strands = @f
// CHECK: llvm.call @__cilk2gpu_views_begin(%[[SELF:[a-z0-9]+]], %
// CHECK-NOT: @__cilk2gpu_call_in_place
// CHECK: %[[CHILD:.*]] = llvm.call @__cilk2gpu_views_spawn(%[[SELF]])
// CHECK-NEXT: cilk.spawn @f.strand(%{{.*}}, %[[CHILD]])
// CHECK: llvm.call @__cilk2gpu_depend_reserve
// CHECK: llvm.call @__cilk2gpu_views_adopt
// CHECK-NEXT: llvm.call @__cilk2gpu_views_enter(%[[SELF]])
// CHECK-NEXT: llvm.call @looks()
llvm.func @f(%n: i32, %table: !llvm.ptr) attributes {cilk.task, cilk.elision = @f.serial,
                                                     passthrough = ["cilk2gpu-tracks-if-used", ["cilk2gpu-origin", "f"]]} {
  %question = llvm.call @__cilk2gpu_call_in_place() : () -> i32
  cilk.spawn @f(%question, %table) : (i32, !llvm.ptr) -> ()
  llvm.call @__cilk2gpu_depend_add(%table) : (!llvm.ptr) -> i32
  llvm.call @__cilk2gpu_depend_enter(%table) : (!llvm.ptr) -> ()
  llvm.call @looks() : () -> ()
  llvm.call @__cilk2gpu_depend_leave(%table) : (!llvm.ptr) -> ()
  cilk.sync
  llvm.return
}

// A function that says nothing of views, such as one with a doacross nest, has one form.
// CHECK-LABEL: llvm.func @nest(
// CHECK-NOT: cilk.strand_form
// CHECK-SAME: {
// CHECK-NEXT: llvm.call @looks()
llvm.func @nest() attributes {cilk.task, cilk.elision = @f.serial, passthrough = [["cilk2gpu-origin", "nest"]]} {
  llvm.call @looks() : () -> ()
  llvm.return
}

// CHECK-LABEL: llvm.func @main()
// CHECK: llvm.call @__cilk2gpu_views_begin_host(%[[MAIN:[a-z0-9]+]])
// CHECK: %[[SLOT:.*]] = llvm.call @__cilk2gpu_views_spawn_if_used(%[[MAIN]])
// CHECK: %[[USED:.*]] = llvm.icmp "ne" %[[SLOT]]
// CHECK: llvm.cond_br %[[USED]], ^[[STRAND:bb[0-9]+]], ^[[PLAIN:bb[0-9]+]]
// CHECK: ^[[PLAIN]]:
// CHECK-NEXT: cilk.spawn @f(%{{.*}}, %{{[a-z0-9]+}}) :
// CHECK: ^[[STRAND]]:
// CHECK-NEXT: cilk.spawn @f.strand(%{{.*}}, %{{.*}}, %[[SLOT]])
// CHECK: cilk.sync
// CHECK-NEXT: llvm.call @__cilk2gpu_views_sync(%[[MAIN]])
// CHECK-NEXT: llvm.call @__cilk2gpu_views_end_host(%[[MAIN]])
llvm.func @main() -> i32 {
  %n = llvm.mlir.constant(4 : i32) : i32
  %null = llvm.mlir.zero : !llvm.ptr
  cilk.spawn @f(%n, %null) : (i32, !llvm.ptr) -> ()
  llvm.return %n : i32
}
