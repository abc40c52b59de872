#include "second/Second.h"
