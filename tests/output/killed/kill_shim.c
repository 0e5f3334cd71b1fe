/* Preloaded, it counts the calls that change files, and ends or stops the process just before the k-th (armed by the
 * program that is tested), or lets every call that would make a file longer fail with ENOSPC from the k-th
 * on, as a full disk does. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static long limit = -1, calls = 0;
static int full_disk = 0;
static volatile long* next_stop = 0;

/* k < 0: count only. */
void kill_shim_arm(long k, int full) {
  limit = k;
  full_disk = full;
  calls = 0;
}
/* Stopped before the call that `next` names, each time that it is set. */
void kill_shim_stop_at(volatile long* next) { next_stop = next; }
long kill_shim_calls(void) { return calls; }

/* Counts a call, from any thread. 1: it is to fail. */
static int due(void) {
  const long now = __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
  if (next_stop && now >= *next_stop) {
    *next_stop = LONG_MAX;
    raise(SIGSTOP);
  }
  if (limit < 0 || now < limit) return 0;
  if (!full_disk) _exit(0);
  return 1;
}

static int refused(int fd, off_t end) {
  if (!due()) return 0;
  struct stat now;
  if (fstat(fd, &now) != 0 || !S_ISREG(now.st_mode) || end <= now.st_size) return 0;
  errno = ENOSPC;
  return 1;
}

static off_t here(int fd) { return lseek(fd, 0, SEEK_CUR); }

#define REAL(type, name, parameters) \
  static type(*real) parameters = 0; \
  if (!real) *(void**)&real = dlsym(RTLD_NEXT, #name)

ssize_t write(int fd, const void* data, size_t n) {
  REAL(ssize_t, write, (int, const void*, size_t));
  return refused(fd, here(fd) + (off_t)n) ? -1 : real(fd, data, n);
}
ssize_t pwrite(int fd, const void* data, size_t n, off_t at) {
  REAL(ssize_t, pwrite, (int, const void*, size_t, off_t));
  return refused(fd, at + (off_t)n) ? -1 : real(fd, data, n, at);
}
ssize_t pwrite64(int fd, const void* data, size_t n, off64_t at) {
  REAL(ssize_t, pwrite64, (int, const void*, size_t, off64_t));
  return refused(fd, at + (off_t)n) ? -1 : real(fd, data, n, at);
}
ssize_t writev(int fd, const struct iovec* parts, int count) {
  REAL(ssize_t, writev, (int, const struct iovec*, int));
  off_t n = 0;
  for (int k = 0; k < count; ++k) n += (off_t)parts[k].iov_len;
  return refused(fd, here(fd) + n) ? -1 : real(fd, parts, count);
}
int ftruncate(int fd, off_t length) {
  REAL(int, ftruncate, (int, off_t));
  return refused(fd, length) ? -1 : real(fd, length);
}
int ftruncate64(int fd, off64_t length) {
  REAL(int, ftruncate64, (int, off64_t));
  return refused(fd, length) ? -1 : real(fd, length);
}
/* What a killed process has written is there without the disk, for which a thousand runs would wait. */
static long syncs = 0;
long kill_shim_syncs(void) { return syncs; }
int fsync(int fd) {
  ++syncs;
  return 0;
}
int fdatasync(int fd) { return fsync(fd); }
/* Takes memory for a file that is mapped. */
int madvise(void* at, size_t n, int advice) {
  const int populate_write = 23;
  REAL(int, madvise, (void*, size_t, int));
  if (advice == populate_write && n > 0 && due()) {
    errno = EFAULT;
    return -1;
  }
  return real(at, n, advice);
}
