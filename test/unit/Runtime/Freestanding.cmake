# Tests that the scheduler core compiles freestanding for a control processor and calls nothing but the functions that
# compilers require. Run with cmake -DCOMPILER=clang++ -DNM=llvm-nm -DRUNTIME=runtime/ -DOUT=folder -P Freestanding.cmake
file(MAKE_DIRECTORY "${OUT}")
file(GLOB _sources "${RUNTIME}/aggregator/*.cpp")
set(_defined "")
set(_undefined "")
foreach(_source IN LISTS _sources)
  get_filename_component(_name "${_source}" NAME_WE)
  set(_object "${OUT}/${_name}.o")
  execute_process(COMMAND "${COMPILER}" -std=c++20 --target=riscv64-unknown-elf -march=rv64imac -mabi=lp64 -ffreestanding
                          -nostdlib -nostdinc++ -nostdlibinc -fno-exceptions -fno-rtti -fno-threadsafe-statics -O2 -Wall -Wextra
                          -Werror -I "${RUNTIME}" -c "${_source}" -o "${_object}"
                  COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${NM}" -u -j "${_object}" OUTPUT_VARIABLE _names COMMAND_ERROR_IS_FATAL ANY)
  string(APPEND _undefined "${_names}")
  execute_process(COMMAND "${NM}" -U -j "${_object}" OUTPUT_VARIABLE _names COMMAND_ERROR_IS_FATAL ANY)
  string(APPEND _defined "${_names}")
endforeach()
string(REPLACE "\n" ";" _undefined "${_undefined}")
string(REPLACE "\n" ";" _defined "${_defined}")
list(LENGTH _sources _count)
list(REMOVE_ITEM _undefined "" memcpy memmove memset ${_defined})
if(_undefined OR _count LESS 4)
  message(FATAL_ERROR "the scheduler core (${_count} files) calls what a control processor does not have: ${_undefined}")
endif()
