/* <cilk/abi.h>, which in Cilk Plus has the structures of its runtime (__cilkrts_worker, __cilkrts_stack_frame). This
   runtime has no such structures. Programs that only include the header compile. */
#ifndef CILK2GPU_CILK_ABI_H
#define CILK2GPU_CILK_ABI_H

#include <cilk/cilk_api.h>

#endif
