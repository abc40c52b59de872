/* <cilk/cilk.h>, which Cilk programs include. cilk_spawn, cilk_sync, cilk_for, cilk_scope and cilk_reducer are
   keywords of cilk2gpu, so there is nothing to define. In particular there are no macros, not even for other
   compilers. A separate preprocessing step (-E, -save-temps) runs without the keywords, and must leave them in the
   text. */
#ifndef CILK2GPU_CILK_CILK_H
#define CILK2GPU_CILK_CILK_H
#endif
