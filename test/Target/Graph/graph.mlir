// Tests that graphs print as DOT and as JSON, every kind of node included, and that names are quoted.
// RUN: cilk-translate --channel-to-dot %s | FileCheck %s --check-prefix=DOT
// RUN: cilk-translate --channel-to-json %s | FileCheck %s --check-prefix=JSON
// RUN: cilk-translate --channel-to-outline %s | FileCheck %s --check-prefix=LINES
// RUN: cilk-translate --channel-to-json %s | %python -m json.tool > /dev/null

module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<64> : vector<4xi64>, i32 = dense<32> : vector<2xi64>>} {
// DOT: digraph channel_flow {
// DOT: subgraph "cluster_g"
// JSON-DAG: "name": "g"
// DOT: label="g (policy levelized)"
// LINES: policy levelized
channel.graph @g policy "levelized" {
  // DOT: "f" [shape=ellipse, peripheries=2, label="f\n(i32, !llvm.ptr) x 8 per level"];
  // LINES: channel stack f (i32, !llvm.ptr), width 8 at each level
  channel.stack @f (i32, !llvm.ptr) result 1 width 8
  // DOT: "f.frame" [shape=note, label="f.frame\n24 bytes"];
  channel.frame @f.frame of @f size 24 align 8
  channel.stack @f.1 (!llvm.ptr) resumes @f
  // DOT: "f.k0" [shape=box, style=filled, fillcolor=lightgrey];
  // DOT-NEXT: "f" -> "f.k0";
  // DOT-NEXT: "f.k0" -> "f" [label="spawn"];
  // DOT-NEXT: "f.k0" -> "f.1" [label="sync"];
  channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @f spawns [@f] publishes [@f.1]
  // LINES: channel with "quotes" (i32), width 64
  // DOT: "with \"quotes\"" [shape=ellipse, label="with \"quotes\"\n(i32) x 64"];
  channel.queue @"with \22quotes\22" (i32) width 64
  // DOT: "f" -> "f.1" [style=dotted, label="drained below"];
  channel.depend @f.1 on [@f] drained below
}
// JSON-DAG: "drained_below"
// JSON-DAG: "readiness": "drained below"
// JSON-DAG: "policy": "levelized"
// JSON-DAG: "result": 1
// JSON-DAG: "width": 8
// JSON-DAG: "segment": 0
// JSON-DAG: "width": 64
// JSON-DAG: "align": 8
// JSON-DAG: "resumes": "f"
// JSON-DAG: "version": 1
llvm.func @f.k0()
}
