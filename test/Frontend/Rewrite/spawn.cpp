// Tests spawns where only C++ has functions: members, templates, lambdas, local and nested classes, namespaces.
// RUN: %clangxx -O0 -Wall -Wextra -Wpedantic -Werror -fplugin=%plugin -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s --implicit-check-not="= invoke" --implicit-check-not="  invoke"
// RUN: %clangxx -O1 -std=c++20 -g -fplugin=%plugin -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s --implicit-check-not="= invoke" --implicit-check-not="  invoke"
// RUN: %clangxx -O1 -std=c++11 -fplugin=%plugin -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s --implicit-check-not="= invoke" --implicit-check-not="  invoke"
// RUN: %clangxx -O1 -std=c++98 -DNO_LAMBDA -fplugin=%plugin -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s --check-prefix=CXX98 --implicit-check-not="= invoke" --implicit-check-not="  invoke"

int f(int);
int &reference(int &);
void takeReference(const int &, int &);
int withDefault(int a, int b = 7);
struct Point { int x, y; Point(int x, int y) : x(x), y(y) {} };
Point move(Point);

// CHECK-LABEL: define {{.*}} @_Z10referencesRi(
// CHECK: [[R:%.*]] = load ptr
// CHECK: call void @__cilk2gpu_spawn_begin(i32 noundef 0, ptr noundef null)
// CHECK-NEXT: call void @_Z13takeReferenceRKiRi(
// CHECK-NEXT: call void @__cilk2gpu_spawn_end
// CXX98-LABEL: define {{.*}} @_Z10referencesRi(
// CXX98: call void @__cilk2gpu_spawn_begin(i32 noundef 0, ptr noundef null)
int references(int &r) {
  cilk_spawn takeReference(r, r);
  int a = cilk_spawn withDefault(1);
  int b = cilk_spawn reference(r);
  r = cilk_spawn f(r > 2 ? r : 2);
  cilk_sync;
  return a + b;
}

// No copy of the result is made except the copy into the destination.
// CHECK-LABEL: define {{.*}} @_Z7classesR5Point(
// CHECK: call {{.*}}@_ZN5PointC{{[12]}}Eii(
// CHECK-NEXT: call void @__cilk2gpu_spawn_begin(i32 noundef 0, ptr noundef [[P:%.*]])
// CHECK: call i64 @_Z4move5Point(
// CHECK: memcpy{{.*}}(ptr align 4 [[P]],
// CHECK-NOT: memcpy
// CHECK: call void @__cilk2gpu_spawn_end(i32 noundef 0)
// CHECK: call void @__cilk2gpu_spawn_begin(i32 noundef 1, ptr noundef [[Q:%.*]])
// CHECK: call i64 @_Z4move5Point(
// CHECK: memcpy{{.*}}(ptr align 4 [[Q]],
// CHECK-NOT: memcpy
// CHECK: call void @__cilk2gpu_spawn_end(i32 noundef 1)
void classes(Point &q) {
  Point p = cilk_spawn move(Point(1, 2));
  q = cilk_spawn move(q);
  cilk_sync;
  q.x += p.x;
}

namespace outer {
namespace {
struct Class {
  int member(int n) {
    int x = cilk_spawn f(n);
    cilk_sync;
    return x + field;
  }
  static int fib(int n) {
    if (n < 2)
      return n;
    int x = cilk_spawn fib(n - 1);
    int y = fib(n - 2);
    cilk_sync;
    return x + y;
  }
  friend int friendly(Class *) {
    int z = cilk_spawn f(1);
    cilk_sync;
    return z;
  }
  int field;
};
} // namespace

template <class T> T sum(T n) {
  T x = cilk_spawn f(n);
  T y = 0;
  y = cilk_spawn sum<T>(n - 1);
  cilk_sync;
  return x + y;
}
template <class T> struct Box {
  T value;
  T get(T n) {
    value = cilk_spawn f(n);
    cilk_sync;
    return value;
  }
  template <class U> U convert(U n);
};
template <class T> template <class U> U Box<T>::convert(U n) {
  U u = cilk_spawn f(n);
  cilk_sync;
  return u;
}
template <class T> T never(T n) { return cilk_spawn n; } // not instantiated, not checked
} // namespace outer

// CHECK-LABEL: define {{.*}} @_Z5localv(
int local() {
  struct Local {
    static int run(int n) {
      int x = cilk_spawn f(n);
      cilk_sync;
      return x;
    }
  };
  outer::Class c = {1};
  outer::Box<int> box = {1};
  return Local::run(1) + c.member(1) + outer::Class::fib(3) + friendly(&c) + outer::sum<long>(1) + box.get(2) +
         box.convert<short>(3);
}

// CHECK-DAG: call noundef i64 @_ZN5outer3sumIlEET_S1_(i64 noundef
// CXX98-DAG: call noundef i64 @_ZN5outer3sumIlEET_S1_(i64 noundef

#ifndef NO_LAMBDA
auto global = [](int n) {
  int x = cilk_spawn f(n);
  cilk_sync;
  return x;
};
template <class T> struct Holder {
  static int (*function)(int);
};
template <class T> int (*Holder<T>::function)(int) = [](int n) {
  T x = cilk_spawn f(n);
  cilk_sync;
  return int(x);
};
int lambdas(int n) {
  int total = 0;
  auto run = [&](int m) {
    total = cilk_spawn f(m);
    cilk_sync;
  };
  run(n);
  return total + global(n) + Holder<short>::function(n);
}
#endif

// Every function above ends with a sync, and each emitted body has its markers.
// RUN: %clangxx -O0 -fplugin=%plugin -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | grep -c 'call void @__cilk2gpu_sync' | FileCheck %s --check-prefix=COUNT
// COUNT: {{^12$}}
