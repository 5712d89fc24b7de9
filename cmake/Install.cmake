# What `cmake --install` puts where: the programs, libcuzk with header and pkg-config file, manual pages, completion, units,
# documents, monitoring. Components: cuzk (all of that), system (what belongs below /etc), libraries (the shared libraries
# of others, for a folder that runs anywhere).
include(GNUInstallDirs)

# Manual pages, completion and the list of components are made by the programs, so that there is no second list of options.
# Nothing in them may depend on who builds: the environment is empty, the day is that of the last commit.
set(epoch $ENV{SOURCE_DATE_EPOCH})
if(NOT epoch)
  execute_process(COMMAND git -C ${CMAKE_SOURCE_DIR} log -1 --format=%ct OUTPUT_VARIABLE epoch ERROR_QUIET
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
if(NOT epoch)
  set(epoch 0)
endif()
set(CUZK_SOURCE_DATE_EPOCH ${epoch})
set(share ${CMAKE_BINARY_DIR}/share)
set(programs cuzk cuzk-bench)
set(written)
foreach(program IN LISTS programs)
  set(run ${CMAKE_COMMAND} -E env --unset=FIL_PROOFS_PARAMETER_CACHE --unset=CUZK_CIRCUITS SOURCE_DATE_EPOCH=${epoch}
    $<TARGET_FILE:${program}> manual)
  add_custom_command(OUTPUT ${share}/${program}.stamp
    COMMAND ${run} man --out ${share}/man/man1
    COMMAND ${run} bash --out ${share}/bash-completion/completions
    COMMAND ${run} zsh --out ${share}/zsh/vendor-completions
    COMMAND ${run} fish --out ${share}/fish/vendor_completions.d
    COMMAND ${CMAKE_COMMAND} -E touch ${share}/${program}.stamp
    DEPENDS ${program} COMMENT "Writing the manual of ${program}")
  list(APPEND written ${share}/${program}.stamp)
endforeach()

# The list of components (SBOM) needs dpkg, which knows what the linked libraries are.
find_program(CUZK_DPKG_QUERY dpkg-query)
if(CUZK_DPKG_QUERY AND CUZK_SERVER AND CMAKE_GENERATOR STREQUAL "Ninja")
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  add_custom_command(OUTPUT ${share}/doc/cuzk/sbom.cdx.json
    COMMAND ${CMAKE_COMMAND} -E env SOURCE_DATE_EPOCH=${epoch} ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tools/sbom
      --build ${CMAKE_BINARY_DIR} --version ${PROJECT_VERSION} --out ${share}/doc/cuzk
      $<TARGET_FILE:cuzk> $<TARGET_FILE:cuzk-bench> $<TARGET_FILE:libcuzk> $<$<TARGET_EXISTS:cuzk_core>:$<TARGET_FILE:cuzk_core>>
    DEPENDS cuzk cuzk-bench libcuzk ${CMAKE_SOURCE_DIR}/tools/sbom COMMENT "Listing what the programs are linked with")
  list(APPEND written ${share}/doc/cuzk/sbom.cdx.json)
  install(DIRECTORY ${share}/doc/cuzk/ DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT cuzk)
endif()
add_custom_target(manual ALL DEPENDS ${written})
add_dependencies(programs manual)

# Addresses are chosen by the loader, and what it has bound cannot be written any more. A tarball's libraries lie in a
# folder of its own; RPATH, unlike RUNPATH, is also asked for the libraries of libraries.
foreach(target cuzk cuzk-bench libcuzk cuzk_core)
  if(TARGET ${target})
    target_link_options(${target} PRIVATE LINKER:-z,relro LINKER:-z,now LINKER:--disable-new-dtags)
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "\$ORIGIN/../${CMAKE_INSTALL_LIBDIR}/cuzk")
  endif()
endforeach()
if(TARGET libcuzk)
  set_target_properties(libcuzk PROPERTIES INSTALL_RPATH "\$ORIGIN/cuzk")
