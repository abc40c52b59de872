// Tests the names that accesses get for reports, and that accesses on different paths stay apart.
// RUN: %cilk2gpu -fsanitize=cilk -O1 -S -emit-llvm %s -o - -mllvm -print-after=cilk-name-accesses 2>&1 | FileCheck %s
struct pair {
  int first, second;
};
int count;

void named(struct pair *p, int *values, int n) {
  count = 1;
  values[n] = 2;
  p->second = 3;
}
// CHECK-LABEL: define {{.*}}@named
// CHECK:       call void @llvm.sideeffect() [[APART:#[0-9]+]], !dbg
// CHECK-NEXT:  store i32 1, ptr @count, {{.*}}!cilk2gpu.variable [[COUNT:![0-9]+]]
// CHECK-NEXT:  call void @llvm.sideeffect() [[APART]]
// CHECK:       store i32 2, {{.*}}!cilk2gpu.variable [[VALUES:![0-9]+]]
// CHECK:       store i32 3, {{.*}}!cilk2gpu.variable [[PAIR:![0-9]+]]
// CHECK-DAG:   attributes [[APART]] = { nomerge }
// CHECK-DAG:   [[COUNT]] = !{!"count"}
// CHECK-DAG:   [[VALUES]] = !{!"values[...]"}
// CHECK-DAG:   [[PAIR]] = !{!"p->..."}
