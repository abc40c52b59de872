/* <cilk-lib.h>: the older name of <cilk-lib.cilkh>. */
#include "cilk-lib.cilkh"
