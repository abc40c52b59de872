# Packages for users: `cpack --config build/CPackConfig.cmake -G DEB` (Debian) or `-G TZST` (an archive of the installed
# tree). scripts/package makes and checks them. Included last.
set(CPACK_PACKAGE_NAME cilk2gpu)
set(CPACK_PACKAGE_VENDOR "cilk2gpu")
set(CPACK_PACKAGE_CONTACT "cilk2gpu developers <developers@cilk2gpu.example>" CACHE STRING "Maintainer of the packages: name and address")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "compiler for Cilk programs as channel-flow graphs")
set(CPACK_PACKAGE_DESCRIPTION "cilk2gpu compiles fork-join programs in Cilk (C and C++) into graphs of
kernels and channels. The graphs run on the vector lanes of CPUs, on a
modelled GPU and on GPUs, in bounded memory, with the result of the
serial program.")
set(CPACK_STRIP_FILES ON)
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_GENERATOR "DEB;TZST")
set(CPACK_THREADS 0)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
# Clang compiles and links programs, and brings the C library's headers by what it recommends.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-22, libc6-dev, python3:any")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "lld-22, libunicorn2, python3-matplotlib, graphviz")
# Debian's tool finds the packages of the shared libraries (LLVM, MLIR, zstd).
find_program(CILK2GPU_SHLIBDEPS dpkg-shlibdeps)
if(CILK2GPU_SHLIBDEPS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

# What Debian's policy wants in each package.
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/CHANGELOG.md" DESTINATION share/doc/cilk2gpu)
configure_file("${CMAKE_CURRENT_LIST_DIR}/debian/changelog.in" "${CMAKE_CURRENT_BINARY_DIR}/cmake/changelog" @ONLY)
file(ARCHIVE_CREATE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/cmake/changelog.gz" PATHS "${CMAKE_CURRENT_BINARY_DIR}/cmake/changelog"
     FORMAT raw COMPRESSION GZip COMPRESSION_LEVEL 9)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/cmake/changelog.gz" DESTINATION share/doc/cilk2gpu)
install(FILES "${CMAKE_CURRENT_LIST_DIR}/debian/copyright" DESTINATION share/doc/cilk2gpu)
install(FILES "${CMAKE_CURRENT_LIST_DIR}/debian/lintian-overrides" DESTINATION share/lintian/overrides RENAME cilk2gpu)

include(CPack)
