struct item {
  long a[5];
};
int outside(int v, struct item it);
static int leaf(int v, int k) {
  int r = v + k;
  return r;
}
static int work(int n) {
  struct item it = {{n, 2, 3, 4, 5}};
  int a = cilk_spawn leaf(n, 7), b = cilk_spawn outside(n, it);
  cilk_sync;
  return a + b;
}
int main(void) { return work(3); }
int outside(int v, struct item it) {
  int q = v * 2;
  return q + (int)it.a[0];
}
