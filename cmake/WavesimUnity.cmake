# -DWAVESIM_UNITY=ON compiles the sources of a folder together, eight at a time: a build from nothing takes less than half of
# the time where the compiler optimises nothing, as with sanitizers, and one after a change longer. Helpers in one folder
# must have names of their own then, even in anonymous namespaces.
option(WAVESIM_UNITY "Compile the sources of a folder together" OFF)

# wavesim_unite(TARGET)
function(wavesim_unite target)
  if(NOT WAVESIM_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "^${CMAKE_SOURCE_DIR}/.*\\.cpp$")
  list(SORT sources)
  foreach(source ${sources})
    get_filename_component(folder ${source} DIRECTORY)
    string(MAKE_C_IDENTIFIER ${folder} group)
    math(EXPR ${group} "${${group}} + 1")
    math(EXPR part "(${${group}} - 1) / 8")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group}_${part})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
