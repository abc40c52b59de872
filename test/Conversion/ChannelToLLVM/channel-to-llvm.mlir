// Tests the lowering of kernels to wavefront functions and of graphs to descriptors.
// RUN: cilk-opt %s --convert-channel-to-llvm --split-input-file --verify-diagnostics | FileCheck %s

module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<64> : vector<4xi64>, i32 = dense<32> : vector<2xi64>, i64 = dense<64> : vector<2xi64>>} {

// CHECK-NOT: channel.
channel.graph @g {
  channel.stack @f (i32, !llvm.ptr) {linkage = #llvm.linkage<external>}
  channel.frame @f.frame of @f size 24 align 8
  channel.stack @f.1 (!llvm.ptr) resumes @f
  channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @f spawns [@f] publishes [@f.1]
  channel.kernel @f.k1 segment 1 of @f body @f.k1 consumes @f.1 spawns [] publishes []
  channel.depend @f.1 on [@f] drained below
}

// A fresh lane: wave, lane, site. It has no site to restart at.
// CHECK-LABEL: llvm.func internal @f.k0.lane(
// CHECK-SAME: %[[WAVE:.*]]: !llvm.ptr, %[[LANE:.*]]: i64, %{{.*}}: i32
// Counts are variables of the loop over lanes: of frames, spawned elements and post-sync elements. Each has an address of its
// own.
// CHECK-SAME: %[[FRAMES:[^:]*]]: !llvm.ptr, %[[FRAMES_AT:[^:]*]]: !llvm.ptr, %[[NEXT:[^:]*]]: !llvm.ptr, %[[NEXT_AT:[^:]*]]: !llvm.ptr, %[[POST:[^:]*]]: !llvm.ptr, %{{[^:]*}}: !llvm.ptr)
// CHECK-SAME: always_inline
// CHECK-NOT: llvm.switch
// Element first + lane, column by column.
// CHECK: %[[FIRST:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i64
// CHECK: %[[INDEX:.*]] = llvm.add %[[FIRST]], %[[LANE]]
// CHECK: llvm.getelementptr %{{.*}}[%[[INDEX]]] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK: llvm.getelementptr %{{.*}}[%[[INDEX]]] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<8 x i8>
// CHECK: %[[COUNT:.*]] = llvm.load %[[FRAMES]]
// CHECK: %[[LEFT:.*]] = llvm.sub %[[COUNT]]
// CHECK: llvm.store %[[LEFT]], %[[FRAMES]]
// Space is there while next < limit. Otherwise the runtime is asked, which reads and changes the counts.
// CHECK: %[[NUMBER:.*]] = llvm.load %[[NEXT]]
// CHECK: %[[HAS:.*]] = llvm.icmp "ult" %[[NUMBER]]
// CHECK: llvm.cond_br %[[HAS]] weights([2000, 1])
// CHECK: %[[NOW:.*]] = llvm.load %[[NEXT]]
// CHECK: llvm.store %[[NOW]], %[[NEXT_AT]]
// CHECK: llvm.call @__cilk2gpu_talloc(%[[WAVE]], %{{.*}}) : (!llvm.ptr, i32) -> i32
// CHECK: %[[NOW:.*]] = llvm.load %[[NEXT_AT]]
// CHECK: llvm.store %[[NOW]], %[[NEXT]]
// CHECK: llvm.load %[[POST]]
// CHECK: llvm.return
llvm.func internal @f.k0() attributes {channel.kernel = @g::@f.k0} {
  %site = channel.site : i32
  llvm.switch %site : i32, ^fresh [1: ^again]
^fresh:
  %in, %n, %dst = channel.deq @g::@f : i32, !llvm.ptr
  channel.tfree @g::@f %in : !channel.element
  %new = channel.talloc @g::@f.frame : !llvm.ptr
  llvm.br ^try(%n, %new : i32, !llvm.ptr)
^again:
  %old = channel.restarted_frame : !llvm.ptr
  %saved = llvm.load %old : !llvm.ptr -> i32
  llvm.br ^try(%saved, %old : i32, !llvm.ptr)
^try(%v: i32, %frame: !llvm.ptr):
  %ce, %ok = channel.try_talloc @g::@f
  llvm.cond_br %ok, ^granted, ^refused
^granted:
  channel.enq @g::@f %ce (%v, %frame : i32, !llvm.ptr)
  %post = channel.talloc @g::@f.1 : !channel.element
  channel.enq @g::@f.1 %post (%frame : !llvm.ptr)
  llvm.return
^refused:
  llvm.store %v, %frame : i32, !llvm.ptr
  channel.yield %frame at 1
  llvm.return
}

// Both entries of the kernel loop over the wavefront's lanes. The code of a restarting lane is a function of its own.
// CHECK-LABEL: llvm.func internal @f.k0(%arg0: !llvm.ptr)
// CHECK: %[[FIRST:.*]] = llvm.load %[[AT:.*]] : !llvm.ptr -> i64
// CHECK: llvm.store %[[FIRST]], %[[VARIABLE:.*]] : i64, !llvm.ptr
// CHECK: llvm.invoke @f.k0.lane(%arg0, %{{.*}}, %{{.*}}, %[[VARIABLE]], %[[AT]], %{{.*}})
// CHECK: %[[LAST:.*]] = llvm.load %[[VARIABLE]]
// CHECK: llvm.store %[[LAST]], %[[AT]]
// CHECK: llvm.landingpad (catch
// CHECK-NEXT: llvm.call @__cilk2gpu_exception
// CHECK-LABEL: llvm.func internal @f.k0.restart(
// CHECK-SAME: %{{.*}}: !llvm.ptr, %{{.*}}: i64, %[[SITE:.*]]: i32
// CHECK: llvm.switch %[[SITE]]
// CHECK-LABEL: llvm.func internal @f.k0.resume(%arg0: !llvm.ptr)
// CHECK-SAME: passthrough = ["cold", "optsize", "cilk2gpu-own-passes"]
// CHECK: llvm.invoke @f.k0.restart(%arg0, %{{.*}}, %{{.*}})

// A result is stored unless nobody wants it.
// CHECK-LABEL: llvm.func internal @f.k1.lane(
// CHECK: llvm.icmp "ne" %{{.*}}, %{{.*}} : !llvm.ptr
// CHECK-NOT: llvm.func internal @f.k1.resume
llvm.func internal @f.k1() attributes {channel.kernel = @g::@f.k1} {
  %in, %frame = channel.deq @g::@f.1 : !llvm.ptr
  channel.tfree @g::@f.1 %in : !channel.element
  %x = llvm.load %frame : !llvm.ptr -> i32
  channel.result %x to %frame : i32
  channel.tfree @g::@f.frame %frame : !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @host
// CHECK: llvm.call @__cilk2gpu_serial() : () -> i32
// CHECK: %[[RECORD:.*]] = llvm.mlir.addressof @__cilk2gpu_task_f
// CHECK: llvm.call @__cilk2gpu_root(%[[RECORD]])
// CHECK: llvm.call @__cilk2gpu_publish
// CHECK: llvm.call @__cilk2gpu_execute() : () -> ()
llvm.func @host(%n: i32, %x: !llvm.ptr) -> i1 {
  %serial = channel.serial : i1
  channel.root @g::@f (%n, %x : i32, !llvm.ptr)
  channel.execute
  llvm.return %serial : i1
}

// CHECK-DAG: llvm.mlir.global external hidden @__cilk2gpu_task_f()
// CHECK-DAG: llvm.mlir.global internal constant @__cilk2gpu_task_f.fields()
// CHECK-DAG: llvm.mlir.global internal constant @__cilk2gpu_task_f.kernels()
// CHECK-DAG: llvm.mlir.global internal constant @__cilk2gpu_task_f.targets()
// One edge, from @f to its own segment 1.
// CHECK-DAG: llvm.mlir.global internal constant @__cilk2gpu_task_f.edges() {{.*}}: !llvm.array<1 x struct<(ptr, ptr, i32, i32)>>
// CHECK-DAG: llvm.mlir.global internal constant @__cilk2gpu_graph()
// CHECK-DAG: llvm.mlir.global_ctors ctors = [@__cilk2gpu_register_graph], priorities = [101 : i32]
}

// -----

// A lane that has to wait for space cannot be lowered.
channel.graph @g {
  channel.stack @f ()
  channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @f spawns [@f] publishes []
}
llvm.func @f.k0() attributes {channel.kernel = @g::@f.k0} {
  // expected-error@+1 {{may wait for space; run channel-make-resumable before this conversion}}
  %ce = channel.talloc @g::@f : !channel.element
  channel.enq @g::@f %ce
  llvm.return
}

// -----

// Two reservations at once would get the same element.
channel.graph @g {
  channel.stack @f ()
  channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @f spawns [@f] publishes []
}
llvm.func @f.k0() attributes {channel.kernel = @g::@f.k0} {
  %a, %ok = channel.try_talloc @g::@f
  %b, %ok2 = channel.try_talloc @g::@f
  // expected-error@+1 {{must fill its element before the lane reserves another one; move it up to its talloc}}
  channel.enq @g::@f %a
  channel.enq @g::@f %b
  llvm.return
}

// -----

channel.graph @g {
  channel.stack @f ()
  channel.stack @f.1 (!llvm.ptr) resumes @f
  channel.depend @f.1 on [] drained below
  // expected-error@+1 {{segments of a task are numbered from 0 without gaps; number 0 is missing}}
  channel.kernel @f.k1 segment 1 of @f body @f.k1 consumes @f.1 spawns [] publishes []
}
llvm.func @f.k1()

// -----

// expected-error@+1 {{task 'f' needs a pre-sync stack and a kernel}}
channel.graph @g {
  channel.stack @f ()
}

// -----

channel.graph @g {
}
// expected-error@+1 {{a module has one channel.graph when it is lowered; merge them}}
channel.graph @h {
}
