#include "output/hdf5/hdf5_file.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace wavesim::hdf5 {

namespace {

/// A cache that is never full: otherwise HDF5 writes whatever metadata it likes between two flushes, in any
/// order.
void disable_eviction(hid_t access) {
  H5AC_cache_config_t config;
  config.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  check(H5Pget_mdc_config(access, &config), "metadata cache");
  config.evictions_enabled = false;
  config.incr_mode = H5C_incr__off;
  config.flash_incr_mode = H5C_flash_incr__off;
  config.decr_mode = H5C_decr__off;
  check(H5Pset_mdc_config(access, &config), "metadata cache");
}

Handle create(const std::string& path, std::size_t chunks) {
  silence();
  const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "file properties");
  const std::size_t half = std::clamp<std::size_t>(chunks / 2 + 1, 32, File::most_chunks / 2);
  check(H5Pset_istore_k(creation, unsigned(half)), "chunk index");
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "file properties");
  check(H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18), "file format");
  check(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG), "file properties");
#if H5_VERSION_GE(1, 10, 7)
  check(H5Pset_file_locking(access, false, true), "file lock");
#endif
  disable_eviction(access);
  check(H5Pset_fapl_sec2(access), "file driver");  // plain files, whatever the environment asks for
  return Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access), H5Fclose, "create");
}

}  // namespace

File::File(const std::string& path, std::size_t chunks, bool durable)
    : file_(create(path, chunks)), durable_(durable) {}

int File::descriptor() const {
  void* descriptor = nullptr;
  return H5Fget_vfd_handle(file_, H5P_DEFAULT, &descriptor) < 0 ? -1 : *static_cast<int*>(descriptor);
}

void File::flush() {
  check(H5Fflush(file_, H5F_SCOPE_LOCAL), "flush");
  struct stat now {};
  if (const int here = descriptor(); here >= 0 && fstat(here, &now) == 0 && now.st_nlink == 0)
    throw Failure(std::strerror(ENOENT));  // it has no name any more
  if (durable_) sync();
}

void File::sync() {
  const int here = descriptor();
  if (here >= 0 && fdatasync(here) != 0 && errno != EINVAL && errno != EINTR)
    throw Failure(std::strerror(errno));
}

void File::abandon() {
  if (!file_.open()) return;
  silence();  // ids below the file are closed after it
  // HDF5 cannot close a file without writing, so its descriptor is pointed elsewhere first.
  const int elsewhere = memfd_create("abandoned", MFD_CLOEXEC), here = descriptor();
  if (elsewhere < 0) return;
  if (here >= 0) dup2(elsewhere, here);
  ::close(elsewhere);
  file_.reset();
}

void File::close() {
  if (!file_.open()) return;
  check(H5Fflush(file_, H5F_SCOPE_LOCAL), "flush");
  sync();
  file_.reset();
}

}  // namespace wavesim::hdf5
