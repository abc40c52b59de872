// Tests spawns of member functions, lambdas and function objects: the object is evaluated by the parent, before the
// arguments, and passed by its address.
// RUN: %clangxx -std=c++20 -fplugin=%plugin -Wall -Wextra -Werror -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | opt -passes='sroa,instsimplify,simplifycfg' -S | FileCheck %s
struct Pair {
  long a, b;
};
struct Tree {
  Tree *left, *right;
  int value;
  int sum(int depth) const;
  Pair pair(Pair p);
  static int fixed(int n);
  virtual int dynamic(int n);
  int operator()(int n);
  template <class T> T scaled(T n) { return n * T(value); }
};
struct Handle {
  Tree *operator->();
};
Tree &find(int);
int argument(int);

// CHECK-LABEL: define {{.*}} @_ZNK4Tree3sumEi(
// CHECK: [[L:%.*]] = load ptr
// CHECK: [[D:%.*]] = add nsw i32 %1, 1
// CHECK: call void @__cilk2gpu_spawn_begin(i32 noundef 0, ptr noundef [[A:%.*]])
// CHECK-NEXT: [[R:%.*]] = call noundef i32 @_ZNK4Tree3sumEi(ptr {{.*}} [[L]], i32 noundef [[D]])
// CHECK-NEXT: store i32 [[R]], ptr [[A]]
// CHECK-NEXT: call void @__cilk2gpu_spawn_end(i32 noundef 0)
// CHECK: call void @__cilk2gpu_spawn_begin(i32 noundef 1,
// CHECK-NEXT: call noundef i32 @_ZNK4Tree3sumEi(ptr {{.*}} %0, i32 noundef 7)
// CHECK: call void @__cilk2gpu_spawn_begin(i32 noundef 2,
// CHECK-NEXT: call noundef i32 @_ZNK4Tree3sumEi(ptr {{.*}} %0, i32 noundef 8)
int Tree::sum(int depth) const {
  if (depth > 9)
    return 0;
  int a = cilk_spawn left->sum(depth + 1);
  int b = cilk_spawn sum(7);
  cilk_spawn this->sum(8);
  cilk_sync;
  return a + b + value;
}

// CHECK-LABEL: define {{.*}} @_Z5orderv(
// CHECK: [[O:%.*]] = call {{.*}} ptr @_Z4findi(i32 noundef 1)
// CHECK-NEXT: [[N:%.*]] = call noundef i32 @_Z8argumenti(i32 noundef 2)
// CHECK-NEXT: call void @__cilk2gpu_spawn_begin(i32 noundef 0, ptr noundef [[X:%.*]])
// CHECK-NEXT: call noundef i32 @_ZNK4Tree3sumEi(ptr {{.*}} [[O]], i32 noundef [[N]])
// CHECK: [[H:%.*]] = call {{.*}} @_ZN6HandleptEv(
// CHECK-NEXT: call void @__cilk2gpu_spawn_begin(i32 noundef 1,
// CHECK-NEXT: call noundef i32 @_ZN4Tree7dynamicEi(ptr {{.*}} [[H]], i32 noundef 3)
int order() {
  int x = cilk_spawn find(1).sum(argument(2));
  Handle handle;
  int y = cilk_spawn handle->Tree::dynamic(3);
  cilk_sync;
  return x + y;
}

