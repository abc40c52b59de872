// Tests that programs without races have no report: loops, reducers, exceptions, and objects that own memory. The check
// writes the serial run's output once, and keeps the exit status.
// RUN: %cilk2gpuxx -std=c++17 -O1 %s -o %t
// RUN: sh -c 'CILK2GPU_CHECK=races %t < /dev/null > %t.out 2> %t.err; echo status $? >> %t.err'
// RUN: FileCheck %s --check-prefix=OUT --match-full-lines < %t.out
// RUN: FileCheck %s --check-prefix=ERR --match-full-lines < %t.err
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <cilk/opadd_reducer.h>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <vector>

static void *blocks[300];
static std::vector<std::string> texts(300);
static std::map<int, std::string> numbers;
static std::string last;
static std::mutex lock;
double sum;
static int caught;

static int mayThrow(int n) {
  if (n % 7 == 3)
    throw n;
  return n;
}

static int guarded(int n) {
  int result = -1;
  try {
    int value = cilk_spawn mayThrow(n);
    cilk_sync;
    result = value;
  } catch (int thrown) {
    result = -thrown;
  }
  return result;
}

int main() {
  cilk_for (int i = 0; i < 300; ++i) {
    blocks[i] = malloc(100);
    texts[i] = std::string(i, 'x');
    std::lock_guard<std::mutex> guard(lock);
    numbers[i] = std::to_string(i * 1000003);
  }
  cilk::opadd_reducer<double> total = 0;
  cilk_for (int i = 0; i < 3000; ++i)
    total += 1.0 / (i + 1);
  sum = total;
  int results[30];
  cilk_for (int i = 0; i < 30; ++i)
    results[i] = guarded(i);
  for (int result : results)
    caught += result < 0;
  last = numbers[299];
  printf("%.6f %d %s\n", sum, caught, last.c_str());
  fprintf(stderr, "a warning\n");
  return 5;
}

// OUT: 8.583750 4 299000897
// OUT-NOT: {{.}}
// ERR: a warning
// ERR-NEXT: cilk2gpu: 16 schedules had the result of the serial order
// ERR-NEXT: status 5
