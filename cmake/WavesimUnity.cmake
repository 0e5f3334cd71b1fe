# -DWAVESIM_UNITY=ON compiles the sources of a folder together, eight at a time. Where the compiler does not optimise, as with
# sanitizers, a build from nothing takes much less time; a build after a change takes more. Functions and types in anonymous
# namespaces then need different names in the files of one folder.
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
