// Tests that frames whose fields all fit into columns are laid out by field.
// RUN: cilk-opt %s --channel-make-resumable --channel-frame-columns --split-input-file | FileCheck %s

// Two fields that the segments share, and one column for each value that the first kernel saves if it is refused an element. %n
// and the frame's first field keep their distance from the frame, which is zero.
// CHECK-LABEL: channel.graph @g
// CHECK: channel.frame @f.frame of @f size 32 align 8 {columns = array<i64: 4, 8, 0, 0>}
channel.graph @g {
  channel.stack @f (i32, !llvm.ptr)
  channel.frame @f.frame of @f size 16 align 8 {fields = array<i64: 0, 4, 8, 8>}
  channel.stack @f.1 (!llvm.ptr) resumes @f
  channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @f spawns [@f] publishes [@f.1]
  channel.kernel @f.k1 segment 1 of @f body @f.k1 consumes @f.1 spawns [] publishes []
  channel.depend @f.1 on [@f, @f.1] drained below
}

// CHECK-LABEL: llvm.func @f.k0
// Values that a refused lane saves, and gets back when it restarts, are in columns 2 and 3.
// CHECK: llvm.getelementptr %{{.*}}[64] {cilk2gpu.frame_offset = 64 : i64}
// CHECK: llvm.getelementptr %{{.*}}[128]
// CHECK: llvm.getelementptr %{{.*}}[192]
// CHECK: channel.yield
// CHECK: channel.restarted_frame
// CHECK: llvm.getelementptr %{{.*}}[128]
// CHECK: llvm.getelementptr %{{.*}}[192]
// CHECK-NOT: llvm.getelementptr %{{.*}}[{{8|16|24}}]
llvm.func @f.k0() attributes {channel.kernel = @g::@f.k0} {
  %ce, %n, %dst = channel.deq @g::@f : i32, !llvm.ptr
  channel.tfree @g::@f %ce : !channel.element
  %frame = channel.talloc @g::@f.frame : !llvm.ptr
  llvm.store %n, %frame : i32, !llvm.ptr
  %second = llvm.getelementptr %frame[8] {cilk2gpu.frame_offset = 8 : i64} : (!llvm.ptr) -> !llvm.ptr, i8
  %child = channel.talloc @g::@f : !channel.element
  channel.enq @g::@f %child (%n, %second : i32, !llvm.ptr)
  %other = channel.talloc @g::@f : !channel.element
  channel.enq @g::@f %other (%n, %second : i32, !llvm.ptr)
  llvm.store %dst, %dst : !llvm.ptr, !llvm.ptr
  %post = channel.talloc @g::@f.1 : !channel.element
  channel.enq @g::@f.1 %post (%frame : !llvm.ptr)
  llvm.return {channel.hands_over}
}

// CHECK-LABEL: llvm.func @f.k1
// CHECK: llvm.getelementptr %{{.*}}[64]
llvm.func @f.k1() attributes {channel.kernel = @g::@f.k1} {
  %ce, %frame = channel.deq @g::@f.1 : !llvm.ptr
  channel.tfree @g::@f.1 %ce : !channel.element
  %second = llvm.getelementptr %frame[8] {cilk2gpu.frame_offset = 8 : i64} : (!llvm.ptr) -> !llvm.ptr, i8
  %value = llvm.load %second : !llvm.ptr -> i64
  channel.tfree @g::@f.frame %frame : !llvm.ptr
  llvm.return
}

// -----

// A field of three words: the words of a frame stand together, in columns 1 to 3 of its group. If a frame has distance d from its
// group, its words begin at 3 * d, which is 2 * d behind the frame, plus the offset of column 1.
// CHECK-LABEL: channel.graph @g
// CHECK: channel.frame @f.frame of @f size 40 align 8 {columns = array<i64: 8, 20, 0, 0, 0>}
channel.graph @g {
  channel.stack @f (i32)
  channel.frame @f.frame of @f size 28 align 8 {fields = array<i64: 0, 8, 8, 20>}
  channel.stack @f.1 (!llvm.ptr) resumes @f
  channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @f spawns [@f] publishes [@f.1]
  channel.kernel @f.k1 segment 1 of @f body @f.k1 consumes @f.1 spawns [] publishes []
  channel.depend @f.1 on [@f, @f.1] drained below
}

// CHECK-LABEL: llvm.func @f.k0
// CHECK: %[[BITS:.*]] = llvm.ptrtoint %[[FRAME:.*]] : !llvm.ptr to i64
// CHECK-DAG: %[[MASK:.*]] = llvm.mlir.constant(56 : i64)
// CHECK-DAG: %[[PLACE:.*]] = llvm.and %[[BITS]], %[[MASK]]
// CHECK-DAG: %[[MORE:.*]] = llvm.mlir.constant(2 : i64)
// CHECK: %[[FURTHER:.*]] = llvm.mul %[[PLACE]], %[[MORE]]
// CHECK: %[[BASE:.*]] = llvm.getelementptr %[[FRAME]][%[[FURTHER]]] {cilk2gpu.frame_words = 3 : i64}
// CHECK: llvm.getelementptr %[[BASE]][64] {cilk2gpu.frame_offset = 64 : i64}
llvm.func @f.k0() attributes {channel.kernel = @g::@f.k0} {
  %ce, %n = channel.deq @g::@f : i32
  channel.tfree @g::@f %ce : !channel.element
  %frame = channel.talloc @g::@f.frame : !llvm.ptr
  %second = llvm.getelementptr %frame[8] {cilk2gpu.frame_offset = 8 : i64} : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %n, %second : i32, !llvm.ptr
  %child1 = channel.talloc @g::@f : !channel.element
  channel.enq @g::@f %child1 (%n : i32)
  %child2 = channel.talloc @g::@f : !channel.element
  channel.enq @g::@f %child2 (%n : i32)
  %post = channel.talloc @g::@f.1 : !channel.element
  channel.enq @g::@f.1 %post (%frame : !llvm.ptr)
  llvm.return {channel.hands_over}
}

