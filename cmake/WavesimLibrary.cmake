# libwavesim.so: what library/ offers to other programs, with all layers in it, so that they need no other library's headers or
# archives. find_package(wavesim) gives the target wavesim::wavesim.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

add_library(libwavesim SHARED $<TARGET_OBJECTS:wavesim_library>)
add_library(wavesim::wavesim ALIAS libwavesim)
set(exported ${CMAKE_SOURCE_DIR}/library/exported_symbols.map)
target_link_libraries(libwavesim PRIVATE wavesim_output wavesim_flags)
target_link_options(libwavesim PRIVATE -Wl,--version-script=${exported})
target_include_directories(libwavesim INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(libwavesim INTERFACE cxx_std_20)
set_target_properties(libwavesim PROPERTIES OUTPUT_NAME wavesim EXPORT_NAME wavesim LINK_DEPENDS ${exported}
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/wavesim)
install(TARGETS libwavesim EXPORT wavesim LIBRARY COMPONENT dev)
install(FILES library/run.hpp library/solve.hpp kernels/backend/errors.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/wavesim COMPONENT dev)
install(EXPORT wavesim NAMESPACE wavesim:: FILE wavesimConfig.cmake DESTINATION ${package} COMPONENT dev)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/wavesimConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/wavesimConfigVersion.cmake DESTINATION ${package} COMPONENT dev)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/wavesim-dev RENAME copyright COMPONENT dev)
