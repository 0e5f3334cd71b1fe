# What a user may choose, and the flags that every target shares.

include(CheckLanguage)
include(CMakeDependentOption)

check_language(CUDA)
if(CMAKE_CUDA_COMPILER)
  set(cuda_found ON)
else()
  set(cuda_found OFF)
endif()
option(WAVESIM_CUDA "Build the CUDA backend (default: where nvcc is found)" ${cuda_found})
option(WAVESIM_VTK ".vti and .ogv through VTK (default: where VTK is found)" ON)
option(WAVESIM_MPI "Several ranks through MPI (default: where MPI is found)" ON)
option(WAVESIM_NCCL "Rows of several GPUs through NCCL (default: where NCCL is found)" ON)
option(WAVESIM_TESTS "Build the tests" ON)
option(WAVESIM_WARNINGS_AS_ERRORS "Warnings are errors, as in CI; a user with a newer compiler should not meet them" OFF)
option(WAVESIM_CCACHE "Compile through ccache (default: where it is found)" ON)
option(WAVESIM_SANITIZE "Address and undefined-behaviour sanitizers" OFF)
set(WAVESIM_OBJECTS "" CACHE PATH "The folder of another build, without CUDA and sanitizers, with the same other options: objects of it are taken (WavesimLayer.cmake)")
option(WAVESIM_FUZZ "The targets of tests/fuzz with libFuzzer (clang only, with WAVESIM_SANITIZE)" OFF)
set(WAVESIM_ARCH "native" CACHE STRING "-march of the host code; x86-64-v3 for a program that moves between machines")

if(WAVESIM_CUDA)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 90-real)
  endif()
  enable_language(CUDA)
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25.1, Debian 12's, does not know that nvcc 12 has C++20
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
  endif()
endif()

if(WAVESIM_CCACHE)
  find_program(CCACHE ccache)
else()
  unset(CCACHE CACHE)
endif()
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${CCACHE})
endif()

add_library(wavesim_flags INTERFACE)
target_include_directories(wavesim_flags INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)
# Same bits everywhere: the compiler may not contract a*b+c on its own; fma is written where it is wanted.
# Nobody looks at the flags that operations raise: where they counted, a loop whose choices hold a division or a product
# would be no vectors.
target_compile_options(wavesim_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wno-unused-parameter -ffp-contract=off -fno-math-errno -fno-trapping-math -march=${WAVESIM_ARCH}>
  $<$<COMPILE_LANGUAGE:CUDA>:--extended-lambda --expt-relaxed-constexpr --fmad=false -Xcompiler=-Wall,-Wno-unused-parameter>)
# Loops over rows want registers as wide as the processor has; compilers take half of 512 bits where nothing is said.
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag(-mprefer-vector-width=512 WAVESIM_PREFERS_WIDE_VECTORS)
if(WAVESIM_PREFERS_WIDE_VECTORS)
  target_compile_options(wavesim_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-mprefer-vector-width=512>)
endif()
if(WAVESIM_CUDA)
  target_compile_definitions(wavesim_flags INTERFACE WAVESIM_HAVE_CUDA)
endif()
if(WAVESIM_WARNINGS_AS_ERRORS)
  target_compile_options(wavesim_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror> $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>)
endif()
if(WAVESIM_SANITIZE)
  target_compile_options(wavesim_flags INTERFACE -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  target_link_options(wavesim_flags INTERFACE -fsanitize=address,undefined)
endif()
if(WAVESIM_FUZZ)  # coverage, which libFuzzer goes by; tests/fuzz links the fuzzer itself
  target_compile_options(wavesim_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Version and commit, for --version and for every result.
find_package(Git QUIET)
set(WAVESIM_COMMIT "" CACHE STRING "What is built; default: what git says")
set(commit ${WAVESIM_COMMIT})
if(NOT commit AND Git_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} describe --always --dirty --abbrev=12
                  WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE commit
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT commit)
  set(commit unknown)
endif()
configure_file(${CMAKE_SOURCE_DIR}/cmake/build_facts.hpp.in ${CMAKE_BINARY_DIR}/generated/build_facts.hpp @ONLY)
