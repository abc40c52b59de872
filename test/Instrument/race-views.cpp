// Tests races of views: a read of a reducer, and a new value for it, race with updates in parallel strands. Updates do not
// race, also if they read the view: a minimum, a holder, a container. Nor do reads behind the sync.
// RUN: %cilk2gpuxx -fsanitize=cilk -O1 %s -o %t
// RUN: not %t 2>&1 | FileCheck %s
// RUN: env CILKSAN_OPTIONS=locks=ignore %t good 2>&1 | FileCheck %s --check-prefix=GOOD --allow-empty
// RUN: %t good 2>&1 | FileCheck %s --check-prefix=GOOD --allow-empty
// RUN: %cilk2gpuxx -fsanitize=cilk -O0 %s -o %t.O0
// RUN: %t.O0 good 2>&1 | FileCheck %s --check-prefix=GOOD --allow-empty
// GOOD-NOT: race
#include <cilk/cilk.h>
#include <cilk/opadd_reducer.h>
#include <cilk/reducer_opadd.h>
#include <mutex>

static void greatest(void *view) { *static_cast<int *>(view) = 1000; }
static void least(void *left, void *right) {
  int &to = *static_cast<int *>(left), from = *static_cast<int *>(right);
  to = from < to ? from : to;
}
static void nothing(void *view) { *static_cast<int *>(view) = 0; }
static void keepLeft(void *, void *) {}

static cilk::opadd_reducer<long> sum = 0;
static int cilk_reducer(greatest, least) smallest = 1000;
static int cilk_reducer(nothing, keepLeft) holder = 0;
static cilk::reducer<cilk::op_add<int>> total;
static std::mutex lock;
static long results[64];

__attribute__((noinline)) static void add(int n) { sum += n; }
__attribute__((noinline)) static long valueOfSum() { return sum; }
__attribute__((noinline)) static void addToTotal(int n) { *total += n; }

static void readBeforeSync() {
  cilk_spawn add(5);
  results[5] = sum;
  cilk_sync;
}

static void readInFunction() {
  cilk_spawn add(6);
  results[0] = valueOfSum();
  cilk_sync;
}

static void readUnderLock() {
  cilk_for (int i = 0; i < 2; ++i) {
    std::lock_guard<std::mutex> guard(lock);
    results[1] += sum;
    sum += i;
  }
}

static void setBeforeSync() {
  cilk_spawn addToTotal(3);
  total.set_value(7);
  cilk_sync;
}

static void getInSibling() {
  cilk_spawn addToTotal(4);
  cilk_spawn { results[2] = total.get_value(); }
  cilk_sync;
}

static void minimum(int n) {
  if (n > 1) {
    cilk_spawn minimum(n - 1);
    minimum(n - 2);
  }
  if (n < smallest)
    smallest = n;
  int known = smallest;
  if (n / 2 < known)
    smallest = n / 2;
  smallest = smallest > n ? n : int(smallest);
}

static void good() {
  minimum(5);
  results[3] = smallest;
  cilk_for (int i = 0; i < 64; ++i) {
    holder = i;
    results[i] += holder;
    cilk::opadd_reducer<long> own = 0;
    cilk_for (int j = 0; j < 4; ++j)
      own += j;
    results[i] += own;
    add(i);
  }
  results[4] = sum;
  sum = 0;
  cilk_spawn add(1);
  sum -= 2;
  cilk_sync;
  while (valueOfSum() > 0)
    sum -= 1;
  cilk_spawn addToTotal(3);
  *total += 4;
  cilk_sync;
  total.set_value(total.get_value() + 1);
}

int main(int argc, char **) {
  if (argc > 1) {
    good();
    return 0;
  }
  // CHECK: a read of the reducer sum in readBeforeSync at {{.*}}race-views.cpp:36
  // CHECK-NEXT: may run in parallel with an update of the reducer sum in add at {{.*}}race-views.cpp:30
  // CHECK-NEXT: in the child add, spawned in readBeforeSync at {{.*}}race-views.cpp:35
  readBeforeSync();
  // CHECK: a read of the reducer sum in valueOfSum at {{.*}}race-views.cpp:31
  // CHECK-NEXT: may run in parallel with an update of the reducer sum in add at {{.*}}race-views.cpp:30
  readInFunction();
  // CHECK: the reducer sum in readUnderLock at {{.*}}race-views.cpp:{{49|50}}
  // CHECK-NEXT: in iteration 1
  // CHECK-NEXT: may run in parallel with {{.*}} of the reducer sum in readUnderLock at {{.*}}race-views.cpp:{{49|50}}
  readUnderLock();
  // CHECK: a new value of the reducer total in setBeforeSync at {{.*}}race-views.cpp:56
  // CHECK-NEXT: may run in parallel with an update of the reducer total in addToTotal at {{.*}}race-views.cpp:32
  setBeforeSync();
  // CHECK: a read of the reducer total in getInSibling at {{.*}}race-views.cpp:62
  // CHECK: may run in parallel with an update of the reducer total in addToTotal at {{.*}}race-views.cpp:32
  getInSibling();
  // CHECK: cilk2gpu: {{[0-9]+}} data races
}
