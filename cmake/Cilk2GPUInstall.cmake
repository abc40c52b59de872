# The installed tree: the driver finds everything relative to itself, so the prefix can be moved as a whole. Included
# last, when all targets are known. The plugin and the run-time library have their install rules beside their targets.
#
#   bin/cilk2gpu, cilk2gpu++, cilk-scale, and the tools for the IR  libexec/cilk2gpu-emit, cilk2gpu-ld
#   LIBDIR/cilk2gpu/device-*.bc                            the device runtime
#   LIBDIR/cilk2gpu/hip                                    sources for --emit=hip
#   LIBDIR/Cilk2GPU.so, libcilk2gpu_rt.a                  LIBDIR/cmake/Cilk2GPU: find_package(Cilk2GPU)
#   LIBDIR/cmake/Cilk2GPU/language                         project(x LANGUAGES Cilk)
#   LIBDIR/pkgconfig/cilk2gpu.pc                           pkg-config
#   share/cilk2gpu/cilk2gpu-gdb.py, cilk2gpu_lldb.py       commands for debuggers
#   share/cilk2gpu/editors                                 files for VS Code, Vim and Compiler Explorer
#   include/cilk2gpu-rt/{cilk/*.h,cilk*.h,cilk-lib.cilkh} what compiled programs include
#   include/cilk2gpu-rt/cilk2gpu/Graph.h                  channel-flow graphs written by hand
#   include/cilk2gpu-rt/cilk2gpu/Wireframe.h              dependency graphs of thread blocks
#   include/cilk2gpu/abi/Records.{h,def}                  the run-time interface
#   share/man, share/bash-completion, share/zsh, share/fish   manual pages and completion (tools/man, tools/completion)
include(CMakePackageConfigHelpers)

install(TARGETS cilk2gpu RUNTIME DESTINATION bin)
install(TARGETS cilk2gpu-emit cilk2gpu-ld RUNTIME DESTINATION libexec)
install(PROGRAMS "${PROJECT_SOURCE_DIR}/tools/cilk-scale/cilk-scale" DESTINATION bin)
install(FILES "${PROJECT_SOURCE_DIR}/tools/debugger/cilk2gpu-gdb.py" "${PROJECT_SOURCE_DIR}/tools/debugger/cilk2gpu_lldb.py"
              "${PROJECT_SOURCE_DIR}/tools/debugger/cilk2gpu_view.py" DESTINATION share/cilk2gpu)
install(CODE [[
  file(CREATE_LINK cilk2gpu "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/bin/cilk2gpu++" SYMBOLIC)
]])
set(_ir_tools cilk-opt cilk-llvm-opt cilk-lsp-server cilk-reduce cilk-translate)
install(TARGETS ${_ir_tools} RUNTIME DESTINATION bin)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/editors" DESTINATION share/cilk2gpu)
# What links LLVM's shared libraries finds them in LLVM's folder, where Debian has MLIR's.
set_target_properties(cilk2gpu-emit cilk2gpu-ld Cilk2GPUPlugin ${_ir_tools}
                      PROPERTIES INSTALL_RPATH "${LLVM_LIBRARY_DIRS}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/cilk" DESTINATION include/cilk2gpu-rt FILES_MATCHING PATTERN "*.h")
install(FILES "${PROJECT_SOURCE_DIR}/include/cilk-lib.cilkh" "${PROJECT_SOURCE_DIR}/include/cilk-lib.h"
              "${CMAKE_BINARY_DIR}/include/cilk2gpu-rt/cilksan.h" "${CMAKE_BINARY_DIR}/include/cilk2gpu-rt/cilkscale.h"
        DESTINATION include/cilk2gpu-rt)
install(FILES "${PROJECT_SOURCE_DIR}/include/cilk2gpu/Graph.h" "${PROJECT_SOURCE_DIR}/include/cilk2gpu/Wireframe.h"
        DESTINATION include/cilk2gpu-rt/cilk2gpu)
install(FILES "${PROJECT_SOURCE_DIR}/include/cilk2gpu/abi/Records.h" "${PROJECT_SOURCE_DIR}/include/cilk2gpu/abi/Records.def"
        DESTINATION include/cilk2gpu/abi)

configure_file("${CMAKE_CURRENT_LIST_DIR}/cilk2gpu.pc.in" "${CMAKE_CURRENT_BINARY_DIR}/cmake/cilk2gpu.pc" @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/cmake/cilk2gpu.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

set(_package "${CMAKE_INSTALL_LIBDIR}/cmake/Cilk2GPU")
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/Cilk2GPUConfig.cmake.in"
  "${CMAKE_CURRENT_BINARY_DIR}/cmake/Cilk2GPUConfig.cmake"
  INSTALL_DESTINATION "${_package}" NO_SET_AND_CHECK_MACRO)
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/Cilk2GPUToolchain.cmake.in"
  "${CMAKE_CURRENT_BINARY_DIR}/cmake/Cilk2GPUToolchain.cmake"
  INSTALL_DESTINATION "${_package}" NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
install(PROGRAMS "${CMAKE_CURRENT_LIST_DIR}/compile-instead" DESTINATION "${CMAKE_INSTALL_LIBDIR}/cilk2gpu")
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/cmake/Cilk2GPUConfigVersion.cmake"
  VERSION "${PROJECT_VERSION}" COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/cmake/Cilk2GPUConfig.cmake"
              "${CMAKE_CURRENT_BINARY_DIR}/cmake/Cilk2GPUConfigVersion.cmake"
              "${CMAKE_CURRENT_BINARY_DIR}/cmake/Cilk2GPUToolchain.cmake"
        DESTINATION "${_package}")
install(DIRECTORY "${CMAKE_CURRENT_LIST_DIR}/language" DESTINATION "${_package}")

# All that is installed, without tests.
add_custom_target(cilk2gpu-toolchain DEPENDS cilk2gpu cilk2gpu-emit cilk2gpu-ld Cilk2GPUPlugin cilk2gpu_rt cilk2gpu_managed cilk2gpu_scale cilk-scale
                                             ${_ir_tools} cilk2gpu-manual-pages
                                             Cilk2GPUDeviceRuntime Cilk2GPUFirmware Cilk2GPUHipSources)
if(TARGET cilk2gpu_races)
  add_dependencies(cilk2gpu-toolchain cilk2gpu_races)
endif()
