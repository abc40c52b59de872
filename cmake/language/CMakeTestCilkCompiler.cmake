# Checks once that the compiler of Cilk works.
if(CMAKE_Cilk_COMPILER_WORKS)
  return()
endif()
message(STATUS "Check for working Cilk compiler: ${CMAKE_Cilk_COMPILER}")
set(_cilk_test "${CMAKE_BINARY_DIR}${CMAKE_FILES_DIRECTORY}/CMakeTmp/testCilkCompiler")
file(WRITE "${_cilk_test}.cilk" "cilk int f(int n) { int x; x = spawn f(n - 1); sync; return x; }\n")
execute_process(COMMAND "${CMAKE_Cilk_COMPILER}" -c "${_cilk_test}.cilk" -o "${_cilk_test}.o"
                RESULT_VARIABLE _cilk_result ERROR_VARIABLE _cilk_error)
if(NOT _cilk_result EQUAL 0)
  message(FATAL_ERROR "The compiler of Cilk \"${CMAKE_Cilk_COMPILER}\" does not compile a simple program:\n${_cilk_error}\n"
                      "Set CMAKE_Cilk_COMPILER to the path of cilk2gpu.")
endif()
set(CMAKE_Cilk_COMPILER_WORKS 1 CACHE INTERNAL "")
