# How hard the compiler tries: a run waits for some loops only, and a user waits for the compiler. At -O3 the program takes
# three times as long to compile as at -O1, and g++ spends most of that on loops that no run notices.

# -O1: what reads, checks and prints. A user's own flags are left alone.
if(CMAKE_CXX_FLAGS_RELEASE STREQUAL "-O3 -DNDEBUG")
  set(CMAKE_CXX_FLAGS_RELEASE "-O1 -DNDEBUG")
endif()
# The loops of each iteration and each step: g++ 12 vectorises them as at -O3, in four fifths of the time.
set(loops -O2 -fvect-cost-model=dynamic)
set(WAVESIM_LEVEL_kernels ${loops})
# Set-up, files and pictures: work that is done once, or once a frame.
set(WAVESIM_LEVEL_solvers -O2)
set(WAVESIM_LEVEL_output -O2)

# Headers that are compiled once for a target, half of the time that a small file takes. Not with ccache, which could not
# tell whether a file changed, and not for clang-tidy, which is no g++.
option(WAVESIM_PRECOMPILED_HEADERS "Compile the standard library's headers once for each target (default: without ccache)" ON)

# wavesim_precompile(TARGET [HEADER ...]): the headers beside those of the standard library.
function(wavesim_precompile target)
  if(WAVESIM_PRECOMPILED_HEADERS AND NOT CCACHE)
    target_precompile_headers(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${CMAKE_SOURCE_DIR}/cmake/standard_headers.hpp> ${ARGN})
  endif()
endfunction()

# g++ 12 takes copies inside std::string for accesses out of bounds where the standard headers are precompiled.
if(WAVESIM_PRECOMPILED_HEADERS AND NOT CCACHE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(wavesim_flags INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-Wno-array-bounds;-Wno-stringop-overflow;-Wno-restrict>")
endif()

# wavesim_optimise(LEVEL PATTERN ...): the sources that match are compiled with LEVEL in a release build. Headers that were
# compiled with another level do not fit.
function(wavesim_optimise level)
  if(WAVESIM_UNITY AND NOT CMAKE_BUILD_TYPE STREQUAL "Release")
    return()  # it has no say there, and sources with options of their own are compiled one by one
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} ${ARGN})
  set_source_files_properties(${sources} DIRECTORY ${CMAKE_SOURCE_DIR} PROPERTIES
    COMPILE_OPTIONS "$<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:${level}>" SKIP_PRECOMPILE_HEADERS ON)
endfunction()

wavesim_optimise(-O2 ${CMAKE_SOURCE_DIR}/sim/model/*.cpp ${CMAKE_SOURCE_DIR}/sim/medium/*.cpp ${CMAKE_SOURCE_DIR}/sim/input/*.cpp)
wavesim_optimise("${loops}" ${CMAKE_SOURCE_DIR}/sim/time/stepper_of_*.cpp ${CMAKE_SOURCE_DIR}/sim/study/bench.cpp
  ${CMAKE_SOURCE_DIR}/solvers/stationary/blocked_sweeps.cpp ${CMAKE_SOURCE_DIR}/solvers/formats/stencil.cpp ${CMAKE_SOURCE_DIR}/solvers/formats/dia.cpp
  ${CMAKE_SOURCE_DIR}/solvers/formats/ellpack_r.cpp ${CMAKE_SOURCE_DIR}/solvers/catalogue/make_krylov.cpp
  ${CMAKE_SOURCE_DIR}/solvers/catalogue/make_short_recurrences.cpp ${CMAKE_SOURCE_DIR}/solvers/catalogue/make_least_squares.cpp ${CMAKE_SOURCE_DIR}/solvers/catalogue/make_subspaces.cpp
  ${CMAKE_SOURCE_DIR}/solvers/catalogue/make_onchip.cpp ${CMAKE_SOURCE_DIR}/solvers/catalogue/make_stationary.cpp
  ${CMAKE_SOURCE_DIR}/solvers/catalogue/make_multigrid.cpp ${CMAKE_SOURCE_DIR}/solvers/catalogue/make_direct.cpp)

# What the targets of tests/fuzz run is optimised, and the methods are not: no target runs them, and clang takes minutes.
if(WAVESIM_FUZZ)
  file(GLOB_RECURSE fuzzed CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/solvers/matrices/*.cpp
    ${CMAKE_SOURCE_DIR}/sim/config/*.cpp ${CMAKE_SOURCE_DIR}/sim/input/*.cpp ${CMAKE_SOURCE_DIR}/sim/prices/*.cpp
    ${CMAKE_SOURCE_DIR}/output/*.cpp)
  set_source_files_properties(${fuzzed} DIRECTORY ${CMAKE_SOURCE_DIR} PROPERTIES COMPILE_OPTIONS -O1 SKIP_PRECOMPILE_HEADERS ON)
endif()
