// Tests that a reference to a reducer is bound to the view that is looked up where the reference is initialized.
// RUN: %cilk2gpuxx -O1 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | FileCheck %s
static void zero(void *v) { *(long *)v = 0; }
static void add(void *l, void *r) { *(long *)l += *(long *)r; }
typedef long cilk_reducer(zero, add) Sum;
struct Many {
  Sum single, several[3];
};
extern Many many;
extern Sum global, array[3];

#define LOOKED_UP extern "C" void
// The store goes to the view, although Clang takes the reference for a constant.
// CHECK-LABEL: @reference(
// CHECK: %[[VIEW:.*]] = call ptr @__hyper_lookup(ptr {{.*}}@global,
// CHECK-NEXT: store ptr %[[VIEW]], ptr %[[R:[0-9]+]]
// CHECK-NOT: @global
// CHECK: }
LOOKED_UP reference() { long &r = global; r += 1; }

// CHECK-LABEL: @chain(
// CHECK: call ptr @__hyper_lookup({{.*}}@array
// CHECK-NOT: @array
// CHECK: }
LOOKED_UP chain() { auto &r = array[1]; auto &s = r; s += 1; }

// CHECK-LABEL: @binding(
// CHECK-COUNT-1: call ptr @__hyper_lookup(
// CHECK: }
LOOKED_UP binding() { auto &[single, several] = many; single += 1; }

// CHECK-LABEL: @elements(
// CHECK-COUNT-1: call ptr @__hyper_lookup(
// CHECK: }
LOOKED_UP elements() { for (auto &each : array) each += 1; }

struct Range {
  long values[3];
  long *begin(), *end();
};
static void zeros(void *v) { *(Range *)v = {}; }
static void adds(void *l, void *r) { ((Range *)l)->values[0] += ((Range *)r)->values[0]; }
extern Range cilk_reducer(zeros, adds) range;
struct Ranges {
  Range cilk_reducer(zeros, adds) inner;
};

// CHECK-LABEL: @range_for(
// CHECK: call ptr @__hyper_lookup(ptr {{.*}}@range,
// CHECK-NOT: call ptr @__hyper_lookup(
// CHECK: call {{.*}}@_ZN5Range5beginEv(
// CHECK-NOT: call ptr @__hyper_lookup(
// CHECK: }
LOOKED_UP range_for() { for (long &value : range) value += 1; }

// CHECK-LABEL: @range_for_parameters(
// CHECK-COUNT-2: call ptr @__hyper_lookup(
// CHECK-NOT: call ptr @__hyper_lookup(
// CHECK: }
LOOKED_UP range_for_parameters(Range cilk_reducer(zeros, adds) &given, Ranges *many) {
  for (long value : given) for (long &other : (many->inner)) other += value;
}

// The caller looks the view up.
void callee(long &r = global);
// CHECK-LABEL: @defaults(
// CHECK: %[[VIEW:.*]] = call ptr @__hyper_lookup(
// CHECK: call void @_Z6calleeRl({{.*}}%[[VIEW]])
LOOKED_UP defaults() { callee(); }

struct Bound {
  Bound() : r(global) {}
  long &r, &s = array[2];
};
// CHECK-LABEL: @members(
LOOKED_UP members() { Bound bound; bound.r += bound.s; }

template <long &R> void argument() { R += 1; }
LOOKED_UP instance() { argument<global>(); }
// CHECK-LABEL: define {{.*}}@_ZN5BoundC2Ev(
// CHECK: call ptr @__hyper_lookup(ptr {{.*}}@global,
// CHECK: call ptr @__hyper_lookup(
// CHECK: }
// CHECK-LABEL: define {{.*}}@_Z8argument
// CHECK: call ptr @__hyper_lookup(ptr {{.*}}@global,
