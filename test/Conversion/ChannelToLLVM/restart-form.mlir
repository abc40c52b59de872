// Tests the code of restarting lanes: it begins at the sites, with local variables at their saved addresses.
// RUN: cilk-opt %s --channel-make-resumable --convert-channel-to-llvm --canonicalize | FileCheck %s

module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<64> : vector<4xi64>, i32 = dense<32> : vector<2xi64>, i64 = dense<64> : vector<2xi64>>} {

channel.graph @g {
  channel.stack @f (i32, !llvm.ptr)
  channel.frame @f.frame of @f size 8 align 8
  channel.stack @f.1 (!llvm.ptr) resumes @f
  channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @f spawns [@f] publishes [@f.1]
  channel.kernel @f.k1 segment 1 of @f body @f.k1 consumes @f.1 spawns [] publishes []
  channel.depend @f.1 on [@f] drained below
}

// A fresh lane begins at the beginning, and saves itself if it is refused.
// CHECK-LABEL: llvm.func internal @f.k0.lane(
// CHECK-NOT: llvm.switch
// CHECK: llvm.call @before
// CHECK: llvm.call @__cilk2gpu_talloc(
// CHECK: llvm.call @between
// CHECK: llvm.call @__cilk2gpu_talloc(
// CHECK-NOT: llvm.switch
// CHECK: llvm.return

// A restarting lane finds its frame and its site; code that only stands before the sites is gone. It uses saved values where they
// are, so a refusal only stores the frame and the site.
// CHECK-LABEL: llvm.func internal @f.k0.restart(
// CHECK-SAME: %[[SITE:arg2]]: i32
// CHECK-NOT: llvm.alloca
// CHECK-NOT: llvm.call @before
// CHECK: %[[COLUMN:.*]] = llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<8 x i8>
// CHECK-NEXT: %[[FRAME:.*]] = llvm.load %[[COLUMN]] : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: llvm.switch %[[SITE]] : i32, ^[[NEVER:.*]] [
// CHECK-NEXT: 1: ^[[FIRST:[a-z0-9]*]],
// CHECK-NEXT: 2: ^[[SECOND:[a-z0-9]*]]
// CHECK-NOT: llvm.call @before
// CHECK: %[[SAVED:.*]] = llvm.getelementptr %[[FRAME]][8]
// CHECK-NEXT: %[[VALUE:.*]] = llvm.load %[[SAVED]] : !llvm.ptr -> i32
// CHECK: llvm.call @between
// CHECK: ^[[NEVER]]:
// CHECK-NEXT: llvm.unreachable
// CHECK-NOT: llvm.call @before

// CHECK-LABEL: llvm.func internal @f.k0.resume(
// CHECK: llvm.invoke @f.k0.restart(
// CHECK-LABEL: llvm.func internal @f.k1.lane(
// CHECK-NOT: @f.k1.restart
llvm.func @before(i32) -> i32
llvm.func @between(i32)
llvm.func internal @f.k0() attributes {channel.kernel = @g::@f.k0} {
  %ce, %n, %dst = channel.deq @g::@f : i32, !llvm.ptr
  channel.tfree @g::@f %ce : !channel.element
  %frame = channel.talloc @g::@f.frame : !llvm.ptr
  llvm.store %dst, %frame : !llvm.ptr, !llvm.ptr
  %v = llvm.call @before(%n) : (i32) -> i32
  %child = channel.talloc @g::@f : !channel.element
  channel.enq @g::@f %child (%v, %frame : i32, !llvm.ptr)
  llvm.call @between(%v) : (i32) -> ()
  %other = channel.talloc @g::@f : !channel.element
  channel.enq @g::@f %other (%v, %frame : i32, !llvm.ptr)
  %post = channel.talloc @g::@f.1 : !channel.element
  channel.enq @g::@f.1 %post (%frame : !llvm.ptr)
  llvm.return
}
llvm.func internal @f.k1() attributes {channel.kernel = @g::@f.k1} {
  %in, %frame = channel.deq @g::@f.1 : !llvm.ptr
  channel.tfree @g::@f.1 %in : !channel.element
  channel.tfree @g::@f.frame %frame : !llvm.ptr
  llvm.return
}
}
