// Tests that stacks that wait for the same nodes, in whatever order they name them, share one node of the drawing. n
// stacks and n awaited nodes have 2n arrows then, and not n * n. A set of one node needs no node of its own.
// RUN: cilk-translate --channel-to-dot %s | FileCheck %s

channel.graph @g {
  channel.stack @f ()
  channel.stack @g ()
  channel.stack @h ()
  channel.stack @f.1 (!llvm.ptr) resumes @f
  channel.stack @g.1 (!llvm.ptr) resumes @g
  channel.stack @h.1 (!llvm.ptr) resumes @h
  channel.depend @f.1 on [@f, @f.1, @g, @g.1] drained below
  channel.depend @g.1 on [@g, @g.1, @f, @f.1] drained below
  channel.depend @h.1 on [@h] drained below
}
// CHECK: "awaited 1" [shape=diamond, style=dotted, label="all of them"];
// CHECK-NOT: "awaited 2"
// CHECK: "f" -> "awaited 1" [style=dotted];
// CHECK-NEXT: "f.1" -> "awaited 1" [style=dotted];
// CHECK-NEXT: "g" -> "awaited 1" [style=dotted];
// CHECK-NEXT: "g.1" -> "awaited 1" [style=dotted];
// CHECK-NEXT: "awaited 1" -> "f.1" [style=dotted, label="drained below"];
// CHECK-NEXT: "awaited 1" -> "g.1" [style=dotted, label="drained below"];
// CHECK-NEXT: "h" -> "h.1" [style=dotted, label="drained below"];
// CHECK-NEXT: subgraph cluster_legend
