#include <cilk/cilk.h>

int main() {
  return cilk_spawn main() + 1;
}
