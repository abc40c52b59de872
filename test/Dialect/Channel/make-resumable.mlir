// Tests that a lane that finds no space saves its live values in its frame, yields, and restarts at the same site.
// RUN: cilk-opt %s --channel-make-resumable --mem2reg --canonicalize --split-input-file --verify-diagnostics | FileCheck %s

// The frame grows by the two values that are live at the site: %n (i32) and %dst (pointer).
// CHECK-LABEL: channel.graph @g
// CHECK: channel.frame @f.frame of @f size 20 align 8
channel.graph @g {
  channel.stack @f (i32, !llvm.ptr)
  channel.frame @f.frame of @f size 8 align 8
  channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @f spawns [@f] publishes []
}

// A task that hands its frame to no continuation takes the frame at its first refusal, and not before.
// CHECK-LABEL: llvm.func @f.k0
// CHECK: %[[NULL:.*]] = llvm.mlir.zero
// CHECK: %[[SITE:.*]] = channel.site : i32
// CHECK: llvm.switch %[[SITE]] : i32, ^[[FRESH:.*]] [
// CHECK-NEXT: 1: ^[[RESTART:.*]]
// CHECK: ^[[FRESH]]:
// CHECK-NOT: channel.talloc
// CHECK: channel.deq
// CHECK: llvm.br ^[[TRY:[a-z0-9]*]](
// CHECK: ^[[TRY]]({{.*}}, %[[HELD:[a-z0-9]*]]: !llvm.ptr)
// CHECK-NEXT: %[[CE:.*]], %[[OK:.*]] = channel.try_talloc @g::@f
// CHECK-NEXT: llvm.cond_br %[[OK]], ^[[GRANTED:.*]], ^[[REFUSED:[a-z0-9]*]]
// CHECK: ^[[GRANTED]]:
// CHECK-NEXT: channel.enq @g::@f %[[CE]]
// CHECK: llvm.icmp "eq" %[[HELD]], %[[NULL]]
// CHECK: channel.tfree @g::@f.frame %[[HELD]]
// CHECK: ^[[REFUSED]]:
// CHECK-NEXT: llvm.icmp "eq" %[[HELD]], %[[NULL]]
// CHECK: channel.talloc @g::@f.frame
// CHECK: llvm.store
// CHECK: llvm.store
// CHECK: channel.yield %{{.*}} at 1
// CHECK-NEXT: llvm.return
// CHECK: ^[[RESTART]]:
// CHECK: %[[OLD:.*]] = channel.restarted_frame
// CHECK: llvm.load
// CHECK: llvm.load
// CHECK: llvm.br ^[[TRY]](
// CHECK-NOT: channel.talloc @g::@f :
llvm.func @f.k0() attributes {channel.kernel = @g::@f.k0} {
  %ce, %n, %dst = channel.deq @g::@f : i32, !llvm.ptr
  channel.tfree @g::@f %ce : !channel.element
  %frame = channel.talloc @g::@f.frame : !llvm.ptr
  %child = channel.talloc @g::@f : !channel.element
  channel.enq @g::@f %child (%n, %dst : i32, !llvm.ptr)
  channel.tfree @g::@f.frame %frame : !llvm.ptr
  llvm.return
}

// -----

