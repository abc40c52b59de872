// Tests that names of nodes that are not UTF-8 become valid JSON: the byte 0xFF becomes U+FFFD.
// RUN: cilk-translate --channel-to-json %s > %t.json
// RUN: %python -c "import json, sys; print(ascii(json.load(open(sys.argv[1]))))" %t.json | FileCheck %s
// RUN: cilk-translate --channel-to-dot %s | FileCheck %s --check-prefix=DOT

module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<64> : vector<4xi64>, i32 = dense<32> : vector<2xi64>>} {
// CHECK: 'drained_below': ['f\ufffd']
// CHECK-SAME: 'name': 'f.frame\ufffd', 'size': 24, 'task': 'f\ufffd'
// CHECK-SAME: 'consumes': 'f\ufffd',{{.*}} 'name': 'k\ufffd', 'publishes': ['f.1\ufffd'], 'segment': 0, 'spawns': ['f\ufffd'], 'task': 'f\ufffd'
// CHECK-SAME: 'name': 'g\ufffd'
// CHECK-SAME: 'name': 'f\ufffd'
// CHECK-SAME: 'resumes': 'f\ufffd'
// DOT: label="g
channel.graph @"g\FF" {
  channel.stack @"f\FF" (i32, !llvm.ptr) result 1
  channel.frame @"f.frame\FF" of @"f\FF" size 24 align 8
  channel.kernel @"k\FF" segment 0 of @"f\FF" body @"k\FF" consumes @"f\FF" spawns [@"f\FF"] publishes [@"f.1\FF"]
  channel.stack @"f.1\FF" (!llvm.ptr) resumes @"f\FF"
  channel.depend @"f.1\FF" on [@"f\FF"] drained below
}
llvm.func @"k\FF"()
}
