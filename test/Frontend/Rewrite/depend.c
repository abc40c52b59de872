// Tests the code of an ordered spawn: the record of the task, its items, and its place in the run function. The sync and
// the end of the function run the tasks.
// RUN: %clang -O1 -Xclang -disable-llvm-passes -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O1 -fplugin=%plugin -Xclang -plugin-arg-cilk2gpu -Xclang serial-elision -S -emit-llvm %s -o - | FileCheck %s --check-prefix=ELISION
// ELISION-NOT: cilk2gpu_depend
// ELISION: call i32 @f
int f(int, int *);
int g(int);
void h(int n, int *p, int m[][8]) {
  int x = 0;
#pragma cilk depend(in: p[1:n]) depend(out: x)
  x = cilk_spawn f(n + 1, p);
#pragma cilk depend(in: m[0:n][2:3])
  cilk_spawn g(7);
  cilk_sync;
}
// CHECK-LABEL: define {{.*}}void @h(
// CHECK: store ptr null, ptr %[[TABLE:.*]], align 8, {{.*}}
// CHECK: %[[RECORD:.*]] = call ptr @__cilk2gpu_depend_create(ptr noundef %[[TABLE]], i32 noundef 0, i64 noundef 40, i64 noundef 8)
// CHECK: call void @__cilk2gpu_depend_item(ptr noundef %[[TABLE]], ptr noundef %{{.*}}, i64 noundef %{{.*}}, i64 noundef 4, i32 noundef 0, ptr noundef @{{.*}})
// CHECK: call void @__cilk2gpu_depend_item(ptr noundef %[[TABLE]], ptr noundef %{{.*}}, i64 noundef 1, i64 noundef 4, i32 noundef 1, ptr noundef @{{.*}})
// CHECK: getelementptr inbounds nuw %struct.cilk_depend.record, ptr %[[RECORD]], i32 0, i32 3
// CHECK: store i32 %{{.*}}
// CHECK: call i32 @__cilk2gpu_depend_add(ptr noundef %[[TABLE]])
// CHECK: call void @cilk_depend.run0(ptr noundef %[[TABLE]])
// CHECK: call ptr @__cilk2gpu_depend_create(ptr noundef %[[TABLE]], i32 noundef 1, i64 noundef 16, i64 noundef 8)
// CHECK: call void @__cilk2gpu_depend_repeat(ptr noundef %[[TABLE]], i64 noundef %{{.*}}, i64 noundef 32, ptr noundef @{{.*}})
// CHECK: call void @__cilk2gpu_depend_item(ptr noundef %[[TABLE]], ptr noundef %{{.*}}, i64 noundef 3, i64 noundef 4, i32 noundef 0, ptr noundef @{{.*}})
// CHECK: call i32 @__cilk2gpu_depend_pending(ptr noundef %[[TABLE]])
// CHECK: call void @cilk_depend.run0(ptr noundef %[[TABLE]])
// CHECK: call void @__cilk2gpu_sync()
// CHECK: call i32 @__cilk2gpu_depend_pending(ptr noundef %[[TABLE]])
// CHECK: call void @__cilk2gpu_sync()
// CHECK: call void @__cilk2gpu_depend_end(ptr noundef %[[TABLE]])

// CHECK-LABEL: define internal void @cilk_depend.run0(
// CHECK: call void @__cilk2gpu_sync()
// CHECK: call ptr @__cilk2gpu_depend_level(
// CHECK: call i64 @__cilk2gpu_for_begin(i32 noundef 0, i64 noundef 0, i64 noundef %{{.*}}, i64 noundef 1, i32 noundef 8, i64 noundef 0)
// CHECK: call void @__cilk2gpu_depend_enter(ptr noundef %{{.*}})
// CHECK: switch i32
// CHECK: call i32 @f(i32 noundef %{{.*}}, ptr noundef %{{.*}})
// CHECK: call i32 @g(i32 noundef 7)
// CHECK: call void @__cilk2gpu_depend_leave(ptr noundef %{{.*}})
// CHECK: call void @__cilk2gpu_for_end(i32 noundef 0)
