# The Debian packages that `./dev package` makes of what is installed: wavesim, the program; wavesim-dev, the library.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME wavesim)
set(CPACK_COMPONENTS_ALL program dev)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME wavesim)
set(CPACK_DEBIAN_DEV_PACKAGE_NAME wavesim-dev)
set(CPACK_PACKAGE_CONTACT "wavesim maintainers <maintainers@users.noreply.a-seed-04b86e2d.example>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS  # whatever the umask is
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)  # wavesim_VERSION_ARCHITECTURE.deb
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "ffmpeg, paraview")  # films; results on a screen
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "wavesim (= ${PROJECT_VERSION})")  # with the licences of what is in both
# below the project's own, which is the first line
set(CPACK_DEBIAN_DEV_DESCRIPTION
"The library of wavesim for programs in C++: it solves sparse systems and runs
configs. One shared library, headers that need no others, and the package for
find_package(wavesim) of CMake. What is built with it needs it to run, too.")
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION
"Computes drums, shallow water, and sound in water and rock. Shape, medium and
edges are written into one YAML file; examples are in /usr/share/wavesim/configs.
Results open in ParaView and h5py. This build computes on CPUs that know the
instructions of ${WAVESIM_ARCH}, and not on GPUs.")
include(CPack)
