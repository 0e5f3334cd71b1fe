# One kernel source serves both backends: g++ compiles it for the CPU, nvcc for CUDA. A source that is for both says so by
# including kernels/backend/backend.hpp, which names the backend of the compilation.

# wavesim_cuda_sources(VARIABLE FILE ...): the .cu files to compile for CUDA: those named, and one for each .cpp file that
# is for both backends (one line that includes it, in the build folder: CMake compiles a file as one language only).
function(wavesim_cuda_sources variable)
  set(sources "")
  foreach(file ${ARGN})
    if(file MATCHES "\\.cu$")
      list(APPEND sources ${file})
      continue()
    endif()
    file(STRINGS ${file} both REGEX "^#include \"kernels/backend/backend\\.hpp\"" LIMIT_COUNT 1)
    if(NOT both)
      continue()
    endif()
    file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR} ${file})
    string(REGEX REPLACE "\\.cpp$" ".cu" generated ${CMAKE_BINARY_DIR}/cuda_sources/${path})
    file(CONFIGURE OUTPUT ${generated} CONTENT "#include \"${path}\"\n")
    list(APPEND sources ${generated})
  endforeach()
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()