// A local array that lives across a site moves into the frame (80 bytes): the stack is gone after a yield. The other 24
// are the two values and the address that are live at the sites.
// CHECK-LABEL: channel.graph @g
// CHECK: channel.frame @f.frame of @f size 104 align 8
channel.graph @g {
  channel.stack @f (i64)
  channel.frame @f.frame of @f size 0 align 1
  channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @f spawns [@f] publishes []
}
// CHECK-LABEL: llvm.func @f.k0
// CHECK-NOT: llvm.alloca
// CHECK: llvm.return
llvm.func @f.k0() attributes {channel.kernel = @g::@f.k0} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %array = llvm.alloca %one x !llvm.array<10 x i64> : (i32) -> !llvm.ptr
  %ce, %n = channel.deq @g::@f : i64
  channel.tfree @g::@f %ce : !channel.element
  %frame = channel.talloc @g::@f.frame : !llvm.ptr
  %slot = llvm.getelementptr %array[0, %n] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<10 x i64>
  llvm.store %n, %slot : i64, !llvm.ptr
  %child = channel.talloc @g::@f : !channel.element
  channel.enq @g::@f %child (%n : i64)
  %m = llvm.load %slot : !llvm.ptr -> i64
  %child2 = channel.talloc @g::@f : !channel.element
  channel.enq @g::@f %child2 (%m : i64)
  llvm.return
}

// -----

// A lane saves no value that its frame has anyway. %kept stays in its field, from which the restart reads it; %changed
// is not the value of its field any more. So the frame grows by two values, %changed and %more, to 32 bytes.
// CHECK-LABEL: channel.graph @g
// CHECK: channel.frame @f.frame of @f size 32 align 8
channel.graph @g {
  channel.stack @f (i64)
  channel.stack @f.1 (!llvm.ptr) resumes @f
  channel.frame @f.frame of @f size 16 align 8
  channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @f spawns [] publishes [@f.1]
  channel.kernel @f.k1 segment 1 of @f body @f.k1 consumes @f.1 spawns [@f] publishes []
  channel.depend @f.1 on [@f] drained below
}
llvm.func @f.k0() attributes {channel.kernel = @g::@f.k0} {
  %ce, %n = channel.deq @g::@f : i64
  channel.tfree @g::@f %ce : !channel.element
  %frame = channel.talloc @g::@f.frame : !llvm.ptr
  %next = channel.talloc @g::@f.1 : !channel.element
  channel.enq @g::@f.1 %next (%frame : !llvm.ptr)
  llvm.return {channel.hands_over}
}
// CHECK-LABEL: llvm.func @f.k1
// CHECK: channel.try_talloc
// CHECK-COUNT-2: llvm.store %{{.*}} {channel.saves}
// CHECK-NOT: llvm.store
// CHECK: channel.yield
// CHECK: %[[FRAME:.*]] = channel.restarted_frame
// CHECK: llvm.getelementptr %[[FRAME]][16]
// CHECK: llvm.getelementptr %[[FRAME]][24]
// CHECK: llvm.getelementptr %[[FRAME]][8]
llvm.func @f.k1() attributes {channel.kernel = @g::@f.k1} {
  %ce, %frame = channel.deq @g::@f.1 : !llvm.ptr
  channel.tfree @g::@f.1 %ce : !channel.element
  %place = llvm.getelementptr %frame[8] {cilk2gpu.frame_offset = 8 : i64} : (!llvm.ptr) -> !llvm.ptr, i8
  %kept = llvm.load %place {channel.restores} : !llvm.ptr -> i64
  %changed = llvm.load %frame {channel.restores} : !llvm.ptr -> i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %more = llvm.add %changed, %one : i64
  llvm.store %more, %frame : i64, !llvm.ptr
  %child = channel.talloc @g::@f : !channel.element
  channel.enq @g::@f %child (%more : i64)
  %sum = llvm.add %kept, %changed : i64
  llvm.inline_asm has_side_effects "# $0", "r" %sum : (i64) -> ()
  channel.tfree @g::@f.frame %frame : !llvm.ptr
  llvm.return
}

// -----

channel.graph @g {
  channel.stack @f ()
  // expected-error@+1 {{spawns but its task has no frame to save a waiting lane in; add a channel.frame of @f}}
  channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @f spawns [@f] publishes []
}
llvm.func @f.k0() attributes {channel.kernel = @g::@f.k0} {
  %ce = channel.deq @g::@f
  %child = channel.talloc @g::@f : !channel.element
  channel.enq @g::@f %child
  llvm.return
}
