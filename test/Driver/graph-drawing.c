// Tests the drawing of a program of two files: declarations and lines of tasks, the tasks that ordinary code calls, and
// what stacks wait for in both files. A task of the other file is drawn once. Functions of the same name that are private
// to their files stay apart.
// RUN: %cilk2gpu -O2 --emit=graph %s %S/Inputs/graph-files/other.c -o %t.dot
// RUN: FileCheck %s < %t.dot
// RUN: FileCheck %s --check-prefix=ONCE < %t.dot
// RUN: %cilk2gpu -O2 --emit=graph-json %s %S/Inputs/graph-files/other.c | FileCheck %s --check-prefix=JSON
// RUN: %cilk2gpu -O2 --emit=graph %s | FileCheck %s --check-prefix=ALONE
#include <cilk/cilk.h>

struct pair {
  int left, right;
};
long odd(long n);
static long leaf(long n) { return n; }
// CHECK: subgraph cluster_1 {
// CHECK-NEXT: label="{{.*}}graph-drawing.c";
// CHECK: label="even\nlong even(long n)\ngraph-drawing.c:[[#@LINE+5]]"; style=rounded
// CHECK: "even.k0" [{{.*}}label="even.k0"];
// CHECK: "even.k1" [{{.*}}label="even.k1\ngoes on after line [[#@LINE+8]]"];
// CHECK: "even" [{{.*}}label="even\n(int64_t, void *)"];
// CHECK: "even.1" [{{.*}}label="even.1\nsync in line [[#@LINE+6]]"];
long even(long n) {
  if (n < 2)
    return n;
  long a = cilk_spawn odd(n - 1);
  long b = cilk_spawn leaf(n - 2);
  cilk_sync;
  return a ^ b;
}
// CHECK: "1:leaf" [
// CHECK: label="count\nvoid count(struct pair *pairs, const unsigned char (*rows)[8])\n
void count(struct pair *pairs, const unsigned char (*rows)[8]) {
  if (!pairs)
    return;
  cilk_spawn count(0, rows);
  cilk_spawn count(0, rows);
  cilk_sync;
  pairs->left = rows[0][1];
}
int main(void) {
  struct pair one = {0, 0};
  count(&one, (const unsigned char(*)[8]) "12345678");
  return even(5) == 0;
}
// CHECK: subgraph cluster_2 {
// CHECK: label="odd\nlong odd(long n)\nother.c:4"
// CHECK: "2:leaf" [
// CHECK: "even.k0" -> "1:leaf" [label="spawn"];
// CHECK: "even.k0" -> "odd" [label="spawn"];
// CHECK: "odd.k0" -> "even" [label="spawn"];
// CHECK: "odd.k0" -> "2:leaf" [label="spawn"];
// even.1 also waits for what odd spawns, in the other file.
// CHECK: "2:leaf" -> [[AWAITED:"awaited [0-9]+"]] [style=dotted];
// CHECK: [[AWAITED]] -> "even.1" [style=dotted, label="drained below"];
// CHECK-NEXT: [[AWAITED]] -> "odd.1" [style=dotted, label="drained below"];
// CHECK: "ordinary code" [shape=house
// No ordinary code calls `leaf`.
// CHECK-NOT: "ordinary code" -> "1:leaf"
// CHECK-DAG: "ordinary code" -> "even" [label="call"];
// CHECK-DAG: "ordinary code" -> "count" [label="call"];

// ONCE: "odd" [shape
// ONCE-NOT: "odd" [shape
// JSON-DAG: "file": "/{{.*}}/test/Driver/graph-drawing.c"
// JSON: "source": "{{.*}}graph-drawing.c"
// JSON: "signature": "long even(long n)"
// JSON: "source": "{{.*}}other.c"
// In the graph of one file alone, a task of another file is a call.
// ALONE-DAG: "odd" [shape
// ALONE-DAG: "leaf" [shape
// ALONE-DAG: "odd.k0" [shape
