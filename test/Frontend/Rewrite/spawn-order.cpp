// Tests the order in which the parent evaluates the parts of a spawn. If an argument is an object for the child, everything after
// it stands between the begin marker and the call. The destination comes last.
// RUN: %clangxx -std=c++20 -fplugin=%plugin -Wall -Wextra -Werror -Wno-unsequenced -fno-exceptions -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | opt -passes='sroa,instsimplify,simplifycfg' -S | FileCheck %s
struct Own {
  Own(int);
  Own(const Own &);
  ~Own();
  int get(int) const;
  int number;
};
struct Proxy {
  Proxy &operator=(int);
  ~Proxy();
};
int first(), second(), third();
int &place(int);
Proxy proxy(int);
int take(int, const Own &, int);
int value(Own, int);
int plain(int);

// CHECK-LABEL: define {{.*}} @_Z9referencev(
// CHECK: [[A:%.*]] = call noundef i32 @_Z5firstv()
// CHECK: call void @__cilk2gpu_spawn_begin(i32 noundef 0, ptr noundef null)
// CHECK: call noundef i32 @_Z6secondv()
// CHECK: call void @_ZN3OwnC1Ei(
// CHECK: [[C:%.*]] = call noundef i32 @_Z5thirdv()
// CHECK: [[P:%.*]] = call {{.*}} ptr @_Z5placei(
// CHECK-NEXT: [[R:%.*]] = call noundef i32 @_Z4takeiRK3Owni(i32 noundef [[A]], ptr {{.*}}, i32 noundef [[C]])
// CHECK-NEXT: store i32 [[R]], ptr [[P]]
// CHECK: call void @_ZN3OwnD1Ev(
// CHECK: call void @__cilk2gpu_spawn_end(i32 noundef 0)
void reference() {
  place(4) = cilk_spawn take(first(), second(), third());
  cilk_sync;
}

// CHECK-LABEL: define {{.*}} @_Z7objectsv(
// CHECK: call void @__cilk2gpu_spawn_begin(i32 noundef 0, ptr noundef null)
// CHECK: call noundef i32 @_Z5firstv()
// CHECK: call void @_ZN3OwnC1Ei(
// CHECK: call noundef i32 @_Z6secondv()
// CHECK: call {{.*}} ptr @_Z5placei(
// CHECK: call noundef i32 @_Z5value3Owni(
// CHECK: call void @_ZN3OwnD1Ev(
// CHECK: call void @__cilk2gpu_spawn_end(i32 noundef 0)
void objects() {
  place(4) = cilk_spawn value(first(), second());
  cilk_sync;
}

// A variable is where it is.
// CHECK-LABEL: define {{.*}} @_Z5fixedv(
// CHECK: call void @__cilk2gpu_spawn_begin(i32 noundef 0, ptr noundef [[X:%.*]])
// CHECK: [[R:%.*]] = call noundef i32 @_Z5value3Owni(
// CHECK-NEXT: store i32 [[R]], ptr [[X]]
int fixed() {
  int x = 0;
  x = cilk_spawn value(first(), second());
  cilk_sync;
  return x;
}

// The child assigns to the proxy, and destroys it.
// CHECK-LABEL: define {{.*}} @_Z7proxiesv(
// CHECK: [[A:%.*]] = call noundef i32 @_Z5firstv()
// CHECK: call void @__cilk2gpu_spawn_begin(i32 noundef 0, ptr noundef null)
// CHECK: call void @_Z5proxyi(
// CHECK: [[R:%.*]] = call noundef i32 @_Z5plaini(i32 noundef [[A]])
// CHECK: call {{.*}} @_ZN5ProxyaSEi(ptr {{.*}}, i32 noundef [[R]])
// CHECK: call void @_ZN5ProxyD1Ev(
// CHECK: call void @__cilk2gpu_spawn_end(i32 noundef 0)
void proxies() {
  proxy(4) = cilk_spawn plain(first());
  cilk_sync;
}

// The spawned call is found among calls of constructors and destructors, also if a virtual function is known.
struct Base : Own {
  using Own::Own;
  virtual int known(int) const;
};
struct Final final : Base {
  using Base::Base;
  int known(int) const override;
};
// CHECK-LABEL: define {{.*}} @_Z9finalCallv(
// CHECK: call void @__cilk2gpu_spawn_callee(ptr noundef @_ZNK5Final5knownEi)
int finalCall() {
  int x = cilk_spawn Final(1).known(second());
  cilk_sync;
  return x;
}
