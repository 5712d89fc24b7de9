# Packages by CPack: a .deb that takes libraries from Debian, and a tarball that brings them and runs from any folder.
set(CPACK_PACKAGE_NAME cuzk)
set(CPACK_PACKAGE_VENDOR cuzk)
set(CPACK_PACKAGE_CONTACT "cuzk maintainers <maintainers@cuzk.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "proving server for Groth16 over BLS12-381, for Filecoin")
set(CPACK_PACKAGE_DESCRIPTION
"One process keeps the proving keys where the arithmetic is, takes proof
requests over gRPC and keeps GPUs, or the processor, busy. With it come a
command line, benchmarks, and a library with one C header.")
set(CPACK_GENERATOR DEB TXZ)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 1)  # xz cuts its output by threads: one gives the same bytes everywhere
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_SOURCE_DIR}/packaging/cpack_generators.cmake)
set(CPACK_OUTPUT_FILE_PREFIX ${CMAKE_BINARY_DIR}/packages)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION misc)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR}/lib)  # libcuzk-core is of the package itself
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS systemd)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(debian ${CMAKE_SOURCE_DIR}/packaging/debian)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${debian}/conffiles ${debian}/triggers ${debian}/postinst ${debian}/prerm ${debian}/postrm)
include(CPack)

# make package: both files from what is built. The day in them is that of the last commit.
add_custom_target(packages
  COMMAND ${CMAKE_COMMAND} -E env SOURCE_DATE_EPOCH=${CUZK_SOURCE_DATE_EPOCH} ${CMAKE_CPACK_COMMAND} --config CPackConfig.cmake
  DEPENDS programs USES_TERMINAL WORKING_DIRECTORY ${CMAKE_BINARY_DIR})
