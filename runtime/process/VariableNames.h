// Names of the environment variables that programs, tools and the compiler read.
#ifndef CILK2GPU_RUNTIME_PROCESS_VARIABLENAMES_H
#define CILK2GPU_RUNTIME_PROCESS_VARIABLENAMES_H

namespace cilk2gpu::rt {

/// OpenCilk's variable for the number of workers.
inline constexpr char kOpenCilkWorkers[] = "CILK_NWORKERS";

/// Warns of each environment variable that looks like one of ours, but is not known: its name begins with CILK2GPU_, or
/// it begins with CILK and is near to a known name. The warning says which one. Called once, when a program starts.
void warnOfUnknownVariables();

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_VARIABLENAMES_H