// CHECK-LABEL: define {{.*}} @_Z5kindsR4Tree(
// CHECK: call void @__cilk2gpu_spawn_begin(i32 noundef 0,
// CHECK: call noundef i32 @_ZN4Tree5fixedEi(i32 noundef 1)
// CHECK: call void @__cilk2gpu_spawn_begin(i32 noundef 1,
// CHECK-NEXT: call noundef i32 @_ZN4TreeclEi(ptr {{.*}} %0, i32 noundef 2)
// CHECK: call void @__cilk2gpu_spawn_begin(i32 noundef 2,
// CHECK-NEXT: call noundef i64 @_ZN4Tree6scaledIlEET_S1_(ptr {{.*}} %0, i64 noundef 3)
// CHECK: call void @__cilk2gpu_spawn_begin(i32 noundef 3,
// CHECK: call { i64, i64 } @_ZN4Tree4pairE4Pair(
// CHECK: call void @__cilk2gpu_spawn_begin(i32 noundef 4,
// CHECK-NEXT: call {{.*}} @"_ZZ5kindsR4TreeENK3$_{{[0-9]}}clEi"(ptr {{.*}}, i32 noundef 4)
// CHECK: call void @__cilk2gpu_spawn_begin(i32 noundef 5,
// CHECK-NEXT: call {{.*}} @"_ZZ5kindsR4TreeENK3$_{{[0-9]}}clIiEEDaT_"(ptr {{.*}}, i32 noundef 5)
long kinds(Tree &tree) {
  int x = cilk_spawn tree.fixed(1);
  int y = cilk_spawn tree(2);
  long z = cilk_spawn tree.scaled(3l);
  Pair p = {1, 2};
  p = cilk_spawn tree.pair(p);
  auto lambda = [&tree](int n) { return n + tree.value; };
  int u = cilk_spawn lambda(4);
  auto generic = [&](auto n) {
    int inner = cilk_spawn argument(n);
    cilk_sync;
    return inner;
  };
  int v = cilk_spawn generic(5);
  cilk_sync;
  return x + y + z + u + v + p.a;
}

Tree *next();
// An expression that names a function may have to be evaluated, too: once, before the arguments.
// CHECK-LABEL: define {{.*}} @_Z5namedi(
// CHECK: call {{.*}} ptr @_Z4nextv()
// CHECK-NEXT: [[A:%.*]] = call noundef i32 @_Z8argumenti(i32 noundef 1)
// CHECK-NEXT: call void @__cilk2gpu_spawn_begin(i32 noundef 0,
// CHECK-NEXT: call noundef i32 @_ZN4Tree5fixedEi(i32 noundef [[A]])
// CHECK: call {{.*}} @_Z4findi(i32 noundef 2)
// CHECK-NEXT: [[B:%.*]] = call noundef i32 @_Z8argumenti(i32 noundef 2)
// CHECK-NEXT: call void @__cilk2gpu_spawn_begin(i32 noundef 1,
// CHECK-NEXT: call noundef i32 @_ZN4Tree5fixedEi(i32 noundef [[B]])
// CHECK: call noundef i32 @_Z8argumenti(i32 noundef 3)
// CHECK-NEXT: [[C:%.*]] = call noundef i32 @_Z8argumenti(i32 noundef 4)
// CHECK-NEXT: call void @__cilk2gpu_spawn_begin(i32 noundef 2,
// CHECK-NEXT: call noundef i32 @_Z8argumenti(i32 noundef [[C]])
// CHECK: [[O:%.*]] = call {{.*}} ptr @_Z4nextv()
// CHECK-NEXT: [[D:%.*]] = call noundef i32 @_Z8argumenti(i32 noundef 5)
// CHECK-NEXT: call void @__cilk2gpu_spawn_begin(i32 noundef 3,
template <int (Tree::*Member)(int) const> int through(int n) {
  int x = cilk_spawn (next()->*Member)(argument(5));
  cilk_sync;
  return x + n;
}
inline int named(int n) {
  int a = cilk_spawn next()->fixed(argument(1));
  int b = cilk_spawn find(2).fixed(argument(2));
  int c = cilk_spawn (argument(3), argument)(argument(4));
  int d = cilk_spawn (next()->*&Tree::sum)(argument(5));
  cilk_sync;
  return a + b + c + d + n;
}
int useNamed(int n) { return named(n) + through<&Tree::sum>(n); }

// CHECK-LABEL: define {{.*}} @_Z7throughIXadL_ZNK4Tree3sumEiEEEii(
// CHECK: call {{.*}} ptr @_Z4nextv()
// CHECK-NEXT: call noundef i32 @_Z8argumenti(i32 noundef 5)
// CHECK-NEXT: call void @__cilk2gpu_spawn_begin(i32 noundef 0,
