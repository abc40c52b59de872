#include "cilk2gpu/First/Public.h"
