// Tests that deferred statements run after the implicit sync of their function or iteration.
// RUN: %cilk2gpu -std=c23 -fdefer-ts -O2 -fserial-elision %s -o %t.serial && %t.serial > %t.expected
// RUN: %cilk2gpu -std=c23 -fdefer-ts -O2 %s -o %t && %t | diff - %t.expected
// RUN: env CILK2GPU_WIDTH=1 CILK2GPU_WORKERS=1 %t | diff - %t.expected
// RUN: env CILK2GPU_DEVICE=model CILK2GPU_SCHEDULE=adversarial %t | diff - %t.expected
// RUN: %cilk2gpu -std=c23 -fdefer-ts -O0 %s -o %t && %t | diff - %t.expected
#include <stdio.h>

static void change(int *p) {
  for (volatile int i = 0; i < 1000; ++i)
    ;
  *p += 7;
}

static int atEnd;
void ends(void) {
  int x = 1;
  _Defer atEnd = x;
  cilk_spawn change(&x);
}

static int noted;
int returns(int n) {
  int x = n;
  _Defer noted = noted * 10 + x;
  {
    int y = 5;
    _Defer noted += y;
    cilk_spawn change(&y);
    cilk_sync;
  }
  if (n == 3)
    return x;
  cilk_spawn change(&x);
  if (n == 4)
    return 4;
  return 0;
}

int loops(int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    _Defer sum += i;
    if (i == 2)
      continue;
    if (i == 5)
      break;
    int z = cilk_spawn returns(i);
    cilk_sync;
    sum += z;
  }
  return sum;
}

static int twice(int n) { return 2 * n; }
static int seen[2];
void results(void) { // a deferred use comes after the sync
  int x = cilk_spawn twice(4);
  _Defer seen[0] = x;
  cilk_scope {
    int y = cilk_spawn twice(5);
    _Defer seen[1] = y;
  }
}

static int kept[20];
void iterations(int n) {
  cilk_for (int i = 0; i < n; ++i) {
    int q = i;
    _Defer kept[i] += q;
    cilk_spawn change(&q);
    if (i == 3)
      continue;
    cilk_spawn change(&kept[i]);
  }
}

int main(void) {
  ends();
  printf("%d\n", atEnd);
  for (int i = 2; i < 6; ++i) {
    int result = returns(i);
    printf("%d %d\n", noted, result);
  }
  printf("%d %d\n", loops(8), noted);
  results();
  printf("%d %d\n", seen[0], seen[1]);
  iterations(20);
  cilk_for (int i = 0; i < 20; ++i) {
    int q = 1;
    _Defer kept[i] += q;
    cilk_spawn change(&q);
  }
  for (int i = 0; i < 20; ++i)
    printf("%d ", kept[i]);
  int last = 0;
  _Defer printf("%d\n", last);
  cilk_spawn change(&last);
}
