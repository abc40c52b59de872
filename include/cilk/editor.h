/* <cilk/editor.h>: lets an editor's language server (clangd) read Cilk programs. It removes the keywords, as
   <cilk/cilk_stub.h> does, and reducers, too. `cilk2gpu --print-clangd-config` prints a configuration that includes it.
   It is not for compiling: without its reducers a program is right only in serial order. */
#ifndef CILK2GPU_CILK_EDITOR_H
#define CILK2GPU_CILK_EDITOR_H

#include "cilk_stub.h"

/* Code under #ifdef __cilk is shown as it is compiled. */
#ifndef __cilk
#define __cilk 300
#define __cilk2gpu__ 1
#define __cilk2gpu_depend__ 1
#endif

/* Whether a program has pedigrees is not known here. Their functions are declared. */
#ifndef __cilk2gpu_pedigrees__
#define __cilk2gpu_pedigrees__ 1
#endif

#define cilk_reducer(...)
#define _Hyperobject(...)

#endif
