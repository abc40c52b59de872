set(CILK2GPU_SANITIZE_COMPILER "" CACHE STRING "Sanitizers for the compiler's own code, e.g. address,undefined; LLVM's libraries stay as they are")

function(cilk2gpu_compile_options target)
  target_include_directories(${target} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
  target_compile_definitions(${target} PRIVATE ${LLVM_DEFINITIONS})
  target_compile_options(${target} PRIVATE -fno-exceptions -fvisibility-inlines-hidden -Wall -Wextra -Wno-unused-parameter)
  if(CILK2GPU_SANITIZE_COMPILER)
    # Checks of virtual tables and of function types need instrumented callees.
    set(_sanitize -fsanitize=${CILK2GPU_SANITIZE_COMPILER} -fno-sanitize=vptr,function)
    target_compile_options(${target} PRIVATE ${_sanitize} -fno-omit-frame-pointer -g1)
    target_link_options(${target} PUBLIC ${_sanitize})
  endif()
endfunction()

# cilk2gpu_precompile(NAME HEADERS...): headers that are parsed once for all libraries that say PRECOMPILED NAME. Parsing
# LLVM's, Clang's and MLIR's headers is most of what compiling one of our files costs.
function(cilk2gpu_precompile name)
  file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/precompiled/${name}.cpp" CONTENT "")
  add_library(${name} OBJECT "${CMAKE_BINARY_DIR}/precompiled/${name}.cpp")
  cilk2gpu_compile_options(${name})
  target_precompile_headers(${name} PRIVATE ${ARGN})
endfunction()

# cilk2gpu_unite(TARGET): with CILK2GPU_UNITY_BUILD, the compiler sees up to six source files of the target at once, so
# it instantiates the templates of LLVM's headers once for six files. Only files with the same "using namespace" lines are
# united, because Value, Type and others are names of both llvm and mlir.
option(CILK2GPU_UNITY_BUILD "Compile several source files at a time: a full build is faster, a build after a small change slower" OFF)
function(cilk2gpu_unite target)
  if(NOT CILK2GPU_UNITY_BUILD)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(_sources ${target} SOURCES)
  foreach(_source IN LISTS _sources)
    get_filename_component(_path "${_source}" ABSOLUTE)
    if(NOT _path MATCHES "\\.cpp$" OR NOT EXISTS "${_path}")
      continue()
    endif()
    file(STRINGS "${_path}" _namespaces REGEX "^using namespace ")
    string(MAKE_C_IDENTIFIER "${target} ${_namespaces}" _group)
    math(EXPR _${_group} "0${_${_group}} + 1")
    math(EXPR _batch "(${_${_group}} - 1) / 6")
    set_source_files_properties("${_source}" PROPERTIES UNITY_GROUP "${_group}${_batch}")
  endforeach()
endfunction()

# cilk2gpu_add_library(NAME SOURCES... [DEPENDS ...] [PRECOMPILED NAME]): an object library of the compiler, compiled
# against LLVM's, Clang's and MLIR's headers, by default with those of the middle precompiled. It is linked into tools and
# the plugin through $<TARGET_OBJECTS:...>: those link the shared libraries clang-cpp, MLIR and LLVM, never static archives
# beside them.
function(cilk2gpu_add_library name)
  cmake_parse_arguments(ARG "" "PRECOMPILED" "DEPENDS" ${ARGN})
  add_library(${name} OBJECT ${ARG_UNPARSED_ARGUMENTS})
  cilk2gpu_compile_options(${name})
  cilk2gpu_unite(${name})
  if(NOT ARG_PRECOMPILED)
    set(ARG_PRECOMPILED Cilk2GPUMiddleHeaders)
  endif()
  target_precompile_headers(${name} REUSE_FROM ${ARG_PRECOMPILED})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# The object libraries of the middle: dialects, passes, pipelines and their LLVM side.
set(CILK2GPU_MIDDLE Cilk2GPUSupport Cilk2GPUDialectAnalysis Cilk2GPUCilk Cilk2GPUCilkTransforms Cilk2GPUChannel Cilk2GPUChannelTransforms
    Cilk2GPULane Cilk2GPULaneTransforms
    Cilk2GPUImport Cilk2GPUInstrument Cilk2GPUConversion Cilk2GPUVectorise Cilk2GPUHostTarget Cilk2GPUPipeline
    Cilk2GPUDeviceModule)

# What of MLIR the middle uses, as static libraries.
set(CILK2GPU_MLIR MLIRArithDialect MLIRDLTIDialect MLIRLLVMDialect MLIRLLVMIRTransforms MLIRParser MLIRSCFDialect MLIRBuiltinToLLVMIRTranslation
    MLIRLLVMIRToLLVMTranslation MLIRLLVMToLLVMIRTranslation MLIRTargetLLVMIRExport MLIRTargetLLVMIRImport MLIRTransforms
    MLIRTransformUtils)

# lld, for linking code objects in process; its archives do not say what they need.
set(CILK2GPU_LLD "${LLVM_LIBRARY_DIRS}/liblldELF.a" "${LLVM_LIBRARY_DIRS}/liblldCommon.a" z zstd)

# cilk2gpu_reuse_precompiled(EXECUTABLE NAME): gives an executable the headers that are precompiled as NAME. They fit only code
# for the same kind of addresses: the libraries' -fPIC, not an executable's -fPIE.
function(cilk2gpu_reuse_precompiled target name)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${target} PRIVATE -fPIC)
  target_precompile_headers(${target} REUSE_FROM ${name})
endfunction()

# cilk2gpu_add_tool(NAME SOURCES...): an executable of the middle's tools. A new dialect or pass changes no tool.
function(cilk2gpu_add_tool name)
  add_executable(${name} ${ARGN})
  cilk2gpu_compile_options(${name})
  cilk2gpu_reuse_precompiled(${name} Cilk2GPUMiddleHeaders)
  target_link_libraries(${name} PRIVATE ${CILK2GPU_MIDDLE} MLIR LLVM)
endfunction()
