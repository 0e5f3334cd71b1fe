# apps/processor.cpp asks for the level that WAVESIM_ARCH names. g++ 12 is the first that knows levels there.
if(WAVESIM_ARCH MATCHES "^x86-64-v[234]$" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12)
  set_source_files_properties(${CMAKE_SOURCE_DIR}/apps/processor.cpp PROPERTIES
    COMPILE_DEFINITIONS "WAVESIM_BASELINE=\"${WAVESIM_ARCH}\"" COMPILE_OPTIONS -march=x86-64 SKIP_PRECOMPILE_HEADERS ON)
endif()
