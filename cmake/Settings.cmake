# Language level, warnings, sanitizers and output folders that every target shares.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

add_library(cuzk_settings INTERFACE)
target_compile_options(cuzk_settings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wconversion -Werror -march=${CUZK_ARCH}>)
if(CUZK_SANITIZE)
  # nvcc hands options to the host compiler one by one: a comma would end one.
  string(REPLACE "," ";-Xcompiler=-fsanitize=" for_nvcc "-Xcompiler=-fsanitize=${CUZK_SANITIZE}")
  target_compile_options(cuzk_settings INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${CUZK_SANITIZE} -fno-omit-frame-pointer -g1>
    "$<$<COMPILE_LANGUAGE:CUDA>:${for_nvcc};-Xcompiler=-fno-omit-frame-pointer>")
  target_link_options(cuzk_settings INTERFACE -fsanitize=${CUZK_SANITIZE})
endif()
if(CUZK_HARDENED)
  # The paths of the builder are left out too, so that two builds are the same bytes.
  target_compile_options(cuzk_settings INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fstack-clash-protection
      -ffile-prefix-map=${CMAKE_SOURCE_DIR}=. -ffile-prefix-map=${CMAKE_BINARY_DIR}=build>
    $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-U_FORTIFY_SOURCE,-D_FORTIFY_SOURCE=2,-fstack-protector-strong,-fstack-clash-protection>)
endif()
if(CUZK_FAILPOINTS)
  target_compile_definitions(cuzk_settings INTERFACE CUZK_FAILPOINTS)
endif()
if(CUZK_INSECURE)
  target_compile_definitions(cuzk_settings INTERFACE CUZK_INSECURE=1)
endif()
find_package(Threads REQUIRED)
