/* <cilk/cilk_stub.h>: removes Cilk's keywords, so that any compiler of C or C++ compiles a program as its serial
   elision. It does not remove reducers: other compilers do not compile a program that has them.
   cilk2gpu does the same for a program with -fserial-elision, which needs no header. */
#ifndef CILK2GPU_CILK_CILK_STUB_H
#define CILK2GPU_CILK_CILK_STUB_H

#define cilk_spawn
#define cilk_sync
#define cilk_scope
#define cilk_for for

#define _Cilk_spawn
#define _Cilk_sync
#define _Cilk_scope
#define _Cilk_for for

#endif
