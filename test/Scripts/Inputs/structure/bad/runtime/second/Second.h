#include "first/First.h"
