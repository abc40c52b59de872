// All of the device runtime as one unit: what is linked into every image.
#include "Channels.cpp"
#include "Folds.cpp"
#include "Kernels.cpp"
#include "Library.cpp"
#include "System.cpp"
