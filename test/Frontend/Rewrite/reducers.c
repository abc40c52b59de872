// Tests that each use of a reducer looks up the view of its strand, and that local reducers are registered.
// RUN: %clang -fplugin=%plugin -std=c11 -O1 -S -emit-llvm -Xclang -disable-llvm-passes %s -o - | FileCheck %s
// RUN: %clang -fplugin=%plugin -fplugin-arg-cilk2gpu-serial-elision -std=c11 -Wall -Wextra -Werror -S -emit-llvm %s -o - \
// RUN:   | FileCheck %s --check-prefix=ELISION
// ELISION-NOT: @__hyper_lookup
// ELISION-NOT: @__cilkrts_reducer
static void zero(void *v) { *(long *)v = 0; }
static void add(void *l, void *r) { *(long *)l += *(long *)r; }

long cilk_reducer(zero, add) total = 3;
typedef long _Hyperobject(zero, add) sum;
struct stats {
  int n;
  sum parts[3];
};
void by_view(long *view);
void by_reducer(sum *reducer);

// CHECK-LABEL: define{{.*}} @globals
// CHECK: [[VIEW:%[0-9]+]] = call ptr @__hyper_lookup(ptr noundef @total, i64 noundef 8, ptr noundef @zero, ptr noundef @add)
// CHECK: load i64, ptr [[VIEW]]
// CHECK: store i64 {{.*}}, ptr [[VIEW]]
// CHECK: ret void
void globals(void) { total += 2; }

// CHECK-LABEL: define{{.*}} @locals
// CHECK: store i64 5, ptr [[X:%[0-9]+]],
// CHECK: call void @__cilkrts_reducer_register(ptr noundef [[X]], i64 noundef 8, ptr noundef @zero, ptr noundef @add)
// CHECK: [[VIEW:%[0-9]+]] = call ptr @__hyper_lookup(ptr noundef [[X]]
// CHECK: call void @by_view(ptr noundef [[VIEW]])
// CHECK-NOT: __hyper_lookup
// CHECK: call void @by_reducer(ptr noundef [[X]])
// CHECK: [[LAST:%[0-9]+]] = call ptr @__hyper_lookup(ptr noundef [[X]]
// CHECK: [[VALUE:%[0-9]+]] = load i64, ptr [[LAST]]
// CHECK: call void @__cilkrts_reducer_unregister(ptr noundef [[X]])
// CHECK: ret i64
long locals(void) {
  sum x = 5;
  by_view(&x);
  by_reducer(__builtin_addressof(x));
  return x;
}

// The initial value is stored without a lookup, and operands that are not evaluated look nothing up.
// CHECK-LABEL: define{{.*}} @unevaluated
// CHECK-NOT: __hyper_lookup
// CHECK: ret i64
unsigned long unevaluated(void) {
  sum x = sizeof(total);
  return sizeof(x) + (unsigned long)sizeof(__typeof__(total));
}

// CHECK-LABEL: define{{.*}} @places
// CHECK: [[PART:%[0-9]+]] = getelementptr inbounds [3 x i64]
// CHECK: call ptr @__hyper_lookup(ptr noundef [[PART]]
// CHECK: [[KEY:%[0-9]+]] = load ptr, ptr
// CHECK: call ptr @__hyper_lookup(ptr noundef [[KEY]]
// CHECK: [[ELEMENT:%[0-9]+]] = getelementptr inbounds i64, ptr
// CHECK: call ptr @__hyper_lookup(ptr noundef [[ELEMENT]]
void places(struct stats *s, sum *p) {
  s->parts[1] += 1;
  *p += 2;
  p[3]++;
}

// CHECK-LABEL: define{{.*}} @members
// CHECK: call void @cilk_reducer.register
// CHECK: call void @cilk_reducer.unregister
void members(int n) {
  struct stats s = {n, {0, 1, 2}};
  places(&s, s.parts);
}

// CHECK-LABEL: define internal void @cilk_reducer.register
// CHECK: icmp ne i64 {{.*}}, 3
// CHECK: call void @__cilkrts_reducer_register(
