// Bodies of cilk_for that read a variable of the enclosing function. They change it through its address: by a pointer, in a
// struct, in a function that they call, in a child. They also store a part of a union.
#include <stdio.h>

static int through_pointer(int n) {
  int x = 0, *p = &x, r = 0;
  cilk_for (int i = 0; i < n; i++) {
    *p = 5;
    r = x;
  }
  return r * 10 + x;
}

static int *known;
static void change(void) { *known = 9; }

static int through_call(int n) {
  int k = 2, r = 0;
  known = &k;
  cilk_for (int i = 0; i < n; i++) {
    change();
    r = k;
  }
  return r;
}

struct holder {
  int *to;
};

static int through_struct(int n) {
  int k = 2, r = 0;
  struct holder h = {&k};
  cilk_for (int i = 0; i < n; i++) {
    *h.to = 7;
    r = k;
  }
  return r;
}

static void store(int *to, int value) { *to = value; }

static int through_child(int n) {
  int k = 2, r = 0, *p = &k;
  cilk_for (int i = 0; i < n; i++) {
    cilk_spawn store(p, 6);
    cilk_sync;
    r = k;
  }
  return r;
}

static int waits(int n) {
  int flag = 0, *fp = &flag, rounds = 0;
  cilk_for (int i = 0; i < n; i++) {
    while (!flag) {
      *fp = 1;
      rounds++;
    }
  }
  return rounds;
}

// Read alone, many iterations at a time.
static long read_alone(int n) {
  int k;
  long sum[64] = {0}, all = 0;
  sscanf("17", "%d", &k);
  cilk_for (int i = 0; i < n; i++) {
    sum[i % 64] = k * (i + 1);
  }
  for (int i = 0; i < 64; ++i)
    all += sum[i];
  return all;
}

union parts {
  int i;
  long l;
};

static long part_of_union(int n) {
  union parts u;
  u.l = 0x1111111122222222;
  long r = 0;
  cilk_for (int i = 0; i < n; i++) {
    u.i = 5;
    r = u.l;
  }
  u.i = 9;
  return r;
}

int main(void) {
  printf("%d %d %d %d\n", through_pointer(1), through_call(1), through_struct(1), through_child(1));
  printf("%d %ld %lx\n", waits(1), read_alone(64), part_of_union(1));
}
