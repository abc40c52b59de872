typedef struct {
  unsigned char cell[12];
} Board;

static _Bool search(Board board, int n) {
  if (n == 12)
    return board.cell[0] == 1;
  Board next = board;
  next.cell[n] = (unsigned char)(n & 1);
  _Bool a = _Cilk_spawn search(board, n + 1), b = _Cilk_spawn search(next, n + 1);
  _Cilk_sync;
  return a && !b;
}

long fib(long n) {
  if (n < 2)
    return n;
  long a = _Cilk_spawn fib(n - 1), b = _Cilk_spawn fib(n - 2);
  _Cilk_sync;
  return a + b;
}

int main(void) { return fib(12) != 144 || search((Board){{1}}, 3); }
