// A program with the library of -fcilk-scale, which writes its report at exit.
#include <stdint.h>

struct Span {
  int64_t work, span, burdened;
};
extern "C" Span wsp_getworkspan();

int main() { return wsp_getworkspan().work < 0; }
