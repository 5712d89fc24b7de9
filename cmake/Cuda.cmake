# Decides whether CUDA is built (CUZK_CUDA = ON, OFF or AUTO) and says so in CUZK_CUDA_FOUND. Building needs the CUDA
# toolkit, 12.0 or later, and no GPU.
set(CUZK_CUDA_FOUND OFF)
if(CUZK_CUDA)
  find_program(CUZK_NVCC nvcc PATHS /usr/local/cuda/bin DOC "The CUDA compiler")
  mark_as_advanced(CUZK_NVCC)
  set(version "none")
  if(CUZK_NVCC)
    execute_process(COMMAND ${CUZK_NVCC} --version OUTPUT_VARIABLE text)
    string(REGEX MATCH "release ([0-9.]+)" text "${text}")
    set(version "${CMAKE_MATCH_1}")
  endif()
  if(version VERSION_GREATER_EQUAL 12.0)
    set(CUZK_CUDA_FOUND ON)
  elseif(NOT CUZK_CUDA STREQUAL "AUTO")
    message(FATAL_ERROR "CUZK_CUDA is ${CUZK_CUDA}, which needs nvcc 12.0 or later on the PATH or in "
                        "/usr/local/cuda/bin; found: ${version}")
  endif()
endif()

if(CUZK_CUDA_FOUND)
  # Ampere, whose code Ada runs too, and Hopper; later cards compile the intermediate form when they load it.
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 80-real 90)
  endif()
  if(CUZK_CUDA_QUICK)
    set(CMAKE_CUDA_ARCHITECTURES 90-virtual)
  endif()
  set(CMAKE_CUDA_COMPILER ${CUZK_NVCC})
  if(CMAKE_CXX_COMPILER_LAUNCHER AND NOT CMAKE_CUDA_COMPILER_LAUNCHER)
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
  endif()
  enable_language(CUDA)
  # CMake 3.25 does not know that nvcc speaks C++20.
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  endif()
  set(CMAKE_CUDA_STANDARD 20)
  # Imported targets name /usr/include, which breaks <cmath> when nvcc gets it as an option.
  list(APPEND CMAKE_CUDA_IMPLICIT_INCLUDE_DIRECTORIES ${CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES})
  target_compile_options(cuzk_settings INTERFACE
    $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr -Werror=all-warnings
      -Xcompiler=-Wall,-Wextra,-Wconversion,-Werror,-march=${CUZK_ARCH}>)
  # The driver unpacks it when it loads a kernel: a program's first product of 2^16 points takes 9 ms, all loading included.
  if(CUZK_CUDA_PACKED AND version VERSION_GREATER_EQUAL 12.8)
    target_compile_options(cuzk_settings INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:--compress-mode=size>)
  endif()
  if(CUZK_CUDA_QUICK)
    target_compile_options(cuzk_settings INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-Xcicc=-O1>)
  endif()
  # fmt believes that nvcc has no constexpr, and then contradicts itself.
  target_compile_definitions(cuzk_settings INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:FMT_USE_CONSTEXPR=1>)
endif()
message(STATUS "CUDA: ${CUZK_CUDA_FOUND} (CUZK_CUDA=${CUZK_CUDA})")
