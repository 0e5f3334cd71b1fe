# wavesim_layer(NAME [DEPENDS layer...] [LIBRARIES name...])
# One static library per top-level folder, made of all its .cpp files, and where CUDA is built of its .cu files and of the
# sources that are for both backends (WavesimBackends.cmake). It links the layers that it names. That no file includes one
# of a layer above is tested (tests/layers).

# wavesim_objects(VARIABLE NAME): of the sources of a layer in the variable, those that take most of a build give way to the
# objects of the build WAVESIM_OBJECTS.
function(wavesim_objects variable name)
  set(all "")
  foreach(source ${${variable}})
    file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR} ${source})
    if(path MATCHES "^(solvers/.*|sim/time/stepper_of_.*)\\.cpp$")
      set(source ${WAVESIM_OBJECTS}/CMakeFiles/wavesim_${name}.dir/${path}.o)
      set_source_files_properties(${source} PROPERTIES EXTERNAL_OBJECT ON)
    endif()
    list(APPEND all ${source})
  endforeach()
  set(${variable} ${all} PARENT_SCOPE)
endfunction()

function(wavesim_layer name)
  cmake_parse_arguments(layer "" "" "DEPENDS;LIBRARIES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${name}/*.cpp)
  if(WAVESIM_CUDA)
    file(GLOB_RECURSE cuda_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${name}/*.cu)
    wavesim_cuda_sources(cuda_sources ${sources} ${cuda_sources})
    list(APPEND sources ${cuda_sources})
  endif()
  if(WAVESIM_OBJECTS)
    wavesim_objects(sources ${name})
  endif()
  add_library(wavesim_${name} STATIC ${sources})
  set_target_properties(wavesim_${name} PROPERTIES LINKER_LANGUAGE CXX)  # it may have objects only
  target_link_libraries(wavesim_${name} PRIVATE wavesim_flags PUBLIC OpenMP::OpenMP_CXX)
  target_compile_options(wavesim_${name} PRIVATE "$<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:${WAVESIM_LEVEL_${name}}>")
  # The same objects make the program and libwavesim.so. Nobody replaces functions of the latter, so g++ may inline them.
  set_target_properties(wavesim_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(wavesim_${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-semantic-interposition>)
  wavesim_precompile(wavesim_${name})
  if(WAVESIM_CUDA)
    target_link_libraries(wavesim_${name} PUBLIC CUDA::cudart)
  endif()
  foreach(dependency ${layer_DEPENDS})
    target_link_libraries(wavesim_${name} PUBLIC wavesim_${dependency})
  endforeach()
  foreach(library ${layer_LIBRARIES})
    target_link_libraries(wavesim_${name} PRIVATE wavesim::${library})
  endforeach()
endfunction()

if(WAVESIM_CUDA)
  find_package(CUDAToolkit REQUIRED)
endif()
