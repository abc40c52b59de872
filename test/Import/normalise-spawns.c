// Tests that a spawn with more than a store after its call moves to a task of its own, together with the call. A simple spawn
// does not move.
// RUN: %cilk2gpu --emit=cilk %s | FileCheck %s

struct Big {
  long values[10];
};
struct Pair {
  long first, second;
};

int number(int);
_Bool flag(int);
struct Big big(struct Big);
struct Pair pair(int);
// Returned as { <2 x float>, float } and, with padding behind it, as { i64, i16 }.
struct Place {
  float x, y, z;
};
struct Padded {
  int first, second;
  short third;
};
struct Place place(int);
struct Padded padded(int);

// CHECK-LABEL: llvm.func @plain(
// CHECK: cilk.spawn @number.task({{.*}}) into
// CHECK-NOT: spawn0
// CHECK-LABEL: llvm.func @convert(
int plain(int n) {
  int x = cilk_spawn number(n);
  cilk_sync;
  return x;
}

// The conversion is the child's.
// CHECK: cilk.spawn @convert.spawn0(
double convert(int n) {
  double x = cilk_spawn number(n);
  cilk_sync;
  return x;
}

// CHECK-LABEL: llvm.func @structs(
// CHECK-DAG: cilk.spawn @structs.spawn0(
// CHECK-DAG: cilk.spawn @pair.task({{.*}}) into {{.*}} -> !llvm.struct<(i64, i64)>
// CHECK-DAG: cilk.spawn @flag.task({{.*}}) into {{.*}} -> i1
// CHECK-NOT: cilk.spawn @structs.spawn1(
long structs(int n) {
  struct Big in = {{n}}, out;
  struct Pair two;
  _Bool yes;
  out = cilk_spawn big(in);
  two = cilk_spawn pair(n);
  yes = cilk_spawn flag(n);
  cilk_sync;
  return out.values[0] + two.first + yes;
}

// Members that are stored at their offsets are one store of the struct, through any pointer.
// CHECK-LABEL: llvm.func @members(
// CHECK-SAME: %[[PLACES:[^:]*]]: !llvm.ptr
// CHECK: cilk.spawn @place.task({{.*}}) into %{{.*}} : (i32) -> !llvm.struct<(vector<2xf32>, f32)>
// CHECK: cilk.spawn @padded.task({{.*}}) into %{{.*}} : (i32) -> !llvm.struct<(i64, i16)>
int members(struct Place *places, int n) {
  places[n] = cilk_spawn place(n);
  struct Padded two = cilk_spawn padded(n);
  cilk_sync;
  return two.third + (int)places[0].x;
}

// An update belongs to the child, too, and is marked.
// CHECK-LABEL: llvm.func @update(
// CHECK: cilk.spawn @update.spawn0(
long update(int n) {
  long x = 0;
  x -= cilk_spawn number(n);
  cilk_sync;
  return x;
}

// The wrappers are tasks; a by-value argument stays one.
// CHECK: llvm.func internal @convert.spawn0({{.*}}cilk.task
// CHECK: llvm.sitofp
// CHECK: llvm.func internal @structs.spawn0({{.*}}llvm.byval
// CHECK: llvm.func internal @update.spawn0(
// CHECK: llvm.atomicrmw sub %{{.*}}, %{{.*}} monotonic {{.*}}cilk.update

// Sanitizer checks branch; they go with the child.
// RUN: %cilk2gpu -fsanitize=undefined --emit=cilk %s | FileCheck %s --check-prefix=UBSAN
// UBSAN-LABEL: llvm.func @through(
// UBSAN: cilk.spawn @through.spawn0(
void through(int *p) { *p = cilk_spawn number(1); }
