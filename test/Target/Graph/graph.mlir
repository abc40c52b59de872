// Tests that graphs print as DOT and as JSON, every kind of node included, and that names are quoted.
// RUN: cilk-translate --channel-to-dot %s | FileCheck %s --check-prefix=DOT
// RUN: cilk-translate --channel-to-json %s | FileCheck %s --check-prefix=JSON
// RUN: cilk-translate --channel-to-outline %s | FileCheck %s --check-prefix=LINES
// RUN: cilk-translate --channel-to-json %s | %python -m json.tool > /dev/null

module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<64> : vector<4xi64>, i32 = dense<32> : vector<2xi64>>} {
// DOT: digraph channel_flow {
// DOT: subgraph cluster_1 {
// DOT-NEXT: label="g (policy levelized)";
// JSON-DAG: "name": "g"
// LINES: policy levelized
channel.graph @g policy "levelized" {
  // A task has a box with its channels, kernels and frame.
  // DOT: subgraph cluster_1_1 {
  // DOT-NEXT: label="f\ngraph.mlir:[[#@LINE+3]]"; style=rounded; color=grey;
  // DOT-NEXT: "f" [shape=ellipse, peripheries=2, label="f\n(int32_t, void *) x 8 per level"];
  // LINES: channel stack f (int32_t, void *), width 8 at each level
  channel.stack @f (i32, !llvm.ptr) result 1 width 8
  // DOT-NEXT: "f.frame" [shape=note, label="f.frame\n24 bytes"];
  channel.frame @f.frame of @f size 24 align 8
  // DOT-NEXT: "f.1" [shape=ellipse, peripheries=2, label="f.1\nsync in line [[#@LINE+1]]"];
  channel.stack @f.1 (!llvm.ptr) resumes @f
  // DOT-NEXT: "f.k0" [shape=box, style=filled, fillcolor=lightgrey, label="f.k0"];
  // DOT-NEXT: }
  channel.kernel @f.k0 segment 0 of @f body @f.k0 consumes @f spawns [@f] publishes [@f.1]
  // LINES: channel with "quotes" (int32_t), width 64
  // DOT: "with \"quotes\"" [shape=ellipse, label="with \"quotes\"\n(int32_t) x 64"];
  channel.queue @"with \22quotes\22" (i32) width 64
  channel.depend @f.1 on [@f] drained below
}
// DOT: "f.frame" -> "f" [style=dashed, arrowhead=none];
// DOT-NEXT: "f" -> "f.k0";
// DOT-NEXT: "f.k0" -> "f" [label="spawn"];
// DOT-NEXT: "f.k0" -> "f.1" [label="sync"];
// DOT-NEXT: "f" -> "f.1" [style=dotted, label="drained below"];
// The legend has one line for each kind of node that occurs.
// DOT: subgraph cluster_legend {
// DOT-NEXT: label="Legend"
// DOT-NEXT: "legend 0" [shape=ellipse, peripheries=2, label="channel stack: one queue for each level of the recursion"];
// DOT: label="frame: memory that a task keeps across its syncs"];
// DOT: label="kernel: code of a task before its first sync"];
// DOT: label="channel: one queue"];
// DOT-NOT: label="kernel: code of a task after a sync"
// JSON-DAG: "drained_below"
// JSON-DAG: "readiness": "drained below"
// JSON-DAG: "policy": "levelized"
// JSON-DAG: "result": 1
// JSON-DAG: "width": 8
// JSON-DAG: "segment": 0
// JSON-DAG: "width": 64
// JSON-DAG: "align": 8
// JSON-DAG: "resumes": "f"
// JSON-DAG: "line": 26
// JSON-DAG: "version": 1
llvm.func @f.k0()
}
