// Tests that aggregate arguments are copied between begin marker and call, from a source evaluated before it, and how
// aggregate and other wide results are stored.
// RUN: %clang -O1 --target=x86_64-linux-gnu -fplugin=%plugin -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clangxx -x c++ -O1 --target=x86_64-linux-gnu -fplugin=%plugin -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s
#ifdef __cplusplus
extern "C" {
#endif
struct Big { long v[8]; };
struct Small { int a, b; };
struct Big *source(void);
struct Big make(void);
void take(struct Big);
struct Big give(int);
struct Small pair(struct Small);
#ifndef __cplusplus
_Bool
#else
bool
#endif
    truth(double);

// CHECK-LABEL: define {{.*}} @argument(
// CHECK: [[P:%.*]] = call {{.*}}ptr @source()
// CHECK-NEXT: call void @__cilk2gpu_spawn_begin
// CHECK-NOT: call {{.*}}source
// CHECK: call void @take(ptr noundef byval(%struct.Big)
// CHECK-NEXT: call void @__cilk2gpu_spawn_end
void argument(void) {
  cilk_spawn take(*source());
  cilk_sync;
}

// CHECK-LABEL: define {{.*}} @temporary(
// CHECK: call void @make(ptr {{.*}}sret(%struct.Big) {{.*}}[[T:%[a-z0-9.]+]])
// CHECK-NEXT: call void @__cilk2gpu_spawn_begin
// CHECK-NOT: @make
// CHECK: call void @take(
// CHECK-NEXT: call void @__cilk2gpu_spawn_end
void temporary(void) {
  cilk_spawn take(make());
  cilk_sync;
}

// CHECK-LABEL: define {{.*}} @result(
// CHECK: call void @__cilk2gpu_spawn_begin(i32 noundef 0, ptr noundef [[B:%.*]])
// CHECK: call void @give(ptr {{.*}}sret(%struct.Big) align 8 [[TMP:%.*]], i32 noundef 1)
// CHECK-NEXT: call void @llvm.memcpy{{.*}}(ptr align 8 [[B]], ptr align 8 [[TMP]], i64 64
// CHECK-NOT: memcpy
// CHECK: call void @__cilk2gpu_spawn_end
// CHECK: call void @__cilk2gpu_spawn_begin(i32 noundef 1, ptr noundef [[B]])
// CHECK: call void @llvm.memcpy{{.*}}(ptr align 8 [[B]],
// CHECK-NOT: memcpy
// CHECK: call void @__cilk2gpu_spawn_end
long result(void) {
  struct Big b = cilk_spawn give(1);
  cilk_sync;
  b = cilk_spawn give(2);
  cilk_sync;
  return b.v[0];
}

// CHECK-LABEL: define {{.*}} @registers(
// CHECK: call void @__cilk2gpu_spawn_begin(i32 noundef 0, ptr noundef [[D:%.*]])
// CHECK: [[A:%.*]] = load i64
// CHECK-NEXT: [[R:%.*]] = call i64 @pair(i64 [[A]])
// CHECK: call void @llvm.memcpy{{.*}}(ptr align 4 [[D]],
// CHECK: call void @__cilk2gpu_spawn_end
void registers(struct Small *s) {
  *s = cilk_spawn pair(*s);
  cilk_sync;
}

// CHECK-LABEL: define {{.*}} @conversion(
// CHECK: [[D:%.*]] = sitofp i32
// CHECK-NEXT: call void @__cilk2gpu_spawn_begin
// CHECK-NEXT: [[R:%.*]] = call {{.*}}i1 @truth(double noundef [[D]])
// CHECK-NEXT: [[Z:%.*]] = zext i1 [[R]] to i8
// CHECK-NEXT: store i8 [[Z]]
// CHECK-NEXT: call void @__cilk2gpu_spawn_end
int conversion(int n) {
#ifdef __cplusplus
  bool b = cilk_spawn truth(n);
#else
  _Bool b = cilk_spawn truth(n);
#endif
  cilk_sync;
  return b;
}
#ifdef __cplusplus
}
#endif
