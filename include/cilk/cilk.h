/* <cilk/cilk.h>, which Cilk programs include for the spellings cilk_spawn, cilk_sync, cilk_for and cilk_scope.
   cilk2gpu knows them as keywords, so with it this header defines nothing. A compiler with only the _Cilk_ spellings
   gets macros for them; any other compiler compiles the serial elision: the program with the keywords removed. */
#ifndef CILK2GPU_CILK_CILK_H
#define CILK2GPU_CILK_CILK_H

#if defined(__cilk2gpu__)
/* keywords */
#elif defined(__cilk)
#define cilk_spawn _Cilk_spawn
#define cilk_sync _Cilk_sync
#define cilk_for _Cilk_for
#define cilk_scope _Cilk_scope
#else
#define cilk_spawn
#define cilk_sync
#define cilk_for for
#define cilk_scope
#define _Cilk_spawn
#define _Cilk_sync
#define _Cilk_for for
#define _Cilk_scope
#endif

#endif
