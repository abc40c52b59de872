# The installed tree: the driver finds everything relative to itself, so the prefix can be moved as a whole. Included
# last, when all targets are known. The plugin and the run-time library have their install rules beside their targets.
#
#   bin/cilk2gpu, cilk2gpu++, cilk-scale, cilk-opt, cilk-llvm-opt, cilk-translate  libexec/cilk2gpu-emit, cilk2gpu-ld
#   LIBDIR/cilk2gpu/device-*.bc                            the device runtime
#   LIBDIR/cilk2gpu/hip                                    sources for --emit=hip
#   LIBDIR/Cilk2GPU.so, libcilk2gpu_rt.a                  LIBDIR/cmake/Cilk2GPU: find_package(Cilk2GPU)
#   include/cilk2gpu-rt/{cilk/*.h,cilk-lib.cilkh}         what compiled programs include
#   include/cilk2gpu-rt/cilk2gpu/Graph.h                  channel-flow graphs written by hand
#   include/cilk2gpu-rt/cilk2gpu/Wireframe.h              dependency graphs of thread blocks
#   include/cilk2gpu/abi/Records.{h,def}                  the run-time interface
include(CMakePackageConfigHelpers)

install(TARGETS cilk2gpu RUNTIME DESTINATION bin)
install(TARGETS cilk2gpu-emit cilk2gpu-ld RUNTIME DESTINATION libexec)
install(PROGRAMS "${PROJECT_SOURCE_DIR}/tools/cilk-scale/cilk-scale" DESTINATION bin)
install(CODE [[
  file(CREATE_LINK cilk2gpu "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/bin/cilk2gpu++" SYMBOLIC)
]])
foreach(_tool IN ITEMS cilk-opt cilk-llvm-opt cilk-translate)
  if(TARGET ${_tool})
    install(TARGETS ${_tool} RUNTIME DESTINATION bin)
  endif()
endforeach()
# What links LLVM's shared libraries finds them where they are, not beside itself.
foreach(_target IN ITEMS cilk2gpu-emit cilk2gpu-ld Cilk2GPUPlugin cilk-opt cilk-llvm-opt cilk-translate)
  if(TARGET ${_target})
    set_target_properties(${_target} PROPERTIES INSTALL_RPATH "${LLVM_LIBRARY_DIRS}")
  endif()
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/cilk" DESTINATION include/cilk2gpu-rt FILES_MATCHING PATTERN "*.h")
install(FILES "${PROJECT_SOURCE_DIR}/include/cilk-lib.cilkh" "${PROJECT_SOURCE_DIR}/include/cilk-lib.h" DESTINATION include/cilk2gpu-rt)
install(FILES "${PROJECT_SOURCE_DIR}/include/cilk2gpu/Graph.h" "${PROJECT_SOURCE_DIR}/include/cilk2gpu/Wireframe.h"
        DESTINATION include/cilk2gpu-rt/cilk2gpu)
install(FILES "${PROJECT_SOURCE_DIR}/include/cilk2gpu/abi/Records.h" "${PROJECT_SOURCE_DIR}/include/cilk2gpu/abi/Records.def"
        DESTINATION include/cilk2gpu/abi)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION share/doc/cilk2gpu)

set(_package "${CMAKE_INSTALL_LIBDIR}/cmake/Cilk2GPU")
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/Cilk2GPUConfig.cmake.in"
  "${CMAKE_CURRENT_BINARY_DIR}/cmake/Cilk2GPUConfig.cmake"
  INSTALL_DESTINATION "${_package}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/cmake/Cilk2GPUConfigVersion.cmake"
  VERSION "${PROJECT_VERSION}" COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/cmake/Cilk2GPUConfig.cmake"
              "${CMAKE_CURRENT_BINARY_DIR}/cmake/Cilk2GPUConfigVersion.cmake"
        DESTINATION "${_package}")

# All that compiling a Cilk program needs, without tests and IR tools.
add_custom_target(cilk2gpu-toolchain DEPENDS cilk2gpu cilk2gpu-emit cilk2gpu-ld Cilk2GPUPlugin cilk2gpu_rt cilk2gpu_scale cilk-scale
                                             Cilk2GPUDeviceRuntime Cilk2GPUFirmware Cilk2GPUHipSources)
if(TARGET cilk2gpu_races)
  add_dependencies(cilk2gpu-toolchain cilk2gpu_races)
endif()
