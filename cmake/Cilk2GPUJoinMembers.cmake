# Joins the members of an archive that a symbol needs, directly or indirectly, into one member. Every program with that
# symbol links all of them anyway, and linking one member takes far less time. Other members stay as they are.
#   cmake -D ARCHIVE=FILE -D SYMBOL=NAME -D LINKER=ld -D AR=ar -D RANLIB=ranlib -P Cilk2GPUJoinMembers.cmake
# If the linker cannot do that, the archive stays as it is.
cmake_minimum_required(VERSION 3.25)

execute_process(COMMAND "${AR}" t "${ARCHIVE}" OUTPUT_VARIABLE _names COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" _names "${_names}")
set(_different ${_names})
list(REMOVE_DUPLICATES _different)
list(LENGTH _names _count)
list(LENGTH _different _different_count)
if(NOT _count EQUAL _different_count)
  message(FATAL_ERROR "two members of ${ARCHIVE} have the same name; rename a source file")
endif()

set(_joined "${ARCHIVE}.joined.o")
execute_process(COMMAND "${LINKER}" -r -u "${SYMBOL}" -o "${_joined}" --trace --trace "${ARCHIVE}"
                OUTPUT_VARIABLE _trace ERROR_VARIABLE _error RESULT_VARIABLE _result)
set(_members)
foreach(_name IN LISTS _names)
  # GNU ld writes (ARCHIVE)NAME or ARCHIVE(NAME); LLVM's linker writes ARCHIVE(NAME at OFFSET).
  foreach(_form ")${_name}\n" "(${_name})" "(${_name} at ")
    string(FIND "${_trace}\n" "${_form}" _place)
    if(NOT _place EQUAL -1)
      list(APPEND _members "${_name}")
      break()
    endif()
  endforeach()
endforeach()
if(NOT _result EQUAL 0 OR NOT _members)
  message(STATUS "the members of ${ARCHIVE} stay apart: ${LINKER} -r: ${_error}")
  file(REMOVE "${_joined}")
  return()
endif()

execute_process(COMMAND "${AR}" d "${ARCHIVE}" ${_members} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${AR}" q "${ARCHIVE}" "${_joined}" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${RANLIB}" "${ARCHIVE}" COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE "${_joined}")
