// Tests that reducers in C++ call the functions of their template arguments: in aliases, class templates, function
// templates, lambdas and references.
// RUN: %clang -fplugin=%plugin -std=c++14 -O1 -I%source_dir/include -S -emit-llvm -Xclang -disable-llvm-passes %s -o - \
// RUN:   | FileCheck %s
// RUN: %clang -fplugin=%plugin -fplugin-arg-cilk2gpu-serial-elision -std=c++20 -Wall -Wextra -Werror \
// RUN:   -I%source_dir/include -S -emit-llvm %s -o - | FileCheck %s --check-prefix=ELISION
// ELISION-NOT: @__hyper_lookup
#include <cilk/holder.h>
#include <cilk/opadd_reducer.h>

template <class T> struct folded {
  static void identity(void *view) { *static_cast<T *>(view) = T(); }
  static void reduce(int) {}
  static void reduce(void *left, void *right) { *static_cast<T *>(left) += *static_cast<T *>(right); }
  T _Hyperobject(identity, reduce) value = T();
};

struct object {
  int x, y;
  ~object();
};

// CHECK-LABEL: define{{.*}} @alias(
// CHECK: call ptr @__hyper_lookup({{.*}}, i64 noundef 8, ptr noundef @_ZN4cilkL4zeroIdEEvPv, ptr noundef @_ZN4cilkL4plusIdEEvPvS1_)
extern "C" double alias(double x) {
  cilk::opadd_reducer<double> sum = 0;
  sum += x;
  return sum;
}

template <class T> T total(const T (&array)[4]) {
  cilk::opadd_reducer<T> sum = 0;
  [&] {
    for (const T &x : array)
      sum += x;
  }();
  return sum;
}
// CHECK-LABEL: define{{.*}} @_Z5totalIsET_RA4_KS0_
// CHECK: call ptr @__hyper_lookup({{.*}}, i64 noundef 2, ptr noundef @_ZN4cilkL4zeroIsEEvPv, ptr noundef @_ZN4cilkL4plusIsEEvPvS1_)
// CHECK-LABEL: define{{.*}} @_ZZ5totalIsET_RA4_KS0_ENKUlvE_clEv
// CHECK: call ptr @__hyper_lookup({{.*}}, i64 noundef 2,
template short total(const short (&array)[4]);

// CHECK-LABEL: define{{.*}} @class_template(
// CHECK: call ptr @__hyper_lookup({{.*}}, i64 noundef 4, ptr noundef @_ZN6foldedIiE8identityEPv, ptr noundef @_ZN6foldedIiE6reduceEPvS1_)
extern "C" int class_template(folded<int> &f) { return f.value; }

// A reference to a reducer is bound to the reducer itself, and another one to its view.
void references(cilk::opadd_reducer<int> &reducer, int &view);
// CHECK-LABEL: define{{.*}} @bindings(
// CHECK: [[KEY:%[0-9]+]] = load ptr, ptr
// CHECK: [[OTHER:%[0-9]+]] = load ptr, ptr
// CHECK: [[VIEW:%[0-9]+]] = call ptr @__hyper_lookup(ptr noundef {{.*}}[[OTHER]]
// CHECK: call void @_Z10referencesRiS_(ptr {{.*}}[[KEY]], ptr {{.*}}[[VIEW]])
extern "C" void bindings(cilk::opadd_reducer<int> &sum) { references(sum, sum); }

// The reducer is unregistered before its destructor runs.
// CHECK-LABEL: define{{.*}} @destructor(
// CHECK: call void @__cilkrts_reducer_register(ptr noundef [[O:%[0-9]+]], i64 noundef 8,
// CHECK: call void @__cilkrts_reducer_unregister(ptr noundef [[O]])
// CHECK: call void @_ZN6objectD1Ev(ptr {{.*}}[[O]])
extern "C" int destructor(int n) {
  cilk::holder<object> scratch;
  scratch.x = n;
  return scratch.x;
}

// CHECK-LABEL: define{{.*}} @allocated(
// CHECK: [[P:%[0-9]+]] = call{{.*}} ptr @_Znwm(
// CHECK: call void @__cilkrts_reducer_register(ptr noundef [[P]]
// CHECK: call void @__cilkrts_reducer_unregister(
// CHECK: call void @_ZdlPv
extern "C" void allocated() {
  cilk::opadd_reducer<int> *p = new cilk::opadd_reducer<int>(4);
  *p += 1;
  delete p;
}

// An element has the functions of the class with the array.
template <class T> struct folded_parts {
  static void identity(void *view) { *static_cast<T *>(view) = T(); }
  static void reduce(void *left, void *right) { *static_cast<T *>(left) += *static_cast<T *>(right); }
  T _Hyperobject(identity, reduce) values[2][3] = {};
};

// CHECK-LABEL: define{{.*}} @element(
// CHECK: call ptr @__hyper_lookup({{.*}}, i64 noundef 4, ptr noundef @_ZN12folded_partsIiE8identityEPv, ptr noundef @_ZN12folded_partsIiE6reduceEPvS1_)
extern "C" int element(folded_parts<int> &parts, int n) { return parts.values[1][n]; }
