// Tests vectorise-lanes for an instruction set without masks: whole vectors where they fit, the stack elsewhere, and only
// operations that the instruction set has.
// RUN: cilk-opt %s --vectorise-lanes="length=16 isa=avx2" --split-input-file | FileCheck %s --implicit-check-not=intr.masked --implicit-check-not=vector.compress
// A 128-bit register holds four 32-bit or two 64-bit values, moved as bytes.
// RUN: cilk-opt %s --vectorise-lanes="length=16 isa=sse" --split-input-file | FileCheck %s --check-prefixes=NARROW,SSE --implicit-check-not=intr.masked --implicit-check-not=vector.compress --implicit-check-not=avx
// RUN: cilk-opt %s --vectorise-lanes="length=16 isa=neon" --split-input-file | FileCheck %s --check-prefixes=NARROW,NEON --implicit-check-not=intr.masked --implicit-check-not=vector.compress --implicit-check-not=x86
// NARROW-DAG: llvm.mlir.global internal constant @__cilk2gpu_compress_words(dense<{{.*}}> : tensor<256xi8>)
// NARROW-DAG: llvm.mlir.global internal constant @__cilk2gpu_compress_halves(dense<{{.*}}> : tensor<64xi8>)
// NARROW-LABEL: llvm.func @f.wave(
// NARROW: llvm.call @__cilk2gpu_talloc_lanes
// SSE-COUNT-4: llvm.call_intrinsic "llvm.x86.ssse3.pshuf.b.128"
// NEON-COUNT-4: llvm.call_intrinsic "llvm.aarch64.neon.tbl1.v16i8"
// NARROW: "llvm.intr.memcpy"
// SSE-COUNT-8: llvm.call_intrinsic "llvm.x86.ssse3.pshuf.b.128"
// NEON-COUNT-8: llvm.call_intrinsic "llvm.aarch64.neon.tbl1.v16i8"
// NARROW-LABEL: llvm.func @g.wave(
// RUN: not cilk-opt %s --vectorise-lanes=isa=sse2 --split-input-file 2>&1 | FileCheck %s --check-prefix=SET
// SET: error: the instruction set is one of avx512, avx2, sse, neon, not 'sse2'


// CHECK-DAG: llvm.mlir.global internal constant @__cilk2gpu_compress_lanes
// CHECK-DAG: llvm.mlir.global internal constant @__cilk2gpu_compress_pairs
// CHECK-LABEL: llvm.func @f.wave(%{{.*}}: !llvm.ptr)
// If fewer lanes than a vector's are left, they are copied before the load.
// CHECK: %[[FULL:.*]] = llvm.icmp "uge" %{{.*}}, %{{.*}} : i64
// CHECK: llvm.cond_br %[[FULL]] weights([2000, 1])
// CHECK: "llvm.intr.memcpy"
// CHECK: llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> vector<16xi32>
// A scatter is a loop over the lanes.
// CHECK: llvm.intr.cttz
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 1 : i64} : i32, !llvm.ptr
// Elements are compressed eight at a time. Each piece overwrites the rest of the piece before, if a whole vector fits.
// CHECK: llvm.call @__cilk2gpu_talloc_lanes
// CHECK: %[[ROOMY:.*]] = llvm.icmp "uge"
// CHECK: llvm.select %[[ROOMY]], %{{.*}}, %{{.*}} : i1, !llvm.ptr
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.x86.avx2.permd"
// CHECK: llvm.cond_br %[[ROOMY]] weights([2000, 1])
// CHECK: "llvm.intr.memcpy"
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.avx2.permd"
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

// A gather is a load for each lane, from the lane's address or, for an inactive lane, from an address on the stack. Frames are
// given out lane by lane unless all lanes want one.
// CHECK-LABEL: llvm.func @g.wave(%{{.*}}: !llvm.ptr)
// CHECK: llvm.select %{{.*}}, %{{.*}}, %{{.*}} : vector<16xi1>, vector<16x!llvm.ptr>
// CHECK-COUNT-16: llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> i8
// CHECK: llvm.icmp "eq" %{{.*}}, %{{.*}} : i16
// CHECK: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr -> vector<16xi64>
// CHECK: llvm.intr.cttz
llvm.func @g() attributes {passthrough = ["cilk2gpu-lane-kernel"]} {
  %zero = llvm.mlir.constant(0 : i8) : i8
  %p = lane.deq 0 : !llvm.ptr
  %byte = llvm.load %p : !llvm.ptr -> i8
  %none = llvm.icmp "eq" %byte, %zero : i8
  llvm.cond_br %none, ^end, ^more
^more:
  %frame = lane.frame
  lane.free %frame
  llvm.br ^end
^end:
  llvm.return
}
