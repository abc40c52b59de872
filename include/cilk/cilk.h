/* <cilk/cilk.h>, which Cilk programs include. cilk_spawn, cilk_sync, cilk_for, cilk_scope and cilk_reducer are
   keywords of cilk2gpu, so there is nothing to define. In particular there are no macros, not even for other
   compilers. A separate preprocessing step (-E, -save-temps) runs without the keywords, and must leave them in the
   text. */
#ifndef CILK2GPU_CILK_CILK_H
#define CILK2GPU_CILK_CILK_H

#if defined(__GNUC__) && !defined(__clang__) && !defined(cilk_spawn)
#error                                                                                                                 \
    "this compiler does not know Cilk: compile this file with cilk2gpu or cilk2gpu++ and link the object as usual, \
or compile the serial program with -include cilk/cilk_stub.h"
#endif

#ifdef __cilk2gpu_pedigrees__ /* OpenCilk's header declares the random numbers, too */
#include <cilk/cilk_api.h>
#endif

#endif
