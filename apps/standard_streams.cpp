#include "apps/standard_streams.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

namespace wavesim {

void prepare_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(descriptor, F_GETFD) == -1 && open("/dev/null", O_RDWR) == -1)
      return;  // the lowest that is free
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

namespace {

/// A pipe that nobody reads any more: who takes the beginning only, such as `head`, misses nothing.
bool reader_is_gone() {
  pollfd out{STDOUT_FILENO, POLLOUT, 0};
  return poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

}  // namespace

std::string lost_output() {
  const bool earlier = std::ferror(stdout) != 0;  // errno is of another call by now
  errno = 0;
  if ((std::fflush(stdout) == 0 && !earlier) || reader_is_gone()) return "";
  return std::string("standard output could not be written") +
         (errno ? ": " + std::string(std::strerror(errno)) : "") + "; what was printed is not complete";
}

}  // namespace wavesim
