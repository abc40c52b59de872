// Tests structured bindings of a spawned result: the child writes the hidden object, which the bindings name.
// RUN: %clangxx -std=c++17 -O1 -fplugin=%plugin -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clangxx -std=c++17 -fsyntax-only -DERRORS -fplugin=%plugin -Xclang -verify %s
#include <utility>
std::pair<int, long> makePair(int);
extern "C" {
struct Pair { int a, b; };
Pair make(int);
int use(int);

// CHECK-LABEL: define {{.*}} @fields(
// CHECK: call void @__cilk2gpu_spawn_begin(i32 noundef 0, ptr noundef [[HIDDEN:%.*]])
// CHECK: call void @__cilk2gpu_spawn_end(i32 noundef 0)
// CHECK: call void @__cilk2gpu_sync()
// CHECK: getelementptr inbounds {{.*}} [[HIDDEN]]
int fields(int n) {
  auto [a, b] = cilk_spawn make(n);
  cilk_sync;
  return a * 3 + b;
}
// Only the elements' addresses are asked for before the sync.
// CHECK-LABEL: define {{.*}} @elements(
// CHECK: call void @__cilk2gpu_spawn_begin(
// CHECK: call void @__cilk2gpu_spawn_end(
// CHECK: @{{.*}}3get
// CHECK: call void @__cilk2gpu_sync()
// CHECK: load i32
int elements(int n) {
  auto [a, b] = cilk_spawn makePair(n);
  cilk_sync;
  return a * 3 + (int)b;
}
}
#ifdef ERRORS
int early(int n) {
  auto [a, b] = cilk_spawn make(n); // expected-note {{spawned here}}
  use(b); // expected-error {{'b' is read before it}}
  cilk_sync;
  return a;
}
int written(int n) {
  auto [a, b] = cilk_spawn make(n); // expected-note {{spawned here}}
  a = n; // expected-error {{'a' is written before it}}
  cilk_sync;
  return a + b;
}
void ends(int n) {
  if (n) {
    auto [a, b] = cilk_spawn make(n); // expected-error {{the scope of '[a, b]' ends before}}
  } // expected-note {{the scope of '[a, b]' ends here}}
  use(n);
}
#endif
