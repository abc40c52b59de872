// The wavefront of Wavefront.h as two loops.
#include "Wavefront.h"

int main(int argc, char **argv) {
  return measure(argc, argv, [](const Wavefront &wavefront) {
    return [wavefront] {
      for (unsigned y = 0; y < wavefront.side; ++y)
        for (unsigned x = 0; x < wavefront.side; ++x)
          runNode(wavefront, x, y);
    };
  });
}
