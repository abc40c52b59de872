// Tests destinations that are evaluated in the child, because operands of its call are: behind the last operand, and with
// the alignment that the destination has.
// RUN: %clangxx -std=c++20 -fno-exceptions -fplugin=%plugin -Wall -Wextra -Werror -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s \
// RUN:   | opt -passes='sroa,instsimplify,simplifycfg' -S | FileCheck %s
struct Own {
  explicit Own(int n);
  ~Own();
  long get() const;
  long sum(int n) const;
};
struct __attribute__((packed)) Packed {
  char letter;
  long sum;
};
long *where();
Packed *packed();
int argument(int);

// The call has no argument: the pointer to the member is its last operand.
// CHECK-LABEL: define {{.*}} @_Z7pointer
// CHECK: call void @__cilk2gpu_spawn_begin(i32 noundef 0, ptr noundef null)
// CHECK: call void @_ZN3OwnC1Ei({{.*}} 3)
// CHECK: [[P:%.*]] = call {{.*}} ptr @_Z5wherev()
// CHECK: [[R:%.*]] = call noundef i64 %
// CHECK: store i64 [[R]], ptr [[P]], align 8
// CHECK: call void @_ZN3OwnD1Ev(
// CHECK: call void @__cilk2gpu_spawn_end(i32 noundef 0)
void pointer(long (Own::*member)() const) {
  *where() = cilk_spawn (Own(3).*member)();
  cilk_sync;
}

// CHECK-LABEL: define {{.*}} @_Z8argumentv
// CHECK: call void @_ZN3OwnC1Ei({{.*}} 4)
// CHECK: [[A:%.*]] = call noundef i32 @_Z8argumenti(
// CHECK: [[P:%.*]] = call {{.*}} ptr @_Z5wherev()
// CHECK: call noundef i64 @_ZNK3Own3sumEi({{.*}}, i32 noundef [[A]])
void argument() {
  *where() = cilk_spawn Own(4).sum(argument(1));
  cilk_sync;
}

// CHECK-LABEL: define {{.*}} @_Z9unalignedv
// CHECK: call {{.*}} ptr @_Z6packedv()
// CHECK: [[R:%.*]] = call noundef i64 @_ZNK3Own3getEv(
// CHECK: store i64 [[R]], ptr {{%.*}}, align 1
void unaligned() {
  packed()->sum = cilk_spawn Own(5).get();
  cilk_sync;
}