llvm.func @f.k1() attributes {channel.kernel = @g::@f.k1} {
  %ce, %frame = channel.deq @g::@f.1 : !llvm.ptr
  channel.tfree @g::@f.1 %ce : !channel.element
  channel.tfree @g::@f.frame %frame : !llvm.ptr
  llvm.return
}

// -----

// The first field does not fit into a column, but its address is the frame's, so every frame stays in one piece. A field of more
// than a cache line has the same effect.
// CHECK-LABEL: channel.graph @g
// CHECK: channel.frame @f.frame of @f size 28 align 8 {fields = array<i64: 0, 16, 16, 8>}
channel.graph @g {
  channel.stack @f (i32)
  channel.frame @f.frame of @f size 24 align 8 {fields = array<i64: 0, 16, 16, 8>}
  channel.stack @f.1 (!llvm.ptr) resumes @f
  channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @f spawns [@f] publishes [@f.1]
  channel.kernel @f.k1 segment 1 of @f body @f.k1 consumes @f.1 spawns [] publishes []
  channel.depend @f.1 on [@f, @f.1] drained below
}

// CHECK-LABEL: llvm.func @f.k0
// CHECK: llvm.getelementptr %{{.*}}[16]
llvm.func @f.k0() attributes {channel.kernel = @g::@f.k0} {
  %ce, %n = channel.deq @g::@f : i32
  channel.tfree @g::@f %ce : !channel.element
  %frame = channel.talloc @g::@f.frame : !llvm.ptr
  %second = llvm.getelementptr %frame[16] {cilk2gpu.frame_offset = 16 : i64} : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %n, %second : i32, !llvm.ptr
  %child1 = channel.talloc @g::@f : !channel.element
  channel.enq @g::@f %child1 (%n : i32)
  %child2 = channel.talloc @g::@f : !channel.element
  channel.enq @g::@f %child2 (%n : i32)
  %post = channel.talloc @g::@f.1 : !channel.element
  channel.enq @g::@f.1 %post (%frame : !llvm.ptr)
  llvm.return {channel.hands_over}
}

llvm.func @f.k1() attributes {channel.kernel = @g::@f.k1} {
  %ce, %frame = channel.deq @g::@f.1 : !llvm.ptr
  channel.tfree @g::@f.1 %ce : !channel.element
  channel.tfree @g::@f.frame %frame : !llvm.ptr
  llvm.return
}

// -----

// A task with one child at a time: its frames stay in one piece, too, as in a recursion that is no wider below.
// CHECK-LABEL: channel.graph @g
// CHECK: channel.frame @f.frame of @f size 28 align 8 {fields = array<i64: 0, 8, 16, 8>}
channel.graph @g {
  channel.stack @f (i32)
  channel.frame @f.frame of @f size 24 align 8 {fields = array<i64: 0, 8, 16, 8>}
  channel.stack @f.1 (!llvm.ptr) resumes @f
  channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @f spawns [@f] publishes [@f.1]
  channel.kernel @f.k1 segment 1 of @f body @f.k1 consumes @f.1 spawns [] publishes []
  channel.depend @f.1 on [@f, @f.1] drained below
}

// CHECK-LABEL: llvm.func @f.k0
// CHECK: llvm.getelementptr %{{.*}}[16]
llvm.func @f.k0() attributes {channel.kernel = @g::@f.k0} {
  %ce, %n = channel.deq @g::@f : i32
  channel.tfree @g::@f %ce : !channel.element
  %frame = channel.talloc @g::@f.frame : !llvm.ptr
  %second = llvm.getelementptr %frame[16] {cilk2gpu.frame_offset = 16 : i64} : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %n, %second : i32, !llvm.ptr
  %child1 = channel.talloc @g::@f : !channel.element
  channel.enq @g::@f %child1 (%n : i32)
  %post = channel.talloc @g::@f.1 : !channel.element
  channel.enq @g::@f.1 %post (%frame : !llvm.ptr)
  llvm.return {channel.hands_over}
}

llvm.func @f.k1() attributes {channel.kernel = @g::@f.k1} {
  %ce, %frame = channel.deq @g::@f.1 : !llvm.ptr
  channel.tfree @g::@f.1 %ce : !channel.element
  channel.tfree @g::@f.frame %frame : !llvm.ptr
  llvm.return
}
