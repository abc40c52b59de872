// Tests that a spawn is accepted at each of its positions, and the code before, between and after its markers.
// RUN: %clang -O0 -Wall -Wextra -Wpedantic -Werror -fplugin=%plugin -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -O1 -Wall -Wextra -Wpedantic -Werror -fplugin=%plugin -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -O0 -std=c23 -g -fplugin=%plugin -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clangxx -x c++ -O1 -Wall -Wextra -Wpedantic -Werror -fplugin=%plugin -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s
#ifdef __cplusplus
extern "C" {
#endif
int f(int);
void g(int *, long);
int *next(void);
struct Node { int value; struct Node *next; };
int global;

// CHECK-LABEL: define {{.*}} @statement(
// CHECK: [[A:%.*]] = load ptr
// CHECK: [[N:%.*]] = load i32
// CHECK: add nsw i32 [[N]], 1
// CHECK: [[L:%.*]] = sext i32 [[N]] to i64
// CHECK-NEXT: call void @__cilk2gpu_spawn_begin(i32 noundef 0, ptr noundef null) [[ATTR:#[0-9]+]]
// CHECK-NEXT: call void @g(ptr noundef [[A]], i64 noundef [[L]])
// CHECK-NEXT: call void @__cilk2gpu_spawn_end(i32 noundef 0) [[ATTR]]
// CHECK-NEXT: call void @__cilk2gpu_sync() [[ATTR]]
void statement(int *a, int n) {
  cilk_spawn g(a, n++);
  cilk_sync;
}

// The result of the spawned call is dropped by the child.
// CHECK-LABEL: define {{.*}} @unused(
// CHECK: call void @__cilk2gpu_spawn_begin(i32 noundef 0, ptr noundef null)
// CHECK-NEXT: call {{.*}}i32 @f(i32 noundef 1)
// CHECK-NEXT: call void @__cilk2gpu_spawn_end(i32 noundef 0)
// CHECK: call void @__cilk2gpu_spawn_begin(i32 noundef 1, ptr noundef null)
// CHECK-NEXT: call {{.*}}i32 @f(i32 noundef 2)
// CHECK-NEXT: call void @__cilk2gpu_spawn_end(i32 noundef 1)
void unused(void) {
  _Cilk_spawn f(1);
  (void)(cilk_spawn f(2));
  _Cilk_sync;
}

// The destination is evaluated once, by the parent.
// CHECK-LABEL: define {{.*}} @assignment(
// CHECK: [[P:%.*]] = call {{.*}}ptr @next()
// CHECK-NEXT: call void @__cilk2gpu_spawn_begin(i32 noundef 0, ptr noundef [[P]])
// CHECK-NEXT: [[R:%.*]] = call {{.*}}i32 @f(i32 noundef 1)
// CHECK-NEXT: store i32 [[R]], ptr [[P]]
// CHECK-NEXT: call void @__cilk2gpu_spawn_end(i32 noundef 0)
// CHECK-NOT: @next
// CHECK: [[V:%.*]] = getelementptr inbounds nuw %struct.Node, ptr {{.*}}, i32 0, i32 0
// CHECK-NEXT: call void @__cilk2gpu_spawn_begin(i32 noundef 1, ptr noundef [[V]])
// CHECK: store i32 {{%.*}}, ptr [[V]]
// CHECK: call void @__cilk2gpu_spawn_begin(i32 noundef 2, ptr noundef @global)
// CHECK: [[E:%.*]] = getelementptr inbounds i32
// CHECK-NEXT: call void @__cilk2gpu_spawn_begin(i32 noundef 3, ptr noundef [[E]])
// CHECK: store i32 {{%.*}}, ptr [[E]]
void assignment(struct Node *node, int *a, int i) {
  *next() = cilk_spawn f(1);
  node->next->value = cilk_spawn f(2);
  global = cilk_spawn f(3);
  a[i++] = cilk_spawn f(4);
  cilk_sync;
}

// CHECK-LABEL: define {{.*}} @initialization(
// CHECK: call void @__cilk2gpu_spawn_begin(i32 noundef 0, ptr noundef [[X:%.*]])
// CHECK-NEXT: [[R:%.*]] = call {{.*}}i32 @f
// CHECK-NEXT: [[W:%.*]] = sext i32 [[R]] to i64
// CHECK-NEXT: store i64 [[W]], ptr [[X]]
// CHECK-NEXT: call void @__cilk2gpu_spawn_end(i32 noundef 0)
// CHECK: store i64 5, ptr [[Y:%[a-z0-9]+]]
// CHECK: call void @__cilk2gpu_spawn_begin(i32 noundef 1, ptr noundef [[Z:%.*]])
// CHECK: store i64 {{%.*}}, ptr [[Z]]
// CHECK: call void @__cilk2gpu_sync()
long initialization(void) {
  long x = cilk_spawn f(1), y = 5, z = _Cilk_spawn f(2);
  const int c = cilk_spawn f(3);
  cilk_sync;
  return x + y + z + c;
}

// Ids are unique in a function.
// CHECK-LABEL: define {{.*}} @control_flow(
// CHECK-DAG: @__cilk2gpu_spawn_begin(i32 noundef 0,
// CHECK-DAG: @__cilk2gpu_spawn_begin(i32 noundef 1,
// CHECK-DAG: @__cilk2gpu_spawn_begin(i32 noundef 2,
// CHECK-DAG: @__cilk2gpu_spawn_begin(i32 noundef 3,
// CHECK-DAG: @__cilk2gpu_spawn_begin(i32 noundef 4,
// CHECK-DAG: @__cilk2gpu_spawn_begin(i32 noundef 5,
// CHECK-DAG: @__cilk2gpu_spawn_begin(i32 noundef 6,
// CHECK-DAG: @__cilk2gpu_spawn_begin(i32 noundef 7,
void control_flow(int n, int *a) {
  if (n > 3) cilk_spawn f(0); else a[0] = cilk_spawn f(1);
  for (int i = 0; i < n; ++i) a[i + 1] = cilk_spawn f(2);
  while (n > 7) cilk_sync;
  do cilk_spawn f(3); while (n > 8);
  switch (n) {
  case 1: cilk_spawn f(4); break;
  case 2: case 3: *a = cilk_spawn f(5); break;
  default: cilk_sync;
  }
  if (n == 5) goto label;
  n = 2;
label:
  cilk_spawn f(6);
  { cilk_spawn f(7); }
  if (n) cilk_sync;
}

#define SPAWN(call) cilk_spawn call
#define SYNC cilk_sync
// CHECK-LABEL: define {{.*}} @macros(
// CHECK: call void @__cilk2gpu_spawn_begin(i32 noundef 0
// CHECK: call void @__cilk2gpu_sync()
void macros(void) {
  SPAWN(f(1));
  SYNC;
}

// CHECK: attributes [[ATTR]] = { {{.*}}convergent noduplicate nomerge nounwind
#ifdef __cplusplus
}
#endif
