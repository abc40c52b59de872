# Tests that the table of architectures compiles as it is, and does not with a row that lacks a trait or names an unknown
# one. Run with cmake -DCOMPILER=clang++ -DINCLUDE=include/ -DOUT=folder -P TraitIsMissing.cmake
file(READ "${INCLUDE}/cilk2gpu/target-info/Architectures.def" _table)
file(WRITE "${OUT}/main.cpp" "#include \"cilk2gpu/target-info/Architectures.h\"\n")

# compiles(NAME ROWS RESULT): whether the header compiles with the rows in front of the table's own.
function(compiles name rows result)
  string(REPLACE "CILK2GPU_AMD(\"gfx801\"" "${rows}\nCILK2GPU_AMD(\"gfx801\"" _changed "${_table}")
  file(WRITE "${OUT}/${name}/cilk2gpu/target-info/Architectures.def" "${_changed}")
  execute_process(COMMAND "${COMPILER}" -std=c++20 -fsyntax-only "-I${OUT}/${name}" "-I${INCLUDE}" "${OUT}/main.cpp"
                  RESULT_VARIABLE _status OUTPUT_QUIET ERROR_QUIET)
  set(${result} ${_status} PARENT_SCOPE)
endfunction()

compiles(whole "CILK2GPU_AMD(\"gfx1300\", \"\", 32, OneLane, None)" _whole)
compiles(missing "CILK2GPU_AMD(\"gfx1300\", \"\", 32, OneLane)" _missing)
compiles(unknown "CILK2GPU_AMD(\"gfx1300\", \"\", 32, HalfLane, None)" _unknown)
compiles(family "CILK2GPU_AMD(\"gfx1300\", \"gfx13-generic\", 32, OneLane, None)" _family)
if(_whole)
  message(FATAL_ERROR "a complete row does not compile")
endif()
foreach(_fault IN ITEMS missing unknown family)
  if(_${_fault} EQUAL 0)
    message(FATAL_ERROR "a row with this fault compiles: ${_fault}")
  endif()
endforeach()
