# Finds LLVM, Clang and MLIR 22 and fails early, naming the Debian packages to install.
set(CILK2GPU_LLVM_VERSION 22)
set(_packages "apt-get install clang-22 lld-22 liblld-22-dev llvm-22-dev llvm-22-tools libclang-22-dev libmlir-22-dev mlir-22-tools")

list(PREPEND CMAKE_PREFIX_PATH "/usr/lib/llvm-${CILK2GPU_LLVM_VERSION}")
foreach(_package IN ITEMS LLVM:llvm-22-dev MLIR:libmlir-22-dev Clang:libclang-22-dev)
  string(REPLACE ":" ";" _pair "${_package}")
  list(GET _pair 0 _name)
  list(GET _pair 1 _debian)
  find_package(${_name} CONFIG QUIET)
  if(NOT ${_name}_FOUND)
    message(FATAL_ERROR "cilk2gpu needs ${_name} ${CILK2GPU_LLVM_VERSION}; its CMake package was not found. "
                        "Install ${_debian} (all of them: ${_packages}).")
  endif()
endforeach()
if(NOT LLVM_VERSION_MAJOR EQUAL CILK2GPU_LLVM_VERSION)
  message(FATAL_ERROR "cilk2gpu needs LLVM ${CILK2GPU_LLVM_VERSION}, but ${LLVM_DIR} is LLVM ${LLVM_PACKAGE_VERSION}. "
                      "Install the packages (${_packages}) or point LLVM_DIR at LLVM ${CILK2GPU_LLVM_VERSION}.")
endif()

foreach(_tool IN ITEMS clang mlir-tblgen FileCheck lit)
  string(TOUPPER "CILK2GPU_${_tool}" _var)
  string(REPLACE "-" "_" _var "${_var}")
  find_program(${_var} ${_tool} HINTS "${LLVM_TOOLS_BINARY_DIR}" NO_DEFAULT_PATH)
  if(NOT ${_var})
    message(FATAL_ERROR "cilk2gpu needs ${_tool} in ${LLVM_TOOLS_BINARY_DIR}; it was not found. Install with: ${_packages}")
  endif()
endforeach()

list(APPEND CMAKE_MODULE_PATH "${LLVM_CMAKE_DIR}" "${MLIR_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)