endif()
set(core)
if(TARGET cuzk_core)
  set(core $<TARGET_FILE:cuzk_core>)
  set_target_properties(cuzk_core PROPERTIES INSTALL_RPATH "\$ORIGIN")
  install(TARGETS cuzk_core LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/cuzk COMPONENT cuzk NAMELINK_SKIP)
endif()

install(TARGETS cuzk cuzk-bench RUNTIME COMPONENT cuzk)
if(TARGET cuzk-daemon)
  install(PROGRAMS ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/cuzk-daemon TYPE BIN COMPONENT cuzk)
endif()
if(TARGET libcuzk)
  install(TARGETS libcuzk LIBRARY COMPONENT cuzk NAMELINK_COMPONENT cuzk)
  install(FILES include/cuzk.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT cuzk)
  set(pkgconfig ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  file(RELATIVE_PATH CUZK_PREFIX_OF_PKGCONFIG /${pkgconfig} /)
  configure_file(packaging/cuzk.pc.in ${CMAKE_BINARY_DIR}/cuzk.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/cuzk.pc DESTINATION ${pkgconfig} COMPONENT cuzk)
endif()
install(DIRECTORY ${share}/man ${share}/bash-completion ${share}/zsh ${share}/fish
  DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT cuzk)
install(CODE "file(CREATE_LINK cuzk \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/bash-completion/completions/cuzk-daemon\" SYMBOLIC)"
  COMPONENT cuzk)

# The unit names /usr/bin: it is of use where the package is installed there.
install(FILES packaging/systemd/cuzk.service DESTINATION lib/systemd/system COMPONENT cuzk)
install(FILES packaging/systemd/cuzk.sysusers DESTINATION lib/sysusers.d RENAME cuzk.conf COMPONENT cuzk)
install(FILES packaging/systemd/cuzk.tmpfiles DESTINATION lib/tmpfiles.d RENAME cuzk.conf COMPONENT cuzk)
install(FILES packaging/cuzk.toml DESTINATION /etc/cuzk COMPONENT system EXCLUDE_FROM_ALL)

set(doc ${CMAKE_INSTALL_DOCDIR})
install(FILES README.md LICENSE LICENSE-MIT LICENSE-APACHE packaging/debian/copyright DESTINATION ${doc} COMPONENT cuzk)
install(DIRECTORY docs DESTINATION ${doc} COMPONENT cuzk PATTERN status.md EXCLUDE)
install(DIRECTORY packaging/prometheus packaging/grafana DESTINATION ${CMAKE_INSTALL_DATADIR}/cuzk COMPONENT cuzk)
install(FILES packaging/cuzk.toml DESTINATION ${doc}/examples COMPONENT cuzk)
install(DIRECTORY examples/c examples/python examples/go DESTINATION ${doc}/examples COMPONENT cuzk
  PATTERN CMakeLists.txt EXCLUDE)
install(DIRECTORY proto/ DESTINATION ${CMAKE_INSTALL_DATADIR}/cuzk/proto COMPONENT cuzk FILES_MATCHING PATTERN *.proto)
install(PROGRAMS tools/first-proof DESTINATION ${doc}/examples COMPONENT cuzk)

# The shared libraries of others, found as the loader finds them. The C library stays the system's.
install(CODE "
  file(GET_RUNTIME_DEPENDENCIES EXECUTABLES $<TARGET_FILE:cuzk> $<TARGET_FILE:cuzk-bench> LIBRARIES ${core}
    RESOLVED_DEPENDENCIES_VAR found
    POST_EXCLUDE_REGEXES \".*/(libcuzk-core|libc|libm|libdl|librt|libpthread|libresolv|ld-linux-x86-64)\\\\.so.*\")
  file(INSTALL \${found} DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/cuzk\" FOLLOW_SYMLINK_CHAIN)"
  COMPONENT libraries EXCLUDE_FROM_ALL)
