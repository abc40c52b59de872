// Tests that a kind of node in one file of its own (Inputs/ToyNode.cpp) is verified, drawn and made a record.
// REQUIRES: toy-node
// RUN: %toy_node --draw %s | FileCheck %s --check-prefix=DRAWN
// RUN: %toy_node %s | FileCheck %s
// RUN: sed '/channel.kernel @read/d' %s > %t.unread.mlir
// RUN: not %toy_node %t.unread.mlir 2>&1 | FileCheck %s --check-prefix=UNREAD
// UNREAD: 'toy.mailbox' op a mailbox is read by a kernel, but no kernel consumes it; add one
//
// Without the interface it is no node.
// RUN: sed 's/toy.mailbox/toy.stranger/' %s > %t.stranger.mlir
// RUN: not cilk-opt --allow-unregistered-dialect %t.stranger.mlir 2>&1 | FileCheck %s --check-prefix=STRANGER
// STRANGER: a channel.graph holds nodes and dependencies only; move it out of the graph
//
// DRAWN: "box" [shape=tab, label="box\n7 letters"];
// DRAWN: "write" -> "box" [label="spawn"];
// DRAWN: "mailboxes": [
// DRAWN: "letters": 7
// DRAWN: mailbox box for 7 letters
//
// A record of kind 1, a queue, with a capacity of 7 and one field.
// CHECK: llvm.mlir.global internal @__cilk2gpu_task_box()
// CHECK-DAG: llvm.mlir.constant(7 : i64) : i64
// CHECK-DAG: llvm.mlir.addressof @__cilk2gpu_task_box.fields
// CHECK: llvm.mlir.global internal constant @__cilk2gpu_graph.tasks() {{.*}}!llvm.array<2 x ptr>
module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<64> : vector<4xi64>, i32 = dense<32> : vector<2xi64>, i64 = dense<64> : vector<2xi64>>} {
  channel.graph @g {
    "toy.mailbox"() {sym_name = "box", fields = [i32], letters = 7} : () -> ()
    channel.stack @f (i32)
    channel.kernel @write segment 0 of @f body @write consumes @f spawns [@box] publishes []
    channel.kernel @read segment 0 of @box body @read consumes @box spawns [] publishes []
  }
  llvm.func internal @write() attributes {channel.kernel = @g::@write} {
    %in, %n = channel.deq @g::@f : i32
    channel.tfree @g::@f %in : !channel.element
    %letter, %ok = channel.try_talloc @g::@box
    llvm.cond_br %ok, ^granted, ^refused
  ^granted:
    channel.enq @g::@box %letter (%n : i32)
    llvm.return
  ^refused:
    llvm.return
  }
  llvm.func internal @read() attributes {channel.kernel = @g::@read} {
    %in, %n = channel.deq @g::@box : i32
    channel.tfree @g::@box %in : !channel.element
    llvm.return
  }
}
