// Tests that block graphs print as DOT, as JSON and as lines of text.
// RUN: cilk-translate --channel-to-dot %s | FileCheck %s --check-prefix=DOT
// RUN: cilk-translate --channel-to-json %s | FileCheck %s --check-prefix=JSON
// RUN: cilk-translate --channel-to-json %s | %python -m json.tool > /dev/null
// RUN: cilk-translate --channel-to-outline %s | FileCheck %s --check-prefix=LINES

module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<64> : vector<4xi64>, i32 = dense<32> : vector<2xi64>>} {
channel.graph @g {
  // DOT: "linked" [shape=box3d, label="linked\n(void *, int32_t)\nthreads [16, 1, 1]\npolicy lvl, bound 3\nparents by linked.links"];
  // LINES: block graph linked (void *, int32_t), threads [16, 1, 1], policy lvl, bound 3, parents by linked.links
  channel.blocks @linked fields(!llvm.ptr, i32) body @linked.block links @linked.links threads [16, 1, 1] policy lvl bound 3
  // DOT: parents at [-1, 0, 0], [0, -1, 0]"];
  // LINES: block graph shifted (), threads [1, 1, 1], policy lrr, parents at [-1, 0, 0], [0, -1, 0]
  channel.blocks @shifted fields() body @shifted.block threads [1, 1, 1] offsets = [[-1, 0, 0], [0, -1, 0]]
  // DOT: 3 nodes, 3 edges"];
  // LINES: block graph static (), threads [1, 1, 1], policy lrr, 3 nodes, 3 edges
  channel.blocks @static fields() body @static.block threads [1, 1, 1] starts = [0, 2, 3, 3] children = [1, 2, 2]
  // DOT: "apart" {{.*}}no parents"];
  // DOT: "linked" -> "linked" [style=dotted, label="parents done"];
  // DOT-NOT: "apart" ->
  // LINES: block graph apart (), threads [1, 1, 1], policy lrr, no parents
  channel.blocks @apart fields() body @apart.block threads [1, 1, 1]
  // LINES: block graph open (), threads of the launch, policy lrr, no parents
  channel.blocks @open fields() body @open.block
}
llvm.func @open.block() attributes {channel.blocks = @g::@open}
// JSON: "blocks": [
// JSON-DAG: "bound": 3
// JSON-DAG: "links": "linked.links"
// JSON-DAG: "policy": "lvl"
// JSON-DAG: "body": "shifted.block"
// JSON-DAG: "offsets": [
// JSON-DAG: "starts": [
// JSON-DAG: "children": [
llvm.func @linked.links() attributes {channel.blocks = @g::@linked}
llvm.func @linked.block(!llvm.ptr, i32) attributes {channel.blocks = @g::@linked}
llvm.func @shifted.block() attributes {channel.blocks = @g::@shifted}
llvm.func @static.block() attributes {channel.blocks = @g::@static}
llvm.func @apart.block() attributes {channel.blocks = @g::@apart}
}
