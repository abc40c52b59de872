// Tests that every node and operation of the channel dialect round-trips.
// RUN: cilk-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: channel.graph @g policy "levelized" {
channel.graph @g policy "levelized" {
  // CHECK: channel.queue @work (i32, f32) width 1024
  channel.queue @work (i32, f32) width 1024
  // CHECK: channel.kernel @work.k0 segment 0 of @work body @work.k0 consumes @work spawns [] publishes []
  channel.kernel @work.k0 segment 0 of @work body @work.k0 consumes @work spawns [] publishes []
  // CHECK: channel.stack @f (i32, !llvm.ptr) result 1 width 16 {linkage = #llvm.linkage<internal>}
  channel.stack @f (i32, !llvm.ptr) result 1 width 16 {linkage = #llvm.linkage<internal>}
  // CHECK: channel.stack @big (!llvm.struct<(i64, array<3 x i32>)>)
  channel.stack @big (!llvm.struct<(i64, array<3 x i32>)>)
  // CHECK: channel.stack @none ()
  channel.stack @none ()
  // CHECK: channel.frame @f.frame of @f size 24 align 8
  channel.frame @f.frame of @f size 24 align 8
  // CHECK: channel.stack @f.1 (!llvm.ptr) resumes @f
  channel.stack @f.1 (!llvm.ptr) resumes @f
  // CHECK: channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @f spawns [@f, @big, @work] publishes [@f.1]
  channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @f spawns [@f, @big, @work] publishes [@f.1]
  // CHECK: channel.kernel @f.k1 segment 1 of @f body @f.k1 consumes @f.1 spawns [] publishes []
  channel.kernel @f.k1 segment 1 of @f body @f.k1 consumes @f.1 spawns [] publishes []
  // CHECK: channel.depend @f.1 on [@f, @f.1, @big, @work] drained below
  channel.depend @f.1 on [@f, @f.1, @big, @work] drained below
}

llvm.func @work.k0()

// CHECK-LABEL: llvm.func @f.k0
llvm.func @f.k0() attributes {channel.kernel = @g::@f.k0} {
  // CHECK: channel.deq @g::@f : i32, !llvm.ptr
  %ce, %n, %dst = channel.deq @g::@f : i32, !llvm.ptr
  // CHECK: channel.tfree @g::@f %{{.*}} : !channel.element
  channel.tfree @g::@f %ce : !channel.element
  // CHECK: channel.talloc @g::@f.frame : !llvm.ptr
  %frame = channel.talloc @g::@f.frame : !llvm.ptr
  // CHECK: channel.talloc @g::@f : !channel.element
  %child = channel.talloc @g::@f : !channel.element
  // CHECK: channel.enq @g::@f %{{.*}}(%{{.*}}, %{{.*}} : i32, !llvm.ptr)
  channel.enq @g::@f %child (%n, %frame : i32, !llvm.ptr)
  // A struct is enqueued from its address.
  // CHECK: channel.enq @g::@big %{{.*}}(%{{.*}} : !llvm.ptr)
  %copy = channel.talloc @g::@big : !channel.element
  channel.enq @g::@big %copy (%frame : !llvm.ptr)
  // CHECK: channel.result %{{.*}} to %{{.*}} : i32
  channel.result %n to %dst : i32
  // CHECK: channel.tfree @g::@f.frame %{{.*}} : !llvm.ptr
  channel.tfree @g::@f.frame %frame : !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @f.k1
llvm.func @f.k1() attributes {channel.kernel = @g::@f.k1} {
  // CHECK: channel.site : i32
  %site = channel.site : i32
  // CHECK: channel.restarted_frame : !llvm.ptr
  %frame = channel.restarted_frame : !llvm.ptr
  // CHECK: channel.try_talloc @g::@none
  %ce, %granted = channel.try_talloc @g::@none
  // CHECK: channel.enq @g::@none %{{[a-z0-9_]*$}}
  channel.enq @g::@none %ce
  // CHECK: channel.yield %{{.*}} at 3
  channel.yield %frame at 3
  llvm.return
}

// CHECK-LABEL: llvm.func @host
llvm.func @host(%n: i32, %x: !llvm.ptr) {
  // CHECK: channel.serial : i1
  %serial = channel.serial : i1
  // CHECK: channel.root @g::@f(%{{.*}}, %{{.*}} : i32, !llvm.ptr)
  channel.root @g::@f (%n, %x : i32, !llvm.ptr)
  // CHECK: channel.execute
  channel.execute
  llvm.return
}
