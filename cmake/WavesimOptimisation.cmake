# How hard the compiler tries, file by file: a run waits for some loops only, and a user waits for the compiler. At -O3 the
# program takes three times as long to compile as at -O1, and g++ spends most of that on loops that no run notices.

# -O1: what reads, checks and prints. A user's own flags are left alone.
if(CMAKE_CXX_FLAGS_RELEASE STREQUAL "-O3 -DNDEBUG")
  set(CMAKE_CXX_FLAGS_RELEASE "-O1 -DNDEBUG")
endif()

# wavesim_optimise(LEVEL PATTERN ...): the sources that match are compiled with LEVEL in a release build.
function(wavesim_optimise level)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} ${ARGN})
  set_source_files_properties(${sources} DIRECTORY ${CMAKE_SOURCE_DIR} PROPERTIES
    COMPILE_OPTIONS "$<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:${level}>")
endfunction()

# Set-up, files and pictures: work that is done once, or once a frame.
wavesim_optimise(-O2 ${CMAKE_SOURCE_DIR}/solvers/*.cpp ${CMAKE_SOURCE_DIR}/sim/model/*.cpp ${CMAKE_SOURCE_DIR}/sim/input/*.cpp
  ${CMAKE_SOURCE_DIR}/output/hdf5/*.cpp ${CMAKE_SOURCE_DIR}/output/pictures/*.cpp ${CMAKE_SOURCE_DIR}/output/run/*.cpp)
# The loops of each iteration and each step.
wavesim_optimise(-O3 ${CMAKE_SOURCE_DIR}/kernels/*.cpp ${CMAKE_SOURCE_DIR}/sim/time/stepper.cpp
  ${CMAKE_SOURCE_DIR}/sim/study/bench.cpp ${CMAKE_SOURCE_DIR}/solvers/stationary/blocked_sweeps.cpp
  ${CMAKE_SOURCE_DIR}/solvers/formats/stencil.cpp ${CMAKE_SOURCE_DIR}/solvers/formats/dia.cpp
  ${CMAKE_SOURCE_DIR}/solvers/formats/ellpack_r.cpp ${CMAKE_SOURCE_DIR}/solvers/catalogue/make_krylov.cpp
  ${CMAKE_SOURCE_DIR}/solvers/catalogue/make_short_recurrences.cpp ${CMAKE_SOURCE_DIR}/solvers/catalogue/make_subspaces.cpp
  ${CMAKE_SOURCE_DIR}/solvers/catalogue/make_onchip.cpp ${CMAKE_SOURCE_DIR}/solvers/catalogue/make_stationary.cpp
  ${CMAKE_SOURCE_DIR}/solvers/catalogue/make_multigrid.cpp ${CMAKE_SOURCE_DIR}/solvers/catalogue/make_direct.cpp)
