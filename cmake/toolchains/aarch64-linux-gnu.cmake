# The run-time library for AArch64 Linux, built on another machine with Clang and Debian's cross libraries
# (libc6-dev-arm64-cross, libstdc++-12-dev-arm64-cross, gcc-aarch64-linux-gnu).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
foreach(_language IN ITEMS C CXX ASM)
  set(CMAKE_${_language}_COMPILER_TARGET aarch64-linux-gnu)
endforeach()
if(NOT CMAKE_C_COMPILER)
  set(CMAKE_C_COMPILER clang-22)
endif()
if(NOT CMAKE_CXX_COMPILER)
  set(CMAKE_CXX_COMPILER clang++-22)
endif()
